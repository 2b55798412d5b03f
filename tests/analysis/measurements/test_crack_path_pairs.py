# SPDX-License-Identifier: BSD-3-Clause
"""Pairs of cracks: regular meshes count once a kind and direction, jittered ones by the mean of their seeds."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace

from deformbench_analysis.measurements import crack_path as m
from deformbench_analysis.results import Results

P = "scene.parameters."
ROUGHNESS = {("a", 0.0, 1): 1.0, ("a", 0.2, 1): 0.5, ("a", 0.2, 2): 0.9, ("b", 0.0, 1): 2.0, ("b", 0.2, 1): 1.0, ("b", 0.2, 2): 1.0,
             ("c", 0.0, 1): 1.0, ("c", 0.2, 1): 1.2, ("c", 0.2, 2): 1.4, ("d", 0.0, 1): 9.0}  # d has no partner


def test_seeds_of_a_jittered_mesh_are_one_sample_of_a_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for split, jitter, seed in ROUGHNESS:
        scene = {"split": split, "jitter": jitter, "seed": seed, "stress_pa": [1.0, 0, 0, 0, 0, 0]}
        write_trace(tmp_path, m.EXPERIMENT, "warped_fem", scene=scene, coordinates={P + k: v for k, v in scene.items()}, series={"step": {"split_count": np.zeros(2)}})
    monkeypatch.setattr(m, "roughness", lambda c: ROUGHNESS[c.value(P + "split"), m.jitter(c), c.value(P + "seed")])
    data = Results(tmp_path, "paper", {}).experiment(m.EXPERIMENT)
    gains = [0.3, 1.0, -0.3]
    assert sorted(m.gains(data)) == pytest.approx(sorted(gains))
    expected = np.mean(gains) / (np.std(gains, ddof=1) / math.sqrt(3))
    assert m.gain_in_errors(data).value == pytest.approx(expected)

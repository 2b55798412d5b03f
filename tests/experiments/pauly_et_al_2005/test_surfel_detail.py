# SPDX-License-Identifier: BSD-3-Clause
"""Made-up runs with surfels of several sizes: of one size a node is elsewhere."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from measured import number
from surfel_traces import write_frames

from experiments.pauly_et_al_2005.measurements import surfel_detail as m
from deformbench_analysis.results import Results


def run(folder: Path, radius: float, surfels: int, moved: float = 0.0) -> None:
    arrays = {"surfel_sheets": np.zeros(surfels, dtype=int), "surfel_pairs": np.zeros((7 * surfels, 2), dtype=int)}
    path = write_frames(
        folder, m.M.experiment, [[arrays, arrays]], name="transparency", parameters={"surfel_radius_m": radius}
    )
    with h5py.File(path, "a") as file:
        file["series/frame/positions"][1, 0, 2] = 0.5 + moved


def test_nodes_are_compared_with_those_of_the_run_without_surfels(tmp_path: Path) -> None:
    for radius, surfels, moved in ((0.0, 0, 0.0), (0.1, 4, 1e-12), (0.05, 16, 0.0)):
        run(tmp_path, radius, surfels, moved)
    assert number(tmp_path, "surfel_detail.node_motion") == pytest.approx(1e-12, rel=1e-3, abs=0)
    counts = sorted(m.surfel_count(c) for c in Results(tmp_path, "paper", {}).experiment(m.M.experiment).cells)
    assert counts == [0, 4, 16]

# SPDX-License-Identifier: BSD-3-Clause
"""ADMM beside projective dynamics: one family gains nothing, a gap comes back, forty rounds end elsewhere."""

import math
from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace
from test_one_step import falling, problems, step

from deformbench_analysis.trace import Trace
from experiments.projective_dynamics.measurements import admm as a, one_step


def test_rounds_are_compared_in_the_worst_family_and_among_stiff_steps_alone(tmp_path: Path) -> None:
    plain, same = {"kuhn": 0.5, "graded": 0.5}, {"kuhn": 0.25, "graded": 0.5}
    for omega, half in ((1.0, same), (1e4, {"kuhn": 0.25, "graded": 0.25})):
        problems(tmp_path, a.M.experiment, {"plain": plain, "half": half}, scene={"omega": omega})
    for name in ("stiff_half", "early_half"):  # the gap falls twice as fast in logarithms
        assert number(tmp_path, f"admm_weights.{name}_log_ratio") == pytest.approx(math.log(0.5))
    assert number(tmp_path, "admm_weights.half_log_ratio") > math.log(0.5)  # graded bars gain in half of the problems
    assert number(tmp_path, "admm_weights.plain_reached") == 1


def test_a_gap_counts_once_it_stays_and_between_rounds(tmp_path: Path) -> None:
    def count(objective: list[float], level: float) -> float:
        trace = Trace(step(tmp_path, f"{a.M.experiment} half", objective))
        return one_step.settled(trace, reference, level, "iteration")

    reference = Trace(step(tmp_path, f"{a.M.experiment} reference", [2.0, 1.0]))
    assert count([2.0, 1.001, 1.1, 1.001], 0.01) == pytest.approx(2.5)  # from 0.1 to 0.001, half of it at 0.01
    assert count([2.0, 1.001, 1.1], 0.01) == math.inf
    step(tmp_path, f"{a.M.experiment} plain", falling(0.9, 5))
    assert number(tmp_path, "admm_weights.plain_reached") == 0


def test_twisted_starts_count_apart_from_slight_ones_and_from_one_round(tmp_path: Path) -> None:
    start = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    for kind, rounds, off in (("twisted", 1, 1e-14), ("twisted", 40, 0.25), ("noise", 40, 1e-6)):
        for name, moved in (("plain", 2.0), ("one", 2.0 + off)):
            frame = {"positions": np.stack([start, start + [[0.0, 0.0, moved], [0.0, 0.0, 0.1]]])}
            run, scene = f"{a.IDENTITY.experiment} quasi_newton {name}", {"family": "kuhn", "seed": 1, "start": kind}
            write_trace(tmp_path, run, None, scene, parameters={"iterations": rounds}, frame=frame)
    assert number(tmp_path, "admm_identity.difference") == pytest.approx(0.125)
    assert number(tmp_path, "admm_identity.difference_of_one") < 1e-13
    assert number(tmp_path, "admm_identity.slight_difference") == pytest.approx(5e-7, abs=1e-12)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of projective_dynamics/round_cost: the time of a round beside that of an iteration of Newton's method."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.step_iterations import Iterations
from deformbench_analysis.vocabulary import ExperimentData, Measured, Measures, rows

M = Measures("projective_dynamics/round_cost")
ROUNDS = rows("rounds").beside(rows("newton"), "cells_across", "seed")


def _ratios(data: ExperimentData, choose: Callable[[list[int]], int]) -> Measured:
    """Median over seeds of the ratio of medians over iterations, on the meshes of this size."""
    found: dict[int, list[float]] = {}
    for (rounds, newton), _ in ROUNDS.units(data):
        seconds = [float(np.median(np.diff(Iterations.of(trace).seconds))) for trace in (rounds, newton)]
        found.setdefault(int(rounds.number("cells_across")), []).append(seconds[1] / seconds[0])
    size = choose(sorted(found))
    return Measured(float(np.median(found[size])), f"{size} cells across; {', '.join(f'{r:.3g}' for r in found[size])}")


@M("rounds_per_iteration", timing=True)
def rounds_per_iteration(data: ExperimentData) -> Measured:
    """Time of an iteration of Newton's method divided by that of a round, medians, on the largest bars."""
    return _ratios(data, max)


@M("rounds_per_iteration_small", timing=True)
def rounds_per_iteration_small(data: ExperimentData) -> Measured:
    """Time of an iteration of Newton's method divided by that of a round, medians, on the smallest bars."""
    return _ratios(data, min)

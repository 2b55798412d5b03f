# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/rest_stability: a cloth that starts a nanometre from rest, in every order of the sweep."""

from __future__ import annotations

import numpy as np

from ..measurement import Measured, measurement
from ..results import ExperimentData
from ..trace import Trace

EXPERIMENT = "mueller_et_al_2007/rest_stability"
UNSTABLE = 1e5  # times the start: sweeps that are no normal maps carry an error along, and enlarge it for a while, by 1e4


def deviation(trace: Trace) -> np.ndarray:
    """Largest distance of a vertex from rest over that of the start, every step."""
    values = trace.values("step", "max_displacement")
    return np.asarray(values / values[0])


def _unstable(cells: list[Trace]) -> list[Trace]:
    return [c for c in cells if c.status != "completed" or deviation(c)[-100:].max() > UNSTABLE]


for row in ("forward", "coloured", "random", "symmetric"):

    @measurement(f"rest_stability.{row}_unstable", unit="1", experiment=EXPERIMENT)
    def unstable(data: ExperimentData, row: str = row) -> Measured:
        """Runs whose cloth leaves rest: at the end 1e5 times as far from it as at the start."""
        cells = data.some(name=row, status=None)
        found = _unstable(cells)
        return Measured(float(len(found)), f"of {len(cells)}; " + "; ".join(c.label for c in found[:3]))

    @measurement(f"rest_stability.{row}_default_deviation", unit="1", experiment=EXPERIMENT)
    def default_deviation(data: ExperimentData, row: str = row) -> Measured:
        """Largest deviation of the last hundred steps over that of the start, bend stiffness 0.1 and ten iterations."""
        where = {"method.parameters.bend_stiffness": 0.1, "method.parameters.iterations": 10}
        cell = data.some(name=row, where=where)[0]
        return Measured(float(deviation(cell)[-100:].max()), cell.label)


@measurement("rest_stability.largest_departure", unit="m", experiment=EXPERIMENT)
def largest_departure(data: ExperimentData) -> Measured:
    """Furthest that a vertex of a cloth at rest gets by itself, sweeps forward."""
    found = {c.label: float(c.values("step", "max_displacement").max()) for c in data.some(name="forward", status=None)}
    worst = max(found, key=lambda k: found[k])
    return Measured(found[worst], worst)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/robust_extremes: Table 1 a thousand times smaller and larger, from a tangled start."""

from __future__ import annotations

import numpy as np

from ..errors import MissingData
from ..measurement import Measured, measurement
from ..results import ExperimentData
from ..trace import Trace

EXPERIMENT = "mueller_gross_2004/robust_extremes"


def energy_ratio(trace: Trace) -> float:
    """Largest total energy over that at the start, over all members."""
    return max(float((m.values / m.values[0]).max()) for m in trace.series("step", "total_energy").members())


def _growth(cells: list[Trace]) -> Measured:
    worst = max(cells, key=energy_ratio)
    return Measured(energy_ratio(worst), worst.label)


@measurement("robust_extremes.bad_ends", unit="1", experiment=EXPERIMENT)
def bad_ends(data: ExperimentData) -> Measured:
    """Runs that did not complete, or whose energy is not finite."""
    bad = [c for c in data.cells if c.status != "completed" or not np.isfinite(c.values("step", "total_energy")).all()]
    if not data.cells:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: no run")
    return Measured(float(len(bad)), "; ".join(f"{c.label}: {c.status_reason or c.status}" for c in bad[:3]))


@measurement("robust_extremes.energy_growth", unit="1", experiment=EXPERIMENT)
def energy_growth(data: ExperimentData) -> Measured:
    """Largest total energy over that at the start, all completed runs and seeds."""
    return _growth(data.some())


@measurement("robust_extremes.energy_growth_elastic", unit="1", experiment=EXPERIMENT)
def energy_growth_elastic(data: ExperimentData) -> Measured:
    """The same without plasticity and fracture."""
    return _growth(data.some(name="elastic"))


@measurement("robust_extremes.energy_growth_plastic", unit="1", experiment=EXPERIMENT)
def energy_growth_plastic(data: ExperimentData) -> Measured:
    """The same with plasticity."""
    return _growth(data.some(name="plastic"))


@measurement("robust_extremes.energy_growth_brittle", unit="1", experiment=EXPERIMENT)
def energy_growth_brittle(data: ExperimentData) -> Measured:
    """The same with fracture."""
    return _growth(data.some(name="brittle"))

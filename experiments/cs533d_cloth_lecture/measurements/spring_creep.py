# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/spring_creep: the stress of a spring that is held at one length while it creeps."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .springs import driven_path, number, parameter

EXPERIMENT = "cs533d_cloth_lecture/spring_creep"


def share(trace: Trace) -> float:
    """cΔt."""
    return parameter(trace, "creep_rate_1_s") * number(trace, "time_step_s")


def is_fine(trace: Trace) -> bool:
    """cΔt ≤ 0.1: the run ends at ct = 1."""
    return share(trace) < 0.11


def decay(trace: Trace) -> tuple[Array, Array]:
    """ct and stress over modulus of every step after the spring has been brought to its length."""
    strain, stress = driven_path(trace)
    steps = np.arange(1, len(strain))
    return share(trace) * steps, stress[1:]


def decay_error(trace: Trace) -> float:
    """Largest |σ/(E ε) − e^{−ct}|, ε the strain that the spring is held at."""
    time, stress = decay(trace)
    return float(np.abs(stress / trace.value("scene.parameters.programme_values")[0] - np.exp(-time)).max())


def orders(data: ExperimentData) -> dict[str, float]:
    """Slope of the error against the step between neighbouring steps."""
    cells = sorted(data.every(name="creep", keep=is_fine), key=share)
    error = {c: decay_error(c) for c in cells}
    return {
        f"{share(a):.3g} to {share(b):.3g}": float(np.log(error[b] / error[a]) / np.log(share(b) / share(a)))
        for a, b in zip(cells[:-1], cells[1:])
    }


@measurement("spring_creep.order_low", unit="1", experiment=EXPERIMENT)
def order_low(data: ExperimentData) -> Measured:
    """Least order in Δt of the largest error of the stress against e₀ e^{−ct} up to ct = 1, cΔt 0.001 to 0.1."""
    return extremes.least(orders(data))


@measurement("spring_creep.order_high", unit="1", experiment=EXPERIMENT)
def order_high(data: ExperimentData) -> Measured:
    """Largest such order."""
    return extremes.largest(orders(data))


@measurement("spring_creep.finest_error", unit="1", experiment=EXPERIMENT)
def finest_error(data: ExperimentData) -> float:
    """Largest |σ/σ₀ − e^{−ct}| up to ct = 1 of the shortest step."""
    return decay_error(min(data.every(name="creep", keep=is_fine), key=share))


@measurement("spring_creep.least_share", unit="1", experiment=EXPERIMENT)
def least_share(data: ExperimentData) -> Measured:
    """Smallest cΔt."""
    return extremes.least({c: share(c) for c in data.every(name="creep")})


@measurement("spring_creep.largest_fine_share", unit="1", experiment=EXPERIMENT)
def largest_fine_share(data: ExperimentData) -> Measured:
    """Largest cΔt of the runs whose order is measured."""
    return extremes.largest({c: share(c) for c in data.every(name="creep", keep=is_fine)})


@measurement("spring_creep.largest_share_without_overshoot", unit="1", experiment=EXPERIMENT)
def largest_share_without_overshoot(data: ExperimentData) -> Measured:
    """Largest cΔt at which the stress keeps its sign."""
    return extremes.largest({c: share(c) for c in data.every(name="creep") if decay(c)[1].min() >= 0})


@measurement("spring_creep.smallest_share_that_diverges", unit="1", experiment=EXPERIMENT)
def smallest_share_that_diverges(data: ExperimentData) -> Measured:
    """Smallest cΔt at which the stress grows from step to step."""
    cells = data.every(name="creep")
    return extremes.least({c: share(c) for c in cells if (np.diff(np.abs(decay(c)[1])) > 0).all()})

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/conditioning_under_squash ([MG04] §2.3: nonlinear systems against rotated ones)."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/conditioning_under_squash"
DECADES = 3.0  # of det F that a slope is taken over


def condition(trace: Trace) -> Array:
    """Largest over smallest |eigenvalue| of the step's matrix in every pose."""
    spectrum = trace.values("operator", "system_spectrum")
    if not np.all(np.isfinite(spectrum)):
        raise MissingData(f"{trace.experiment}: {trace.label}: no eigenvalues in some pose")
    return np.asarray(spectrum[:, 3] / spectrum[:, 2])


def squash(trace: Trace) -> Array:
    """Smallest det F of an element in every pose."""
    return np.asarray(trace.values("operator", "min_det_f")).reshape(-1)


def twist(trace: Trace) -> float:
    """Angle between the ends, degrees."""
    return float(trace.value("schedule.poses.parameters.twist_deg"))


def time_step(trace: Trace) -> float:
    """Δt of the cell, s."""
    return float(trace.value("scene.parameters.time_step_s"))


def law(trace: Trace) -> str:
    """Law of elasticity of a nonlinear cell."""
    return str(trace.value("method.parameters.law"))


def slope(trace: Trace) -> float:
    """Least-squares slope of ln cond against ln min det F, over poses of at least three decades of det F."""
    j = squash(trace)
    if not np.all(j > 0) or np.log10(j.max() / j.min()) < DECADES * (1 - 1e-9):
        raise MissingData(
            f"{trace.experiment}: {trace.label}: det F from {j.min():.3g} to {j.max():.3g}, expected {DECADES:g} decades"
        )
    return float(np.polyfit(np.log(j), np.log(condition(trace)), 1)[0])


def _squashed(data: ExperimentData, chosen: str | None = None) -> list[Trace]:
    """Cells of nonlinear laws without a twist: twisted ones have inverted elements long before det F is a thousandth."""
    return data.some(name="nonlinear", keep=lambda c: twist(c) == 0 and chosen in (None, law(c)))


@measurement("conditioning_under_squash.slope_neo_hookean", unit="1", experiment=EXPERIMENT)
def slope_neo_hookean(data: ExperimentData) -> Measured:
    """Least steep slope of ln cond against ln det F from 1 to 0.001, neo-Hookean law, over all time steps, with the exact
    Hessian and with the one made positive definite."""
    return extremes.largest({c: slope(c) for c in _squashed(data, "neo_hookean")})


@measurement("conditioning_under_squash.slope_of_any_law", unit="1", experiment=EXPERIMENT)
def slope_of_any_law(data: ExperimentData) -> Measured:
    """Least steep slope of ln cond against ln det F from 1 to 0.001 over all nonlinear laws, Hessians and time steps."""
    return extremes.largest({c: slope(c) for c in _squashed(data)})


@measurement("conditioning_under_squash.neo_hookean_growth", unit="1", experiment=EXPERIMENT)
def neo_hookean_growth(data: ExperimentData) -> Measured:
    """Least ratio of the condition number at det F = 0.001 to that at rest, neo-Hookean law, all Hessians and time
    steps."""
    return extremes.least({c: float(condition(c)[-1] / condition(c)[0]) for c in _squashed(data, "neo_hookean")})


@measurement("conditioning_under_squash.negative_share", unit="1", experiment=EXPERIMENT)
def negative_share(data: ExperimentData) -> Measured:
    """Largest share of negative eigenvalues of the matrix with the exact Hessian of St. Venant–Kirchhoff, all squashed
    poses and time steps; rows of prescribed vertices removed."""
    found = {}
    for cell in data.some(name="nonlinear", keep=lambda c: law(c) == "st_venant_kirchhoff"):
        if cell.value("method.parameters.hessian") == "exact":
            free = 3 * (cell.scene("masses").size - int(cell.scene("prescribed_vertices").size))
            found[cell] = float(cell.values("operator", "system_spectrum")[:, 4].max()) / free
    return extremes.largest(found)


def _warped(data: ExperimentData) -> dict[str, Array]:
    """cond over that of the unsquashed, untwisted body at the same time step, of every pose of every warped cell."""
    cells = data.some(name="warped")
    rest: dict[float, float] = {}
    for cell in cells:
        if twist(cell) == 0 and cell.values("operator", "pose_parameter")[0] == 1:
            rest[time_step(cell)] = float(condition(cell)[0])
    missing = sorted({time_step(c) for c in cells} - set(rest))
    if missing:
        raise MissingData(f"{EXPERIMENT}: no pose at rest for Δt = {missing[0]:g} s")
    return {c.label: condition(c) / rest[time_step(c)] for c in cells}


@measurement("conditioning_under_squash.warped_growth", unit="1", experiment=EXPERIMENT)
def warped_growth(data: ExperimentData) -> Measured:
    """Largest condition number of the warped step's matrix over that at rest, all squashed and twisted poses and time
    steps."""
    return extremes.largest({label: float(ratio.max()) for label, ratio in _warped(data).items()})


@measurement("conditioning_under_squash.warped_decline", unit="1", experiment=EXPERIMENT)
def warped_decline(data: ExperimentData) -> Measured:
    """Smallest condition number of the warped step's matrix over that at rest, all squashed and twisted poses and time
    steps."""
    return extremes.least({label: float(ratio.min()) for label, ratio in _warped(data).items()})

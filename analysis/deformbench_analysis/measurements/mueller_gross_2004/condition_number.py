# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/condition_number and condition_number_sizes ([MG04] §2.3: at most 25 per cent)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/condition_number"
SIZES = "mueller_gross_2004/condition_number_sizes"
SMOOTH = ("bend", "twist")
REGIME = 4.0  # Δt²E/(ρh²) of the paper's Δt = 0.01 s and E = 10⁵ Pa on cells of 5 cm
BOUNDED = 1.0  # Δt²E/(ρh²) up to which the bound on the condition number of these meshes is below 1000 at any pose


def stiffness_number(trace: Trace) -> float:
    """Δt²E/(ρh²), h the edge of a cell."""
    p = trace.value("scene.parameters")
    cell = float(p["side_m"]) / int(p["cells_across"])
    return float(p["time_step_s"]) ** 2 * float(p["young_modulus_pa"]) / (float(p["density_kg_m3"]) * cell**2)


def largest_change(cells: list[Trace], last_step: Callable[[Trace], int] | None = None) -> Measured:
    """Largest |cond / cond at the first row − 1| of runs that step (up to `last_step` of each), all eigenvalues converged."""
    found = {}
    for cell in cells:
        if not np.all(cell.values("operator", "operator_converged") == 1):
            raise MissingData(f"{cell.experiment}: {cell.label}: an eigenvalue did not converge")
        series = cell.series("operator", "condition_number")
        counted = series.step <= (last_step(cell) if last_step else series.step[-1])
        change = series.values[counted] / series.values[0] - 1
        index = int(np.abs(change).argmax())
        where = f"{100 * change[index]:+.2g} % of {series.values[0]:.4g} in {cell.label} at {series.time[index]:g} s"
        found[where] = abs(float(change[index]))
    return extremes.largest(found)


def is_smooth(trace: Trace) -> bool:
    """Whether the pose field bends or twists the body smoothly, as against random poses."""
    return trace.value("schedule.poses.field") in SMOOTH


def poses(trace: Trace) -> tuple[Array, Array]:
    """(pose value, condition number), all eigenvalues converged."""
    if not np.all(trace.values("operator", "operator_converged") == 1):
        raise MissingData(f"{trace.experiment}: {trace.label}: an eigenvalue did not converge")
    return trace.values("operator", "pose_parameter"), trace.values("operator", "condition_number")


def rest_condition(trace: Trace) -> float:
    """Condition number of the rest pose, with which smooth fields begin."""
    value, condition = poses(trace)
    if value[0] != 0:
        raise MissingData(f"{trace.experiment}: {trace.label}: the first pose is not the rest pose")
    return float(condition[0])


def changes(trace: Trace) -> Array:
    """cond / cond at rest − 1 of every pose of a smooth field."""
    return np.asarray(poses(trace)[1] / rest_condition(trace) - 1)


def setting(trace: Trace) -> tuple[str, float]:
    """(split, time step): what cells of different pose fields share."""
    return str(trace.value("scene.parameters.split")), float(trace.value("scene.parameters.time_step_s"))


def _worst_change(cells: list[Trace]) -> Measured:
    found = {}
    for cell in cells:
        change = changes(cell)
        index = int(np.abs(change).argmax())
        where = f"{100 * change[index]:+.0f} % in {cell.label} at {poses(cell)[0][index]:g}"
        found[where] = abs(float(change[index]))
    return extremes.largest(found)


def _largest(cells: list[Trace]) -> Measured:
    found = {c: float(poses(c)[1].max()) for c in cells}
    worst = extremes.at_largest(found)
    return Measured(found[worst], f"{worst.label}, Δt²E/(ρh²) {stiffness_number(worst):.3g}")


def _bound_ratio(data: ExperimentData) -> float:
    return float(
        np.max(
            [
                float((c.values("operator", "condition_number") / c.values("operator", "condition_bound")).max())
                for c in data.some()
            ]
        )
    )


@measurement("condition_number.bound_ratio_max", unit="1", experiment=EXPERIMENT)
def bound_ratio_max(data: ExperimentData) -> float:
    """Largest condition number over its bound (m_max + Δt² Λ)/m_min, Λ = max_i Σ_{e∋i} λ_max(K_e), all poses and time steps."""
    return _bound_ratio(data)


@measurement("condition_number.change_max", unit="1", experiment=EXPERIMENT)
def change_max(data: ExperimentData) -> Measured:
    """Largest |condition number of the step's matrix / that at rest − 1| over bent and twisted poses and all time
    steps."""
    return _worst_change(data.some(keep=is_smooth))


@measurement("condition_number.change_in_regime", unit="1", experiment=EXPERIMENT)
def change_in_regime(data: ExperimentData) -> Measured:
    """Largest |condition number of the step's matrix / that at rest − 1| over bent and twisted poses where Δt²E/(ρh²)
    ≤ 4, h the edge of a cell."""
    return _worst_change(data.some(keep=lambda c: is_smooth(c) and stiffness_number(c) <= REGIME * (1 + 1e-9)))


def growths(data: ExperimentData) -> dict[Trace, float]:
    """Largest cond over that at rest of every cell; random poses are compared with the rest pose of the same setting."""
    rest = {setting(c): rest_condition(c) for c in data.some(keep=is_smooth)}
    cells = [c for c in data.some() if setting(c) in rest]
    return {c: float(poses(c)[1].max()) / rest[setting(c)] for c in cells}


@measurement("condition_number.growth_max", unit="1", experiment=EXPERIMENT)
def growth_max(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix over that at rest, all poses (bent, twisted, random) and time
    steps."""
    return extremes.largest({c: growth for c, growth in growths(data).items()})


@measurement("condition_number.growth_smooth_max", unit="1", experiment=EXPERIMENT)
def growth_smooth_max(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix over that at rest, bent and twisted poses and all time steps."""
    return extremes.largest({c: growth for c, growth in growths(data).items() if is_smooth(c)})


@measurement("condition_number.bounded_max", unit="1", experiment=EXPERIMENT)
def bounded_max(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix over all poses where Δt²E/(ρh²) ≤ 1, h the edge of a cell."""
    return _largest(data.some(keep=lambda c: stiffness_number(c) <= BOUNDED * (1 + 1e-9)))


@measurement("condition_number.bounded_bound_max", unit="1", experiment=EXPERIMENT)
def bounded_bound_max(data: ExperimentData) -> float:
    """Largest upper bound on the condition number of the step's matrix that holds in every pose, where Δt²E/(ρh²) ≤ 1,
    h the edge of a cell."""
    return float(
        np.max(
            [
                float(c.values("operator", "condition_bound").max())
                for c in data.some(keep=lambda c: stiffness_number(c) <= BOUNDED * (1 + 1e-9))
            ]
        )
    )


@measurement("condition_number.paper_setting_max", unit="1", experiment=EXPERIMENT)
def paper_setting_max(data: ExperimentData) -> float:
    """Largest condition number of the step's matrix over all poses at Δt = 0.01 s, E = 10⁵ Pa."""
    return float(np.max([float(poses(c)[1].max()) for c in data.some(where={"scene.parameters.time_step_s": 0.01})]))


@measurement("condition_number.all_settings_max", unit="1", experiment=EXPERIMENT)
def all_settings_max(data: ExperimentData) -> float:
    """Largest condition number over all poses and time steps."""
    return float(np.max([float(poses(c)[1].max()) for c in data.some()]))


@measurement("condition_number.change_random_poses_in_regime", unit="1", experiment=EXPERIMENT)
def change_random_poses_in_regime(data: ExperimentData) -> float:
    """Largest |condition number of the step's matrix / that at rest − 1| over random poses where Δt²E/(ρh²) ≤ 4, h the
    edge of a cell."""
    rest = {setting(c): rest_condition(c) for c in data.some(where={"schedule.poses.field": "bend"})}
    cells = [
        c
        for c in data.some(keep=lambda c: not is_smooth(c) and stiffness_number(c) <= REGIME * (1 + 1e-9))
        if setting(c) in rest
    ]
    if not cells:
        raise MissingData(f"{EXPERIMENT}: no setting with both random poses and the rest pose at tier {data.tier}")
    return float(np.max([float(np.abs(poses(c)[1] / rest[setting(c)] - 1).max()) for c in cells]))


@measurement("condition_number_sizes.growth_max", unit="1", experiment=SIZES)
def sizes_growth_max(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix over that at rest, bent poses, all sizes and stiffnesses."""
    return extremes.largest({c: float(changes(c).max()) + 1 for c in data.some()})


@measurement("condition_number_sizes.bounded_max", unit="1", experiment=SIZES)
def sizes_bounded_max(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix where Δt²E/(ρh²) ≤ 1, h the edge of a cell, all sizes of the bar
    of Figure 7."""
    return _largest(data.some(keep=lambda c: stiffness_number(c) <= BOUNDED * (1 + 1e-9)))


@measurement("condition_number_sizes.bound_ratio_max", unit="1", experiment=SIZES)
def sizes_bound_ratio_max(data: ExperimentData) -> float:
    """Largest condition number of the step's matrix over its upper bound that holds in every pose, all sizes,
    stiffnesses and poses."""
    return _bound_ratio(data)


@measurement("condition_number_sizes.largest_condition_number", unit="1", experiment=SIZES)
def largest_condition_number(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix over all sizes, stiffnesses and poses of the bar of Figure 7."""
    return _largest(data.some())

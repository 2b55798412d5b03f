# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/load_hold_release and …_bar: pulled, held, released (erratum B-IVM-1)."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...corotational import Body
from ...errors import MissingData
from ...measurement import measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/load_hold_release"
BAR = "mueller_gross_2004/load_hold_release_bar"


def end_position(trace: Trace) -> Array:
    """Displacement of the free vertex along the load in every row; m, and its strain, as the height is 1 m."""
    return np.asarray(trace.values("step", "tip_displacement")[:, 0])


def at_release(trace: Trace, path: str = "scene.parameters.hold_s") -> int:
    """Row of the last step under load."""
    return round(float(trace.value(path)) / float(trace.value("scene.parameters.time_step_s")))


def resisting(data: ExperimentData) -> list[Trace]:
    """Rows with the sign of [MG04] eq. 16, damped and not."""
    return data.every(where={"method.parameters.plasticity": "creep", "method.parameters.plastic_sign": "corrected"})


@measurement("load_hold_release.residual_error", unit="m", experiment=EXPERIMENT)
def residual_error(data: ExperimentData) -> float:
    """Largest |position − closed form of a creeping bar| over all steps, plastic force with the sign of [MG04] eq. 16, damped
    and undamped."""
    return float(
        np.max(
            [
                float(np.abs(end_position(c) - c.reference("creeping_bar", "position_m").values).max())
                for c in resisting(data)
            ]
        )
    )


@measurement("load_hold_release.residual", unit="m", experiment=EXPERIMENT)
def residual(data: ExperimentData) -> float:
    """Position long after release, plastic force with the sign of [MG04] eq. 16, damped; the reference is 0.300 m."""
    return float(end_position(data.one(name="resisting"))[-1])


@measurement("load_hold_release.residual_undamped", unit="m", experiment=EXPERIMENT)
def residual_undamped(data: ExperimentData) -> float:
    """Position long after release, plastic force with the sign of [MG04] eq. 16, undamped: reverse flow while the bar swings
    lowers it."""
    return float(end_position(data.one(name="resisting_undamped"))[-1])


@measurement("load_hold_release.held_position", unit="m", experiment=EXPERIMENT)
def held_position(data: ExperimentData) -> float:
    """Position at the end of the hold, plastic force with the sign of [MG04] eq. 16, damped; the reference is 0.400 m."""
    cell = data.one(name="resisting")
    return float(end_position(cell)[at_release(cell)])


@measurement("load_hold_release.listing_residual", unit="m", experiment=EXPERIMENT)
def listing_residual(data: ExperimentData) -> float:
    """Position long after release, plastic force with the sign of the listing in section 6, damped."""
    return float(end_position(data.one(name="listing"))[-1])


@measurement("load_hold_release.listing_residual_undamped", unit="m", experiment=EXPERIMENT)
def listing_residual_undamped(data: ExperimentData) -> float:
    """Position long after release, plastic force with the sign of the listing in section 6, undamped."""
    return float(end_position(data.one(name="listing_undamped"))[-1])


@measurement("load_hold_release.listing_held_position", unit="m", experiment=EXPERIMENT)
def listing_held_position(data: ExperimentData) -> float:
    """Position at the end of the hold, plastic force with the sign of the listing in section 6, damped: less than the
    elastic 0.1 m."""
    cell = data.one(name="listing")
    return float(end_position(cell)[at_release(cell)])


@measurement("load_hold_release.unloaded_strain", unit="1", experiment=EXPERIMENT)
def unloaded_strain(data: ExperimentData) -> float:
    """|position − plastic strain × 1 m| at the end, when load and motion are gone, plastic force with the sign of [MG04]
    eq. 16, damped."""
    cell = data.one(name="resisting")
    return abs(float(end_position(cell)[-1]) - float(cell.values("step", "plastic_strain_max")[-1]))


def loop(trace: Trace, force_before_flow: bool) -> Array:
    """The listing of [MG04] §6 for one degree of freedom, or with the plastic force assembled before the flow."""
    p = {
        n: float(trace.value(f"method.parameters.{n}"))
        for n in ("plastic_yield", "plastic_creep_per_s", "plastic_max", "mass_damping_1_s")
    }
    dt = float(trace.value("scene.parameters.time_step_s"))
    stiffness = float(trace.value("scene.parameters.young_modulus_pa")) / 6
    mass = float(trace.value("scene.parameters.density_kg_m3")) / 24
    x = v = plastic = 0.0
    rows = [0.0]
    for n in range(1, len(end_position(trace))):
        before = plastic
        if abs(x - plastic) > p["plastic_yield"]:
            plastic += dt * p["plastic_creep_per_s"] * (x - plastic)
        plastic = float(np.clip(plastic, -p["plastic_max"], p["plastic_max"]))
        force = float(trace.value("scene.parameters.force_n")) if n <= at_release(trace) else 0.0
        used = before if force_before_flow else plastic
        v = (mass * v - dt * (stiffness * (x - used) - force)) / (
            mass * (1 + dt * p["mass_damping_1_s"]) + dt**2 * stiffness
        )
        x += dt * v
        rows.append(x)
    return np.array(rows)


@measurement("load_hold_release.other_order_difference", unit="m", experiment=EXPERIMENT)
def other_order_difference(data: ExperimentData) -> float:
    """Largest |position − that of a loop in which plastic forces are assembled before the flow|, plastic force with
    the sign of [MG04] eq. 16, damped."""
    cell = data.one(name="resisting")
    return float(np.abs(end_position(cell) - loop(cell, True)).max())


# the bar -------------------------------------------------------------------------------------------------------------


def bar_strain(trace: Trace) -> Array:
    """Elongation of the bar over its length in every row."""
    return np.asarray(trace.values("step", "tip_displacement")[:, 0]) / float(trace.value("scene.parameters.length_m"))


@measurement("load_hold_release_bar.residual_error", unit="1", experiment=BAR)
def bar_residual_error(data: ExperimentData) -> float:
    """|residual strain / cap of the plastic strain − 1| of the bar at the end, plastic force with the sign of [MG04]
    eq. 16."""
    cell = data.one(name="resisting")
    return abs(float(bar_strain(cell)[-1]) / float(cell.value("method.parameters.plastic_max")) - 1)


@measurement("load_hold_release_bar.listing_residual", unit="1", experiment=BAR)
def bar_listing_residual(data: ExperimentData) -> float:
    """Residual strain of the bar at the end, plastic force with the sign of the listing in section 6."""
    return float(bar_strain(data.one(name="listing"))[-1])


def corotational_forces(trace: Trace, positions: Array, plastic: Array) -> Array:
    """Forces on the vertices, N, by an independent B-matrix and rotation. `plastic` [m,6], tensor components."""
    where = f"{trace.experiment}: {trace.label}"
    return Body.of(trace).forces(
        extremes.finite(positions, f"{where}: positions"), plastic=extremes.finite(plastic, f"{where}: plastic strain")
    )


@measurement("load_hold_release_bar.plastic_force_error", unit="1", experiment=BAR)
def plastic_force_error(data: ExperimentData) -> float:
    """Largest |f − f_B| over the largest force of all rows, f_B with plastic strain from strain matrices B and
    rotations computed by the analysis, plastic force with the sign of [MG04] eq. 16."""
    cell = data.one(name="resisting")
    errors, sizes = [], []
    for _, _, frame in cell.frames():
        expected = corotational_forces(cell, frame["positions"], frame["element_plastic_strains"])
        errors.append(np.linalg.norm(frame["elastic_forces"] - expected, axis=1).max())
        sizes.append(np.linalg.norm(expected, axis=1).max())
    worst, scale = (float(extremes.finite(found, BAR).max()) for found in (errors, sizes))
    if scale == 0:
        raise MissingData(f"{BAR}: no row with forces")
    return worst / scale


@measurement("load_hold_release_bar.plastic_part", unit="1", experiment=BAR)
def plastic_part(data: ExperimentData) -> float:
    """Largest plastic force over the largest elastic force of the same pose, all rows, plastic force with the sign of
    [MG04] eq. 16."""
    cell = data.one(name="resisting")
    found: list[float] = []
    for _, _, frame in cell.frames():
        without = corotational_forces(cell, frame["positions"], np.zeros_like(frame["element_plastic_strains"]))
        plastic = corotational_forces(cell, frame["positions"], frame["element_plastic_strains"]) - without
        scale = float(np.linalg.norm(without, axis=1).max())
        if scale > 0:
            found.append(float(np.linalg.norm(plastic, axis=1).max()) / scale)
    return float(extremes.finite(found, BAR).max())

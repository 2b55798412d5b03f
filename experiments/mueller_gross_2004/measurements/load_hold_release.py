# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/load_hold_release and …_bar: pulled, held, released (erratum B-IVM-1)."""

import numpy as np

from deformbench_analysis.corotational import Body
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, extremes, quantity, rows

M = Measures("mueller_gross_2004/load_hold_release")
BAR = Measures("mueller_gross_2004/load_hold_release_bar")
RESISTING, LISTING = (
    rows(n, says=f"plastic forces with the sign of {sign}, damped")
    for n, sign in (("resisting", "[MG04] eq. 16"), ("listing", "the listing in section 6"))
)


def end_position(trace: Trace) -> Array:
    """Displacement of the free vertex along the load per row, m; equals its strain, as the height is 1 m."""
    return np.asarray(trace.values("step", "tip_displacement")[:, 0])


def at_release(trace: Trace) -> int:
    """Row of the last step under load."""
    return round(trace.number("hold_s") / trace.number("time_step_s"))


def loop(trace: Trace, force_before_flow: bool) -> Array:
    """The listing of [MG04] §6 for one degree of freedom, or with the plastic force assembled before the flow."""
    p = {n: trace.setting(n) for n in ("plastic_yield", "plastic_creep_per_s", "plastic_max", "mass_damping_1_s")}
    dt = trace.number("time_step_s")
    stiffness = trace.number("young_modulus_pa") / 6
    mass = trace.number("density_kg_m3") / 24
    x = v = plastic = 0.0
    rows = [0.0]
    for n in range(1, len(end_position(trace))):
        before = plastic
        if abs(x - plastic) > p["plastic_yield"]:
            plastic += dt * p["plastic_creep_per_s"] * (x - plastic)
        plastic = float(np.clip(plastic, -p["plastic_max"], p["plastic_max"]))
        force = trace.number("force_n") if n <= at_release(trace) else 0.0
        used = before if force_before_flow else plastic
        v = (mass * v - dt * (stiffness * (x - used) - force)) / (
            mass * (1 + dt * p["mass_damping_1_s"]) + dt**2 * stiffness
        )
        x += dt * v
        rows.append(x)
    return np.array(rows)


@quantity(unit="m")
def other_order_difference(trace: Trace) -> Array:
    """|position − that of a loop in which plastic forces are assembled before the flow|."""
    return np.asarray(np.abs(end_position(trace) - loop(trace, True)))


@quantity(unit="m")
def position_error(trace: Trace) -> Array:
    """|position − closed form of a creeping bar| of any step."""
    return np.asarray(np.abs(end_position(trace) - trace.reference("creeping_bar", "position_m").values))


def unloaded_strain(trace: Trace) -> float:
    """|position − plastic strain × 1 m| at the end, when load and motion are gone."""
    return abs(float(end_position(trace)[-1]) - float(trace.values("step", "plastic_strain_max")[-1]))


_residual = quantity("position long after release", unit="m")(lambda c: end_position(c)[-1])
_held = quantity("position at the end of the hold", unit="m")(lambda c: end_position(c)[at_release(c)])

residual_error = M.largest(
    "residual_error",
    position_error,
    rows(says="plastic forces with the sign of [MG04] eq. 16, damped and undamped")
    .where(plasticity="creep", plastic_sign="corrected", says="")
    .noted(lambda _: ""),
)
residual = M.only("residual", _residual, RESISTING)
residual_undamped = M.only(
    "residual_undamped",
    _residual,
    rows("resisting_undamped", says="plastic forces with the sign of [MG04] eq. 16, undamped"),
)
held_position = M.only("held_position", _held, RESISTING)
listing_residual = M.only("listing_residual", _residual, LISTING)
listing_residual_undamped = M.only(
    "listing_residual_undamped",
    _residual,
    rows("listing_undamped", says="plastic forces with the sign of the listing in section 6, undamped"),
)
listing_held_position = M.only("listing_held_position", _held, LISTING)
M.only("unloaded_strain", unloaded_strain, RESISTING)
M.only("other_order_difference", other_order_difference, RESISTING)


# the bar ------------------------------------------------------------------------------------------------------------


def bar_strain(trace: Trace) -> Array:
    """Elongation of the bar / its length in every row."""
    return np.asarray(trace.values("step", "tip_displacement")[:, 0]) / trace.number("length_m")


def residual_strain_error(trace: Trace) -> float:
    """|residual strain / cap of the plastic strain − 1| at the end."""
    return abs(float(bar_strain(trace)[-1]) / trace.setting("plastic_max") - 1)


def corotational_forces(trace: Trace, positions: Array, plastic: Array) -> Array:
    """Forces on the vertices, N, by an independent B-matrix and rotation. `plastic` [m,6], tensor components."""
    where = f"{trace.experiment}: {trace.label}"
    return Body.of(trace).forces(
        extremes.finite(positions, f"{where}: positions"), plastic=extremes.finite(plastic, f"{where}: plastic strain")
    )


def force_error(trace: Trace) -> float:
    """Largest |f − f_B| / largest force, f_B with plastic strain by the analysis."""
    errors, sizes = [], []
    for _, _, frame in trace.frames():
        expected = corotational_forces(trace, frame["positions"], frame["element_plastic_strains"])
        errors.append(np.linalg.norm(frame["elastic_forces"] - expected, axis=1).max())
        sizes.append(np.linalg.norm(expected, axis=1).max())
    worst, scale = (float(extremes.finite(found, trace.label).max()) for found in (errors, sizes))
    if scale == 0:
        raise MissingData(f"{BAR.experiment}: no row with forces")
    return worst / scale


def plastic_part(trace: Trace) -> float:
    """Largest plastic force / largest elastic force of its pose, all rows."""
    found: list[float] = []
    for _, _, frame in trace.frames():
        without = corotational_forces(trace, frame["positions"], np.zeros_like(frame["element_plastic_strains"]))
        plastic = corotational_forces(trace, frame["positions"], frame["element_plastic_strains"]) - without
        scale = float(np.linalg.norm(without, axis=1).max())
        if scale > 0:
            found.append(float(np.linalg.norm(plastic, axis=1).max()) / scale)
    return float(extremes.finite(found, trace.label).max())


BY_EQUATION = rows("resisting", says="plastic forces with the sign of [MG04] eq. 16")

BAR.only("residual_error", residual_strain_error, BY_EQUATION)
listing_residual_strain = BAR.only(
    "listing_residual",
    quantity("residual strain of the bar at the end")(lambda c: bar_strain(c)[-1]),
    rows("listing", says="plastic forces with the sign of the listing in section 6"),
)
plastic_force_error = BAR.only("plastic_force_error", force_error, BY_EQUATION)
BAR.only("plastic_part", plastic_part, BY_EQUATION)

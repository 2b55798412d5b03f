# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of li_et_al_2020/thin_barriers and resting_gaps: effects of the barrier's width and the time
step."""

import numpy as np
from scipy.optimize import brentq

from deformbench_analysis.mesh_frames import boundary_triangles
from deformbench_analysis.vocabulary import (
    Array,
    ExperimentData,
    Measures,
    MissingData,
    Trace,
    parameter,
    quantity,
    rows,
)

THIN = Measures("li_et_al_2020/thin_barriers")
REST = Measures("li_et_al_2020/resting_gaps")
width = parameter("method.parameters.contact_distance_m", float, "d̂.")
time_step = parameter("time_step_s", float, "Δt.")
EDGE, SPEED = 0.05, 0.2  # m, m/s, of thin_barriers: an edge of its cells, speed towards the wall
STILL = 1e-6  # of that speed: threshold of a push per step


# d̂ → 0 -----------------------------------------------------------------------------------------------------------
def _speed(trace: Trace) -> Array:
    """Speed of the centre of mass away from the wall, m/s."""
    return trace.values("step", "centre_of_mass_velocity")[:, 1]


def rebound(trace: Trace) -> float:
    """Speed of rebound, m/s."""
    return float(_speed(trace)[-1])


def contact_time(trace: Trace) -> float:
    """Time from the first to the last push of the wall, s."""
    pushes = np.flatnonzero(np.abs(np.diff(_speed(trace))) > STILL * abs(_speed(trace)[0]))
    if len(pushes) == 0:
        raise MissingData(f"{trace.path.name}: ends before the wall is reached, as at tier smoke")
    return float((pushes[-1] - pushes[0] + 1) * time_step(trace))


@quantity(unit="m")
def path_error(trace: Trace, thinnest: Trace) -> float:
    """Largest distance of the centre of mass from its path with the thinnest barrier."""
    one, other = (t.values("step", "centre_of_mass")[:, 1] for t in (trace, thinnest))
    return float(np.abs(one - other).max())


def rebound_error(trace: Trace, thinnest: Trace) -> float:
    """Relative error of the speed of rebound against the thinnest barrier's."""
    return abs(rebound(trace) / rebound(thinnest) - 1)


def time_error(trace: Trace, thinnest: Trace) -> float:
    """Relative error of the time of contact against the thinnest barrier's."""
    return abs(contact_time(trace) / contact_time(thinnest) - 1)


def time_spread(trace: Trace, thinnest: Trace) -> float:
    """Two time steps relative to the time of contact."""
    return 2 * time_step(trace) / contact_time(thinnest)


def standoff(trace: Trace) -> float:
    """Least distance of a vertex from the wall in d̂."""
    return float(trace.values("step", "positions")[..., 1].min() / width(trace))


def is_resolved(trace: Trace) -> bool:
    """At least four steps to cross d̂."""
    return width(trace) >= 4 * SPEED * time_step(trace)


def is_thousandth(trace: Trace) -> bool:
    """d̂ at most h/1000."""
    return width(trace) <= 1e-3 * EDGE * (1 + 1e-9)


def iterations(trace: Trace) -> float:
    """Mean Newton iterations per step."""
    return float(np.nanmean(trace.values("step", "solves")[1:]))


BARRIER = rows("barrier", says="all seeds")
PAIRS = BARRIER.beside(rows("thinnest"), "seed", says="")
THIN.largest("path_error", path_error, PAIRS)
THIN.largest("rebound_error", rebound_error, PAIRS.where(is_thousandth))
THIN.largest("time_error", time_error, PAIRS.where(is_thousandth))
THIN.largest("time_spread", time_spread, PAIRS.where(is_thousandth))
THIN.largest("standoff", standoff, BARRIER)
THIN.least("least_standoff", standoff, BARRIER)
THIN.largest("iterations", iterations, rows("barrier", "thinnest", says="all d̂"))


@THIN("rebound_spread")
def rebound_spread(data: ExperimentData) -> float:
    """Change of the rebound error if Δt is halved: maximum over meshes, d̂ = h/1000."""
    halves = rows("half_step").beside(rows("thinnest_half_step"), "seed", says="")
    coarse, fine = (
        {pair[0].number("seed"): rebound_error(*pair) for pair, _ in of.units(data)}
        for of in (PAIRS.where(is_thousandth), halves)
    )
    return max(abs(coarse[seed] - fine[seed]) for seed in coarse)


@THIN("path_order")
def path_order(data: ExperimentData) -> float:
    """Slope of ln path error against ln d̂, least squares: minimum over meshes, resolved barriers."""
    found: dict[float, list[list[float]]] = {}
    for (trace, thinnest), _ in PAIRS.where(is_resolved).units(data):
        found.setdefault(trace.number("seed"), []).append([width(trace), path_error(trace, thinnest)])
    if not all(error > 0 for pairs in found.values() for _, error in pairs):
        raise MissingData("a path that is that of the thinnest barrier has no order")
    logs = [np.log(np.array(pairs)) for pairs in found.values()]
    return min(float(np.polyfit(both[:, 0], both[:, 1], 1)[0]) for both in logs)


# Rest and the time step -------------------------------------------------------------------------------------------
def gap(trace: Trace) -> float:
    """Distance of the lower face from the plane at rest in d̂."""
    rest = trace.scene("rest_positions")[:, 1]
    lower = rest < rest.min() + 1e-9
    return float(trace.values("frame", "positions")[-1][lower, 1].mean() / width(trace))


def expected_gap(trace: Trace) -> float:
    """Root y of κ |b′(y)| A = mg, b = −(y − 1)² ln y, A the lower vertices' lumped surface area."""
    rest = trace.scene("rest_positions")
    corners = rest[(faces := boundary_triangles(trace.scene("tetrahedra")))]
    thirds = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 6
    area = float((thirds[:, None] * (rest[faces][..., 1] < rest[:, 1].min() + 1e-9)).sum())
    weight = float(trace.scene("masses").sum()) * abs(trace.value("scene.parameters.gravity_m_s2")[1])
    share = weight / (trace.setting("contact_stiffness_pa") * area)
    return float(brentq(lambda y: (1 - y) * ((1 - y) / y - 2 * np.log(y)) - share, 1e-12, 1 - 1e-12))


def gap_error(trace: Trace) -> float:
    """Relative error of the gap at rest against the root of κ |b′(y)| A = mg."""
    return abs(gap(trace) / expected_gap(trace) - 1)


@quantity(unit="m/s")
def speed_left(trace: Trace) -> float:
    """Largest speed of a vertex at the end."""
    return float(trace.values("step", "max_speed")[-1])


def spread(*runs: Trace) -> float:
    """Largest gap at rest/smallest gap at rest − 1."""
    gaps = [gap(t) for t in runs]
    return max(gaps) / min(gaps) - 1


SQUARED, PLAIN = rows("squared_step", says="all time steps"), rows("plain", says="all time steps, without Δt²")
REST.largest("gap_error", gap_error, SQUARED)
REST.only("spread", spread, SQUARED.by_row())
REST.only("plain_spread", spread, PLAIN.by_row())
REST.largest("speed_left", speed_left, rows("squared_step", "plain", says="all runs"))

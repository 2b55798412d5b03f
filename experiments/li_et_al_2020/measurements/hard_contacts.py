# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of li_et_al_2020/hard_contacts and step_paths: bodies that meet, pass through each other, turn inside
out, or whose steps find no minimum."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.mesh import deformation_gradients
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Rows, Trace, parameter, quantity, rows
from experiments.li_et_al_2020.measurements.geometry import Surface, least_determinant

M = Measures("li_et_al_2020/hard_contacts")
PATHS = Measures("li_et_al_2020/step_paths")
LENGTH, SPEED = 0.3, 4.0  # m, m/s: of a bar; approach speed of thrown ones
THROWN, TWISTED, TURN_S = {"head_on": 0, "crossed": 1}, "twisted", 0.5  # with the axis of approach
WEDGE = np.array([[0.6, 0.8, 0.0], [-0.6, 0.8, 0.0]])  # normals of its planes, through the origin
FACE, CLOSING = 0.045, 0.5  # m, m/s: distance of both boxes' faces from the middle, speed towards it
problem = parameter("scene.name", str, "Problem.")


@lru_cache(maxsize=256)
def _shape(trace: Trace) -> tuple[Surface, Array, Array, Array]:
    """Surface, rest positions, tetrahedra, and positions of all steps."""
    rest, tetrahedra = trace.scene("rest_positions"), trace.scene("tetrahedra")
    return Surface.of(tetrahedra, len(rest)), rest, tetrahedra, trace.values("frame", "positions")


def theta(trace: Trace) -> float:
    """Δt²E/(ρL²), L the length of a bar."""
    wave = trace.number("young_modulus_pa") / trace.number("density_kg_m3")
    return wave * (trace.number("time_step_s") / LENGTH) ** 2


def is_twisted(trace: Trace) -> bool:
    """Bars turned about each other."""
    return problem(trace) == TWISTED


def is_moderate(trace: Trace) -> bool:
    """Δt²E/(ρL²) at most 100, approach per step at most a bar's length, no vertex driven."""
    approach = SPEED * trace.number("time_step_s") if problem(trace) in THROWN else 0.0
    return theta(trace) <= 100 and approach <= LENGTH and not is_twisted(trace)


def has_obstacles(trace: Trace) -> bool:
    """A wedge of planes, or boxes."""
    return problem(trace) in ("pile", "squeezed")


def rebounds(trace: Trace) -> bool:
    """Thrown bars, Δt at most 0.01 s."""
    return problem(trace) in THROWN and trace.number("time_step_s") <= 0.01


def is_stiff(trace: Trace) -> bool:
    """Impacts at v/c at most 0.02.

    Such bars rebound as a whole."""
    return trace.number("young_modulus_pa") >= 1e7


def intersections(trace: Trace) -> float:
    """Intersecting edge–triangle pairs of the surface after all steps; 1 if positions are not finite."""
    surface, _, _, steps = _shape(trace)
    return float(sum(surface.intersections(x) if np.isfinite(x).all() else 1 for x in steps))


def contained(trace: Trace) -> float:
    """Tetrahedra with their centroid in another body at the end of a step, all steps."""
    surface, _, _, steps = _shape(trace)
    return float(sum(surface.contained(x) for x in steps if np.isfinite(x).all()))


@quantity(unit="m")
def depth(trace: Trace) -> float:
    """Largest depth behind a plane or in a box, negative outside."""
    steps, time = _shape(trace)[3], trace.series("frame", "positions").time
    if problem(trace) == "pile":
        return float(-min((steps @ normal).min() for normal in WEDGE))
    if problem(trace) == "squeezed":
        return float((np.abs(steps[..., 1]) - (FACE - CLOSING * time)[:, None]).max())
    return -np.inf


def swapped(trace: Trace) -> float:
    """Steps after which bars have changed sides.

    By their centres, along the axis of approach."""
    surface, _, _, steps = _shape(trace)
    along = THROWN[problem(trace)]
    one, other = (steps[:, surface.bodies == body, along].mean(axis=1) for body in np.unique(surface.bodies))
    return float(((other - one) * (other - one)[0] <= 0).sum())


def turns_lost(trace: Trace) -> float:
    """Turns that one bar has lost about the other.

    Against the prescribed turn of the ends; summed over layers of vertices along the bars; passing through loses
    a turn.
    """
    surface, rest, _, steps = _shape(trace)
    layer = np.rint(4 * rest[:, 0] / LENGTH)
    centres = [
        np.stack([steps[:, (surface.bodies == body) & (layer == k)].mean(axis=1) for k in range(5)], axis=1)
        for body in np.unique(surface.bodies)
    ]
    across = (centres[1] - centres[0])[..., 1:]
    angle = np.arctan2(across[..., 1], across[..., 0])
    wound = ((np.diff(angle, axis=1) + np.pi) % (2 * np.pi) - np.pi).sum(axis=1) / (2 * np.pi)
    asked = 0.5 * np.minimum(trace.series("frame", "positions").time / TURN_S, 1.0)
    return float(np.abs(wound - asked).max())


def least_det(trace: Trace) -> float:
    """Least det F of an element at the end of a step; ≤ 0 if not finite."""
    _, rest, tetrahedra, steps = _shape(trace)
    places = np.array([x for x in steps if np.isfinite(x).all()])
    least = float(np.linalg.det(deformation_gradients(rest, tetrahedra, places)).min())
    return least if len(places) == len(steps) else min(least, 0.0)


def unsolved(trace: Trace) -> float:
    """Steps without a minimum.

    Not converged, or not made."""
    converged = trace.values("step", "solver_converged")[1:]
    return float((converged != 1).sum() + int(trace.value("schedule.steps")) - len(converged))


def steps_made(trace: Trace) -> float:
    """Steps."""
    return float(len(trace.values("step", "solver_converged")) - 1)


def solved_steps(trace: Trace) -> float:
    """Steps that ended at a minimum."""
    return steps_made(trace) - float((trace.values("step", "solver_converged")[1:] != 1).sum())


def is_broken(trace: Trace) -> float:
    """1 where bodies meet each other or an obstacle, or thrown ones change sides, else 0."""
    return float(intersections(trace) > 0 or depth(trace) > 0 or (problem(trace) in THROWN and swapped(trace) > 0))


ENDS = "a step without a minimum may end a run; it is counted"
BARRIER = rows("barrier", says="all bodies and steps").however_ended(ENDS)
MODERATE = BARRIER.where(is_moderate)
M.total("intersections", intersections, BARRIER)
M.total("contained", contained, BARRIER)
M.largest("depth", depth, BARRIER.where(has_obstacles))
M.total("swapped", swapped, BARRIER.where(rebounds, is_stiff))
M.largest("turns_lost", turns_lost, BARRIER.where(is_twisted))
M.least("least_det", least_det, BARRIER)
M.total("steps", steps_made, BARRIER)
M.total("solved_steps", solved_steps, BARRIER)
M.total("moderate_steps", steps_made, MODERATE)
M.least("finite_law_det", least_det, rows("finite_law", says="laws that are finite at inversion").however_ended(ENDS))
PENALTY = rows("penalty", says="a penalty, without contact of bodies").however_ended(ENDS)
M.least("penalty_broken", is_broken, PENALTY)
M.least("penalty_swapped", swapped, PENALTY.where(rebounds))


def _share(runs: Rows, name: str, says: str) -> None:
    """A share of steps, and its bound if none fails: the rule of three."""

    def share(data: ExperimentData) -> float:
        found = runs.runs(data)
        return sum(map(unsolved, found)) / sum(float(t.value("schedule.steps")) for t in found)

    def spread(data: ExperimentData) -> float:
        return 3 / sum(float(t.value("schedule.steps")) for t in runs.runs(data))

    share.__doc__ = f"Share of steps with the barrier that found no minimum, {says}."
    spread.__doc__ = f"3/(steps with the barrier), {says}: 95 per cent bound on the rate if none fails."
    M(name)(share)
    M(f"{name}_spread")(spread)


_share(BARRIER, "unsolved_share", "all")
_share(MODERATE, "moderate_share", "of moderate problems")

# The way of a solve -----------------------------------------------------------------------------------------------
ITERATION = "method.parameters.newton_max_iterations"
WAYS = rows("barrier", says="solves").grouped(problem, says="")


def _places(runs: tuple[Trace, ...]) -> list[Array]:
    """Positions at the start of the step and after every iteration."""
    ordered = sorted(runs, key=lambda t: int(t.value(ITERATION)))
    if [int(t.value(ITERATION)) for t in ordered] != list(range(1, len(ordered) + 1)):
        raise ordered[0].missing("an iteration on the way is missing")
    first, *_ = ordered
    return [first.values("frame", "positions")[0], *(t.values("frame", "positions")[-1] for t in ordered)]


def meetings(*runs: Trace) -> float:
    """Pairs of primitives that cannot be shown to stay apart between two iterations."""
    surface, places = _shape(runs[0])[0], _places(runs)
    return float(sum(surface.meetings(a, b) for a, b in zip(places[:-1], places[1:]) if (a != b).any()))


def way_det(*runs: Trace) -> float:
    """Least det F on straight paths between iterations."""
    _, rest, tetrahedra, _ = _shape(runs[0])
    gradients = [deformation_gradients(rest, tetrahedra, x) for x in _places(runs)]
    return min(least_determinant(a, b) for a, b in zip(gradients[:-1], gradients[1:]))


def iterations(*runs: Trace) -> float:
    """Iterations that moved the bodies."""
    places = _places(runs)
    return float(sum((a != b).any() for a, b in zip(places[:-1], places[1:])))


def is_whole(*runs: Trace) -> float:
    """1 if the longest run has converged, else 0."""
    return float(max(runs, key=lambda t: int(t.value(ITERATION))).values("step", "solver_converged")[-1] == 1)


def free_meetings(*runs: Trace) -> float:
    """Pairs of primitives that meet on the step's contact-free path x0 + Δt v0."""
    surface, _, _, steps = _shape(runs[0])
    way = runs[0].number("time_step_s") * runs[0].values("frame", "velocities")[0]
    return float(surface.meetings(steps[0], steps[0] + way))


PATHS.total("meetings", meetings, WAYS)
PATHS.least("least_det", way_det, WAYS)
PATHS.least("iterations", iterations, WAYS)
PATHS.least("whole", is_whole, WAYS)
PATHS.least("free_meetings", free_meetings, WAYS)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/limited_springs: separate springs of which each is visited once.

Where a spring would go without limits is known: its forces at the start are, and so is the step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .springs import number, parameter, springs_of

EXPERIMENT = "cs533d_cloth_lecture/limited_springs"
FORMS = ("positions", "velocities")


@dataclass(frozen=True, eq=False)
class Step:
    """The only step of a run; arrays of springs, [spring, end, 3] of their ends."""

    masses: Array  # [spring, end], infinite of a held end
    rest: Array
    start: Array
    free_velocities: Array  # that forces alone give
    free_end: Array  # where they lead to
    end: Array
    velocities: Array

    def lengths(self, at: Array) -> Array:
        """m."""
        return np.asarray(np.linalg.norm(at[:, 1] - at[:, 0], axis=1))


@lru_cache(maxsize=16)
def step_of(trace: Trace) -> Step:
    """With the forces of the springs at the start."""
    springs, dt = springs_of(trace), number(trace, "time_step_s")
    x, v = (extremes.finite(trace.values("step", n), trace.label)[:, springs.ends] for n in ("positions", "velocities"))
    masses = trace.scene("masses")[springs.ends]
    masses[np.isin(springs.ends, trace.scene("prescribed_vertices"))] = np.inf
    along = x[0, :, 1] - x[0, :, 0]
    length = np.linalg.norm(along, axis=1)
    pull = (springs.stiffnesses * (1 - springs.lengths / length))[:, None] * along
    free = v[0] + dt * np.stack([pull, -pull], axis=1) / masses[..., None]
    return Step(masses, springs.lengths, x[0], free, x[0] + dt * free, x[1], v[1])


def targets(trace: Trace, step: Step) -> Array:
    """The closest limit to the length that forces alone lead to; that length itself within the limits."""
    upper, lower = 1 + parameter(trace, "strain_limit"), 1 - parameter(trace, "shortening_limit")
    return np.asarray(np.clip(step.lengths(step.free_end), step.rest * lower, step.rest * upper))


def beyond(trace: Trace, step: Step) -> Array:
    """Which springs are beyond a limit by more than rounding."""
    return np.asarray(np.abs(targets(trace, step) / step.lengths(step.free_end) - 1) > 1e-12)


def limited(data: ExperimentData) -> dict[Trace, Step]:
    """Steps of both forms."""
    return {c: step_of(c) for name in FORMS for c in data.every(name=name)}


def is_free(step: Step) -> Array:
    """Springs without a held end."""
    return np.asarray(np.isfinite(step.masses).all(axis=1))


@measurement("limited_springs.strain_error", unit="1", experiment=EXPERIMENT)
def strain_error(data: ExperimentData) -> Measured:
    """Largest difference between the strain of a spring at the end of the step and the limit closest to where forces alone lead to,
    of springs beyond a limit there, both forms."""
    found = {}
    for cell, step in limited(data).items():
        errors = (step.lengths(step.end) - targets(cell, step)) / step.rest
        found[cell] = float(np.abs(errors[beyond(cell, step)]).max())
    return extremes.largest(found)


@measurement("limited_springs.rate_error", unit="1", experiment=EXPERIMENT)
def rate_error(data: ExperimentData) -> Measured:
    """Largest speed of one end towards the other at the end of the step, of springs beyond a limit, over the largest relative speed
    at the start of a spring, both forms."""
    found = {}
    for cell, step in limited(data).items():
        along = step.end[:, 1] - step.end[:, 0]
        apart = step.velocities[:, 1] - step.velocities[:, 0]
        rates = (apart * along).sum(axis=1) / np.linalg.norm(along, axis=1)
        before = np.linalg.norm(step.free_velocities[:, 1] - step.free_velocities[:, 0], axis=1).max()
        found[cell] = float(np.abs(rates[beyond(cell, step)]).max() / before)
    return extremes.largest(found)


def momentum_change(step: Step) -> float:
    """Largest |ΔΣmv| of a spring without a held end over Σm|v|."""
    free = is_free(step)
    masses = step.masses[free][..., None]
    change = (masses * (step.velocities - step.free_velocities)[free]).sum(axis=1)
    scale = (masses[..., 0] * np.linalg.norm(step.free_velocities[free], axis=2)).sum(axis=1)
    return float((np.linalg.norm(change, axis=1) / scale).max())


def turning(step: Step, x: Array, v: Array) -> Array:
    """Angular momentum about its centre of every spring without a held end."""
    free = is_free(step)
    masses = step.masses[free][..., None]
    centre = (masses * x[free]).sum(axis=1, keepdims=True) / masses.sum(axis=1, keepdims=True)
    return np.asarray((masses * np.cross(x[free] - centre, v[free])).sum(axis=1))


def turning_change(step: Step, before: Array) -> float:
    """Largest change of angular momentum from places `before` with velocities by forces alone to the end, over Σ m |v| times length."""
    free = is_free(step)
    change = turning(step, step.end, step.velocities) - turning(step, before, step.free_velocities)
    scale = (step.masses[free] * np.linalg.norm(step.free_velocities[free], axis=2)).sum(axis=1)
    return float((np.linalg.norm(change, axis=1) / (scale * step.lengths(step.start)[free])).max())


@measurement("limited_springs.momentum_change", unit="1", experiment=EXPERIMENT)
def largest_momentum_change(data: ExperimentData) -> Measured:
    """Largest change that the limit makes to the momentum of a spring with free ends, over Σm|v|, both forms."""
    return extremes.largest({c: momentum_change(s) for c, s in limited(data).items()})


@measurement("limited_springs.turning_change", unit="1", experiment=EXPERIMENT)
def largest_turning_change(data: ExperimentData) -> Measured:
    """Largest change that the limit's change of velocities makes to the angular momentum of a spring with free ends, about its centre
    and at its places at the end of the step, over Σm|v| times its length, both forms."""
    return extremes.largest({c: turning_change(s, s.end) for c, s in limited(data).items()})


@measurement("limited_springs.turning_change_by_the_move", unit="1", experiment=EXPERIMENT)
def turning_change_by_the_move(data: ExperimentData) -> Measured:
    """Largest change that a limit makes to the angular momentum of a spring with free ends, with the places that forces alone lead to before:
    what bringing the ends closer does to a spring that turns, too; over Σm|v| times its length."""
    return extremes.largest({c: turning_change(s, s.free_end) for c, s in limited(data).items()})


@measurement("limited_springs.centre_moves", unit="1", experiment=EXPERIMENT)
def centre_moves(data: ExperimentData) -> Measured:
    """Largest distance that the limit moves the centre of mass of a spring with free ends, over its length, both forms."""
    found = {}
    for cell, step in limited(data).items():
        free = is_free(step)
        masses = step.masses[free][..., None]
        moved = (masses * (step.end - step.free_end)[free]).sum(axis=1) / masses.sum(axis=1)
        found[cell] = float((np.linalg.norm(moved, axis=1) / step.lengths(step.start)[free]).max())
    return extremes.largest(found)


@measurement("limited_springs.held_end_moves", unit="m", experiment=EXPERIMENT)
def held_end_moves(data: ExperimentData) -> Measured:
    """Largest way of a held end, both forms."""
    return extremes.largest(
        {c: float(np.abs((s.end - s.start)[~np.isfinite(s.masses)]).max()) for c, s in limited(data).items()}
    )


@measurement("limited_springs.energy_gain", unit="1", experiment=EXPERIMENT)
def energy_gain(data: ExperimentData) -> Measured:
    """Largest gain of kinetic energy of a spring by the limit, over its kinetic energy, where the limit moves positions: what the
    strain rate alone does."""
    found = {}
    for cell in data.every(name="positions"):
        step = step_of(cell)
        masses = np.where(np.isfinite(step.masses), step.masses, 0.0)[..., None]
        before, after = ((masses * v**2).sum(axis=(1, 2)) for v in (step.free_velocities, step.velocities))
        found[cell] = float((after / before - 1).max())
    return extremes.largest(found)


@measurement("limited_springs.moves_within_limits", unit="m", experiment=EXPERIMENT)
def moves_within_limits(data: ExperimentData) -> Measured:
    """Largest distance between an end of a spring within its limits and the same end in a run without limits, both forms."""
    found = {}
    for cell, step in limited(data).items():
        other = step_of(
            data.one(name="unlimited", where={"scene.parameters.seed": cell.value("scene.parameters.seed")})
        )
        inside = ~beyond(cell, step)
        found[cell] = float(np.abs(step.end[inside] - other.end[inside]).max())
    return extremes.largest(found)


@measurement("limited_springs.springs_beyond", unit="1", experiment=EXPERIMENT)
def springs_beyond(data: ExperimentData) -> Measured:
    """Springs of a run with free ends beyond a limit, the lesser of the numbers of too long and too short ones."""

    def fewer(cell: Trace, step: Step) -> float:
        out, short = beyond(cell, step) & is_free(step), targets(cell, step) > step.lengths(step.free_end)
        return float(min((out & short).sum(), (out & ~short).sum()))

    return extremes.least({c: fewer(c, s) for c, s in limited(data).items()})


@measurement("limited_springs.held_beyond", unit="1", experiment=EXPERIMENT)
def held_beyond(data: ExperimentData) -> Measured:
    """Springs of a run with a held end and beyond a limit, at least."""
    return extremes.least({c: float((beyond(c, s) & ~is_free(s)).sum()) for c, s in limited(data).items()})

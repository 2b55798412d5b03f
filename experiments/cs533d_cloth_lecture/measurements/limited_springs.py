# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/limited_springs: separate springs, each visited once.

A spring's motion without limits follows from its forces at the start and the time step."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, extremes, quantity, rows
from .springs import springs_of

M = Measures("cs533d_cloth_lecture/limited_springs")


@dataclass(frozen=True, eq=False)
class Step:
    """The only step of a run; arrays per spring, [spring, end, 3] for ends."""

    masses: Array  # [spring, end], infinite if held
    rest: Array
    start: Array
    free_velocities: Array  # by forces alone
    free_end: Array  # positions by forces alone
    end: Array
    velocities: Array

    def lengths(self, at: Array) -> Array:
        """m."""
        return np.asarray(np.linalg.norm(at[:, 1] - at[:, 0], axis=1))


@lru_cache(maxsize=16)
def step_of(trace: Trace) -> Step:
    """The step, with spring forces at the start."""
    springs, dt = springs_of(trace), trace.number("time_step_s")
    x, v = (extremes.finite(trace.values("step", n), trace.label)[:, springs.ends] for n in ("positions", "velocities"))
    masses = trace.scene("masses")[springs.ends]
    masses[np.isin(springs.ends, trace.scene("prescribed_vertices"))] = np.inf
    along = x[0, :, 1] - x[0, :, 0]
    length = np.linalg.norm(along, axis=1)
    pull = (springs.stiffnesses * (1 - springs.lengths / length))[:, None] * along
    free = v[0] + dt * np.stack([pull, -pull], axis=1) / masses[..., None]
    return Step(masses, springs.lengths, x[0], free, x[0] + dt * free, x[1], v[1])


def targets(trace: Trace, step: Step) -> Array:
    """Length by forces alone, clamped to the limits."""
    upper, lower = 1 + trace.setting("strain_limit"), 1 - trace.setting("shortening_limit")
    return np.asarray(np.clip(step.lengths(step.free_end), step.rest * lower, step.rest * upper))


def beyond(trace: Trace, step: Step) -> Array:
    """Which springs are beyond a limit by more than rounding."""
    return np.asarray(np.abs(targets(trace, step) / step.lengths(step.free_end) - 1) > 1e-12)


def is_free(step: Step) -> Array:
    """Springs without a held end."""
    return np.asarray(np.isfinite(step.masses).all(axis=1))


def momentum_change(step: Step) -> float:
    """Largest |ΔΣmv| / Σm|v| of a spring without a held end."""
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
    """Largest change of angular momentum from positions `before` and velocities by forces alone to the end
    / (Σ m |v| × length)."""
    free = is_free(step)
    change = turning(step, step.end, step.velocities) - turning(step, before, step.free_velocities)
    scale = (step.masses[free] * np.linalg.norm(step.free_velocities[free], axis=2)).sum(axis=1)
    return float((np.linalg.norm(change, axis=1) / (scale * step.lengths(step.start)[free])).max())


@quantity("|final strain − closest limit| of a spring that forces alone take beyond a limit")
def _strain_error(trace: Trace) -> Array:
    step = step_of(trace)
    return np.asarray(np.abs(((step.lengths(step.end) - targets(trace, step)) / step.rest)[beyond(trace, step)]))


@quantity("final |rate of length| beyond a limit / largest relative speed of two ends by forces alone")
def _rate_error(trace: Trace) -> float:
    step = step_of(trace)
    along = step.end[:, 1] - step.end[:, 0]
    apart = step.velocities[:, 1] - step.velocities[:, 0]
    rates = (apart * along).sum(axis=1) / np.linalg.norm(along, axis=1)
    before = np.linalg.norm(step.free_velocities[:, 1] - step.free_velocities[:, 0], axis=1).max()
    return float(np.abs(rates[beyond(trace, step)]).max() / before)


@quantity("change of a free spring's angular momentum at final positions / (Σm|v| × length)")
def _turning_change(trace: Trace) -> float:
    return turning_change(step_of(trace), step_of(trace).end)


@quantity("change of a free spring's angular momentum from positions by forces alone / (Σm|v| × length)")
def _turning_change_by_the_move(trace: Trace) -> float:
    return turning_change(step_of(trace), step_of(trace).free_end)


@quantity("displacement of a free spring's centre of mass by the limit / its length")
def _centre_moves(trace: Trace) -> Array:
    step = step_of(trace)
    free = is_free(step)
    masses = step.masses[free][..., None]
    moved = (masses * (step.end - step.free_end)[free]).sum(axis=1) / masses.sum(axis=1)
    return np.asarray(np.linalg.norm(moved, axis=1) / step.lengths(step.start)[free])


@quantity("held-end motion", unit="m")
def _held_end_moves(trace: Trace) -> Array:
    step = step_of(trace)
    return np.asarray(np.abs((step.end - step.start)[~np.isfinite(step.masses)]))


@quantity("relative gain of a spring's kinetic energy by the limit")
def _energy_gain(trace: Trace) -> Array:
    step = step_of(trace)
    masses = np.where(np.isfinite(step.masses), step.masses, 0.0)[..., None]
    before, after = ((masses * v**2).sum(axis=(1, 2)) for v in (step.free_velocities, step.velocities))
    return np.asarray(after / before - 1)


@quantity("coordinate difference of a spring within its limits from one without limits", unit="m")
def _moves_within_limits(trace: Trace, unlimited: Trace) -> Array:
    step = step_of(trace)
    inside = ~beyond(trace, step)
    return np.asarray(np.abs(step.end[inside] - step_of(unlimited).end[inside]))


@quantity("free springs beyond the upper or the lower limit, whichever are fewer")
def _springs_beyond(trace: Trace) -> float:
    step = step_of(trace)
    out, short = beyond(trace, step) & is_free(step), targets(trace, step) > step.lengths(step.free_end)
    return float(min((out & short).sum(), (out & ~short).sum()))


@quantity("springs with a held end and beyond a limit")
def _held_beyond(trace: Trace) -> float:
    return float((beyond(trace, step_of(trace)) & ~is_free(step_of(trace))).sum())


BOTH_FORMS = rows("positions", "velocities", says="both forms")

M.largest("strain_error", _strain_error, BOTH_FORMS)
M.largest("rate_error", _rate_error, BOTH_FORMS)
M.largest(
    "momentum_change",
    quantity("change of a free spring's momentum by the limit / Σm|v|")(lambda c: momentum_change(step_of(c))),
    BOTH_FORMS,
)
M.largest("turning_change", _turning_change, BOTH_FORMS)
M.largest("turning_change_by_the_move", _turning_change_by_the_move, BOTH_FORMS)
M.largest("centre_moves", _centre_moves, BOTH_FORMS)
M.largest("held_end_moves", _held_end_moves, BOTH_FORMS)
M.largest("energy_gain", _energy_gain, rows("positions", says="limits on positions alone"))
M.largest("moves_within_limits", _moves_within_limits, BOTH_FORMS.beside(rows("unlimited"), "seed", says=""))
M.least("springs_beyond", _springs_beyond, BOTH_FORMS)
M.least("held_beyond", _held_beyond, BOTH_FORMS)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/two_way_reaction and balloon_volume: reactions on bodies,
and the unit of a volume."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, Quantity, Trace
from deformbench_analysis.vocabulary import extremes, quantity, rows
from .shot_particles import is_paired

REACTION = Measures("mueller_et_al_2007/two_way_reaction")
BALLOON = Measures("mueller_et_al_2007/balloon_volume")

ROWS = {  # body and vertex together, or the vertex alone and what the body gets
    "corrected": "joint projections",
    "impulse": "reactions −mΔp/Δt",
    "printed": "reactions +mΔp/Δt as printed",
}


def momentum_scale(trace: Trace) -> float:
    """Upper bound on the sum of the particles' initial |m v|, kg m/s."""
    return float(np.sqrt(2 * float(trace.values("step", "kinetic_energy")[0]) * float(trace.scene("masses").sum())))


def farthest(values: Array) -> float:
    """Largest distance from the first row."""
    return float(np.linalg.norm(values - values[0], axis=1).max())


def linear(trace: Trace) -> float:
    """Largest change of the total momentum / sum of the particles' initial |m v|."""
    return farthest(trace.values("step", "linear_momentum")) / momentum_scale(trace)


def angular(trace: Trace) -> float:
    """Largest change of the total angular momentum
    / (sum of the particles' initial |m v| × radius)."""
    return farthest(trace.values("step", "angular_momentum")) / momentum_scale(trace) / trace.number("radius_m")


def way(trace: Trace) -> float:
    """v Δt / body size, which bounds the change of a vertex's lever arm while an impulse acts."""
    return trace.number("speed_m_s") * trace.number("time_step_s") / trace.number("radius_m")


def impulses(trace: Trace) -> Array:
    """Change of momentum of every particle in every step, kg m/s."""
    v = trace.values("frame", "velocities")
    return np.asarray(trace.scene("masses")[None, :, None] * (v[1:] - v[:-1]))


def moment_error(trace: Trace) -> float:
    """Largest |change of the body's angular momentum − moment of the momentum that the particles lose, at their final
    positions| of a step / largest such moment: 0 where both act at one point, 1 for a body that gets no
    moment."""
    x, v = trace.values("frame", "positions"), trace.values("frame", "velocities")
    given = -np.cross(x[1:], impulses(trace)).sum(axis=1)
    particles = (trace.scene("masses")[None, :, None] * np.cross(x, v)).sum(axis=1)
    taken = np.diff(trace.values("step", "angular_momentum") - particles, axis=0)
    largest = np.linalg.norm(given, axis=1).max()
    return float(np.linalg.norm(taken - given, axis=1).max() / largest) if largest > 0 else float("inf")


def body_momentum(trace: Trace) -> float:
    """Largest body momentum / RMS initial particle momentum."""
    v, m = trace.values("frame", "velocities"), trace.scene("masses")
    body = trace.values("step", "linear_momentum") - (m[None, :, None] * v).sum(axis=1)
    return float(np.linalg.norm(body, axis=1).max() / np.sqrt((m**2 * (v[0] ** 2).sum(axis=1)).mean()))


def body_pushed(trace: Trace) -> float:
    """Share of the body's momentum changes that points from the hit particles towards its centre: Σ Δp·d / Σ |Δp|
    over all steps, d the mean direction of the particles weighted by the magnitude of their impulses; −1 where the
    body is drawn to them. Its momentum is that of its own velocity."""
    x, centre = trace.values("frame", "positions"), trace.values("frame", "rigid_positions")[:, 0]
    inward = centre[1:, None, :] - x[1:]
    inward /= np.linalg.norm(inward, axis=2, keepdims=True)
    d = (np.linalg.norm(impulses(trace), axis=2)[:, :, None] * inward).sum(axis=1)
    d /= np.maximum(np.linalg.norm(d, axis=1, keepdims=True), 1e-300)
    change = np.diff(trace.values("step", "rigid_velocities")[:, 0], axis=0)
    return float((change * d).sum() / np.linalg.norm(change, axis=1).sum())


def can_spin(trace: Trace) -> bool:
    """A sphere gets no moment about its centre from contacts without friction."""
    return bool(trace.value("scene.parameters.target") != "sphere")


def is_round(trace: Trace) -> bool:
    """Every face has its normal within 55 degrees of the direction from the centre; those of a thin box do not."""
    return bool(trace.value("scene.parameters.target") != "box")


def has_steps(cell: Trace) -> bool:
    """A run that diverged has changed the momenta too, until its end."""
    return cell.status in ("completed", "diverged")


def finite_or(unknown: float, phrase: str, of: Callable[[Trace], float]) -> Quantity:
    """`unknown` for a non-finite value, as in the last row of a run that diverged."""

    def known(trace: Trace) -> float:
        value = of(trace)
        return value if np.isfinite(value) else unknown

    return quantity(phrase)(known)


linear_change = finite_or(np.inf, "change of total momentum / initial Σ|m v| of the particles", linear)
angular_change = finite_or(
    np.inf, "change of total angular momentum / (particles' initial Σ|m v| × body size)", angular
)
angular_change_per_way = finite_or(
    np.inf,
    "change of total angular momentum / (particles' initial Σ|m v| × path per step)",
    lambda c: angular(c) / way(c),
)
body_moment_error = finite_or(
    np.inf, "|gain of the body's angular momentum − particles' loss| in a step / largest loss", moment_error
)
moved_body = finite_or(-np.inf, "largest body momentum / RMS initial particle momentum", body_momentum)
pushed_body = finite_or(
    -np.inf, "share of the body's changes of momentum that points away from the particles", body_pushed
)
contact_steps = quantity("steps with a contact")(lambda c: (c.values("step", "body_contacts") > 0).sum())

for row, described in ROWS.items():
    ENDED = rows(row, says=described).however_ended("a run that diverged has changed the momenta until then")
    RUNS = ENDED.having(has_steps, says="")
    REACTION.largest(f"{row}_linear_change", linear_change, RUNS)
    REACTION.largest(f"{row}_angular_change", angular_change, RUNS)
    REACTION.largest(f"{row}_angular_change_per_way", angular_change_per_way, RUNS)
    REACTION.largest(
        f"{row}_moment_error",
        body_moment_error,
        ENDED.where(can_spin, says="boxes and octahedra").having(has_steps, says=""),
    )
    REACTION.least(f"{row}_body_momentum", moved_body, RUNS)
    REACTION.least(
        f"{row}_body_pushed",
        pushed_body,
        ENDED.where(lambda c: not is_paired(c), is_round, says="single particles on round bodies").having(
            has_steps, says=""
        ),
    )
REACTION.least(
    "contacts",
    contact_steps,
    EVERY_RUN.however_ended("a run that diverged has contacts until then")
    .having(has_steps, says="")
    .noted(lambda c: ""),
)


def volume_ratio(trace: Trace) -> float:
    """Final volume / (rest volume × pressure factor)."""
    volume = trace.values("step", "closed_volume")
    return float(volume[-1] / volume[0] / trace.setting("pressure"))


def _farthest_from_1(data: ExperimentData, name: str) -> Measured:
    found = {c.label: volume_ratio(c) for c in rows(name).runs(data)}
    worst = extremes.at_largest({k: abs(float(np.log(v))) for k, v in found.items()})
    return Measured(found[worst], worst)


@BALLOON("same_sum_ratio")
def same_sum_ratio(data: ExperimentData) -> Measured:
    """V/(k_pressure V0) at the end, farthest from 1, both volumes in the constraint by the sum of [MHHR07]
    eq. 13."""
    return _farthest_from_1(data, "same_sum")


@BALLOON("true_volume_ratio")
def true_volume_ratio(data: ExperimentData) -> Measured:
    """V/(k_pressure V0) at the end, farthest from 1, if the constraint sets the sum of [MHHR07] eq. 13, six times V,
    to k_pressure V0.

    The balloon then shrinks to a sixth."""
    return _farthest_from_1(data, "true_volume")

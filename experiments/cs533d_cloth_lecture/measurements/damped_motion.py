# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/damped_motion: how fast the first mode of a free body decays,
and its angular momentum."""

from functools import lru_cache
from typing import Any

import numpy as np
import scipy.optimize
import scipy.sparse
import scipy.sparse.linalg

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows
from . import hinges
from .crumpled_sheet import momenta

M = Measures("cs533d_cloth_lecture/damped_motion")
CONTROL = Measures("cs533d_cloth_lecture/braked_motion")
RIGID = 6


def first_mode(trace: Trace) -> tuple[float, Array]:
    """ω (rad/s) of the lowest non-rigid mode, and its shape [n,3] with Σm|φ|² = 1,
    from the matrix −∂f/∂x at the start."""
    found = hinges.start(trace, "positions", "stiffness_places", "stiffness_entries")
    mass = np.repeat(trace.scene("masses"), 3)
    (rows, columns), entries = found["stiffness_places"].T, found["stiffness_entries"]
    root = scipy.sparse.diags(1 / np.sqrt(mass))
    scaled = root @ scipy.sparse.csc_matrix((entries, (rows, columns)), shape=(len(mass), len(mass))) @ root
    shift = -1e-6 * float(scaled.diagonal().max()) / len(mass)
    squares, shapes = scipy.sparse.linalg.eigsh((scaled + scaled.T) / 2, k=RIGID + 2, sigma=shift, which="LM")
    order = np.argsort(squares)
    lowest = squares[order[RIGID]]
    if abs(squares[order[RIGID - 1]]) > 1e-2 * lowest:
        raise MissingData(f"{trace.label}: no six rigid motions, squares of frequencies {np.sort(squares)}")
    return float(np.sqrt(lowest)), (shapes[:, order[RIGID]] / np.sqrt(mass)).reshape(-1, 3)


def amplitudes(trace: Trace) -> tuple[Array, Array, float]:
    """Times, the first mode's amplitude after removal of the rigid motion (mass-weighted least squares),
    and its ω."""
    omega, shape = first_mode(trace)
    mass, rest = trace.scene("masses")[:, None], trace.scene("rest_positions")
    series = trace.series("step", "positions")
    at_rest = rest - (mass * rest).sum(axis=0) / mass.sum()
    found = []
    for x in series.values:
        arms = x - (mass * x).sum(axis=0) / mass.sum()
        u, _, vt = np.linalg.svd((mass * at_rest).T @ arms)
        turn = u @ np.diag([1, 1, np.sign(np.linalg.det(u @ vt))]) @ vt  # arms ≈ at_rest · turn
        found.append(float((mass * shape * (arms @ turn.T - at_rest)).sum()))
    return series.time, np.array(found), omega


def _swing(t: Array, size: float, rate: float, omega: float, phase: float, shift: float) -> Array:
    return np.asarray(size * np.exp(-rate * t) * np.cos(omega * t + phase) + shift)


@lru_cache(maxsize=8)
def fitted(trace: Trace) -> dict[str, float]:
    """Damped oscillation fitted to the amplitudes: decay rate (1/s), ω (rad/s),
    largest residual / its amplitude."""
    time, q, omega = amplitudes(trace)
    guess: Any = (float(np.abs(q).max()), 0.0, omega, 0.0 if q[0] > 0 else np.pi, 0.0)
    best, _ = scipy.optimize.curve_fit(_swing, time, q, p0=guess, maxfev=20000, xtol=1e-14, ftol=1e-14)
    left = float(np.abs(q - _swing(time, *best)).max() / abs(best[0]))
    return {"rate": float(best[1]), "omega": float(abs(best[2])), "left": left, "mode": omega, "end": float(time[-1])}


def damping_ratio(trace: Trace) -> float:
    """ζ = decay rate / undamped ω."""
    found = fitted(trace)
    return found["rate"] / float(np.hypot(found["omega"], found["rate"]))


def derived_ratio(trace: Trace) -> float:
    """k_d ω/2 at the measured ω."""
    found = fitted(trace)
    both = [trace.setting(f"{n}_damping_s") for n in ("stretch", "bend")]
    if both[0] != both[1]:
        raise MissingData(f"{trace.label}: two damping coefficients")
    return both[0] * float(np.hypot(found["omega"], found["rate"])) / 2


@quantity("relative error of the first mode's damping ratio, fitted in the rotating body, against k_d ω/2")
def _ratio_error(trace: Trace) -> float:
    return abs(damping_ratio(trace) / derived_ratio(trace) - 1)


@quantity("relative difference between the fitted frequency and that of the stiffness matrix's first mode")
def _frequency_error(trace: Trace) -> float:
    return abs(fitted(trace)["omega"] / fitted(trace)["mode"] - 1)


@quantity("residual of the fitted oscillation relative to its amplitude")
def _left(trace: Trace) -> float:
    return fitted(trace)["left"]


@quantity("periods of a run")
def _swings(trace: Trace) -> float:
    return float(fitted(trace)["omega"] * fitted(trace)["end"] / (2 * np.pi))


@quantity("first mode's ω times the substep Δt")
def _step(trace: Trace) -> float:
    count = trace.values("step", "substeps")[-1]
    return fitted(trace)["mode"] * trace.number("time_step_s") / float(count)


@quantity("initial angular velocity / ω of the first mode")
def _spin(trace: Trace) -> float:
    return float(np.linalg.norm(trace.value("scene.parameters.angular_velocity_rad_s"))) / fitted(trace)["mode"]


@quantity("final |L − L₀| / initial Σm|x − x_c||v|")
def _change(trace: Trace) -> float:
    _, spins, _, size = momenta(trace)
    return float(np.sqrt(((spins[-1] - spins[0]) ** 2).sum())) / size


DAMPED = rows("damped", says="sheet and block, damped along the constraints")
TURNED, DAMPING = {"scene.parameters.turn_deg": 90.0}, "method.parameters.stiffness_damping_s"
LINEAR = rows("linear", says="a block of linear elements turned by 90° from the rest shape").where(TURNED, says="")
INVARIANT = rows("invariant", says="a block of rotation-invariant Green-strain elements turned by 90°")

ratio_error = M.largest("ratio_error", _ratio_error, DAMPED)
M.largest("frequency_error", _frequency_error, DAMPED)
M.largest("left", _left, DAMPED)
M.least("swings", _swings, DAMPED)
M.largest("step", _step, DAMPED)
M.largest("spin", _spin, DAMPED)
angular_momentum_change = M.largest("angular_momentum_change", _change, DAMPED)

braked = CONTROL.only("angular_momentum_change", _change, rows("braked", says="a force −γ m v on every vertex"))
CONTROL.only("by_linear_elements", _change, LINEAR.where({DAMPING: 1e7}, says="damped along linear constraints"))
CONTROL.only("by_linear_forces", _change, LINEAR.where({DAMPING: 0.0}, says="without damping"))
CONTROL.only("by_invariant_elements", _change, INVARIANT.where(TURNED, says=""))

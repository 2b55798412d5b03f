# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/damped_motion: how fast the first mode of a free body decays, and its angular momentum."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import scipy.optimize
import scipy.sparse
import scipy.sparse.linalg

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import hinges
from .crumpled_sheet import momenta

EXPERIMENT = "cs533d_cloth_lecture/damped_motion"
CONTROL = "cs533d_cloth_lecture/braked_motion"
RIGID = 6


def first_mode(trace: Trace) -> tuple[float, Array]:
    """ω (1/s) of the lowest mode that is no rigid motion, and its shape [n,3], of unit Σm|φ|², by the matrix −∂f/∂x at the start."""
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
    """Times, the first mode's amplitude after the rigid motion is taken out (least squares with the masses), and its ω."""
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
    """Decay rate (1/s), ω (1/s), and what is left of the swing, over its size, of a damped oscillation through the amplitudes."""
    time, q, omega = amplitudes(trace)
    guess: Any = (float(np.abs(q).max()), 0.0, omega, 0.0 if q[0] > 0 else np.pi, 0.0)
    best, _ = scipy.optimize.curve_fit(_swing, time, q, p0=guess, maxfev=20000, xtol=1e-14, ftol=1e-14)
    left = float(np.abs(q - _swing(time, *best)).max() / abs(best[0]))
    return {"rate": float(best[1]), "omega": float(abs(best[2])), "left": left, "mode": omega, "end": float(time[-1])}


def damping_ratio(trace: Trace) -> float:
    """ζ: the decay rate over the undamped ω."""
    found = fitted(trace)
    return found["rate"] / float(np.hypot(found["omega"], found["rate"]))


def derived_ratio(trace: Trace) -> float:
    """k_d ω/2 at the measured ω."""
    found = fitted(trace)
    both = [float(trace.value(f"method.parameters.{n}_damping_s")) for n in ("stretch", "bend")]
    if both[0] != both[1]:
        raise MissingData(f"{trace.label}: two damping coefficients")
    return both[0] * float(np.hypot(found["omega"], found["rate"])) / 2


@measurement("damped_motion.ratio_error", unit="1", experiment=EXPERIMENT)
def ratio_error(data: ExperimentData) -> Measured:
    """Largest relative error of the damping ratio of the first mode, fitted through its amplitude in the turning body, against k_d ω/2;
    sheet and block."""
    cells = data.every(name="damped")
    return extremes.largest({c: abs(damping_ratio(c) / derived_ratio(c) - 1) for c in cells})


@measurement("damped_motion.frequency_error", unit="1", experiment=EXPERIMENT)
def frequency_error(data: ExperimentData) -> Measured:
    """Largest relative difference of the fitted frequency from that of the first mode of the matrix: it is that mode which is seen."""
    cells = data.every(name="damped")
    return extremes.largest({c: abs(fitted(c)["omega"] / fitted(c)["mode"] - 1) for c in cells})


@measurement("damped_motion.left", unit="1", experiment=EXPERIMENT)
def left(data: ExperimentData) -> Measured:
    """Largest distance of an amplitude from the fitted oscillation over its size."""
    return extremes.largest({c: fitted(c)["left"] for c in data.every(name="damped")})


@measurement("damped_motion.swings", unit="1", experiment=EXPERIMENT)
def swings(data: ExperimentData) -> Measured:
    """Least number of periods of a run."""
    cells = data.every(name="damped")
    return extremes.least({c: fitted(c)["omega"] * fitted(c)["end"] / (2 * np.pi) for c in cells})


@measurement("damped_motion.step", unit="1", experiment=EXPERIMENT)
def step(data: ExperimentData) -> Measured:
    """Largest ω Δt of the first mode, Δt the substep."""

    def of(trace: Trace) -> float:
        count = trace.values("step", "substeps")[-1]
        return fitted(trace)["mode"] * float(trace.value("scene.parameters.time_step_s")) / float(count)

    return extremes.largest({c: of(c) for c in data.every(name="damped")})


@measurement("damped_motion.spin", unit="1", experiment=EXPERIMENT)
def spin(data: ExperimentData) -> Measured:
    """Largest angular velocity at the start over ω of the first mode."""
    found = {
        c: float(np.linalg.norm(c.value("scene.parameters.angular_velocity_rad_s"))) / fitted(c)["mode"]
        for c in data.every(name="damped")
    }
    return Measured(max(found.values()), f"least {min(found.values()):.3g}")


def _change(trace: Trace) -> float:
    _, spins, _, size = momenta(trace)
    return float(np.sqrt(((spins[-1] - spins[0]) ** 2).sum())) / size


@measurement("damped_motion.angular_momentum_change", unit="1", experiment=EXPERIMENT)
def angular_momentum_change(data: ExperimentData) -> Measured:
    """Largest |L − L₀| at the end over Σm|x − x_c||v| at the start; damped along the constraints."""
    return extremes.largest({c: _change(c) for c in data.every(name="damped")})


@measurement("braked_motion.angular_momentum_change", unit="1", experiment=CONTROL)
def braked(data: ExperimentData) -> float:
    """|L − L₀| at the end over Σm|x − x_c||v| at the start, with a force −γ m v on every vertex."""
    return _change(data.one(name="braked"))


def _turned(data: ExperimentData, name: str, degrees: float, damping: float | None = None) -> float:
    where = {"scene.parameters.turn_deg": degrees}
    if damping is not None:
        where["method.parameters.stiffness_damping_s"] = damping
    return _change(data.one(name=name, where=where))


@measurement("braked_motion.by_linear_elements", unit="1", experiment=CONTROL)
def by_linear_elements(data: ExperimentData) -> float:
    """|L − L₀| at the end over Σm|x − x_c||v| at the start of a block of linear elements, damped along their constraints, which are linear in the
    positions; turned by 90° from the rest shape."""
    return _turned(data, "linear", 90.0, 1e7)


@measurement("braked_motion.by_linear_forces", unit="1", experiment=CONTROL)
def by_linear_forces(data: ExperimentData) -> float:
    """|L − L₀| at the end over Σm|x − x_c||v| at the start of a block of linear elements turned by 90° from the rest shape, without
    damping: what their elastic forces do to the angular momentum."""
    return _turned(data, "linear", 90.0, 0.0)


@measurement("braked_motion.by_invariant_elements", unit="1", experiment=CONTROL)
def by_invariant_elements(data: ExperimentData) -> float:
    """|L − L₀| at the end over Σm|x − x_c||v| at the start of a block of elements of Green's strain turned by 90° from the rest
    shape, with the material and damping of the linear ones: no turn changes their constraints."""
    return _turned(data, "invariant", 90.0)

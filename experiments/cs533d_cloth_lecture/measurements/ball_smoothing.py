# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/ball_smoothing: what an implicit velocity update leaves of the collision of a
sheet or a block with a ball.

One step: v^{n+1/2} is the change of the positions over Δt, and the update solves (M + Δt/2 D) v = M v^{n+1/2}. D is
the judge's own: of springs c eeᵀ, of tetrahedra from the rates of Green's strain. The strength is s = Δt c/2m of a
sheet, m the mean mass of a square, and Δt k_d ω²/8 of a block, ω its highest frequency: the same of a chain."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import eigsh, splu

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .spring_nets import edges_of
from .springs import number, parameter

EXPERIMENT = "cs533d_cloth_lecture/ball_smoothing"
MET = 0.1  # V: rates and depths below are of bodies that meet the ball flat, and are left out
STRONG = 1.0 - 1e-3  # s: a damper whose time m/c is at most half of a step, to the rounding of the declared damping


def is_sheet(trace: Trace) -> bool:
    """Sheet or block."""
    return bool(trace.value("scene.parameters.body") == "sheet")


def body(trace: Trace) -> str:
    """Its name."""
    return str(trace.value("scene.parameters.body"))


def _pairs(trace: Trace) -> Array:
    """Edges of the mesh, [edge, 2]."""
    if is_sheet(trace):
        return edges_of(np.asarray(trace.scene("triangles")))
    tetrahedra = np.asarray(trace.scene("tetrahedra"))
    ends = np.concatenate([tetrahedra[:, [a, b]] for a in range(4) for b in range(a)])
    return np.asarray(np.unique(np.sort(ends, axis=1), axis=0))


def _assembled(places: Array, blocks: Array, size: int) -> sparse.csc_matrix:
    """Sum of element matrices [m,k,k] at coordinates [m,k]."""
    rows, columns = np.broadcast_arrays(places[:, :, None], places[:, None, :])
    return sparse.coo_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())), (size, size)).tocsc()


def spring_matrix(x: Array, edges: Array, coefficient: float) -> sparse.csc_matrix:
    """Σ c eeᵀ of springs along the edges, places x."""
    along = x[edges[:, 1]] - x[edges[:, 0]]
    along = along / np.linalg.norm(along, axis=1)[:, None]
    slope = np.concatenate([-along, along], axis=1)
    places = np.concatenate([3 * edges[:, :1] + np.arange(3), 3 * edges[:, 1:] + np.arange(3)], axis=1)
    return _assembled(places, coefficient * slope[:, :, None] * slope[:, None, :], x.size)


def tetrahedron_matrix(x: Array, rest: Array, tetrahedra: Array, young: float, poisson: float) -> sparse.csc_matrix:
    """Σ V (2μ dE:dE + λ tr dE tr dE) over the derivatives dE of Green's strain by the coordinates of the vertices,
    places x."""
    mu, second = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
    edges = np.swapaxes(rest[tetrahedra[:, 1:]] - rest[tetrahedra[:, :1]], 1, 2)
    inverse = np.linalg.inv(edges)
    volume = np.abs(np.linalg.det(edges)) / 6
    slopes = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)  # of the shape functions, [m,4,3]
    deformed = np.einsum("mai,maj->mij", x[tetrahedra], slopes)
    # dF of coordinate i of vertex a is e_i ⊗ slope_a, and dE = sym(Fᵀ dF).
    rate = np.einsum("mip,maq->maipq", deformed, slopes).reshape(len(tetrahedra), 12, 3, 3)
    rate = (rate + np.swapaxes(rate, 2, 3)) / 2
    trace_of = np.einsum("mkpp->mk", rate)
    blocks = 2 * mu * np.einsum("mkpq,mlpq->mkl", rate, rate) + second * trace_of[:, :, None] * trace_of[:, None, :]
    places = (3 * tetrahedra[:, :, None] + np.arange(3)).reshape(len(tetrahedra), 12)
    return _assembled(places, volume[:, None, None] * blocks, x.size)


def damping_matrix(trace: Trace, x: Array) -> sparse.csc_matrix:
    """D at places x, kg/s."""
    rate = parameter(trace, "stretch_damping_s")
    if is_sheet(trace):
        return spring_matrix(x, _pairs(trace), rate * parameter(trace, "stretch_stiffness_n_per_m"))
    young, poisson = number(trace, "young_modulus_pa"), number(trace, "poisson_ratio")
    rest, tetrahedra = np.asarray(trace.scene("rest_positions")), np.asarray(trace.scene("tetrahedra"))
    return rate * tetrahedron_matrix(x, rest, tetrahedra, young, poisson)


@lru_cache(maxsize=64)
def strength(trace: Trace) -> float:
    """s."""
    dt, masses = number(trace, "time_step_s"), np.asarray(trace.scene("masses"))
    if is_sheet(trace):
        square = masses.sum() / number(trace, "cells") ** 2
        return float(
            dt * parameter(trace, "stretch_damping_s") * parameter(trace, "stretch_stiffness_n_per_m") / (2 * square)
        )
    scale = sparse.diags(np.repeat(1 / np.sqrt(masses), 3))
    matrix = scale @ damping_matrix(trace, np.asarray(trace.scene("rest_positions"))) @ scale
    start = np.random.default_rng(1).normal(size=matrix.shape[0])
    return dt * float(eigsh(matrix, k=1, which="LM", return_eigenvectors=False, v0=start)[0]) / 8


def decay(s: float) -> float:
    """λ of a chain."""
    return float((1 + 2 * s - np.sqrt(1 + 4 * s)) / (2 * s))


@lru_cache(maxsize=64)
def members(trace: Trace) -> list[dict[str, float]]:
    """Numbers per rotation, speeds relative to V.

    The largest rate of an edge before and after the update. The largest residual of the judge's own system divided by
    the vertex's mass (plain update). The depth after one more step without a collision, by explicit damping and, for
    rotations not flat against the ball, by implicit damping in the first half of that step. The kinetic energy taken
    by the update, relative to that of the mean vertex.
    """
    x_all = extremes.finite(trace.values("step", "positions"), trace.label)
    v_all = extremes.finite(trace.values("step", "velocities"), trace.label)
    dt, speed, radius = (number(trace, n) for n in ("time_step_s", "speed_m_s", "radius_m"))
    masses, edges = np.asarray(trace.scene("masses")), _pairs(trace)
    weights = np.repeat(masses, 3)
    found = []
    for x, v in zip(x_all, v_all):
        before, after = (x[1] - x[0]) / dt, v[1]
        matrix = damping_matrix(trace, x[1])
        system = (sparse.diags(weights) + dt / 2 * matrix).tocsc()
        along = x[1][edges[:, 1]] - x[1][edges[:, 0]]
        along = along / np.linalg.norm(along, axis=1)[:, None]

        def rate(u: Array) -> float:
            return float(np.abs(((u[edges[:, 1]] - u[edges[:, 0]]) * along).sum(axis=1)).max()) / speed

        def depth(u: Array) -> float:
            apart = radius - np.linalg.norm(x[1] + dt * u, axis=1)
            return max(0.0, float(apart.max())) / (speed * dt)

        flat = after.ravel()
        left = np.abs(system @ flat - weights * before.ravel()) / weights
        explicit = (flat - dt / 2 * (matrix @ flat) / weights).reshape(after.shape)
        is_flat = rate(before) < MET
        implicit = after if is_flat else splu(system).solve(weights * flat).reshape(after.shape)
        found.append(
            {
                "before": rate(before),
                "after": rate(after),
                "left": float(left.max()) / speed,
                "explicit": depth(explicit),
                "implicit": depth(implicit),
                "energy": float(weights @ (before.ravel() ** 2 - flat**2)) / (masses.mean() * speed**2),
            }
        )
    return found


def rate_shares(data: ExperimentData) -> dict[tuple[str, int, float], float]:
    """Rate after over rate before the update of every body,
    rotation and s in which it was not flat against the ball, plain."""
    return {
        (body(c), k, strength(c)): m["after"] / m["before"]
        for c in data.every(name="half_step")
        for k, m in enumerate(members(c))
        if m["before"] >= MET
    }


def _labels(found: dict[tuple[str, int, float], float]) -> dict[str, float]:
    return {f"{b}, rotation {k + 1}, s = {s:.3g}": value for (b, k, s), value in found.items()}


@measurement("ball_smoothing.update_error", unit="1", experiment=EXPERIMENT)
def update_error(data: ExperimentData) -> Measured:
    """Largest residual of (M + Δt/2 D) v = M v^{n+1/2} by the judge's own D after the plain update, over the vertex's mass and V; sheet and block.
    No velocity is off by more, in the norm of the masses."""
    return extremes.largest({c: max(m["left"] for m in members(c)) for c in data.every(name="half_step")})


@measurement("ball_smoothing.unlike_a_chain", unit="1", experiment=EXPERIMENT)
def unlike_a_chain(data: ExperimentData) -> Measured:
    """Largest relative difference between the share of the largest rate of an edge of the sheet that the plain update leaves and (1 − λ)², that of a
    chain of the same s; rotations whose largest rate before is a tenth of V at least."""
    found = {
        key: abs(share / (1 - decay(key[2])) ** 2 - 1) for key, share in rate_shares(data).items() if key[0] == "sheet"
    }
    return extremes.largest(_labels(found))


@measurement("ball_smoothing.rate_of_strong_damping", unit="1", experiment=EXPERIMENT)
def rate_of_strong_damping(data: ExperimentData) -> Measured:
    """Largest share of the largest rate of an edge of the sheet that the plain update leaves with s ≥ 1; rotations whose largest rate before is a
    tenth of V at least."""
    found = {key: share for key, share in rate_shares(data).items() if key[0] == "sheet" and key[2] >= STRONG}
    return extremes.largest(_labels(found))


@measurement("ball_smoothing.rate_of_strongly_damped_blocks", unit="1", experiment=EXPERIMENT)
def rate_of_strongly_damped_blocks(data: ExperimentData) -> Measured:
    """Largest share of the largest rate of an edge of the block that the plain update leaves with s ≥ 1, s by the block's highest frequency;
    rotations whose largest rate before is a tenth of V at least."""
    found = {key: share for key, share in rate_shares(data).items() if key[0] == "block" and key[2] >= STRONG}
    return extremes.largest(_labels(found))


def updates(data: ExperimentData) -> dict[tuple[str, int, float], tuple[dict[str, float], dict[str, float]]]:
    """The plain and the constrained update of every body, rotation that is not flat against the ball, and s."""
    found = {}
    for cell in data.every(name="half_step"):
        same = {k: v for k, v in cell.coordinates.items() if k != "method.name"}
        other = members(data.one(name="half_step_constrained", where=same))
        for k, (plain, constrained) in enumerate(zip(members(cell), other)):
            if plain["before"] >= MET:
                found[(body(cell), k, strength(cell))] = (plain, constrained)
    return found


def depth_ratios(data: ExperimentData, first_half: str) -> dict[tuple[str, int, float], float]:
    """Depth after one more step without a collision, constrained over plain, of every body, s,
    and rotation that is not flat against the ball."""
    return {
        key: constrained[first_half] / max(plain[first_half], 1e-12)
        for key, (plain, constrained) in updates(data).items()
    }


@measurement("ball_smoothing.depth_ratio", unit="1", experiment=EXPERIMENT)
def depth_ratio(data: ExperimentData) -> Measured:
    """Largest ratio of the depth after one more step without a collision, constrained over plain, first half explicit in damping; sheet and block,
    every rotation not flat against the ball, every s."""
    return extremes.largest(_labels(depth_ratios(data, "explicit")))


@measurement("ball_smoothing.depth_ratio_implicit", unit="1", experiment=EXPERIMENT)
def depth_ratio_implicit(data: ExperimentData) -> Measured:
    """Largest ratio of the depth after one more step without a collision, constrained over plain, first half implicit in damping; sheet and block,
    every rotation not flat against the ball, every s."""
    return extremes.largest(_labels(depth_ratios(data, "implicit")))


@measurement("ball_smoothing.extra_energy_lost", unit="1", experiment=EXPERIMENT)
def extra_energy_lost(data: ExperimentData) -> Measured:
    """Least difference between the kinetic energies that the constrained and the plain update take, over that of the mean vertex at V; rotations not
    flat against the ball."""
    found = {key: constrained["energy"] - plain["energy"] for key, (plain, constrained) in updates(data).items()}
    return extremes.least(_labels(found))


@measurement("ball_smoothing.rotations", unit="1", experiment=EXPERIMENT)
def rotations(data: ExperimentData) -> Measured:
    """Rotations not flat against the ball, the fewer of sheet and block."""
    keys = {key[:2] for key in rate_shares(data)}
    return extremes.least({b: float(sum(1 for k in keys if k[0] == b)) for b in ("sheet", "block")})

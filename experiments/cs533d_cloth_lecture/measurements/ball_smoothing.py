# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/ball_smoothing: implicit velocity updates after a sheet or a block has
collided with a ball.

One step: v^{n+1/2} is the displacement / Δt, and the update solves (M + Δt/2 D) v = M v^{n+1/2}. The analysis
assembles its own D: c eeᵀ per spring, for tetrahedra from rates of Green strain. The strength is s = Δt c/2m for a
sheet, m the mean mass of a square, and Δt k_d ω²/8 for a block, ω its highest frequency; for a chain both agree."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import eigsh, splu

from deformbench_analysis.vocabulary import Array, Measures, Quantity, Trace, extremes, parameter, quantity, rows
from .spring_nets import edges_of

M = Measures("cs533d_cloth_lecture/ball_smoothing")
MET = 0.1  # relative to V: bodies with smaller edge rates meet the ball flat and are left out
STRONG = 1.0 - 1e-3  # s: the damping time m/c is at most half a step, up to rounding of the declared damping

# splu options for a symmetric positive definite matrix: diagonal pivots only.
POSITIVE: dict[str, Any] = {
    "permc_spec": "MMD_AT_PLUS_A",
    "diag_pivot_thresh": 0.0,
    "options": {"SymmetricMode": True},
}
body = parameter("body", str, "Body.")


def is_sheet(trace: Trace) -> bool:
    """A sheet."""
    return bool(trace.value("scene.parameters.body") == "sheet")


@lru_cache(maxsize=64)
def _pairs(trace: Trace) -> Array:
    """Edges of the mesh, [edge, 2]."""
    if is_sheet(trace):
        return edges_of(np.asarray(trace.scene("triangles")))
    tetrahedra = np.asarray(trace.scene("tetrahedra"))
    ends = np.concatenate([tetrahedra[:, [a, b]] for a in range(4) for b in range(a)])
    return np.asarray(np.unique(np.sort(ends, axis=1), axis=0))


def _assembled(places: Array, blocks: Array, size: int) -> sparse.csc_matrix:
    """Sum of element matrices [m,k,k] at the DOFs [m,k]."""
    rows, columns = np.broadcast_arrays(places[:, :, None], places[:, None, :])
    return sparse.coo_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())), (size, size)).tocsc()


def spring_matrix(x: Array, edges: Array, coefficient: float) -> sparse.csc_matrix:
    """Σ c eeᵀ for springs along edges, positions x."""
    along = x[edges[:, 1]] - x[edges[:, 0]]
    along = along / np.linalg.norm(along, axis=1)[:, None]
    slope = np.concatenate([-along, along], axis=1)
    places = np.concatenate([3 * edges[:, :1] + np.arange(3), 3 * edges[:, 1:] + np.arange(3)], axis=1)
    return _assembled(places, coefficient * slope[:, :, None] * slope[:, None, :], x.size)


def tetrahedron_matrix(x: Array, rest: Array, tetrahedra: Array, young: float, poisson: float) -> sparse.csc_matrix:
    """Σ V (2μ dE:dE + λ tr dE tr dE) with the derivatives dE of Green strain by vertex coordinates,
    positions x."""
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
    """D at x, kg/s."""
    rate = trace.setting("stretch_damping_s")
    if is_sheet(trace):
        return spring_matrix(x, _pairs(trace), rate * trace.setting("stretch_stiffness_n_per_m"))
    young, poisson = trace.number("young_modulus_pa"), trace.number("poisson_ratio")
    rest, tetrahedra = np.asarray(trace.scene("rest_positions")), np.asarray(trace.scene("tetrahedra"))
    return rate * tetrahedron_matrix(x, rest, tetrahedra, young, poisson)


@lru_cache(maxsize=64)
def strength(trace: Trace) -> float:
    """s."""
    dt, masses = trace.number("time_step_s"), np.asarray(trace.scene("masses"))
    if is_sheet(trace):
        square = masses.sum() / trace.number("cells") ** 2
        return float(
            dt * trace.setting("stretch_damping_s") * trace.setting("stretch_stiffness_n_per_m") / (2 * square)
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

    Largest edge rate before and after the update. Largest residual of the analysis's own system divided by the vertex
    mass (plain update). Depth after one more step without collisions, with explicit and, for rotations not flat
    against the ball, with implicit damping in its first half. Kinetic energy removed by the update, relative to that
    of a mean vertex at V."""
    x_all = extremes.finite(trace.values("step", "positions"), trace.label)
    v_all = extremes.finite(trace.values("step", "velocities"), trace.label)
    dt, speed, radius = (trace.number(n) for n in ("time_step_s", "speed_m_s", "radius_m"))
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
        implicit = after if is_flat else splu(system, **POSITIVE).solve(weights * flat).reshape(after.shape)
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


def not_flat(trace: Trace, of: Callable[..., float], *partners: Trace) -> dict[str, float]:
    """A value of every rotation in which the body was not flat against the ball."""
    return {
        f"{body(trace)}, rotation {k + 1}, s = {strength(trace):.3g}": of(*numbers)
        for k, numbers in enumerate(zip(members(trace), *map(members, partners)))
        if numbers[0]["before"] >= MET
    }


def rate_shares(trace: Trace) -> dict[str, float]:
    """Fraction of the largest edge rate left by the plain update."""
    return not_flat(trace, lambda plain: float(plain["after"] / plain["before"]))


def depth_ratios(first_half: str) -> Quantity:
    """Constrained update relative to the plain one, for rotations not flat against the ball."""

    def of(plain: dict[str, float], constrained: dict[str, float]) -> float:
        return constrained[first_half] / max(plain[first_half], 1e-12)

    return Quantity(
        lambda plain, constrained: not_flat(plain, of, constrained),
        f"depth one step later, {first_half} damping in its first half, constrained / plain",
    )


@quantity("residual of (M + Δt/2 D) v = M v^{n+1/2} relative to vertex mass × V")
def _update_error(trace: Trace) -> Array:
    """Bounds the velocity error in the mass norm."""
    return np.array([numbers["left"] for numbers in members(trace)])


@quantity("relative difference of the fraction left of the largest edge rate from a chain's (1 − λ)²")
def _unlike_a_chain(trace: Trace) -> dict[str, float]:
    chain = (1 - decay(strength(trace))) ** 2
    return {name: abs(share / chain - 1) for name, share in rate_shares(trace).items()}


@quantity("extra kinetic energy removed by the constrained update, relative to that of a mean vertex")
def _extra_energy(plain: Trace, constrained: Trace) -> dict[str, float]:
    return not_flat(plain, lambda own, other: float(other["energy"] - own["energy"]), constrained)


@quantity("number of rotations not flat against the ball")
def rotations_of(*runs: Trace) -> float:
    """`runs` are those of one body."""
    return float(len({k for c in runs for k, numbers in enumerate(members(c)) if numbers["before"] >= MET}))


def is_strong(trace: Trace) -> bool:
    """With s ≥ 1."""
    return strength(trace) >= STRONG


def _same(trace: Trace) -> dict[str, Any]:
    """All coordinates but the method."""
    return {path: value for path, value in trace.coordinates.items() if path != "method.name"}


PLAIN = rows("half_step", says="sheet and block")
SHEETS = rows("half_step", says="sheets").where(body="sheet", says="")
BLOCKS = rows("half_step", says="blocks").where(body="block", says="")
BOTH = PLAIN.beside(rows("half_step_constrained"), _same, says="")

M.largest("update_error", _update_error, PLAIN)
M.largest("unlike_a_chain", _unlike_a_chain, SHEETS)
M.largest("rate_of_all", rate_shares, PLAIN)
M.largest("rate_of_strong_damping", rate_shares, SHEETS.having(is_strong))
M.largest("rate_of_strongly_damped_blocks", rate_shares, BLOCKS.having(is_strong))
M.largest("depth_ratio", depth_ratios("explicit"), BOTH)
M.largest("depth_ratio_implicit", depth_ratios("implicit"), BOTH)
M.least("extra_energy_lost", _extra_energy, BOTH)
rotations = M.least("rotations", rotations_of, PLAIN.grouped(body, says="", each=("sheet", "block")))

# SPDX-License-Identifier: BSD-3-Clause
"""The first implicit Euler step of a solid as a minimisation, in numpy from what the trace says of the scene:

    Φ(x) = ½ (x − y)ᵀ M (x − y)/Δt² + Σ V Ψ(F) − m g·(x − x0),  y = x0 + Δt v0

over the free vertices, on linear tetrahedra, straight-sided 10-node ones with four integration points, or 8-node
hexahedra with eight, whose term λ/2 (J − 1)² takes the mean of J over the element; masses lumped as the trace has
them. It shares no line with the methods. The minimum is found by Newton's method with exact Hessians and a weight σ
of the inertia, which bounds the step and is raised until the matrix is positive definite and the quadratic model
agrees with Φ."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix, diags
from scipy.sparse.linalg import LinearOperator, SuperLU, eigsh, splu

from .arrays import Array
from .errors import MissingData
from .mesh import EDGES, edge_matrices, lame, median_edge
from .position_constraints import held_vertices
from .reference_laws import LAWS, Law, dilatation
from .trace import Trace

TOLERANCE = 1e-12  # of |M^(−½)∇Φ| at the start
_ENOUGH = 1e-9  # of it, where rounding allows no less
_MOST_STEPS, _MOST_WEIGHT = 500, 1e16
_ROUNDING = 1e-15  # of Φ's terms
_FAR, _NEAR = 0.25 + 0.15 * 5**0.5, 0.25 - 0.05 * 5**0.5  # barycentric: four points integrate degree 2


@dataclass(frozen=True)
class Points:
    """Integration points: F = Σ x_a ⊗ slope_a over the nodes of each."""

    nodes: Array  # [p,a]
    slopes: Array  # 1/m, [p,a,3]
    volumes: Array  # m³, [p]


def _corner_slopes(rest: Array, corners: Array) -> tuple[Array, Array]:
    """Gradients of the barycentric coordinates, and volumes."""
    edges = edge_matrices(rest, corners)
    inverse = np.linalg.inv(edges)
    slopes = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
    return slopes, np.abs(np.linalg.det(edges)) / 6


def linear_points(rest: Array, tetrahedra: Array) -> Points:
    """One point per element."""
    return Points(tetrahedra, *_corner_slopes(rest, tetrahedra))


def ten_nodes(tetrahedra: Array) -> Array:
    """Corners and middles 01 02 03 12 13 23 of elements that are eight tetrahedra each. A corner is in one of these,
    and a middle is what the tetrahedra of its two corners share."""
    refused = MissingData("quadratic elements: expected tetrahedra in eights, the parts of one of ten nodes")
    if len(tetrahedra) % 8:
        raise refused
    found = np.zeros((len(tetrahedra) // 8, 10), int)
    for nodes, parts in zip(found, tetrahedra.reshape(-1, 8, 4)):
        names, counts = np.unique(parts, return_counts=True)
        corners = names[counts == 1]
        if len(names) != 10 or len(corners) != 4:
            raise refused
        around = [set(parts[(parts == corner).any(axis=1)][0]) - {corner} for corner in corners]
        nodes[:] = [*corners, *(next(iter(around[i] & around[j])) for i, j in EDGES)]
    return found


def quadratic_points(rest: Array, tetrahedra: Array) -> Points:
    """Four points per element of ten nodes."""
    nodes = ten_nodes(tetrahedra)
    corner_slopes, volumes = _corner_slopes(rest, nodes[:, :4])
    slopes = np.zeros((len(nodes), 4, 10, 3))
    for q in range(4):
        place = np.full(4, _NEAR)
        place[q] = _FAR
        for k in range(4):  # of L (2L − 1)
            slopes[:, q, k] = (4 * place[k] - 1) * corner_slopes[:, k]
        for m, (i, j) in enumerate(EDGES):  # of 4 L_i L_j
            slopes[:, q, 4 + m] = 4 * (place[j] * corner_slopes[:, i] + place[i] * corner_slopes[:, j])
    return Points(np.repeat(nodes, 4, axis=0), slopes.reshape(-1, 10, 3), np.repeat(volumes / 4, 4))


def eight_nodes(tetrahedra: Array) -> Array:
    """Corners of hexahedra that are six tetrahedra each round a diagonal; bit k of a corner's number is its coordinate
    along axis k. The first vertex of a tetrahedron is the diagonal's start, the second a corner next to it."""
    refused = MissingData("hexahedra: expected tetrahedra in sixes, the parts of one hexahedron round its diagonal")
    if len(tetrahedra) % 6:
        raise refused
    found = np.zeros((len(tetrahedra) // 6, 8), int)
    for corners, parts in zip(found, tetrahedra.reshape(-1, 6, 4)):
        shared: set[int] = set.intersection(*(set(part) for part in parts.tolist()))
        axes = list(dict.fromkeys(parts[:, 1].tolist()))
        if len(shared) != 2 or len(axes) != 3 or len(np.unique(parts)) != 8:
            raise refused
        bits = {int(parts[0, 0]): 0, (shared - {int(parts[0, 0])}).pop(): 7}
        bits |= {vertex: 1 << axis for axis, vertex in enumerate(axes)}
        for part in parts.tolist():
            (opposite,) = set(part) - shared - {part[1]}
            bits[opposite] = bits.get(opposite, 0) | bits[part[1]]
        corners[list(bits.values())] = list(bits)
    return found


def hexahedral_points(rest: Array, tetrahedra: Array) -> Points:
    """Eight Gauss points per hexahedron."""
    nodes = eight_nodes(tetrahedra)
    corners = np.arange(8)[:, None] >> np.arange(3) & 1  # [a,k]
    places = 0.5 + (corners - 0.5) / 3**0.5  # [q,k]
    factors = np.where(corners, places[:, None], 1 - places[:, None])  # [q,a,k]
    others = factors[..., [1, 2, 0]] * factors[..., [2, 0, 1]]
    slopes = np.where(corners, others, -others)  # by the parameters, [q,a,k]
    jacobian = np.einsum("qak,eai->eqki", slopes, rest[nodes])
    volumes = np.abs(np.linalg.det(jacobian)) / 8
    slopes = np.einsum("eqik,qak->eqai", np.linalg.inv(jacobian), slopes)
    return Points(np.repeat(nodes, 8, axis=0), slopes.reshape(-1, 8, 3), volumes.ravel())


@dataclass(frozen=True)
class Minimum:
    """Where Newton's method ended."""

    positions: Array
    objective: float  # J
    residual: float  # |M^(−½)∇Φ| relative to the start
    least_eigenvalue: float  # of Δt² M^(−½) ∇²Φ M^(−½): positive at a minimum, 1 for inertia alone


class ImplicitStep:
    """Φ of given arrays; λ and μ one number per point. `averaged`: moduli λ̄, Pa, one number per element, of a further
    term V λ̄/2 (J̄ − 1)², J̄ the mean of J over the points of the element, which follow each other."""

    def __init__(
        self,
        points: Points,
        law: Law,
        constants: tuple[Array, Array],
        masses: Array,
        start: Array,
        ballistic: Array,
        time_step: float,
        gravity: Array,
        is_free: Array,
        averaged: Array | None = None,
    ):
        self.averaged = averaged
        self.points, self.law, self.constants = points, law, constants
        self.start, self.ballistic, self.is_free = start, ballistic, is_free
        self.inertia = masses / time_step**2
        self.load = masses[:, None] * gravity
        self._freedoms = np.flatnonzero(np.repeat(is_free, 3))
        self._scale = np.repeat(self.inertia, 3)[self._freedoms] ** -0.5

    def _gradients(self, x: Array) -> Array:
        own = x[self.points.nodes]
        own = own - own[:, :1]  # translations drop out before anything is rounded
        return np.asarray(np.einsum("pai,paj->pij", own, self.points.slopes))

    def _at_points(self, x: Array) -> tuple[Array, Array, Callable[[], Array]]:
        f = self._gradients(x)
        energy, stress, tangent = self.law(f, *self.constants)
        if self.averaged is None:
            return energy, stress, tangent
        growth, slope, curvature = dilatation(f)
        each = len(growth) // len(self.averaged)
        volumes = self.points.volumes.reshape(-1, each)
        mean = np.average(growth.reshape(-1, each), axis=1, weights=volumes)
        pressure = np.repeat(self.averaged * mean, each)[:, None, None]
        energy = energy + np.repeat(self.averaged / 2 * mean**2, each)
        return energy, stress + pressure * slope, lambda: tangent() + pressure * curvature()

    def _terms(self, positions: Array) -> Array:
        """Φ by vertices and points: differences of equal terms lose less to rounding than those of sums."""
        away = positions - self.ballistic
        own = 0.5 * self.inertia * (away**2).sum(axis=1) - (self.load * (positions - self.start)).sum(axis=1)
        return np.concatenate([own, self.points.volumes * self._at_points(positions)[0]])

    def objective(self, positions: Array) -> float:
        """Φ, J."""
        return float(self._terms(positions).sum())

    def gradient(self, positions: Array) -> Array:
        """∂Φ/∂x, N, [n,3], zero at held vertices."""
        stress = self._at_points(positions)[1]
        found = self.inertia[:, None] * (positions - self.ballistic) - self.load
        forces = np.einsum("p,pij,paj->pai", self.points.volumes, stress, self.points.slopes)
        np.add.at(found, self.points.nodes, forces)
        found[~self.is_free] = 0.0
        return np.asarray(found)

    def hessian(self, positions: Array) -> csc_matrix:
        """∂²Φ/∂x² over the free components, N/m."""
        nodes, slopes = self.points.nodes, self.points.slopes
        count, size = nodes.shape
        spread = np.einsum("paj,ik->pijak", slopes, np.eye(3)).reshape(count, 9, 3 * size)
        tangent = self._at_points(positions)[2]() * self.points.volumes[:, None, None]
        blocks = np.swapaxes(spread, 1, 2) @ tangent @ spread
        if self.averaged is not None:  # the change of the mean by the places of an element's nodes
            each = count // len(self.averaged)
            volumes = self.points.volumes.reshape(-1, each).sum(axis=1)
            slope = dilatation(self._gradients(positions))[1].reshape(count, 1, 9) @ spread
            mean = (self.points.volumes[:, None] * slope[:, 0]).reshape(-1, each, 3 * size).sum(axis=1)
            own = (self.averaged / volumes)[:, None, None] * mean[:, :, None] * mean[:, None, :]
            blocks = blocks.reshape(-1, each, 3 * size, 3 * size).sum(axis=1) + own
            nodes, count = nodes[::each], len(self.averaged)
        freedoms = (3 * nodes[:, :, None] + np.arange(3)).reshape(count, -1)
        rows, columns = np.repeat(freedoms, 3 * size, axis=1), np.tile(freedoms, (1, 3 * size))
        total = positions.size
        elastic = coo_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(total, total)).tocsc()
        free = self._freedoms
        return elastic[free][:, free] + diags(self._scale**-2, format="csc")

    def minimise(self, start: Array | None = None) -> Minimum:
        """The minimum into which Newton's method leads from a start (x0 without one), with the held vertices at x0.
        MissingData if it is not found."""
        x = np.where(self.is_free[:, None], self.start if start is None else start, self.start)
        key = hashlib.sha256(self._digest + x.tobytes()).digest()
        if key not in _found:
            _found[key] = self._descend(x)
        return _found[key]

    @cached_property
    def _digest(self) -> bytes:
        parts = [self.points.nodes, self.points.slopes, *self.constants, self.inertia, self.load, self.start]
        parts += [] if self.averaged is None else [self.averaged]
        digest = hashlib.sha256(self.law.__name__.encode())
        for part in (*parts, self.ballistic, self.is_free):
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.digest()

    def _residual(self, x: Array) -> Array:
        return self.gradient(x).ravel()[self._freedoms]

    def _descend(self, x: Array) -> Minimum:
        slope = self._residual(x)
        size = first = float(np.linalg.norm(self._scale * slope))
        weight = 0.0
        for _ in range(_MOST_STEPS):
            if size <= TOLERANCE * first:
                break
            terms, hessian, is_lower = self._terms(x), self.hessian(x), False
            while not is_lower and weight < _MOST_WEIGHT:
                weight, factor = self._factor(hessian, weight)
                step = -factor.solve(slope)
                predicted = -float(slope @ step) - 0.5 * float(step @ (hessian @ step))
                there = x.copy()
                there.ravel()[self._freedoms] += step
                gain = float((terms - self._terms(there)).sum()) / predicted
                new_slope = self._residual(there)
                new_size = float(np.linalg.norm(self._scale * new_slope))
                is_noise = predicted < _ROUNDING * np.linalg.norm(terms)
                is_lower = new_size < size if is_noise else gain > 0.1
                weight = weight if is_lower else max(4 * weight, 1e-3)
            if not is_lower:
                break  # rounding allows no less
            x, slope, size = there, new_slope, new_size
            if gain > 0.75 or is_noise:
                weight = weight / 8 if weight > 1e-2 else 0.0
        if not size <= _ENOUGH * first:
            raise MissingData(
                f"the independent minimisation ended with {size / first:.2g} of the gradient at its start"
            )
        return Minimum(x, self.objective(x), size / first if first else 0.0, self._least_eigenvalue(x))

    def _factor(self, hessian: csc_matrix, weight: float) -> tuple[float, SuperLU]:
        """Factorises ∇²Φ + σ M/Δt², σ the least of `weight` and its multiples by 4 with which it is positive definite."""
        while weight < _MOST_WEIGHT:
            factor = _symmetric_factor(hessian + weight * diags(self._scale**-2, format="csc"))
            if factor is not None:
                return weight, factor
            weight = max(4 * weight, 1e-3)
        raise MissingData("the independent minimisation met a Hessian that is not finite")

    def _least_eigenvalue(self, x: Array) -> float:
        scaled = csc_matrix(diags(self._scale) @ self.hessian(x) @ diags(self._scale))
        factor, first = _symmetric_factor(scaled), np.ones(len(self._scale))
        if factor is None:  # an eigenvalue that is not positive
            return float(eigsh(scaled, k=1, which="SA", return_eigenvectors=False, v0=first)[0])
        inverse = LinearOperator(scaled.shape, matvec=factor.solve, dtype=float)
        return float(eigsh(scaled, k=1, sigma=0.0, OPinv=inverse, return_eigenvectors=False, v0=first)[0])


_found: dict[bytes, Minimum] = {}


def _symmetric_factor(matrix: csc_matrix) -> SuperLU | None:
    """A factorisation without pivoting; None unless all pivots are positive, as of a positive definite matrix."""
    try:
        factor = splu(
            matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True, "Equil": False}
        )
    except RuntimeError:  # exactly singular
        return None
    is_symmetric = np.array_equal(factor.perm_r, factor.perm_c)
    return factor if is_symmetric and np.all(factor.U.diagonal() > 0) else None


def young_moduli(trace: Trace, rest: Array, tetrahedra: Array) -> Array:
    """Young's modulus of every tetrahedron, Pa, as the scene declares it: young_modulus_pa, or Ω = Δt²E/(ρh²), or
    Θ = Δt²E/(ρL²); stiffer by `contrast` in the half with larger x. MissingData for other patterns."""
    declared = trace.value("scene.parameters", {})
    if "omega" not in declared:
        return np.full(len(tetrahedra), trace.number("young_modulus_pa"))
    theta, extents = trace.number("theta"), np.ptp(rest, axis=0)
    number, size = (theta, extents.max()) if theta > 0 else (trace.number("omega"), median_edge(rest, tetrahedra))
    soft = number * trace.number("density_kg_m3") * size**2 / trace.number("time_step_s") ** 2
    moduli = np.full(len(tetrahedra), soft)
    if trace.number("contrast") != 1:
        if declared["contrast_pattern"] != "halves":
            raise trace.missing("which elements are stiffer is not in the trace")
        is_stiff = rest[tetrahedra, 0].mean(axis=1) > rest[:, 0].min() + extents[0] / 2
        moduli[is_stiff] *= trace.number("contrast")
    return moduli


class ReferenceMinimum(ImplicitStep):
    """Φ of the first step of a trace, whose start is row 0 of the channels positions and, if it moves, velocities of
    the clock frame. `law`: one of LAWS (default: the parameter of the method)."""

    def __init__(self, trace: Trace, law: str = ""):
        rest, tetrahedra = trace.scene("rest_positions"), trace.scene("tetrahedra").astype(int)
        name = law or str(trace.value("method.parameters.law"))
        if name not in LAWS:
            raise trace.missing(f"law {name}, expected one of {', '.join(LAWS)}")
        if trace.scene_shape("prescribed_components"):
            raise trace.missing("vertices are held in some components alone, expected all three")
        if int(trace.value("method.parameters.substeps", 1)) != 1:
            raise trace.missing("substeps, expected one step")
        moduli = young_moduli(trace, rest, tetrahedra)
        lam, mu = lame(1.0, trace.number("poisson_ratio"))
        averaged, elements = None, trace.value("method.parameters.elements")
        if elements == "quadratic":
            points, moduli = quadratic_points(rest, tetrahedra), np.repeat(moduli[::8], 4)
        elif elements == "hexahedra":
            if not name.startswith("stable_neo_hookean"):
                raise trace.missing(f"law {name} on hexahedra, expected one with a term in J − 1")
            points, averaged, moduli = hexahedral_points(rest, tetrahedra), lam * moduli[::6], np.repeat(moduli[::6], 8)
            lam = 0.0
        else:
            points = linear_points(rest, tetrahedra)
        start = np.asarray(trace.values("frame", "positions")[0])
        moves = trace.has("frame", "velocities")
        if not moves and float(trace.value("scene.parameters.spin_rad_s", 0.0)) != 0:
            raise trace.missing("no channel frame/velocities of a body that spins")
        velocities = trace.values("frame", "velocities")[0] if moves else np.zeros_like(start)
        is_free = np.ones(len(rest), bool)
        is_free[held_vertices(trace)] = False
        dt = trace.number("time_step_s")
        super().__init__(
            points,
            LAWS[name],
            (moduli * lam, moduli * mu),
            trace.scene("masses"),
            start,
            start + dt * velocities,
            dt,
            np.asarray(trace.value("scene.parameters.gravity_m_s2", [0.0, 0.0, 0.0]), dtype=float),
            is_free,
            averaged,
        )

# SPDX-License-Identifier: BSD-3-Clause
"""Single tetrahedra as the assignment describes them ([CS6967] §1.3, §2.2), in numpy from positions alone: F in
extended precision, faces with normals that point away from the fourth corner, forces as derivatives of an energy."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.mesh import lame
from deformbench_analysis.vocabulary import Array, Trace

FACES = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))  # opposite to corner 0, 1, 2, 3
Energy = Callable[[Array], Array]  # J of every element at corners [m,4,3]


def corners(points: Array, tetrahedra: Array) -> Array:
    """Corners relative to each element's first, [m,4,3] m. The differences are formed in extended precision."""
    found = np.asarray(points, dtype=np.longdouble)[tetrahedra]
    return np.asarray(found - found[:, :1])


def edges(points: Array, tetrahedra: Array) -> Array:
    """Columns x1 − x0, x2 − x0, x3 − x0, extended precision, [m,3,3] m."""
    return np.asarray(np.swapaxes(corners(points, tetrahedra)[:, 1:], 1, 2))


def cofactors(matrices: Array) -> Array:
    """Cofactors of 3×3 matrices in their own precision, [m,3,3]: rows are cross products of the columns."""
    a, b, c = (matrices[..., k] for k in range(3))
    return np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=-2)


def determinants(matrices: Array) -> Array:
    """[m], in their own precision."""
    return np.asarray(np.sum(matrices[..., 0] * np.cross(matrices[..., 1], matrices[..., 2]), axis=-1))


def inverses(matrices: Array) -> Array:
    """Inverses in their own precision: Cramer's rule, whose error grows as κ² (κ the condition number), then two
    Newton steps, which reduce it to κ times rounding."""
    found = cofactors(matrices) / determinants(matrices)[..., None, None]
    for _ in range(2):
        found = found + product(found, np.eye(3) - product(matrices, found))
    return np.asarray(found)


def product(left: Array, right: Array) -> Array:
    """Product of 3×3 matrices in their own precision; matmul keeps extended precision."""
    return np.asarray(np.matmul(left, right))


def gradients(rest: Array, tetrahedra: Array, positions: Array) -> Array:
    """F = X β of every element in extended precision, [m,3,3]."""
    return product(edges(positions, tetrahedra), inverses(edges(rest, tetrahedra)))


def conditions(rest: Array, tetrahedra: Array) -> Array:
    """Condition number of every element's matrix of rest edges."""
    return np.asarray(np.linalg.cond(edges(rest, tetrahedra).astype(float)))


def outward_areas(points: Array, tetrahedra: Array) -> Array:
    """Area times outward normal of the face opposite to each corner, extended precision, [m,4,3] m². Outward is away
    from that corner, whatever the order of the corners."""
    found = corners(points, tetrahedra)
    areas = np.empty_like(found)
    for k, (a, b, c) in enumerate(FACES):
        normal = np.cross(found[:, b] - found[:, a], found[:, c] - found[:, a]) / 2
        towards = np.sum(normal * (found[:, k] - found[:, a]), axis=1)
        areas[:, k] = -np.sign(towards)[:, None] * normal
    return areas


def sums_of_areas(points: Array, tetrahedra: Array) -> Array:
    """A third of the sum of the outward area normals of the three faces at each corner, [m,4,3] m²."""
    areas = outward_areas(points, tetrahedra)
    return np.asarray((areas.sum(axis=1, keepdims=True) - areas) / 3)


def surface_gradients(rest: Array, tetrahedra: Array, positions: Array) -> Array:
    """F as the surface integral (1/V) ∮ x ⊗ n dA over the rest faces, extended precision, [m,3,3]:
    no matrix is inverted."""
    areas, now = outward_areas(rest, tetrahedra), corners(positions, tetrahedra)
    volume = np.abs(determinants(edges(rest, tetrahedra))) / 6
    total = np.zeros_like(areas, shape=(len(tetrahedra), 3, 3))
    for k, face in enumerate(FACES):
        middle = now[:, list(face)].sum(axis=1) / 3
        total += middle[:, :, None] * areas[:, k][:, None, :]
    return np.asarray(total / volume[:, None, None])


def material(trace: Trace) -> tuple[float, float]:
    """λ, μ of the scene, Pa."""
    young, poisson = (trace.number(n) for n in ("young_modulus_pa", "poisson_ratio"))
    return lame(young, poisson)


def piola(gradient: Array, lam: float, mu: float) -> Array:
    """P = F S, S = λ tr(E) I + 2μE, E = ½(FᵀF − I): [CS6967] §2.2 with the ½ that Green's strain has. Pa"""
    strain = 0.5 * (product(np.swapaxes(gradient, -1, -2), gradient) - np.eye(3))
    trace = np.asarray(np.trace(strain, axis1=-2, axis2=-1))[..., None, None]
    return product(gradient, lam * trace * np.eye(3) + 2 * mu * strain)


def kirchhoff_energy(rest: Array, tetrahedra: Array, lam: float, mu: float) -> Energy:
    """V (λ/2 tr²E + μ E:E): a polynomial of the corners, real or complex."""
    shape = edges(rest, tetrahedra)
    inverse = inverses(shape).astype(float)
    volume = (np.abs(determinants(shape)) / 6).astype(float)

    def energy(now: Array) -> Array:
        gradient = product(np.swapaxes(now[:, 1:] - now[:, :1], 1, 2), inverse)
        strain = 0.5 * (product(np.swapaxes(gradient, 1, 2), gradient) - np.eye(3))
        trace = np.trace(strain, axis1=1, axis2=2)
        return np.asarray(volume * (lam / 2 * trace**2 + mu * np.sum(strain * strain, axis=(1, 2))))

    return energy


def corotational_energy(rest: Array, tetrahedra: Array, lam: float, mu: float) -> Energy:
    """V (μ Σ(σ−1)² + λ/2 (Σ(σ−1))²) of the singular values σ of F, the least of which takes the sign of det F."""
    shape = edges(rest, tetrahedra)
    inverse = inverses(shape).astype(float)
    volume = (np.abs(determinants(shape)) / 6).astype(float)

    def energy(now: Array) -> Array:
        gradient = product(np.swapaxes(now[:, 1:] - now[:, :1], 1, 2), inverse)
        stretch = np.linalg.svd(gradient, compute_uv=False)
        stretch[:, 2] *= np.sign(np.linalg.det(gradient))
        return np.asarray(volume * (mu * np.sum((stretch - 1) ** 2, axis=1) + lam / 2 * (stretch.sum(axis=1) - 3) ** 2))

    return energy


def exact_slopes(energy: Energy, now: Array) -> Array:
    """Forces −∂W/∂x of a polynomial energy, N, [m,4,3]: the imaginary part of a complex step loses no digits."""
    found = np.empty(now.shape)
    step = 1e-60
    for corner in range(4):
        for axis in range(3):
            moved = now.astype(complex)
            moved[:, corner, axis] += 1j * step
            found[:, corner, axis] = -np.imag(energy(moved)) / step
    return found


def differenced_slopes(energy: Energy, now: Array, step: Array) -> Array:
    """Forces −∂W/∂x by central differences of fourth order, N, [m,4,3]; `step` per element, m."""
    found = np.empty(now.shape)
    for corner in range(4):
        for axis in range(3):
            total = np.zeros(len(now))
            for far, weight in ((1, 8.0), (2, -1.0)):
                for side in (1, -1):
                    moved = now.astype(float)
                    moved[:, corner, axis] += side * far * step
                    total += side * weight * energy(moved)
            found[:, corner, axis] = -total / (12 * step)
    return found


def of_elements(values: Array, tetrahedra: Array) -> Array:
    """Per-vertex values at the corners of disjoint elements, [m,4,3]."""
    return np.asarray(values)[tetrahedra]


def largest_at_corner(forces: Array) -> Array:
    """Largest force at a corner of every element, [m]."""
    return np.asarray(np.linalg.norm(forces.astype(float), axis=2).max(axis=1))


def differences(forces: Array, expected: Array) -> Array:
    """Largest difference at a corner relative to the largest expected force, per element."""
    return np.asarray(largest_at_corner(forces - expected) / largest_at_corner(expected))


def net_forces(forces: Array) -> Array:
    """|Σf| / Σ|f| per element."""
    return np.asarray(np.linalg.norm(forces.sum(axis=1), axis=1) / np.linalg.norm(forces, axis=2).sum(axis=1))


def arms(now: Array) -> Array:
    """Corners relative to element centroids, [m,4,3] m."""
    return np.asarray((now - now.mean(axis=1, keepdims=True)).astype(float))


def torques(forces: Array, now: Array) -> Array:
    """|Σ (x − c) × f| / Σ |x − c||f| per element."""
    arm = arms(now)
    whole = (np.linalg.norm(arm, axis=2) * np.linalg.norm(forces, axis=2)).sum(axis=1)
    return np.asarray(np.linalg.norm(np.cross(arm, forces).sum(axis=1), axis=1) / whole)


def outward_shares(forces: Array, now: Array) -> Array:
    """Σ f·(x − c) / Σ |f||x − c| per element: negative where the forces pull inwards."""
    arm = arms(now)
    whole = (np.linalg.norm(arm, axis=2) * np.linalg.norm(forces, axis=2)).sum(axis=1)
    return np.asarray(np.sum(arm * forces, axis=(1, 2)) / whole)

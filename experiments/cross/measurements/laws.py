# SPDX-License-Identifier: BSD-3-Clause
"""Elastic laws and two exact states, in independent code: energy and stress from F, a block pulled along
one axis, and a twisted square bar.

First Piola–Kirchhoff stresses are written down from the energies of methods/fem/README.md and methods/pbd/README.md;
tests compare them with differences of the energies."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq, root

from deformbench_analysis.vocabulary import Array, MissingData
from deformbench_analysis.mesh import lame

LAWS = ("corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")  # of implicit_fem
TWO_CONSTRAINTS = "two_constraint_neo_hookean"  # of xpbd: μ/2 F:F + l/2 (det F − 1 − μ/l)², l = λ + μ, [MM21]
ALL_LAWS = (*LAWS, TWO_CONSTRAINTS)


def transposed(matrices: Array) -> Array:
    """Transpose of every 3×3 matrix."""
    return np.swapaxes(matrices, -1, -2)


def rotation_and_stretches(f: Array) -> tuple[Array, Array]:
    """R of F = R S, and the principal stretches; for det F > 0."""
    u, s, vt = np.linalg.svd(f)
    return u @ vt, s


def energy(law: str, f: Array, lam: float, mu: float) -> Array:
    """Ψ per rest volume of deformation gradients [..., 3, 3], J/m³."""
    squares, j = (f**2).sum(axis=(-2, -1)), np.linalg.det(f)
    if law == "corotational":
        strain = rotation_and_stretches(f)[1] - 1
        return np.asarray(mu * (strain**2).sum(axis=-1) + lam / 2 * strain.sum(axis=-1) ** 2)
    if law == "st_venant_kirchhoff":
        green = (transposed(f) @ f - np.eye(3)) / 2
        trace = np.trace(green, axis1=-2, axis2=-1)
        return np.asarray(mu * (green**2).sum(axis=(-2, -1)) + lam / 2 * trace**2)
    if law == "neo_hookean":
        return np.asarray(mu / 2 * (squares - 3) - mu * np.log(j) + lam / 2 * np.log(j) ** 2)
    if law == "stable_neo_hookean":
        m, bulk = 4 * mu / 3, lam + 5 * mu / 6
        alpha = 1 + 3 * m / (4 * bulk)
        return np.asarray(m / 2 * (squares - 3) + bulk / 2 * (j - alpha) ** 2 - m / 2 * np.log(squares + 1))
    if law == TWO_CONSTRAINTS:
        return np.asarray(mu / 2 * (squares - 3) + (lam + mu) / 2 * (j - 1 - mu / (lam + mu)) ** 2)
    raise MissingData(f"law '{law}': expected one of {', '.join(ALL_LAWS)}")


def stress(law: str, f: Array, lam: float, mu: float) -> Array:
    """First Piola–Kirchhoff stress ∂Ψ/∂F, Pa."""
    squares, j = (f**2).sum(axis=(-2, -1))[..., None, None], np.linalg.det(f)[..., None, None]
    if law == "corotational":
        rotation, stretches = rotation_and_stretches(f)
        return np.asarray(2 * mu * (f - rotation) + lam * (stretches.sum(axis=-1) - 3)[..., None, None] * rotation)
    if law == "st_venant_kirchhoff":
        green = (transposed(f) @ f - np.eye(3)) / 2
        trace = np.trace(green, axis1=-2, axis2=-1)[..., None, None]
        return np.asarray(f @ (2 * mu * green + lam * trace * np.eye(3)))
    inverse = transposed(np.linalg.inv(f))
    if law == "neo_hookean":
        return np.asarray(mu * f + (lam * np.log(j) - mu) * inverse)
    if law == "stable_neo_hookean":
        m, bulk = 4 * mu / 3, lam + 5 * mu / 6
        return np.asarray(m * (1 - 1 / (squares + 1)) * f + (bulk * (j - 1) - 3 * m / 4) * j * inverse)
    if law == TWO_CONSTRAINTS:
        return np.asarray(mu * f + ((lam + mu) * (j - 1) - mu) * j * inverse)
    raise MissingData(f"law '{law}': expected one of {', '.join(ALL_LAWS)}")


@dataclass(frozen=True)
class Uniaxial:
    """A block stretched along x with free sides."""

    lateral: float  # lateral stretch
    volume: float  # V/V0
    traction: float  # force on an end/(its rest area · E)


@lru_cache(maxsize=None)
def uniaxial(law: str, stretch: float, poisson: float) -> Uniaxial:
    """The state of least energy at this axial stretch, by the root of the lateral stress; lateral stretch 0
    if the section collapses."""
    lam, mu = lame(1.0, poisson)

    def lateral_stress(side: float) -> float:
        return float(stress(law, np.diag([stretch, side, side]), lam, mu)[1, 1])

    least, most = 1e-6, 4.0
    side = 0.0 if lateral_stress(least) > 0 else brentq(lateral_stress, least, most, xtol=1e-15, rtol=1e-14)
    pulled = np.diag([stretch, max(side, least), max(side, least)])
    return Uniaxial(side, stretch * side**2, float(stress(law, pulled, lam, mu)[0, 0]))


@dataclass(frozen=True)
class Twisted:
    """A long square bar twisted uniformly along its axis by a torque, no axial force."""

    strain: float  # change of length/length
    torque: float  # in E a³
    volume: float  # V/V0


class _Section:
    """Trial displacements of a quarter of a section of side 1, with the symmetries of a bar twisted about its axis:
    v(y, z) odd in y and even in z, w(y, z) = v(z, y), and the warping odd in both and antisymmetric under their
    exchange."""

    def __init__(self, degree: int = 9, points: int = 8) -> None:
        nodes, weights = np.polynomial.legendre.leggauss(points)  # type: ignore[no-untyped-call]
        half, weight = (nodes + 1) / 4, weights / 4
        self.y, self.z = (a.ravel() for a in np.meshgrid(half, half, indexing="ij"))
        self.weight = 4 * np.outer(weight, weight).ravel()  # the four quarters: area 1
        sides = [(p, q) for p in range(1, degree + 1, 2) for q in range(0, degree + 1 - p, 2)]
        warps = [(p, q) for p in range(1, degree, 2) for q in range(p + 2, degree + 2 - p, 2)]
        self.v, self.vy, self.vz = self._powers(sides, self.y, self.z)
        self.w, self.wz, self.wy = self._powers(sides, self.z, self.y)
        first, second = self._powers(warps, self.y, self.z), self._powers(warps, self.z, self.y)
        self.ay, self.az = first[1] - second[2], first[2] - second[1]
        self.sides, self.warps = len(sides), len(warps)

    @staticmethod
    def _powers(exponents: list[tuple[int, int]], a: Array, b: Array) -> tuple[Array, Array, Array]:
        """(2a)^p (2b)^q with its derivatives by a and b, one column each."""
        a, b = 2 * a[:, None], 2 * b[:, None]
        p, q = (np.array(e, dtype=float) for e in zip(*exponents))
        return a**p * b**q, 2 * p * a ** (p - 1) * b**q, 2 * q * a**p * b ** np.maximum(q - 1, 0)

    def gradients(self, unknowns: Array, rate: float) -> tuple[Array, Array]:
        """F in axes that turn with the section, and its derivatives by the unknowns [unknown, point, 3, 3]."""
        strain, sides, warps = unknowns[0], unknowns[1 : 1 + self.sides], unknowns[1 + self.sides :]
        f = np.zeros((len(self.y), 3, 3))
        f[:, 0] = np.stack([np.full(len(self.y), 1 + strain), self.ay @ warps, self.az @ warps], axis=1)
        f[:, 1] = np.stack([-rate * (self.z + self.w @ sides), 1 + self.vy @ sides, self.vz @ sides], axis=1)
        f[:, 2] = np.stack([rate * (self.y + self.v @ sides), self.wy @ sides, 1 + self.wz @ sides], axis=1)
        df = np.zeros((len(unknowns), len(self.y), 3, 3))
        df[0, :, 0, 0] = 1
        side, warp = df[1 : 1 + self.sides], df[1 + self.sides :]
        side[:, :, 1, 0], side[:, :, 1, 1], side[:, :, 1, 2] = -rate * self.w.T, self.vy.T, self.vz.T
        side[:, :, 2, 0], side[:, :, 2, 1], side[:, :, 2, 2] = rate * self.v.T, self.wy.T, self.wz.T
        warp[:, :, 0, 1], warp[:, :, 0, 2] = self.ay.T, self.az.T
        return f, df


@lru_cache(maxsize=None)
def twisted(law: str, poisson: float, rate: float, degree: int = 9) -> Twisted:
    """State at `rate`, the twist in rad per length of one side: minimum of energy over a section's trial
    displacements and the axial strain, by the root of its gradient."""
    lam, mu = lame(1.0, poisson)
    section = _Section(degree)

    def unbalanced(unknowns: Array) -> Array:
        f, df = section.gradients(unknowns, rate)
        return np.asarray(np.einsum("p,pij,upij->u", section.weight, stress(law, f, lam, mu), df) / rate)

    found = root(unbalanced, np.zeros(1 + section.sides + section.warps), method="hybr", tol=1e-13)
    if not np.abs(found.fun).max() < 1e-10:
        raise MissingData(f"{law}: no state of a section turned by {rate:g} rad over its side was found")
    f, _ = section.gradients(found.x, rate)
    by_rate = np.zeros_like(f)
    by_rate[:, 1, 0], by_rate[:, 2, 0] = f[:, 1, 0] / rate, f[:, 2, 0] / rate
    torque = np.einsum("p,pij,pij->", section.weight, stress(law, f, lam, mu), by_rate)
    return Twisted(float(found.x[0]), float(torque), float(section.weight @ np.linalg.det(f)))

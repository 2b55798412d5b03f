# SPDX-License-Identifier: BSD-3-Clause
"""Hyperelastic laws: energy density Ψ(F), first Piola stress P = ∂Ψ/∂F and tangent ∂P/∂F, for a stack of gradients.

F is [m,3,3]; stress[e,i,j] = ∂Ψ/∂F_ij and tangent[e,i,j,k,l] = ∂P_ij/∂F_kl. Derived by hand,
checked by finite differences."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_I = np.eye(3)
_EPSILON = np.zeros((3, 3, 3))
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _EPSILON[_i, _j, _k], _EPSILON[_i, _k, _j] = 1.0, -1.0
_IDENTITY = np.einsum("ik,jl->ijkl", _I, _I)


class Law(Protocol):
    """What a body asks of its material."""

    def energy(self, f: Array) -> Array:
        """Ψ, J/m³, [m]."""

    def stress(self, f: Array) -> Array:
        """P, Pa, [m,3,3]."""

    def tangent(self, f: Array) -> Array:
        """∂P/∂F, Pa, [m,3,3,3,3]."""


def lame(young_modulus: float, poisson_ratio: float) -> tuple[float, float]:
    """(λ, μ)."""
    return (
        young_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio)),
        young_modulus / (2 * (1 + poisson_ratio)),
    )


def cofactor(f: Array) -> Array:
    """∂J/∂F, also where J ≤ 0."""
    return np.asarray(0.5 * np.einsum("iab,jcd,eac,ebd->eij", _EPSILON, _EPSILON, f, f, optimize=True))


def _cofactor_slope(f: Array) -> Array:
    """∂²J/∂F²."""
    return np.asarray(np.einsum("ikb,jld,ebd->eijkl", _EPSILON, _EPSILON, f, optimize=True))


def _outer(a: Array, b: Array) -> Array:
    return np.asarray(np.einsum("eij,ekl->eijkl", a, b))


def _scaled(factor: Array, tensor: Array) -> Array:
    return factor.reshape(-1, *(1,) * (4 if tensor.ndim >= 4 else 2)) * tensor


@dataclass(frozen=True)
class StVenantKirchhoff:
    """Ψ = λ/2 (tr E)² + μ E:E, E = (FᵀF − I)/2: second Piola stress S = λ tr(E) I + 2μE."""

    lam: float
    mu: float

    def energy(self, f: Array) -> Array:
        green = self._green(f)
        trace = np.trace(green, axis1=1, axis2=2)
        return np.asarray(self.lam / 2 * trace**2 + self.mu * np.sum(green**2, axis=(1, 2)))

    def _green(self, f: Array) -> Array:
        return np.asarray((np.swapaxes(f, 1, 2) @ f - _I) / 2)

    def second_piola(self, f: Array) -> Array:
        """S, Pa, [m,3,3]."""
        green = self._green(f)
        return np.asarray(self.lam * np.trace(green, axis1=1, axis2=2)[:, None, None] * _I + 2 * self.mu * green)

    def stress(self, f: Array) -> Array:
        return np.asarray(f @ self.second_piola(f))

    def tangent(self, f: Array) -> Array:
        left = f @ np.swapaxes(f, 1, 2)
        return np.asarray(
            np.einsum("ik,elj->eijkl", _I, self.second_piola(f))
            + self.lam * _outer(f, f)
            + self.mu * (np.einsum("eil,ekj->eijkl", f, f) + np.einsum("eik,jl->eijkl", left, _I))
        )


@dataclass(frozen=True)
class LogNeoHookean:
    """Ψ = μ/2 (I_C − 3) − μ ln J + λ/2 ln²J, J > 0."""

    lam: float
    mu: float

    def energy(self, f: Array) -> Array:
        log_j = np.log(np.linalg.det(f))
        return np.asarray(self.mu / 2 * (np.sum(f**2, axis=(1, 2)) - 3) - self.mu * log_j + self.lam / 2 * log_j**2)

    def stress(self, f: Array) -> Array:
        g = np.swapaxes(np.linalg.inv(f), 1, 2)
        return np.asarray(self.mu * (f - g) + _scaled(self.lam * np.log(np.linalg.det(f)), g))

    def tangent(self, f: Array) -> Array:
        g = np.swapaxes(np.linalg.inv(f), 1, 2)
        crossed = np.einsum("eil,ekj->eijkl", g, g)
        return np.asarray(
            self.mu * _IDENTITY
            + self.lam * _outer(g, g)
            + _scaled(self.mu - self.lam * np.log(np.linalg.det(f)), crossed)
        )


@dataclass(frozen=True)
class StableNeoHookean:
    """Ψ = m/2 (I_C − 3) + l/2 (J − α)² − m/2 ln(I_C + 1) with α = 1 + 3m/(4l).

    m = 4μ/3 and l = λ + 5μ/6, so that Hooke's law of λ and μ is its limit at small strains ([SGK18]).
    Defined for every F; at rest Ψ is not 0."""

    lam: float
    mu: float

    @property
    def own_parameters(self) -> tuple[float, float, float]:
        """(l, m, α)."""
        m, l = 4 * self.mu / 3, self.lam + 5 * self.mu / 6
        return l, m, 1 + 3 * m / (4 * l)

    def energy(self, f: Array) -> Array:
        l, m, alpha = self.own_parameters
        square = np.sum(f**2, axis=(1, 2))
        return np.asarray(m / 2 * (square - 3) + l / 2 * (np.linalg.det(f) - alpha) ** 2 - m / 2 * np.log(square + 1))

    def stress(self, f: Array) -> Array:
        l, m, alpha = self.own_parameters
        square = np.sum(f**2, axis=(1, 2))
        return _scaled(m * (1 - 1 / (square + 1)), f) + _scaled(l * (np.linalg.det(f) - alpha), cofactor(f))

    def tangent(self, f: Array) -> Array:
        l, m, alpha = self.own_parameters
        square, slope = np.sum(f**2, axis=(1, 2)), cofactor(f)
        return np.asarray(
            _scaled(m * (1 - 1 / (square + 1)), np.broadcast_to(_IDENTITY, (len(f), 3, 3, 3, 3)))
            + _scaled(2 * m / (square + 1) ** 2, _outer(f, f))
            + l * _outer(slope, slope)
            + _scaled(l * (np.linalg.det(f) - alpha), _cofactor_slope(f))
        )


@dataclass(frozen=True)
class IsochoricNeoHookean:
    """Ψ = C10 (J^(−2/3) I_C − 3) + (J − 1)²/D1, J > 0: CalculiX's *HYPERELASTIC, NEO HOOKE. μ = 2 C10, κ = 2/D1."""

    c10: float
    d1: float

    def energy(self, f: Array) -> Array:
        j = np.linalg.det(f)
        return np.asarray(self.c10 * (j ** (-2 / 3) * np.sum(f**2, axis=(1, 2)) - 3) + (j - 1) ** 2 / self.d1)

    def stress(self, f: Array) -> Array:
        j, g = np.linalg.det(f), np.swapaxes(np.linalg.inv(f), 1, 2)
        square = np.sum(f**2, axis=(1, 2))
        return np.asarray(
            _scaled(2 * self.c10 * j ** (-2 / 3), f - _scaled(square / 3, g)) + _scaled(2 / self.d1 * (j - 1) * j, g)
        )

    def tangent(self, f: Array) -> Array:
        j, g = np.linalg.det(f), np.swapaxes(np.linalg.inv(f), 1, 2)
        square = np.sum(f**2, axis=(1, 2))
        crossed, straight = np.einsum("eil,ekj->eijkl", g, g), _outer(g, g)
        shape = (
            _IDENTITY
            - 2 / 3 * (_outer(f, g) + _outer(g, f))
            + _scaled(2 / 9 * square, straight)
            + _scaled(square / 3, crossed)
        )
        volume = _scaled((2 * j - 1) * j, straight) - _scaled((j - 1) * j, crossed)
        return np.asarray(_scaled(2 * self.c10 * j ** (-2 / 3), shape) + 2 / self.d1 * volume)


def law_of(name: str, constants: list[float]) -> Law:
    """The law called `name`: of C10 and D1 for the isochoric one, else of Young's modulus and Poisson's ratio."""
    if name == "isochoric_neo_hookean":
        return IsochoricNeoHookean(*constants)
    lam, mu = lame(*constants)
    laws: dict[str, type[StVenantKirchhoff] | type[LogNeoHookean] | type[StableNeoHookean]] = {
        "st_venant_kirchhoff": StVenantKirchhoff,
        "log_neo_hookean": LogNeoHookean,
        "stable_neo_hookean": StableNeoHookean,
    }
    return laws[name](lam, mu)

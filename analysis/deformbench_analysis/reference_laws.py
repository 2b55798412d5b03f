# SPDX-License-Identifier: BSD-3-Clause
"""Four hyperelastic laws with their derivatives, written from their formulas for the independent program of
reference_minimum.py. Ψ(I) = 0; λ and μ are Lamé's constants of small strains; every F has an energy.

F is [p,3,3]; a law gives Ψ [p], P = ∂Ψ/∂F [p,3,3], and ∂P/∂F [p,9,9] with rows and columns in the order of F."""

from collections.abc import Callable

import numpy as np

from .arrays import Array

Law = Callable[[Array, Array, Array], tuple[Array, Array, Callable[[], Array]]]  # F, λ, μ → Ψ, P, ∂P/∂F when called

_EPSILON = np.zeros((3, 3, 3))
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _EPSILON[_i, _j, _k], _EPSILON[_i, _k, _j] = 1.0, -1.0
_COFACTOR_SLOPE = np.einsum("ikb,jld->ijklbd", _EPSILON, _EPSILON).reshape(9, 9, 9)
_TWISTS = np.array([_EPSILON[k] for k in range(3)]) / np.sqrt(2)  # turn the axes k + 1 and k + 2

_LEAST_PAIR = 1e-6  # where two stretches sum to zero the corotational stress jumps


def _square(a: Array, b: Array) -> Array:
    """a ⊗ b, [p,9,9]."""
    return np.asarray(a.reshape(-1, 9, 1) * b.reshape(-1, 1, 9))


def _times(factor: Array, tensor: Array) -> Array:
    return np.asarray(factor[:, None, None] * tensor)


def dilatation(f: Array) -> tuple[Array, Array, Callable[[], Array]]:
    """J − 1 [p], ∂J/∂F [p,3,3], ∂²J/∂F² [p,9,9]."""
    cofactor = np.cross(f[:, [1, 2, 0]], f[:, [2, 0, 1]])
    growth = (f[:, 0] * cofactor[:, 0]).sum(axis=1) - 1

    def curvature() -> Array:
        return np.asarray((f.reshape(-1, 9) @ _COFACTOR_SLOPE.reshape(81, 9).T).reshape(-1, 9, 9))

    return growth, cofactor, curvature


def _neo_hookean(f: Array, lam: Array, mu: Array, has_barrier: bool) -> tuple[Array, Array, Callable[[], Array]]:
    m, volume = (4 / 3 * mu, lam + 5 / 6 * mu) if has_barrier else (mu, lam + mu)
    squares = (f**2).sum(axis=(1, 2))
    growth, cofactor, slope = dilatation(f)
    energy = m / 2 * (squares - 3) + growth * (volume / 2 * growth - mu)
    shear, bend = m, 0 * m
    if has_barrier:
        energy -= m / 2 * np.log((squares + 1) / 4)
        shear, bend = m - m / (squares + 1), 2 * m / (squares + 1) ** 2
    pressure = volume * growth - mu

    def tangent() -> Array:
        return (
            _times(shear, np.eye(9))
            + _times(bend, _square(f, f))
            + _times(volume, _square(cofactor, cofactor))
            + _times(pressure, slope())
        )

    return energy, _times(shear, f) + _times(pressure, cofactor), tangent


def stable_neo_hookean(f: Array, lam: Array, mu: Array) -> tuple[Array, Array, Callable[[], Array]]:
    """Ψ = m/2 (I_C − 3) + l/2 (J − 1)² − μ (J − 1) − m/2 ln((I_C + 1)/4), m = 4μ/3, l = λ + 5μ/6 [SGK18]."""
    return _neo_hookean(f, lam, mu, True)


def stable_neo_hookean_core(f: Array, lam: Array, mu: Array) -> tuple[Array, Array, Callable[[], Array]]:
    """Ψ = μ/2 (I_C − 3) + (λ + μ)/2 (J − 1)² − μ (J − 1)."""
    return _neo_hookean(f, lam, mu, False)


def st_venant_kirchhoff(f: Array, lam: Array, mu: Array) -> tuple[Array, Array, Callable[[], Array]]:
    """Ψ = μ E:E + λ/2 tr²E, E = ½ (FᵀF − I)."""
    green = (np.swapaxes(f, 1, 2) @ f - np.eye(3)) / 2
    trace = np.trace(green, axis1=1, axis2=2)
    second = _times(lam * trace, np.eye(3)) + _times(2 * mu, green)
    energy = mu * (green**2).sum(axis=(1, 2)) + lam / 2 * trace**2

    def tangent() -> Array:
        stretched = np.einsum("pil,pkj->pijkl", f, f) + np.einsum("pim,pkm,jl->pijkl", f, f, np.eye(3))
        geometric = np.einsum("ik,plj->pijkl", np.eye(3), second).reshape(-1, 9, 9)
        return np.asarray(geometric + _times(lam, _square(f, f)) + _times(mu, stretched.reshape(-1, 9, 9)))

    return energy, f @ second, tangent


def corotational(f: Array, lam: Array, mu: Array) -> tuple[Array, Array, Callable[[], Array]]:
    """Ψ = μ |S − I|² + λ/2 tr²(S − I), F = R S with det R = 1: the least stretch of an inverted F is negative."""
    u, s, vt = np.linalg.svd(f)
    mirrored = np.linalg.det(u @ vt) < 0
    s[mirrored, 2] *= -1
    u[mirrored, :, 2] *= -1
    growth = s.sum(axis=1) - 3
    rotation = u @ vt
    energy = mu * ((s - 1) ** 2).sum(axis=1) + lam / 2 * growth**2

    def tangent() -> Array:
        found = _times(2 * mu, np.eye(9)) + _times(lam, _square(rotation, rotation))
        for k in range(3):
            twist = u @ _TWISTS[k] @ vt
            pair = s[:, (k + 1) % 3] + s[:, (k + 2) % 3]
            turn = 2 / np.where(np.abs(pair) < _LEAST_PAIR, _LEAST_PAIR, pair)
            found += _times((lam * growth - 2 * mu) * turn, _square(twist, twist))
        return found

    return energy, _times(2 * mu, f - rotation) + _times(lam * growth, rotation), tangent


LAWS: dict[str, Law] = {
    law.__name__: law for law in (stable_neo_hookean, stable_neo_hookean_core, st_venant_kirchhoff, corotational)
}

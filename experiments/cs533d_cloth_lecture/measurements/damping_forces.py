# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/damping_forces: linearity of damping along constraints,
and its power.

Pairs of triangles come in fives: one state with velocities u, w and 0.7 u − 1.3 w; the rest shape with u; and the
1.5-fold displacement with u."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows
from . import hinges
from .constraint_forces import constraint_of
from .squared_constraints import Constraint

M = Measures("cs533d_cloth_lecture/damping_forces")
FAMILY, FIRST, SECOND, BOTH, REST, FARTHER = 5, 0, 1, 2, 3, 4
SHARES, FACTOR = (0.7, -1.3), 1.5
FORCES = "damping_forces"


def states(trace: Trace) -> tuple[Array, Array, Array, Array]:
    """Corners at rest and at the start, velocities, damping forces: [families,5,4,3]."""
    found = hinges.start(trace, "positions", "velocities", FORCES)
    fields = trace.scene("rest_positions"), found["positions"], found["velocities"], found[FORCES]
    return tuple(np.asarray(f).reshape(-1, FAMILY, 4, 3) for f in fields)  # type: ignore[return-value]


def sizes(forces: Array) -> Array:
    """The largest force of a pair."""
    return np.asarray(np.linalg.norm(forces, axis=-1).max(axis=-1))


def _component(constraint: Constraint, k: int) -> Callable[[Array], Array]:
    return lambda x: np.asarray(constraint(x)[:, k])


def formula(trace: Trace) -> Array:
    """−k_d (∂C/∂x)ᵀ (∂C/∂x) v per pair, C by the analysis, ∂C/∂x by differences in extended precision."""
    rest, x, v, _ = (f.reshape(-1, 4, 3) for f in states(trace))
    constraint = constraint_of(trace, rest.astype(hinges.WIDE))
    is_bend = trace.method_name.startswith("hinges")
    coefficient = float(trace.value(f"method.parameters.{'bend' if is_bend else 'stretch'}_damping_s"))
    wide = x.astype(hinges.WIDE)
    slopes = [hinges.slopes(_component(constraint, k), wide) for k in range(constraint(wide).shape[1])]
    found = np.zeros(wide.shape, dtype=hinges.WIDE)
    for slope in slopes:
        rate = (slope * v).sum(axis=(1, 2))
        found -= coefficient * rate[:, None, None] * slope
    return np.asarray(found.astype(float).reshape(-1, FAMILY, 4, 3))


@quantity("|f + k_d (∂C/∂x)ᵀ Ċ| at a vertex / largest force of its pair, C from positions, Ċ = (∂C/∂x) v")
def _of_formula(trace: Trace) -> Array:
    given, right = states(trace)[3], formula(trace)
    return np.asarray(sizes(given - right) / sizes(right))


@quantity("|f(x, a u + b w) − a f(x, u) − b f(x, w)| / max(|f(x, u)|, |f(x, w)|)")
def _not_linear(trace: Trace) -> Array:
    _, x, v, f = states(trace)
    if not np.array_equal(x[:, FIRST], x[:, BOTH]):
        raise MissingData(f"{trace.label}: the first three of a family are no one state")
    mixed = SHARES[0] * f[:, FIRST] + SHARES[1] * f[:, SECOND]
    kept = np.abs(SHARES[0] * v[:, FIRST] + SHARES[1] * v[:, SECOND] - v[:, BOTH]).max()
    if kept > 1e-12:
        raise MissingData(f"{trace.label}: the third velocity is no combination of the first two")
    return np.asarray(sizes(f[:, BOTH] - mixed) / np.maximum(sizes(f[:, FIRST]), sizes(f[:, SECOND])))


@quantity("median over pairs of |f(X + 1.5 d) − f(X) − 1.5 (f(X + d) − f(X))| / |f(X + 1.5 d)|")
def _not_linear_in_positions(trace: Trace) -> float:
    f = states(trace)[3]
    straight = f[:, REST] + FACTOR * (f[:, FIRST] - f[:, REST])
    return float(np.median(sizes(f[:, FARTHER] - straight) / sizes(f[:, FARTHER])))


@quantity("Σf·v / Σ|f||v| of a pair, not positive if damping never adds energy")
def _power(trace: Trace) -> Array:
    _, _, v, f = states(trace)
    size = (np.linalg.norm(f, axis=-1) * np.linalg.norm(v, axis=-1)).sum(axis=-1)
    return np.asarray((f * v).sum(axis=(-1, -2)) / np.maximum(size, np.finfo(float).tiny))


@quantity("states of a run")
def _states(trace: Trace) -> float:
    return float(states(trace)[3].shape[0] * FAMILY)


KINDS = rows(says="springs, triangles, hinges of both forms")

M.largest("formula_difference", _of_formula, KINDS)
M.largest("nonlinear_in_velocity", _not_linear, KINDS)
M.least("nonlinear_in_position", _not_linear_in_positions, KINDS)
M.largest("power", _power, KINDS)
M.least("states", _states, KINDS)

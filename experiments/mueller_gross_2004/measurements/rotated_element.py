# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/rotated_element
([MG04] §2.3: a rotation leaves an element's condition as it is)."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, rows

M = Measures("mueller_gross_2004/rotated_element")


def element_stiffness(trace: Trace) -> Array:
    """V BᵀEB of the tetrahedron at rest, from its vertices (12×12, N/m)."""
    edges = np.vstack([trace.scene("rest_positions")[trace.scene("tetrahedra")[0]].T, np.ones(4)])
    gradients = np.linalg.inv(edges)[:, :3]
    e, nu = (trace.number(name) for name in ("young_modulus_pa", "poisson_ratio"))
    mu, lam = e / (2 * (1 + nu)), e * nu / ((1 + nu) * (1 - 2 * nu))
    stiffness = np.zeros((12, 12))
    for a, b in np.ndindex(4, 4):
        ga, gb = gradients[a], gradients[b]
        stiffness[3 * a : 3 * a + 3, 3 * b : 3 * b + 3] = (
            lam * np.outer(ga, gb) + mu * np.outer(gb, ga) + mu * (ga @ gb) * np.eye(3)
        )
    # Rows in the order of the vertices, not of the corners.
    order = np.argsort(trace.scene("tetrahedra")[0])
    rows = (3 * order[:, None] + np.arange(3)).reshape(-1)
    volume = abs(np.linalg.det(edges)) / 6
    return np.asarray(volume * stiffness[np.ix_(rows, rows)])


def condition(stiffness: Array) -> float:
    """Largest / seventh eigenvalue: six of a free element are zero."""
    values = np.linalg.eigvalsh(stiffness)
    return float(values[-1] / values[6])


def change(trace: Trace) -> Array:
    """|λ_max/λ_7 of a step's matrix without mass / that of the rest stiffness − 1|."""
    rest = condition(element_stiffness(trace))
    mass = np.repeat(trace.scene("masses"), 3)
    matrices = trace.values("step", "solved_matrix")[:, -1]
    return np.abs([condition(a - np.diag(mass)) / rest - 1 for a in matrices])


M.largest("condition_change", change, rows("warped", says="random shapes, warped steps"))
M.largest(
    "nonlinear_condition_change",
    change,
    rows("nonlinear", says="random shapes, Newton iterations of St. Venant–Kirchhoff"),
)

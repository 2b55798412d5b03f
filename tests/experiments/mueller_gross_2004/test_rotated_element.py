# SPDX-License-Identifier: BSD-3-Clause
"""The matrix of a step on one tetrahedron: one member of one cell is not the rotated stiffness."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from experiments.mueller_gross_2004.measurements import rotated_element as m

REST = np.array([[0.0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
MASSES = np.full(4, 0.04)


def linear_stiffness() -> np.ndarray:
    """By B and E in Voigt's notation, with engineering shears."""
    g = np.linalg.inv(np.vstack([REST.T, np.ones(4)]))[:, :3]
    b = np.zeros((6, 12))
    for k in range(4):
        x, y, z = g[k]
        b[:, 3 * k : 3 * k + 3] = [[x, 0, 0], [0, y, 0], [0, 0, z], [y, x, 0], [0, z, y], [z, 0, x]]
    lam, mu = 1e5 * 0.3 / (1.3 * 0.4), 1e5 / 2.6
    e = np.diag([2 * mu] * 3 + [mu] * 3)
    e[:3, :3] += lam
    return np.asarray(1e-3 / 6 * b.T @ e @ b)


def turned(stiffness: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    r = np.kron(np.eye(4), np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))
    return np.asarray(r @ stiffness @ r.T)


def write(folder: Path, name: str, noise: float, matrices: list[np.ndarray]) -> None:
    mass = np.diag(np.repeat(MASSES, 3))
    rows = np.stack([np.stack([np.full((12, 12), np.nan), mass + 1e-4 * k]) for k in matrices])
    method = "warped_fem" if name == "warped" else "implicit_fem"
    scene = {"young_modulus_pa": 1e5, "poisson_ratio": 0.3}
    arrays = {"rest_positions": REST, "tetrahedra": np.array([[0, 1, 2, 3]]), "masses": MASSES}
    step = {"solved_matrix": rows}
    run = f"mueller_gross_2004/rotated_element {method} {name}"
    write_trace(folder, run, swept={"noise_m": noise}, scene=scene, arrays=arrays, seeds=len(matrices), step=step)


def test_turned_matrices_keep_their_condition_and_one_other_member_is_found(tmp_path: Path) -> None:
    k = linear_stiffness()
    write(tmp_path, "warped", 0.0, [turned(k, 0.3), turned(k, 2.0)])
    assert number(tmp_path, "rotated_element.condition_change") < 1e-13
    stretched = k.copy()
    stretched[0, 0] *= 1.1
    write(tmp_path, "warped", 0.1, [k, stretched])
    expected = abs(m.condition(stretched) / m.condition(k) - 1)
    assert number(tmp_path, "rotated_element.condition_change") == pytest.approx(expected)


def test_the_judges_stiffness_is_that_of_strain_and_stress_in_six_components(tmp_path: Path) -> None:
    write(tmp_path, "nonlinear", 0.0, [linear_stiffness()])
    assert number(tmp_path, "rotated_element.nonlinear_condition_change") < 1e-12

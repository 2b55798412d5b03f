# SPDX-License-Identifier: BSD-3-Clause
"""Two tetrahedra, and the steps of warped stiffness that made-up traces hold; solved here, densely."""

from typing import Any

import numpy as np
from scipy.sparse.linalg import spsolve
from scipy.spatial.transform import Rotation

from deformbench_analysis.corotational import Body, State, step_matrix

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1.1, 0.9, 1.2]])
TETS = np.array([[0, 1, 2, 3], [1, 4, 2, 3]])
SCENE: dict[str, Any] = {
    "young_modulus_pa": 1000.0,
    "poisson_ratio": 0.3,
    "density_kg_m3": 10.0,
    "gravity_m_s2": [0, -9.81, 0],
    "time_step_s": 0.01,
}
ARRAYS = {"rest_positions": REST, "tetrahedra": TETS, "prescribed_vertices": np.array([0, 1])}


def turn(angle: float) -> np.ndarray:
    """Rotation about z; angle in rad."""
    return np.asarray(Rotation.from_euler("z", angle).as_matrix())


def body() -> Body:
    return Body.made(REST, TETS, SCENE["young_modulus_pa"], SCENE["poisson_ratio"])


def swing(steps: int, time_step: float, plastic: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """positions, velocities of every row: vertices 0 and 1 held, gravity, one linear solve per step;
    `plastic` [steps+1,m,6]."""
    elements, density, n = body(), SCENE["density_kg_m3"], len(REST)
    free = np.repeat(~np.isin(np.arange(n), ARRAYS["prescribed_vertices"]), 3)
    masses = elements.masses(density, n)[:, None]
    x, v = REST.copy(), np.zeros_like(REST)
    rows, speeds = [x], [v]
    for k in range(steps):
        a = step_matrix(elements, State(x, v, TETS), density, time_step).tocsc()
        force = elements.forces(x, plastic=None if plastic is None else plastic[k + 1]) + masses * np.array(
            SCENE["gravity_m_s2"]
        )
        v = np.zeros_like(x)
        v.reshape(-1)[free] = spsolve(a[free][:, free], (masses * speeds[-1] + time_step * force).ravel()[free])
        x = x + time_step * v
        rows.append(x)
        speeds.append(v)
    return np.array(rows), np.array(speeds)

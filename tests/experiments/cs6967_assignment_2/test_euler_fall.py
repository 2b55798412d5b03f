# SPDX-License-Identifier: BSD-3-Clause
"""Falls of made-up length: one vertex in one step of one run is elsewhere."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from measured import number, write_trace

G = np.array([0.0, -10.0, 0.0])
STEPS = (1e-3, 2e-3)
N = 5


def run(folder: Path, name: str, dt: float, off: float = 0.0) -> None:
    """`off`: of vertex 1 after three steps, in fifteenths of g Δt², which the whole fall of five steps is."""
    n = np.arange(N + 1)
    fall = dt**2 * n * (n + (1 if name == "symplectic" else -1)) / 2
    x = np.array([[3.0, 0, 0], [0, 2, 0]]) + fall[:, None, None] * G
    x[3, 1, 2] += off * 15 * dt**2 * 10.0
    scene = {"gravity_m_s2": list(G)}
    swept = {"time_step_s": dt}
    step = {"positions": x}
    write_trace(folder, f"cs6967_assignment_2/euler_fall explicit_fem {name}", swept=swept, scene=scene, step=step)


@pytest.mark.parametrize("name", ["symplectic", "forward"])
@pytest.mark.parametrize("worst", STEPS)
def test_one_vertex_in_one_step_of_one_run_is_off(tmp_path: Path, name: str, worst: float) -> None:
    for dt in STEPS:
        run(tmp_path, name, dt, -0.25 if dt == worst else 0.125)
    assert number(tmp_path, f"euler_fall.{name}_error") == pytest.approx(0.25)


@pytest.mark.parametrize("name", ["symplectic", "forward"])
def test_the_other_order_falls_otherwise(tmp_path: Path, name: str) -> None:
    """n g Δt² more or less: after five steps a third of the fall."""
    other = "forward" if name == "symplectic" else "symplectic"
    run(tmp_path, name, 1e-3)
    assert number(tmp_path, f"euler_fall.{name}_error") == pytest.approx(0.0, abs=1e-9)
    path = next((tmp_path / "cs6967_assignment_2/euler_fall").glob("*.h5"))
    n = np.arange(N + 1)
    with h5py.File(path, "a") as file:
        shift = (n if other == "symplectic" else -n) * 1e-6
        file["series/step/positions"][...] += shift[:, None, None] * G
    assert number(tmp_path, f"euler_fall.{name}_error") == pytest.approx(1 / 3, rel=1e-6)

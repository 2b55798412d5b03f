# SPDX-License-Identifier: BSD-3-Clause
"""A body whose energy is known: one frame of one run has another."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace
from single_elements import squared_frequencies

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1.1, 0.9, 1.2]])
TETS = np.array([[0, 1, 2, 3], [1, 4, 2, 3]])
YOUNG, POISSON, DENSITY = 1e5, 0.0, 6.0
VOLUME = 1 / 6 + 2.2 / 6
MASS = DENSITY * VOLUME
SEEDS = (1, 2, 3)


def run(
    folder: Path, name: str, seed: int, speeds: tuple[float, ...], status: str = "completed", dt: float = 1e-3
) -> None:
    """Stretched by 2 along x at first: V E/2 · (3/2)² with ν = 0; afterwards whole bodies with these speeds,
    at rest shape."""
    x = np.array([REST * [2, 1, 1], *(REST for _ in speeds)])
    v = np.zeros_like(x)
    v[1:, :, 1] = np.array(speeds)[:, None]
    write_trace(
        folder,
        f"cs6967_assignment_2/euler_block explicit_fem {name}",
        dt=0.5,
        swept={"seed": seed},
        scene={"young_modulus_pa": YOUNG, "poisson_ratio": POISSON, "density_kg_m3": DENSITY, "time_step_s": dt},
        status=status,
        arrays={"rest_positions": REST, "tetrahedra": TETS},
        frame={"positions": x, "velocities": v},
    )


START = VOLUME * YOUNG / 2 * 1.5**2
SAME = float(np.sqrt(2 * START / MASS))


@pytest.mark.parametrize("name", ["symplectic", "forward"])
@pytest.mark.parametrize("worst", SEEDS)
@pytest.mark.parametrize("ratio", [0.5, 1.5])
def test_one_frame_of_one_run_has_another_energy(tmp_path: Path, name: str, worst: int, ratio: float) -> None:
    for seed in SEEDS:
        factor = np.sqrt(ratio if seed == worst else 1.25)
        run(tmp_path, name, seed, (SAME, factor * SAME, SAME))
    assert number(tmp_path, f"euler_block.{name}_drift") == pytest.approx(0.5)
    if name == "forward":
        assert number(tmp_path, "euler_block.forward_drift_least") == pytest.approx(0.25)


def test_frequencies_are_those_of_a_dense_solve(tmp_path: Path) -> None:
    """K = −df/dx by differences of the linear forces of the same body; M has a quarter of each element per corner."""
    run(tmp_path, "symplectic", 1, (SAME,))
    squares = squared_frequencies(REST, TETS, YOUNG, POISSON, DENSITY)
    assert number(tmp_path, "euler_block.periods") == pytest.approx(0.5 * np.sqrt(squares[6]) / (2 * np.pi), rel=1e-6)
    assert number(tmp_path, "euler_block.turn") == pytest.approx(1e-3 * np.sqrt(squares[-1]), rel=1e-6)

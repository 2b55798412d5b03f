# SPDX-License-Identifier: BSD-3-Clause
"""A tetrahedron, a bar and bodies of a known material."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from experiments.macklin_mueller_2021.measurements import material as m

REST, ONE = np.vstack([np.zeros(3), np.eye(3)]), np.array([[0, 1, 2, 3]])
ARRAYS = {"rest_positions": REST, "tetrahedra": ONE}
YOUNG, RATIO = 260.0, 0.3  # μ = 100, λ = 150 Pa
LABEL = {"young_modulus_pa": YOUNG, "poisson_ratio": RATIO}
TURN = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])


def energy(f: np.ndarray) -> float:
    """Energy of a sixth of a cubic metre, J."""
    j = np.linalg.det(f) - 1
    return float(50 * (np.square(f).sum() - 3) + 125 * j**2 - 100 * j) / 6


def slopes(f: np.ndarray) -> np.ndarray:
    """Forces by central differences of the energy."""
    forces = np.zeros((4, 3))
    for a in range(4):
        for k in range(3):
            moved = [REST @ f.T for _ in range(2)]
            moved[0][a, k] += 1e-5
            moved[1][a, k] -= 1e-5
            up, down = (energy((x[1:] - x[0]).T) for x in moved)
            forces[a, k] = -(up - down) / 2e-5
    return forces


def posed(folder: Path, name: str, error: float = 0.0, push: float = 0.0) -> None:
    poses = [TURN @ np.diag([1.3, 0.8, 1.1]), np.diag([-0.7, 1.2, 1.0]) + 0.1 * np.ones((3, 3))]
    forces = np.stack([slopes(f) for f in poses])
    forces[1, 2, 0] += push * np.abs(forces).max()
    series = {
        "positions": np.stack([REST @ f.T for f in poses]),
        "elastic_energy": np.array([energy(f) for f in poses]) * [1.0, 1.0 + error],
        "elastic_forces": forces,
    }
    write_trace(folder, f"{m.ENERGY.experiment} any {name}", None, LABEL, arrays=ARRAYS, pose=series)


def test_the_pair_has_the_energy_and_the_forces_of_its_material(tmp_path: Path) -> None:
    posed(tmp_path, "pair")
    assert number(tmp_path, "pair_energy.energy_difference") < 1e-13
    assert number(tmp_path, "pair_energy.force_difference") < 1e-8  # differences over a millionth of the edges
    assert number(tmp_path, "pair_energy.other_energy_difference") > 0.01
    assert number(tmp_path, "pair_energy.inverted_share") == 0.5
    posed(tmp_path, "elements", error=1e-3, push=0.01)
    assert number(tmp_path, "pair_energy.energy_difference") == pytest.approx(1e-3 / (1 + 1e-3))
    assert number(tmp_path, "pair_energy.force_difference") == pytest.approx(0.01, rel=0.05)


@pytest.mark.parametrize("factor", [1.0, 1.2])
def test_the_energy_of_small_strains_is_that_of_linear_elasticity(tmp_path: Path, factor: float) -> None:
    strain = 1e-5 * np.array([[1.0, 0.5, 0], [0.5, -2.0, 0], [0, 0, 0.3]])
    f = np.stack([TURN @ (np.eye(3) + strain), np.eye(3) + 2 * strain])
    linear = (75 * np.trace(strain) ** 2 + 100 * np.square(strain).sum()) / 6
    series = {"positions": REST @ np.swapaxes(f, 1, 2), "elastic_energy": linear * np.array([1.0, 4.0 * factor])}
    write_trace(tmp_path, f"{m.STRAINS.experiment} xpbd pair", None, LABEL, arrays=ARRAYS, pose=series)
    assert number(tmp_path, "small_strains.energy_error") == pytest.approx(factor - 1, abs=1e-3)


@pytest.mark.parametrize("modulus,ratio", [(YOUNG, RATIO), (250.0, 0.32)])
def test_modulus_and_ratio_are_those_of_force_and_contraction(tmp_path: Path, modulus: float, ratio: float) -> None:
    rest = np.random.default_rng(3).uniform(size=(30, 3))
    end = rest * (1 + 1e-4 * np.array([1.0, -ratio - 0.01, -ratio + 0.01]))
    force = np.array([[0.0, 0, 0], [-modulus * 1e-4 * 0.2**2, 5.0, 5.0]])
    write_trace(
        tmp_path,
        f"{m.BAR.experiment} xpbd coupled",
        None,
        {**LABEL, "side_m": 0.2},
        arrays={"rest_positions": rest},
        frame={"positions": np.stack([rest, end])},
        step={"tip_elastic_force": force},
    )
    assert number(tmp_path, "labelled_bar.corrected_modulus_error") == pytest.approx(1 - modulus / YOUNG, abs=1e-9)
    assert number(tmp_path, "labelled_bar.corrected_poisson_error") == pytest.approx(ratio - RATIO, abs=1e-9)


def body(
    folder: Path,
    start: str,
    seed: int,
    f: np.ndarray,
    name: str = "coupled",
    substeps: int = 10,
    status: str = "completed",
) -> None:
    write_trace(
        folder,
        f"{m.STARTS.experiment} xpbd {name}",
        {"start": start, "seed": seed},
        parameters={"substeps": substeps},
        status=status,
        arrays=ARRAYS,
        frame={"positions": np.stack([REST, REST @ f.T])},
    )


def test_shares_are_those_of_bodies_back_in_shape_by_start(tmp_path: Path) -> None:
    for seed in range(4):
        for start in ("flat", "sphere", "mirrored"):
            body(tmp_path, start, seed, TURN @ np.diag([1.009, 1.0, 0.995]))
        body(tmp_path, "line", seed, np.zeros((3, 3)))
        body(tmp_path, "point", seed, np.eye(3) * (1.0 if seed == 0 else 1e-3))
    assert number(tmp_path, "collapsed_starts.share") == 0.0
    assert number(tmp_path, "collapsed_starts.spatial_share") == 1.0
    assert number(tmp_path, "collapsed_starts.share_of_lines_and_points") == 0.25
    body(tmp_path, "flat", 9, np.eye(3), substeps=1, status="diverged")
    body(tmp_path, "flat", 9, np.diag([1.0, 1.0, 1.02]), name="one_by_one")
    assert number(tmp_path, "collapsed_starts.spatial_share") == 1.0
    body(tmp_path, "mirrored", 9, np.diag([-1.0, 1.0, 1.0]))
    assert number(tmp_path, "collapsed_starts.spatial_share") == 0.8
    body(tmp_path, "mirrored", 8, np.eye(3), status="diverged")
    assert number(tmp_path, "collapsed_starts.spatial_share") == pytest.approx(4 / 6)

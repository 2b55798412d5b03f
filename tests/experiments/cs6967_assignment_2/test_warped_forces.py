# SPDX-License-Identifier: BSD-3-Clause
"""Warped forces of single elements: another rotation, or one corner that is off."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace
from single_elements import COUNT, SCENE, TETS, rest, turn, turned

from deformbench_analysis.corotational import Body, polar
from deformbench_analysis.mesh import deformation_gradients

NAME = "cs6967_assignment_2/warped_forces"


def gram_schmidt(gradients: np.ndarray) -> np.ndarray:
    """Rotations of a QR factorisation with a positive diagonal."""
    q, r = np.linalg.qr(gradients)
    return np.asarray(q * np.sign(np.diagonal(r, axis1=1, axis2=2))[:, None, :])


def forces(positions: np.ndarray, rotation=polar) -> np.ndarray:  # type: ignore[no-untyped-def]
    body = Body.made(rest(), TETS, SCENE["young_modulus_pa"], SCENE["poisson_ratio"])
    return body.forces(positions, rotation(deformation_gradients(rest(), TETS, positions)))


def write(folder: Path, name: str, given: list[np.ndarray], poses: list[np.ndarray]) -> None:
    pose = {"positions": np.array(poses), "elastic_forces": np.array(given)}
    arrays = {"rest_positions": rest(), "tetrahedra": TETS}
    write_trace(folder, f"{NAME} warped_fem {name}", scene=SCENE, arrays=arrays, pose=pose)


def write_all(folder: Path, off: dict[str, float] | None = None, rotation=polar) -> float:  # type: ignore[no-untyped-def]
    """All rows, two poses; one corner of the second is off by this share of the element's largest force,
    which is returned."""
    poses, size = [turned(5), turned(6)], 0.0
    for name in ("warped", "corotational_law"):
        given = [forces(x, rotation) for x in poses]
        size = float(np.linalg.norm(given[1][TETS[3]], axis=1).max())
        given[1][TETS[3, 2]] += [0, (off or {}).get(name, 0.0) * size, 0]
        write(folder, name, given, poses)
    write(folder, "warped_qr", [forces(x, gram_schmidt) for x in poses], poses)
    return size


def test_forces_with_the_polar_factor_have_all_properties(tmp_path: Path) -> None:
    write_all(tmp_path)
    assert number(tmp_path, "warped_forces.energy_difference") < 1e-8
    for what in ("stress_difference", "stiffness_difference", "torque"):
        assert number(tmp_path, f"warped_forces.{what}") < 1e-12, what
    assert number(tmp_path, "warped_forces.qr_torque") > 1e-3
    assert number(tmp_path, "warped_forces.whole_share") == 1
    assert number(tmp_path, "warped_forces.largest_rotation") > 1


def test_a_rotation_without_the_gradient_gives_other_forces_and_a_torque(tmp_path: Path) -> None:
    write_all(tmp_path)
    assert number(tmp_path, "warped_forces.best_fit_difference") > 1e-3
    assert number(tmp_path, "warped_forces.best_fit_torque") > 1e-3


@pytest.mark.parametrize("worst", ["warped", "corotational_law"])
def test_one_corner_of_one_element_is_found_in_either_row(tmp_path: Path, worst: str) -> None:
    off = {"warped": 1e-7, "corotational_law": 1e-7}
    off[worst] = 1e-4
    write_all(tmp_path, off)
    for what in ("energy_difference", "stress_difference", "stiffness_difference"):
        scale = 1 if what == "energy_difference" else max(1, np.abs([turned(5), turned(6)]).max())
        assert number(tmp_path, f"warped_forces.{what}") == pytest.approx(1e-4 / scale, rel=1e-3), what
    assert number(tmp_path, "warped_forces.torque") > 1e-7


def test_the_rotation_transposed_is_no_slope_of_the_energy(tmp_path: Path) -> None:
    write_all(tmp_path, rotation=lambda f: np.swapaxes(polar(f), 1, 2))
    assert number(tmp_path, "warped_forces.energy_difference") > 0.1
    assert number(tmp_path, "warped_forces.stress_difference") > 0.01


def test_an_inverted_element_is_left_out_and_counted(tmp_path: Path) -> None:
    x = turned(5)
    x[TETS[2, 3]] = 2 * x[TETS[2, :3]].mean(axis=0) - x[TETS[2, 3]]
    given = forces(x)
    given[TETS[2]] += 5.0
    for name in ("warped", "corotational_law"):
        write(tmp_path, name, [given], [x])
    assert number(tmp_path, "warped_forces.whole_share") == pytest.approx(1 - 1 / COUNT)
    assert number(tmp_path, "warped_forces.energy_difference") < 1e-8


def test_turns_are_rotations() -> None:
    r = turn(np.random.default_rng(1))
    assert r.T @ r == pytest.approx(np.eye(3), abs=1e-14) and np.linalg.det(r) == pytest.approx(1)

# SPDX-License-Identifier: BSD-3-Clause
"""Forces of single elements: one corner of one element of one pose is wrong, or every sign."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace
from single_elements import COUNT, SCENE, TETS, rest, turned

from deformbench_analysis.mesh import deformation_gradients, isotropic_stress, volumes

NAME = "cs6967_assignment_2/nodal_forces"


def forces(positions: np.ndarray, factor: float = 1.0) -> np.ndarray:
    """−V P ∇N with matrices inverted by numpy, strain `factor`/2 (FᵀF − I)."""
    x = rest()
    gradient = deformation_gradients(x, TETS, positions)
    strain = 0.5 * factor * (np.swapaxes(gradient, 1, 2) @ gradient - np.eye(3))
    stress = gradient @ isotropic_stress(strain, SCENE["young_modulus_pa"], SCENE["poisson_ratio"])
    corners = x[TETS]
    inverse = np.linalg.inv(np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2))
    slopes = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
    found = np.zeros_like(positions)
    found[TETS] = -np.einsum("m,mij,maj->mai", volumes(x, TETS), stress, slopes)
    return found


def write(
    folder: Path, field: str, positions: list[np.ndarray], given: list[np.ndarray], name: str = "explicit"
) -> None:
    pose = {"positions": np.array(positions), "elastic_forces": np.array(given)}
    arrays = {"rest_positions": rest(), "tetrahedra": TETS}
    swept = {"schedule.poses.field": field}
    write_trace(folder, f"{NAME} {name}_fem {name}", scene=SCENE, swept=swept, arrays=arrays, pose=pose)


def test_right_forces_are_the_slopes_of_the_energy_and_those_of_the_faces(tmp_path: Path) -> None:
    poses = [turned(5), turned(6, 0.2)]
    write(tmp_path, "random_turns", poses, [forces(x) for x in poses])
    for what in ("energy_difference", "surface_difference", "net_force", "torque"):
        assert number(tmp_path, f"nodal_forces.{what}") < 1e-12, what
    assert number(tmp_path, "nodal_forces.printed_sign_difference") == pytest.approx(2, rel=1e-12, abs=0)
    assert number(tmp_path, "nodal_forces.outward_difference") == pytest.approx(2, rel=1e-12, abs=0)
    assert number(tmp_path, "nodal_forces.elements") == COUNT
    assert number(tmp_path, "nodal_forces.strain") > 0.05


@pytest.mark.parametrize("worst", ["explicit", "implicit"])
def test_one_corner_of_one_element_in_one_pose_is_found(tmp_path: Path, worst: str) -> None:
    for name in ("explicit", "implicit"):
        poses = [turned(5), turned(6)]
        given = [forces(x) for x in poses]
        of_element = given[1][TETS[3]]
        size = float(np.linalg.norm(of_element, axis=1).max())
        given[1][TETS[3, 2]] += [0, 1e-5 * size if name == worst else 1e-8 * size, 0]
        write(tmp_path, "random_turns", poses, given, name)
    for what in ("energy_difference", "surface_difference"):
        assert number(tmp_path, f"nodal_forces.{what}") == pytest.approx(1e-5, rel=1e-6)
    assert 1e-7 < number(tmp_path, "nodal_forces.net_force") < 1e-5
    assert number(tmp_path, "nodal_forces.torque") > 1e-8


def test_the_strain_without_its_half_is_no_slope_of_the_energy(tmp_path: Path) -> None:
    x = turned(5)
    write(tmp_path, "random_turns", [x], [forces(x, factor=2.0)])
    assert number(tmp_path, "nodal_forces.energy_difference") == pytest.approx(1, rel=1e-9)


def test_one_enlarged_element_that_drives_itself_apart_is_found(tmp_path: Path) -> None:
    middle = np.repeat(rest()[TETS].mean(axis=1), 4, axis=0)
    x = middle + 1.01 * (rest() - middle)
    write(tmp_path / "right", "dilate", [x], [forces(x)])
    assert number(tmp_path / "right", "nodal_forces.enlarged_outward") < -0.1
    wrong = forces(x)
    wrong[TETS[4]] *= -1
    write(tmp_path / "wrong", "dilate", [x], [wrong])
    assert number(tmp_path / "wrong", "nodal_forces.enlarged_outward") > 0.1

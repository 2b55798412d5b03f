# SPDX-License-Identifier: BSD-3-Clause
"""Plastic forces of a made-up swing with flow: one force, and one step's strain, that do not fit are the error."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace
from small_bodies import ARRAYS, REST, SCENE, body, swing

from deformbench_analysis.corotational import rotation_angles

NAME = "mueller_gross_2004/plastic_forces"


def strains() -> np.ndarray:
    return np.linspace(0, 1, 21)[:, None, None] * np.array(
        [[0.02, -0.01, 0.03, 0.04, -0.02, 0.01], [-0.03, 0.02, 0.01, 0.02, 0.03, -0.05]]
    )


def write(folder: Path, plastic: np.ndarray | None = None, row: int | None = None, amount: float = 0.0) -> float:
    """Returns the largest force of all rows. `plastic`: what the trace says, while the swing had `strains`."""
    x, v = swing(20, 0.01, strains())
    said = strains() if plastic is None else plastic
    forces = np.array([body().forces(p, plastic=s) for p, s in zip(x, said)])
    scale = float(np.linalg.norm(forces, axis=-1).max())
    if row is not None:
        forces[row, 2, 1] += amount
    frame = {"positions": x, "velocities": v, "elastic_forces": forces, "element_plastic_strains": said}
    write_trace(folder, f"{NAME} warped_fem creep", scene=SCENE, arrays=ARRAYS, frame=frame)
    return scale


def test_forces_and_steps_with_the_plastic_force_of_eq_15_leave_rounding(tmp_path: Path) -> None:
    write(tmp_path)
    assert number(tmp_path, "plastic_forces.force_error") < 1e-13
    assert number(tmp_path, "plastic_forces.step_residual") < 1e-13
    volumetric = number(tmp_path, "plastic_forces.volumetric_share")
    assert number(tmp_path, "plastic_forces.plastic_share") > volumetric > 0.01
    assert number(tmp_path, "plastic_forces.rotation") > 0


@pytest.mark.parametrize("row", [0, 11, 20])
def test_one_force_of_one_row_is_the_error(tmp_path: Path, row: int) -> None:
    scale = write(tmp_path, row=row, amount=0.1)
    assert number(tmp_path, "plastic_forces.force_error") == pytest.approx(0.1 / scale, rel=1e-2)
    assert number(tmp_path, "plastic_forces.step_residual") < 1e-13


def test_a_step_that_used_another_strain_leaves_a_residual(tmp_path: Path) -> None:
    plastic = strains()
    plastic[9, 1] *= 1.5
    write(tmp_path, plastic)
    assert number(tmp_path, "plastic_forces.step_residual") > 1e-4
    assert number(tmp_path, "plastic_forces.force_error") < 1e-13


def test_a_shear_has_no_part_of_lambda(tmp_path: Path) -> None:
    plastic = strains()
    plastic[:, :, :3] = 0
    write(tmp_path, plastic)
    assert number(tmp_path, "plastic_forces.plastic_share") > 0.01
    assert number(tmp_path, "plastic_forces.volumetric_share") < 1e-12


def posed(folder: Path, name: str, poses: np.ndarray, plastic: np.ndarray) -> None:
    """Poses with plastic strains [row, 2, 6], at rest."""
    forces = np.array([body().forces(x, plastic=s) for x, s in zip(poses, plastic)])
    frame = {
        "positions": poses,
        "velocities": np.zeros_like(poses),
        "elastic_forces": forces,
        "element_plastic_strains": plastic,
    }
    write_trace(folder, f"{NAME} warped_fem {name}", scene=SCENE, arrays=ARRAYS, frame=frame)


def bent(size: float) -> np.ndarray:
    """A pose in which the two elements turn by different angles."""
    return np.asarray(REST + size * np.random.default_rng(3).standard_normal(REST.shape))


def test_the_share_of_plastic_forces_is_that_of_the_largest_row(tmp_path: Path) -> None:
    poses = np.array([bent(0.1), bent(0.2), bent(0.1)])
    flow = strains()[[5, 20, 10]]
    x, s = poses[1], flow[1]
    turn = body().rotations(x)
    without = body().forces(x, turn)
    expected = np.linalg.norm(body().forces(x, turn, plastic=s) - without, axis=1).max()
    posed(tmp_path, "creep", poses, flow * [[[0.01]], [[1]], [[0.01]]])
    assert number(tmp_path, "plastic_forces.plastic_share") == pytest.approx(
        expected / np.linalg.norm(without, axis=1).max()
    )


def test_the_rotation_is_the_largest_of_an_element_that_has_flowed(tmp_path: Path) -> None:
    poses = np.array([bent(0.0), bent(0.05), bent(0.2), bent(0.5)])
    angles = np.array([rotation_angles(body().rotations(x)) for x in poses])
    flow = strains()[[0, 20, 20, 0]].copy()
    posed(tmp_path, "creep", poses, flow)
    assert abs(angles[2, 0] - angles[2, 1]) > 1e-3 and angles[3].max() > angles[2].max()
    assert number(tmp_path, "plastic_forces.rotation") == pytest.approx(angles[2].max())
    less = int(angles[2].argmin())
    flow[2, 1 - less] = 0  # the one that turns farther has not flowed
    posed(tmp_path / "one", "creep", poses, flow)
    assert number(tmp_path / "one", "plastic_forces.rotation") == pytest.approx(max(angles[1].max(), angles[2].min()))

# SPDX-License-Identifier: BSD-3-Clause
"""Plastic forces of a made-up swing with flow: one force, and one step's strain, that do not fit are the error."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace
from small_bodies import ARRAYS, SCENE, body, swing, value

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
    write_trace(
        folder,
        NAME,
        "warped_fem",
        name="creep",
        scene=SCENE,
        arrays=ARRAYS,
        series={"frame": {"positions": x, "velocities": v, "elastic_forces": forces, "element_plastic_strains": said}},
    )
    return scale


def test_forces_and_steps_with_the_plastic_force_of_eq_15_leave_rounding(tmp_path: Path) -> None:
    write(tmp_path)
    assert (
        value(tmp_path, "plastic_forces.force_error") < 1e-13
        and value(tmp_path, "plastic_forces.step_residual") < 1e-13
    )
    assert value(tmp_path, "plastic_forces.plastic_share") > value(tmp_path, "plastic_forces.volumetric_share") > 0.01
    assert value(tmp_path, "plastic_forces.rotation") > 0


@pytest.mark.parametrize("row", [0, 11, 20])
def test_one_force_of_one_row_is_the_error(tmp_path: Path, row: int) -> None:
    scale = write(tmp_path, row=row, amount=0.1)
    assert value(tmp_path, "plastic_forces.force_error") == pytest.approx(0.1 / scale, rel=1e-2)
    assert value(tmp_path, "plastic_forces.step_residual") < 1e-13


def test_a_step_that_used_another_strain_leaves_a_residual(tmp_path: Path) -> None:
    plastic = strains()
    plastic[9, 1] *= 1.5
    write(tmp_path, plastic)
    assert (
        value(tmp_path, "plastic_forces.step_residual") > 1e-4 and value(tmp_path, "plastic_forces.force_error") < 1e-13
    )


def test_a_shear_has_no_part_of_lambda(tmp_path: Path) -> None:
    plastic = strains()
    plastic[:, :, :3] = 0
    write(tmp_path, plastic)
    assert value(tmp_path, "plastic_forces.plastic_share") > 0.01
    assert value(tmp_path, "plastic_forces.volumetric_share") < 1e-12

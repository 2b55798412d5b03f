# SPDX-License-Identifier: BSD-3-Clause
"""Deformation gradients: one entry of one element is off, by more than its shape excuses."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace
from single_elements import COUNT, SCENE, TETS, rest, turned

from experiments.cs6967_assignment_2.measurements import elements as el
from deformbench_analysis.mesh import deformation_gradients

EPSILON = 2.0**-52


def write(
    folder: Path,
    experiment: str,
    points: np.ndarray,
    off: dict[str, np.ndarray],
    names: tuple[str, ...] = ("explicit",),
) -> None:
    """Two poses; what is `off` of a row is added to the gradients of the second."""
    poses = [turned(5), turned(6, 0.3)]
    for name in names:
        given = np.array([deformation_gradients(points, TETS, x) for x in poses])
        given[1] += off.get(name, 0)
        pose = {"positions": np.array(poses), "deformation_gradients": given.reshape(2, -1, 9)}
        arrays = {"rest_positions": points, "tetrahedra": TETS}
        write_trace(
            folder, f"cs6967_assignment_2/{experiment} {name}_fem {name}", scene=SCENE, arrays=arrays, pose=pose
        )


@pytest.mark.parametrize("experiment", ["deformation_gradients", "bent_gradients"])
def test_right_gradients_are_exact_to_rounding(tmp_path: Path, experiment: str) -> None:
    write(tmp_path, experiment, rest(), {})
    assert number(tmp_path, f"{experiment}.error") < 3


@pytest.mark.parametrize("experiment", ["deformation_gradients", "bent_gradients"])
@pytest.mark.parametrize("worst", ["explicit", "implicit"])
def test_one_entry_is_judged_by_condition_and_size(tmp_path: Path, experiment: str, worst: str) -> None:
    off = {name: np.zeros((COUNT, 3, 3)) for name in ("explicit", "implicit")}
    off["explicit"][2, 0, 1] = off["implicit"][2, 0, 1] = 1e-12
    off[worst][4, 1, 2] = 1e-9
    write(tmp_path, experiment, rest(), off, ("explicit", "implicit"))
    x = rest()
    condition = el.conditions(x, TETS)[4]
    size = np.linalg.norm(deformation_gradients(x, TETS, turned(6, 0.3))[4])
    assert number(tmp_path, f"{experiment}.error") == pytest.approx(1e-9 / (EPSILON * condition * size), rel=1e-4)


def test_a_sliver_is_excused_its_condition_and_no_more(tmp_path: Path) -> None:
    flat = rest()
    flat[TETS[1, 3]] = flat[TETS[1, 0]] + [0, 0, 1e-5]
    write(tmp_path, "deformation_gradients", flat, {})
    assert number(tmp_path, "deformation_gradients.largest_condition") > 1e4
    assert number(tmp_path, "deformation_gradients.error") < 10
    assert number(tmp_path, "deformation_gradients.elements") == COUNT


def test_the_inverse_transposed_is_far_off(tmp_path: Path) -> None:
    tilted = rest() @ np.array([[1, 0.4, 0], [0, 1, 0.3], [0, 0, 1.0]])
    write(tmp_path, "deformation_gradients", tilted, {})
    assert number(tmp_path, "deformation_gradients.transposed_error") > 1e10


def test_gradients_that_are_all_one_have_no_spread(tmp_path: Path) -> None:
    same = deformation_gradients(rest(), TETS, turned(6, 0.3))
    write(tmp_path, "bent_gradients", rest(), {"explicit": np.eye(3) - same})
    assert number(tmp_path, "bent_gradients.spread") < 1e-12
    write(tmp_path / "other", "bent_gradients", rest(), {})
    assert number(tmp_path / "other", "bent_gradients.spread") > 0.1


def test_the_surface_integral_needs_no_order_of_the_corners() -> None:
    x, now = rest(), turned(7, 0.3)
    expected = el.gradients(x, TETS, now).astype(float)
    for order in ([0, 1, 2, 3], [1, 2, 0, 3], [3, 1, 0, 2], [1, 0, 2, 3]):
        assert el.surface_gradients(x, TETS[:, order], now).astype(float) == pytest.approx(expected, rel=1e-13, abs=0)

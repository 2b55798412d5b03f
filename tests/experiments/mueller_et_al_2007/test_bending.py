# SPDX-License-Identifier: BSD-3-Clause
"""Bending beside stretching: pairs of triangles of which one member or run is off,
and the pairs of runs of a bag of cloth."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

NAME = "bending_independence."


def pair(
    folder: Path,
    name: str,
    fold: float,
    lifts: list[float],
    *,
    strain: float = 0.3,
    change: float = 0.0,
    edge: float = 1.0,
) -> None:
    """Members whose pair is strained in the planes of its triangles;
    a step lifts the third vertex of each by another height."""
    rest = np.array([[0.0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0.5, -np.cos(fold), np.sin(fold)]])
    strained = rest.copy()
    strained[2, :2] = 0.6, 1.2
    x = np.tile(strained, (len(lifts), 2, 1, 1))
    x[:, 1, 2, 2] += lifts
    swept = {"rest_fold_rad": fold, "in_plane_strain": strain, "fold_change_rad": change}
    arrays = {"rest_positions": rest}
    scene = {"edge_m": edge}
    frame = {"positions": x}
    write_cell(folder, "bending_independence", name, swept, scene=scene, arrays=arrays, frame=frame, seeds=len(lifts))


@pytest.mark.parametrize("row", ["signed", "printed"])
def test_the_angle_and_movement_of_one_member_of_one_strained_run_are_found(tmp_path: Path, row: str) -> None:
    pair(tmp_path, row, 0.0, [0.0, 0.12, 0.05], edge=0.5)
    pair(tmp_path, row, 0.5, [0.0, -0.3, 0.1], edge=0.5)
    pair(tmp_path, row, 0.7, [0.01, 0.2, 0.0], edge=0.5)
    pair(tmp_path, row, 0.5, [9.0, 9.0, 9.0], strain=0.0, change=0.02)  # not strained
    pair(tmp_path, "printed" if row == "signed" else "signed", 0.0, [0.6, 0.6, 0.6])
    found = value_of(tmp_path, f"{NAME}{row}_angle_change")
    assert found.value == pytest.approx(np.arctan(0.3 / 1.2)) and "rest_fold_rad=0.5" in found.note
    assert number(tmp_path, f"{NAME}{row}_movement") == pytest.approx(0.6)


def test_a_single_run_without_members_is_read_as_well(tmp_path: Path) -> None:
    x = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0]]] * 2)
    x[1, 3, 2] = 0.25
    frame = {"positions": x}
    scene = {"edge_m": 1.0}
    write_cell(tmp_path, "bending_independence", "signed", {"in_plane_strain": 0.3}, scene=scene, frame=frame)
    assert number(tmp_path, NAME + "signed_movement") == pytest.approx(0.25)


def test_the_movement_across_is_the_median_of_all_members_and_runs(tmp_path: Path) -> None:
    pair(tmp_path, "diagonal", 0.0, [0.1, 0.5, 0.2])
    pair(tmp_path, "diagonal", 0.5, [0.3, 0.9])
    assert number(tmp_path, NAME + "diagonal_movement") == pytest.approx(0.3)


def test_the_movement_of_a_vertex_is_the_largest_of_the_four(tmp_path: Path) -> None:
    x = np.tile(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0]]), (2, 2, 1, 1))
    x[1, 1] += [[0, 0, 0.01], [0.03, 0, 0.04], [0, 0.02, 0], [0, 0, 0]]
    frame = {"positions": x}
    scene = {"edge_m": 0.5}
    write_cell(
        tmp_path, "bending_independence", "diagonal", {"in_plane_strain": 0.3}, scene=scene, frame=frame, seeds=2
    )
    assert number(tmp_path, NAME + "diagonal_movement") == pytest.approx(0.05)  # 0 and 0.1 in the middle


def test_the_strain_per_radian_is_that_of_the_worst_edge_of_the_worst_member(tmp_path: Path) -> None:
    rest = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, -2, 0]])
    x = np.tile(rest, (3, 2, 1, 1))
    for member, shift in enumerate((0.002, 0.01, 0.004)):
        x[member, 1, 3, 1] += shift  # the edge 0–3 becomes shorter by half of it
    write_cell(tmp_path, "bending_independence", "signed", {"fold_change_rad": 0.01}, frame={"positions": x}, seeds=3)
    assert number(tmp_path, NAME + "edge_strain_per_radian") == pytest.approx(0.5)


def bag(
    folder: Path,
    stretch: float,
    bend: float,
    strain: float,
    *,
    name: str = "pbd",
    mean: float = 0.0,
    angle: float = 1.0,
    status: str = "completed",
) -> None:
    """Twenty rows, the second ten a bounce about the mean that is told, with ends that have no weight."""

    def course(mean: float) -> np.ndarray:
        bounce = mean * (1 + np.array([-0.9, -0.5, -0.3, -0.1, 0.1, 0.3, 0.5, 0.9]))
        return np.concatenate([[9.0, 0.001] * 5, [77.0], bounce, [77.0]])

    step = {"edge_strain_rms": course(strain), "edge_strain_mean": course(mean)}
    step["bend_angle_error_mean"] = course(angle)
    swept = {"method.parameters.stretch_stiffness": stretch, "method.parameters.bend_stiffness": bend}
    write_cell(folder, "cloth_bag", name, swept, status=status, step=step)


def bags(folder: Path) -> None:
    """k_stretch: strains with and without bending, mean strains, and errors of the angles."""
    for stretch, strains, means, angles in (
        (0.01, (0.3, 0.2), (0.02, 0.01), (0.1, 0.5)),
        (0.5, (0.1, 0.2), (0.01, 0.05), (0.1, 0.3)),
        (1.0, (0.06, 0.05), (0.01, 0.03), (0.1, 0.4)),
    ):
        for k, bend in enumerate((1.0, 0.0)):
            bag(folder, stretch, bend, strains[k], mean=means[k], angle=angles[k])


def test_a_bags_strains_and_angles_are_compared_with_and_without_bending(tmp_path: Path) -> None:
    bags(tmp_path)
    expected = {
        "strain_change": 0.04,
        "relative_strain_change": 0.5,
        "softest_swing": 77.0 / 0.2,
        "softest_strain_ratio": 1.5,
        "angle_ratio": 3.0,
        "stretch_ratio": 0.3 / 0.06,
    }
    assert {k: number(tmp_path, "cloth_bag." + k) for k in expected} == pytest.approx(expected)


def test_the_largest_change_may_be_up_or_down(tmp_path: Path) -> None:
    bags(tmp_path)
    bag(tmp_path, 0.2, 1.0, 0.6)
    bag(tmp_path, 0.2, 0.0, 0.2)
    found = value_of(tmp_path, "cloth_bag.relative_strain_change")
    assert found.value == pytest.approx(2.0) and found.note == "k_stretch = 0.2, mean"


def test_a_bag_that_bounces_is_judged_by_its_peak_too(tmp_path: Path) -> None:
    for bend, swing in ((1.0, 0.15), (0.0, 0.0)):
        course = np.concatenate([np.full(401, 9.0), 0.3 + swing * np.cos(8 * np.pi * np.linspace(0, 1, 401))])
        at = {"method.parameters.stretch_stiffness": 0.01, "method.parameters.bend_stiffness": bend}
        write_cell(tmp_path, "cloth_bag", "pbd", at, step={"edge_strain_rms": course})
    found = value_of(tmp_path, "cloth_bag.relative_strain_change")
    assert found.value == pytest.approx(0.5, rel=1e-3) and found.note == "k_stretch = 0.01, peak"
    assert number(tmp_path, "cloth_bag.softest_swing") == pytest.approx(1.5, rel=1e-3)


def test_a_bounce_of_one_period_is_taken_out_of_a_bags_strain_but_for_half_of_it(tmp_path: Path) -> None:
    """Over one period the mean of cos weighted by sin² is −1/2; over two it is 0."""
    for periods, left in ((1, -0.5), (2, 0.0)):
        course = np.concatenate([np.full(401, 9.0), 0.3 + 0.1 * np.cos(2 * np.pi * periods * np.linspace(0, 1, 401))])
        write_cell(tmp_path / str(periods), "cloth_bag", "forward", {}, step={"edge_strain_rms": course})
        assert number(tmp_path / str(periods), "cloth_bag.forward_strain") == pytest.approx(0.3 + 0.1 * left, abs=1e-9)


def test_the_strain_at_rest_is_that_of_the_worst_run_and_infinite_of_one_that_did_not_complete(tmp_path: Path) -> None:
    for stretch, strain in ((0.01, 0.2), (0.5, 0.4), (1.0, 0.3)):
        bag(tmp_path, stretch, 1.0, strain, name="forward")
    bag(tmp_path, 1.0, 1.0, 7.0, name="pbd")
    found = value_of(tmp_path, "cloth_bag.forward_strain")
    assert found.value == pytest.approx(0.4) and "stretch_stiffness=0.5" in found.note
    for k, status in enumerate(("diverged", "failed")):
        folder = tmp_path / status
        bag(folder, 0.01, 1.0, 0.1, name="forward")
        bag(folder, 0.2, 1.0, 0.1, name="forward", status=status)
        assert number(folder, "cloth_bag.forward_strain") == np.inf


def test_pairs_of_runs_say_nothing_where_one_did_not_complete(tmp_path: Path) -> None:
    bags(tmp_path)
    bag(tmp_path, 0.001, 1.0, 9.0, status="diverged")
    bag(tmp_path, 0.001, 0.0, 9.0)
    said = "stretch_stiffness=0.001, bend_stiffness=1): diverged"
    names = "strain_change relative_strain_change softest_swing softest_strain_ratio angle_ratio stretch_ratio"
    for name in names.split():
        assert said in value_of(tmp_path, f"cloth_bag.{name}").note

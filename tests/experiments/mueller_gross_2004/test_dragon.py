# SPDX-License-Identifier: BSD-3-Clause
"""The dragon that is heated and the one that is pulled apart on made-up runs: one element,
one frame or one row is off."""

import math
from pathlib import Path

import h5py
import numpy as np
import pytest
from cut_surfaces import cut_trace
from measured import number, value_of, write_trace

HEAT, PULL = "mueller_gross_2004/dragon_heat", "mueller_gross_2004/dragon_pull"
PATH = "mueller_gross_2004/dragon_heat_path"


def write_pull(folder: Path, splits: list[int], condition: list[float]) -> None:
    operator = {"condition_number": np.array(condition), "operator_converged": np.ones(len(condition))}
    write_trace(folder, f"{PULL} warped_fem", step={"split_count": np.array(splits)}, operator=operator)


def test_the_dragon_counts_up_to_its_first_split_and_beyond_it_elsewhere(tmp_path: Path) -> None:
    write_pull(tmp_path, [0, 0, 0, 2], [100.0, 110.0, 105.0, 300.0])
    assert number(tmp_path, "dragon_pull.condition_change") == pytest.approx(0.1)
    assert number(tmp_path, "dragon_pull.condition_change_broken") == pytest.approx(2.0)


def test_cold_flow_is_seen_in_one_element_and_an_element_once_heated_is_not_cold(tmp_path: Path) -> None:
    heated = np.array([[0, 1, 0], [0, 0, 0]])  # element 1 was hot in the first frame only
    for name, cold in (("printed", 0.004), ("control", 0.3)):
        strain = np.zeros((2, 3, 6))
        strain[1, 1, 0], strain[1, 2, 5] = 0.7, cold
        frame = {"heated_elements": heated, "element_plastic_strains": strain}
        write_trace(tmp_path, f"{HEAT} warped_fem {name}", parameters={"plastic_yield": 0.1}, frame=frame)
    assert number(tmp_path, "dragon_heat.plastic_strain_cold") == pytest.approx(0.004 * math.sqrt(2))
    assert number(tmp_path, "dragon_heat.control_plastic_strain_cold") == pytest.approx(0.3 * math.sqrt(2))
    assert number(tmp_path, "dragon_heat.plastic_strain_hot") == pytest.approx(0.7)
    assert number(tmp_path, "dragon_heat.heated_share") == pytest.approx(1 / 3)


def write_heat(
    folder: Path, heated: list[list[int]], strain: dict[tuple[int, int, int], float], name: str = "printed"
) -> None:
    """`strain`: (frame, element, component) → plastic strain."""
    values = np.zeros((len(heated), len(heated[0]), 6))
    for at, of in strain.items():
        values[at] = of
    frame = {"heated_elements": np.array(heated), "element_plastic_strains": values}
    write_trace(folder, f"{HEAT} warped_fem {name}", parameters={"plastic_yield": 0.1}, frame=frame)


def test_a_plastic_strain_is_the_norm_of_its_tensor_at_the_end(tmp_path: Path) -> None:
    strain = {
        (1, 0, 0): 9.0,
        (2, 0, 0): 0.3,
        (2, 0, 1): 0.4,
        (2, 1, 3): 0.1,
        (2, 2, 0): 0.6,
        (2, 2, 1): 0.8,
        (2, 3, 0): 0.2,
    }
    for name in ("printed", "control"):
        write_heat(tmp_path, [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]], strain, name)
    assert number(tmp_path, "dragon_heat.plastic_strain_cold") == pytest.approx(0.5)
    assert number(tmp_path, "dragon_heat.control_plastic_strain_cold") == pytest.approx(0.5)
    assert number(tmp_path, "dragon_heat.plastic_strain_hot") == pytest.approx(1.0)
    assert number(tmp_path, "dragon_heat.heated_share") == pytest.approx(0.5)
    assert number(tmp_path, "dragon_heat.cold_yield") == pytest.approx(0.1)


def test_a_body_that_is_hot_all_over_or_nowhere_says_nothing_about_the_other_part(tmp_path: Path) -> None:
    for name in ("printed", "control"):
        write_heat(tmp_path / "hot", [[1, 0], [0, 1]], {(1, 0, 0): 0.5}, name)
        write_heat(tmp_path / "cold", [[0, 0], [0, 0]], {(1, 0, 0): 0.5}, name)
    for quantity in ("plastic_strain_cold", "control_plastic_strain_cold"):
        assert "every element was heated" in value_of(tmp_path / "hot", f"dragon_heat.{quantity}").note
    assert "no element was heated" in value_of(tmp_path / "cold", "dragon_heat.plastic_strain_hot").note


def test_splits_and_parts_of_the_dragon_are_those_of_its_end(tmp_path: Path) -> None:
    step = {
        "split_count": np.array([0, 3, 7]),
        "component_count": np.array([1, 5, 4]),
        "skin_piece_count": np.array([1, 6, 3]),
    }
    write_trace(tmp_path, f"{PULL} warped_fem", step=step)
    assert number(tmp_path, "dragon_pull.splits") == 7 and number(tmp_path, "dragon_pull.components") == 4
    assert number(tmp_path, "dragon_pull.skin_pieces") == 3


def test_open_edges_of_the_dragon_are_those_of_its_worst_step(tmp_path: Path) -> None:
    cut_trace(tmp_path, PULL, ("whole", "apart", "apart"), step={"skin_boundary_edges": [0, 6, 2]})
    assert number(tmp_path, "dragon_pull.open_edges") == 6


def write_path(folder: Path, heated: list[int], strains: list[float], every: int = 1) -> None:
    """Four tetrahedra that move 1 m in x per step, their centroids at x = 0, 10, 20, 30 at the start; a ball of 2.5 m
    that goes from x = 10 to 14 in 4 steps, so that of the moving bodies it contains the second alone, of bodies at
    rest the same in its first steps only."""
    corners = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    rest = np.concatenate([corners + [10.0 * k, 0, 0] for k in range(4)])
    values = np.zeros((5, 4, 6))
    values[-1, :, 0] = strains
    frame = {
        "positions": np.array([rest + [float(k), 0, 0] for k in range(5)]),
        "heated_elements": np.tile(heated, (5, 1)),
        "element_plastic_strains": values,
    }
    scene = {
        "heat_radius_m": 2.5,
        "heat_from_m": [10.0, 0, 0],
        "heat_to_m": [14.0, 0, 0],
        "heat_start_s": 0.0,
        "heat_travel_s": 4.0,
    }
    arrays = {"rest_positions": rest, "tetrahedra": np.arange(16).reshape(4, 4)}
    path = write_trace(folder, f"{PATH} warped_fem printed", dt=1.0, scene=scene, arrays=arrays, frame=frame)
    with h5py.File(path, "a") as file:
        file["series/frame/step"][...] *= every


def test_touched_is_what_the_balls_path_contains_of_the_moving_mesh(tmp_path: Path) -> None:
    write_path(tmp_path, [0, 1, 0, 0], [0, 0.3, 0, 0])
    names = ("plastic_strain_untouched", "plastic_strain_touched", "flag_mismatches")
    assert [number(tmp_path, f"dragon_heat_path.{n}") for n in names] == pytest.approx([0, 0.3, 0], abs=1e-15)
    assert value_of(tmp_path, "dragon_heat_path.plastic_strain_untouched").note == "1 of 4 elements touched"
    write_path(tmp_path / "wide", [0, 1, 1, 0], [0, 0.3, 0.2, 0])  # heated beyond the ball, and it flows
    assert [number(tmp_path / "wide", f"dragon_heat_path.{n}") for n in names] == pytest.approx([0.2, 0.3, 1])


def test_touched_needs_the_frames_of_every_step(tmp_path: Path) -> None:
    write_path(tmp_path, [0, 1, 0, 0], [0, 0.3, 0, 0], every=2)
    assert "frames of every step are needed" in value_of(tmp_path, "dragon_heat_path.plastic_strain_untouched").note

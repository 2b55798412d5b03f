# SPDX-License-Identifier: BSD-3-Clause
"""The snake and the wax that melts on made-up runs: one element of one frame or one row is off."""

from pathlib import Path

import numpy as np
import pytest
from made_up_runs import CORNERS
from measured import number, value_of, write_trace

SNAKE, COW = "mueller_gross_2004/snake", "mueller_gross_2004/cow"
SIZES = "mueller_gross_2004/cow_sizes"
MANY = 200  # tetrahedra, so that one inverted element is half a per cent


def stack(scale: tuple[float, float, float], inverted: int) -> np.ndarray:
    """MANY separate tetrahedra, scaled; the last `inverted` of them mirrored in x."""
    points = np.concatenate([CORNERS + [3.0 * k, 0, 0] for k in range(MANY)]) * scale
    for k in range(MANY - inverted, MANY):
        own = points[4 * k : 4 * k + 4]
        own[:, 0] = 2 * own[0, 0] - own[:, 0]
    return points


def write_cow(
    folder: Path,
    name: str,
    frames: list[tuple[tuple[float, float, float], int]],
    condition: list[float] | None = None,
    status: str = "completed",
    length: float | None = None,
) -> None:
    series = {"frame": {"positions": np.array([stack(*f) for f in frames])}}
    if condition:
        series["operator"] = {"condition_number": np.array(condition), "operator_converged": np.ones(len(condition))}
    at = {} if length is None else {"length_m": length}
    arrays = {"rest_positions": stack((1, 1, 1), 0), "tetrahedra": np.arange(4 * MANY).reshape(-1, 4)}
    run = f"{COW if length is None else SIZES} warped_fem {name}"
    write_trace(folder, run, status=status, series=series, swept=at, arrays=arrays)


WHOLE = ((1.0, 1.0, 1.0), 0)


def test_height_counts_while_the_body_has_its_volume_and_its_elements(tmp_path: Path) -> None:
    # Half as high: spread sidewards with its volume; then flat without it; then the volume is back,
    # which counts no more.
    write_cow(tmp_path, "printed", [WHOLE, ((1.0, 0.7, 1.3), 0), ((1.0, 0.75, 1.0), 0), ((1.0, 0.1, 10.0), 0)])
    write_cow(
        tmp_path, "corrected", [WHOLE, ((1.0, 0.9, 1.1), 2), ((1.0, 0.5, 2.0), 3)]
    )  # 1 % is allowed, 1.5 % is not
    assert number(tmp_path, "cow.sound_height_loss") == pytest.approx(0.3)
    assert number(tmp_path, "cow.corrected_sound_height_loss") == pytest.approx(0.1)
    assert number(tmp_path, "cow.sound_time_s") == pytest.approx(0.01)
    assert number(tmp_path, "cow.corrected_sound_time_s") == pytest.approx(0.01)
    assert number(tmp_path, "cow.corrected_inverted_share") == pytest.approx(0.015)
    assert number(tmp_path, "cow.inverted_share") == 0.0


def test_a_body_that_stays_sound_counts_its_largest_loss_and_rise(tmp_path: Path) -> None:
    write_cow(tmp_path, "printed", [WHOLE, ((1.0, 0.5, 2.0), 0), ((1.0, 0.6, 2.0), 0)])
    assert number(tmp_path, "cow.sound_height_loss") == pytest.approx(0.5)
    assert number(tmp_path, "cow.sound_time_s") == pytest.approx(0.02)
    assert number(tmp_path, "cow.height_rise") == pytest.approx(0.1)


def test_only_sizes_that_stay_sound_to_the_end_have_melted(tmp_path: Path) -> None:
    write_cow(tmp_path, "printed", [WHOLE, ((1.0, 0.9, 1.1), 2)], length=0.02)
    write_cow(tmp_path, "printed", [WHOLE, ((1.0, 0.6, 1.6), 0), ((1.0, 0.3, 1.0), 0)], length=0.1)  # crushed later
    write_cow(tmp_path, "printed", [WHOLE, ((1.0, 0.5, 2.0), 3)], length=0.4)  # inside out
    assert number(tmp_path, "cow_sizes.printed_melted_loss") == pytest.approx(0.1)
    assert value_of(tmp_path, "cow_sizes.printed_melted_loss").note.startswith("1 of 3 sizes stay sound")
    assert number(tmp_path, "cow_sizes.printed_passing_loss") == pytest.approx(0.4)
    assert number(tmp_path, "cow_sizes.printed_largest_sound_m") == 0.02
    write_cow(tmp_path, "corrected", [WHOLE, ((1.0, 0.5, 1.0), 0)], length=0.1)
    assert number(tmp_path, "cow_sizes.corrected_melted_loss") == 0
    assert number(tmp_path, "cow_sizes.corrected_largest_sound_m") == 0
    write_cow(tmp_path, "corrected", [WHOLE, ((1.0, 0.5, 2.0), 0)], length=0.2)
    assert number(tmp_path, "cow_sizes.corrected_melted_loss") == pytest.approx(0.5)
    write_cow(tmp_path, "printed", [WHOLE], status="diverged", length=0.05)
    assert value_of(tmp_path, "cow_sizes.printed_melted_loss").value is None


def test_one_row_of_one_rule_decides_the_change_of_the_condition_number(tmp_path: Path) -> None:
    write_cow(tmp_path, "printed", [WHOLE], [100.0, 104.0, 101.0])
    write_cow(tmp_path, "corrected", [WHOLE], [200.0, 140.0, 199.0])
    assert number(tmp_path, "cow.condition_change") == pytest.approx(0.3)
    assert "-30 %" in value_of(tmp_path, "cow.condition_change").note


def test_what_is_left_at_the_end_is_said_with_the_time_up_to_which_the_body_was_sound(tmp_path: Path) -> None:
    write_cow(tmp_path, "printed", [WHOLE, ((1.0, 0.7, 1.3), 1), ((2.0, 0.4, 1.0), 3)])
    assert value_of(tmp_path, "cow.sound_height_loss").note == (  # 2 · 0.4 · (197 − 3)/200
        "sound until 0.01 s; at the end (0.02 s) height loss 0.6, V/V0 0.776, 1.5 % inverted"
    )
    assert number(tmp_path, "cow.inverted_share") == pytest.approx(0.015)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_a_body_without_finite_positions_is_not_sound(tmp_path: Path) -> None:
    write_cow(tmp_path, "printed", [WHOLE, ((1.0, 0.9, 1.1), 0), ((1.0, float("nan"), 1.0), 0)])
    write_cow(tmp_path, "corrected", [((1.0, 1.0, 1.0), 200), WHOLE])
    assert number(tmp_path, "cow.sound_height_loss") == pytest.approx(0.1)
    assert number(tmp_path, "cow.sound_time_s") == pytest.approx(0.01)
    assert number(tmp_path, "cow.inverted_share") == 1.0
    assert "not sound at the start" in value_of(tmp_path, "cow.corrected_sound_height_loss").note
    assert number(tmp_path, "cow.corrected_sound_time_s") == 0.0


def test_rows_of_the_wax_are_those_of_the_worst_strain_and_of_the_last_volume(tmp_path: Path) -> None:
    for name, end in (("printed", 1.0), ("corrected", 1.5)):
        step = {
            "volume": np.array([2.0, 9.0, 0.1, end]),
            "plastic_strain_max": np.array([0.0, 3.0 * end, 7.0 * end, 1.0]),
        }
        write_trace(tmp_path, f"{COW} warped_fem {name}", step=step)
    assert number(tmp_path, "cow.plastic_strain_max") == pytest.approx(7.0)
    assert number(tmp_path, "cow.volume_ratio") == pytest.approx(0.5)
    assert number(tmp_path, "cow.corrected_volume_ratio") == pytest.approx(0.75)


def turned(degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).ravel()


def write_snake(folder: Path, angles: list[list[float]], volume: list[float], condition: list[float]) -> None:
    operator = {"condition_number": np.array(condition), "operator_converged": np.ones(len(condition))}
    frame = {"rotations": np.array([[turned(a) for a in row] for row in angles])}
    write_trace(folder, f"{SNAKE} warped_fem", frame=frame, step={"volume": np.array(volume)}, operator=operator)


def test_one_element_of_one_frame_has_the_largest_rotation(tmp_path: Path) -> None:
    write_snake(
        tmp_path, [[0, 0, 0], [10, 120, 20], [30, -60, 5], [0, 10, 0]], [2.0, 2.1, 1.4, 2.2], [50.0, 60.0, 30.0, 55.0]
    )
    assert number(tmp_path, "snake.rotation_deg") == pytest.approx(120)
    assert value_of(tmp_path, "snake.rotation_deg").note == "at 0.01 s"
    assert number(tmp_path, "snake.volume_change") == pytest.approx(0.3)
    assert number(tmp_path, "snake.condition_change") == pytest.approx(0.4)


def test_one_element_of_one_frame_of_the_snake_is_inside_out(tmp_path: Path) -> None:
    frames = [stack((1, 1, 1), 0), stack((1, 1, 0.5), 1), stack((1, 0.8, 1), 0)]
    arrays = {"rest_positions": stack((1, 1, 1), 0), "tetrahedra": np.arange(4 * MANY).reshape(-1, 4)}
    write_trace(tmp_path, f"{SNAKE} warped_fem", arrays=arrays, frame={"positions": np.array(frames)})
    assert number(tmp_path, "snake.least_det_f") == pytest.approx(-0.5)
    assert value_of(tmp_path, "snake.least_det_f").note == "at 0.01 s"


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("frame", [0, 1, 2])
def test_a_rotation_that_is_not_finite_leaves_no_largest_one(tmp_path: Path, frame: int, bad: float) -> None:
    rotations = np.array([[turned(a) for a in row] for row in ([0, 0], [10, 120], [30, 5])])
    rotations[frame, 0, 4] = bad
    write_trace(tmp_path, f"{SNAKE} warped_fem", frame={"rotations": rotations})
    found = value_of(tmp_path, "snake.rotation_deg")
    assert found.value is None and "not finite" in found.note and not found.broken


@pytest.mark.parametrize("frame", [0, 1, 2])
def test_a_position_that_is_not_a_number_leaves_no_least_volume(tmp_path: Path, frame: int) -> None:
    frames = np.array([stack((1, 1, 1), 0), stack((1, 1, 0.5), 1), stack((1, 0.8, 1), 0)])
    frames[frame, 7, 1] = np.nan
    arrays = {"rest_positions": stack((1, 1, 1), 0), "tetrahedra": np.arange(4 * MANY).reshape(-1, 4)}
    write_trace(tmp_path, f"{SNAKE} warped_fem", arrays=arrays, frame={"positions": frames})
    assert value_of(tmp_path, "snake.least_det_f").value is None


@pytest.mark.parametrize("row", [1, 2])
def test_a_condition_number_that_is_not_a_number_leaves_no_change(tmp_path: Path, row: int) -> None:
    condition = [200.0, 140.0, 199.0]
    condition[row] = np.nan
    write_cow(tmp_path, "printed", [WHOLE], [100.0, 104.0, 101.0])
    write_cow(tmp_path, "corrected", [WHOLE], condition)
    assert value_of(tmp_path, "cow.condition_change").value is None

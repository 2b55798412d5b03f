# SPDX-License-Identifier: BSD-3-Clause
"""Swing and twist, tears and passages, rest and what the cloth meets: on made-up runs with one row,
member or body off."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of, write_timing
from position_cells import write_cell


def run(
    folder: Path,
    experiment: str,
    number: int,
    clocks: Mapping[str, Mapping[str, Any]],
    *,
    members: int = 0,
    **more: Any,
) -> Path:
    """The number tells one run of an experiment from another."""
    series = {clock: {k: np.array(v, float) for k, v in columns.items()} for clock, columns in clocks.items()}
    return write_cell(folder, experiment, "pbd", {"number": number}, series=series, seeds=members, **more)


def about_y(angle: float) -> list[float]:
    """Orientation, nine numbers row by row."""
    c, s = np.cos(angle), np.sin(angle)
    return [c, 0, s, 0, 1, 0, -s, 0, c]


@pytest.mark.parametrize("experiment", ["stripes", "folded_cloth", "cloth_over_bar"])
def test_the_gain_of_energy_is_the_largest_rise_above_the_start_over_the_largest_kinetic(
    tmp_path: Path, experiment: str
) -> None:
    run(tmp_path, experiment, 1, {"step": {"kinetic_energy": [0, 2, 4, 1], "gravitational_energy": [9, 7, 4, 8]}})
    clocks = {
        "step": {
            "kinetic_energy": [[0, 1, 4, 0], [0, 5, 4, 3], [1, 2, 2, 2]],
            "gravitational_energy": [[9, 8, 5, 9], [9, 5, 4, 6], [9, 7, 7, 6]],
        }
    }
    run(tmp_path, experiment, 2, clocks, members=3)
    run(tmp_path, experiment, 3, {"step": {"kinetic_energy": [0, 5, 1, 0], "gravitational_energy": [9, 4, 8.2, 8]}})
    found = value_of(tmp_path, f"{experiment}.energy_gain")
    assert found.value == pytest.approx(1 / 5) and found.note.endswith("number=2)")


def hung(folder: Path, number: int, leans: list[tuple[float, float]], twists: list[tuple[float, float]]) -> None:
    """A held body and two that hang 2 m below the top at 5 m and have the angles of leans and twists row by row."""
    place = [[[0, 5, 0]] + [[x, 5 - 2 * np.cos(lean), 2 * np.sin(lean)] for x, lean in enumerate(row)] for row in leans]
    turned = [[about_y(0)] + [about_y(0.4 + twist) for twist in row] for row in twists]
    clocks = {"frame": {"rigid_positions": place, "rigid_orientations": turned}}
    run(folder, "stripes", number, clocks, scene={"top_m": 5.0}, arrays={"rigid_masses": np.array([0.0, 1, 2])})


def test_swing_and_twist_are_those_of_the_body_that_goes_least_far_to_its_lesser_side(tmp_path: Path) -> None:
    hung(
        tmp_path, 1, [(0.9, 0.8), (0.1, -0.2), (-0.7, -0.6), (0.3, 0.1)], [(0, 0), (1.5, 1.8), (-1.4, -1.2), (0.3, 0.3)]
    )
    leans = [(0.2, 0.8), (0.5, -0.2), (-0.7, -0.6), (0.3, 0.1)]
    hung(tmp_path, 2, leans, [(0, 0), (0.9, 1.5), (-1.5, -1.4), (0.3, -1.0)])
    hung(
        tmp_path, 3, [(0.9, 0.8), (0.1, -0.2), (-0.7, -0.9), (0.3, 0.1)], [(0, 0), (1.6, 1.7), (-1.5, -1.4), (0.3, 0.3)]
    )
    assert number(tmp_path, "stripes.swing") == pytest.approx(0.5)
    assert "number=2" in value_of(tmp_path, "stripes.swing").note
    assert number(tmp_path, "stripes.twist") == pytest.approx(0.9)
    assert "number=2" in value_of(tmp_path, "stripes.twist").note


def test_a_twist_of_more_than_half_a_turn_is_followed(tmp_path: Path) -> None:
    forth = [0, 1.5, 3.0, 4.5, 3.0, 1.5, 0, -1.5, -3.0, -4.2, -3.0]
    hung(tmp_path, 1, [(0.1, 0.1)] * 11, [(t, -t) for t in forth])
    assert number(tmp_path, "stripes.twist") == pytest.approx(4.2)


def test_an_attached_vertex_that_leaves_its_place_in_one_row_is_seen(tmp_path: Path) -> None:
    own = np.array([[0.3, 0, 0], [0, 0.2, 0.1]])  # in the body's frame
    for k, slip in enumerate((0.02, 0.06, 0.04)):
        place, turned, x = [], [], []
        for row in range(4):
            angle, at = 0.5 + 0.4 * row, np.array([row, 2.0, -row])
            rotation = np.array(about_y(angle)).reshape(3, 3)
            place.append([[9.0, 9, 9], at])
            turned.append([about_y(-angle), about_y(angle)])
            x.append([[7.0, 7, row], *(at + own @ rotation.T)])
        x[2][1] = x[2][1] + [0, slip, 0]
        scene = {"length_m": 2.0}
        clocks = {"frame": {"rigid_positions": place, "rigid_orientations": turned, "positions": x}}
        run(tmp_path, "stripes", k, clocks, scene=scene, arrays={"attachments": np.array([[1, 1], [2, 1]])})
    assert number(tmp_path, "stripes.attachment_error") == pytest.approx(0.03)
    assert "number=1" in value_of(tmp_path, "stripes.attachment_error").note


def test_tears_before_the_ball_are_told_by_the_member_that_has_fewest(tmp_path: Path) -> None:
    for k, torn in enumerate(([[0, 9, 20, 50], [0, 5, 30, 60]], [[0, 8, 9, 10], [0, 9, 9, 9]])):
        run(tmp_path, "tearing", k, {"step": {"torn_vertices": torn}}, members=2, scene={"ball_start_s": 0.015})
    assert number(tmp_path, "tearing.torn_by_cube") == 5


def test_crumbs_are_a_small_share_of_what_the_ball_tears_off(tmp_path: Path) -> None:
    strip = np.array([[k, k + 1, k + 2] for k in range(10)])

    def cut(*places: int) -> np.ndarray:
        """The strip before these triangles in pieces of their own."""
        return strip + sum(np.where(np.arange(10)[:, None] >= at, 20, 0) for at in places)

    crumbs = [strip, cut(9), cut(9), cut(8, 9)]  # one triangle by the cube, another by the ball
    halves = [strip, cut(9), cut(9), cut(4, 9)]
    for k, meshes in enumerate(([halves, crumbs], [halves, halves])):
        run(tmp_path, "tearing", k, {"frame": {"triangles": meshes}}, members=2, scene={"ball_start_s": 0.015})
    found = value_of(tmp_path, "tearing.share_torn_off_by_ball")
    assert found.value == pytest.approx(0.1) and "number=0" in found.note


def thrown(folder: Path, number: int, balls: list[list[list[float]]]) -> None:
    """Places of the ball, of 0.1 m, row by row for every member; the cloth is the square 0 … 1,
    and a cube flies far behind."""
    rest = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0]])
    place = [[[[0.5, 0.5, 5 - 9 * row], at] for row, at in enumerate(ball)] for ball in balls]
    scene = {"ball_radius_m": 0.1}
    clocks = {"frame": {"rigid_positions": place}}
    run(folder, "tearing", number, clocks, members=len(balls), scene=scene, arrays={"rest_positions": rest})


THROUGH = [[0.2, 0.3, 1.0], [0.3, 0.3, 0.5], [0.5, 0.5, -0.5], [0.5, 0.5, -0.3]]


def test_the_ball_passes_where_it_goes_through_the_cloths_rectangle(tmp_path: Path) -> None:
    less = [[0.2, 0.3, 1.0], [0.3, 0.3, 0.1], [0.5, 0.5, -0.2], [0.5, 0.5, -0.15]]
    for k, middle in enumerate((THROUGH, less, THROUGH)):
        thrown(tmp_path, k, [THROUGH, middle, THROUGH])
    found = value_of(tmp_path, "tearing.ball_passage")
    assert found.value == pytest.approx(2) and "number=1" in found.note


def test_the_ball_that_comes_back_and_falls_behind_beside_the_cloth_has_passed_at_first(tmp_path: Path) -> None:
    thrown(tmp_path, 1, [[*THROUGH[:3], [0.5, 0.5, 0.2], [5.0, 0.5, 0.2], [5.0, 0.5, -0.1]]])
    assert number(tmp_path, "tearing.ball_passage") == pytest.approx(5)


@pytest.mark.parametrize("beside", [[1.2, 0.5], [-0.2, 0.5], [0.5, 1.2], [0.5, -0.2]])
def test_a_ball_beside_the_cloth_has_not_passed(tmp_path: Path, beside: list[float]) -> None:
    thrown(tmp_path, 1, [THROUGH, [[*beside, 0.5], [*beside, -0.5]] * 2])
    assert number(tmp_path, "tearing.ball_passage") == -np.inf


def test_a_ball_that_stays_in_front_tells_how_far(tmp_path: Path) -> None:
    thrown(tmp_path, 1, [[[0.5, 0.5, 1.0], [0.5, 0.5, 0.3], [0.5, 0.5, 0.6]]])
    assert number(tmp_path, "tearing.ball_passage") == pytest.approx(-3)


def fallen(folder: Path, number: int, members: list[list[list[list[float]]]], bodies: int = 2) -> None:
    """Vertices row by row for every member; axes at x = ∓0.5 and 1 m above the floor, gears of 2 m."""
    place = np.tile(np.array([[0.5, 1, 0], [-0.5, 1, 0], [0, 1, 0]])[:bodies], (len(members), len(members[0]), 1, 1))
    clocks = {"frame": {"positions": members, "rigid_positions": place}}
    run(folder, "gears", number, clocks, members=len(members), scene={"gear_length_m": 2.0})


def test_vertices_pass_between_the_axes_within_the_gears_length(tmp_path: Path) -> None:
    ways = [
        ([0, 2, 0], [0, 0, 0], [3, 0, 0], [3, 0, 0]),  # between
        ([0, 2, 0], [0, 0, 0], [0.1, 1.5, 0], [0.3, 0.5, 0]),  # back up, and between again
        ([0, 2, 0], [0, 0, 0], [0.9, 2, 0], [0.9, 0, 0]),  # between at first, last beside
        ([0, 2, 0], [0, 2, 1.4], [0, 0.5, 1.4], [0, 0, 0]),  # past the gears' end
        ([0, 2, 0], [0, 0, 0], [0, 0, 0], [0, 1.5, 0]),  # above again at the end
        ([0, 0.5, 0], [0, 2, 0], [0, 0, 0], [0, 0, 0]),  # began below
        ([0, 2, 0], [-0.7, 2, 0], [-0.7, 0, 0], [0, 0, 0]),  # beyond the other axis
        ([0, 2, 0], [0, 2, 0], [-0.9, 1.25, 0], [0.3, 0.25, 0]),
    ]  # crosses at x = −0.6
    first = [[list(w[row]) for w in ways] for row in range(4)]
    better = [[list(ways[0][row])] * 4 + [list(ways[2][row])] * 4 for row in range(4)]
    for k, members in enumerate(([better, better, better], [better, first, better], [better, better, better])):
        fallen(tmp_path, k, members)
    found = value_of(tmp_path, "gears.passed")
    assert found.value == pytest.approx(2 / 8) and "number=1" in found.note


def test_a_share_needs_one_pair_of_gears(tmp_path: Path) -> None:
    fallen(tmp_path, 1, [[[[0, 2, 0]], [[0, 0, 0]]]], bodies=3)
    assert "3 bodies, expected one pair" in value_of(tmp_path, "gears.passed").note


def test_the_end_after_the_gears_is_the_worst_members_and_runs(tmp_path: Path) -> None:
    for k, worst in enumerate((0.1, 0.3, 0.2)):
        values = [[0.9, 0.9, 0.05], [0.9, 0.8, worst], [0.9, 0.9, 0.02]]
        clocks = {"step": {"edge_strain_rms": values}, "operator": {"self_intersections": 10 * np.array(values)}}
        run(tmp_path, "gears", k, clocks, members=3)
    assert number(tmp_path, "gears.strain_at_end") == pytest.approx(0.3)
    assert number(tmp_path, "gears.crossings_at_end") == pytest.approx(3)


@pytest.mark.parametrize("experiment", ["gears", "characters"])
def test_the_least_volume_is_of_any_piece_any_row_over_its_own_at_rest(tmp_path: Path, experiment: str) -> None:
    for k, least in enumerate((1.2, -0.4, 0.2)):
        volumes = np.array([[[2.0, 4], [3, 4], [2, 5]], [[2, 4], [2, least], [2, 4]], [[2, 4], [1, 4], [2, 4]]])
        run(tmp_path, experiment, k, {"step": {"component_volumes": volumes}}, members=3)
    assert number(tmp_path, f"{experiment}.least_volume") == pytest.approx(-0.1)


PLATE = np.array([[3.0, 0, 0], [0.1, 0, 0], [0, 0, 0.1]])  # a triangle that reaches far along x
STILL = about_y(0)


def met(
    folder: Path,
    number: int,
    vertex_rows: list[list[list[float]]],
    lift: float = 1.0,
    second: list[list[list[float]]] | None = None,
) -> None:
    """Four bodies: the first lies still, the second moves in one row, the third turns by a quarter, the fourth rises
    (if `lift`). `second`: the cloth of a second member."""
    count = len(vertex_rows)
    place = np.tile(np.array([[0.0, 0, 0], [10, 0, 0], [20, 0, 0], [30, 0, 0]]), (count, 1, 1))
    turned = np.tile(np.array(STILL), (count, 4, 1))
    if lift:
        place[1, 1, 2], turned[-1, 2] = 0.5, about_y(np.pi / 2)
        place[:, 3, 1] = lift * np.arange(count)
    x = np.array(vertex_rows)
    columns = {"positions": x, "rigid_positions": place, "rigid_orientations": turned}
    if second is not None:
        columns = {k: np.stack([v, np.array(second) if k == "positions" else v]) for k, v in columns.items()}
    bodies = {
        f"rigid_{b}_{k}": v for b in range(4) for k, v in (("positions", PLATE), ("triangles", np.array([[0, 1, 2]])))
    }
    members = 0 if second is None else 2
    arrays = {**bodies, "attachments": np.array([[3, 3]])}
    parameters = {"contact_offset_m": 0.01}
    run(folder, "level", number, {"frame": columns}, members=members, arrays=arrays, parameters=parameters)


FAR = [90.0, 90, 90]


def test_an_obstacle_is_met_where_a_free_vertex_comes_near_in_one_row(tmp_path: Path) -> None:
    # Near the still body all the time; near the far corner of the second in one row; 0.03 m from the third;
    # the attached one on the fourth.
    near = [
        [[0.5, 0.001, 0.01], FAR, [20.1, 0.03, 0.02], [33, 0, 0]],
        [[0.5, 0.001, 0.01], [12.9, 0.015, 0.5], [11, 1, 0], [33, 1, 0]],
        [[0.5, 0.001, 0.01], FAR, FAR, [33, 2, 0]],
    ]
    met(tmp_path, 1, near)
    assert number(tmp_path, "level.obstacles_met") == pytest.approx(1 / 3)
    turned = [
        [FAR, FAR, FAR, FAR],
        [FAR, FAR, FAR, FAR],
        [FAR, [20.0, 0.01, -2.9], [30.1, 2.01, 0.02], FAR],
    ]  # the third has turned by a quarter: e_x → −e_z
    turned[1][0] = [12.9, 0.015, 0.5]
    met(tmp_path, 0, turned, second=turned)
    met(tmp_path, 2, turned)
    found = value_of(tmp_path, "level.obstacles_met")
    assert found.value == pytest.approx(1 / 3) and found.note == "3 of 3; 3 of 3; 1 of 3; 3 of 3"


def test_a_level_in_which_nothing_moves_says_nothing(tmp_path: Path) -> None:
    met(tmp_path, 1, [[FAR, FAR, FAR, FAR]] * 3)
    met(tmp_path, 2, [[FAR, FAR, FAR, FAR]] * 3, lift=0.0)
    assert "nothing moves in" in value_of(tmp_path, "level.obstacles_met").note


def test_cloth_on_the_level_is_counted_at_the_end_where_it_has_moved_and_the_body_has_not(tmp_path: Path) -> None:
    held, lies, lifted, moved = [0.5, 0.001, 0.01], [0.4, 0.001, 0.015], [0.3, 0.03, 0.01], [12.0, 0.001, 0.01]
    start = [held, FAR, lies, [0.6, 5.0, 0.02]]
    ends = {
        1: [held, lies, lifted, moved],
        2: [held, lies, lies, [0.6, -0.001, 0.02]],
        0: [held, lies, lies, [0.6, -0.001, 0.02]],
    }
    for number_of_run, end in ends.items():
        met(tmp_path, number_of_run, [start, [held, lies, lies, [0.6, 1.0, 0.02]], end])  # the last moves along y alone
    found = value_of(tmp_path, "level.vertices_on_level")
    assert found.value == 1 and "number=1" in found.note
    middle = [held, lies, lies, [0.6, 1.0, 0.02]]
    met(tmp_path / "members", 1, [start, middle, ends[0]], second=[start, middle, ends[0]])
    assert number(tmp_path / "members", "level.vertices_on_level") == 2  # `lies` of the start has not moved at the end
    for first, second in ((ends[0], ends[1]), (ends[1], ends[0])):
        folder = tmp_path / f"least {first[2]}"
        met(folder, 1, [start, middle, first], second=[start, middle, second])
        assert number(folder, "level.vertices_on_level") == 1


def test_cloth_at_the_far_corner_of_a_still_body_lies_on_it_and_cloth_beside_it_does_not(tmp_path: Path) -> None:
    start = [FAR, FAR, FAR, FAR]
    met(tmp_path, 1, [start, start, [[2.9, 0.001, 0.002], [1.0, 0.5, 0.02], [-0.5, 0.001, 0.02], FAR]])
    assert number(tmp_path, "level.vertices_on_level") == 1


def test_carried_cloth_rises_by_its_mean_height_from_its_lowest(tmp_path: Path) -> None:
    def heights(*rows: tuple[float, float]) -> list[list[list[float]]]:
        return [[[9.0, a, 5], [-9, b, 5]] for a, b in rows]

    high = heights((2.0, 2), (1, 1), (4, 2), (2, 2))
    for k, low in enumerate(
        (heights((2.0, 2), (1, 1), (3, 2), (2, 2)), heights((2.0, 2), (1, 2), (2.4, 2), (2, 2)), high)
    ):
        run(tmp_path, "barrel", k, {"frame": {"positions": [high, low, high]}}, members=3, scene={"drum_radius_m": 0.5})
    found = value_of(tmp_path, "barrel.carried")
    assert found.value == pytest.approx(1.4) and "number=1" in found.note


def test_cloth_that_only_falls_is_not_carried(tmp_path: Path) -> None:
    for heights, rise in (
        ((3.0, 2.0, 1.0, 1.0), 0.0),
        ((3.0, 2.0, 2.4, 1.0, 1.1), 0.4),
    ):  # the rise is before the lowest
        folder = tmp_path / str(rise)
        scene = {"drum_radius_m": 0.5}
        run(folder, "barrel", 1, {"frame": {"positions": [[[0.0, h, 0]] for h in heights]}}, scene=scene)
        assert number(folder, "barrel.carried") == pytest.approx(rise / 0.5, rel=1e-6, abs=0)


@pytest.mark.parametrize("experiment", ["stripes", "folded_cloth", "tearing", "level"])
def test_the_rate_is_that_of_the_slowest_run(tmp_path: Path, experiment: str) -> None:
    for k, seconds in enumerate((0.01, 0.04, 0.02)):
        write_timing(
            run(tmp_path, experiment, k, {"step": {"kinetic_energy": [1, 2]}}),
            np.array([[seconds, 9 * seconds, seconds / 9]]),
        )
    assert number(tmp_path, f"{experiment}.steps_per_second") == pytest.approx(25)


def test_characters_that_come_near_at_one_frame_have_met(tmp_path: Path) -> None:
    triangle = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])

    def placed(second: float, third: float) -> np.ndarray:
        return np.concatenate([triangle, triangle + [0.1, 0.1, second], triangle + [0.1, 0.1, third]])

    frames = [placed(0.5, 9), placed(0.015, 9), placed(0.5, 0.485)]  # 1 and 2 meet, then 2 and 3
    apart = [placed(0.5, 9), placed(0.025, 9), placed(0.5, 0.9)]
    for k, rows in enumerate(([frames, frames], [frames, [*apart[:2], frames[2]]])):
        arrays, thick = {"triangles": np.arange(9).reshape(3, 3)}, {"thickness_m": 0.01}
        run(tmp_path, "characters", k, {"frame": {"positions": rows}}, members=2, parameters=thick, arrays=arrays)
    found = value_of(tmp_path, "characters.meetings")
    assert found.value == 1 and "number=1" in found.note

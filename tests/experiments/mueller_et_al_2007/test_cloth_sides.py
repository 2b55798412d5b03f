# SPDX-License-Identifier: BSD-3-Clause
"""Sides and distances of two sheets, and the moments between them: closed forms,
and runs with one row or vertex off."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

from experiments.mueller_et_al_2007.measurements.cloth_sides import closest_on_triangles, heights

NAME = "self_collision_distance."


def test_the_closest_point_of_a_triangle_is_the_one_from_which_no_corner_is_nearer() -> None:
    random = np.random.default_rng(1)
    q, corners = 2 * random.standard_normal((40, 3)), random.standard_normal((30, 3, 3))
    weights = closest_on_triangles(q, corners)
    place = np.einsum("qtc,tcx->qtx", weights, corners)
    assert weights.min() >= 0 and np.abs(weights.sum(axis=2) - 1).max() < 1e-12
    towards = np.einsum("qtx,qtcx->qtc", q[:, None] - place, corners[None] - place[:, :, None])
    assert towards.max() < 1e-12  # [BV04] 4.2.3: optimal in a convex set where no direction into it shortens the way
    counts = (weights > 1e-9).sum(axis=2)
    assert all((counts == k).sum() > 20 for k in (1, 2, 3)), "corners, edges and insides are all met"


def roof(slope: float) -> tuple[np.ndarray, np.ndarray]:
    """A ridge along y at height 1 between two triangles with the normals (∓slope, 0, 2)/√(4 + slope²)."""
    return np.array([[0.0, -1, 1], [0, 1, 1], [-2, 0, 1 - slope], [2, 0, 1 - slope]]), np.array([[0, 1, 2], [1, 0, 3]])


def test_heights_have_the_sign_of_the_side_and_none_beyond_the_border() -> None:
    x, triangles = roof(1.0)
    q = np.array(
        [
            [0, 0, 2.0],
            [0, 0, 0.5],
            [1, 0, 0.5 + 5**0.5 / 4],
            [-1, 0, 0.5 - 5**0.5 / 4],
            [-1.5, 2, 0.2],
            [0, 1.5, 1],
            [-3, 0, -0.5],
        ]
    )
    assert heights(q, x, triangles) == pytest.approx(
        np.array([1, -1 / 5**0.5, 0.5, -0.5, np.nan, np.nan, np.nan]), nan_ok=True
    )


def test_beside_a_sharp_ridge_the_triangle_on_the_points_own_side_tells() -> None:
    x, triangles = roof(20.0)
    q = np.array(
        [[0.9, 0, 1.5], [-0.9, 0, 1.5]]
    )  # each above the near triangle and behind the far one, whose shared edge is closest
    assert heights(q, x, triangles) == pytest.approx(np.full(2, np.hypot(0.9, 0.5)))


def sheets(
    folder: Path,
    rows: list[tuple[float, list[float]]],
    iterations: int = 20,
    dt: float = 0.01,
    upside: float = 1.0,
    **more: Any,
) -> None:
    """A square of four triangles, 4 m wide, at a height, and above it a small triangle whose corners have other
    heights; row by row."""
    square = np.array([[-2.0, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0], [0, 0, 0]])
    small = np.array([[0.3, 0.1, 0], [0.5, 0.15, 0], [0.35, 0.3, 0]])
    x = np.array(
        [np.concatenate([square + [0, 0, low], small + np.stack([[0.0, 0, z] for z in high])]) for low, high in rows]
    ) * [1, 1, upside]
    arrays = {"triangles": np.array([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [5, 6, 7]])}
    swept = {"method.parameters.iterations": iterations, "time_step_s": dt}
    parameters = {"thickness_m": 0.2}
    frame = {"positions": x}
    write_cell(
        folder, "self_collision_distance", "pbd", swept, parameters=parameters, arrays=arrays, frame=frame, **more
    )


BEGIN = (0.0, [1.0, 1.0, 1.0])


@pytest.mark.parametrize("upside", [1.0, -1.0])
def test_the_shortfall_is_that_of_the_lowest_vertex_of_the_worst_row(tmp_path: Path, upside: float) -> None:
    sheets(tmp_path, [BEGIN, (0.0, [0.3, 0.15, 0.3]), (0.0, [0.5, 0.5, 0.5])], upside=upside)
    assert number(tmp_path, NAME + "shortfall") == pytest.approx(0.25)


@pytest.mark.parametrize("end", [(0.0, [-2.0, -2, -2]), (4.0, [5.0, 5, 5])])
def test_a_vertex_is_beyond_where_it_is_not_on_the_side_where_it_began(
    tmp_path: Path, end: tuple[float, list[float]]
) -> None:
    sheets(tmp_path, [BEGIN, (0.5, [0.7, 0.8, 0.4]), end])
    assert number(tmp_path, NAME + "shortfall") == pytest.approx(11.0 if end[0] == 0 else 1.5)


def test_the_side_is_that_of_most_vertices_at_the_start(tmp_path: Path) -> None:
    sheets(tmp_path, [(0.0, [-1.0, 0.1, -1.0]), (0.0, [-0.9, -0.8, -0.5])])
    assert number(tmp_path, NAME + "shortfall") == pytest.approx(1 + 0.1 / 0.2)


def test_sheets_that_are_beside_one_another_have_no_sides(tmp_path: Path) -> None:
    square = np.array([[-2.0, -2, 0], [2, -2, 0], [2, 2, 0]])
    frame = {"positions": np.array([[*square, *(square + 9)]] * 2)}
    arrays = {"triangles": np.array([[0, 1, 2], [3, 4, 5]])}
    swept = {"method.parameters.iterations": 5}
    parameters = {"thickness_m": 0.2}
    write_cell(tmp_path, "self_collision_distance", "pbd", swept, parameters=parameters, arrays=arrays, frame=frame)
    assert "no vertex is above or below" in value_of(tmp_path, NAME + "shortfall").note


def test_the_vertices_of_both_sheets_count(tmp_path: Path) -> None:
    square = np.array(
        [[-2.0, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0], [0, 0, 0.9]]
    )  # the middle is a spike towards the other sheet
    other = np.array([[-1.0, -1, 1], [1, -1, 1], [0, 1, 1]])
    triangles = np.array([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [5, 6, 7]])
    for order, parts in (("upper first", (other, square)), ("lower first", (square, other))):
        shift = 3 if order == "upper first" else 0
        corners = np.concatenate([[[0, 1, 2]], triangles[:4] + 3]) if shift else triangles
        x = np.concatenate(parts)
        write_cell(
            tmp_path / order,
            "self_collision_distance",
            "pbd",
            {"method.parameters.iterations": 5},
            parameters={"thickness_m": 0.2},
            arrays={"triangles": corners},
            frame={"positions": np.array([x, x, x])},
        )
        assert number(tmp_path / order, NAME + "shortfall") == pytest.approx(0.5)


def test_a_run_that_did_not_complete_is_infinitely_short_at_the_most_iterations_alone(tmp_path: Path) -> None:
    sheets(tmp_path, [BEGIN, (0.0, [0.3, 0.17, 0.3]), BEGIN], 320)
    sheets(tmp_path, [BEGIN, BEGIN], 5, status="diverged")
    assert number(tmp_path, NAME + "converged_shortfall") == pytest.approx(0.15)
    assert number(tmp_path, NAME + "shortfall") == np.inf


def counted(
    folder: Path, iterations: int, step: dict[str, Any], frame: dict[str, Any] | None = None, **more: Any
) -> None:
    series = {"step": {k: np.array(v, float) for k, v in step.items()}, **({"frame": frame} if frame else {})}
    swept = {"method.parameters.iterations": iterations, "time_step_s": 0.01}
    scene = {"side_m": 0.5, "speed_m_s": 2.0}
    write_cell(folder, "self_collision_distance", "pbd", swept, scene=scene, series=series, **more)


def test_crossings_are_the_most_of_a_run_and_contacts_the_share_of_its_steps(tmp_path: Path) -> None:
    counted(tmp_path, 1, {"self_intersections": [0, 3, 1, 0], "self_contacts": [7, 0, 0, 5]})
    assert number(tmp_path, NAME + "intersections") == 3
    assert number(tmp_path, NAME + "touching_share") == pytest.approx(1 / 3)


def test_momenta_are_compared_with_the_first_row_over_the_flying_sheets(tmp_path: Path) -> None:
    linear = [[0, 3, 4], [0, 6, 8], [0, 3, 4]]
    counted(tmp_path, 1, {"linear_momentum": linear, "angular_momentum": [[1, 1, 1], [2, 1, 1], [1, 1, 1]]})
    assert number(tmp_path, NAME + "momentum_change") == pytest.approx(1.0)
    assert number(tmp_path, NAME + "angular_momentum_change") == pytest.approx(0.4)  # 1 over 5 · 0.5
    assert number(tmp_path, NAME + "angular_change_per_way") == pytest.approx(0.4 / (0.02 / 0.5))


def test_momenta_refer_to_the_start_and_not_the_end(tmp_path: Path) -> None:
    step = {
        "linear_momentum": [[0, 0, 2.0], [0, 0, 2], [0, 0, 3]],
        "angular_momentum": [[0, 0, 0], [0, 0.5, 0], [0, 2, 0]],
    }
    counted(tmp_path, 1, step)
    assert number(tmp_path, NAME + "momentum_change") == pytest.approx(0.5)
    assert number(tmp_path, NAME + "angular_momentum_change") == pytest.approx(2.0)
    step = {
        "linear_momentum": [[0, 0, 2.0], [0, 0, 1], [0, 0, 2.5]],
        "angular_momentum": [[0, 0, 0], [0, 0.5, 0], [0, -0.1, 0]],
    }
    counted(tmp_path / "back", 1, step)
    assert number(tmp_path / "back", NAME + "momentum_change") == pytest.approx(0.5)
    assert number(tmp_path / "back", NAME + "angular_momentum_change") == pytest.approx(0.5)


def test_the_moment_of_a_steps_impulses_is_that_of_the_worst_step(tmp_path: Path) -> None:
    # Two vertices of 2 and 3 kg; in step 2 they push with ±6 N s along y, their places 0.2 m apart along x.
    x = np.array([[[0.0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0]], [[0.3, 0, 0], [0.5, 5, 0]], [[0, 0, 0], [9, 0, 0]]])
    v = np.array([[[0.0, 0, 0], [0, 0, 0]], [[0, 3, 0], [0, -2, 0]], [[0, 6, 0], [0, -4, 0]], [[0, 6, 0], [0, -4, 0]]])
    frame = {"positions": x, "velocities": v}
    counted(tmp_path, 1, {"self_contacts": [0]}, frame, arrays={"masses": np.array([2.0, 3.0])})
    assert number(tmp_path, NAME + "moment") == pytest.approx(6 * 0.2 / 12 / 0.5)

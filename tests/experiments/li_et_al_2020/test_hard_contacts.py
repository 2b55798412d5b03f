# SPDX-License-Identifier: BSD-3-Clause
"""Tetrahedra that meet, contain each other, pass through each other, invert, or whose steps have no minimum."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from deformbench_analysis.arrays import Array
from experiments.li_et_al_2020.measurements import hard_contacts as m
from experiments.li_et_al_2020.measurements.geometry import Surface, edge_edge, least_determinant, point_triangle

ONE = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
MESH = np.array([[0, 1, 2, 3], [4, 5, 6, 7]])
APART = np.concatenate([ONE, ONE + [2.0, 0.1, 0.2]])
SHIFT = np.repeat([[0.0], [1.0]], 4, axis=0) * [1.0, 0, 0]  # moves the second one along x


def ran(folder: Path, steps: list[Array], row: str = "barrier", **more: object) -> None:
    settings = {"name": "head_on", "time_step_s": 0.01, "young_modulus_pa": 1e7} | more
    scene = {key: settings[key] for key in ("time_step_s", "young_modulus_pa")} | {"density_kg_m3": 1000.0}
    write_trace(
        folder,
        f"{m.M.experiment} implicit_fem {row}",
        {"scene.name": settings["name"], **({"lot": more["lot"]} if "lot" in more else {})},
        scene,
        schedule={"steps": int(settings.get("declared", len(steps) - 1))},  # type: ignore[call-overload]
        status=str(settings.get("status", "completed")),
        expect={"status": "completed_or_diverged"},
        arrays={"rest_positions": APART, "tetrahedra": MESH},
        step={"solver_converged": np.array([np.nan, *settings.get("converged", [1.0] * (len(steps) - 1))])},  # type: ignore[misc]
        frame={"positions": np.array(steps)},
    )


def test_what_meets_is_told_exactly_from_what_touches_by_less_than_rounding() -> None:
    surface = Surface.of(MESH, 8)
    assert (len(surface.triangles), len(surface.edges), set(surface.bodies)) == (8, 12, {0, 4})
    assert surface.intersections(APART) == 0
    assert surface.intersections(APART - 1.5 * SHIFT) > 0
    for off, meets in ((1e-15, False), (-1e-15, True)):  # a vertex above or below the slanted face, x + y + z = 1
        near = np.concatenate([ONE, 0.3 * ONE + [0.2, 0.2, 0.6 + off]])
        assert (surface.intersections(near) > 0) == meets
    assert surface.contained(np.concatenate([10 * ONE, ONE + 1])) == 1
    assert surface.intersections(np.concatenate([10 * ONE, ONE + 1])) == 0


def test_distances_of_points_triangles_and_edges() -> None:
    over, beside = [[0.2, 0.2, 0.5], *ONE[:3]], [[2.0, 0, 0], *ONE[:3]]
    assert point_triangle(np.array([over, beside])) == pytest.approx([0.5, 1.0])
    crossing = [[-1.0, 0, 0], [1, 0, 0], [0, -1, 0.25], [0, 1, 0.25]]
    parallel = [[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [1, 2, 0]]
    assert edge_edge(np.array([crossing, parallel])) == pytest.approx([0.25, 2.0])


def test_a_way_through_is_found_though_both_ends_are_free() -> None:
    surface = Surface.of(MESH, 8)
    through, past = APART - 6 * SHIFT, APART - 6 * SHIFT + 3 * np.roll(SHIFT, 1, axis=1)
    assert surface.intersections(through) == 0 and surface.meetings(APART, through) > 0
    assert surface.meetings(APART, APART + 5 * SHIFT) == 0
    assert surface.meetings(APART + 9 * np.roll(SHIFT, 1, axis=1), past + 9 * np.roll(SHIFT, 1, axis=1)) == 0
    flipped = np.diag([-1.0, -1.0, 1.0])  # det 1 at both ends, 0 in the middle
    assert least_determinant(np.eye(3)[None], flipped[None]) == pytest.approx(0.0, abs=1e-12)
    folded = np.diag([1.0, 2.0, -1.0])  # (1 + t)(1 − 2t) is least at the end
    assert least_determinant(np.eye(3)[None], folded[None]) == pytest.approx(-2.0)


def test_each_fault_is_counted(tmp_path: Path) -> None:
    inverted = APART.copy()
    inverted[3] *= -0.5
    ran(tmp_path, [APART, APART, APART - 6 * SHIFT], converged=[1.0, 0.0], declared=4, lot=1)
    ran(tmp_path, [APART, APART - 1.5 * SHIFT, inverted], lot=2)
    ran(tmp_path, [APART, np.full((8, 3), np.nan)], status="diverged", name="crossed", time_step_s=0.1, lot=3)
    found = {name: number(tmp_path, f"hard_contacts.{name}") for name in ("swapped", "least_det", "steps")}
    assert found == {"swapped": 1, "least_det": pytest.approx(-0.5), "steps": 5}
    assert number(tmp_path, "hard_contacts.intersections") > 1 and number(tmp_path, "hard_contacts.contained") == 0
    assert number(tmp_path, "hard_contacts.unsolved_share") == pytest.approx(3 / 7)
    assert number(tmp_path, "hard_contacts.moderate_share") == pytest.approx(
        3 / 6
    )  # the long step, of 0.4 m and more, is not moderate
    assert number(tmp_path, "hard_contacts.moderate_steps") == 4


@pytest.mark.parametrize("name, low, high", [("pile", 0.3, 0.2), ("squeezed", 0.1, 0.04)])
def test_depths_behind_planes_and_in_boxes(tmp_path: Path, name: str, low: float, high: float) -> None:
    for lot, at in enumerate((low, high)):
        ran(tmp_path, [0.0 * APART + [0.3, at - 0.2 * (name == "pile"), 0.0]] * 2, name=name, lot=lot)
    assert number(tmp_path, "hard_contacts.depth") == pytest.approx(0.18 if name == "pile" else 0.06)


@pytest.mark.parametrize("lost", [0.0, 1.0])
def test_a_bar_that_passes_through_the_other_loses_a_turn(tmp_path: Path, lost: float) -> None:
    tetrahedra = np.array([[0, 1, 2, 3], [1, 2, 3, 4], [5, 6, 7, 8], [6, 7, 8, 9]])
    along = 0.3 * np.arange(5) / 4
    rest = np.stack([np.tile(along, 2), np.repeat([-1.0, 1.0], 5), np.zeros(10)], axis=1)
    angle = np.pi / 2 + (0.5 - lost) * 2 * np.pi * np.arange(5) / 4  # from the first bar to the second
    across = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    turned = np.column_stack([np.tile(along, 2), np.concatenate([-across, across])])
    write_trace(
        tmp_path,
        f"{m.M.experiment} implicit_fem barrier",
        {"scene.name": "twisted"},
        dt=0.5,
        arrays={"rest_positions": rest, "tetrahedra": tetrahedra},
        frame={"positions": np.array([rest, turned])},
    )
    assert number(tmp_path, "hard_contacts.turns_lost") == pytest.approx(lost, abs=1e-12)


def stopped(folder: Path, places: list[Array], converged: float = 1.0) -> None:
    for k, place in enumerate(places, start=1):
        write_trace(
            folder,
            f"{m.PATHS.experiment} implicit_fem barrier",
            {m.ITERATION: k, "scene.name": "crossed"},
            {"time_step_s": 1.0},
            arrays={"rest_positions": APART, "tetrahedra": MESH},
            step={"solver_converged": np.array([np.nan, converged if k == len(places) else 0.0])},
            frame={"positions": np.array([APART, place]), "velocities": np.array([-6 * SHIFT, 0 * SHIFT])},
        )


def test_the_whole_way_of_a_solve_is_judged(tmp_path: Path) -> None:
    stopped(tmp_path / "good", [APART - 0.5 * SHIFT, APART - 0.9 * SHIFT, APART - 0.9 * SHIFT])
    stopped(tmp_path / "bad", [APART - 0.5 * SHIFT, APART - 6 * SHIFT], converged=0.0)
    wanted = {"meetings": (0, None), "iterations": (2, 2), "whole": (1, 0), "least_det": (1, 1)}
    for name, values in wanted.items():
        for folder, value in zip(("good", "bad"), values):
            found = number(tmp_path / folder, f"step_paths.{name}")
            assert found > 0 if value is None else found == pytest.approx(value)
    assert number(tmp_path / "good", "step_paths.free_meetings") > 0

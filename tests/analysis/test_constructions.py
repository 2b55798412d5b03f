# SPDX-License-Identifier: BSD-3-Clause
"""Figures 2 to 6 of [MG04]: run by the command at tier smoke and drawn, the numbers checked against what the
constructions say; and made-up elements, splits and runs with known answers."""

import csv
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up_traces import write_trace

from deformbench_analysis.mesh import isotropic_stress, volumes
from deformbench_analysis.results import Results
from deformbench_analysis.trace import Trace
from paper_figures.mueller_gross_2004 import one_element as one, fig_03_plastic_forces as fig_03
from paper_figures.mueller_gross_2004 import fig_04_vertex_split as fig_04, fig_06_surface_cut as fig_06
from paper_figures.entry import Drawn, draw, load_index
from paper_figures.solids import View, mix

REST = np.array([[0.0, 0, 0], [0.11, 0.01, 0], [0.02, 0.09, 0.01], [0.01, 0.0, 0.12]])
COMMAND = os.environ.get("DEFORMBENCH", "")
PAPER = "mueller_gross_2004"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """The four experiments that the figures draw, run now."""
    if not COMMAND:
        pytest.skip("DEFORMBENCH names no command")
    folder = tmp_path_factory.mktemp("results")
    names = [f"{PAPER}/{n}" for n in ("constructions", "bent_surface", "surface_cut", "split_rule")]
    subprocess.run(
        [COMMAND, "run", *names, "--tier", "smoke", "--out", str(folder), "--quiet"], check=True, timeout=200
    )
    return Results(folder, "smoke")


def drawn(results: Results, name: str, out: Path) -> tuple[Drawn, list[dict[str, str]]]:
    result = draw(next(i for i in load_index() if i.id == name), results, out)
    assert result.entry is not None, result.reason
    assert all(part in result.entry.caption for part in ("The paper shows", "Measured here", "Machine: "))
    assert result.entry.failed == []
    with result.entry.csv.open(encoding="utf-8", newline="") as file:
        return result, list(csv.DictReader(file))


def test_figure_2_turns_the_forces_of_the_unrotated_frame(run: Results, tmp_path: Path) -> None:
    _, rows = drawn(run, "fig_02_element_frame", tmp_path)
    points, forces = {}, {}
    for state in ("x0", "x", "R⁻¹x"):
        mine = [r for r in rows if r["state"] == state]
        points[state] = np.array([[float(r[f"{a} [m]"]) for a in "xyz"] for r in mine])
        forces[state] = np.array([[float(r[f"f{a} [N]"]) for a in "xyz"] for r in mine])
    back = np.linalg.lstsq(points["x"], points["R⁻¹x"], rcond=None)[0]  # x R = R⁻¹x for rows
    assert np.allclose(back @ back.T, np.eye(3), atol=1e-9) and np.linalg.det(back) > 0
    assert np.allclose(forces["x"] @ back, forces["R⁻¹x"], atol=1e-9 * np.abs(forces["x"]).max())
    assert np.abs(forces["x"].sum(axis=0)).max() < 1e-12 * np.abs(forces["x"]).max()
    stretch = np.linalg.lstsq(points["x0"], points["R⁻¹x"], rcond=None)[0]
    assert np.allclose(stretch, stretch.T, atol=1e-9)  # R is that of the polar decomposition


def test_figure_3_adds_plastic_and_elastic_force_to_the_total(run: Results, tmp_path: Path) -> None:
    result, rows = drawn(run, "fig_03_plastic_forces", tmp_path)
    last = max(int(r["step"]) for r in rows)
    part = {
        n: np.array([[float(r[f"{a} [N]"]) for a in "xyz"] for r in rows if int(r["step"]) == last and r["force"] == n])
        for n in ("total", "plastic", "elastic")
    }
    assert np.allclose(part["plastic"] + part["elastic"], part["total"])
    assert np.linalg.norm(part["plastic"]) > 0.2 * np.linalg.norm(part["total"])
    trace = run.experiment(one.EXPERIMENT).one(name="creeping")
    assert (
        max(one.force_difference(trace, row) for row in range(1, len(trace.values("frame", "step")))) < 1e-12
    )  # sums of 160 elements, some ten operations each
    assert f"element {fig_03.chosen(trace, len(trace.values('frame', 'step')) - 1)} of" in result.entry.caption  # type: ignore[union-attr]


def test_figure_4_puts_every_element_on_the_side_of_its_centre(run: Results, tmp_path: Path) -> None:
    result, rows = drawn(run, "fig_04_vertex_split", tmp_path)
    vertices: dict[str, set[str]] = {"+": set(), "−": set()}
    for row in rows:
        assert (float(row["distance of its centre from α [m]"]) >= 0) == (row["side"] == "+")
        vertices[row["side"]].add(row["vertex after"])
    assert len(vertices["+"]) == len(vertices["−"]) == 1 and vertices["+"] != vertices["−"]
    assert "replayed from the frames before and after: all as the rule says" in result.entry.caption  # type: ignore[union-attr]


def test_an_element_on_the_wrong_side_is_seen(run: Results) -> None:
    split = fig_04.chosen(run.experiment("mueller_gross_2004/split_rule").one(name="keep"))
    assert split.as_the_rule_says()
    strayed = split.after.tetrahedra.copy()
    element = split.below[0]
    strayed[element] = np.where(
        strayed[element] == split.vertex_of(split.below), split.vertex_of(split.above), strayed[element]
    )
    assert not replace(split, after=replace(split.after, tetrahedra=strayed)).as_the_rule_says()


def test_figure_5_has_exact_normals_at_rest_and_better_ones_by_the_inverse_transpose(
    run: Results, tmp_path: Path
) -> None:
    _, rows = drawn(run, "fig_05_surface_normals", tmp_path)
    middle = {(float(r["bend [deg]"]), r["normals"], r["against"]): float(r["median [deg]"]) for r in rows}
    seen = "triangles of the bent surface"
    assert middle[0.0, "turned by R (as printed)", seen] < 1e-5
    assert 5 * middle[60.0, "by F⁻ᵀ", seen] < middle[60.0, "turned by R (as printed)", seen]


def test_figure_6_closes_both_sides_with_the_same_part_of_the_face(run: Results, tmp_path: Path) -> None:
    result, rows = drawn(run, "fig_06_surface_cut", tmp_path)
    by = {r["part"]: r for r in rows}
    one_side, other = by["copy on one side"], by["copy on the other side"]
    assert one_side["triangles"] == other["triangles"]
    assert float(one_side["area [m^2]"]) == pytest.approx(float(other["area [m^2]"]), rel=1e-12, abs=0)
    assert 0 < float(one_side["area [m^2]"]) < float(by["T_v"]["area [m^2]"])
    assert "more than 0 open edges" in result.entry.caption  # type: ignore[union-attr]


def test_the_part_outside_and_the_copy_inside_make_up_the_face(run: Results) -> None:
    cut = fig_06.chosen(run.experiment("mueller_gross_2004/surface_cut").one(name="warped"))
    outer = fig_06.outer_part(cut)
    assert outer is not None
    flat = View.towards(cut.normal).flat(outer)
    ahead = np.roll(flat, -1, axis=0)
    outside = abs(float((flat[:, 0] * ahead[:, 1] - flat[:, 1] * ahead[:, 0]).sum())) / 2
    corners = cut.after.field("skin_positions")[cut.copies()[0]]
    inside = (
        float(np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()) / 2
    )
    whole = float(np.linalg.norm(np.cross(cut.corners[1] - cut.corners[0], cut.corners[2] - cut.corners[0]))) / 2
    assert outside + inside == pytest.approx(whole, rel=1e-9)  # positions of the cut are interpolated along edges


def test_drawing_a_cut_apart_moves_the_two_copies_and_nothing_far_away(run: Results) -> None:
    cut = fig_06.chosen(run.experiment("mueller_gross_2004/surface_cut").one(name="warped"))
    points, moved = cut.after.field("skin_positions"), fig_06.drawn_apart(cut, 0.1)
    shift = (moved - points) @ cut.normal
    first, second = (np.unique(t) for t in cut.copies())
    assert shift[np.setdiff1d(first, second)].max() <= 1e-12 and shift[np.setdiff1d(second, first)].min() >= -1e-12
    assert shift[first].min() < -0.01 and shift[second].max() > 0.01
    reach = np.linalg.norm(points - cut.corners[0], axis=1) > 1.0
    assert np.abs(shift[reach]).max(initial=0.0) == 0.0


def made_up(folder: Path, plastic: np.ndarray, angle: float = 0.7) -> Trace:
    """One element turned about z after a stretch of 20 % along x."""
    turned = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    now = REST @ np.diag([1.2, 1, 1]) @ turned.T + [5.0, 6.0, 7.0]
    frame = {
        "positions": now[None],
        "rotations": turned.reshape(1, 9),
        "elastic_forces": np.zeros((1, 4, 3)),
        "element_plastic_strains": plastic[None, None],
    }
    arrays = {"rest_positions": REST, "tetrahedra": np.array([[0, 1, 2, 3]])}
    scene = {"young_modulus_pa": 1e5, "poisson_ratio": 0.3}
    path = write_trace(folder, f"{one.EXPERIMENT} warped_fem creeping", scene=scene, arrays=arrays, frame=frame)
    return Trace(path)


def test_the_unrotated_element_is_the_stretched_one_wherever_it_lies(tmp_path: Path) -> None:
    element = one.element_at(made_up(tmp_path, np.zeros(6)), 0, 0)
    assert np.allclose(element.unrotated, element.rest @ np.diag([1.2, 1, 1]), atol=1e-13)
    assert np.degrees(one.angles(element.rotation)) == pytest.approx(np.degrees(0.7))


def test_plastic_forces_are_volume_times_b_transposed_times_stress(tmp_path: Path) -> None:
    strain = np.array([0.1, -0.02, 0.03, 0.04, -0.01, 0.02])
    element = one.element_at(made_up(tmp_path, strain), 0, 0)
    gradients = np.linalg.inv(np.column_stack([REST, np.ones(4)]))[:3].T  # of the shape functions, one per row
    volume = float(volumes(REST, np.array([[0, 1, 2, 3]]))[0])
    expected = volume * gradients @ isotropic_stress(one.tensors(strain), 1e5, 0.3)
    assert np.allclose(element.plastic, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_an_element_whose_whole_strain_has_flowed_bears_no_elastic_force(tmp_path: Path) -> None:
    element = one.element_at(made_up(tmp_path, np.array([0.2, 0, 0, 0, 0, 0])), 0, 0)
    assert np.abs(element.total - element.plastic).max() < 1e-12 * np.abs(element.total).max()


def test_a_view_keeps_lengths_across_it_and_knows_what_is_nearer() -> None:
    view = View.towards((1.0, 2.0, 3.0))
    assert np.allclose(view.axes @ view.axes.T, np.eye(3)) and np.linalg.det(view.axes) == pytest.approx(1.0)
    assert view.depth(np.array([1.0, 2.0, 3.0])) > view.depth(np.zeros(3))
    assert mix("#000000", "#ffffff", 0.5) == "#808080"

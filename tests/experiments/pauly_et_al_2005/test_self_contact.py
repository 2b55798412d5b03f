# SPDX-License-Identifier: BSD-3-Clause
"""Made-up halves of a block of which one is moved into the other,
and a bar of which one end lies inside of the other."""

from pathlib import Path

import numpy as np
import pytest
from figure_traces import drawn
from measured import number, value_of
from node_traces import grid, write_nodes

from experiments.pauly_et_al_2005.measurements import self_contact as m
from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.solid_surfaces import Carrier, box_surface, inside

RADIUS, LENGTH, SIDE = 0.1, 1.0, 0.5
GRID = (grid(*[np.arange(n) for n in (10, 5, 5)]) + 0.5) * 0.1 - [0, SIDE / 2, SIDE / 2]
IS_SECOND = GRID[:, 0] > 0.5


def on_cut(sign: float) -> tuple[np.ndarray, np.ndarray]:
    """Surfels on a face of the cut, whose normal points to x · sign."""
    y, z = (
        a.ravel() for a in np.meshgrid(np.linspace(-0.2, 0.4, 7), np.linspace(-0.2, 0.2, 5))
    )  # some beyond the skin
    return np.stack([np.full(len(y), 0.5), y, z], 1), np.tile([sign, 0.0, 0.0], (len(y), 1))


def run(
    folder: Path,
    name: str,
    moved: list[list[float]],
    stiffness: float = 1.0,
    arrangement: str = "fragments",
    status: str = "completed",
) -> None:
    """Member → frame → how far the second half, in x > 0.5, has moved along −x; a depth of the cut's surfels."""
    sides = [on_cut(1.0), on_cut(-1.0)]
    arrays = {
        "node_rest_positions": GRID,
        "node_supports": np.full(len(GRID), 0.22),
        "surfel_rest_positions": np.concatenate([s[0] for s in sides]),
        "surfel_rest_normals": np.concatenate([s[1] for s in sides]),
    }
    frames = [[(GRID - np.outer(IS_SECOND, [d, 0, 0]), arrays) for d in row] for row in moved]
    write_nodes(
        folder,
        m.M.experiment,
        frames,
        name=name,
        scene={"length_m": LENGTH, "side_m": SIDE, "arrangement": arrangement, "turn_deg": stiffness},
        parameters={"surfel_radius_m": RADIUS, "body_contact_stiffness": stiffness},
        coordinates={m.STIFFNESS: stiffness},
        status=status,
        expect={"status": "diverged" if name == "beyond" else "completed"},
    )


def everything(folder: Path, worst: float = 0.05) -> None:
    for name in (m.IMPACT, m.REST, m.FOLDED):
        for stiffness, depth in ((1.0, 0.12), (4.0, 0.08), (16.0, worst)):
            run(
                folder, name, [[0.0, depth, -0.2, depth / 2], [0.0, 0.9 * depth, depth / 2, 0.9 * depth / 2]], stiffness
            )
    run(folder, m.APART, [[0.0, -0.1], [-0.2, -0.3]])
    run(folder, m.OPEN, [[0.0, 0.15], [0.0, 0.21]])
    run(folder, "beyond", [[0.0, 0.1]], status="diverged")


def test_depth_is_that_of_the_deepest_surfel_of_either_half_in_any_frame(tmp_path: Path) -> None:
    everything(tmp_path)
    assert number(tmp_path, "self_contact.impact_depth") == pytest.approx(
        0.45, rel=1e-6
    )  # the second member, 0.9 · 0.05
    assert "member 1" in value_of(tmp_path, "self_contact.impact_depth").note
    assert number(tmp_path, "self_contact.open_depth") == pytest.approx(1.5, rel=1e-6)
    assert number(tmp_path, "self_contact.apart_depth") == 0.0
    assert number(tmp_path, "self_contact.impact_drop") == pytest.approx(0.05 / 0.12, rel=1e-6)
    assert number(tmp_path, "self_contact.step_ratio") == pytest.approx(0.08 / 0.12, rel=1e-6)


def test_what_rests_is_judged_once_it_has_come_to_rest(tmp_path: Path) -> None:
    everything(tmp_path)
    assert number(tmp_path, "self_contact.rest_depth") == pytest.approx(0.225, rel=1e-6)  # the last of four frames


def test_a_stiffness_that_lets_parts_in_deeper_is_seen(tmp_path: Path) -> None:
    everything(tmp_path, worst=0.1)
    assert number(tmp_path, "self_contact.step_ratio") == pytest.approx(0.1 / 0.08, rel=1e-6)


def test_a_touch_of_what_flies_apart_is_seen_in_one_member(tmp_path: Path) -> None:
    everything(tmp_path)
    run(tmp_path, m.APART, [[0.0, -0.1], [-0.2, 0.02]], stiffness=2.0)
    assert number(tmp_path, "self_contact.apart_depth") == pytest.approx(0.2, rel=1e-6)


def test_runs_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    everything(tmp_path)
    assert number(tmp_path, "self_contact.beyond_diverged") == 1.0
    run(tmp_path, "beyond", [[0.0, 0.2]], stiffness=2.0)
    assert number(tmp_path, "self_contact.beyond_diverged") == 0.5
    run(tmp_path, "beyond", [[0.0, 0.2]], stiffness=3.0, status="failed")  # stopped for some other reason
    assert number(tmp_path, "self_contact.beyond_diverged") == pytest.approx(1 / 3)


def test_two_stiffnesses_are_no_sweep(tmp_path: Path) -> None:
    for stiffness in (1.0, 2.0):
        run(tmp_path, m.IMPACT, [[0.0, 0.1]], stiffness)
    assert "2 stiffnesses" in value_of(tmp_path, "self_contact.impact_depth").note


def bar() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A bar of 2 m whose far end is put into its near end, across;
    surfels on top of it in the middle and on the far end's face."""
    rest = (grid(*[np.arange(n) for n in (20, 3, 3)]) + 0.5) * 0.1
    rest = rest - [0, 0.15, 0.15]
    surfels = np.array([[1.0, 0.0, 0.15], [2.0, 0.0, 0.0]])
    return rest, rest, surfels, np.array([[0.0, 0, 1], [1.0, 0, 0]])


@pytest.mark.parametrize("depth", [0.0, 0.05, 0.12])
def test_an_end_inside_of_the_other_is_found_and_the_own_surface_is_not(tmp_path: Path, depth: float) -> None:
    rest, _, surfels, normals = bar()
    # The far half stands upright on the near end: x → z, its end `depth` below the top of the near half.
    far = rest[:, 0] > 1.0
    moved = rest.copy()
    moved[far] = np.stack([0.3 + 0 * rest[far, 0], rest[far, 1], 0.15 + (2.0 - rest[far, 0]) - depth], 1)
    moved[far, 0] += rest[far, 2]
    arrays = {
        "node_rest_positions": rest,
        "node_supports": np.full(len(rest), 0.22),
        "surfel_rest_positions": surfels,
        "surfel_rest_normals": normals,
    }
    for stiffness in (1.0, 2.0, 4.0):
        write_nodes(
            tmp_path,
            m.M.experiment,
            [[(rest, arrays), (moved, arrays)]],
            name=m.FOLDED,
            scene={"length_m": 2.0, "side_m": 0.3, "arrangement": "folded"},
            parameters={"surfel_radius_m": RADIUS, "body_contact_stiffness": stiffness},
            coordinates={m.STIFFNESS: stiffness},
        )
    expected = depth / RADIUS
    assert number(tmp_path, "self_contact.folded_depth") == pytest.approx(expected, abs=1e-6)


def test_a_box_encloses_what_is_in_it_and_moves_with_its_nodes() -> None:
    points, triangles = box_surface(np.zeros(3), np.array([1.0, 0.5, 0.5]), 0.1)
    rest = GRID + [0, SIDE / 2, SIDE / 2]
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    turn *= np.linalg.det(turn)
    f = turn @ (np.eye(3) + 0.2 * np.random.default_rng(2).normal(size=(3, 3)))
    moved = Carrier(Nodes(rest, np.full(len(rest), 0.22)), points).at(rest @ f.T + 3.0)
    assert moved == pytest.approx(points @ f.T + 3.0, abs=1e-12)
    probes = np.random.default_rng(3).uniform(-0.2, 1.2, (400, 3))
    expected = ((probes > 0) & (probes < [1.0, 0.5, 0.5])).all(axis=1)
    assert (inside(probes @ f.T + 3.0, moved[triangles]) == expected).all()


def test_the_figure_has_every_depth_that_was_put_in(tmp_path: Path) -> None:
    everything(tmp_path)
    entry, rows = drawn(tmp_path, "sec_6_contact", tmp_path / "out")
    depths = {(r["situation"], float(r["stiffness"]), r["member"]): float(r["depth / r"]) for r in rows}
    assert depths["impact", 1.0, "0"] == pytest.approx(1.2, rel=1e-4)
    assert depths["impact", 16.0, "1"] == pytest.approx(0.45, rel=1e-4)
    assert depths["rest", 4.0, "0"] == pytest.approx(0.4, rel=1e-4)
    assert len(depths) == 18
    assert "0.45 r in an impact" in entry.caption

# SPDX-License-Identifier: BSD-3-Clause
"""Shot triangles, thrown sheets, folded stacks, impact zones: one step, seed, or cell of several is at fault."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from stacked import LAYERS, MASSES, TRIANGLES, stack, write

PAPER = "cs533d_cloth_lecture"
FREE, CROSSED = stack(), stack(crossed=True)


def shot(folder: Path, detection: str, coordinates: str, end: np.ndarray) -> None:
    write(
        folder,
        f"{PAPER}/shot_triangles",
        "cloth",
        positions=np.array([FREE, end]),
        parameters={"collision_detection": detection},
        scene={"coordinates": coordinates},
    )


def test_shot_triangles_that_get_through_are_counted(tmp_path: Path) -> None:
    for coordinates in ("random", "small_integers"):
        shot(tmp_path, "none", coordinates, CROSSED)
        shot(tmp_path, "point_face", coordinates, CROSSED)
        shot(tmp_path, "edge_edge", coordinates, FREE)
        shot(tmp_path, "both", coordinates, FREE)
    assert number(tmp_path, "shot_triangles.crossed_with_both") == 0
    assert number(tmp_path, "shot_triangles.crossed_share_with_none") == 0.5
    assert number(tmp_path, "shot_triangles.crossed_share_with_points") == 0.5
    assert number(tmp_path, "shot_triangles.crossed_share_with_edges") == 0.0
    assert number(tmp_path, "shot_triangles.pairs") == 4


@pytest.mark.parametrize("worst", ["random", "small_integers"])
def test_one_kind_of_coordinates_at_fault_is_found(tmp_path: Path, worst: str) -> None:
    for coordinates in ("random", "small_integers"):
        shot(tmp_path, "both", coordinates, CROSSED if coordinates == worst else FREE)
    assert number(tmp_path, "shot_triangles.crossed_with_both") == 1


def test_a_pair_that_crosses_on_the_way_alone_is_found(tmp_path: Path) -> None:
    end = FREE.copy()
    end[[0, 1, 2, 3, 4, 5]] = FREE[[3, 4, 5, 0, 1, 2]]  # they change places
    shot(tmp_path, "both", "random", end)
    assert number(tmp_path, "shot_triangles.crossed_with_both") == 1


def thrown(folder: Path, detection: str, motion: float, fault: tuple[int, int] | None = None, counted: int = 0) -> None:
    positions = np.tile(FREE, (3, 4, 1, 1))
    if fault:
        positions[fault] = CROSSED
    write(
        folder,
        f"{PAPER}/thrown_sheets",
        "cloth",
        positions=positions,
        counts={9: counted, 8: 2 * counted},
        parameters={"collision_detection": detection},
        scene={"motion_edges": motion},
        members=3,
    )


def test_thrown_sheets_are_judged_in_every_step_of_every_throw(tmp_path: Path) -> None:
    thrown(tmp_path, "both", 0.1)
    thrown(tmp_path, "both", 1.0, fault=(2, 1), counted=1)
    assert number(tmp_path, "thrown_sheets.largest_strain") > 0.5  # of the triangle that stands upright
    for detection in ("none", "point_face", "edge_edge", "proximity"):
        thrown(tmp_path, detection, 0.1, fault=(0, 3))
    assert number(tmp_path, "thrown_sheets.crossings_with_both") == 1
    assert number(tmp_path, "thrown_sheets.unresolved_with_both") == 3
    assert number(tmp_path, "thrown_sheets.stopped_with_both") == 6
    for what in ("points", "edges"):
        assert number(tmp_path, f"thrown_sheets.tangled_share_with_{what}") == pytest.approx(1 / 3)
    assert number(tmp_path, "thrown_sheets.most_tangled_share_with_proximity") == pytest.approx(1 / 3)
    assert number(tmp_path, "thrown_sheets.crossed_share_with_edges") == pytest.approx(1 / 3)
    assert number(tmp_path, "thrown_sheets.crossings_with_points") == 0  # the throw that has the fewest
    assert number(tmp_path, "thrown_sheets.met_share") == 0  # both triangles are of one sheet
    assert number(tmp_path, "thrown_sheets.throws") == 3


def test_a_tangle_that_comes_apart_is_none_at_the_end(tmp_path: Path) -> None:
    thrown(tmp_path, "point_face", 0.1, fault=(0, 1))
    thrown(tmp_path, "edge_edge", 0.1, fault=(0, 1))
    assert number(tmp_path, "thrown_sheets.tangled_share_with_points") == 0
    assert number(tmp_path, "thrown_sheets.crossed_share_with_edges") == pytest.approx(1 / 3)


@pytest.mark.parametrize("through", [(1, 2), (0, 1)])
def test_sheets_that_pass_within_a_step_have_met(tmp_path: Path, through: tuple[int, int]) -> None:
    """Triangles 0 and 1 are one sheet, 2 and 3 the other."""
    after = FREE.copy()
    first, second = (slice(3 * k, 3 * k + 3) for k in through)
    after[first], after[second] = FREE[second], FREE[first]
    positions = np.tile(FREE, (3, 4, 1, 1))
    positions[:, 2:] = after
    for detection in ("none", "both"):
        parameters = {"collision_detection": detection}
        write(tmp_path, f"{PAPER}/thrown_sheets", "cloth", positions=positions, parameters=parameters, members=3)
    assert number(tmp_path, "thrown_sheets.met_share") == (1 if through == (1, 2) else 0)
    assert number(tmp_path, "thrown_sheets.crossings_with_both") == 1


def folded(folder: Path, layers: int, cap: int, order: str, sweeps: int, load: float = 100, **kind: object) -> None:
    left = bool(kind.get("left", sweeps >= cap))
    write(
        folder,
        f"{PAPER}/folding_stack",
        "sweeps",
        positions=np.array([FREE, CROSSED if left else FREE]),
        counts={1: min(sweeps, cap), 9: 0 if kind.get("unsaid") else int(left)},
        parameters={"collision_sweeps": cap, "collision_order": order},
        scene={"layers": layers, "load_ratio": load},
    )


def all_folded(folder: Path, **kind: object) -> None:
    for order, factor in (("forward", 1.0), ("backward", 2.0)):
        for layers in (10, 40):
            for cap in (1000, 20000):
                folded(folder, layers, cap, order, int(factor * layers**2))
    folded(folder, 10, 20000, "forward", 5, load=0, **kind)
    write(
        folder,
        f"{PAPER}/folding_stack",
        "zones",
        positions=np.array([FREE, FREE]),
        counts={4: 3, 8: 1},
        parameters={"collision_sweeps": 0},
        scene={"layers": 10, "load_ratio": 100},
    )


def test_sweeps_count_where_nothing_crosses_after_them(tmp_path: Path) -> None:
    all_folded(tmp_path)
    assert number(tmp_path, "folding_stack.most_sweeps") == 3200
    assert number(tmp_path, "folding_stack.most_sweeps_without_load") == 5
    assert number(tmp_path, "folding_stack.crossings_after_thousand") == 1
    assert number(tmp_path, "folding_stack.crossings_at_start") == 0
    assert number(tmp_path, "folding_stack.unsaid_crossings") == 0
    assert number(tmp_path, "folding_stack.crossings_with_zones") == 0
    assert number(tmp_path, "folding_stack.rounds_of_zones") == 3
    assert number(tmp_path, "folding_stack.stopped_by_zones") == 1
    assert number(tmp_path, "folding_stack.growth_with_layers") == pytest.approx(2)


def test_sweeps_that_leave_crossings_do_not_count_and_must_be_said(tmp_path: Path) -> None:
    all_folded(tmp_path, left=True, unsaid=True)
    assert number(tmp_path, "folding_stack.unsaid_crossings") == 1
    for order in ("forward", "backward"):
        folded(tmp_path / "all", 40, 20000, order, 1500, left=True)
    assert value_of(tmp_path / "all", "folding_stack.most_sweeps").is_missing


def piled(folder: Path, name: str, noise: float, fault: str = "", kept: float = 0.5) -> None:
    random = np.random.default_rng(2)
    x = np.tile(FREE, (3, 2, 1, 1))
    v = random.standard_normal((3, 2, 3 * LAYERS, 3))
    mean = np.einsum("n,mni->mi", MASSES, v[:, 0]) / MASSES.sum()
    v[:, 1] = mean[:, None] + np.sqrt(kept) * (v[:, 0] - mean[:, None])
    if fault == "moves":
        v[1, 1] += 0.01
    if fault == "crosses":
        x[2, 1] = CROSSED
    if fault == "turned":
        x[:, 1, :, 1] *= -1.0
    write(folder, f"{PAPER}/impact_zones", name, positions=x, velocities=v, scene={"speed_noise": noise}, members=3)


def test_zones_are_judged_seed_by_seed(tmp_path: Path) -> None:
    for noise in (0.0, 0.3):
        piled(tmp_path, "impulses", noise, kept=0.8)
        piled(tmp_path, "rigid", noise, kept=0.2)
        piled(tmp_path, "affine", noise, fault="turned" if noise else "crosses", kept=0.7)
    assert number(tmp_path, "impact_zones.crossings_at_start") == 0
    assert number(tmp_path, "impact_zones.crossings_with_rigid") == 0
    assert number(tmp_path, "impact_zones.passed_with_rigid") == 0
    assert number(tmp_path, "impact_zones.crossings_with_impulses") == 0
    assert number(tmp_path, "impact_zones.crossings_with_affine") == 1
    assert number(tmp_path, "impact_zones.passed_with_affine") == LAYERS - 1
    assert number(tmp_path, "impact_zones.faulty_share_with_affine") == pytest.approx(1 / 3)
    assert number(tmp_path, "impact_zones.momentum_change_rigid") < 1e-15
    assert number(tmp_path, "impact_zones.energy_ratio") == pytest.approx(0.25)
    assert number(tmp_path, "impact_zones.energy_kept_by_rigid") == pytest.approx(0.2)
    assert number(tmp_path, "impact_zones.energy_kept_by_affine") == pytest.approx(0.7)
    assert number(tmp_path, "impact_zones.stopped_vertices") == 0
    assert number(tmp_path, "impact_zones.rounds") == 0


def test_one_seed_of_one_noise_that_crosses_or_moves_is_found(tmp_path: Path) -> None:
    piled(tmp_path, "rigid", 0.0, fault="moves")
    piled(tmp_path, "rigid", 0.3, fault="crosses")
    piled(tmp_path, "affine", 0.3, fault="moves")
    assert number(tmp_path, "impact_zones.crossings_with_rigid") == 1
    assert 1e-3 < number(tmp_path, "impact_zones.momentum_change_rigid") < 0.1
    assert number(tmp_path, "impact_zones.angular_momentum_change_rigid") > 1e-3
    assert number(tmp_path, "impact_zones.momenta_change_affine") > 1e-3


def test_the_triangles_of_the_stack_are_apart() -> None:
    assert len(TRIANGLES) == LAYERS

# SPDX-License-Identifier: BSD-3-Clause
"""Shot triangles, thrown sheets, folded stacks, impact zones: one step, seed, or cell of several is at fault."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from stacked import LAYERS, MASSES, TRIANGLES, stack, write

from experiments.cs533d_cloth_lecture.measurements import folding_stack

PAPER = "cs533d_cloth_lecture"
FREE, CROSSED = stack(), stack(crossed=True)


def shot(folder: Path, detection: str, coordinates: str, end: np.ndarray) -> None:
    positions = np.array([FREE, end])
    parameters = {"collision_detection": detection}
    scene = {"coordinates": coordinates}
    write(folder, f"{PAPER}/shot_triangles", "cloth", positions=positions, parameters=parameters, scene=scene)


def test_shot_triangles_that_get_through_are_counted(tmp_path: Path) -> None:
    shot(tmp_path, "point_face", "random", CROSSED)
    shot(tmp_path, "both", "random", FREE)
    shot(tmp_path, "both", "small_integers", CROSSED)
    assert number(tmp_path, "shot_triangles.crossed_with_both") == 1
    assert number(tmp_path, "shot_triangles.crossed_share_with_points") == 0.5
    assert number(tmp_path, "shot_triangles.pairs") == 4


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
        scene={"motion_edges": motion, "vertices_across": 12},
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


@pytest.mark.parametrize("falls", [2, 1])
def test_sheets_that_pass_within_a_step_have_met(tmp_path: Path, falls: int) -> None:
    """Triangles 0 and 1 are one sheet, 2 and 3 the other; one falls through the one below it after a third of the
    step."""
    before = FREE.copy()
    before[3 * falls, 1] += 0.3  # it is not parallel
    before[3 * falls + 1, 1] -= 0.3
    after = before.copy()
    after[3 * falls : 3 * falls + 3, 1] -= 3.0
    positions = np.tile(before, (3, 4, 1, 1))
    positions[:, 2:] = after
    for detection in ("none", "both"):
        parameters = {"collision_detection": detection}
        write(tmp_path, f"{PAPER}/thrown_sheets", "cloth", positions=positions, parameters=parameters, members=3)
    assert number(tmp_path, "thrown_sheets.met_share") == (1 if falls == 2 else 0)
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
        scene={"layers": layers, "load_ratio": load, "gap_share": 1.0 / layers},
        sweep_contacts=kind.get("contacts", (4, 2, 0)),
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
    assert number(tmp_path, "folding_stack.most_sweeps_of_cloth") == 5
    assert number(tmp_path, "folding_stack.most_sweeps_in_either_order") == 1600
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
    assert value_of(tmp_path / "all", "folding_stack.most_sweeps_in_either_order").is_missing


def test_contacts_that_the_first_sweep_causes_are_those_of_the_second(tmp_path: Path) -> None:
    folded(tmp_path, 10, 20000, "forward", 50, load=0, contacts=(4, 40, 0))
    folded(tmp_path, 10, 20000, "forward", 50, contacts=(4, 3, 90))
    assert number(tmp_path, "folding_stack.contacts_ratio") == 0.75
    folded(tmp_path, 10, 20000, "backward", 50, contacts=(4, 6, 0))
    assert number(tmp_path, "folding_stack.contacts_ratio") == 1.5


def test_the_row_of_neighbours_is_that_of_an_independent_program(tmp_path: Path) -> None:
    """1147 sweeps for five layers under a plate of a hundred times their mass,
    where ties between neighbours count otherwise."""
    assert folding_stack.row_sweeps(5, 0.18, 100.0) in (1147, 1148)
    assert folding_stack.row_sweeps(10, 0.1, 100.0) == 8764
    folded(tmp_path, 10, 20000, "forward", 4382)
    folded(tmp_path, 40, 20000, "forward", 15000)  # too long a row
    folded(tmp_path, 10, 20000, "forward", 900, load=1)  # a plate as heavy as the layers: sweeps are few
    assert number(tmp_path, "folding_stack.sweeps_over_row") == pytest.approx(0.5)


def test_work_is_counted_where_sweeps_are_many(tmp_path: Path) -> None:
    """Four triangles apart: 12 points with 9 corners of others, 12 edges with 9 sides of others, each pair once."""
    for layers, sweeps, load in ((10, 300, 100), (20, 2000, 100), (5, 3, 10)):
        for order, factor in (("forward", 1), ("backward", 2)):
            folded(tmp_path, layers, 20000, order, factor * sweeps, load, contacts=(factor * sweeps, 0))
        write(
            tmp_path,
            f"{PAPER}/folding_stack",
            "zones",
            positions=np.array([FREE, FREE]),
            counts={4: 2},
            parameters={"collision_sweeps": 0},
            scene={"layers": layers, "load_ratio": load},
        )
    assert number(tmp_path, "folding_stack.pass_ratio") == pytest.approx(3 / 301)
    assert number(tmp_path, "folding_stack.work_ratio") == pytest.approx(3 * (12 * 3 + 12 * 9 / 2) / 2000)


def staircase(folder: Path, name: str, fault: str = "", zones: int = 2, rounds: int = 2) -> None:
    """Four triangles, each over a part of the one below it. One of them tilts so that its middle stays above,
    and it crosses nothing."""
    x = FREE.copy()
    for k in range(LAYERS):
        x[3 * k : 3 * k + 3, 0] += 0.6 * k
    positions = np.tile(x, (3, 2, 1, 1))
    if fault == "passed":
        positions[1, 1, 6:9, 1] -= 1.5
    if fault == "tilted":  # its far corner falls, beyond what is below it
        positions[1, 1, 7, 1] -= 0.9
    velocities = np.ones_like(positions)
    counts = {4: rounds, 5: zones, 8: 1 if fault == "stopped" else 0}
    states = {"positions": positions, "velocities": velocities}
    write(folder, f"{PAPER}/merging_zones", name, **states, counts=counts, members=3)


@pytest.mark.parametrize("fault", ["", "passed", "tilted", "stopped"])
def test_sheets_of_a_staircase_that_pass_each_other_are_found(tmp_path: Path, fault: str) -> None:
    staircase(tmp_path, "rigid", fault)
    staircase(tmp_path, "none", fault)
    assert number(tmp_path, "merging_zones.faults") == (fault == "passed")
    assert number(tmp_path, "merging_zones.passed_without") == 0
    assert number(tmp_path, "merging_zones.stopped_vertices") == (fault == "stopped")
    assert number(tmp_path, "merging_zones.crossings_at_start") == 0
    assert number(tmp_path, "merging_zones.momenta_change") == 0


def test_zones_merge_where_several_are_left_after_several_rounds(tmp_path: Path) -> None:
    for folder, zones, rounds in (("one", 1, 3), ("first", 4, 1), ("merge", 2, 2)):
        staircase(tmp_path / folder, "rigid", zones=zones, rounds=rounds)
        assert number(tmp_path / folder, "merging_zones.merging_share") == (folder == "merge")
        assert number(tmp_path / folder, "merging_zones.zones") == zones
        assert number(tmp_path / folder, "merging_zones.rounds") == rounds


def thick(folder: Path, name: str, gap: float, turned: bool) -> None:
    """Layers `gap` apart of which the upper half falls by 1 m: their fit turns them inside out below 0.4 m."""
    x = FREE * [1.0, gap, 1.0]
    v = np.zeros_like(x)
    v[3 * LAYERS // 2 :, 1] = -1.0
    end = x * [1.0, -1.0 if turned else 1.0, 1.0]
    positions = np.tile([x, end], (3, 1, 1, 1))
    velocities = np.tile([v, v], (3, 1, 1, 1))
    scene = {"gap_share": gap, "speed_m_s": 1.0, "time_step_s": 1.0}
    write(folder, f"{PAPER}/affine_zones", name, positions=positions, velocities=velocities, scene=scene, members=3)


@pytest.mark.parametrize("wrong", [False, True])
def test_piles_that_affine_motions_turn_are_those_that_the_fit_turns(tmp_path: Path, wrong: bool) -> None:
    for gap, turned in ((0.2, True), (0.35, not wrong), (0.5, False), (1.0, False)):
        thick(tmp_path, "affine", gap, turned)
        thick(tmp_path, "rigid", gap, False)
    assert number(tmp_path, "affine_zones.faulty_share") == 1
    assert number(tmp_path, "affine_zones.faulty_share_with_rigid") == 0
    assert number(tmp_path, "affine_zones.unexplained") == (3 if wrong else 0)
    assert number(tmp_path, "affine_zones.faulty_share_of_high_piles") == 0
    sound, faulty = (0.35, 0.2) if wrong else (0.5, 0.35)
    assert number(tmp_path, "affine_zones.largest_sound_ratio") == pytest.approx(1 / (3 * sound))
    assert number(tmp_path, "affine_zones.least_faulty_ratio") == pytest.approx(1 / (3 * faulty))


def test_one_high_pile_that_turns_is_found(tmp_path: Path) -> None:
    thick(tmp_path, "affine", 0.35, True)  # approach over height of 0.95
    thick(tmp_path, "affine", 0.51, True)  # 0.65
    thick(tmp_path, "affine", 1.0, False)
    assert number(tmp_path, "affine_zones.faulty_share_of_high_piles") == 1


def gapped(folder: Path, gap: float, stopped: int = 0, fault: str = "", members: int = 3, name: str = "gaps") -> None:
    """Layers whose cells have a side of one metre at rest."""
    x, v = np.tile(FREE, (members, 2, 1, 1)), np.ones((members, 2, 3 * LAYERS, 3))
    if fault == "crosses":
        x[-1, 1] = CROSSED
    if fault == "stands":
        v[members // 2, 1] = 0.0
    write(
        folder,
        f"{PAPER}/thin_{name}",
        "rigid",
        positions=x if members > 1 else x[0],
        velocities=v if members > 1 else v[0],
        counts={8: stopped},
        scene={"gap": gap},
        members=members if members > 1 else 0,
        rest=FREE * [1.0, gap, 1.0],
    )


def test_what_the_fail_safe_stops_is_told_by_the_gap(tmp_path: Path) -> None:
    gapped(tmp_path, 1e-4, fault="crosses")
    gapped(tmp_path, 1e-7, stopped=6, fault="stands")
    assert number(tmp_path, "thin_gaps.stopped_share") == 0.5
    assert number(tmp_path, "thin_gaps.stopped_share_of_wide_gaps") == 0
    assert number(tmp_path, "thin_gaps.crossings") == 1
    assert number(tmp_path, "thin_gaps.momenta_change") == pytest.approx(1.0)
    assert number(tmp_path, "thin_gaps.momenta_change_of_wide_gaps") == 0
    assert number(tmp_path, "thin_gaps.least_gap") == pytest.approx(1e-7, rel=1e-9, abs=0)
    assert number(tmp_path, "thin_gaps.least_wide_gap") == pytest.approx(1e-4)


def test_a_folded_strip_that_is_stopped_whole_has_lost_its_momentum(tmp_path: Path) -> None:
    gapped(tmp_path, 1e-3, members=1, name="folds")
    gapped(tmp_path, 1e-5, stopped=3, fault="crosses", members=1, name="folds")
    gapped(tmp_path, 1e-7, stopped=3 * LAYERS, fault="stands", members=1, name="folds")
    assert number(tmp_path, "thin_folds.stopped_share") == 1
    assert number(tmp_path, "thin_folds.stopped_share_of_wide_gaps") == 0
    assert number(tmp_path, "thin_folds.crossings") == 1
    assert number(tmp_path, "thin_folds.speed_kept_where_stopped") == 0


def piled(folder: Path, name: str, noise: float, fault: str = "", kept: float = 0.5, passes: int = 0) -> None:
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
    counts = {4 if name == "rigid" else 1: passes}
    scene = {"speed_noise": noise}
    write(folder, f"{PAPER}/impact_zones", name, positions=x, velocities=v, counts=counts, scene=scene, members=3)


def test_zones_are_judged_seed_by_seed(tmp_path: Path) -> None:
    piled(tmp_path, "impulses", 0.3, kept=0.8, passes=5)
    piled(tmp_path, "rigid", 0.3, kept=0.2, passes=2)
    piled(tmp_path, "affine", 0.3, fault="crosses", kept=0.7)
    assert number(tmp_path, "impact_zones.crossings_at_start") == 0
    assert number(tmp_path, "impact_zones.crossings_with_rigid") == 0
    assert number(tmp_path, "impact_zones.passed_with_rigid") == 0
    assert number(tmp_path, "impact_zones.faulty_share_with_affine") == pytest.approx(1 / 3)
    assert number(tmp_path, "impact_zones.momentum_change_rigid") < 1e-15
    assert number(tmp_path, "impact_zones.energy_ratio") == pytest.approx(0.25)
    assert number(tmp_path, "impact_zones.energy_kept_by_rigid") == pytest.approx(0.2)
    assert number(tmp_path, "impact_zones.energy_kept_by_affine") == pytest.approx(0.7)
    assert number(tmp_path, "impact_zones.stopped_vertices") == 0
    assert number(tmp_path, "impact_zones.pass_ratio") == pytest.approx(0.5)


def test_layers_that_a_step_turns_over_are_faulty_without_crossing(tmp_path: Path) -> None:
    piled(tmp_path, "affine", 0.3, fault="turned")
    assert number(tmp_path, "impact_zones.faulty_share_with_affine") == 1


def test_one_seed_that_crosses_or_moves_is_found(tmp_path: Path) -> None:
    piled(tmp_path, "rigid", 0.0, fault="moves")
    piled(tmp_path, "rigid", 0.3, fault="crosses")
    piled(tmp_path, "affine", 0.3, fault="moves")
    assert number(tmp_path, "impact_zones.crossings_with_rigid") == 1
    assert 1e-3 < number(tmp_path, "impact_zones.momentum_change_rigid") < 0.1
    assert number(tmp_path, "impact_zones.angular_momentum_change_rigid") > 1e-3
    assert number(tmp_path, "impact_zones.momenta_change_affine") > 1e-3


def test_the_triangles_of_the_stack_are_apart() -> None:
    assert len(TRIANGLES) == LAYERS

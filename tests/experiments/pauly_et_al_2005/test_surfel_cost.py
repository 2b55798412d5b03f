# SPDX-License-Identifier: BSD-3-Clause
"""Made-up blocks with surfels of three sizes, and with as many nodes: one is slower, one moves otherwise,
one has too few nodes."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_timing
from surfel_traces import write_frames

from experiments.pauly_et_al_2005.measurements import surfel_cost as m

COUNTS = (0, 100, 400, 1600)
NODES = 20


def run(
    folder: Path, name: str, surfels: int, ms: float, nodes: int = NODES, step: float = 0.003, moved: float = 0.0
) -> None:
    """One repeat in five is disturbed."""
    first = np.zeros((nodes, 3))
    ends = [first, first + [0, 0.5, 0]]
    ends[1][nodes // 2, 2] += moved
    arrays = [
        {"positions": x, "node_supports": np.ones(nodes), "surfel_sheets": np.zeros(surfels, dtype=int)} for x in ends
    ]
    parameters = {"surfel_radius_m": 1 / surfels if surfels else 0.0}
    scene = {"time_step_s": step, "nodes_across": nodes}
    path = write_frames(folder, m.M.experiment, [arrays], name=name, parameters=parameters, scene=scene)
    write_timing(path, 1e-3 * ms * np.array([[1.0] * 8, [1.0] * 8, [1.0] * 8, [1.0] * 8, [30.0] * 8]))


def runs(
    folder: Path, cracked: float = 1.0, whole: float = 1.0, moved: dict[tuple[str, int], float] | None = None
) -> None:
    """Writes runs with prescribed times: (S/100)^exponent ms per step for S surfels, 4 ms per hundred nodes,
    50 ms per frame."""
    for name, exponent in (("cracked", cracked), ("whole", whole), ("framewise", 1.0)):
        for count in COUNTS:
            ms = 0.1 if count == 0 else (count / 100) ** exponent
            step = 0.04 if name == "framewise" else 0.003
            run(folder, name, count, ms, step=step, moved=(moved or {}).get((name, count), 0.0))
    for name, step, ms in (("nodes", 0.003, 4.0), ("nodes_framewise", 0.04, 50.0)):
        for count in (90, 390, 1600):
            run(folder, name, 0, ms * count / 100, nodes=count, step=step)


@pytest.mark.parametrize("name", ["cracked", "whole", "framewise"])
def test_one_surface_that_moves_a_node_is_seen(tmp_path: Path, name: str) -> None:
    runs(tmp_path, moved={(name, 400): 1e-13})
    assert number(tmp_path, "surfel_cost.node_motion") == pytest.approx(1e-13, rel=1e-3, abs=0)


def test_nodes_that_move_alike_differ_by_nothing(tmp_path: Path) -> None:
    runs(tmp_path)
    assert number(tmp_path, "surfel_cost.node_motion") == 0
    assert number(tmp_path, "surfel_cost.node_way") == pytest.approx(0.5)
    assert number(tmp_path, "surfel_cost.surfel_growth") == 16
    assert number(tmp_path, "surfel_cost.surfels_per_node") == 80


def test_the_exponent_is_that_of_the_worse_block(tmp_path: Path) -> None:
    runs(tmp_path, cracked=0.75, whole=1.25)
    assert number(tmp_path, "surfel_cost.exponent") == pytest.approx(1.25)


def test_one_size_of_surface_has_no_exponent(tmp_path: Path) -> None:
    for name, count in (("cracked", 100), ("cracked", 400), ("whole", 100)):
        run(tmp_path, name, count, 1.0)
    found = value_of(tmp_path, "surfel_cost.exponent")
    assert found.value is None and "one size of surface" in found.note


def test_costs_are_compared_with_as_many_nodes_for_a_simulated_second(tmp_path: Path) -> None:
    runs(tmp_path)
    assert number(tmp_path, "surfel_cost.cost_over_nodes") == pytest.approx(16 / 64)
    assert number(tmp_path, "surfel_cost.coarsest_cost_over_nodes") == pytest.approx(1 / 3.6)
    assert number(tmp_path, "surfel_cost.framewise_cost_over_nodes") == pytest.approx(16 / 800)
    assert number(tmp_path, "surfel_cost.carrying_share") == pytest.approx(1 - 0.1 / 16)


def test_a_longer_step_costs_less_a_second(tmp_path: Path) -> None:
    runs(tmp_path)
    run(tmp_path, "nodes", 0, 64.0, nodes=1601, step=0.006)  # more nodes than surfels: not the partner
    assert number(tmp_path, "surfel_cost.cost_over_nodes") == pytest.approx(16 / 64)
    run(tmp_path, "nodes", 0, 3.9, nodes=399, step=0.006)
    assert "400 surfels: 2.05" in value_of(tmp_path, "surfel_cost.cost_over_nodes").note


def test_without_a_block_of_as_many_nodes_there_is_no_ratio(tmp_path: Path) -> None:
    for name in ("cracked", "framewise"):
        for count in COUNTS:
            run(tmp_path, name, count, 1.0)
    run(tmp_path, "nodes", 0, 1.0, nodes=90)
    assert "no block of about 400 nodes" in value_of(tmp_path, "surfel_cost.cost_over_nodes").note

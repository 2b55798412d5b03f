# SPDX-License-Identifier: BSD-3-Clause
"""Made-up blocks in 1, 8 and 27 pieces of lattices: one cloud of one block gets other nodes than the others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from node_traces import DENSITY, arrays_of, cloud, write_nodes

from experiments.pauly_et_al_2005.measurements import piece_counts as m
from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.results import Results

ACROSS = 6  # 216 nodes: 27 per piece in 8 pieces, 8 in 27


def arrays(nodes: Nodes, pieces: int, heavier: float = 1.0) -> dict[str, np.ndarray]:
    """Pairs between two pieces have no weight."""
    found = arrays_of(nodes)
    piece = np.floor((nodes.rest + [0, 0.5, 0.5]) * pieces).astype(int)
    parted = (piece[nodes.pairs[:, 0]] != piece[nodes.pairs[:, 1]]).any(axis=1)
    return {
        **{k: found[k] for k in ("node_rest_positions", "node_supports", "node_volumes", "pairs")},
        "pair_weights": np.where(parted, 0.0, found["pair_weights"]),
        "node_masses": heavier * DENSITY * found["node_volumes"],
    }


def inserted(nodes: Nodes, count: int) -> Nodes:
    """With so many nodes more, beside the first ones."""
    rest = np.concatenate([nodes.rest, nodes.rest[:count] + 1e-3])
    return Nodes(rest, np.full(len(rest), nodes.supports[0]), nodes.first_lame, nodes.shear_modulus)


def block(
    folder: Path, pieces: int, added: list[int], again: int = 0, heavier: float = 1.0, support: float = 2.2
) -> None:
    """`added`: nodes that the first pass inserts, by cloud; the second inserts `again`."""
    members = []
    for seed, count in enumerate(added, 1):
        start = cloud(ACROSS, seed=seed, jitter=0.1)
        frames = [start, inserted(start, count), inserted(start, count + again)]
        members.append([(np.zeros((1, 3)), arrays(n, pieces, heavier if k else 1.0)) for k, n in enumerate(frames)])
    coordinates = {"scene.parameters.pieces_across": pieces, "scene.parameters.support_ratio": support}
    scene = {"nodes_across": ACROSS, "side_m": 1.0, "length_m": 1.0}
    write_nodes(folder, m.M.experiment, members, scene=scene, coordinates=coordinates)


def blocks(folder: Path, middle: int = 6, support: float = 2.2) -> None:
    block(folder, 1, [0, 0], support=support)
    block(folder, 2, [middle, 2], support=support)
    block(folder, 3, [108, 54], again=54, heavier=0.25, support=support)


def test_nodes_are_counted_pass_by_pass_in_the_worst_cloud(tmp_path: Path) -> None:
    blocks(tmp_path)
    assert number(tmp_path, "piece_counts.pieces") == 27
    assert number(tmp_path, "piece_counts.whole_growth") == 1
    assert number(tmp_path, "piece_counts.growth_at_27") == pytest.approx(1 + 6 / 216)
    assert number(tmp_path, "piece_counts.growth_at_8") == pytest.approx(1.25)
    assert number(tmp_path, "piece_counts.last_growth_at_8") == pytest.approx(1.75)
    assert number(tmp_path, "piece_counts.least_rise") == pytest.approx(4 / 216)


def test_more_pieces_that_need_fewer_nodes_are_seen(tmp_path: Path) -> None:
    blocks(tmp_path, middle=170)
    assert number(tmp_path, "piece_counts.least_rise") == pytest.approx((81 - 86) / 216)


def test_a_whole_block_that_gets_nodes_is_seen(tmp_path: Path) -> None:
    block(tmp_path, 1, [0, 2])
    block(tmp_path, 2, [0, 0])
    block(tmp_path, 3, [0, 0])
    assert number(tmp_path, "piece_counts.whole_growth") == pytest.approx(1 + 2 / 216)


def test_work_is_pairs_over_the_stable_step(tmp_path: Path) -> None:
    block(tmp_path, 1, [0, 0])
    block(tmp_path, 2, [0, 0])
    block(tmp_path, 3, [0, 0], heavier=0.25)  # a quarter of the mass: twice the frequency
    assert number(tmp_path, "piece_counts.work_growth") == pytest.approx(2.0, rel=1e-6)


def worst_condition(nodes: Nodes) -> float:
    """In pieces of eight nodes, piece by piece."""
    own = np.floor((nodes.rest + [0, 0.5, 0.5]) * 3) @ [1, 100, 10000]
    found = []
    for piece in np.unique(own):
        rest = nodes.rest[own == piece]
        e = rest[None] - rest[:, None]
        r = np.linalg.norm(e, axis=2) / nodes.supports[0]
        w = np.where(r < 1, (1 - r) ** 3 * (1 + 3 * r), 0.0)
        found.append(np.linalg.cond(np.einsum("ij,ija,ijb->iab", w, e, e)).max())
    return float(max(found))


def test_conditions_are_those_of_the_worst_node_of_the_worst_cloud(tmp_path: Path) -> None:
    blocks(tmp_path)
    clouds = [cloud(ACROSS, seed=seed, jitter=0.1) for seed in (1, 2)]
    before = max(worst_condition(c) for c in clouds)
    after = max(worst_condition(inserted(c, count)) for c, count in zip(clouds, (108, 54)))
    assert after != pytest.approx(before, rel=1e-3)
    assert number(tmp_path, "piece_counts.cut_condition") == pytest.approx(before, rel=1e-6)
    assert number(tmp_path, "piece_counts.resampled_condition") == pytest.approx(after, rel=1e-6)


def test_a_node_that_is_left_alone_has_no_inverse(tmp_path: Path) -> None:
    block(tmp_path, 1, [0])
    block(tmp_path, 2, [0])
    block(tmp_path, 6, [1])
    assert number(tmp_path, "piece_counts.cut_condition") == np.inf


def test_without_a_whole_block_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    block(tmp_path, 2, [0])
    block(tmp_path, 3, [0])
    assert "expected a whole block" in value_of(tmp_path, "piece_counts.least_rise").note


def test_undersampled_nodes_are_those_with_fewer_than_ten_in_their_piece(tmp_path: Path) -> None:
    block(tmp_path, 1, [0, 0], support=m.CORNERS)
    block(tmp_path, 2, [0, 0], support=m.CORNERS)
    block(tmp_path, 3, [108, 0], again=108, support=m.CORNERS)
    assert number(tmp_path, "piece_counts.undersampled_at_8") == 1  # 7 others in the piece at most
    kept = inserted(cloud(ACROSS, seed=2, jitter=0.1), 108)
    pairs = arrays(kept, 3)
    omega = 1 + np.bincount(pairs["pairs"][pairs["pair_weights"] > 0][:, 0], minlength=kept.count)
    assert number(tmp_path, "piece_counts.left_by_corners") == pytest.approx((omega < 10).mean())


def test_density_is_that_of_points_whose_kernels_end_in_the_block(tmp_path: Path) -> None:
    blocks(tmp_path)
    first = arrays(cloud(ACROSS, seed=1, jitter=0.1), 3)
    last = arrays(inserted(cloud(ACROSS, seed=1, jitter=0.1), 162), 3, 0.25)
    trace = Results(tmp_path, "paper", {}).experiment(m.M.experiment).every()[0]
    points = m.inner_points(trace)
    assert np.abs(points - [0.5, 0, 0]).max() < 0.5 - first["node_supports"].max() + 1e-12
    assert [len(np.unique(axis)) for axis in points.T] == 3 * [len(points)], "no planes that pieces may share"
    changes = []
    for seed, count in ((1, 162), (2, 108)):
        first = arrays(cloud(ACROSS, seed=seed, jitter=0.1), 3)
        last = arrays(inserted(cloud(ACROSS, seed=seed, jitter=0.1), count), 3, 0.25)
        changes.append(abs(m.density_at(points, last).mean() / m.density_at(points, first).mean() - 1))
    assert number(tmp_path, "piece_counts.density_change") == pytest.approx(max(changes))

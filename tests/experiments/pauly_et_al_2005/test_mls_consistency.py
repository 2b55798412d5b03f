# SPDX-License-Identifier: BSD-3-Clause
"""Made-up clouds: one pair, one sample or one node of one member has another weight or shape function."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of
from node_traces import arrays_of, cloud, write_nodes

from deformbench_analysis.moving_least_squares import Nodes, weight

NAME = "pauly_et_al_2005/mls_consistency"


def shapes(nodes: Nodes, x: np.ndarray) -> dict[str, np.ndarray]:
    """Φ at the points, by least squares of each point."""
    pairs, values, ranks = [], [], []
    for k, point in enumerate(x):
        away = np.linalg.norm(nodes.rest - point, axis=1)
        near = np.flatnonzero(away < nodes.supports)
        basis = np.concatenate([np.ones((len(near), 1)), nodes.rest[near] - point], axis=1)
        root = np.sqrt(weight(away[near] / nodes.supports[near]))[:, None]
        solution = np.linalg.pinv(root * basis, rcond=1e-3)[0] * root[:, 0]
        pairs += [(k, i) for i in near]
        values += solution.tolist()
        ranks.append(np.linalg.matrix_rank(root * basis, tol=1e-3))
    return {
        "shape_positions": x,
        "shape_pairs": np.array(pairs),
        "shape_values": np.array(values),
        "shape_ranks": np.array(ranks),
    }


def own_values(nodes: Nodes) -> np.ndarray:
    at = shapes(nodes, nodes.rest)
    own = at["shape_pairs"][:, 0] == at["shape_pairs"][:, 1]
    return np.asarray(at["shape_values"][own])


def samples(member: int) -> np.ndarray:
    x = np.random.default_rng(50 + member).uniform(0.2, 0.8, (30, 3)) - [0, 0.5, 0.5]
    x[::3, 0] = 0.8
    x[1, :] = [0.2, -0.3, -0.3]
    return x


@cache
def member_of(
    across: int, ratio: float, sampling: str, jitter: float, member: int
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Rest positions, and what the method stores."""
    nodes, x = cloud(across, ratio, seed=member + 1, jitter=jitter), samples(member)
    if sampling == "plane":
        nodes, x = Nodes(nodes.rest * [1, 1, 0], nodes.supports), x * [1, 1, 0]
    if sampling == "two_levels":
        nodes = Nodes(nodes.rest, nodes.supports * np.where(nodes.rest[:, 0] < 0.5, 1.2, 1.0))
    if across == 2:
        nodes = Nodes(nodes.rest[[0, 1, 2, 4]], nodes.supports[:4])
    return nodes.rest, {**arrays_of(nodes), **shapes(nodes, x), "node_shape_values": own_values(nodes)}


def run(
    folder: Path, across: int = 4, *, ratio: float = 2.2, sampling: str = "one_size", jitter: float = 0.2, **worse: Any
) -> None:
    """`worse`: of the second member, array → (index, what is added)."""
    frames = []
    for member in range(2):
        rest, arrays = member_of(across, ratio, sampling, jitter, member)
        mine = {name: data.copy() for name, data in arrays.items()}
        for name, (index, extra) in worse.items() if member == 1 else ():
            mine[name][index] += extra
        frames.append([(rest, mine)])
    scene = {"nodes_across": across, "support_ratio": ratio, "sampling": sampling, "jitter": jitter, "side_m": 1.0}
    write_nodes(folder, NAME, frames, scene=scene)


def everything(folder: Path, worst: str = "", **worse: Any) -> None:
    for name, about in {
        "small": {"across": 4},
        "middle": {"across": 5},
        "large": {"across": 6},
        "two": {"across": 3, "sampling": "two_levels"},
        "plane": {"across": 4, "sampling": "plane"},
        "four": {"across": 2, "ratio": 6.0},
        "lattice": {"across": 5, "ratio": 4.0, "jitter": 0.0},
        "fine": {"across": 5, "ratio": 4.0},
    }.items():
        run(folder, **about, **(worse if name == worst else {}))


def test_clouds_as_they_should_be(tmp_path: Path) -> None:
    everything(tmp_path)
    for name, bound in {
        "weight_error": 1e-12,
        "value_error": 1e-12,
        "wrong_pairs": 0,
        "integral_error": 0.03,
        "gradient_error": 1e-10,
        "reproduction_error": 1e-12,
        "deficient_points": 0,
        "plane_regular_points": 0,
        "four_nodes_defect": 1e-10,
    }.items():
        assert number(tmp_path, f"mls_consistency.{name}") <= bound, name
    assert number(tmp_path, "mls_consistency.decay_error") == pytest.approx(3, rel=1e-4)
    assert number(tmp_path, "mls_consistency.own_defect") > 0.3
    assert number(tmp_path, "mls_consistency.square_error") > 1e-3
    assert number(tmp_path, "mls_consistency.shepard_error") > 5e-3
    assert number(tmp_path, "mls_consistency.unequal_ends") > 0.05
    assert number(tmp_path, "mls_consistency.samples") == 60
    assert 0.3 < number(tmp_path, "mls_consistency.face_samples") < 0.5


@pytest.mark.parametrize("power", [1.5, 2.0])
def test_the_order_is_that_of_the_worst_sample_of_the_worst_member(tmp_path: Path, power: float) -> None:
    """Values of one node for each sample are such that the sum is f(x), but for Δ^power at one of them."""
    for across in (3, 4, 6):
        frames = []
        for member in range(2):
            nodes, x = cloud(across, seed=member + 1), samples(member)
            f, at_node = (np.sin(2 * p[:, 0]) * np.cos(2 * p[:, 1]) + np.sin(2 * p[:, 2]) for p in (x, nodes.rest[:1]))
            error = np.where(np.arange(len(x)) == 11, across**-power, 0.3 * across**-3.0) * (1.0 if member else 0.5)
            pairs = np.stack([np.arange(len(x)), np.zeros(len(x), dtype=int)], axis=1)
            values = {"shape_positions": x, "shape_pairs": pairs, "shape_values": (f + error) / at_node}
            frames.append([(nodes.rest, {**arrays_of(nodes), **values})])
        scene = {"nodes_across": across, "support_ratio": 2.2, "sampling": "one_size", "jitter": 0.2, "side_m": 1.0}
        write_nodes(tmp_path, NAME, frames, scene=scene)
    assert number(tmp_path, "mls_consistency.interpolation_order") == pytest.approx(power)


@pytest.mark.parametrize("worst", ["small", "two", "plane", "lattice", "fine"])
def test_one_wrong_weight_is_seen(tmp_path: Path, worst: str) -> None:
    everything(tmp_path, worst, pair_weights=(7, 0.25))
    assert number(tmp_path, "mls_consistency.weight_error") == pytest.approx(0.25)
    if worst == "lattice":
        assert number(tmp_path, "mls_consistency.value_error") in (0.0, pytest.approx(0.25))
    if worst in ("small", "two", "plane"):
        assert number(tmp_path, "mls_consistency.gradient_error") > 1e-3


@pytest.mark.parametrize("place", (0.25, 0.5, 0.75))
def test_the_three_values_are_each_looked_at(tmp_path: Path, place: float) -> None:
    at = np.flatnonzero(np.abs(cloud(5, 4.0, jitter=0.0).ratios - place) < 1e-9)
    everything(tmp_path, "lattice", pair_weights=(at[3], 0.125))
    assert number(tmp_path, "mls_consistency.value_error") == pytest.approx(0.125)


@pytest.mark.parametrize("worst", ["middle", "plane", "fine"])
def test_a_pair_beyond_the_support_or_without_weight_is_counted(tmp_path: Path, worst: str) -> None:
    everything(tmp_path, worst, pair_weights=(5, -2.0))
    assert number(tmp_path, "mls_consistency.wrong_pairs") == 1


@pytest.mark.parametrize("worst", ["small", "middle", "large", "two"])
def test_one_wrong_shape_function_is_seen(tmp_path: Path, worst: str) -> None:
    everything(tmp_path, worst, shape_values=(11, 1e-6))
    assert number(tmp_path, "mls_consistency.reproduction_error") > 1e-9


def test_a_sample_of_low_rank_is_counted_and_not_passed_over(tmp_path: Path) -> None:
    everything(tmp_path, "two", shape_ranks=(slice(4, 6), -1))
    assert number(tmp_path, "mls_consistency.deficient_points") == 2


def test_a_lattice_of_another_kind_has_no_values(tmp_path: Path) -> None:
    run(tmp_path, 6, ratio=3.9, jitter=0.0)
    assert "no pair at" in value_of(tmp_path, "mls_consistency.value_error").note


@pytest.mark.parametrize("worst", ["small", "large"])
def test_the_own_value_is_that_of_the_worst_cloud(tmp_path: Path, worst: str) -> None:
    everything(tmp_path, worst, node_shape_values=(slice(None), 0.5))
    assert number(tmp_path, "mls_consistency.own_defect") < 0.3


def test_four_nodes_that_do_not_interpolate_are_seen(tmp_path: Path) -> None:
    everything(tmp_path, "four", node_shape_values=(2, -0.125))
    assert number(tmp_path, "mls_consistency.four_nodes_defect") == pytest.approx(0.125)

# SPDX-License-Identifier: BSD-3-Clause
"""Made-up sums of relative weights: one node of one member is wrong."""

from pathlib import Path

import numpy as np
import pytest
from cracked_traces import write_members
from measured import number

from experiments.pauly_et_al_2005.measurements import node_counts as m

NODES = np.random.default_rng(6).uniform(0, 1, (25, 3))
SUPPORTS = np.linspace(0.3, 0.6, 25)
DISTANCES = np.linalg.norm(NODES[:, None] - NODES[None], axis=2)


def cloud(**changes: np.ndarray) -> dict[str, np.ndarray]:
    pairs = np.argwhere((DISTANCES < SUPPORTS[:, None]) & ~np.eye(25, dtype=bool))
    omega = np.array([1.0 + np.sum(pairs[:, 0] == i) for i in range(25)])
    arrays = {
        "node_rest_positions": NODES,
        "node_supports": SUPPORTS,
        "node_omega": omega,
        "pairs": pairs,
        "pair_plain_weights": np.full(len(pairs), 0.1),
    }
    return {**arrays, **changes}


def test_exact_sums_pass_and_one_wrong_node_is_found(tmp_path: Path) -> None:
    write_members(tmp_path / "right", m.M.experiment, [[cloud()], [cloud()]], name="unobstructed")
    assert number(tmp_path / "right", "node_counts.difference") == 0
    assert number(tmp_path / "right", "node_counts.beyond_support") == 0
    assert number(tmp_path / "right", "node_counts.support_spread") == pytest.approx(2.0)
    wrong = cloud()["node_omega"].copy()
    wrong[11] -= 1
    write_members(tmp_path / "wrong", m.M.experiment, [[cloud()], [cloud(node_omega=wrong)]], name="unobstructed")
    assert number(tmp_path / "wrong", "node_counts.difference") == 1


def test_a_pair_beyond_the_support_is_found(tmp_path: Path) -> None:
    far = np.argwhere(DISTANCES > SUPPORTS[:, None])[:2]
    pairs = np.concatenate([cloud()["pairs"], far])
    weights = np.append(np.full(len(pairs) - 2, 0.1), [-0.04, 0.0])
    write_members(
        tmp_path, m.M.experiment, [[cloud()], [cloud(pairs=pairs, pair_plain_weights=weights)]], name="unobstructed"
    )
    assert number(tmp_path, "node_counts.beyond_support") == 1


def test_a_sum_of_ones_beside_a_crack_is_found(tmp_path: Path) -> None:
    lowered = cloud()["node_omega"] - np.where(np.arange(25) < 10, 1.5, 0.5)
    write_members(tmp_path / "lower", m.M.experiment, [[cloud(node_omega=lowered)]], name="beside_a_crack")
    assert number(tmp_path / "lower", "node_counts.share_beside_a_crack") == pytest.approx(0.4)
    write_members(tmp_path / "ones", m.M.experiment, [[cloud(node_omega=lowered)], [cloud()]], name="beside_a_crack")
    assert number(tmp_path / "ones", "node_counts.share_beside_a_crack") == 0

# SPDX-License-Identifier: BSD-3-Clause
"""Evenness of samples: one law, one member, one node."""

from pathlib import Path

import numpy as np
import pytest
from measured import number
from sampled_traces import write_members
from test_octree_sampling import EDGE, TURN, arrays, sample

from experiments.pauly_et_al_2005.measurements import repulsion as m


def outer() -> np.ndarray:
    """One row of the coarse cells beside the fine ones."""
    x, coarse = sample(np.eye(3)).points, sample().levels == 3
    return np.asarray(coarse & (x[:, :2] < x[coarse, :2].min(axis=0) + 1e-9).all(axis=1))


def write(folder: Path, way: float, strength: float, reach: float = 2.0) -> None:
    """A few nodes of coarse cells are moved along the lattice's first axis, in the second member."""
    s = sample()
    points = s.points.copy()
    points[outer()] += way * TURN[0]
    first = arrays(s.points, s.supports, s.levels)
    scene = {"body": "block", "repulsion_strength": strength, "repulsion_reach": reach, "repulsion_iterations": 3}
    write_members(folder, "repulsion", [[first], [arrays(points, s.supports, s.levels)]], scene=scene)


def test_centres_alone_have_the_ratio_one(tmp_path: Path) -> None:
    write(tmp_path, 0.0, 0.0)
    write(tmp_path, 0.0, 0.1)
    assert number(tmp_path, "repulsion.spread_ratio") == pytest.approx(1)
    assert number(tmp_path, "repulsion.variation_ratio") == pytest.approx(1)
    assert number(tmp_path, "repulsion.placements") == 2


def transitions(way: float) -> float:
    """Measured transitions of the second member."""
    s = sample()
    points = s.points.copy()
    points[outer()] += way * TURN[0]
    return m.evenness(m.Sample(points, s.supports, s.levels, s.centres, EDGE)).transitions


def test_the_worst_member_counts_and_the_best_law(tmp_path: Path) -> None:
    wide, narrow = sorted((transitions(0.15), transitions(-0.09)), reverse=True)
    ways = {transitions(way): way for way in (0.15, -0.09)}
    assert wide > 1.001
    write(tmp_path, 0.0, 0.0)
    write(tmp_path, ways[wide], 0.1)
    assert number(tmp_path, "repulsion.transition_ratio") == pytest.approx(wide)
    write(tmp_path / "two", 0.0, 0.0)
    write(tmp_path / "two", ways[wide], 0.1)
    write(tmp_path / "two", ways[narrow], 0.1, 3.0)
    assert number(tmp_path / "two", "repulsion.transition_ratio") == pytest.approx(max(narrow, 1.0))


def test_spreads_are_those_of_all_adjacent_pairs() -> None:
    s = sample()
    random = np.random.default_rng(2)
    points = s.points + 0.02 * random.standard_normal(s.points.shape)
    found = m.evenness(m.Sample(points, s.supports, s.levels, s.centres, EDGE))
    d = [np.sort(np.linalg.norm(p[:, None] - p[None], axis=2), axis=1)[:, 1] for p in (s.centres, points)]
    edges = EDGE * 2.0 ** (4 - s.levels)
    centres = sample(np.eye(3)).centres
    gap = np.abs(centres[:, None] - centres[None]).max(axis=2) - 0.5 * (edges[:, None] + edges[None])
    i, j = np.nonzero((gap < 1e-9) & ~np.eye(len(edges), dtype=bool))
    spread = [np.log(k[i] / k[j]).std() for k in d]
    assert found.spread == pytest.approx(spread[1] / spread[0])
    variation = [(k / edges).std() / (k / edges).mean() for k in d]
    assert found.variation == pytest.approx(variation[1] / variation[0])


def test_two_nodes_at_one_place_are_as_uneven_as_can_be() -> None:
    s = sample()
    points = s.points.copy()
    points[1] = points[0]
    assert m.evenness(m.Sample(points, s.supports, s.levels, s.centres, EDGE)).spread == np.inf

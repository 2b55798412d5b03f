# SPDX-License-Identifier: BSD-3-Clause
"""Octree samples: one member of one cell has a support, a neighbourhood or a place that is wrong."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from node_traces import grid
from sampled_traces import lattice, write_members
from scipy.spatial.transform import Rotation

from experiments.pauly_et_al_2005.measurements import octree_sampling as m, sampled_nodes as nodes

TURN = Rotation.from_rotvec([0.3, -0.5, 0.8]).as_matrix()
EDGE = 0.1


def sample(turn: np.ndarray = TURN) -> m.Sample:
    """A cube of 8³ finest cells beside a 2 × 4 × 4 block of cells twice as large."""
    fine = lattice(8, EDGE)
    ticks = [(np.arange(k) + 0.5) * 2 * EDGE for k in (2, 4, 4)]
    coarse = grid(*ticks) + [8 * EDGE, 0, 0]
    centres = np.concatenate([fine, coarse]) - 0.4
    levels = np.repeat([4, 3], [len(fine), len(coarse)])
    return m.Sample(centres @ turn, np.ones(len(centres)), levels, centres @ turn, EDGE)


def supports_of(s: m.Sample, faces: bool) -> np.ndarray:
    """By brute force over boxes in the lattice's own axes."""
    edges = EDGE * 2.0 ** (4 - s.levels)
    centres = sample(np.eye(3)).centres
    found = []
    for i in range(len(centres)):
        gap = np.abs(centres - centres[i]) - 0.5 * (edges + edges[i])[:, None]
        near = (gap < 1e-9).all(axis=1) & (np.arange(len(centres)) != i)
        if faces:
            near &= (gap < -1e-9).sum(axis=1) == 2
        found.append(2 * np.linalg.norm(s.points[near] - s.points[i], axis=1).max())
    return np.array(found)


def arrays(points: np.ndarray, supports: np.ndarray, levels: np.ndarray) -> dict[str, np.ndarray]:
    return {"node_rest_positions": points, "node_supports": supports, "node_levels": levels}


def write(
    folder: Path,
    *,
    body: str = "block",
    adjacency: str = "corners",
    support: dict[int, float] | None = None,
    moved: dict[int, float] | None = None,
    scale: float = 1.0,
) -> None:
    """Two members with and without repulsion; of the second member supports are multiplied,
    and nodes moved along the lattice."""
    s = sample()
    h = supports_of(s, adjacency == "faces") * scale
    wrong, points = h.copy(), s.points.copy()
    for node, factor in (support or {}).items():
        wrong[node] *= factor
    for node, way in (moved or {}).items():
        points[node] += way * np.array([0, 0, 1.0]) @ TURN
    for iterations, last in ((0, s.points), (3, points)):
        scene = {
            "body": body,
            "thickness_ratio": 0.25,
            "octree_levels": 4,
            "adjacency": adjacency,
            "repulsion_iterations": iterations,
            "length_m": 1.0,
        }
        members = [[arrays(s.points, h, s.levels)], [arrays(last, wrong if iterations else h, s.levels)]]
        write_members(folder, "octree_sampling", members, scene=scene)


@pytest.mark.parametrize("adjacency", ["corners", "faces"])
def test_right_supports_are_found_in_a_turned_octree(tmp_path: Path, adjacency: str) -> None:
    write(tmp_path, adjacency=adjacency)
    assert number(tmp_path, "octree_sampling.support_error") < 1e-12
    assert number(tmp_path, "octree_sampling.placements") == 2
    assert number(tmp_path, "octree_sampling.way_in_cell") < 1e-9


@pytest.mark.parametrize("adjacency", ["corners", "faces"])
def test_one_support_of_one_member_is_wrong(tmp_path: Path, adjacency: str) -> None:
    write(tmp_path, adjacency=adjacency, support={40: 1.07})
    assert number(tmp_path, "octree_sampling.support_error") == pytest.approx(0.07)


def test_one_node_has_left_its_cell(tmp_path: Path) -> None:
    write(tmp_path, moved={100: 0.06})
    assert number(tmp_path, "octree_sampling.way_in_cell") == pytest.approx(0.6)


def test_neighbours_and_conditions_are_those_of_the_worst_node(tmp_path: Path) -> None:
    write(tmp_path)
    assert number(tmp_path, "octree_sampling.corner_neighbours") > 20
    assert number(tmp_path, "octree_sampling.corner_condition") < 1e3
    assert number(tmp_path, "octree_sampling.four_nearest_condition") > 1e3
    write(tmp_path / "few", support={200: 1.01 * EDGE / supports_of(sample(), False)[200]})
    few = (np.linalg.norm(sample().points - sample().points[200], axis=1) < 1.01 * EDGE).sum()
    assert few < 8
    assert number(tmp_path / "few", "octree_sampling.corner_neighbours") == few
    write(tmp_path / "alone", support={200: 0.1})
    assert number(tmp_path / "alone", "octree_sampling.corner_neighbours") == 1
    assert number(tmp_path / "alone", "octree_sampling.any_condition") == np.inf
    assert number(tmp_path / "alone", "octree_sampling.singular_share") == pytest.approx(1 / 544)


def test_thin_bodies_are_outside_of_the_regime(tmp_path: Path) -> None:
    write(tmp_path, body="spike", support={200: 0.1})
    assert "nothing to compare" in value_of(tmp_path, "octree_sampling.corner_condition").note
    assert number(tmp_path, "octree_sampling.any_condition") == np.inf


def test_conditions_are_those_of_dense_algebra() -> None:
    random = np.random.default_rng(3)
    points, supports = random.random((40, 3)), 0.3 + 0.3 * random.random(40)
    moment, gradient, count = nodes.conditions(points, supports)
    for k in range(40):
        m_k, a_k = np.zeros((4, 4)), np.zeros((3, 3))
        for j in range(40):
            d = points[j] - points[k]
            r = np.linalg.norm(d)
            p = np.concatenate([[1], d / supports[k]])
            m_k += nodes.weight(np.array(r / supports[j])) * np.outer(p, p)
            a_k += nodes.weight(np.array(r / supports[k])) * np.outer(d, d)
        for found, matrix in ((moment[k], m_k), (gradient[k], a_k)):
            condition = np.linalg.cond(matrix)
            assert found == pytest.approx(condition, rel=1e-6) if condition < 1e9 else found > 1e8
        assert count[k] == (np.linalg.norm(points - points[k], axis=1) < supports[k]).sum()


def test_density_at_the_surface_is_over_that_inside(tmp_path: Path) -> None:
    write(tmp_path)
    inner = (np.abs(sample().points).max(axis=1) < 0.25).sum() / 0.125
    outer = (np.abs(sample().points).max(axis=1) > 0.45).sum() / (1 - 0.9**3)
    assert number(tmp_path, "octree_sampling.surface_density") == pytest.approx(outer / inner)


def test_printed_masses_are_those_of_the_placements_with_the_least_and_the_largest(tmp_path: Path) -> None:
    write(tmp_path, support={5: 2.0})
    whole = 4 / 3 * np.pi * supports_of(sample(), False) ** 3
    assert number(tmp_path, "octree_sampling.printed_mass_largest") == pytest.approx(whole.sum() + 7 * whole[5])
    assert number(tmp_path, "octree_sampling.printed_mass_least") == pytest.approx(whole.sum())

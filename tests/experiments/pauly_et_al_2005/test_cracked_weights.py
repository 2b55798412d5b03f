# SPDX-License-Identifier: BSD-3-Clause
"""The analysis' own weights beside cracks, against cases that can be done by hand."""

import numpy as np
import pytest
from cracked_traces import crack

from experiments.pauly_et_al_2005.measurements import cracked_weights as cw

STRIP = cw.Cracks.of(crack())


def test_the_spline_has_the_values_of_its_polynomial_and_ends() -> None:
    r = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.2])
    assert cw.spline(r) == pytest.approx([1.0, 0.73828125, 0.3125, 0.05078125, 0.0, 0.0], abs=1e-15)


def test_depths_are_distances_from_the_front_and_nan_without_a_crossing() -> None:
    starts = np.array([[-0.3, -1, 0.1], [-0.3, -1, 0.1], [0.2, -1, 0.0], [-0.3, 0.5, 0.0]])
    ends = np.array([[-0.3, 1, 0.1], [0.3, 1, 0.1], [0.2, 1, 0.0], [-0.3, 1, 0.0]])
    depths = [0.3, 0.0, np.nan, np.nan]  # of coordinates below 1 that are rounded a few times
    assert cw.crossing_depths(starts, ends, STRIP) == pytest.approx(depths, abs=1e-15, nan_ok=True)


def test_the_deepest_crossing_counts_and_the_front_of_its_own_crack() -> None:
    second = STRIP.triangles + [0.5, 1.0, 0.0]
    both = cw.Cracks(
        np.concatenate([STRIP.triangles, second]),
        np.array([0, 0, 1, 1]),
        np.concatenate([STRIP.fronts, STRIP.fronts + [0.5, 1.0, 0.0]]),
        np.array([0, 1]),
    )
    starts, ends = np.array([[-0.2, -1, 0], [-0.2, -1, 0]]), np.array([[-0.2, 2, 0], [-0.2, 0.5, 0]])
    assert cw.crossing_depths(starts, ends, both) == pytest.approx([0.7, 0.2])
    through = cw.Cracks(STRIP.triangles, STRIP.of_triangle, np.empty((0, 2, 3)), np.empty(0, dtype=int))
    assert cw.crossing_depths(starts[:1], ends[:1], through)[0] == np.inf


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("plain", 0.3125), ("visibility", 0.0), ("transparency", float(cw.spline(np.array(0.5 + 0.16))))],
)
def test_rules(rule: str, expected: float) -> None:
    found = cw.blocked_weights(np.array([1.0, 1.0]), np.array([2.0, 2.0]), np.array([0.4, np.nan]), rule, 1.0)
    assert found == pytest.approx([expected, 0.3125], rel=1e-6, abs=0)


def test_a_cut_without_front_leaves_no_weight() -> None:
    assert cw.blocked_weights(np.array([0.1]), np.array([2.0]), np.array([np.inf]), "transparency", 1.0)[0] == 0.0


def test_weights_at_points_are_those_of_single_segments() -> None:
    random = np.random.default_rng(1)
    nodes, points = random.uniform(-1, 1, (20, 3)), random.uniform(-1, 1, (7, 3))
    supports = random.uniform(0.8, 1.5, 20)
    found = cw.weights_at(points, nodes, supports, STRIP, "transparency", 1.0)
    for p, point in enumerate(points):
        for n, node in enumerate(nodes):
            distance = float(np.linalg.norm(point - node))
            share = node[1] / (node[1] - point[1])
            x = node[0] + share * (point[0] - node[0])
            depth = -x if node[1] * point[1] < 0 and x < 0 else 0.0
            assert found[p, n] == pytest.approx(
                float(cw.spline(np.array(distance / supports[n] + (2 * depth / supports[n]) ** 2))), abs=1e-12
            )


def test_shape_functions_reproduce_linear_fields() -> None:
    random = np.random.default_rng(2)
    nodes, point = random.uniform(-1, 1, (12, 3)), np.array([0.1, 0.2, -0.1])
    values = cw.shape_functions(point, nodes, random.uniform(0.1, 1, 12))
    assert values.sum() == pytest.approx(1.0)
    assert values @ nodes == pytest.approx(point)
    flat = nodes * [1, 1, 0]
    values = cw.shape_functions(point * [1, 1, 0], flat, np.ones(12))
    assert values @ flat == pytest.approx(point * [1, 1, 0], rel=1e-6, abs=0)

# SPDX-License-Identifier: BSD-3-Clause
"""Exact intersections of surfaces: what one last bit decides, degenerate touches, neighbours."""

from fractions import Fraction

import numpy as np
import pytest

from experiments.cs533d_cloth_lecture.measurements import crossings
from experiments.cs533d_cloth_lecture.measurements.crossings import crossing_count, crossing_pairs, sides

FLAT = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
PAIR = np.array([[0, 1, 2], [3, 4, 5]])


def crosses(*second: tuple[float, float, float]) -> bool:
    return crossing_count(np.concatenate([FLAT, np.array(second)]), PAIR) == 1


def test_signs_are_those_of_fractions() -> None:
    random = np.random.default_rng(1)
    a, b, c = random.random((3, 400, 3))
    u, v = random.random((2, 400, 1))
    d = a + u * (b - a) + v * (c - a)  # as near the plane as doubles go
    found = sides(a, b, c, d)
    for k in range(400):
        rows = [[Fraction(x) - Fraction(o) for x, o in zip(p[k], a[k])] for p in (b, c, d)]
        (p, q, r), (s, t, w), (x, y, z) = rows
        exact = p * (t * z - w * y) - q * (s * z - w * x) + r * (s * y - t * x)
        assert found[k] == (exact > 0) - (exact < 0)
    assert {-1, 1} <= set(found)


def test_a_corner_above_in_and_below_a_face() -> None:
    tip = np.nextafter(0.0, 1.0)
    assert crosses((0.2, 0.2, 0.0), (0.2, 0.2, 1.0), (0.3, 0.3, 1.0))
    assert crosses((0.2, 0.2, -tip), (0.2, 0.2, 1.0), (0.3, 0.3, 1.0))
    assert not crosses((0.2, 0.2, tip), (0.2, 0.2, 1.0), (0.3, 0.3, 1.0))


def test_edges_and_flat_triangles() -> None:
    assert crosses((0.5, -0.5, -1), (0.5, -0.5, 1), (0.5, 0.5, 0.0))
    assert crosses((0.2, 0.2, 0), (2, 0.2, 0), (0.2, 2, 0))  # in one plane, one over the other
    assert crosses((0.1, 0.1, 0), (0.2, 0.1, 0), (0.1, 0.2, 0))  # and one within the other
    assert not crosses((0.6, 0.6, 0), (2, 0.6, 0), (0.6, 2, 0))
    assert crosses((0.5, 0.5, 0), (2, 0.5, 0), (0.5, 2, 0))  # a corner on an edge


def test_a_triangle_without_area_is_a_segment() -> None:
    for second in ([[0.2, 0.2, 0], [0.2, 0.2, 1], [0.2, 0.2, 1]], [[0.2, 0.2, 0.5], [0.2, 0.2, -1], [0.2, 0.2, 1]]):
        assert crosses(*second)
        assert crossing_count(np.concatenate([second, FLAT]), PAIR) == 1
    assert not crosses((0.2, 0.2, 0.1), (0.2, 0.2, 1), (0.2, 0.2, 2))
    assert not crosses((2, 0.2, -1), (2, 0.2, 1), (2, 0.2, 2))
    line = np.array([[0.0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5]])
    for other, meets in (
        ([[0, 0, 1], [1, 1, 0], [1, 1, 0]], True),
        ([[0, 0, 1], [1, 1, 0.5], [1, 1, 0.5]], True),
        ([[0, 0, 1], [1, 1, 1.5], [1, 1, 1.5]], False),
        ([[0.0, 1, 1], [1, 0, 0.5], [1, 0, 0.5]], False),
        ([[0.9, 0.9, 0.9], [2, 2, 2], [3, 3, 3]], True),
        ([[1.5, 1.5, 1.5], [2, 2, 2], [3, 3, 3]], False),
        ([[0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0.5, 0.5, 0.5]], True),
    ):
        assert (crossing_count(np.concatenate([line, other]), PAIR) == 1) == meets, other


def test_neighbours_cross_only_where_they_fold_onto_each_other() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0], [1, 1, 1]])
    assert crossing_count(points, np.array([[0, 1, 2], [1, 0, 4]])) == 0
    assert crossing_count(points, np.array([[0, 1, 2], [1, 0, 3]])) == 1
    through = np.concatenate([FLAT, [[0.3, 0.3, -1.0], [0.3, 0.3, 1.0]]])
    assert crossing_count(through, np.array([[0, 1, 2], [0, 3, 4]])) == 1
    assert crossing_count(through * [1, 1, 0] + [0, 0, 0], np.array([[0, 1, 2], [0, 3, 4]])) == 1


@pytest.mark.parametrize("stretch", [1.0, 500.0])
def test_two_sheets_cross_where_they_must(stretch: float) -> None:
    n = 8
    grid = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), axis=-1).reshape(-1, 2) / (n - 1.0)
    squares = np.array([[i * n + j, i * n + j + 1, (i + 1) * n + j] for i in range(n - 1) for j in range(n - 1)])
    flat = np.column_stack([grid, np.zeros(len(grid))])
    upright = np.column_stack([np.full(len(grid), 0.31), grid[:, 0] + 0.013, grid[:, 1] - 0.517])
    upright[0] *= stretch
    triangles = np.concatenate([squares, squares + n * n])
    found = crossing_pairs(np.concatenate([flat, upright]), triangles)
    assert len(found) >= n - 1
    for first, second in found:
        assert (first < len(squares)) != (second < len(squares))
    assert crossing_count(np.concatenate([flat, upright + [0, 0, 2000.0]]), triangles) == 0


def grid(count: int) -> tuple[np.ndarray, np.ndarray]:
    """A flat square of count² squares, each of two triangles: positions, triangles."""
    x = np.arange(count + 1) / 8.0
    points = np.stack([*np.meshgrid(x, x), np.zeros((count + 1, count + 1))], axis=2).reshape(-1, 3)
    first = np.arange((count + 1) * count).reshape(count, count + 1)[:, :-1].ravel()
    second = first + count + 1
    return points, np.concatenate(
        [np.stack(t, axis=1) for t in ((first, first + 1, second), (second, first + 1, second + 1))]
    )


@pytest.mark.parametrize("scale", [0.0, 1e-16, 1e-3, 0.1, 0.5])
def test_what_doubles_are_certain_of_is_what_fractions_find(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    points, triangles = grid(4)
    points = np.concatenate([points, points @ np.diag([1.0, 0.9, 1.0]) + [0.0, 0.0, scale]])
    triangles = np.concatenate([triangles, triangles + len(points) // 2, [triangles[0][::-1], [0, 0, 1]]])
    points = points + scale * random.normal(size=points.shape) * (random.random((len(points), 1)) < 0.5)
    found = crossing_pairs(points, triangles)
    monkeypatch.setattr(crossings, "are_apart", lambda positions, mine, theirs: np.zeros(len(mine), bool))
    exact = crossing_pairs(points, triangles)
    assert len(exact) > 0 and {tuple(p) for p in found} == {tuple(p) for p in exact}

# SPDX-License-Identifier: BSD-3-Clause
"""Draped cloths of known shape: folds, shadows, and shapes that a symmetry of mesh and ball takes to each other."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from experiments.cross.measurements import cloth_drape as m

EXPERIMENT = "cross/cloth_drape"
SIDE, RADIUS, N = 2.0, 0.5, 9


def square(n: int = N) -> tuple[np.ndarray, np.ndarray]:
    """Flat, side 1, in the middle; vertex j·n + i."""
    i, j = np.meshgrid(np.arange(n), np.arange(n))
    x = np.column_stack([i.ravel() / (n - 1) - 0.5, np.zeros(n * n), 0.5 - j.ravel() / (n - 1)])
    a = (np.arange(n - 1) + n * np.arange(n - 1)[:, None]).ravel()
    return x, np.vstack([np.column_stack([a, a + 1, a + n + 1]), np.column_stack([a, a + n + 1, a + n])])


def bowl(rng: np.random.Generator) -> np.ndarray:
    """A drape without any symmetry."""
    x, _ = square()
    x[:, 1] = -0.3 * (x[:, 0] ** 2 + x[:, 2] ** 2) + 0.05 * x[:, 0] ** 3 + 0.02 * np.sin(5 * x[:, 2])
    return x + 0.01 * rng.normal(size=x.shape)


def draped(folder: Path, name: str, shapes: dict[int, np.ndarray], step: float = 0.02) -> None:
    """Ends of members, of a cloth of 2 m."""
    x = np.stack([np.stack([square()[0] * SIDE, shape * SIDE]) for shape in shapes.values()])
    scene = {"side_m": SIDE, "radius_m": RADIUS}
    swept = {"time_step_s": step}
    arrays = {"triangles": square()[1]}
    run = f"{EXPERIMENT} force_cloth {name}"
    write_trace(folder, run, scene=scene, swept=swept, seeds=list(shapes), arrays=arrays, frame={"positions": x})


def turned(x: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return x @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("is_mirrored", [False, True])
def test_a_shape_turned_and_renumbered_by_a_symmetry_is_the_same(quarters: int, is_mirrored: bool) -> None:
    x = bowl(np.random.default_rng(1))
    numbers = np.arange(N * N).reshape(N, N)
    order = np.rot90(numbers.T if is_mirrored else numbers, quarters).ravel()
    other = turned(x[order] * ([-1, 1, 1] if is_mirrored else [1, 1, 1]), 0.7)
    assert m.distances(x, other).max() < 1e-12
    other[7, 1] += 0.01
    assert m.distances(x, other).max() == pytest.approx(0.01, rel=0.02)


def test_distances_are_those_of_the_same_seed_and_the_worst_step(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    shapes = {5: bowl(rng), 3: bowl(rng)}
    draped(tmp_path, "reference", shapes)
    lifted = {seed: x + [0, 0.03 if seed == 3 else 0.0, 0] for seed, x in shapes.items()}
    draped(tmp_path, "force_cloth", lifted)
    draped(tmp_path, "force_cloth", shapes, step=0.01)
    draped(tmp_path, "xpbd", {seed: x + [0, 0.02, 0] for seed, x in shapes.items()})
    draped(tmp_path, "xpbd", {seed: x + [0, 0.01, 0] for seed, x in shapes.items()}, step=0.01)
    draped(tmp_path, "pbd", {seed: 1.1 * x for seed, x in shapes.items()})
    assert number(tmp_path, "cloth_drape.force_cloth_distance") == pytest.approx(0.015)
    assert number(tmp_path, "cloth_drape.xpbd_least_distance") == pytest.approx(0.01)
    assert number(tmp_path, "cloth_drape.spread") == pytest.approx(m.rms(m.distances(*shapes.values())))
    assert number(tmp_path, "cloth_drape.xpbd_coefficient_error") == pytest.approx(0, abs=1e-12)
    disc = np.pi * 0.25**2
    assert number(tmp_path, "cloth_drape.pbd_coefficient_error") == pytest.approx(0.21 / (1 - disc), rel=0.05)


def test_the_shadow_counts_folds_once() -> None:
    x, triangles = square()
    disc = np.pi * 0.25**2
    assert m.shadow_area(x, triangles) == pytest.approx(1.0, rel=0.02)
    assert m.shadow_area(turned(x, 0.4), triangles) == pytest.approx(1.0, rel=0.02)
    folded = x.copy()
    folded[:, 0] = np.abs(folded[:, 0])
    assert m.shadow_area(folded, triangles) == pytest.approx(0.5, rel=0.02)
    assert m.drape_coefficient(folded, triangles, 0.25) == pytest.approx((0.5 - disc) / (1 - disc), rel=0.04)


@pytest.mark.parametrize("count", [4, 5, 7])
def test_folds_are_the_bulges_of_the_rim(count: int) -> None:
    n = 25
    x, _ = square(n)
    border = m.rim(n)
    assert len(set(border)) == len(border) == 4 * (n - 1)
    angle = np.arctan2(x[border, 2], x[border, 0])
    radius = 0.5 + 0.05 * np.cos(count * angle) + 0.002 * np.cos(31 * angle)
    x[border, 0], x[border, 2] = radius * np.cos(angle), radius * np.sin(angle)
    assert m.fold_count(x) == count

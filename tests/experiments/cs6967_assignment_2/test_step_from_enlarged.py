# SPDX-License-Identifier: BSD-3-Clause
"""Enlarged starts: one start of one scale explodes at a smaller step; and the program that the limits are from,
in numpy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.cs6967_assignment_2.measurements.step_from_enlarged import REFERENCE

NAME = "cs6967_assignment_2/step_from_enlarged"
YOUNG, POISSON, DENSITY = 1e5, 0.33, 1000.0
LAMBDA = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
MU = YOUNG / (2 * (1 + POISSON))


def block(cells: int = 2, h: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    """Cells of five tetrahedra, mirrored from cell to cell."""
    n = cells + 1
    grid = np.array([(i, j, k) for i in range(n) for j in range(n) for k in range(n)])
    at = {tuple(p): number for number, p in enumerate(grid)}
    corners = np.array([(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    tets = []
    for cell in np.ndindex(cells, cells, cells):
        middle = [c for c in corners if (c.sum() + sum(cell)) % 2 == 1]
        elements = [middle] + [
            [c] + [m for m in middle if np.abs(m - c).sum() == 1] for c in corners if (c.sum() + sum(cell)) % 2 == 0
        ]
        tets += [[at[tuple(np.array(cell) + c)] for c in element] for element in elements]
    x = h * (grid - cells / 2.0)
    found = np.array(tets)
    edges = x[found[:, 1:]] - x[found[:, :1]]
    found[np.linalg.det(edges) < 0] = found[np.linalg.det(edges) < 0][:, [0, 1, 3, 2]]
    return x, found


REST, TETS = block()
EDGES = np.swapaxes(REST[TETS[:, 1:]] - REST[TETS[:, :1]], 1, 2)
INVERSE, VOLUME = np.linalg.inv(EDGES), np.linalg.det(EDGES) / 6
MASSES = np.bincount(TETS.ravel(), np.repeat(DENSITY * VOLUME / 4, 4))


def green(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    gradient = np.swapaxes(x[TETS[:, 1:]] - x[TETS[:, :1]], 1, 2) @ INVERSE
    return gradient, 0.5 * (np.swapaxes(gradient, 1, 2) @ gradient - np.eye(3))


def energy(x: np.ndarray, v: np.ndarray) -> float:
    _, strain = green(x)
    trace = np.trace(strain, axis1=1, axis2=2)
    stored = VOLUME @ (MU * (strain**2).sum(axis=(1, 2)) + LAMBDA / 2 * trace**2)
    return float(stored + MASSES @ (v**2).sum(axis=1) / 2)


def forces(x: np.ndarray) -> np.ndarray:
    gradient, strain = green(x)
    trace = np.trace(strain, axis1=1, axis2=2)[:, None, None]
    stress = gradient @ (LAMBDA * trace * np.eye(3) + 2 * MU * strain)
    of_corners = -VOLUME[:, None, None] * stress @ np.swapaxes(INVERSE, 1, 2)  # columns: corners 1 to 3
    result = np.zeros_like(x)
    for corner in range(3):
        np.add.at(result, TETS[:, corner + 1], of_corners[:, :, corner])
        np.add.at(result, TETS[:, 0], -of_corners[:, :, corner])
    return result


def highest() -> float:
    """ω_max at rest, by differences of the forces."""
    size = REST.size
    stiffness = np.zeros((size, size))
    for k in range(size):
        ends = []
        for sign in (1, -1):
            moved = REST.copy()
            moved.reshape(-1)[k] += sign * 1e-7
            ends.append(forces(moved).ravel())
        stiffness[:, k] = (ends[1] - ends[0]) / 2e-7
    root = np.repeat(MASSES, 3) ** -0.5
    return float(np.sqrt(np.linalg.eigvalsh(root[:, None] * (stiffness + stiffness.T) / 2 * root)[-1]))


HIGHEST = highest()


def explodes(scale: float, share: float, seed: int) -> bool:
    """Symplectic Euler, 2000 steps, from a start that is perturbed by a thousandth of a cell."""
    x = REST * scale + np.random.default_rng(seed).normal(0, 5e-5, REST.shape)
    v, dt = np.zeros_like(x), 2 * share / HIGHEST
    start = energy(x, v)
    for n in range(2000):
        v = v + dt * forces(x) / MASSES[:, None]
        x = x + dt * v
        if n % 10 == 0 and not energy(x, v) <= 10 * start:
            return True
    return not energy(x, v) <= 10 * start


@pytest.mark.parametrize("scale", REFERENCE)
def test_the_limits_are_those_of_this_program(scale: float) -> None:
    with np.errstate(all="ignore"):
        assert not explodes(scale, REFERENCE[scale] - 0.05, 1)
        assert explodes(scale, REFERENCE[scale] + 0.05, 1)


def enlarged(
    folder: Path,
    name: str,
    scale: float,
    share: float,
    members: list[tuple[float, ...]],
    rows: list[int],
    cut: int,
    status: str,
    **more: Any,
) -> None:
    """Members with the given energies in the rows after the first, over that of the start; the last `cut` of them end
    with the second row."""
    x = np.tile(REST * scale, (len(members), len(rows), 1, 1))
    v = np.zeros_like(x)
    start = energy(REST * scale, np.zeros_like(REST))
    for member, ratios in enumerate(members):
        for row, ratio in enumerate(ratios):
            v[member, row + 1, :, 0] = np.sqrt(2 * (ratio - 1) * start / MASSES.sum())
    steps = np.tile(rows, (len(members), 1))
    steps[len(members) - cut :, 2:] = -1
    swept, body = {"time_step_s": 2 * share / HIGHEST}, {"rest_positions": REST, "tetrahedra": TETS}
    scene = {"young_modulus_pa": YOUNG, "poisson_ratio": POISSON, "density_kg_m3": DENSITY}
    scene |= {"initial_scale": [scale] * 3}
    more |= {"status": status, "arrays": body, "seeds": len(members), "steps": steps}
    step = {"positions": x, "velocities": v}
    write_trace(folder, f"{name} explicit_fem symplectic", swept, scene, step=step, **more)


def run(
    folder: Path, scale: float, share: float, ratios: tuple[float, ...], cut: int = 0, status: str = "completed"
) -> None:
    """One member for each ratio: its energy over that of the start in the second of four rows."""
    members, rows = [(ratio,) for ratio in ratios], [0, 1, 2, 3]
    enlarged(folder, NAME, scale, share, members, rows, cut, status, schedule={"steps": 3})


CALM, WILD = (9.9, 2.0, 1.0), (10.1, 20.0, 11.0)


@pytest.mark.parametrize("worst", REFERENCE)
def test_the_bracket_is_that_of_the_worst_scale(tmp_path: Path, worst: float) -> None:
    for scale, reference in REFERENCE.items():
        far = 0.125 if scale == worst else 0.0625
        run(tmp_path, scale, reference - far, CALM)
        run(tmp_path, scale, reference, (9.9, 1.0, 12.0))
        run(tmp_path, scale, reference + 0.01, (1.0, 2.0, 3.0), cut=1, status="diverged")
        run(tmp_path, scale, reference + far, (10.1, 20.0, 1.0), cut=1, status="diverged")
        run(tmp_path, scale, reference + 2 * far, WILD)
    assert number(tmp_path, "step_from_enlarged.stable_below_reference") == pytest.approx(0.125, rel=1e-6)
    assert number(tmp_path, "step_from_enlarged.unstable_above_reference") == pytest.approx(0.125, rel=1e-6)
    assert number(tmp_path, "step_from_enlarged.limit_at_twice") == pytest.approx(0.175, rel=1e-6)
    assert number(tmp_path, "step_from_enlarged.starts") == 3


def test_a_scale_without_both_kinds_is_far_off(tmp_path: Path) -> None:
    for scale, reference in REFERENCE.items():
        run(tmp_path, scale, reference - 0.1, CALM)
        if scale != 1.6:
            run(tmp_path, scale, reference + 0.1, WILD)
    assert number(tmp_path, "step_from_enlarged.stable_below_reference") == pytest.approx(0.1, rel=1e-6)
    assert number(tmp_path, "step_from_enlarged.unstable_above_reference") == np.inf
    run(tmp_path, 1.6, 0.5, WILD, status="failed")
    run(tmp_path, 1.6, 0.45, WILD)
    assert "failed" in value_of(tmp_path, "step_from_enlarged.stable_below_reference").note


def test_a_scale_that_is_missing_is_no_number(tmp_path: Path) -> None:
    run(tmp_path, 1.1, 0.5, CALM)
    for name in ("stable_below_reference", "unstable_above_reference"):
        value = value_of(tmp_path, f"step_from_enlarged.{name}")
        assert value.value is None and "enlarged 1.3 times" in value.note


def test_a_start_without_a_reference_is_no_number(tmp_path: Path) -> None:
    for scale in (*REFERENCE, 1.2):
        run(tmp_path, scale, 0.1, CALM)
    assert "no reference" in value_of(tmp_path, "step_from_enlarged.stable_below_reference").note

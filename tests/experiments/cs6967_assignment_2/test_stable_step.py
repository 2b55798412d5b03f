# SPDX-License-Identifier: BSD-3-Clause
"""Made-up runs of bodies at rest: one mesh has another limit than the others, or none."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from single_elements import squared_frequencies

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1.1, 0.9, 1.2]])
TETS = np.array([[0, 1, 2, 3], [1, 4, 2, 3]])
POISSON, DENSITY, SIDE, CELLS = 0.25, 1000.0, 0.3, 6
NAME = "cs6967_assignment_2/stable_step"
MODULI = (1e5, 1e7, 1e9)


def limit(young: float) -> float:
    """2/ω_max, s."""
    return float(2 / np.sqrt(squared_frequencies(REST, TETS, young, POISSON, DENSITY)[-1]))


def run(
    folder: Path,
    young: float,
    dt: float,
    growth: float = 1.0,
    status: str = "completed",
    split: str = "alternating_five",
) -> None:
    """Displacements of vertex 2 of size 1e-6, of the second half `growth` times that."""
    sizes = 1e-6 * np.array([1.0, -1, 1, -1, growth, -1, 1, -1])
    x = np.tile(REST, (8, 1, 1))
    x[:, 2, 1] += sizes
    scene = {
        "young_modulus_pa": young,
        "poisson_ratio": POISSON,
        "density_kg_m3": DENSITY,
        "side_m": SIDE,
        "cells_across": CELLS,
        "split": split,
        "jitter": 0.0,
    }
    arrays = {"rest_positions": REST, "tetrahedra": TETS}
    swept = {"time_step_s": dt}
    step = {"positions": x}
    write_trace(
        folder, f"{NAME} explicit_fem symplectic", swept=swept, scene=scene, status=status, arrays=arrays, step=step
    )


def bracket(folder: Path, young: float, low: float, high: float, split: str = "alternating_five") -> None:
    """Four steps: the two that count, a far smaller one that stays, a far larger one that grows."""
    exact = limit(young)
    run(folder, young, 0.1 * low * exact, split=split)
    run(folder, young, low * exact, growth=1.9, split=split)
    run(folder, young, high * exact, growth=-2.1, split=split)
    run(folder, young, 10 * high * exact, status="diverged", split=split)


@pytest.mark.parametrize("worst", MODULI)
def test_the_bracket_is_that_of_the_worst_stiffness(tmp_path: Path, worst: float) -> None:
    for young in MODULI:
        bracket(tmp_path, young, *((0.75, 1.5) if young == worst else (0.875, 1.25)))
    assert number(tmp_path, "stable_step.largest_stable") == pytest.approx(0.75)
    assert number(tmp_path, "stable_step.smallest_unstable") == pytest.approx(1.5)
    assert number(tmp_path, "stable_step.meshes") == 3


@pytest.mark.parametrize("worst", MODULI)
def test_the_courant_number_is_of_alternating_cells_alone(tmp_path: Path, worst: float) -> None:
    bracket(tmp_path, 1e5, 0.1, 0.3, split="kuhn_six")
    bracket(tmp_path, 1e5, 3.0, 4.0, split="body_centred")
    for young in MODULI:
        bracket(tmp_path, young, *((0.5, 1.0) if young == worst else (0.75, 1.25)))
    wave = np.sqrt(1e5 * 0.75 / (1.25 * 0.5) / DENSITY)
    unit = limit(1e5) * wave / (SIDE / CELLS)
    assert number(tmp_path, "stable_step.courant_low") == pytest.approx(0.75 * unit)
    assert number(tmp_path, "stable_step.courant_high") == pytest.approx(1.0 * unit)


@pytest.mark.parametrize("worst", MODULI)
def test_the_other_end_of_the_courant_number(tmp_path: Path, worst: float) -> None:
    for young in MODULI:
        bracket(tmp_path, young, *((1.0, 2.0) if young == worst else (0.75, 1.25)))
    wave = np.sqrt(1e5 * 0.75 / (1.25 * 0.5) / DENSITY)
    assert number(tmp_path, "stable_step.courant_high") == pytest.approx(1.5 * limit(1e5) * wave / (SIDE / CELLS))


def test_steps_per_frame_are_those_of_the_largest_stable_step(tmp_path: Path) -> None:
    for young in MODULI:
        bracket(tmp_path, young, 0.8, 1.25)
    assert number(tmp_path, "stable_step.steps_per_frame") == pytest.approx(1 / (30 * 0.8 * limit(1e5)))
    assert number(tmp_path, "stable_step.stiffest_steps_per_frame") == pytest.approx(1 / (30 * 0.8 * limit(1e9)))


def test_where_nothing_grows_or_stays_there_is_no_limit(tmp_path: Path) -> None:
    bracket(tmp_path, 1e5, 0.8, 1.25)
    run(tmp_path, 1e7, 1.0)
    assert number(tmp_path, "stable_step.smallest_unstable") == np.inf
    assert number(tmp_path, "stable_step.courant_high") == np.inf
    run(tmp_path, 1e9, 1.0, status="diverged")
    assert number(tmp_path, "stable_step.largest_stable") == 0
    assert number(tmp_path, "stable_step.stiffest_steps_per_frame") == np.inf


def test_a_larger_step_that_stays_is_no_number(tmp_path: Path) -> None:
    bracket(tmp_path, 1e5, 0.8, 1.25)
    run(tmp_path, 1e7, 1.0)
    run(tmp_path, 1e7, 0.5, status="diverged")
    assert "no limit" in value_of(tmp_path, "stable_step.largest_stable").note


def test_a_run_that_failed_is_neither(tmp_path: Path) -> None:
    bracket(tmp_path, 1e5, 0.8, 1.25)
    run(tmp_path, 1e5, 1.0, status="failed")
    assert "failed" in value_of(tmp_path, "stable_step.smallest_unstable").note

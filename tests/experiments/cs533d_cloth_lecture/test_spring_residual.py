# SPDX-License-Identifier: BSD-3-Clause
"""Springs under a load and without it: one of them keeps more than it should, or adds up wrongly."""

from pathlib import Path

import numpy as np
import pytest
from made_springs import driven
from measured import number

SHARES = np.linspace(-0.1, 0.2, 4)  # −0.1, 0, 0.1, 0.2
LENGTHS = np.array([0.1, 0.3, 0.2, 0.4])
PLASTIC = np.array([-0.14, 0.0, 0.1, 0.3])  # beyond 0.05 and 0.03 over H/E = 0.5


def run(folder: Path, name: str, seed: int, totals: np.ndarray, residuals: np.ndarray) -> None:
    driven(
        folder,
        "spring_residual",
        name,
        np.array([0 * totals, totals, residuals]),
        np.zeros((3, 4)),
        LENGTHS,
        parameters={"yield_tension": 0.05, "yield_compression": 0.03, "hardening": 0.5},
        scene={
            "least_share": -0.1,
            "largest_share": 0.2,
            "programme_times_s": [0, 0.005, 0.01, 0.02],
            "programme_values": [0, 1, 1, 0],
        },
        swept={"seed": seed},
    )


@pytest.mark.parametrize("worst", [1, 2])
@pytest.mark.parametrize("spring", range(4))
def test_one_spring_of_one_run_keeps_more(tmp_path: Path, worst: int, spring: int) -> None:
    for seed in (1, 2):
        residuals = PLASTIC.copy()
        residuals[spring] += 0.125 * (seed == worst)
        run(tmp_path, "plastic", seed, SHARES + residuals, residuals)
    assert number(tmp_path, "spring_residual.residual_error") == pytest.approx(0.125)
    assert number(tmp_path, "spring_residual.sum_error") == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("spring", range(4))
def test_one_spring_does_not_add_up(tmp_path: Path, spring: int) -> None:
    totals = SHARES + PLASTIC
    totals[spring] += 0.25
    run(tmp_path, "plastic", 1, totals, PLASTIC)
    assert number(tmp_path, "spring_residual.residual_error") == pytest.approx(0.0, abs=1e-12)
    assert number(tmp_path, "spring_residual.sum_error") == pytest.approx(0.25)


def test_over_its_own_length_the_sum_lacks_the_product(tmp_path: Path) -> None:
    run(tmp_path, "plastic", 1, SHARES + PLASTIC, PLASTIC)
    assert number(tmp_path, "spring_residual.sum_defect_over_own_length") == pytest.approx(0.3 * 0.2 / 1.3)
    assert number(tmp_path, "spring_residual.own_length_product_error") == pytest.approx(0.0, abs=1e-12)
    run(tmp_path, "plastic", 2, SHARES + PLASTIC + 0.1, PLASTIC + 0.1)
    assert number(tmp_path, "spring_residual.own_length_product_error") > 0.001


def test_a_spring_below_yield_is_that_without_plasticity(tmp_path: Path) -> None:
    run(tmp_path, "plastic", 1, SHARES + PLASTIC, PLASTIC)
    run(tmp_path, "elastic", 1, SHARES, 0 * SHARES)
    assert number(tmp_path, "spring_residual.moves_below_yield") == 0.0
    assert number(tmp_path, "spring_residual.springs_below_yield") == 1
    assert number(tmp_path, "spring_residual.springs_pulled_beyond") == 2
    assert number(tmp_path, "spring_residual.springs_pressed_beyond") == 1
    run(tmp_path, "plastic", 2, SHARES + PLASTIC, PLASTIC + np.array([0, 1e-12, 0, 0]))
    run(tmp_path, "elastic", 2, SHARES, 0 * SHARES)
    assert 0.0 < number(tmp_path, "spring_residual.moves_below_yield") < 1e-12

# SPDX-License-Identifier: BSD-3-Clause
"""Made-up tips: one implicit run of one stiffness is off in one frame."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from single_elements import squared_frequencies

REST = np.array([[0.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [1, 1.1, 1.2]])
TETS = np.array([[0, 1, 2, 3], [3, 1, 2, 4]])
POISSON, DENSITY, SIDE, CELLS = 0.25, 1000.0, 0.05, 1
MODULI = (5e4, 1e7, 1e9)
FRAMES = 4


def squares(young: float) -> np.ndarray:
    """ω² of vertices 3 and 4, the others held."""
    return squared_frequencies(REST, TETS, young, POISSON, DENSITY, slice(9, 15))


def explicit_steps(young: float) -> float:
    return float(np.sqrt(squares(young)[-1]) / 60)


def period(young: float) -> float:
    return float(2 * np.pi / np.sqrt(squares(young)[0]))


SLOW = 50.0  # periods in which the load rises, unless a test says otherwise


def run(folder: Path, name: str, young: float, per_frame: int, off: float = 0.0, rises: float = SLOW) -> None:
    """The tip rises by 0.1 m per frame, both vertices; `off`: of one in the third frame, over the largest rise."""
    n = np.arange(FRAMES * per_frame + 1)
    x = np.tile(REST, (len(n), 1, 1))
    x[:, 3:, 1] += (0.1 * n / per_frame)[:, None]
    x[3 * per_frame, 4, 2] += 2 * off * 0.1 * FRAMES  # of the mean of the two
    if per_frame > 1:
        x[1, 3:, 2] += 7.0  # between frames: not compared
    write_trace(
        folder,
        f"cs6967_assignment_2/steps_at_equal_error {name}_fem {name}",
        swept={"young_modulus_pa": young, "tip_ramp_s": rises * period(young)},
        scene={
            "poisson_ratio": POISSON,
            "density_kg_m3": DENSITY,
            "side_m": SIDE,
            "cells_across": CELLS,
            "time_step_s": 1 / (30 * per_frame),
        },
        schedule={"steps": FRAMES * per_frame},
        arrays={"rest_positions": REST, "tetrahedra": TETS},
        step={"positions": x},
    )


def all_runs(folder: Path, errors: dict[float, tuple[float, ...]]) -> None:
    for young in MODULI:
        run(folder, "explicit", young, 1)
        for per_frame, off in zip((1, 4, 16), errors.get(young, (0.0, 0.0, 0.0)), strict=True):
            run(folder, "implicit", young, per_frame, off)


@pytest.mark.parametrize("worst", MODULI)
@pytest.mark.parametrize(
    ("errors", "needed"), [((0.011, 0.009, 0.0), 4), ((0.011, -0.011, 0.009), 16), ((0.009, 0.1, 0.1), 1)]
)
def test_the_fewest_implicit_steps_within_a_hundredth_count(
    tmp_path: Path, worst: float, errors: tuple[float, ...], needed: int
) -> None:
    all_runs(tmp_path, {worst: errors})
    expected = {young: explicit_steps(young) / (needed if young == worst else 1) for young in MODULI}
    assert number(tmp_path, "steps_at_equal_error.ratio") == pytest.approx(min(expected.values()))
    assert number(tmp_path, "steps_at_equal_error.largest_ratio") == pytest.approx(max(expected.values()))
    stiff = min(expected[1e7], expected[1e9])  # c_p/(30 h) is 5.2, 73, 730
    assert number(tmp_path, "steps_at_equal_error.ratio_in_regime") == pytest.approx(stiff)


def test_no_run_within_a_hundredth_is_no_number(tmp_path: Path) -> None:
    all_runs(tmp_path, {1e7: (0.02, 0.02, 0.011)})
    assert "within a hundredth" in value_of(tmp_path, "steps_at_equal_error.ratio").note


def test_a_fast_load_has_its_own_ratio_and_is_not_of_the_regime(tmp_path: Path) -> None:
    all_runs(tmp_path, {})
    run(tmp_path, "explicit", 1e9, 1, rises=31.0)
    run(tmp_path, "implicit", 1e9, 1, off=0.02, rises=31.0)
    run(tmp_path, "implicit", 1e9, 800, rises=31.0)
    fast = explicit_steps(1e9) / 800
    assert number(tmp_path, "steps_at_equal_error.ratio") == pytest.approx(min(fast, explicit_steps(5e4)))
    assert number(tmp_path, "steps_at_equal_error.ratio_of_fast_load") == pytest.approx(fast)
    assert number(tmp_path, "steps_at_equal_error.ratio_in_regime") == pytest.approx(explicit_steps(1e7))
    assert number(tmp_path, "steps_at_equal_error.periods_in_regime") == pytest.approx(SLOW)
    wave = np.sqrt(1e7 * 0.75 / (1.25 * 0.5) / DENSITY)
    assert number(tmp_path, "steps_at_equal_error.frame_number_in_regime") == pytest.approx(wave / (30 * SIDE))

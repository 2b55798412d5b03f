# SPDX-License-Identifier: BSD-3-Clause
"""Growth of the condition number on made-up runs: one row of one run beyond the regime, or inside it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace
from small_bodies import REST, SCENE, TETS, measured, value

NAME = "mueller_gross_2004/fracture_conditioning"
YOUNG = 1e5  # with density 10 kg/m³ and the shortest edge 1 m: Δt²E/(ρh²) = 1e4 Δt²


def write(folder: Path, time_step: float, conditions: list[float], splits: int = 20) -> None:
    rows = len(conditions)
    write_trace(
        folder,
        NAME,
        "warped_fem",
        name="warped",
        scene={**SCENE, "young_modulus_pa": YOUNG, "time_step_s": time_step},
        coordinates={"scene.parameters.time_step_s": time_step},
        arrays={"rest_positions": REST, "tetrahedra": TETS},
        series={
            "operator": {
                "condition_number": np.array(conditions),
                "operator_converged": np.ones(rows),
                "condition_bound": np.full(rows, 9.0),
                "lambda_max_bound": np.ones(rows),
            },
            "step": {"split_count": np.array([0, splits])},
        },
    )


def test_the_worst_row_of_the_worst_run_is_judged_in_the_regime_and_over_all(tmp_path: Path) -> None:
    write(tmp_path, 0.001, [10, 10.5, 10])  # 0.01
    write(tmp_path, 0.003, [10, 12, 11])  # 0.09
    write(tmp_path, 0.01, [10, 50, 11])  # 1
    assert value(tmp_path, "fracture_conditioning.growth_max") == pytest.approx(5)
    assert value(tmp_path, "fracture_conditioning.growth_in_regime") == pytest.approx(1.2)
    assert value(tmp_path, "fracture_conditioning.splits_in_regime") == 40


def test_a_run_in_which_nothing_split_is_no_sample(tmp_path: Path) -> None:
    write(tmp_path, 0.001, [10, 10.5, 10], splits=0)
    assert measured(tmp_path, "fracture_conditioning.growth_in_regime").value is None
    assert value(tmp_path, "fracture_conditioning.splits_in_regime") == 0

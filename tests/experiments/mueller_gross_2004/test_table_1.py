# SPDX-License-Identifier: BSD-3-Clause
"""Table 1 on made-up runs: one number of one model is not the printed one, one body ends flat or inside out."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up_runs import CORNERS
from measured import number, value_of, write_trace

from experiments.mueller_gross_2004.measurements import table_1 as m

PRINTED = {
    "snake": (100e3, None, None, 0.0, 0.0),
    "quadruped": (50e3, None, 0.01, 100.0, 10.0),
    "dragon": (100e3, 60e3, 0.1, 1.0, 1.0),
}


def write(
    folder: Path,
    model: str,
    *,
    mass: float = 1000 / 6,
    volume: list[float] | None = None,
    inverted: list[int] | None = None,
    condition: list[float] | None = None,
    **changed: Any,
) -> None:
    young, threshold, yielded, creep, cap = PRINTED[model]
    scene = {"model": model, "young_modulus_pa": young, "poisson_ratio": 0.33}
    parameters = {
        "fracture_threshold_pa": threshold or 1e9,
        "plastic_yield": yielded or 0.0,
        "plastic_creep_per_s": creep,
        "plastic_max": cap,
    }
    for name, changed_to in changed.items():
        (scene if name in scene else parameters)[name] = changed_to
    write_trace(
        folder,
        f"{m.M.experiment} warped_fem printed",
        scene=scene,
        parameters=parameters,
        swept={"model": model},
        arrays={"rest_positions": CORNERS, "tetrahedra": np.array([[0, 1, 2, 3]]), "masses": np.full(4, mass / 4)},
        step={"volume": np.array(volume or [2.0, 2, 2]), "inverted_elements": np.array(inverted or [0, 0, 0])},
        operator={
            "condition_number": np.array(condition or [10.0, 10]),
            "operator_converged": np.ones(len(condition or [10.0, 10])),
        },
    )


def test_the_printed_materials_are_those_that_run(tmp_path: Path) -> None:
    for model in PRINTED:
        write(tmp_path, model)
    assert number(tmp_path, "table_1.parameter_error") == pytest.approx(0.0, abs=1e-12)
    assert number(tmp_path, "table_1.volume_ratio_min") == 1.0
    assert number(tmp_path, "table_1.inverted_share_max") == 0.0


@pytest.mark.parametrize(
    "model, change, error",
    [
        ("quadruped", {"young_modulus_pa": 55e3}, 0.1),
        ("dragon", {"poisson_ratio": 0.3}, 0.03 / 0.33),
        ("dragon", {"fracture_threshold_pa": 30e3}, 0.5),
        ("quadruped", {"plastic_creep_per_s": 1.0}, 0.99),
        ("snake", {"plastic_max": 0.2}, 0.2),
        ("dragon", {"plastic_yield": 0.2}, 1.0),
        ("snake", {"mass": 900 / 6}, 0.1),
    ],
)
def test_one_number_of_one_model_that_is_not_printed_is_found(
    tmp_path: Path, model: str, change: dict[str, float], error: float
) -> None:
    for name in PRINTED:
        write(tmp_path, name, **(change if name == model else {}))
    assert number(tmp_path, "table_1.parameter_error") == pytest.approx(error)
    assert m.PRINTED_NAME[model] in value_of(tmp_path, "table_1.parameter_error").note


def test_one_row_of_one_body_decides_what_is_degenerate(tmp_path: Path) -> None:
    write(tmp_path, "snake", volume=[2.0, 1.9, 2.1], condition=[10.0, 12, 10])
    write(tmp_path, "quadruped", volume=[2.0, 0.1, 1.0], inverted=[0, 1, 0])
    write(tmp_path, "dragon", condition=[40.0, 39, 40])
    assert number(tmp_path, "table_1.volume_ratio_min") == pytest.approx(0.05)
    assert number(tmp_path, "table_1.inverted_share_max") == 1.0
    assert number(tmp_path, "table_1.condition_change") == pytest.approx(0.2)

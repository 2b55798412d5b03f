# SPDX-License-Identifier: BSD-3-Clause
"""One scaled scene that ends elsewhere, one bar that sags too far, still moves, or hangs out of balance."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of, write_trace

from deformbench_analysis.trace import Trace
from experiments.chen_et_al_2024.measurements import scale_and_load as m
from experiments.chen_et_al_2024.measurements.one_step import CORE, FAILED

BODY: dict[str, Any] = {"family": "kuhn", "seed": 1}
SCENE: dict[str, Any] = {"omega": 1.0, "contrast": 1.0, "density_kg_m3": 1000.0}
REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
MESH = {"rest_positions": REST, "tetrahedra": np.array([[0, 1, 2, 3]])}


def scaled(folder: Path, row: str, side: float, end: float, density: float = 1000.0) -> None:
    write_trace(
        folder,
        f"chen_et_al_2024/scaled_scenes vbd {row}",
        {**BODY, "omega": 1.0, "side_m": side, "density_kg_m3": density},
        scene={"cells_across": 2, "time_step_s": 0.01},
        parameters={"singular_threshold": 1e-5},
        frame={"positions": side * np.array([[[5.0, 1, 0], [0, 0, 1]], [[5.0, 1, 0], [0, 0, end]]])},
    )


def test_ends_are_compared_in_lengths_of_the_bar_with_the_unscaled_scene_without_a_rule(tmp_path: Path) -> None:
    scaled(tmp_path, "unguarded", 0.1, 3.0)
    scaled(tmp_path, "unguarded", 1.0, 3.0)
    for side, end, density in ((10.0, 3.2, 1000.0), (0.01, 1.0, 1000.0), (1.0, 3.0, 1000.0), (0.1, 3.01, 1.0)):
        scaled(tmp_path, "printed", side, end, density)
    assert number(tmp_path, "scaled_scenes.unguarded_difference") == pytest.approx(0.0, abs=1e-15)  # of 3 * side / side
    assert number(tmp_path, "scaled_scenes.printed_difference") == pytest.approx(1.0)
    assert number(tmp_path, "scaled_scenes.heavy_difference") == pytest.approx(0.1)
    assert number(tmp_path, "scaled_scenes.altered_length") == pytest.approx(40.0)


def hung(folder: Path, row: str, sags: Any, theta: float = 1.0, status: str = "completed", **settings: Any) -> Path:
    parameters = {"initial_guess": "inertia_and_loads", "iterations": 100, "substeps": 1, **settings}
    steps = np.array([*np.zeros(2), *sags])
    return write_trace(
        folder,
        f"chen_et_al_2024/hanging_bar {'implicit_fem' if row == 'newton' else 'vbd'} {row}",
        {**BODY, "theta": theta},
        scene={**SCENE, "time_step_s": 0.1, "gravity_m_s2": [0.0, 10.0, 0.0], "side_m": 0.25},
        coordinates={f"method.parameters.{name}": value for name, value in parameters.items()},
        status=status,
        arrays=MESH,
        step={"tip_displacement": np.column_stack([steps, steps, steps])},
    )


def test_the_sag_is_the_worst_of_the_last_fifth(tmp_path: Path) -> None:
    still = [0.04] * 8
    hung(tmp_path, "newton", still)
    for guess in ("adaptive", "inertia_and_loads"):
        for count in (20, 100, 1000):
            hung(tmp_path, "soft", still, initial_guess=guess, iterations=count)
    hung(tmp_path, "descent", [0.04] * 6 + [0.042, 0.038], initial_guess="adaptive")
    hung(tmp_path, "descent", [0.07] * 8)
    hung(tmp_path, "descent", [0.0408] * 8, iterations=50, substeps=20)
    hung(tmp_path, "descent", [1.0] * 8, iterations=20)
    assert number(tmp_path, "hanging_bar.adaptive_error_of_100") == pytest.approx(0.05)
    assert number(tmp_path, "hanging_bar.error_of_100") == pytest.approx(0.75)
    assert number(tmp_path, "hanging_bar.error_of_1000") == pytest.approx(0.02)
    assert number(tmp_path, "hanging_bar.moving") == 1
    assert number(tmp_path, "hanging_bar.off_closed_form") == pytest.approx(0.2)
    hung(tmp_path, "descent", [0.04] * 8, status="diverged", iterations=5, substeps=20)
    assert number(tmp_path, "hanging_bar.error_of_100") == FAILED
    assert number(tmp_path, "hanging_bar.moving") == 2


def test_sweeps_needed_are_listed_by_stiffness(tmp_path: Path) -> None:
    for row, theta, enough in (("descent", 4.0, 1000), ("soft", 2.0, 100)):
        hung(tmp_path, "newton", [0.04] * 8, theta)
        for count in (20, 100, 1000):
            hung(tmp_path, row, [0.04 if count >= enough else 0.06] * 8, theta, iterations=count)
    found = value_of(tmp_path, "hanging_bar.sweeps_needed")
    assert found.value == 1000
    assert found.note == "1: 100, 2: 1000"  # edges of √2, a length of 1


def test_forces_are_out_of_balance_by_what_no_inertia_carries(tmp_path: Path) -> None:
    path = write_trace(
        tmp_path,
        "chen_et_al_2024/hanging_bar implicit_fem newton",
        {"theta": 0.0, "poisson_ratio": 0.3, "time_step_s": 0.01, "gravity_m_s2": [0.0, 0.0, -10.0]},
        SCENE,
        parameters={"law": CORE},
        arrays={**MESH, "masses": np.full(4, 2.0), "prescribed_vertices": np.array([0, 1, 2])},
        frame={"positions": np.array([REST, REST])},
    )
    assert m.unbalanced(Trace(path)) == pytest.approx(0.25)

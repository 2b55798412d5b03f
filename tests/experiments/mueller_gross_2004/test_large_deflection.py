# SPDX-License-Identifier: BSD-3-Clause
"""Tips of a cantilever against the elastica at the load scaled by the mesh's own stiffness: worst load, least gap."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.cross.measurements.elastica import elastica

SCENE = {"length_m": 2.0, "side_m": 0.1, "young_modulus_pa": 1e6, "poisson_ratio": 0.33, "time_step_s": 0.5}
RIGIDITY = 1e6 * 0.1**4 / 12


def resting(folder: Path, name: str, load: float, drop: float, reach: float, cells: int = 4) -> None:
    """`drop` and `reach` over the length, at the end; the row before is elsewhere."""
    where = {"scene.parameters.cells_across": cells, "scene.parameters.tip_force_n": [0.0, -load * RIGIDITY / 4.0, 0.0]}
    step = {"tip_displacement": np.array([[0, 0, 0], [9, 9, 9], [2 * (reach - 1), -2 * drop, 0]])}
    write_trace(
        folder, f"mueller_gross_2004/large_deflection warped_fem {name}", coordinates=where, scene=SCENE, step=step
    )


def test_errors_are_distances_from_the_elastica_at_the_meshs_own_load(tmp_path: Path) -> None:
    factor = 0.9  # the mesh bends by 0.9 of what beam theory says
    for load in (2.0, 4.0, 8.0):
        drop, reach = elastica(load * factor)
        resting(tmp_path, "linear", load, factor * load / 3, 1.0)
        resting(tmp_path, "warped_global", load, drop + {2.0: 0.03, 4.0: 0.05, 8.0: 0.04}[load], reach)
        resting(tmp_path, "warped", load, drop, reach + {2.0: 0.01, 4.0: 0.02, 8.0: 0.015}[load])
    for load in (1.0, 16.0):  # too small a load, and a mesh that is not judged
        resting(tmp_path, "warped", load, 0.9, 0.9, cells=4 if load == 1.0 else 2)
    resting(tmp_path, "linear", 16.0, factor * 16 / 3, 1.0, cells=2)
    assert number(tmp_path, "large_deflection.element_error_max") == pytest.approx(0.02)
    assert number(tmp_path, "large_deflection.global_error_max") == pytest.approx(0.05)
    assert number(tmp_path, "large_deflection.element_below_global") == pytest.approx(0.02)  # at 2: 0.03 − 0.01
    assert value_of(tmp_path, "large_deflection.element_below_global").note == "at PL²/EI = 2, 4 cells across"
    linear = {
        load: np.hypot(factor * load / 3 - elastica(load * factor)[0], 1 - elastica(load * factor)[1])
        for load in (2.0, 4.0, 8.0)
    }
    assert number(tmp_path, "large_deflection.linear_error_max") == pytest.approx(max(linear.values()))
    gaps = {load: linear[load] - {2.0: 0.03, 4.0: 0.05, 8.0: 0.04}[load] for load in linear}
    assert number(tmp_path, "large_deflection.global_below_linear") == pytest.approx(min(gaps.values()))


def test_the_elastica_bends_as_tables_have_it() -> None:
    drop, reach = elastica(2.0)
    assert (drop, reach) == pytest.approx((0.49346, 0.83936), abs=2e-5)


def test_distances_from_the_nonlinear_tips_are_those_of_the_same_mesh_and_load(tmp_path: Path) -> None:
    for cells in (2, 4):
        for load in (1.0, 2.0, 8.0):  # the first is too small to be judged
            drop, reach = 0.1 * load, 1 - 0.05 * load * cells / 4
            far = (cells, load) == (2, 8.0)
            resting(tmp_path, "nonlinear", load, drop, reach, cells)
            resting(tmp_path, "nonlinear_log", load, drop + (0.004 if far else 0.001), reach, cells)
            resting(tmp_path, "warped", load, drop, reach + (0.02 if far else 0.01), cells)
            resting(tmp_path, "warped_global", load, drop + 0.05 * load, reach, cells)
            resting(tmp_path, "linear", load, drop + 0.1 * load, reach, cells)
    assert number(tmp_path, "large_deflection.nonlinear_spread") == pytest.approx(0.004)
    assert number(tmp_path, "large_deflection.element_error_nonlinear") == pytest.approx(0.02)
    assert number(tmp_path, "large_deflection.element_below_global_nonlinear") == pytest.approx(0.09)  # at 2
    assert number(tmp_path, "large_deflection.global_below_linear_nonlinear") == pytest.approx(0.1)


def test_against_the_elastica_itself_a_coarse_mesh_counts_as_it_is(tmp_path: Path) -> None:
    for cells in (2, 4):
        for load in (1.0, 2.0, 8.0):  # the first is too small to be judged
            drop, reach = elastica(load)
            resting(tmp_path, "warped_global", load, drop, reach + (0.05 if cells == 4 else 0.01), cells)
            resting(tmp_path, "warped", load, drop - (0.2 if load == 1.0 else 0.02), reach, cells)
    found = value_of(tmp_path, "large_deflection.element_below_global_elastica")
    assert found.value == pytest.approx(-0.01) and found.note.endswith("2 cells across")


def test_without_nonlinear_tips_there_is_no_distance(tmp_path: Path) -> None:
    resting(tmp_path, "warped", 2.0, 0.4, 0.9)
    resting(tmp_path, "nonlinear", 4.0, 0.4, 0.9)
    assert "name=nonlinear" in value_of(tmp_path, "large_deflection.element_error_nonlinear").note

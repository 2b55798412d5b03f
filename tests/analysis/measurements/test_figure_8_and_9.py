# SPDX-License-Identifier: BSD-3-Clause
"""Melting, heat and condition numbers of the paper's three bodies on made-up runs: one frame or one row is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace
from made_up_runs import CORNERS, measured, value

from deformbench_analysis.measurements import figure_8, figure_9

COW, HEAT, PULL = figure_8.COW, figure_9.HEAT, figure_9.PULL
MANY = 200  # tetrahedra, so that one inverted element is half a per cent


def stack(scale: tuple[float, float, float], inverted: int) -> np.ndarray:
    """MANY separate tetrahedra, scaled; the last `inverted` of them mirrored in x."""
    points = np.concatenate([CORNERS + [3.0 * k, 0, 0] for k in range(MANY)]) * scale
    for k in range(MANY - inverted, MANY):
        own = points[4 * k:4 * k + 4]
        own[:, 0] = 2 * own[0, 0] - own[:, 0]
    return points


def write_cow(folder: Path, name: str, frames: list[tuple[tuple[float, float, float], int]], condition: list[float] | None = None) -> None:
    series = {"frame": {"positions": np.array([stack(*f) for f in frames])}}
    if condition:
        series["operator"] = {"condition_number": np.array(condition), "operator_converged": np.ones(len(condition))}
    write_trace(folder, COW, "warped_fem", name=name, series=series, arrays={"rest_positions": stack((1, 1, 1), 0), "tetrahedra": np.arange(4 * MANY).reshape(-1, 4)})


WHOLE = ((1.0, 1.0, 1.0), 0)


def test_height_counts_while_the_body_has_its_volume_and_its_elements(tmp_path: Path) -> None:
    # Half as high: spread sidewards with its volume; then flat without it; then the volume is back, which counts no more.
    write_cow(tmp_path, "printed", [WHOLE, ((1.0, 0.7, 1.3), 0), ((1.0, 0.75, 1.0), 0), ((1.0, 0.1, 10.0), 0)])
    write_cow(tmp_path, "corrected", [WHOLE, ((1.0, 0.9, 1.1), 2), ((1.0, 0.5, 2.0), 3)])  # 1 % is allowed, 1.5 % is not
    assert value(tmp_path, "cow.sound_height_loss") == pytest.approx(0.3)
    assert value(tmp_path, "cow.corrected_sound_height_loss") == pytest.approx(0.1)
    assert value(tmp_path, "cow.sound_time_s") == pytest.approx(0.01)
    assert value(tmp_path, "cow.corrected_sound_time_s") == pytest.approx(0.01)
    assert value(tmp_path, "cow.corrected_inverted_share") == pytest.approx(0.015)
    assert value(tmp_path, "cow.inverted_share") == 0.0


def test_a_body_that_stays_sound_counts_its_largest_loss_and_rise(tmp_path: Path) -> None:
    write_cow(tmp_path, "printed", [WHOLE, ((1.0, 0.5, 2.0), 0), ((1.0, 0.6, 2.0), 0)])
    assert value(tmp_path, "cow.sound_height_loss") == pytest.approx(0.5)
    assert value(tmp_path, "cow.sound_time_s") == pytest.approx(0.02)
    assert value(tmp_path, "cow.height_rise") == pytest.approx(0.1)


def test_one_row_of_one_rule_decides_the_change_of_the_condition_number(tmp_path: Path) -> None:
    write_cow(tmp_path, "printed", [WHOLE], [100.0, 104.0, 101.0])
    write_cow(tmp_path, "corrected", [WHOLE], [200.0, 140.0, 199.0])
    assert value(tmp_path, "cow.condition_change") == pytest.approx(0.3)
    assert "-30 %" in measured(tmp_path, "cow.condition_change").note


def write_pull(folder: Path, splits: list[int], condition: list[float]) -> None:
    write_trace(folder, PULL, "warped_fem", series={"step": {"split_count": np.array(splits)},
                                                    "operator": {"condition_number": np.array(condition), "operator_converged": np.ones(len(condition))}})


def test_the_dragon_counts_up_to_its_first_split_and_beyond_it_elsewhere(tmp_path: Path) -> None:
    write_pull(tmp_path, [0, 0, 0, 2], [100.0, 110.0, 105.0, 300.0])
    assert value(tmp_path, "dragon_pull.condition_change") == pytest.approx(0.1)
    assert value(tmp_path, "dragon_pull.condition_change_broken") == pytest.approx(2.0)


def test_cold_flow_is_seen_in_one_element_and_an_element_once_heated_is_not_cold(tmp_path: Path) -> None:
    heated = np.array([[0, 1, 0], [0, 0, 0]])  # element 1 was hot in the first frame only
    for name, cold in (("printed", 0.004), ("control", 0.3)):
        strain = np.zeros((2, 3, 6))
        strain[1, 1, 0], strain[1, 2, 5] = 0.7, cold
        write_trace(tmp_path, HEAT, "warped_fem", name=name, parameters={"plastic_yield": 0.1},
                    series={"frame": {"heated_elements": heated, "element_plastic_strains": strain}})
    assert value(tmp_path, "dragon_heat.plastic_strain_cold") == pytest.approx(0.004 * 2**0.5)
    assert value(tmp_path, "dragon_heat.control_plastic_strain_cold") == pytest.approx(0.3 * 2**0.5)
    assert value(tmp_path, "dragon_heat.plastic_strain_hot") == pytest.approx(0.7)
    assert value(tmp_path, "dragon_heat.heated_share") == pytest.approx(1 / 3)

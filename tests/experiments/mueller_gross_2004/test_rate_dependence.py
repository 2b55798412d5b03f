# SPDX-License-Identifier: BSD-3-Clause
"""One strain path at several speeds on made-up traces: a stress that one speed alone changes is the spread."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from small_bodies import REST, SCENE

NAME = "mueller_gross_2004/rate_dependence"
YIELD, CREEP, DT, STRAIN = 0.0213, 10.0, 0.005, 0.1


def write(folder: Path, name: str, ramp: float, wrong_row: int | None = None, ends_at: float = STRAIN) -> float:
    """Returns the plastic strain on arrival over the strain there."""
    steps = 60
    total = ends_at * np.minimum(DT * np.arange(steps + 1) / ramp, 1)
    plastic = np.zeros(steps + 1)
    for k in range(steps):
        elastic = total[k] - plastic[k]
        gain = (CREEP * DT * elastic if name == "creep" else elastic - YIELD) if elastic > YIELD else 0.0
        plastic[k + 1] = plastic[k] + gain
    if wrong_row is not None:
        plastic[wrong_row] += 0.01
    x = np.array([REST[:4] * [1 + t, 1, 1] for t in total])
    tensor = np.zeros((steps + 1, 1, 6))
    tensor[:, 0, 0] = plastic
    rate = "as_printed" if name == "creep" else "radial_return"
    parameters = {"plastic_yield": YIELD, "plastic_creep_per_s": CREEP, "plastic_max": 10.0, "plastic_rate": rate}
    arrays = {"rest_positions": REST[:4], "tetrahedra": np.array([[0, 1, 2, 3]])}
    frame = {"positions": x, "element_plastic_strains": tensor}
    scene = {**SCENE, "time_step_s": DT}
    swept = {"ramp_s": ramp}
    write_trace(folder, f"{NAME} warped_fem {name}", swept, scene, parameters=parameters, arrays=arrays, frame=frame)
    return float(plastic[round(ramp / DT) + 1] / ends_at)


def write_all(folder: Path, wrong: tuple[str, float, int] = ("", 0.0, 0)) -> dict[str, list[float]]:
    """Returns the plastic strain on arrival over the strain there, from fast to slow."""
    return {
        name: [write(folder, name, ramp, wrong[2] if (name, ramp) == wrong[:2] else None) for ramp in (0.05, 0.1, 0.2)]
        for name in ("creep", "instantaneous")
    }


def test_creep_depends_on_the_speed_and_radial_return_does_not(tmp_path: Path) -> None:
    shares = write_all(tmp_path)
    fast, middle, slow = shares["creep"]
    assert number(tmp_path, "rate_dependence.creep_spread") == pytest.approx(slow - fast) and slow - fast > 0.2
    assert abs((middle - fast) - (slow - middle)) > 0.01
    assert number(tmp_path, "rate_dependence.faster_is_stiffer") == pytest.approx(min(middle - fast, slow - middle))
    assert number(tmp_path, "rate_dependence.instantaneous_spread") < 1e-14
    assert number(tmp_path, "rate_dependence.recursion_error") < 1e-13
    assert number(tmp_path, "rate_dependence.flow_share") == pytest.approx(min(fast, *shares["instantaneous"]))


def test_a_wrong_strain_on_arrival_at_one_speed_is_the_spread(tmp_path: Path) -> None:
    write_all(tmp_path, ("instantaneous", 0.1, round(0.1 / DT) + 1))
    assert number(tmp_path, "rate_dependence.instantaneous_spread") == pytest.approx(0.01 / STRAIN)
    assert number(tmp_path, "rate_dependence.recursion_error") == pytest.approx(0.01 / STRAIN)


def test_one_wrong_step_on_the_way_is_the_error_of_the_recursion(tmp_path: Path) -> None:
    write_all(tmp_path, ("creep", 0.2, 5))
    assert number(tmp_path, "rate_dependence.recursion_error") == pytest.approx(0.01 / STRAIN)


def test_instantaneous_flow_in_the_place_of_creep_has_no_spread_and_no_drop(tmp_path: Path) -> None:
    write_all(tmp_path)
    for ramp in (0.05, 0.1, 0.2):
        write(tmp_path / "other", "instantaneous", ramp)
    assert number(tmp_path / "other", "rate_dependence.instantaneous_spread") < 1e-14
    assert value_of(tmp_path / "other", "rate_dependence.creep_spread").value is None


def test_paths_that_end_at_different_strains_are_no_comparison(tmp_path: Path) -> None:
    write(tmp_path, "creep", 0.05)
    write(tmp_path, "creep", 0.1, ends_at=0.11)
    assert "do not end at the same strain" in value_of(tmp_path, "rate_dependence.creep_spread").note

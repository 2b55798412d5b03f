# SPDX-License-Identifier: BSD-3-Clause
"""The bar that is pulled until it breaks: loads, strains and normals of the first split of the worst cell."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

DT, THRESHOLD, RAMP = 0.01, 1000.0, 1.0


def broken(
    folder: Path,
    name: str,
    first: int,
    *,
    turn: float = 0.0,
    strain: float = 0.6,
    tilt: float = 0.0,
    slow: float = 1.5,
    ramp: float = RAMP,
) -> None:
    """A ramp of 1 s, 100 steps, to 2000 Pa on a bar 2 m long; the first split in step `first`,
    a second one later across another plane."""
    angle, normal = np.radians(turn), np.radians(turn) + tilt
    pull = np.array([np.cos(angle), np.sin(angle), 0.0])
    moved = np.zeros((101, 3))
    moved[first] = (1 + strain) * pull - [1.0, 0, 0]
    moved[first + 1 :] = 7.0
    text = f"normal ({-np.cos(normal)}, {-np.sin(normal)}, 0)"
    says = f"vertex 1 splits at element 0: stress {THRESHOLD} Pa, {text}, 2 faces exposed"
    later = "vertex 2 splits at element 0: stress 5 Pa, normal (0, 0, 1), 2 faces exposed"
    events = [(first, first * DT, "vertex_split", 1, says), (first + 1, (first + 1) * DT, "vertex_split", 2, later)]
    write_trace(
        folder,
        f"mueller_gross_2004/uniaxial_fracture warped_fem {name}",
        parameters={"fracture_threshold_pa": THRESHOLD},
        scene={"stress_pa": [2000.0, 0, 0], "ramp_s": ramp, "length_m": 2.0},
        swept={"turn_deg": turn},
        events=events,
        dt=DT,
        references={"uniaxial_fracture": {"slow_plastic_strain": slow}},
        step={"tip_displacement": moved, "split_count": np.arange(101) > first},
    )


@pytest.mark.parametrize("first, ramp, error", [(56, RAMP, 0.12), (44, RAMP, 0.12), (80, 0.5, 1.0)])
def test_the_load_is_that_of_the_ramp_and_full_after_it(tmp_path: Path, first: int, ramp: float, error: float) -> None:
    broken(tmp_path, "elastic", first, ramp=ramp)
    assert number(tmp_path, "uniaxial_fracture.elastic_load_error") == pytest.approx(error)


def test_strains_are_read_at_the_first_split_along_the_pull(tmp_path: Path) -> None:
    for name, first, strain in (("elastic", 50, 0.6), ("plastic", 60, 1.5), ("plastic_total_strain", 80, 0.61)):
        broken(tmp_path, name, first, strain=strain)
    assert number(tmp_path, "uniaxial_fracture.elastic_strain") == pytest.approx(0.6)
    assert number(tmp_path, "uniaxial_fracture.corrected_strain") == pytest.approx(1.5)
    assert number(tmp_path, "uniaxial_fracture.printed_strain") == pytest.approx(0.61)
    assert number(tmp_path, "uniaxial_fracture.printed_load") == pytest.approx(1.6)


@pytest.mark.parametrize("turn", [0.0, 20.0])
def test_strains_and_normals_are_measured_along_the_pull(tmp_path: Path, turn: float) -> None:
    broken(tmp_path, "plastic", 50, turn=turn, strain=1.2)
    broken(tmp_path, "elastic", 50, turn=turn, tilt=0.25)
    broken(tmp_path, "elastic_printed_frame", 50, turn=turn, tilt=0.5)
    assert number(tmp_path, "uniaxial_fracture.plastic_strain_error") == pytest.approx(0.2)
    assert number(tmp_path, "uniaxial_fracture.normal_error_rad") == pytest.approx(0.25)
    assert number(tmp_path, "uniaxial_fracture.printed_frame_error_rad") == pytest.approx(0.5)


def suddenly(folder: Path, factor: float, splits: list[int]) -> None:
    parameters = {"fracture_threshold_pa": THRESHOLD}
    scene = {"traction_pa": factor * THRESHOLD}
    step = {"split_count": np.array(splits)}
    write_trace(
        folder, "mueller_gross_2004/step_load_fracture warped_fem", parameters=parameters, scene=scene, step=step
    )


def test_the_sudden_load_that_breaks_lies_between_the_largest_that_does_not_and_the_smallest_that_does(
    tmp_path: Path,
) -> None:
    for factor, splits in ((0.3, [0, 0]), (0.5, [0, 0]), (0.6, [0, 2]), (0.9, [0, 7])):
        suddenly(tmp_path, factor, splits)
    assert number(tmp_path, "step_load_fracture.load_factor") == pytest.approx(0.55)
    assert value_of(tmp_path, "step_load_fracture.load_factor").note == "broken from 0.6, whole up to 0.5"


def test_loads_that_all_break_give_no_factor(tmp_path: Path) -> None:
    suddenly(tmp_path, 0.6, [0, 1])
    assert "every load broke the bar" in value_of(tmp_path, "step_load_fracture.load_factor").note

# SPDX-License-Identifier: BSD-3-Clause
"""Bars with Green's strain and with the printed strain: one stretch, one vertex, one swing is off."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from deformbench_analysis.calculix import cases, corners
from experiments.cs6967_assignment_2.measurements import bent_bar

UNIAXIAL, BENT, FREQUENCY = (f"cs6967_assignment_2/{n}" for n in ("uniaxial_bar", "bent_bar", "bar_frequency"))
YOUNG, POISSON, SIDE = 1000.0, 0.3, 0.5
REST = np.array([[x, y, z] for x in (0.0, 1, 2) for y in (0.0, SIDE) for z in (0.0, SIDE)])


def stretched(folder: Path, name: str, stretch: float, modulus: float, side: float = 1.0, root: float = 1.0) -> None:
    """A bar at rest whose modulus is this many times E; factors on its side and on the force at its root."""
    across = np.sqrt(1 - POISSON * (stretch**2 - 1)) * side
    force = modulus * YOUNG * SIDE**2 * stretch * (stretch**2 - 1) / 2
    step = {
        "tip_elastic_force": np.array([[9.0, 0, 0], [-force, 0, 0]]),
        "root_elastic_force": np.array([[9.0, 0, 0], [force * root, 0, 0]]),
    }
    frame = {"positions": np.array([REST, REST * [stretch, across, across] + [0, 0.3, 0]])}
    scene = {"young_modulus_pa": YOUNG, "poisson_ratio": POISSON}
    arrays, at = {"rest_positions": REST}, {"stretch": stretch}
    write_trace(folder, f"{UNIAXIAL} implicit_fem {name}", at, scene, arrays=arrays, step=step, frame=frame)


@pytest.mark.parametrize("worst", [0.95, 1.05])
def test_the_worst_stretch_decides_the_modulus(tmp_path: Path, worst: float) -> None:
    for stretch in (0.95, 1.01, 1.05):
        stretched(tmp_path, "corrected", stretch, 1.02 if stretch == worst else 0.999)
        stretched(tmp_path, "as_printed", stretch, 1.8 if stretch == worst else 2.001)
    assert number(tmp_path, "uniaxial_bar.corrected_modulus_error") == pytest.approx(0.02)
    assert number(tmp_path, "uniaxial_bar.printed_modulus_error") == pytest.approx(0.1)
    assert number(tmp_path, "uniaxial_bar.printed_modulus") == pytest.approx(1.8)
    assert number(tmp_path, "uniaxial_bar.side_error") < 1e-9
    assert number(tmp_path, "uniaxial_bar.largest_strain") == pytest.approx(0.05)


def test_one_bar_that_is_too_thick_is_found(tmp_path: Path) -> None:
    stretched(tmp_path, "corrected", 1.05, 1.0)
    stretched(tmp_path, "as_printed", 1.05, 2.0, side=1.001)
    change = 1 - np.sqrt(1 - POISSON * (1.05**2 - 1))
    assert number(tmp_path, "uniaxial_bar.side_error") == pytest.approx(0.001 * (1 - change) / change, rel=1e-6)


def test_a_bar_that_is_not_at_rest_has_no_modulus(tmp_path: Path) -> None:
    stretched(tmp_path, "corrected", 1.05, 1.0, root=1.001)
    assert "not at rest" in value_of(tmp_path, "uniaxial_bar.corrected_modulus_error").note


def bent(folder: Path, name: str, modulus: float, off: float, **other: object) -> None:
    moved = bent_bar.displacements()
    rest = np.random.default_rng(1).random(moved.shape)
    now = rest + moved
    now[17, 2] += off
    scene = {
        "young_modulus_pa": modulus,
        "poisson_ratio": 0.25,
        "length_m": 1.0,
        "tip_vertex_force_n": [0, cases()[bent_bar.CASE]["force_per_tip_vertex_n"], 0],
        **other,
    }
    arrays = {"rest_positions": rest, "tetrahedra": corners(str(bent_bar.reference()["deck"]))}
    frame = {"positions": np.array([rest, now])}
    write_trace(folder, f"{BENT} implicit_fem {name}", scene=scene, arrays=arrays, frame=frame)


def test_one_vertex_is_the_difference_from_the_other_program(tmp_path: Path) -> None:
    largest = np.abs(bent_bar.displacements()).max()
    bent(tmp_path, "corrected", 1e5, 1e-3)
    bent(tmp_path, "as_printed", 1e5, 2e-3)
    bent(tmp_path, "as_printed", 5e4, 3e-3)
    assert number(tmp_path, "bent_bar.corrected_difference") == pytest.approx(1e-3 / largest)
    assert number(tmp_path, "bent_bar.printed_difference") == pytest.approx(2e-3 / largest)
    assert number(tmp_path, "bent_bar.printed_half_modulus_difference") == pytest.approx(3e-3 / largest)
    assert number(tmp_path, "bent_bar.deflection") == pytest.approx(largest)


def test_another_force_is_another_case(tmp_path: Path) -> None:
    bent(tmp_path, "corrected", 1e5, 0.0, tip_vertex_force_n=[0, -2.4, 0])
    assert "another case" in value_of(tmp_path, "bent_bar.corrected_difference").note


def swing(folder: Path, name: str, frequency: float, seconds: float = 5.0) -> None:
    time = np.arange(0, seconds, 0.01)
    height = 1e-3 * np.cos(2 * np.pi * frequency * time)
    step = {"tip_displacement": np.column_stack([0 * time + 7, height, 0 * time + 7])}
    write_trace(folder, f"{FREQUENCY} explicit_fem {name}", step=step, dt=0.01)


def test_frequencies_are_those_of_the_rises_through_rest(tmp_path: Path) -> None:
    swing(tmp_path, "corrected", 1.1)
    swing(tmp_path, "as_printed", 1.1 * np.sqrt(2) * 1.03)
    assert number(tmp_path, "bar_frequency.ratio") == pytest.approx(np.sqrt(2) * 1.03, rel=1e-3)
    assert number(tmp_path, "bar_frequency.ratio_error") == pytest.approx(0.03, rel=0.03)
    assert number(tmp_path, "bar_frequency.swings") == 4


def test_a_bar_that_hardly_swings_has_no_frequency(tmp_path: Path) -> None:
    swing(tmp_path, "corrected", 1.1)
    swing(tmp_path, "as_printed", 0.3)
    assert "swings" in value_of(tmp_path, "bar_frequency.ratio").note

# SPDX-License-Identifier: BSD-3-Clause
"""Pulled, held, released: ends, ends of the hold, and one row, one channel or one vertex that is off."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up_runs import CORNERS
from measured import number, value_of, write_trace

EXPERIMENT, BAR = "mueller_gross_2004/load_hold_release", "mueller_gross_2004/load_hold_release_bar"
POSITIONS = [0.0, 0.1, 0.4, 0.35, 0.3]  # held for two steps of 1 s
# m = 1 kg, k = 1 N/m, Δt = 1 s
SCENE = {"time_step_s": 1.0, "hold_s": 2.0, "young_modulus_pa": 6.0, "density_kg_m3": 24.0, "force_n": 1.0}
FLOW = {
    "plasticity": "creep",
    "plastic_yield": 0.01,
    "plastic_creep_per_s": 0.5,
    "plastic_max": 0.3,
    "mass_damping_1_s": 0.0,
}


def pulled(
    folder: Path,
    name: str,
    positions: list[float],
    *,
    reference: list[float] | None = None,
    plastic: list[float] | None = None,
    scene: dict[str, Any] | None = None,
) -> None:
    tip = np.zeros((len(positions), 3))
    tip[:, 0] = positions
    step = {"tip_displacement": tip, "plastic_strain_max": np.array(plastic or np.zeros(len(positions)))}
    sign = "as_printed" if name.startswith("listing") else "corrected"
    write_trace(
        folder,
        f"{EXPERIMENT} warped_fem {name}",
        parameters={**FLOW, "plastic_sign": sign},
        scene={**SCENE, **(scene or {})},
        references={"creeping_bar": {"position_m": np.array(reference or positions)}},
        step=step,
    )


def test_one_row_is_the_error_against_the_creeping_bar(tmp_path: Path) -> None:
    pulled(tmp_path, "resisting", POSITIONS, reference=[0.0, 0.1, 0.38, 0.35, 0.3])
    assert number(tmp_path, "load_hold_release.residual_error") == pytest.approx(0.02)


def test_positions_are_those_of_the_end_and_of_the_end_of_the_hold(tmp_path: Path) -> None:
    for at, name in enumerate(("resisting", "resisting_undamped", "listing", "listing_undamped")):
        pulled(tmp_path, name, [0.0, 0.1, 0.4 + at, 0.35, 0.3 + at], plastic=[0.0, 0.0, 0.1, 0.3, 0.28])
    ends = ["residual", "residual_undamped", "listing_residual", "listing_residual_undamped"]
    assert [number(tmp_path, f"load_hold_release.{n}") for n in ends] == pytest.approx([0.3, 1.3, 2.3, 3.3])
    assert number(tmp_path, "load_hold_release.held_position") == pytest.approx(0.4)
    assert number(tmp_path, "load_hold_release.listing_held_position") == pytest.approx(2.4)
    assert number(tmp_path, "load_hold_release.unloaded_strain") == pytest.approx(0.02)


def test_plastic_forces_of_the_step_before_give_another_motion_worked_out_by_hand(tmp_path: Path) -> None:
    # One step under 1 N: v = 1/2, x = 1/2. Then ε_p = 1/4, but the force has none yet: v = 0.
    # Then the force has 1/4: v = −1/8.
    moved = np.array([0.0, 0.5, 0.5, 0.375])
    pulled(tmp_path, "resisting", list(moved + [0.0, 0.01, -0.2, 0.05]), scene={"hold_s": 1.0})
    assert number(tmp_path, "load_hold_release.other_order_difference") == pytest.approx(0.2)


# the bar ------------------------------------------------------------------------------------------------------------


def bar(
    folder: Path,
    name: str,
    stretches: list[float],
    plastic: list[float],
    wrong: dict[tuple[int, int], float] | None = None,
) -> None:
    """A tetrahedron with V E = 1 N and ν = 0 stretched along x: vertices 0 and 1 feel ±(ε − ε_p) N,
    the others nothing."""
    positions = np.array([CORNERS * [1 + e, 1, 1] for e in stretches])
    strains, forces = np.zeros((len(stretches), 1, 6)), np.zeros((len(stretches), 4, 3))
    strains[:, 0, 0] = plastic
    forces[:, 0, 0], forces[:, 1, 0] = np.subtract(stretches, plastic), np.subtract(plastic, stretches)
    for (row, vertex), change in (wrong or {}).items():
        forces[row, vertex, 1] += change
    tip = np.zeros((len(stretches), 3))
    tip[:, 0] = 2 * np.array(stretches)
    frame = {"positions": positions, "element_plastic_strains": strains, "elastic_forces": forces}
    arrays = {"rest_positions": CORNERS, "tetrahedra": np.array([[0, 1, 2, 3]])}
    scene = {"length_m": 2.0, "young_modulus_pa": 6.0, "poisson_ratio": 0.0}
    step = {"tip_displacement": tip}
    parameters = {"plastic_max": 0.04}
    write_trace(
        folder, f"{BAR} warped_fem {name}", parameters=parameters, scene=scene, arrays=arrays, step=step, frame=frame
    )


def test_the_residual_strain_of_the_bar_is_that_of_its_last_row(tmp_path: Path) -> None:
    bar(tmp_path, "resisting", [0.0, 0.2, 0.1, 0.05], [0.0] * 4)
    bar(tmp_path, "listing", [0.0, 0.2, 0.1, -0.03], [0.0] * 4)
    assert number(tmp_path, "load_hold_release_bar.residual_error") == pytest.approx(0.25)
    assert number(tmp_path, "load_hold_release_bar.listing_residual") == pytest.approx(-0.03)


def test_one_wrong_force_of_one_frame_is_the_error_over_the_largest_force_of_all(tmp_path: Path) -> None:
    bar(tmp_path, "resisting", [0.0, 0.2, 0.1, 0.05], [0.0, 0.05, 0.05, 0.01], {(2, 2): 0.03, (3, 3): 0.001})
    assert number(tmp_path, "load_hold_release_bar.plastic_force_error") == pytest.approx(0.2)


def test_the_plastic_part_is_that_of_the_frame_with_the_largest_share(tmp_path: Path) -> None:
    bar(tmp_path, "resisting", [0.0, 0.2, 0.1, 0.05], [0.0, 0.05, 0.05, 0.01])
    assert number(tmp_path, "load_hold_release_bar.plastic_part") == pytest.approx(0.5)


def test_a_bar_without_any_force_gives_no_error(tmp_path: Path) -> None:
    bar(tmp_path, "resisting", [0.0, 0.0], [0.0, 0.0])
    assert "no row with forces" in value_of(tmp_path, "load_hold_release_bar.plastic_force_error").note


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("row", [0, 1, 3])
def test_a_force_or_a_strain_that_is_not_finite_leaves_no_measurement(tmp_path: Path, row: int, bad: float) -> None:
    stretches, plastic = [0.0, 0.2, 0.1, 0.05], [0.0, 0.05, 0.05, 0.01]
    bar(tmp_path / "force", "resisting", stretches, plastic, {(row, 2): bad})
    found = value_of(tmp_path / "force", "load_hold_release_bar.plastic_force_error")
    assert found.value is None and "not finite" in found.note
    plastic[row] = bad
    bar(tmp_path / "strain", "resisting", stretches, plastic)
    for name in ("plastic_force_error", "plastic_part"):
        found = value_of(tmp_path / "strain", f"load_hold_release_bar.{name}")
        assert found.value is None and "not finite" in found.note, name


def test_a_pose_that_is_not_finite_leaves_no_plastic_part(tmp_path: Path) -> None:
    bar(tmp_path, "resisting", [0.0, 0.2, np.nan, 0.05], [0.0, 0.05, 0.05, 0.01])
    found = value_of(tmp_path, "load_hold_release_bar.plastic_part")
    assert found.value is None and not found.broken

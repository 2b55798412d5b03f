# SPDX-License-Identifier: BSD-3-Clause
"""Energy of a hanging cloth over what was supplied, on made-up traces that are wrong in one row or one cell."""

from pathlib import Path

import numpy as np
import pytest
from measured import value_of
from position_cells import write_cell

from deformbench_analysis.measurement import Value

REST = np.array([[0.0, 0, 0], [1, 0, 0]])
MASSES = np.array([2.0, 3.0])


def measured(folder: Path, name: str) -> Value:
    return value_of(folder, "unconditional_stability." + name)


def cloth(
    folder: Path,
    iterations: int,
    kinetic: list[float],
    potential: list[float],
    *,
    moved: float = 0.0,
    dt: float = 0.1,
    status: str = "completed",
    name: str = "symmetric",
    stiffness: float = 1.0,
) -> None:
    start = REST + np.array([[0.6 * moved, 0.8 * moved, 0], [0, 0, 0]])
    write_cell(
        folder,
        "unconditional_stability",
        name,
        {"method.parameters.iterations": iterations, "method.parameters.stretch_stiffness": stiffness},
        scene={"time_step_s": dt},
        status=status,
        arrays={"rest_positions": REST, "masses": MASSES},
        step={"kinetic_energy": np.array(kinetic), "gravitational_energy": np.array(potential)},
        frame={"positions": np.array([start, start + [0.5, 0, 0]])},
    )


def test_energy_in_free_fall_is_at_most_what_gravity_has_done(tmp_path: Path) -> None:
    for iterations, factor in ((1, 0.9), (10, 0.5)):
        drop = np.array([0, 1.0, 4, 9, 16])
        cloth(tmp_path, iterations, list(factor * drop), list(-drop))
    assert measured(tmp_path, "symmetric_energy_ratio").value == pytest.approx(0.9)
    assert measured(tmp_path, "symmetric_unstable_iterations").value == 0


def test_one_row_in_the_middle_of_one_cell_decides(tmp_path: Path) -> None:
    cloth(tmp_path, 1, [0, 0.5, 0.5, 0.5, 0.5], [0, -1.0, -1, -1, -1])
    cloth(tmp_path, 10, [0, 0.5, 30, 0.5, 0.5], [0, -1.0, -1, -1, -1])
    value = measured(tmp_path, "symmetric_energy_ratio")
    assert value.value == pytest.approx(30) and "iterations=10" in value.note
    assert measured(tmp_path, "symmetric_unstable_iterations").value == 10
    cloth(tmp_path, 4, [0, 0.5, 0.5, 0.5, 11], [0, -1.0, -1, -1, -1])
    cloth(tmp_path, 40, [0, 0.5, 0.5, 9, 0.5], [0, -1.0, -1, -1, -1])
    value = measured(tmp_path, "symmetric_unstable_iterations")
    assert value.value == 10 and "iterations=10" in value.note


@pytest.mark.parametrize("channel", ["kinetic", "potential"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_one_energy_that_is_not_finite_counts_as_infinite(tmp_path: Path, channel: str, bad: float) -> None:
    energies = {"kinetic": [0, 0.5, 0.5, 0.5], "potential": [0, -1.0, -1, -1]}
    energies[channel][2] = bad
    cloth(tmp_path, 4, energies["kinetic"], energies["potential"])
    assert measured(tmp_path, "symmetric_energy_ratio").value == np.inf


def test_the_disturbance_of_the_start_supplies_twice_its_way_in_a_step(tmp_path: Path) -> None:
    supply = 0.5 * 2.0 * (2 * 0.01 / 0.1) ** 2
    cloth(tmp_path, 1, [0, 3 * supply, 0, 0], [0, 0, 0, 0], moved=0.01)
    assert measured(tmp_path, "symmetric_energy_ratio").value == pytest.approx(3)


def test_a_run_that_diverged_before_it_had_much_energy_counts_as_infinite(tmp_path: Path) -> None:
    cloth(tmp_path, 1, [0, 0.5, 0.5], [0, -1.0, -1])
    cloth(tmp_path, 40, [0, 0.5], [0, -1.0], status="diverged")
    assert measured(tmp_path, "symmetric_energy_ratio").value == np.inf
    assert measured(tmp_path, "symmetric_unstable_iterations").value == 40


def over_steps(folder: Path, name: str, stiffness: float, iterations: int, *ratios: float) -> None:
    """One setting at several time steps, with these energies over that supplied; diverged where infinite."""
    for dt, ratio in zip((0.0001, 0.01, 10.0), ratios):
        kinetic, status = (ratio, "completed") if np.isfinite(ratio) else (0.5, "diverged")
        cloth(folder, iterations, [0, kinetic], [0, -1.0], dt=dt, status=status, name=name, stiffness=stiffness)


def test_the_time_step_decides_where_a_setting_is_stable_at_one_and_unstable_at_another(tmp_path: Path) -> None:
    over_steps(tmp_path, "symmetric", 1.0, 1, 0.9, 5, 11)  # decided
    over_steps(tmp_path, "symmetric", 1.0, 10, 20, 1.0, 5)  # decided: all that was supplied is stable
    over_steps(tmp_path, "symmetric", 1.0, 40, 2, 30, 40)  # stable at none
    over_steps(tmp_path, "symmetric", 0.5, 1, 0.5, 10.0)  # unstable at none
    over_steps(tmp_path, "corrected", 1.0, 1, 0.5, np.inf)  # decided
    over_steps(tmp_path, "corrected", 0.5, 1, 0.5, 0.9)
    over_steps(tmp_path, "corrected", 1.0, 10, 30, np.inf)
    for name in ("printed", "stretch_alone", "stretch_symmetric"):
        over_steps(tmp_path, name, 1.0, 1, 0.5, 30)
    assert measured(tmp_path, "time_step_decides").value == 3
    assert measured(tmp_path, "time_step_settings").value == 7


def test_a_setting_of_one_time_step_is_missing_data(tmp_path: Path) -> None:
    over_steps(tmp_path, "symmetric", 1.0, 1, 0.5, 30)
    over_steps(tmp_path, "corrected", 1.0, 1, 0.5)
    value = measured(tmp_path, "time_step_decides")
    assert value.value is None and "two time steps" in value.note

# SPDX-License-Identifier: BSD-3-Clause
"""Bars and beams of cross/: final rows, finest meshes, worst cells, against closed forms worked by hand."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.cross.measurements.beams import (
    BETA,
    FAMILIES,
    MESHLESS,
    SQUARE_TORSION,
    frequency_error,
    torque_factor,
)
from deformbench_analysis.results import Results
from deformbench_analysis.trace import Trace

TORSION, CANTILEVER, VIBRATION, WAVE = (
    f"cross/{n}" for n in ("torsion", "cantilever", "free_vibration", "wave_step_load")
)
BAR = {"length_m": 1.0, "side_m": 0.1, "young_modulus_pa": 1e6, "density_kg_m3": 1000.0}  # of free_vibration


def twisted(folder: Path, name: str, angle: float, cells: int, volume: list[float], factor: float = 1.0) -> None:
    """A bar 2 m long along x, side 0.5 m; two vertices of its end carry a couple that is `factor` of St.
    Venant's torque."""
    young, poisson, side = 260.0, 0.3, 0.5
    torque = factor * 100.0 * SQUARE_TORSION * side**4 * np.radians(angle) / 2.0  # G = 100 Pa
    rest = np.array([[0.0, 0, 0], [2, 1, 0], [2, -1, 0]])
    last = rest + [0.3, 0.2, 0.1]
    held = np.array(
        [[9.0, 9, 9], [0, 0, 5 - torque / 2], [0, 0, 5 + torque / 2]]
    )  # on the clamp; arms of 1 m, and a pull across
    frame = {"positions": np.array([rest * 3, last]), "elastic_forces": np.array([5 * held, held])}
    scene = {"young_modulus_pa": young, "poisson_ratio": poisson, "side_m": side}
    arrays = {"rest_positions": rest, "vertex_set_tip": np.array([1, 2])}
    swept = {"angle_deg": angle, "cells_across": cells}
    step = {"volume": np.array(volume)}
    write_trace(folder, f"{TORSION} any {name}", scene=scene, swept=swept, arrays=arrays, step=step, frame=frame)


def test_torsion_takes_the_least_linear_and_the_largest_warped_excess(tmp_path: Path) -> None:
    for cells, linear, warped in ((2, 2.9, 2.01), (4, 2.6, 2.04), (8, 2.7, 2.02)):
        twisted(tmp_path, "linear", 90, cells, [2.0, 9.0, linear])
        twisted(tmp_path, "warped", 45, cells, [2.0, 9.0, warped])
    twisted(tmp_path, "linear", 1, 4, [2.0, 9.0, 2.0])
    assert number(tmp_path, "torsion.linear_volume_excess") == pytest.approx(0.3)
    assert number(tmp_path, "torsion.warped_volume_excess") == pytest.approx(0.02)


@pytest.mark.parametrize("angle", [1, 90])
def test_the_torque_is_that_of_the_end_whatever_the_angle(tmp_path: Path, angle: float) -> None:
    twisted(tmp_path, "linear", angle, 4, [1.0, 1.0], 1.02)
    (trace,) = Results(tmp_path, "paper", {}).experiment(TORSION).cells
    assert torque_factor(trace) == pytest.approx(1.02)


def hanging(folder: Path, name: str, cells: int, factor: float, more: dict[str, Any] | None = None) -> None:
    """Tip deflection over Timoshenko's: F L³/3EI + F L/κGA with L = 1 m, side 0.1 m, E = 1 MPa, ν = 0.33,
    F = 0.05 N."""
    kappa, shear = 13.3 / 15.63, 1e6 / 2.66
    timoshenko = 0.05 / (3 * 1e6 * 0.1**4 / 12) + 0.05 / (kappa * shear * 0.01)
    swept = {"cells_across": cells, "split": "alternating_five", "poisson_ratio": 0.33, **(more or {})}
    scene = {"length_m": 1.0, "side_m": 0.1, "young_modulus_pa": 1e6, "tip_force_n": [0.0, -0.04, 0.03]}
    end = [0, -0.8 * factor * timoshenko, 0.6 * factor * timoshenko]
    step = {"tip_displacement": np.array([[0, 0, 0], [9, 9, 9], end])}
    write_trace(folder, f"{CANTILEVER} any {name}", swept, scene, step=step)


def test_the_cantilever_is_read_on_the_finest_mesh_and_its_order_between_the_two_finest(tmp_path: Path) -> None:
    for cells, factor in ((8, 0.975), (2, 0.3), (4, 0.9)):
        hanging(tmp_path, "linear", cells, factor)
        hanging(tmp_path, "warped", cells, factor * {2: 1.01, 4: 0.97, 8: 1.0}[cells])
    assert number(tmp_path, "cantilever.finest_tip_factor") == pytest.approx(0.975)
    assert number(tmp_path, "cantilever.convergence_order") == pytest.approx(2.0)  # gaps 0.1 and 0.025
    assert number(tmp_path, "cantilever.warped_difference") == pytest.approx(0.03)
    assert value_of(tmp_path, "cantilever.convergence_order").note == "from 4 to 8 cells across"


def test_xpbd_is_compared_with_linear_elements_on_the_same_mesh_whatever_its_time_step(tmp_path: Path) -> None:
    for cells, factor in ((1, 0.3), (2, 0.6)):
        hanging(tmp_path, "linear", cells, factor)
    hanging(tmp_path, "xpbd", 2, 0.6 * 0.99, {"scene.parameters.time_step_s": 2.0})
    assert number(tmp_path, "cantilever.xpbd_difference") == pytest.approx(0.01)


def test_bullets_body_is_compared_with_linear_elements_on_the_same_mesh(tmp_path: Path) -> None:
    for cells, factor, share in ((1, 0.3, 1.002), (2, 0.6, 0.97)):
        hanging(tmp_path, "linear", cells, factor)
        hanging(tmp_path, "bullet", cells, factor * share)
    assert number(tmp_path, "cantilever.bullet_difference") == pytest.approx(0.03)


@pytest.mark.parametrize("name", [*FAMILIES, MESHLESS])
def test_other_elements_are_compared_with_linear_ones_on_the_same_mesh(tmp_path: Path, name: str) -> None:
    for cells, factor, share in ((1, 0.3, 1.02), (2, 0.6, 0.999)):
        hanging(tmp_path, "linear", cells, factor)
        hanging(tmp_path, name, cells, factor * share, {"schedule.until_static.residual": 1e-6})
    assert number(tmp_path, f"cantilever.{name}_difference") == pytest.approx(0.02)


def test_the_volumes_of_nodes_are_those_of_the_kernel_sums(tmp_path: Path) -> None:
    """The unit tetrahedron, h = 2√2 of the three far corners and at the origin 2: sums by hand."""
    root = np.sqrt(2.0)
    rest = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    arrays = {"rest_positions": rest, "tetrahedra": np.array([[0, 1, 2, 3]])}
    write_trace(tmp_path, f"{CANTILEVER} meshless meshless", arrays=arrays)
    kernel = 315 / (64 * np.pi)
    far = (2 * root) ** 3
    near = 8.0
    at_origin = near / (kernel / near * (near + 3 * far * (1 - 1 / 4) ** 3))
    at_corner = far / (kernel / far * (far + near * (1 - 1 / 8) ** 3 + 2 * far * (1 - 2 / 8) ** 3))
    expected = (at_origin + 3 * at_corner) / (1 / 6)
    assert number(tmp_path, "cantilever.meshless_volume_factor") == pytest.approx(expected)


def test_the_shift_of_implicit_euler_is_that_of_a_substep(tmp_path: Path) -> None:
    dt, substeps, frequency = 0.02, 10, 2.0
    lowered = np.arctan(2 * np.pi * frequency * dt / substeps) * substeps / dt
    moved = np.zeros((1000, 3))
    moved[:, 1] = np.cos(lowered * dt * np.arange(1000) + 0.3)
    scene = {**BAR, "cells_across": 2, "time_step_s": dt}
    step = {"tip_displacement": moved}
    parameters = {"substeps": substeps}
    path = write_trace(tmp_path, f"{VIBRATION} xpbd linear", dt=dt, parameters=parameters, step=step, scene=scene)
    own = (BETA / 1.0) ** 2 * np.sqrt(1e6 * 0.01 / 12 / 1000.0) / (2 * np.pi)
    assert number(tmp_path, "free_vibration.finest_frequency_factor") == pytest.approx(frequency / own, rel=2e-4)
    seen = lowered / (2 * np.pi)  # what the steps do counts as an error
    assert frequency_error(Trace(path)) == pytest.approx(abs(seen / own - 1), rel=2e-4)


def test_a_coarse_tip_beyond_timoshenkos_has_no_order(tmp_path: Path) -> None:
    hanging(tmp_path, "linear", 2, 1.05)
    hanging(tmp_path, "linear", 4, 0.9)
    assert "above Timoshenko's" in value_of(tmp_path, "cantilever.convergence_order").note


def swinging(folder: Path, cells: int, frequency: float, name: str = "linear", method: str = "linear_fem") -> None:
    """A tip that swings with implicit Euler's lowered frequency about zero, from a cosine that starts late."""
    dt = 0.01
    lowered = np.arctan(2 * np.pi * frequency * dt) / dt  # rad/s
    time = dt * np.arange(400)
    moved = np.zeros((400, 3))
    moved[:, 1] = np.cos(lowered * time + 0.3) * np.exp(-0.5 * time)
    scene = {**BAR, "cells_across": cells, "time_step_s": dt}
    write_trace(folder, f"{VIBRATION} {method} {name}", scene=scene, step={"tip_displacement": moved}, dt=dt)


def test_the_frequency_is_that_of_the_finest_mesh_over_the_beams_own(tmp_path: Path) -> None:
    own = 1.8751040687119611**2 * np.sqrt(1e6 * 0.01 / 12 / 1000.0) / (2 * np.pi)
    for cells, factor in ((2, 2.0), (8, 1.1), (4, 1.5)):
        swinging(tmp_path, cells, factor * own)
    assert number(tmp_path, "free_vibration.finest_frequency_factor") == pytest.approx(1.1, rel=2e-3)


def test_the_frequency_of_nodes_is_the_one_that_is_seen(tmp_path: Path) -> None:
    """Nothing is undone: their steps are explicit."""
    own = 1.8751040687119611**2 * np.sqrt(1e6 * 0.01 / 12 / 1000.0) / (2 * np.pi)
    dt = 0.01
    for cells, factor in ((1, 4.0), (4, 2.0)):
        swinging(tmp_path, cells, np.tan(2 * np.pi * factor * own * dt) / dt / (2 * np.pi), "meshless", "meshless")
    assert number(tmp_path, "free_vibration.meshless_frequency_factor") == pytest.approx(2.0, rel=2e-3)


def test_bullets_frequencies_are_compared_on_the_same_mesh_law_by_law(tmp_path: Path) -> None:
    for cells, own in ((2, 2.0), (4, 1.5)):
        swinging(tmp_path, cells, own)
        swinging(tmp_path, cells, own * (1.01 if cells == 2 else 0.998), "bullet", "bullet_fem")
    swinging(tmp_path, 2, 2.0 * 0.96, "bullet_linear", "bullet_fem")
    largest = value_of(tmp_path, "free_vibration.bullet_difference")
    assert largest.value == pytest.approx(0.04, rel=2e-2)
    assert "bullet_linear" in largest.note


def test_the_half_period_is_the_mean_of_all(tmp_path: Path) -> None:
    moved = np.zeros((31, 3))
    moved[:, 1] = np.where(
        (np.arange(31) < 5) | ((np.arange(31) >= 11) & (np.arange(31) < 25)), 1.0, -1.0
    )  # crossings after 4, 10, 24
    scene = {**BAR, "cells_across": 2, "time_step_s": 0.01}
    write_trace(tmp_path, f"{VIBRATION} linear_fem linear", dt=0.01, step={"tip_displacement": moved}, scene=scene)
    own = 1.8751040687119611**2 * np.sqrt(1e6 * 0.01 / 12 / 1000.0) / (2 * np.pi)
    assert number(tmp_path, "free_vibration.finest_frequency_factor") == pytest.approx(
        np.tan(np.pi / 10) / 0.01 / (2 * np.pi) / own
    )


def test_too_few_crossings_are_told(tmp_path: Path) -> None:
    step = {"tip_displacement": np.array([[0, 1.0, 0], [0, -1, 0], [0, -2, 0]])}
    write_trace(tmp_path, f"{VIBRATION} linear_fem linear", scene={"cells_across": 2}, step=step)
    assert "1 zero crossings; a period needs three" in value_of(tmp_path, "free_vibration.finest_frequency_factor").note


def struck(folder: Path, dt: float, pulls: list[tuple[float, float]], name: str = "linear") -> None:
    """Forces on the two held vertices row by row, N; side 2 m, traction 10 Pa: 40 N are the applied stress.
    L/c = 0.2 s."""
    forces: Any = np.zeros((len(pulls), 3, 3))
    forces[:, 0, 0], forces[:, 2, 0] = np.array(pulls).T
    forces[:, 1, 0] = 1e6  # not held
    scene = {
        "time_step_s": dt,
        "side_m": 2.0,
        "traction_pa": 10.0,
        "young_modulus_pa": 1e5,
        "density_kg_m3": 1000.0,
        "length_m": 2.0,
    }
    arrays = {"vertex_set_root": np.array([0, 2])}
    write_trace(folder, f"{WAVE} any {name}", scene=scene, arrays=arrays, frame={"elastic_forces": forces}, dt=0.1)


def test_the_wave_is_read_at_the_smallest_time_step_summed_over_the_wall(tmp_path: Path) -> None:
    struck(tmp_path, 0.01, [(0, 0), (0, 0), (10, 10), (25, 25), (45, 33), (30, 40)])
    struck(tmp_path, 0.1, [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (70, 70)])
    assert number(tmp_path, "wave_step_load.finest_peak") == pytest.approx(78 / 40)
    assert number(tmp_path, "wave_step_load.arrival_error") == pytest.approx(0.1)
    struck(tmp_path, 0.01, [(0, 0), (96, 0), (10, 10)], "meshless")
    struck(tmp_path, 0.1, [(0, 0), (400, 0), (10, 10)], "meshless")
    assert number(tmp_path, "wave_step_load.meshless_peak") == pytest.approx(96 / 40)

# SPDX-License-Identifier: BSD-3-Clause
"""Every family on one scene: the last rows, the worst family, the same time step."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.cross.measurements import families


def test_momenta_are_compared_at_the_same_time_step_and_at_the_end(tmp_path: Path) -> None:
    for dt, nonlinear, xpbd in ((0.001, 0.9, 0.89), (0.01, 0.5, 0.53)):
        for name, kept in (("nonlinear", nonlinear), ("xpbd", xpbd)):
            turned = np.array([[0, 0, 2.0], [0, 0, 9.0], [0, 2.0 * kept, 0]])
            write_trace(
                tmp_path, f"cross/spin any {name}", swept={"time_step_s": dt}, step={"angular_momentum": turned}
            )
    assert number(tmp_path, "spin.xpbd_momentum_difference") == pytest.approx(0.03)


def test_the_worst_volume_is_named_and_linear_elements_do_not_count(tmp_path: Path) -> None:
    for name, volume in (("linear", [2.0, 9.0]), ("warped", [2.0, 1.9, 2.0]), ("xpbd", [4.0, 4.1, 4.0])):
        write_trace(tmp_path, f"cross/drop any {name}", step={"volume": np.array(volume)})
    assert number(tmp_path, "drop.largest_volume_error") == pytest.approx(0.05)
    assert value_of(tmp_path, "drop.largest_volume_error").note == "warped"


def test_a_family_has_recovered_where_a_millionth_is_left(tmp_path: Path) -> None:
    for name, energy in (("warped", [5.0, 7.0, 6e-6]), ("invertible", [5.0, 7.0, 8e-6]), ("xpbd", [5.0, 4.0, -1e-16])):
        write_trace(tmp_path, f"cross/tangled_start any {name}", step={"elastic_energy": np.array(energy)})
    assert number(tmp_path, "tangled_start.families_recovered") == 2.0
    assert value_of(tmp_path, "tangled_start.families_recovered").note == "warped, xpbd"


def test_a_rigid_body_under_implicit_euler_loses_momentum_as_the_recursion_says() -> None:
    """Eight masses held together by the nearest rotation (Horn, Kabsch), step by step: no recursion."""
    omega, dt = 5.0, 0.02
    rest = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    position, velocity = rest.copy(), np.cross([0, 0, omega], rest)
    momentum, energy = [], []
    for _ in range(30):
        momentum.append(np.cross(position, velocity).sum(axis=0)[2])
        energy.append((velocity**2).sum())
        u, _, vt = np.linalg.svd((position + dt * velocity).T @ rest)
        turned = rest @ (u @ np.diag([1, 1, np.sign(np.linalg.det(u @ vt))]) @ vt).T
        position, velocity = turned, (turned - position) / dt
    found = families.implicit_euler_spin(omega, dt, 29)
    assert found.momentum == pytest.approx(np.array(momentum) / momentum[0], abs=1e-12)
    assert found.energy == pytest.approx(np.array(energy) / energy[0], abs=1e-12)


def spun(folder: Path, name: str, off: float, grown: float) -> None:
    """Follows the closed form but for `off` at one time, and has grown by `grown` times what it should have at the
    end."""
    omega, dt, nu, young = 5.0, 0.01, 0.25, 1000.0
    rest, masses = np.array([[3.0, 0, 7], [-3.0, 0, 7], [0, 1.0, 0]]), np.array([0.5, 0.5, 2.0])
    kept = families.implicit_euler_spin(omega, dt, 40).momentum
    steady = 0.5 * omega**2 * (9 + 2) / (young * 4.0)
    steady = steady * kept[-1] ** 2 if name in ("nonlinear", "xpbd") else steady + 0.05**2
    kept = kept.copy()
    kept[7] += off
    volume = np.full(41, 4.0)
    volume[-1] *= 1 + grown * steady
    step = {
        "angular_momentum": np.outer(kept, [0.6, 0, 0.8]),
        "volume": volume,
        "kinetic_energy": 2 * kept**2,
        "elastic_energy": np.where(np.arange(41) == 9, 0.5, 0.0),
    }
    scene = {"time_step_s": dt, "angular_velocity_rad_s": [0, 0, omega]}
    scene |= {"young_modulus_pa": young, "poisson_ratio": nu}
    arrays = {"rest_positions": rest, "masses": masses}
    write_trace(folder, f"cross/spin any {name}", scene=scene, arrays=arrays, step=step)


def test_momentum_and_growth_of_a_spin_are_compared_with_the_closed_forms(tmp_path: Path) -> None:
    spun(tmp_path, "warped", 0.5, 0.97)
    spun(tmp_path, "nonlinear", -0.02, 1.01)
    spun(tmp_path, "xpbd", 0.01, 1.08)
    assert number(tmp_path, "spin.implicit_euler_error") == pytest.approx(0.02)
    assert value_of(tmp_path, "spin.implicit_euler_error").note.startswith("nonlinear")
    assert number(tmp_path, "spin.steady_growth_error") == pytest.approx(0.08)
    spun(tmp_path, "meshless", 0.5, 1.0)
    kept = families.implicit_euler_spin(5.0, 0.01, 40).momentum
    assert number(tmp_path, "spin.meshless_drift") == pytest.approx(abs(kept[7] + 0.5 - 1))
    assert number(tmp_path, "spin.meshless_energy_drift") == pytest.approx((kept[7] + 0.5) ** 2 - 1)


def test_the_energy_that_a_drop_makes_and_the_deepest_vertex_are_the_worst_of_all(tmp_path: Path) -> None:
    for name, elastic, depth in (
        ("linear", [5.0, 1, 0], 0.0),
        ("warped", [5.0, 5, 6.2], 0.001),
        ("xpbd", [5.0, 4, 5], 0.006),
    ):
        step = {
            "kinetic_energy": np.array([0.0, 1.0, 2.0]),
            "elastic_energy": np.array(elastic),
            "gravitational_energy": np.array([3.0, 2.0, 1.0]),
            "penetration_depth": np.array([0.0, depth, 0.0]),
        }
        scene = {"height_m": 0.5, "side_m": 0.2, "gravity_m_s2": [0, -6.0, 0]}
        arrays = {"masses": np.array([1.5, 0.5])}
        write_trace(tmp_path, f"cross/drop any {name}", scene=scene, arrays=arrays, step=step)
    assert number(tmp_path, "drop.energy_made") == pytest.approx(1.2 / 6)
    assert value_of(tmp_path, "drop.energy_made").note == "warped"
    assert number(tmp_path, "drop.deepest_vertex") == pytest.approx(0.03)


def test_a_mirrored_or_stretched_block_is_not_back_and_a_turned_one_is(tmp_path: Path) -> None:
    rest = np.array([[0.0, 0, 0], [0.2, 0, 0], [0, 0.3, 0], [0, 0, 0.4]])
    turn = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])
    ends = {"warped": rest @ turn.T + 4.0, "linear": rest * 1.5, "xpbd": rest * [1, 1, -1], "explicit": rest * np.nan}
    for name, last in ends.items():
        write_trace(
            tmp_path,
            f"cross/tangled_start any {name}",
            status="diverged" if name == "explicit" else "completed",
            scene={"side_m": 0.2, "cells_across": 2},
            arrays={"rest_positions": rest, "masses": np.array([1.0, 2, 3, 4])},
            frame={"positions": np.array([rest * 3, last])},
        )
    assert number(tmp_path, "tangled_start.families_back_at_rest") == 1.0
    note = value_of(tmp_path, "tangled_start.families_back_at_rest").note
    assert all(name in note for name in ("linear", "xpbd", "explicit inf")) and "warped" not in note

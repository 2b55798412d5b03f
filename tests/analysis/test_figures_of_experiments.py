# SPDX-License-Identifier: BSD-3-Clause
"""The figures beside Figure 7, from synthetic traces with known content: drawn, and the numbers are those put in."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from figure_traces import CUBES, bar, cell, drawn


def test_figure_1_finds_the_far_field_that_was_put_in(tmp_path: Path) -> None:
    mesh = bar()
    rest = mesh["rest_positions"]
    for angle, name in itertools.product((0, 45, 90, 180), ("linear", "warped")):
        theta = np.radians(angle)
        spin = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 0]])
        turned = np.array([[np.cos(theta), -np.sin(theta), 0], [np.sin(theta), np.cos(theta), 0], [0, 0, 1]])
        gradient = np.eye(3) + np.sin(theta) * spin if name == "linear" else turned
        frame = {"positions": (rest @ gradient.T)[None]}
        swept = {"angle_deg": angle}
        cell(tmp_path, f"mueller_gross_2004/rotation_artefact {name}_fem {name}", swept, arrays=mesh, frame=frame)
    entry, rows = drawn(tmp_path, "fig_01_rotation_artefact", tmp_path / "out")
    by = {(r["row"], float(r["angle [deg]"])): float(r["V/V0 far field"]) for r in rows}
    assert by["linear", 90.0] == pytest.approx(2.0) and by["warped", 90.0] == pytest.approx(1.0)
    assert "the volume ratio is 2.0000" in entry.caption


def test_the_spinning_block_shows_the_growth_that_was_put_in(tmp_path: Path) -> None:
    mesh, omega = bar(0.2, 0.2, 1), 5.0
    for dt, name in itertools.product((0.01, 0.1), ("linear", "warped")):
        time = dt * np.arange(round(1 / dt) + 1)
        volume = 0.008 * (1 + (omega * time) ** 2 if name == "linear" else np.full(len(time), 1.001))
        step = {"volume": volume, "angular_momentum": np.outer(np.ones(len(time)), [0, 0, 2.0])}
        run = f"mueller_gross_2004/rigid_motion {name}_fem {name}"
        swept = {"time_step_s": dt}
        cell(tmp_path, run, swept, {"angular_velocity_rad_s": [0, 0, omega]}, arrays=mesh, dt=dt, step=step)
    _, rows = drawn(tmp_path, "sec_2_2_rigid_motion", tmp_path / "out")
    last = [float(r["V/V0"]) for r in rows if r["row"] == "linear" and float(r["time [s]"]) == 1.0]
    assert last == pytest.approx([26.0, 26.0])


def test_the_stability_map_shows_growth_and_marks_what_diverged(tmp_path: Path) -> None:
    for dt, modulus, name in itertools.product((0.01, 1.0), (1e3, 1e7), ("warped_exact", "warped_cg20_plain")):
        bad = name == "warped_cg20_plain" and dt == 1.0 and modulus == 1e7
        energy = np.array([[2.0, 1.0, 1e6 if bad else 0.5], [4.0, 2.0, np.nan if bad else 1.0]])
        status = "diverged" if bad else "completed"
        reason = "not finite" if bad else ""
        run = f"mueller_gross_2004/unconditional_stability warped_fem {name}"
        swept = {"time_step_s": dt, "young_modulus_pa": modulus}
        cell(tmp_path, run, swept, status=status, reason=reason, seeds=2, step={"total_energy": energy})
    entry, rows = drawn(tmp_path, "sec_2_2_unconditional_stability", tmp_path / "out")
    worst = {
        r["row"]: float(r["largest energy over start"])
        for r in rows
        if r["time step [s]"] == "1.0" and r["E [Pa]"] == "10000000.0"
    }
    assert worst == {"warped_exact": 0.5, "warped_cg20_plain": 5e5}
    assert len(entry.failed) == 1 and "diverged (not finite)" in entry.failed[0]


def operator(condition: np.ndarray, values: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
    return {
        "operator": {
            "pose_parameter": values,
            "condition_number": condition,
            "operator_converged": np.ones(len(values)),
            "condition_bound": 1e4 * np.ones(len(values)),
        }
    }


def test_the_condition_number_figure_shows_the_change_from_rest(tmp_path: Path) -> None:
    values = np.array([0.0, 90, 180])
    for split, field, dt in itertools.product(("alternating_five", "kuhn_six"), ("bend", "twist"), (0.01, 1.0)):
        change = 0.05 if dt == 0.01 else -0.7
        series = operator(100 * (1 + change * values / 180), values)
        swept = {"split": split, "schedule.poses.field": field, "time_step_s": dt}
        scene = {"young_modulus_pa": 1e5, **CUBES}
        cell(tmp_path, "mueller_gross_2004/condition_number warped_fem warped", swept, scene, series=series)
    for n in (2, 3):
        cell(
            tmp_path,
            "mueller_gross_2004/condition_number_sizes warped_fem warped",
            {"cells_across": n, "young_modulus_pa": 1e5},
            {**CUBES, "time_step_s": 0.01},
            tetrahedra=20 * n**3,
            series=operator(np.full(3, 50.0 * n), values),
        )
    entry, rows = drawn(tmp_path, "sec_2_3_condition_number", tmp_path / "out")
    assert {
        round(float(r["change from rest"]), 9) for r in rows if r["experiment"] == "poses" and r["pose"] == "180.0"
    } == {0.05, -0.7}
    assert "largest change is 5.0 %" in entry.caption and "it is 70.0 %" in entry.caption


def test_the_ghost_force_figure_divides_by_the_largest_force(tmp_path: Path) -> None:
    values = np.array([0.0, 30, 60])
    largest = np.array([1e-14, 2.0, 4.0])
    for (name, method, ghost), field, length in itertools.product(
        (("element", "warped_fem", 1e-15), ("element_qr", "warped_fem", 1e-15), ("vertex", "vertex_warped_fem", 0.5)),
        ("bend", "twist"),
        (0.15, 0.3),
    ):
        sums = np.outer(ghost * largest, [1.0, 0, 0])
        pose = {
            "pose_parameter": values,
            "max_elastic_force": largest,
            "elastic_force_sum": sums,
            "elastic_torque_sum": sums,
        }
        swept = {"schedule.poses.field": field, "length_m": length}
        cell(tmp_path, f"mueller_gross_2004/ghost_forces {method} {name}", swept, pose=pose)
    for name, method in (("element", "warped_fem"), ("vertex", "vertex_warped_fem")):
        step = {"centre_of_mass": np.outer([0, 1e-3, 2e-3] if name == "vertex" else [0, 0, 1e-17], [1.0, 0, 0])}
        scene = {"length_m": 0.6}
        cell(tmp_path, f"mueller_gross_2004/ghost_force_drift {method} {name}", {"jitter": 0}, scene, step=step)
    _, rows = drawn(tmp_path, "sec_2_3_ghost_forces", tmp_path / "out")
    vertex = [float(r["|sum of forces| / largest force"]) for r in rows if r["row"] == "vertex"]
    assert vertex == pytest.approx([0.5] * 8)  # the rest pose, where forces are rounding, is left out


def test_the_elastica_figure_reads_the_tip(tmp_path: Path) -> None:
    for cells, force, name in itertools.product((2, 4), (0.5, 1.0), ("linear", "warped_global", "warped")):
        load = force / (1e6 * 0.05**4 / 12)
        drop = {"linear": load / 3, "warped_global": 0.5, "warped": 0.4}[name]
        rotation = {"linear": "none", "warped_global": "global", "warped": "polar"}[name]
        step = {"tip_displacement": np.array([[0, 0, 0], [-0.1, -drop, 0]])}
        run = f"mueller_gross_2004/large_deflection {'linear_fem' if name == 'linear' else 'warped_fem'} {name}"
        swept = {"cells_across": cells, "tip_force_n": [0, -force, 0]}
        scene = {"length_m": 1.0, "side_m": 0.05, "young_modulus_pa": 1e6}
        cell(tmp_path, run, swept, scene, parameters={"rotation": rotation}, step=step)
    _, rows = drawn(tmp_path, "sec_2_3_large_deflection", tmp_path / "out")
    assert {float(r["tip drop / length"]) for r in rows if r["row"] == "warped"} == {0.4}
    assert {round(float(r["mesh factor"]), 9) for r in rows} == {1.0}


def test_the_truncation_figure_shows_the_lost_momentum(tmp_path: Path) -> None:
    masses = {"masses": np.array([1.0, 3.0])}
    moduli = (1e5, 1e7)
    for its, pre, start in itertools.product((10, 20), ("none", "mass"), ("velocity", "velocity_plus_force")):
        p = {"solver": "cg"}
        method = {
            "method.parameters.cg_iterations": its,
            "method.parameters.cg_preconditioner": pre,
            "method.parameters.cg_start": start,
        }
        lost = 0.37 if pre == "none" else 0.0
        for modulus in moduli:
            velocity = np.outer(np.arange(11) * 0.01 * (1 - lost), [0, -9.81, 0])
            cell(
                tmp_path,
                "mueller_gross_2004/cg_truncation warped_fem warped",
                {**method, "young_modulus_pa": modulus},
                {"gravity_m_s2": [0, -9.81, 0]},
                parameters=p,
                arrays=masses,
                step={"centre_of_mass_velocity": velocity},
            )
        for gravity in ([0, 0, 0], [0, -9.81, 0]):
            momentum = np.outer(1 - lost * np.arange(11) / 10, [8.0, 0, 0]) + 4.0 * 0.01 * np.outer(
                np.arange(11), gravity
            )
            cell(
                tmp_path,
                "mueller_gross_2004/cg_truncation_momentum warped_fem warped",
                {**method, "gravity_m_s2": gravity},
                {"young_modulus_pa": 1e7},
                parameters=p,
                arrays=masses,
                step={"linear_momentum": momentum, "kinetic_energy": np.full(11, 8.0)},
            )
        if start == "velocity":
            for modulus in moduli:
                cell(
                    tmp_path,
                    "mueller_gross_2004/cg_truncation_cantilever warped_fem truncated",
                    {**method, "young_modulus_pa": modulus},
                    parameters=p,
                    step={"tip_displacement": np.outer(np.linspace(0, 0.9, 11), [0, -1.0, 0])},
                )
    for modulus in moduli:
        cell(
            tmp_path,
            "mueller_gross_2004/cg_truncation_cantilever warped_fem exact",
            {"young_modulus_pa": modulus},
            parameters={"solver": "direct"},
            step={"tip_displacement": np.outer(np.linspace(0, 1, 11), [0, -1.0, 0])},
        )
    entry, rows = drawn(tmp_path, "sec_7_cg_truncation", tmp_path / "out")
    assert "misses free fall by 37 %" in entry.caption
    plain = {
        float(r["error"]) for r in rows if r["experiment"].startswith("momentum") and r["preconditioner"] == "none"
    }
    assert max(plain) == pytest.approx(0.37 * 8 / np.sqrt(2 * 4 * 8)) and min(plain) == pytest.approx(max(plain))
    assert [float(r["error"]) for r in rows if r["experiment"].startswith("swinging")] == pytest.approx([0.1] * 8)


def test_the_figure_of_moving_blocks_shows_the_rise_that_was_put_in(tmp_path: Path) -> None:
    still = {
        "angular_velocity_rad_s": [0, 0, 0],
        "velocity_m_s": [0, 0, 0],
        "gravity_m_s2": [0, 0, 0],
        "held": "root",
        "poisson_ratio": 0.33,
        **CUBES,
    }
    for dt, name, rise in itertools.product((0.001, 0.1), ("exact", "cg20_plain"), (0.25,)):
        for start in ({"angular_velocity_rad_s": [0, 0, 5.0]}, {"velocity_m_s": [-1.0, 0, 0]}):
            kinetic, elastic = np.full(3, 2.0), np.array(
                [0.0, 0.0, 2 * rise if dt == 0.1 and "velocity_m_s" in start else 0.0]
            )
            step = {
                "kinetic_energy": kinetic,
                "elastic_energy": elastic,
                "gravitational_energy": np.zeros(3),
                "total_energy": kinetic + elastic,
            }
            run = f"mueller_gross_2004/moving_starts warped_fem {name}"
            swept = {"time_step_s": dt, **start}
            cell(tmp_path, run, swept, {**still, "young_modulus_pa": 1e5}, arrays=bar(0.2, 0.2, 1), step=step)
    entry, rows = drawn(tmp_path, "sec_2_2_moving_starts", tmp_path / "out")
    rises = {(r["start"], r["time step [s]"]): float(r["rise of the energy over the energy put in"]) for r in rows}
    assert rises == {
        ("spin", "0.001"): 0,
        ("spin", "0.1"): 0,
        ("thrown at its support", "0.001"): 0,
        ("thrown at its support", "0.1"): 0.25,
    }
    assert "largest rise is 0.25 times" in entry.caption


def test_the_block_that_turns_itself_shows_its_angular_momentum(tmp_path: Path) -> None:
    for name, end in (("elastic", 1.0), ("plastic", 5.0)):
        spin = np.outer([0.0, 1.0, end], [0, 0, 1.0])
        step = {
            "angular_momentum": spin,
            "kinetic_energy": np.array([0.0, 1, end]),
            "total_energy": np.array([9.0, 1, end]),
            "max_elastic_force": np.ones(3),
            "elastic_torque_sum": 0.1 * (end - 1) * spin,
            "elastic_force_sum": np.zeros((3, 3)),
        }
        run = f"mueller_gross_2004/plastic_self_spin warped_fem {name}"
        swept = {"method.parameters.plastic_creep_per_s": 20.0}
        cell(tmp_path, run, swept, {"side_m": 0.2, "time_step_s": 0.01}, arrays=bar(0.2, 0.2, 1), step=step)
    entry, rows = drawn(tmp_path, "sec_3_plastic_self_spin", tmp_path / "out")
    last = {r["row"]: float(r["angular momentum [kg m2/s]"]) for r in rows if float(r["time [s]"]) == 0.02}
    assert last == {"elastic": 1.0, "creep 20/s": 5.0}
    assert "grows again after it had decayed, by 44 % of the initial" in entry.caption


def test_the_figure_of_20_iterations_names_the_loss_inside_and_outside(tmp_path: Path) -> None:
    scene = {
        **CUBES,
        "length_m": 0.4,
        "young_modulus_pa": 1e5,
        "time_step_s": 0.01,
        "gravity_m_s2": [0, -9.81, 0],
        "split": "kuhn_six",
    }
    for side, condition, lost in ((0.1, 1000.0, 0.4), (0.8, 20.0, 0.002)):
        own = {"condition_number": np.full(2, condition), "operator_converged": np.ones(2)}
        series = {
            "step": {
                "centre_of_mass_velocity": np.outer(0.01 * np.arange(3) * (1 - lost), [0, -9.81, 0]),
                "solver_iterations": np.array([0, 20, 20]),
            },
            "operator": own,
        }
        at = {"side_m": side}
        cell(tmp_path, "mueller_gross_2004/cg_truncation_stiffness warped_fem plain", at, scene, series=series)
        for name, tip in (("exact", 1.0), ("plain", 1.0 - lost)):
            step = {
                "tip_displacement": np.outer([0, tip, 0], [0, -1.0, 0]),
                "solver_iterations": np.array([0, 20, 20]),
            }
            run = f"mueller_gross_2004/cg_truncation_swing warped_fem {name}"
            cell(tmp_path, run, {"length_m": side}, scene, step=step, operator=own)
    entry, rows = drawn(tmp_path, "sec_7_cg_regime", tmp_path / "out")
    assert sorted(float(r["error"]) for r in rows) == pytest.approx([0.002, 0.002, 0.4, 0.4])
    assert "up to 40 % of free fall" in entry.caption and "free fall is off by 0.002" in entry.caption


def beam(**more: float) -> dict[str, float]:
    return {
        "length_m": 1.0,
        "side_m": 0.1,
        "young_modulus_pa": 1e5,
        "poisson_ratio": 0.33,
        "density_kg_m3": 1000.0,
        "time_step_s": 0.01,
        **more,
    }


def test_the_cantilever_figure_fits_the_order(tmp_path: Path) -> None:
    from experiments.cross.measurements.beams import timoshenko_tip
    from deformbench_analysis.trace import Trace

    for n, name in itertools.product((2, 4, 8), ("linear", "warped")):
        about = {"cells_across": n, "split": "alternating_five", "poisson_ratio": 0.33}
        scene = {**beam(), "tip_force_n": [0, -1e-3, 0]}
        step = {"tip_displacement": np.zeros((2, 3))}
        cell(tmp_path / "probe", f"cross/cantilever {name}_fem {name}", about, scene, step=step)
        exact = timoshenko_tip(Trace(next((tmp_path / "probe").rglob("*.h5"))))
        cell(
            tmp_path / "r",
            f"cross/cantilever {name}_fem {name}",
            about,
            scene,
            step={"tip_displacement": np.array([[0, 0, 0], [0, -exact * (1 - n**-2.0), 0]])},
        )
    entry, rows = drawn(tmp_path / "r", "cantilever", tmp_path / "out")
    assert "falls with order 2.00" in entry.caption and len(rows) == 6


def test_the_vibration_figure_finds_the_frequency(tmp_path: Path) -> None:
    time = 0.01 * np.arange(1000)
    shifted = np.arctan(2 * np.pi * 0.5 * 0.01) / 0.01  # what implicit Euler makes of 0.5 Hz
    for name in ("linear", "warped"):
        step = {"tip_displacement": np.outer(np.cos(shifted * time), [0, 0.1, 0])}
        cell(tmp_path, f"cross/free_vibration {name}_fem {name}", {"cells_across": 2}, beam(), step=step)
    _, rows = drawn(tmp_path, "free_vibration", tmp_path / "out")
    assert [float(r["frequency [Hz]"]) for r in rows] == pytest.approx([0.5, 0.5], rel=1e-4)


def test_the_damping_figure_puts_markers_on_the_recursion(tmp_path: Path) -> None:
    from experiments.cross.measurements.implicit_euler_damping import recursion
    from deformbench_analysis.trace import Trace

    rest = 0.05 * np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    mesh = {"rest_positions": rest, "masses": np.full(4, 0.1)}
    for dt, name in itertools.product((0.001, 0.01), ("linear", "warped")):
        run = (f"cross/implicit_euler_damping {name}_fem {name}", {"time_step_s": dt}, beam())
        probe = tmp_path / "probe" / f"{dt}{name}"
        cell(probe, *run, arrays=mesh)
        exact = recursion(Trace(next(probe.rglob("*.h5"))), 20)
        series = {"frame": {"positions": rest * (1 + 0.01 * exact[:, None, None])}}
        cell(tmp_path / "r", *run, arrays=mesh, dt=dt, series=series)
    _, rows = drawn(tmp_path / "r", "implicit_euler_damping", tmp_path / "out")
    assert max(abs(float(r["dilation / start"]) - float(r["recursion"])) for r in rows) < 1e-12


def test_the_torsion_figure_divides_by_st_venants_torque(tmp_path: Path) -> None:
    mesh = bar(1.0, 0.1, 4)
    rest, tip = mesh["rest_positions"] - [0, 0.05, 0.05], mesh["vertex_set_tip"]
    mesh["rest_positions"] = rest
    for angle, name in itertools.product((1, 90), ("linear", "warped")):
        forces = np.zeros_like(rest)
        torque = 1e5 / 2.66 * 0.1405770149 * 0.1**4 * np.radians(angle)  # G J θ / L
        arm = rest[tip] * [0, 1, 1]
        forces[tip] = -torque * np.cross([1.0, 0, 0], arm) / (arm**2).sum()
        step = {"volume": np.array([0.01, 0.013 if name == "linear" else 0.01])}
        frame = {"positions": rest[None], "elastic_forces": forces[None]}
        swept = {"angle_deg": angle, "cells_across": 2}
        cell(tmp_path, f"cross/torsion {name}_fem {name}", swept, beam(), arrays=mesh, step=step, frame=frame)
    _, rows = drawn(tmp_path, "torsion", tmp_path / "out")
    assert {round(float(r["torque / St. Venant"]), 6) for r in rows} == {1.0}
    assert {r["row"]: round(float(r["V/V0 − 1"]), 9) for r in rows} == {"linear": 0.3, "warped": 0.0}


def test_the_wave_figure_shows_the_wall_stress(tmp_path: Path) -> None:
    mesh = bar(1.0, 0.1, 2)
    root = mesh["vertex_set_root"]
    forces = np.zeros((41, len(mesh["rest_positions"]), 3))
    forces[11:, root, 0] = 2.0 * 1e3 * 0.1**2 / len(root)
    frame = {"elastic_forces": forces}
    swept = {"time_step_s": 0.01}
    cell(tmp_path, "cross/wave_step_load linear_fem linear", swept, beam(traction_pa=1e3), arrays=mesh, frame=frame)
    entry, rows = drawn(tmp_path, "wave_step_load", tmp_path / "out")
    assert max(float(r["wall stress / traction"]) for r in rows) == pytest.approx(2.0)
    assert "the peak is 2.00" in entry.caption

# SPDX-License-Identifier: BSD-3-Clause
"""The figures of the assignment, from synthetic traces with known content."""

from pathlib import Path

import numpy as np
import pytest
from block_runs import ensemble
from made_up_traces import write_timing
from figure_traces import cell, drawn

from deformbench_analysis.calculix import cases, corners
from experiments.cs6967_assignment_2.measurements import bent_bar

PAPER = "cs6967_assignment_2/"


def bars(folder: Path, printed: float) -> None:
    """Bars whose printed modulus is this many times E, and which swing faster by the root of it."""
    rest = np.array([[x, y, z] for x in (0.0, 1) for y in (0.0, 0.5) for z in (0.0, 0.5)])
    time = 0.01 * np.arange(500)
    moved = bent_bar.displacements()
    for name, factor in (("corrected", 1.0), ("as_printed", printed)):
        for stretch in (0.95, 1.05):
            pull = np.array([[factor * 1000 * 0.25 * stretch * (stretch**2 - 1) / 2, 0, 0]])
            cell(
                folder,
                f"{PAPER}uniaxial_bar implicit_fem {name}",
                {"stretch": stretch},
                {"young_modulus_pa": 1000.0, "poisson_ratio": 0.3},
                arrays={"rest_positions": rest},
                step={"tip_elastic_force": -pull, "root_elastic_force": pull},
                frame={"positions": np.array([rest * [stretch, 1, 1]])},
            )
        height = np.cos(2 * np.pi * np.sqrt(factor) * time)
        step = {"tip_displacement": np.column_stack([0 * time, 1e-3 * height, 0 * time])}
        cell(folder, f"{PAPER}bar_frequency explicit_fem {name}", {}, dt=0.01, step=step)
        scene = {
            "poisson_ratio": 0.25,
            "length_m": 1.0,
            "tip_vertex_force_n": [0, cases()[bent_bar.CASE]["force_per_tip_vertex_n"], 0],
        }
        arrays = {"rest_positions": np.zeros_like(moved), "tetrahedra": corners(str(bent_bar.reference()["deck"]))}
        frame = {"positions": np.array([moved / factor])}
        swept = {"young_modulus_pa": 1e5}
        cell(folder, f"{PAPER}bent_bar implicit_fem {name}", swept, scene, arrays=arrays, frame=frame)


def test_the_printed_strain_shows_the_modulus_and_the_frequency_that_were_put_in(tmp_path: Path) -> None:
    bars(tmp_path, 2.2)
    entry, rows = drawn(tmp_path, "sec_2_2_printed_strain", tmp_path / "out")
    by = {(r["row"], float(r["stretch"])): r for r in rows}
    assert float(by["as_printed", 1.05]["modulus / E"]) == pytest.approx(2.2)
    assert float(by["corrected", 0.95]["stress / E"]) == pytest.approx(0.95 * (0.95**2 - 1) / 2, rel=1e-5)
    caption = entry.caption
    assert "by a factor of 1.48" in caption and "printed strain 55 % off" in caption


def test_the_elements_figure_shows_what_is_outside_its_bound(tmp_path: Path) -> None:
    time = np.zeros((1, 4, 3))
    corner = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    gradient = np.eye(3)
    gradient[0, 1] = 1e-10
    for name in ("explicit", "implicit"):
        pose = {
            "positions": time + corner,
            "deformation_gradients": (gradient if name == "implicit" else np.eye(3)).reshape(1, 1, 9),
        }
        arrays = {"rest_positions": corner, "tetrahedra": np.array([[0, 1, 2, 3]])}
        cell(tmp_path, f"{PAPER}deformation_gradients {name}_fem {name}", {}, arrays=arrays, pose=pose)
    for experiment in ("nodal_masses", "bent_gradients", "nodal_forces", "warped_forces"):
        cell(tmp_path, f"{PAPER}{experiment} explicit_fem explicit", {}, status="failed", reason="not run to its end")
    entry, rows = drawn(tmp_path, "sec_2_elements", tmp_path / "out")
    row = next(r for r in rows if r["what"].startswith("F = Xβ"))
    assert float(row["measured"]) == pytest.approx(1e-10 / (2.0**-52 * np.sqrt(3)), rel=0.7)
    caption = entry.caption
    assert "0 of 1 inside" in caption and "outside: ASG-02, F = Xβ" in caption and "not measured: ASG-01" in caption
    assert not [r for r in rows if "elements" in r["what"]], "sizes of samples are no deviations"


def test_work_and_precision_shows_the_error_and_the_time_that_were_put_in(tmp_path: Path) -> None:
    time = 0.05 * np.arange(5)
    for name, off in (("reference", 0.0), ("linear", 0.04), ("warped", 0.02), ("explicit", 0.001)):
        step = {"tip_displacement": np.column_stack([0 * time, -time, np.where(time > 0.1, 2 * off, 0)])}
        swept = {"time_step_s": 0.05}
        cell(tmp_path, f"cross/work_precision warped_fem {name}", swept, {"length_m": 2.0}, dt=0.05, step=step)
    for path in (tmp_path / "cross/work_precision").glob("*.h5"):
        write_timing(path, np.full((3, 4), 0.002))
    entry, rows = drawn(tmp_path, "work_precision", tmp_path / "out")
    errors = {r["row"]: float(r["largest distance of the tip / length"]) for r in rows}
    assert errors == pytest.approx({"linear": 0.04, "warped": 0.02, "explicit": 0.001})
    assert {float(r["time of a simulated second [s]"]) for r in rows} == {0.04}
    assert "stay 4 % of the length away" in entry.caption


def test_the_shares_that_come_back_are_those_put_in(tmp_path: Path) -> None:
    back = {("standard", 0.04): 4, ("standard", 0.12): 1, ("invertible", 0.04): 4, ("invertible", 0.12): 3}
    for (name, noise), count in back.items():
        ends = ["rest"] * count + ["mirrored"] * (4 - count)
        scene = {"noise_m": noise, "initial_scale": [1, 1, 1]}
        ensemble(tmp_path, "cs6967_assignment_2/inversion_recovery", "x_fem", name, ends, scene=scene)
    flat = {"noise_m": 1e-4, "initial_scale": [1, 1, 0]}
    ensemble(tmp_path, "cs6967_assignment_2/inversion_recovery", "x_fem", "standard", ["moving", "rest"], scene=flat)
    entry, rows = drawn(tmp_path, "sec_debugging_recovery", tmp_path / "out")
    assert entry is not None and "not back" in entry.caption
    tangled = {
        (r["row"], round(5 * float(r["noise [cells]"]))): int(r["back"]) for r in rows if r["start"] == "tangled"
    }
    assert tangled == {(name, round(25 * noise)): count for (name, noise), count in back.items()}
    assert [(r["row"], int(r["seeds"]), int(r["back"])) for r in rows if r["start"] == "flat"] == [("standard", 2, 1)]


def test_energies_are_drawn_by_step_and_the_change_is_that_put_in(tmp_path: Path) -> None:
    for scheme, change in (("leap_frog", 0.001), ("implicit_euler", -0.3)):
        for dt in (0.01, 0.02):
            energy = np.array([5.0, 5.0, 5.0 + 40.0 * change * dt / 0.01])
            step = {"total_energy": energy, "elastic_energy": np.array([0.0, 40.0, 1.0])}
            run = f"cross/energy_behaviour implicit_fem {'explicit' if scheme == 'leap_frog' else 'newton'}"
            cell(tmp_path, run, {"time_step_s": dt, "method.parameters.scheme": scheme}, dt=dt, step=step)
    _, rows = drawn(tmp_path, "energy_behaviour", tmp_path / "out")
    found = {(r["scheme"], float(r["Δt [s]"])): float(next(v for k, v in r.items() if "change" in k)) for r in rows}
    assert found == pytest.approx(
        {
            ("leap_frog", 0.01): 0.001,
            ("leap_frog", 0.02): 0.002,
            ("implicit_euler", 0.01): 0.3,
            ("implicit_euler", 0.02): 0.6,
        }
    )


def test_the_volumes_of_stretched_blocks_are_those_put_in(tmp_path: Path) -> None:
    rest, force = np.array([[0.0, 0, 0], [1, 1, 1]]), np.array([[0.0, 0, 0], [-50.0, 0, 0]])
    for law in ("corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean"):
        for nu in (0.3, 0.45):
            arrays = {"rest_positions": rest}
            step = {"volume": np.array([1.5, 1.0 + nu]), "tip_elastic_force": force, "root_elastic_force": -force}
            run = f"cross/volume_at_high_poisson implicit_fem {law}"
            swept = {"poisson_ratio": nu, "stretch": 1.5}
            cell(tmp_path, run, swept, {"young_modulus_pa": 100.0}, parameters={"law": law}, arrays=arrays, step=step)
    entry, rows = drawn(tmp_path, "volume_at_high_poisson", tmp_path / "out")
    assert {(r["Poisson's ratio"], float(r["V/V0"])) for r in rows} == {("0.3", 1.3), ("0.45", 1.45)}
    green = next(r for r in rows if r["row"] == "st_venant_kirchhoff" and r["Poisson's ratio"] == "0.45")
    assert float(green["exact V/V0"]) == pytest.approx(1.5 * (1 - 0.45 * 1.25))
    assert float(green["pull / E A0"]) == pytest.approx(0.5)
    assert "stable neo-Hookean V/V0 = 1.45" in entry.caption


def test_the_figure_of_twisted_bars_shows_the_lengths_and_torques_that_were_put_in(tmp_path: Path) -> None:
    from experiments.cross.measurements import laws

    rest = np.array([[x, y, 0.0] for x in (0.0, 0.15, 0.35, 0.5) for y in (-1.0, 1.0)])
    moved = rest.copy()
    moved[4:6, 0] += 0.2 * 0.5 * -2e-3  # half of the closed form below
    forces = np.zeros((8, 3))
    forces[6:, 2] = [0.15, -0.15]  # a couple of 0.3 N m on arms of 1 m
    for name in ("linear", "corotational", "st_venant_kirchhoff", "xpbd"):
        for n in (4, 6, 8):
            cell(
                tmp_path,
                f"cross/twist {'xpbd' if name == 'xpbd' else 'any_fem'} {name}",
                {"poisson_ratio": 0.33, "cells_across": n},
                {"angle_deg": 45.0, "side_m": 0.1, "length_m": 0.5, "young_modulus_pa": 1e5},
                parameters={} if name in ("linear", "xpbd") else {"law": name},
                arrays={"rest_positions": rest, "vertex_set_tip": np.array([6, 7])},
                references={
                    "torsion_shortening": {"strain": -2e-3},
                    "torsion_of_rectangular_bar": {"torsional_stiffness_n_m": 0.4 / np.pi},
                },
                frame={"positions": moved[None], "elastic_forces": forces[None]},
            )
    entry, rows = drawn(tmp_path, "twist", tmp_path / "out")
    lengths = {(r["row"], r["cells across"]): float(r["change of length / Wagner"]) for r in rows}
    assert list(lengths.values()) == pytest.approx([0.5] * 12)
    assert [float(r["torque / St. Venant"]) for r in rows] == pytest.approx([3.0] * 12)
    own = laws.twisted(laws.TWO_CONSTRAINTS, 0.33, np.radians(45) * 0.1 / 0.5).strain / -2e-3
    shown = next(r["own change / Wagner"] for r in rows if r["row"] == "xpbd")
    assert float(shown) == pytest.approx(own, rel=1e-5), "the energy of its constraints, no law of finite elements"
    assert "corotational law 0.500 (own state " in entry.caption


def test_tips_of_bent_cantilevers_are_those_put_in(tmp_path: Path) -> None:
    from experiments.cross.measurements.elastica import elastica

    drop, reach = elastica(2.0)
    for name in ("linear", "warped", "corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean"):
        for n in (2, 4):
            tip = [elastica(2.0 / (1 + 2 / n**2))[k] for k in (0, 1)]
            scene = {"length_m": 1.0, "side_m": 0.1, "young_modulus_pa": 12e4, "poisson_ratio": 0.33}
            references = {"elastica_tip_load": {"drop_over_length": drop, "reach_over_length": reach}}
            step = {"tip_displacement": np.array([[0, 0, 0], [tip[1] - 1, tip[0], 0]])}
            swept = {"tip_force_n": [0.0, 2.0, 0.0], "cells_across": n}
            cell(tmp_path, f"cross/elastica any_fem {name}", swept, scene, references=references, step=step)
    entry, rows = drawn(tmp_path, "elastica", tmp_path / "out")
    limits = [r for r in rows if not r["cells across"]]
    assert len(limits) == 5
    assert all(float(r["distance from the elastica / length"]) == pytest.approx(0, abs=1e-9) for r in limits)
    coarse = next(r for r in rows if r["row"] == "warped" and r["cells across"] == "2")
    assert float(coarse["tip drop / length"]) == pytest.approx(elastica(2.0 / 1.5)[0])
    assert "within 0.000 of the elastica's tip" in entry.caption


def test_the_stiffness_of_bent_bars_is_the_one_put_in(tmp_path: Path) -> None:
    from experiments.cross.measurements.elastica import elastica

    laws = ("linear", "warped", "corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")
    for name in (*laws, "quadratic"):
        for nu, stiffness in ((0.3, 1.25), (0.49, 1.5 if name in laws else 1.3)):
            drop = 2.0 / 3 / stiffness if name == "linear" else elastica(2.0 / stiffness)[0]
            references = {
                "elastica_tip_load": {"drop_over_length": elastica(2.0)[0], "reach_over_length": elastica(2.0)[1]}
            }
            scene = {"length_m": 1.0, "side_m": 0.1, "young_modulus_pa": 12e4, "tip_force_n": [0.0, 2.0, 0.0]}
            step = {"tip_displacement": np.array([[0, 0, 0], [-0.1, drop, 0]])}
            swept = {"poisson_ratio": nu, "cells_across": 4}
            cell(tmp_path, f"cross/locking any_fem {name}", swept, scene, references=references, step=step)
    entry, rows = drawn(tmp_path, "locking", tmp_path / "out")
    assert [float(r["stiffness / EI"]) for r in rows] == pytest.approx([1.25, 1.5] * 6 + [1.25, 1.3])
    assert "the stiffness grows by 20%" in entry.caption
    assert "of half the size, stiffen by 4.0% (quadratic, 4 cells across" in entry.caption

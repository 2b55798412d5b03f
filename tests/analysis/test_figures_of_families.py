# SPDX-License-Identifier: BSD-3-Clause
"""The figures of cross/ in which every family runs one scene: spin, drop, tangled_start.
From synthetic traces with known content."""

from pathlib import Path

import numpy as np
import pytest
from figure_traces import bar, cell, drawn

from experiments.cross.measurements import families as m

OMEGA = 5.0
MATERIAL = {"side_m": 0.2, "cells_across": 2, "young_modulus_pa": 1e5, "poisson_ratio": 0.25}


def test_the_spinning_block_is_drawn_beside_a_rigid_body_under_implicit_euler(tmp_path: Path) -> None:
    mesh = bar(0.2, 0.2, 1)
    for dt in (0.001, 0.01):
        rigid = m.implicit_euler_spin(OMEGA, dt, round(1 / dt))
        for name in ("linear", "nonlinear", "xpbd"):
            kept = np.ones_like(rigid.momentum) if name == "linear" else rigid.momentum + 0.004 * (dt > 0.005)
            kept[0] = 1.0
            step = {
                "volume": 0.008 * (1 + 0.01 * (np.arange(len(kept)) > 0)),
                "angular_momentum": np.outer(kept, [0, 0, 3.0]),
                "kinetic_energy": 7 * kept**2,
                "elastic_energy": np.zeros_like(kept),
            }
            arrays = {**mesh, "masses": np.full(len(mesh["rest_positions"]), 2.0)}
            scene = {**MATERIAL, "angular_velocity_rad_s": [0, 0, OMEGA]}
            swept = {"time_step_s": dt}
            cell(tmp_path, f"cross/spin {name}_fem {name}", swept, scene, arrays=arrays, dt=dt, step=step)
    entry, rows = drawn(tmp_path, "spin", tmp_path / "out")
    off = {(r["row"], r["time step [s]"]): float(r[next(k for k in r if k.startswith("largest |L"))]) for r in rows}
    assert off["nonlinear", "0.01"] == pytest.approx(0.004) and off["xpbd", "0.001"] == pytest.approx(0, abs=1e-12)
    assert [float(r["V / V0 − 1 at the end"]) for r in rows] == pytest.approx([0.01] * 6)
    assert "4.0e-03 off it at most" in entry.caption


def fallen(folder: Path, name: str, made: float, depth: float) -> None:
    """Falls to half its height below the first contact in two steps, rises by 0.3 h; energy rises by `made` m g h."""
    energy = 4 * 10 * 0.05 * np.array([0.0, made, -0.5, -0.6])
    step = {
        "volume": np.array([1.0, 1.0, 0.97, 1.02]),
        "centre_of_mass": np.array([[0, 0.1, 0], [0, 0.05, 0], [0, 0.025, 0], [0, 0.04, 0]]),
        "kinetic_energy": np.array([3.0, 1.0, 1.0, 1.0]),
        "elastic_energy": energy - 3.0,
        "gravitational_energy": np.array([0.0, 2.0, 2.0, 2.0]),
        "penetration_depth": np.array([0.0, 0.0, depth, 0.0]),
    }
    scene = {**MATERIAL, "height_m": 0.05, "gravity_m_s2": [0, -10, 0], "friction": 0.3, "time_step_s": 0.001}
    cell(folder, f"cross/drop {name}_fem {name}", {}, scene, arrays={"masses": np.full(8, 0.5)}, step=step)


def test_the_dropped_block_shows_rebound_depth_and_energy_that_were_put_in(tmp_path: Path) -> None:
    fallen(tmp_path, "linear", -0.1, 0.0)
    fallen(tmp_path, "warped", 0.25, 1e-17)
    fallen(tmp_path, "xpbd", -0.2, 0.004)
    entry, rows = drawn(tmp_path, "drop", tmp_path / "out")
    by = {r["row"]: r for r in rows}
    assert float(by["warped"]["rebound / h"]) == pytest.approx(0.3)
    assert float(by["warped"]["largest rise of energy / m g h"]) == pytest.approx(0.25)
    assert float(by["xpbd"]["energy at the end, change / m g h"]) == pytest.approx(-0.6)
    assert float(by["xpbd"]["deepest vertex / side"]) == pytest.approx(0.02)
    assert float(by["linear"]["largest |V / V0 − 1|"]) == pytest.approx(0.03)
    caption = entry.caption
    assert "Energy rises by warped FEM (element) 25.0% of m g h" in caption
    assert "end of a step: XPBD 2.0e-02 sides." in caption


def tangled(folder: Path, name: str, away: float, inverted: float, status: str = "completed") -> None:
    """Ends turned and moved, which does not count, with one vertex `away` cells from where it should be."""
    mesh = bar(0.2, 0.2, 1)
    rest = mesh["rest_positions"]
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    last = rest @ turn.T + [1.0, 2, 3]
    last[0, 2] += 0.1 * away
    count = len(mesh["tetrahedra"])
    cell(
        folder,
        f"cross/tangled_start {name}_fem {name}",
        {},
        {**MATERIAL, "noise_m": 0.05, "time_step_s": 0.001},
        status=status,
        reason="" if status == "completed" else "not finite",
        arrays={**mesh, "masses": np.full(len(rest), 2.0)},
        step={"volume": np.ones(3), "inverted_elements": count * np.array([0.4, 0.8, inverted])},
        frame={"positions": np.array([rest[::-1], last])},
    )


def test_who_is_not_back_from_a_tangled_start_is_marked_and_named(tmp_path: Path) -> None:
    tangled(tmp_path, "warped", 0.0, 0.0)
    tangled(tmp_path, "linear", 0.4, 0.0)
    tangled(tmp_path, "xpbd", 0.02, 0.0)  # of one vertex of eight
    tangled(tmp_path, "explicit", 0.0, 0.6, status="diverged")
    entry, rows = drawn(tmp_path, "tangled_start", tmp_path / "out")
    assert {r["row"]: r["back at rest"] for r in rows} == {
        "warped": "yes",
        "linear": "no",
        "xpbd": "yes",
        "explicit": "no",
    }
    by = {r["row"]: r for r in rows}
    assert float(by["warped"]["distance from rest at the end [cells]"]) == pytest.approx(0, abs=1e-12)
    assert float(by["linear"]["distance from rest at the end [cells]"]) == pytest.approx(0.4 / np.sqrt(8), rel=0.2)
    assert float(by["explicit"]["inverted at the end"]) == pytest.approx(0.6)
    entry = entry
    assert entry is not None and "linear FEM (0.12 cells, 0% inverted)" in entry.caption
    assert "warped FEM (element) (" not in entry.caption and any("not finite" in line for line in entry.failed)

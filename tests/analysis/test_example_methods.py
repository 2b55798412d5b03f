# SPDX-License-Identifier: BSD-3-Clause
"""The example plug-in (vertex block descent) and the example program (projective dynamics) against closed forms and
linear elements, run as rows of declarations. DEFORMBENCH names the command."""

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from outside_runs import COMMAND, EXAMPLES, run

from deformbench_analysis.trace import Trace

PROGRAM = EXAMPLES / "program/projective_dynamics.py"
pytestmark = pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
GRAVITY = 9.81
DT = 0.01


def row(name: str, iterations: int) -> dict[str, Any]:
    if name == "descent":
        source = {"method": "vertex_block_descent", "plugin": "vertex_block_descent"}
    else:
        source = {"method": "projective_dynamics", "program": f"{{python}} {PROGRAM}"}
    return {"name": name, **source, "parameters": {"iterations": iterations}}


def block(**parameters: Any) -> dict[str, Any]:
    """An irregular free block."""
    given = {"jitter": 0.3, "angular_velocity_rad_s": [0, 0, 0], "time_step_s": DT, **parameters}
    return {"name": "spinning_block", "parameters": given}


def momenta(trace: Trace) -> tuple[np.ndarray, np.ndarray]:
    masses = trace.scene("masses")
    x, v = trace.values("step", "positions"), trace.values("step", "velocities")
    return np.einsum("n,tnc->tc", masses, v), np.einsum("n,tnc->tc", masses, np.cross(x, v))


@pytest.mark.parametrize("young", [1e5, 1e7])
@pytest.mark.parametrize(("name", "iterations"), [("descent", 20), ("projective", 20)])
def test_a_free_fall_is_that_of_implicit_euler(tmp_path: Path, name: str, iterations: int, young: float) -> None:
    """Also of a stiff body, whose rigid motion would take many sweeps alone."""
    scene = block(gravity_m_s2=[0, -GRAVITY, 0], young_modulus_pa=young)
    trace = run(tmp_path, scene, [row(name, iterations)])[name]
    x, v = trace.values("step", "positions"), trace.values("step", "velocities")
    steps = np.arange(41)
    # v_n = −g n Δt at every vertex, and y falls by the sum of Δt v_k: g Δt² n(n + 1)/2.
    assert np.abs(v[:, :, 1] + GRAVITY * DT * steps[:, None]).max() < 1e-8
    fallen = GRAVITY * DT**2 * steps * (steps + 1) / 2
    assert np.abs(x[:, :, 1] - x[0, :, 1] + fallen[:, None]).max() < 1e-8
    assert np.abs(x[:, :, [0, 2]] - x[0][:, [0, 2]]).max() < 1e-8


@pytest.mark.parametrize(("name", "iterations", "linear"), [("descent", 2000, 1e-8), ("projective", 100, 1e-12)])
def test_a_free_spin_keeps_its_linear_momentum_and_loses_angular_as_implicit_euler_does(
    tmp_path: Path, name: str, iterations: int, linear: float
) -> None:
    """Projective dynamics keeps the linear momentum whatever is left of the iterations,
    vertex block descent as far as it is solved."""
    scene = block(angular_velocity_rad_s=[0, 0, 5.0], velocity_m_s=[1.0, 2.0, -0.5])
    trace = run(tmp_path, scene, [row(name, iterations)])[name]
    p, spin = momenta(trace)
    assert np.linalg.norm(p - p[0], axis=1).max() < linear * np.linalg.norm(p[0])
    # Implicit Euler takes the share (ωΔt)² = 0.0025 of a rigid spin in the first step,
    # and of less in those that follow.
    centre = (
        np.einsum("n,tnc->tc", trace.scene("masses"), trace.values("step", "positions")) / trace.scene("masses").sum()
    )
    own = spin - np.cross(centre, p)
    lost = 1 - np.linalg.norm(own[1:], axis=1) / np.linalg.norm(own[:-1], axis=1)
    assert 0 < lost[0] < 2 * 0.0025 and np.all(lost > 0)


@pytest.mark.parametrize(("name", "iterations"), [("descent", 500), ("projective", 100)])
def test_a_small_static_load_bends_as_linear_elements_do(tmp_path: Path, name: str, iterations: int) -> None:
    scene = {
        "name": "bar",
        "parameters": {
            **{"length_m": 0.2, "side_m": 0.1, "cells_across": 1, "poisson_ratio": 0.33, "time_step_s": 1e4},
            **{"gravity_m_s2": [0, 0, 0], "tip_force_n": [0, -1e-3, 0]},
        },
    }
    linear = {"name": "linear", "method": "linear_fem", "parameters": {"solver": "direct"}}
    schedule = {"until_static": {"residual": 1e-6, "max_steps": 20}}
    channels = {"step": {"names": ["tip_displacement"]}}
    traces = run(tmp_path, scene, [linear, row(name, iterations)], channels=channels, schedule=schedule)
    tip = {n: t.values("step", "tip_displacement")[-1] for n, t in traces.items()}
    assert tip["linear"][1] < 0
    assert np.abs(tip[name] - tip["linear"]).max() < 1e-3 * np.abs(tip["linear"]).max()


@pytest.mark.parametrize(("name", "iterations"), [("descent", 1000), ("projective", 300)])
def test_faces_on_rollers_let_a_stretched_bar_become_thinner(tmp_path: Path, name: str, iterations: int) -> None:
    """A homogeneous state: the end faces move along x alone and slide freely,
    so every vertex moves by −ν of the strain across."""
    strain, poisson = 1e-4, 0.3
    parameters = {
        "faces": "rollers",
        "stretch": 1 + strain,
        "poisson_ratio": poisson,
        "cells_across": 1,
        "time_step_s": 1e4,
    }
    trace = run(
        tmp_path, {"name": "stretched_bar", "parameters": parameters}, [row(name, iterations)], schedule={"steps": 3}
    )[name]
    rest, x = trace.scene("rest_positions"), trace.values("step", "positions")[-1]
    moved = x - rest
    stretch = np.polyfit(rest[:, 0], moved[:, 0], 1)[0]
    assert stretch == pytest.approx(strain, rel=1e-3)
    for c in (1, 2):
        assert np.polyfit(rest[:, c], moved[:, c], 1)[0] == pytest.approx(-poisson * strain, rel=5e-3)


@pytest.mark.parametrize(("name", "iterations"), [("descent", 20), ("projective", 5)])
def test_two_runs_have_the_same_bits(tmp_path: Path, name: str, iterations: int) -> None:
    scene = block(angular_velocity_rad_s=[0, 3.0, 5.0])
    first, second = (run(tmp_path / folder, scene, [row(name, iterations)])[name] for folder in ("a", "b"))
    for channel in ("positions", "velocities"):
        a, b = first.values("step", channel), second.values("step", channel)
        assert a.tobytes() == b.tobytes()
    assert np.abs(first.values("step", "positions")[-1] - first.values("step", "positions")[0]).max() > 0.01


@pytest.mark.parametrize("name", ["descent", "projective"])
def test_what_they_do_not_take_is_unsupported_with_the_part(tmp_path: Path, name: str) -> None:
    file = tmp_path / "law.json"
    declaration = {
        "id": "outside/law",
        "doc": "A plane that neither takes.",
        "scene": {"name": "drop_and_slide"},
        "methods": [row(name, 1)],
        "channels": {"step": {"names": ["positions"]}},
        "tiers": {"smoke": {}, "paper": {}},
        "schedule": {"steps": 1},
    }
    file.write_text(json.dumps(declaration), encoding="utf-8")
    words = [COMMAND, "run", str(file), "--tier", "smoke", "--out", str(tmp_path / "out"), "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 5 and "takes no planes" in done.stdout + done.stderr

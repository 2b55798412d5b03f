# SPDX-License-Identifier: BSD-3-Clause
"""Adapters of other packages (experiments/add_a_method/peers) against our methods, each other and closed forms.
DEFORMBENCH names the command; what is not installed is skipped."""

import ctypes
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from outside_runs import COMMAND, EXAMPLES, run
from scipy.special import ellipk

from deformbench_analysis.trace import Trace

pytestmark = pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
GRAVITY = 9.81


def is_installed(package: str, version: str) -> bool:
    try:
        return importlib.metadata.version(package).startswith(version)
    except importlib.metadata.PackageNotFoundError:
        return False


def has_library(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def needs(is_there: bool, what: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not is_there, reason=f"{what} is not installed")


needs_dolfinx = needs(is_installed("fenics-dolfinx", "0.5"), "python3-dolfinx 0.5")
needs_sfepy = needs(is_installed("sfepy", "2021.4"), "python3-sfepy 2021.4")
needs_mujoco = needs(has_library("libmujoco.so.2.2.2"), "libmujoco2.2.2")


def peer(name: str, program: str, **parameters: Any) -> dict[str, Any]:
    command = f"{{python}} {EXAMPLES / 'peers' / program}.py"
    return {"name": name, "method": program, "program": command, "parameters": parameters}


def ours(name: str, law: str) -> dict[str, Any]:
    parameters = {"law": law, "newton_tolerance": TOLERANCE, "solver": "direct"}
    return {"name": name, "method": "implicit_fem", "parameters": parameters}


def distance(a: Trace, b: Trace) -> float:
    """Largest of any coordinate at any step, m."""
    return float(np.abs(a.values("step", "positions") - b.values("step", "positions")).max())


# Residual relative to the step's forces, in both programs. A soft body answers the residual that is left with more
# than a stiff one, and 30 steps add up: a hundred times this is allowed of positions in m; 1.5 times were seen.
TOLERANCE = 1e-12
SOLIDS: dict[str, dict[str, Any]] = {
    "bar": {},  # its tip falls by 0.5 m
    "twisted_bar": {},
    "stretched_bar": {"faces": "rollers", "stretch": 1.3},
    "spinning_block": {"jitter": 0.3},
}


def of_two_materials(folder: Path) -> Path:
    """A scene file: a bar whose elements are of two stiffnesses and densities, at random."""
    words = [COMMAND, "export-scene", "bar", "--set", "jitter=0.2"]
    scene = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    scene["materials"].append({**scene["materials"][0], "id": "other", "young_modulus_pa": 1e6, "density_kg_m3": 500.0})
    chosen = np.random.default_rng(1).integers(0, 2, len(scene["body"]["tetrahedra"]))
    scene["element_materials"] = chosen.tolist()
    file = folder / "two_materials.json"
    file.write_text(json.dumps(scene), encoding="utf-8")
    return file


def check_same_steps(folder: Path, scene: dict[str, Any], law: str) -> None:
    rows = [ours("ours", law), peer("dolfinx", "dolfinx_solid", law=law, tolerance=TOLERANCE)]
    traces = run(folder, scene, rows, schedule={"steps": 30})
    x = traces["ours"].values("step", "positions")
    assert np.abs(x - x[0]).max() > 0.04
    assert distance(traces["ours"], traces["dolfinx"]) < 100 * TOLERANCE


@needs_dolfinx
@pytest.mark.parametrize("name", SOLIDS)
def test_dolfinx_takes_the_same_steps_as_implicit_fem(tmp_path: Path, name: str) -> None:
    check_same_steps(tmp_path, {"name": name, "parameters": SOLIDS[name]}, "neo_hookean")


@needs_dolfinx
@pytest.mark.parametrize("law", ["stable_neo_hookean", "st_venant_kirchhoff"])
def test_so_it_does_with_other_laws_and_several_materials(tmp_path: Path, law: str) -> None:
    check_same_steps(tmp_path, {"file": str(of_two_materials(tmp_path))}, law)


@needs_dolfinx
def test_the_agreement_tells_laws_and_masses_apart(tmp_path: Path) -> None:
    rows = [
        ours("ours", "neo_hookean"),
        peer("other_law", "dolfinx_solid", law="stable_neo_hookean"),
        peer("consistent", "dolfinx_solid", law="neo_hookean", mass="consistent"),
    ]
    traces = run(tmp_path, {"name": "bar", "parameters": {}}, rows)
    assert distance(traces["ours"], traces["other_law"]) > 1e-4
    # 1 % at two cells across, less on finer meshes: the fundamental frequency is a little lower with lumped masses.
    tip = {n: t.values("step", "positions")[:, -1, 1] for n, t in traces.items()}
    assert 1e-3 < np.abs(tip["consistent"] - tip["ours"]).max() / np.ptp(tip["ours"]) < 0.05


@needs_sfepy
@needs_dolfinx
def test_sfepy_and_dolfinx_take_the_same_steps(tmp_path: Path) -> None:
    """Both by plain Newton iterations from the same start, so that what is left of the residual is the same too:
    positions to 1e-12 m allow some thousand roundings of 1 m."""
    for name in ("bar", "stretched_bar"):
        rows = [peer("sfepy", "sfepy_solid"), peer("dolfinx", "dolfinx_solid", law="isochoric_neo_hookean")]
        traces = run(tmp_path / name, {"name": name, "parameters": SOLIDS[name]}, rows, schedule={"steps": 20})
        assert distance(traces["sfepy"], traces["dolfinx"]) < 1e-12, name


@needs_sfepy
def test_sfepys_law_is_ours_in_the_limit_of_small_strains(tmp_path: Path) -> None:
    """Statics: the difference is of second order in the load, so a tenth relative to the deflection at a tenth of it."""
    differences = []
    for force in (10.0, 1.0):
        parameters = {"time_step_s": 1e4, "gravity_m_s2": [0, 0, 0], "tip_force_n": [0, -force, 0], "cells_across": 1}
        rows = [ours("ours", "neo_hookean"), peer("sfepy", "sfepy_solid", tolerance=TOLERANCE)]
        traces = run(tmp_path / str(force), {"name": "bar", "parameters": parameters}, rows, schedule={"steps": 3})
        x = traces["ours"].values("step", "positions")
        differences.append(distance(traces["ours"], traces["sfepy"]) / np.abs(x[-1] - x[0]).max())
    assert differences[1] < 1e-3 and 8 < differences[0] / differences[1] < 12


@pytest.mark.parametrize(
    "program",
    [pytest.param("dolfinx_solid", marks=needs_dolfinx), pytest.param("sfepy_solid", marks=needs_sfepy)],
)
def test_solids_at_rest_stay_there(tmp_path: Path, program: str) -> None:
    """No force is left to measure a residual against."""
    traces = run(tmp_path, {"name": "graded_block"}, [peer("peer", program)], schedule={"steps": 3})
    x = traces["peer"].values("step", "positions")
    assert np.abs(x - x[0]).max() < 1e-12


COMPLIANT: dict[str, dict[str, Any]] = {
    "hung_chain": {},
    "particle_chain": {"gravity_m_s2": [0, -GRAVITY, 0]},
    "spinning_ring": {"particles": 8},
    "falling_net": {"floor": False, "hung": True},
}


@needs_mujoco
@pytest.mark.parametrize("name", COMPLIANT)
def test_xpbd_converges_to_mujocos_springs(tmp_path: Path, name: str) -> None:
    """XPBD is of first order in the substep; 40 explicit substeps of fourth order are exact beside it."""
    parameters = {"compliance_m_per_n": 1e-3, **COMPLIANT[name]}
    rows = [peer("mujoco", "mujoco_particles", substeps=40)]
    rows += [
        {"name": f"xpbd_{n}", "method": "xpbd", "parameters": {"substeps": n, "iterations": 200}} for n in (40, 160)
    ]
    traces = run(tmp_path, {"name": name, "parameters": parameters}, rows)
    coarse, fine = (distance(traces[f"xpbd_{n}"], traces["mujoco"]) for n in (40, 160))
    x = traces["mujoco"].values("step", "positions")
    assert 2.5 < coarse / fine < 5 and fine < 0.02 * np.abs(x - x[0]).max()


@needs_mujoco
def test_a_rigid_pendulum_of_mujoco_has_the_period_of_the_elliptic_integral(tmp_path: Path) -> None:
    """The rod is a soft constraint, which gives way by its acceleration, 4 g at the bottom, times the square of its
    time constant, two substeps."""
    scene = {"name": "pendulum", "parameters": {"amplitude_deg": 120.0}}
    trace = run(tmp_path, scene, [peer("rod", "mujoco_particles", substeps=40)], schedule={"steps": 400})["rod"]
    x = trace.values("step", "positions")
    rod = x[:, 1] - x[:, 0]
    assert np.abs(np.linalg.norm(rod, axis=1) - 1).max() < 4 * GRAVITY * (2 * 0.01 / 40) ** 2
    angle = np.arctan2(rod[:, np.abs(rod[0, [0, 2]]).argmax() * 2], -rod[:, 1])
    k = np.flatnonzero(np.diff(np.sign(angle)))
    crossings = 0.01 * (k + angle[k] / (angle[k] - angle[k + 1]))
    exact = 4 * np.sqrt(1 / GRAVITY) * ellipk(np.sin(np.radians(60)) ** 2)
    assert crossings[2] - crossings[0] == pytest.approx(exact, rel=2e-5)


@needs_mujoco
def test_a_constraint_that_mujoco_has_no_tendon_for_fails_with_its_kind(tmp_path: Path) -> None:
    words = [
        COMMAND,
        "simulate",
        "constraint_samples",
        "--set",
        'scene.parameters.kind="bend"',
        "--steps",
        "1",
        "--out",
        str(tmp_path / "out"),
        "--quiet",
    ]
    command = f"{sys.executable} {EXAMPLES / 'peers/mujoco_particles.py'}"
    done = subprocess.run([*words, "--program", command], capture_output=True, text=True, check=False)
    assert done.returncode == 4 and "constraint 0: got bend, expected distances" in done.stdout + done.stderr


PEERS = ("dolfinx_solid", "sfepy_solid", "mujoco_particles")


@pytest.mark.parametrize("program", PEERS)
def test_an_absent_package_is_one_line_and_exit_code_2(tmp_path: Path, program: str) -> None:
    """Found first: a module that cannot be imported, one of another version, and a library that is none."""
    (tmp_path / "dolfinx.py").write_text("raise ImportError('it is not here')\n", encoding="utf-8")
    (tmp_path / "sfepy.py").write_text("__version__ = '9.0'\n", encoding="utf-8")
    (tmp_path / "libmujoco.so.2.2.2").write_text("it is not here", encoding="utf-8")
    command = f"{sys.executable} {EXAMPLES / 'peers' / program}.py"
    words = [COMMAND, "simulate", "bar", "--steps", "1", "--out", str(tmp_path / "out"), "--program", command]
    hidden = {**os.environ, "PYTHONPATH": str(tmp_path), "LD_LIBRARY_PATH": str(tmp_path)}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=hidden)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
    assert "; expected the package " in done.stderr and not (tmp_path / "out").exists()

    path = os.pathsep.join([str(EXAMPLES.parents[1] / "analysis"), str(tmp_path)])
    help_words = [sys.executable, str(EXAMPLES / "peers" / f"{program}.py"), "--help"]
    done = subprocess.run(help_words, capture_output=True, text=True, check=True, env={**hidden, "PYTHONPATH": path})
    assert "deformbench simulate" in done.stdout and f"{program}.py" in done.stdout

# SPDX-License-Identifier: BSD-3-Clause
"""The figures of hinges and of damping, from synthetic traces with known content."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up_traces import add_frames, write_trace
from figure_traces import drawn

PAPER = "cs533d_cloth_lecture/"


def folded(angles: np.ndarray) -> np.ndarray:
    """Corners of hinges with these angles, [m,4,3]: edges of 1 along x, heights of 1."""
    x = np.zeros((len(angles), 4, 3))
    x[:, 1, 0], x[:, 2:, 0], x[:, 2, 1] = 1, 0.5, 1
    x[:, 3, 1], x[:, 3, 2] = -np.cos(angles), -np.sin(angles)
    return x


def slopes_of(angles: np.ndarray) -> np.ndarray:
    """∂θ/∂x of the same."""
    found = np.zeros((len(angles), 4, 3))
    found[:, 2, 2] = -1
    found[:, 3, 1], found[:, 3, 2] = np.sin(angles), -np.cos(angles)
    found[:, 0] = found[:, 1] = -(found[:, 2] + found[:, 3]) / 2
    return found


def run(folder: Path, experiment: str, name: str, x: np.ndarray, frame: Mapping[str, np.ndarray], **about: Any) -> None:
    """One frame, at the start."""
    flat = x.reshape(-1, 3)
    fields = dict(about.pop("fields", {}))
    series = about.pop("series", {})
    series["frame"] = {"positions": flat[None], **{k: v.reshape(1, -1, 3) for k, v in fields.items()}}
    path = write_trace(folder, f"{PAPER + experiment} force_cloth {name}", series=series, **about)
    add_frames(path, [[(0, 0.0, {"hinge_vertices": np.arange(len(flat)).reshape(-1, 4), **frame})]])


def test_the_ratios_and_energies_are_those_put_in(tmp_path: Path) -> None:
    bend = np.full(2, 0.01)  # one hinge a patch, 2W/B = 1e-4, shares of 1/3 of an area of 1 with κ = 1/100
    for surface in ("cylinder", "sphere"):
        for mesh, factor in (("equilateral", 1.0), ("right", 2.0), ("jittered", 1.1), ("delaunay", 1.5)):
            x = folded(bend)
            x[1, :, 0] += 50
            parameters = {"bend_stiffness_j": 1.0}
            scene = {
                "surface": surface,
                "mesh": mesh,
                "radius_m": 100.0,
                "apart_m": 50.0,
                "patches": 2,
                "spacing_m": 1.0,
            }
            arrays = {"rest_positions": x.reshape(-1, 3), "triangles": np.array([[0, 1, 2], [4, 5, 6]])}
            frame = {"hinge_energies": np.full(2, factor * 1e-4 / 3 / 2)}
            run(tmp_path, "curvature_integral", "hinges", x, frame, parameters=parameters, scene=scene, arrays=arrays)
    angles = np.linspace(-3.14, 3.14, 101)
    for name in ("half_angle", "angle"):
        run(
            tmp_path,
            "theta_approximation",
            name,
            folded(angles),
            {"hinge_energies": 0.9 * 4 * (1 - np.cos(angles / 2))},
            fields={"elastic_forces": -2 * np.sin(angles / 2)[:, None, None] * slopes_of(angles)},
            parameters={"bend_stiffness_j": 1.0},
            arrays={"rest_positions": folded(np.zeros(101)).reshape(-1, 3)},
        )
    entry, rows = drawn(tmp_path, "sec_2_hinge_energy", tmp_path / "out")
    ratios = {r["what"]: float(r["ratio"]) for r in rows if float(r["angle [deg]"]) == 90}
    assert ratios["equilateral"] == pytest.approx(1, rel=1e-3)
    assert ratios["right"] == pytest.approx(2, rel=1e-3)
    assert ratios["energy"] == pytest.approx(0.9 * 8 * (1 - np.cos(np.pi / 4)) / (np.pi / 2) ** 2, rel=1e-3)
    assert ratios["force"] == pytest.approx(2 * np.sin(np.pi / 4) / (np.pi / 2), rel=1e-3)
    assert "10.0 % up to a right angle" in entry.caption


def test_the_rounding_of_every_decade_is_that_put_in(tmp_path: Path) -> None:
    angles = 2.0 * 10.0 ** np.arange(-9, 0)
    for name, error, precision in (
        ("printed", 1e-3, "double"),
        ("printed_float", 1e-2, "float"),
        ("robust", 1e-6, "double"),
        ("robust_float", 1e-5, "float"),
    ):
        sines = np.sin(angles / 2) * (1 + error)
        parameters = {"bend_precision": precision}
        run(tmp_path, "half_angle_sines", name, folded(angles), {"hinge_sines": sines}, parameters=parameters)
    for name in ("modes", "cosine", "automatic"):
        for kind, of in (("decades", angles), ("rest", np.zeros(2))):
            slopes = slopes_of(of) * (1 + (1e-7 if name == "cosine" else 1e-13))
            scene = {"angles": kind}
            swept = {"angles": kind}
            run(tmp_path, "angle_slopes", name, folded(of), {"hinge_slopes": slopes}, scene=scene, swept=swept)
    _, rows = drawn(tmp_path, "sec_3_hinge_arithmetic", tmp_path / "out")
    found = {(r["what"], round(np.log10(float(r["decade"])), 1)): float(r["largest relative error"]) for r in rows}
    assert found["sine, printed", -3.5] == pytest.approx(1e-3, rel=1e-3)
    assert found["sine, robust_float", -0.5] == pytest.approx(1e-5, rel=1e-3)
    assert found["slopes, cosine", -5.5] == pytest.approx(1e-7, rel=1e-3)
    assert found["slopes, modes", -5.5] < 1e-12


def test_the_ratio_of_the_swing_is_the_one_put_in(tmp_path: Path) -> None:
    mass, rest = np.array([1.0, 2.0, 1.5, 0.5]), np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    matrix = np.zeros((12, 12))
    for a in range(4):
        for b in range(a):
            row = np.zeros(12)
            edge = (rest[b] - rest[a]) / np.linalg.norm(rest[b] - rest[a])
            row[3 * a : 3 * a + 3], row[3 * b : 3 * b + 3] = -edge, edge
            matrix += 40 * np.outer(row, row)
    root = np.repeat(mass, 3) ** -0.5
    squares, shapes = np.linalg.eigh(root[:, None] * matrix * root)
    omega, shape = float(np.sqrt(squares[6])), (root * shapes[:, 6]).reshape(4, 3)
    time = np.linspace(0, 6 * np.pi / omega, 90)
    ratio = 1.03 * 2e-3 * omega / 2
    q = 1e-4 * np.exp(-ratio * omega * time) * np.cos(omega * np.sqrt(1 - ratio**2) * time)
    rows, columns = np.nonzero(matrix)
    for body in ("sheet", "block"):
        path = write_trace(
            tmp_path,
            f"{PAPER}damped_motion force_cloth damped",
            dt=float(time[1]),
            parameters={"stretch_damping_s": 2e-3, "bend_damping_s": 2e-3},
            scene={"body": body},
            arrays={"rest_positions": rest, "masses": mass},
            step={"positions": rest + q[:, None, None] * shape},
            frame={"positions": np.array([rest, rest]), "velocities": np.ones((2, 4, 3)) * rest},
        )
        places = np.stack([rows, columns], axis=1)
        add_frames(path, [[(0, 0.0, {"stiffness_places": places, "stiffness_entries": matrix[rows, columns]})]])
    speed = np.cross([0.0, 0, 1], rest)
    frame = {"positions": np.array([rest, rest]), "velocities": np.array([speed, 0.5 * speed])}
    write_trace(tmp_path, f"{PAPER}braked_motion force_cloth braked", arrays={"masses": mass}, frame=frame)
    entry, table = drawn(tmp_path, "sec_5_damping", tmp_path / "out")
    assert [float(r["measured ζ"]) / float(r["k_d ω/2"]) for r in table] == pytest.approx([1.03, 1.03], rel=1e-3)
    assert "within 3.00 % of it" in entry.caption

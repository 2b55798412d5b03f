# SPDX-License-Identifier: BSD-3-Clause
"""Figures of [MHHR07] from made-up traces with known content: projections, moving cloth with bodies, tears, plots."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_figures_of_experiments import P, cell, drawn, turn

from deformbench_analysis.errors import MissingData
from deformbench_analysis.results import Results
from deformbench_analysis.trace import Trace
from paper_figures import cloth_scenes, render
from paper_figures import projection as one

PAPER = "mueller_et_al_2007"
KINDS = {"distance": 0, "bend": 1, "triangle_point": 3}


def corners(kind: str, random: np.random.Generator) -> np.ndarray:
    if kind == "distance":
        return np.array([[0.0, 0, 0], [random.uniform(0.5, 1.5), 0, 0]])
    if kind == "bend":
        fold = random.uniform(0.7, 1.6)
        return np.array([[0, 0, 0], [1, 0, 0], [random.uniform(0, 1), 1, 0], [random.uniform(0, 1), -np.cos(fold), np.sin(fold)]])
    return np.array([[0, 0, 0], [1, 0, 0], [0.4, 1, 0], [random.uniform(0.4, 0.5), random.uniform(0.3, 0.4), random.uniform(0.1, 0.4)]])


def gradient(kind: str, x: np.ndarray) -> np.ndarray:
    """By hand, none of it shared with the figures. Bend: [MHHR07] appendix, with its sign for an angle that is positive here."""
    if kind == "distance":
        n = (x[0] - x[1]) / np.linalg.norm(x[0] - x[1])
        return np.array([n, -n])
    if kind == "triangle_point":
        a, b, q = x[1] - x[0], x[2] - x[0], x[3] - x[0]
        normal = np.cross(a, b)
        area = np.linalg.norm(normal)
        n = normal / area
        across = q - (q @ n) * n
        first, second = np.cross(b, across) / area, np.cross(across, a) / area
        return np.array([-n - first - second, first, second, n])
    p2, p3, p4 = x[1:] - x[0]
    n1, n2 = np.cross(p2, p3), np.cross(p2, p4)
    l1, l2 = np.linalg.norm(n1), np.linalg.norm(n2)
    n1, n2 = n1 / l1, n2 / l2
    d = n1 @ n2
    q3 = (np.cross(p2, n2) + np.cross(n1, p2) * d) / l1
    q4 = (np.cross(p2, n1) + np.cross(n2, p2) * d) / l2
    q2 = -(np.cross(p3, n2) + np.cross(n1, p3) * d) / l1 - (np.cross(p4, n1) + np.cross(n2, p4) * d) / l2
    # arccos(n1·n2) is π − |φ| of the signed angle
    return np.array([-q2 - q3 - q4, q2, q3, q4]) / np.sqrt(1 - d * d) * (np.sign(one.bend(x)) if one.bend(x) else 1.0) * -1.0


def constructions(folder: Path, kind: str, wrong: float = 1.0, samples: int = 40) -> None:
    """One projected step of many constraints; `wrong` multiplies every correction."""
    random = np.random.default_rng(3)
    before, after, masses, vertices, rest = [], [], [], [], []
    for s in range(samples):
        axis = random.normal(size=3)
        x = corners(kind, random) @ turn(axis, random.uniform(0, 3)).T + random.uniform(-1, 1, 3)
        m = 10 ** random.uniform(-0.5, 0.5, len(x))
        value = one.FUNCTIONS[kind](x)
        violation = (0.3 if kind == "bend" else 0.3 * value) * (1 if s % 2 else -1)
        g, w = gradient(kind, x), 1 / m[:, None]
        vertices.append([len(x) * s + k if k < len(x) else -1 for k in range(4)])
        before.append(x)
        after.append(x - wrong * w * g * violation / (w * g**2).sum())
        masses.append(m)
        rest.append(value - violation)
    positions = np.array([np.vstack(before), np.vstack(after)])
    cell(folder, f"{PAPER}/constructions", "pbd", "pbd", {P + "kind": kind}, {"time_step_s": 0.01},
         arrays={"rest_positions": positions[0], "masses": np.concatenate(masses), "constraint_vertices": np.array(vertices),
                 "constraint_rest_values": np.array(rest), "constraint_kinds": np.full(samples, KINDS[kind])},
         series={"frame": {"positions": positions, "velocities": np.zeros_like(positions)}})


@pytest.mark.parametrize("kind, figure", [("distance", "fig_02_distance_projection"), ("bend", "fig_04_bending"), ("triangle_point", "fig_05_triangle_point")])
def test_the_drawn_projections_are_those_stored(tmp_path: Path, kind: str, figure: str) -> None:
    constructions(tmp_path, kind)
    found = one.projections(Results(tmp_path, "paper", {}), kind)
    assert max(p.deviation for p in found) < 1e-7 and max(p.centre_moved for p in found) < 1e-13  # differences of 1e-5: (1e-5)² and rounding over 1e-5
    result, rows = drawn(tmp_path, figure, tmp_path / "out")
    by_mass = np.array([[float(r[f"{a} after [m]"]) - float(r[f"{a} before [m]"]) for a in "xyz"] for r in rows]) * np.array([[float(r["mass [kg]"])] for r in rows])
    pairs = by_mass.reshape(-1, 2 if kind == "distance" else 4, 3)
    assert np.abs(pairs.sum(axis=1)).max() < 1e-9 * np.abs(by_mass).max() + 1e-9
    assert "The paper shows" in result.entry.caption and "Measured here" in result.entry.caption  # type: ignore[union-attr]


def test_a_projection_that_goes_too_far_is_seen(tmp_path: Path) -> None:
    constructions(tmp_path, "distance", wrong=1.1)
    assert max(p.deviation for p in one.projections(Results(tmp_path, "paper", {}), "distance")) == pytest.approx(0.1, rel=1e-6)

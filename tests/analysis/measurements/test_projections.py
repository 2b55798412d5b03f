# SPDX-License-Identifier: BSD-3-Clause
"""What a projection leaves of the linearised constraint, on made-up samples of which one is off."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from position_cells import write_cell

from deformbench_analysis import position_constraints as pc
from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.results import Results


def measured(folder: Path, name: str) -> Value:
    return Measurer(Results(folder, "paper", {}), "paper")(name)


def samples(folder: Path, experiment: str, name: str, kind: str, left: float) -> None:
    """Thirty constraints whose projections meet the linearised one, but for one, of which `left` is left."""
    number = {"distance": pc.DISTANCE, "bend": pc.BEND}[kind]
    corners = 2 if kind == "distance" else 4
    base = np.array([[0.0, 0, 0], [1, 0, 0], [0.4, 0.9, 0], [0.4, 0.3, 0.6]])[:corners]
    x = base + 0.1 * np.random.default_rng(3).standard_normal((30, corners, 3))
    vertices = np.full((30, 4), -1)
    vertices[:, :corners] = np.arange(30 * corners).reshape(30, corners)
    c = np.full(30, 1e-4)
    shares = np.ones(30)
    shares[17] = 1 - left
    moved = shares[:, None, None] * pc.corrections(c, pc.gradients(number, x), np.ones((30, corners)), False)
    write_cell(folder, experiment, name, {"scene.parameters.kind": kind, "scene.parameters.violation": 1e-4},
                arrays={"constraint_kinds": np.full(30, number), "constraint_vertices": vertices, "constraint_rest_values": pc.values(number, x) - c, "constraint_stiffness": np.ones(30),
                        "masses": np.ones(30 * corners)},
                series={"frame": {"positions": np.array([x, x + moved]).reshape(2, -1, 3)}})


def test_one_sample_of_one_kind_that_is_not_met_is_the_residual(tmp_path: Path) -> None:
    samples(tmp_path, "mass_weighting", "printed", "distance", 0.0)
    samples(tmp_path, "mass_weighting", "printed", "bend", -0.75)
    samples(tmp_path, "mass_weighting", "corrected", "distance", 0.125)
    samples(tmp_path, "mass_weighting", "corrected", "bend", 0.0)
    samples(tmp_path, "equal_masses", "printed", "distance", 0.0)
    samples(tmp_path, "equal_masses", "printed", "bend", 0.25)
    assert measured(tmp_path, "mass_weighting.printed_linear_residual").value == pytest.approx(0.75, rel=1e-6)
    assert measured(tmp_path, "mass_weighting.printed_distance_linear_residual").value == pytest.approx(0, abs=1e-8)
    assert measured(tmp_path, "mass_weighting.corrected_linear_residual").value == pytest.approx(0.125, rel=1e-6)
    assert measured(tmp_path, "equal_masses.printed_linear_residual").value == pytest.approx(0.25, rel=1e-6)

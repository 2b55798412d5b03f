# SPDX-License-Identifier: BSD-3-Clause
"""Times of assembly: one size, one way of building the elements is worse than the others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_timing, write_trace

EXPERIMENT = "mueller_gross_2004/stored_stiffness"
RATIOS = {
    "stored": 1.0,
    "rotated_gradients": 0.6,
    "rebuilt": 2.0,
    "st_venant_kirchhoff": 0.7,
    "st_venant_kirchhoff_textbook": 1.1,
}


def cell(folder: Path, name: str, method: str, tetrahedra: int, phases: dict[str, float], elements: str = "") -> Path:
    parameters = {"elements": elements} if elements else {}
    coordinates = {"scene.parameters.cells_across": tetrahedra, "elements": elements}
    step = {"kinetic_energy": np.ones(3)}
    run = f"{EXPERIMENT} {method} {name}"
    path = write_trace(folder, run, parameters=parameters, coordinates=coordinates, tetrahedra=tetrahedra, step=step)
    # Half of the samples are disturbed: the lower quartile is that of the others.
    jitter = np.ones((4, 6))
    jitter[2:] = 3.0
    write_timing(path, sum(phases.values()) * jitter, {k: v * jitter for k, v in phases.items()})
    return path


def folder_of(folder: Path, slower: tuple[str, int] | None = None, factor: float = 1.0) -> Path:
    for n in (1000, 5000):
        for elements, ratio in RATIOS.items():
            seconds = 1e-6 * n * ratio * (factor if (elements, n) == slower else 1.0)
            cell(folder, "eigen", "reuse_eigen", n, {"assembly": seconds, "solve": 9.0}, elements)
        cell(folder, "warped", "warped_fem", n, {"rotation": 1e-8 * n, "assembly": 3e-8 * n, "solve": 9.0})
        cell(folder, "newton", "implicit_fem", n, {"rotation": 5.0, "assembly": 8e-8 * n * (2 if n == 5000 else 1)})
    return folder


def test_gains_are_ratios_of_the_assembly_alone(tmp_path: Path) -> None:
    folder_of(tmp_path)
    assert number(tmp_path, "stored_stiffness.gain_over_rebuilt") == pytest.approx(2.0)
    assert number(tmp_path, "stored_stiffness.gain_over_rotated_gradients") == pytest.approx(0.6)
    assert number(tmp_path, "stored_stiffness.gain_over_closed_tangent") == pytest.approx(0.7)
    assert number(tmp_path, "stored_stiffness.gain_over_textbook_tangent") == pytest.approx(1.1)
    assert number(tmp_path, "stored_stiffness.least_gain") == pytest.approx(0.7)
    assert number(tmp_path, "stored_stiffness.newton_over_warped") == pytest.approx(2.0)


@pytest.mark.parametrize("n", [1000, 5000])
def test_the_gain_is_that_of_the_worst_size(tmp_path: Path, n: int) -> None:
    folder_of(tmp_path, slower=("stored", n), factor=2.0)
    assert number(tmp_path, "stored_stiffness.gain_over_rebuilt") == pytest.approx(1.0)


def test_a_size_that_one_of_them_lacks_is_no_gain(tmp_path: Path) -> None:
    folder_of(tmp_path)
    cell(tmp_path, "eigen", "reuse_eigen", 20000, {"assembly": 1.0}, "rebuilt")
    assert "no cell with" in value_of(tmp_path, "stored_stiffness.gain_over_rebuilt").note

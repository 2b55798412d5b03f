# SPDX-License-Identifier: BSD-3-Clause
"""Bodies that find their shape and one that does not, energies of rotations, and known changes of volume."""

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of, write_trace

from deformbench_analysis.mesh import EDGES
from deformbench_analysis.reference_minimum import ReferenceMinimum
from deformbench_analysis.trace import Trace
from experiments.newton_filters.measurements import stable_law as s

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
TETRAHEDRA = np.array([[0, 1, 2, 3], [4, 2, 1, 3]])
SCENE = {"omega": 1.0, "theta": 1e4, "density_kg_m3": 1.0, "time_step_s": 0.5, "poisson_ratio": 0.4, "contrast": 1.0}


def write(folder: Path, experiment: str, row: str, swept: dict[str, Any], law: str = "", **clocks: Any) -> Path:
    arrays = {"rest_positions": REST, "tetrahedra": TETRAHEDRA, "masses": np.array([1.0, 2, 2, 2, 1])}
    arrays = {**arrays, "prescribed_vertices": np.arange(3), **clocks.pop("arrays", {})}
    method = "linear_fem" if row == "linear" else "implicit_fem"
    parameters = {"law": law or "stable_neo_hookean", "elements": clocks.pop("elements", "linear")}
    run = f"newton_filters/{experiment} {method} {row}"
    return write_trace(folder, run, swept, SCENE, parameters=parameters, arrays=arrays, **clocks)


def test_the_worst_start_counts_the_bodies_that_end_at_the_minimum(tmp_path: Path) -> None:
    first = REST * [1.0, 1.0, -0.5]
    first[:3] = REST[:3]
    empty = write(tmp_path / "empty", "extreme_starts", "log", {}, frame={"positions": np.array([first])})
    least = ReferenceMinimum(Trace(empty)).minimise(REST).positions
    off = np.zeros_like(REST)
    off[4] = [2 * s.NEAR, 0, 0]
    for start in ("flat", "mirrored", "line", "point"):
        for seed in (1, 2):
            end = least + (seed == 2) * ({"flat": 0.0, "line": 0.4}.get(start, 1.0)) * off
            positions = {"positions": np.array([first, end])}
            write(tmp_path / "found", "extreme_starts", "log", {"start": start, "seed": seed}, frame=positions)
    assert number(tmp_path / "found", "extreme_starts.found") == pytest.approx(0.5)  # mirrored
    assert number(tmp_path / "found", "extreme_starts.found_from_line") == 1
    assert number(tmp_path / "found", "extreme_starts.found_from_point") == pytest.approx(0.5)


def test_energies_and_forces_of_rotations_are_relative_to_the_body(tmp_path: Path) -> None:
    for row, wrong in (("log", 1e-6), ("linear", 3.0)):
        forces = np.zeros((2, 5, 3))
        forces[1, 3] = [3 * wrong, 0, 4 * wrong]
        pose = {"elastic_energy": np.array([0.0, -wrong]), "elastic_forces": forces}
        write(tmp_path, "rigid_rotation", row, {"family": "kuhn"}, pose=pose)
    modulus = SCENE["theta"] * 1.0 * 1.0 / SCENE["time_step_s"] ** 2  # L = 1
    volume = 1 / 6 + 1 / 3
    assert number(tmp_path, "rigid_rotation.energy") == pytest.approx(1e-6 / (modulus * volume))
    assert number(tmp_path, "rigid_rotation.force") == pytest.approx(5e-6 / (2 * modulus))  # median edge √2
    assert number(tmp_path, "rigid_rotation.linear_energy") == pytest.approx(3 / (modulus * volume))


def test_changes_of_volume_are_compared_in_the_worst_problem(tmp_path: Path) -> None:
    middles = np.array([(REST[i] + REST[j]) / 2 for i, j in EDGES])  # 01 02 03 12 13 23
    parts = [[0, 4, 5, 6], [1, 4, 7, 8], [2, 5, 7, 9], [3, 6, 8, 9]]
    parts += [[4, 9, 5, 6], [4, 9, 6, 8], [4, 9, 8, 7], [4, 9, 7, 5]]
    arrays = {"rest_positions": np.concatenate([REST[:4], middles]), "tetrahedra": np.array(parts)}
    for poisson_ratio, amount, growth in ((0.45, 1.5, 0.02), (0.499, 1.5, 0.01), (0.3, 1.01, 0.04)):
        for row, law, factor in (("log", "", 1.0), ("corotational", "corotational", 4.0)):
            share = factor if amount > 1.1 else 1.1
            end = arrays["rest_positions"] * [1.0, 1.0, 1 - share * growth]
            swept = {"amount": amount, "poisson_ratio": poisson_ratio, "start": "stretched"}
            clocks = {"frame": {"positions": np.array([end, end])}, "step": {"solver_converged": np.array([np.nan, 1])}}
            write(tmp_path, "volume_kept", row, swept, law, arrays=arrays, **clocks)
    assert number(tmp_path, "volume_kept.change") == pytest.approx(0.02)
    assert number(tmp_path, "volume_kept.corotational_ratio") == pytest.approx(0.25)
    assert number(tmp_path, "volume_kept.corotational_slight_difference") == pytest.approx(0.0, abs=1e-9)
    clocks["step"] = {"solver_converged": np.array([np.nan, 0])}
    unfinished = {"amount": 1.5, "poisson_ratio": 0.45, "start": "stretched"}
    write(tmp_path, "volume_kept", "corotational", unfinished, "corotational", arrays=arrays, **clocks)
    assert "did not converge" in value_of(tmp_path, "volume_kept.corotational_ratio").note


def test_the_change_of_a_hexahedron_is_that_of_its_mean(tmp_path: Path) -> None:
    rest = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], float)
    tetrahedra = np.array([np.cumsum([0, *(4 >> axis for axis in order)]) for order in permutations(range(3))])
    arrays = {"rest_positions": rest, "tetrahedra": tetrahedra, "masses": np.ones(8)}
    # A bulge that leaves the volume: gains at one end what it loses at the other; and 2 % more.
    bulge = rest + 0.1 * rest[:, 2:] * (rest[:, :1] - 0.5) * [0.0, 0.0, 1.0]
    swept = {"amount": 1.5, "poisson_ratio": 0.45, "start": "stretched"}
    for row, law, factor in (("log", "", 1.02), ("corotational", "corotational", 1.08)):
        end = bulge * [1.0, 1.0, factor]
        clocks = {"frame": {"positions": np.array([end, end])}, "step": {"solver_converged": np.array([np.nan, 1])}}
        write(tmp_path, "volume_kept_of_hexahedra", row, swept, law, arrays=arrays, elements="hexahedra", **clocks)
    assert number(tmp_path, "volume_kept_of_hexahedra.change") == pytest.approx(0.02)
    assert number(tmp_path, "volume_kept_of_hexahedra.corotational_ratio") == pytest.approx(0.25)

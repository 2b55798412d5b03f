# SPDX-License-Identifier: BSD-3-Clause
"""Masses of vertices: one of many is off, or two have changed places."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from deformbench_analysis.mesh import volumes

NAME = "cs6967_assignment_2/nodal_masses"
COUNT = 400
TETS = np.random.default_rng(1).permutation(4 * COUNT).reshape(COUNT, 4)
DENSITIES = np.where(np.arange(COUNT) % 2 == 0, 100.0, 300.0)


def points() -> np.ndarray:
    random = np.random.default_rng(2)
    found = np.empty((4 * COUNT, 3))
    corner = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    for corners in TETS:
        found[corners] = corner * random.uniform(0.5, 1.5, 3) + random.uniform(-9, 9, 3)
    return found


def exact() -> np.ndarray:
    masses = np.zeros(4 * COUNT)
    np.add.at(masses, TETS.ravel(), np.repeat(DENSITIES * volumes(points(), TETS) / 4, 4))
    return masses


def write(folder: Path, name: str, masses: np.ndarray) -> None:
    arrays = {"rest_positions": points(), "tetrahedra": TETS, "element_densities": DENSITIES}
    scene = {"density_ratio": 3.0, "density_kg_m3": 100.0}
    write_trace(folder, f"{NAME} {name}_fem {name}", scene=scene, arrays=arrays, pose={"vertex_masses": masses[None]})


def test_masses_by_the_rule_have_no_error_beyond_rounding(tmp_path: Path) -> None:
    write(tmp_path, "explicit", exact())
    for what in ("vertex", "mass", "centre"):
        assert number(tmp_path, f"nodal_masses.{what}_error") < 1e-15
    found = volumes(points(), TETS)
    assert number(tmp_path, "nodal_masses.volume_ratio") == pytest.approx(found.max() / found.min())
    assert number(tmp_path, "nodal_masses.elements") == COUNT
    assert number(tmp_path, "nodal_masses.density_count") == 2


@pytest.mark.parametrize("worst", ["explicit", "implicit"])
def test_one_vertex_of_one_method_is_found(tmp_path: Path, worst: str) -> None:
    for name in ("explicit", "implicit"):
        masses = exact()
        masses[77] *= 1 + (1e-9 if name == worst else 1e-12)
        write(tmp_path, name, masses)
    assert number(tmp_path, "nodal_masses.vertex_error") == pytest.approx(1e-9, rel=1e-3, abs=0)


def test_masses_that_change_places_keep_their_sum_and_move_the_centre(tmp_path: Path) -> None:
    masses, x = exact(), points()
    a, b = TETS[0, 0], TETS[1, 0]
    share = 0.1 * masses[a]
    masses[a] -= share
    masses[b] += share
    write(tmp_path, "explicit", masses)
    assert number(tmp_path, "nodal_masses.mass_error") < 1e-15
    moved = np.abs(share * (x[b] - x[a]) / (masses @ np.abs(x))).max()
    assert number(tmp_path, "nodal_masses.centre_error") == pytest.approx(moved, rel=1e-9, abs=0)
    assert number(tmp_path, "nodal_masses.vertex_error") == pytest.approx(max(0.1, share / exact()[b]), rel=1e-9)


def test_the_density_of_one_element_is_seen_at_its_vertices(tmp_path: Path) -> None:
    masses = exact()
    masses[TETS[4]] *= 3
    write(tmp_path, "explicit", masses)
    assert number(tmp_path, "nodal_masses.vertex_error") == pytest.approx(2)
    assert number(tmp_path, "nodal_masses.mass_error") > 1e-4


def cube(folder: Path, cells: int, excess: float) -> None:
    corners = np.array([[0.0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]])
    # Masses whose second moment is 1 + excess times that of the cube of 100 kg/m³.
    masses = np.full(8, 100 / 4 * (1 + excess) / (8 * 0.75))
    arrays = {"rest_positions": corners, "tetrahedra": np.zeros((5, 4), dtype=int)}
    scene = {"density_ratio": 1.0, "density_kg_m3": 100.0, "side_m": 1.0}
    pose = {"vertex_masses": masses[None]}
    swept = {"cells_across": cells}
    write_trace(folder, f"{NAME} explicit_fem explicit", swept=swept, scene=scene, arrays=arrays, pose=pose)


def test_the_second_moment_is_judged_by_the_worst_cube(tmp_path: Path) -> None:
    cube(tmp_path, 2, 2 / 4)
    cube(tmp_path, 4, 2 / 16 * 1.02)
    assert number(tmp_path, "nodal_masses.second_moment_excess") == pytest.approx(0.02)

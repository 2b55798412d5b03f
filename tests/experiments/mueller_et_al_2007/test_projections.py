# SPDX-License-Identifier: BSD-3-Clause
"""What a projection leaves of constraints and does to momenta, on made-up samples of which one is off: most are rods
of 2 m whose rest length is 1 m, whatever the name of their kind."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

from deformbench_analysis import position_constraints as pc


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
    arrays = {
        "constraint_kinds": np.full(30, number),
        "constraint_vertices": vertices,
        "constraint_rest_values": pc.values(number, x) - c,
        "constraint_stiffness": np.ones(30),
        "masses": np.ones(30 * corners),
    }
    frame = {"positions": np.array([x, x + moved]).reshape(2, -1, 3)}
    write_cell(folder, experiment, name, {"kind": kind, "violation": 1e-4}, arrays=arrays, frame=frame)


def test_one_sample_of_one_kind_that_is_not_met_is_the_residual(tmp_path: Path) -> None:
    samples(tmp_path, "mass_weighting", "printed", "distance", 0.0)
    samples(tmp_path, "mass_weighting", "printed", "bend", -0.75)
    samples(tmp_path, "mass_weighting", "corrected", "distance", 0.125)
    samples(tmp_path, "mass_weighting", "corrected", "bend", 0.0)
    samples(tmp_path, "equal_masses", "printed", "distance", 0.0)
    samples(tmp_path, "equal_masses", "printed", "bend", 0.25)
    assert number(tmp_path, "mass_weighting.printed_linear_residual") == pytest.approx(0.75, rel=1e-6)
    assert number(tmp_path, "mass_weighting.printed_distance_linear_residual") == pytest.approx(0, abs=1e-8)
    assert number(tmp_path, "mass_weighting.corrected_linear_residual") == pytest.approx(0.125, rel=1e-6)
    assert number(tmp_path, "equal_masses.printed_linear_residual") == pytest.approx(0.25, rel=1e-6)


def rods(
    folder: Path,
    name: str,
    kind: str,
    moves: Any,
    *,
    experiment: str = "mass_weighting",
    held: tuple[int, ...] = (),
    violation: float = 1e-4,
    where: dict[str, Any] | None = None,
) -> None:
    """Rods along x whose ends, of 1 and 3 kg, move by `moves` [rod, end, 3] in the step."""
    moved = np.array(moves, float)
    count = len(moved)
    x = np.array([[[0.0, k, 0], [2, k, 0]] for k in range(count)])
    coordinates = {"scene.parameters.kind": kind, "scene.parameters.violation": violation} if where is None else where
    arrays = {
        "constraint_kinds": np.full(count, pc.DISTANCE),
        "constraint_vertices": np.array([[2 * k, 2 * k + 1, -1, -1] for k in range(count)]),
        "constraint_rest_values": np.ones(count),
        "constraint_stiffness": np.ones(count),
        "masses": np.tile([1.0, 3.0], count),
        "prescribed_vertices": np.array(held, int),
    }
    series = {"frame": {"positions": np.array([x, x + moved]).reshape(2, -1, 3)}}
    write_cell(folder, experiment, name, coordinates, arrays=arrays, series=series)


def leaving(*left: float) -> list[list[list[float]]]:
    """Moves that leave these violations, m; of 1 m before."""
    return [[[0, 0, 0], [c - 1, 0, 0]] for c in left]


def tilting(size: float) -> list[list[list[float]]]:
    """Σ m Δp of 0, 0.6, 0.15 and 0 times the size; Σ r × m Δp of 0, 0, 0.45 and 0; and one that is held."""
    return [
        [[0, 0, 0], [0, 0, 0]],
        [[0, 0.3 * size, 0], [0, 0.1 * size, 0]],
        [[0, 0.3 * size, 0], [0, -0.05 * size, 0]],
        [[0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 9, 0]],
    ]


@pytest.mark.parametrize("row", ["printed", "corrected"])
def test_momenta_of_one_free_constraint_are_found(tmp_path: Path, row: str) -> None:
    rods(tmp_path, row, "bend", tilting(1.0), held=(8,))
    for quantity, expected in (("linear", 0.6), ("angular", 0.45)):
        assert number(tmp_path, f"mass_weighting.{row}_{quantity}_momentum") == pytest.approx(expected)


def test_momenta_of_vertices_against_triangles_are_those_of_one_constraint_too(tmp_path: Path) -> None:
    rods(tmp_path, "corrected", "triangle_point_scaled", tilting(1.0), held=(8,))
    assert number(tmp_path, "mass_weighting.triangle_point_linear_momentum") == pytest.approx(0.6)
    assert number(tmp_path, "mass_weighting.triangle_point_angular_momentum") == pytest.approx(0.45)


def test_the_momentum_that_moved_is_the_least_of_a_constraint(tmp_path: Path) -> None:
    large = [[0.4, 0, 0], [0.4, 0, 0]]
    rods(tmp_path, "printed", "bend", [large, [[0.2, 0, 0], [0, -0.1, 0]], large])
    assert number(tmp_path, "mass_weighting.moved_momentum") == pytest.approx(0.2 + 3 * 0.1)


def test_what_one_distance_keeps_is_its_residual(tmp_path: Path) -> None:
    rods(tmp_path, "corrected", "distance", leaving(0.01, -0.3, 0.0), violation=0.1)
    assert number(tmp_path, "mass_weighting.distance_residual") == pytest.approx(0.3)


def shared(off: float) -> list[list[list[float]]]:
    """Corrections by the inverse masses 1 and 1/3 of a metre of violation, of which one end of one is off."""
    right = [[0.75, 0, 0], [-0.25, 0, 0]]
    return [right, [[0.75, 0, 0], [-0.25, off, 0]], right]


@pytest.mark.parametrize("name", ["printed", "corrected"])
def test_corrections_are_compared_end_by_end(tmp_path: Path, name: str) -> None:
    for kind, off in (("distance", -0.06), ("bend", -0.03), ("triangle_point", 0.3)):
        rods(tmp_path, name, kind, shared(off))
        rods(tmp_path, "printed" if name == "corrected" else "corrected", kind, shared(0.0))
    assert number(tmp_path, "mass_weighting.distance_correction_error") == pytest.approx(0.06)
    assert number(tmp_path, "mass_weighting.bend_correction_error") == pytest.approx(0.03 / 0.75)
    assert number(tmp_path, "mass_weighting.normal_correction_error") == pytest.approx(0.3 / 0.75)


def test_the_order_is_the_least_of_the_kinds_from_medians(tmp_path: Path) -> None:
    for kind, large in (("bend", 1e-2), ("tetra_volume", 1e-3), ("triangle_point", 3e-3)):
        rods(tmp_path, "corrected", kind, leaving(1e-6, -1e-6, 1e-3, 1e-9, 1e-6))
        rods(tmp_path, "corrected", kind, leaving(large, 1e-8, 0.3, large, -large), violation=1e-2)
    rods(tmp_path, "corrected", "distance", leaving(1e-6))
    found = value_of(tmp_path, "mass_weighting.newton_order_min")
    assert found.value == pytest.approx(1.5, rel=1e-6) and found.note == "tetra_volume"


def test_residuals_are_told_by_the_worst_and_by_the_median(tmp_path: Path) -> None:
    for name in ("printed", "corrected"):
        rods(tmp_path, name, "bend", leaving(0.0, 0.4, -0.8, 0.001, 0.4))
    expected = {
        "printed_residual_median": 0.4,
        "corrected_residual_median": 0.4,
        "corrected_overshoot_share": 0.6,
        "printed_law_error": 0.8,
    }  # β = 1 for two ends
    assert {k: number(tmp_path, "mass_weighting." + k) for k in expected} == pytest.approx(expected)


def test_one_held_end_that_moves_is_seen(tmp_path: Path) -> None:
    moves = [[[0, 0, 0], [9, 0, 0]], [[0, -0.03, 0], [9, 0, 0]], [[0, 0, 0], [9, 0, 0]]]
    rods(tmp_path, "printed", "distance", moves, held=(0, 2, 4))
    assert number(tmp_path, "mass_weighting.held_movement") == pytest.approx(0.03)


def test_overshoots_are_medians_of_their_own_case(tmp_path: Path) -> None:
    cases = {
        ("centroid", "triangle"): ("centroid", 0.3),
        ("edge", "triangle"): ("edge", 0.1),
        ("corner", "triangle"): ("corner", 0.2),
        ("centroid", "point"): ("free_triangle", -0.4),
    }
    for (place, held), (_, left) in cases.items():
        where = {"scene.parameters.place": place, "scene.parameters.held": held}
        moves = leaving(left, -0.9, left, 0.9, left)
        rods(tmp_path, "printed", "", moves, experiment="vertex_triangle_overshoot", where=where)
        rods(tmp_path, "corrected", "", leaving(0.01, -left, 0.02), experiment="vertex_triangle_overshoot", where=where)
        moves = leaving(6 + left, 7 + left, 90, 0.1, 7 + left)
        rods(tmp_path, "printed_iterated", "", moves, experiment="vertex_triangle_overshoot", where=where)
    for quantity, left in cases.values():
        assert number(tmp_path, "vertex_triangle_overshoot." + quantity) == pytest.approx(1 - left)
    assert number(tmp_path, "vertex_triangle_overshoot.corrected_residual") == pytest.approx(0.4)
    assert number(tmp_path, "vertex_triangle_overshoot.iterated_growth") == pytest.approx(7.3)

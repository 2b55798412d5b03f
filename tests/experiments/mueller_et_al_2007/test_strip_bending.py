# SPDX-License-Identifier: BSD-3-Clause
"""Deflection of one strip in several meshes, and masses of vertices, on made-up traces."""

from pathlib import Path

import numpy as np
import pytest
from measured import value_of
from position_cells import write_cell

from experiments.mueller_et_al_2007.measurements import strip_bending as m
from deformbench_analysis.trace import Trace

REST = np.array([[0.0, 0, 0], [2, 0, 0], [0, 0, -1], [3, 0, -2]])
TRIANGLES = np.array([[0, 1, 2], [1, 3, 2]])
AREAS = (1.0, 2.5)


def strip(
    folder: Path,
    name: str,
    along: int,
    sag: float,
    *,
    cells: str = "alternating",
    across: int | None = None,
    masses: np.ndarray | None = None,
    rest: np.ndarray = REST,
) -> None:
    """One that swings four times about `sag`, one corner of the tip lower than the other by more in the finer
    mesh."""
    time = np.linspace(0, 1, 401)
    positions = np.repeat(rest[None], len(time), axis=0)
    lower = 0.02 * along * np.array([-1, 1])
    positions[:, [1, 3], 1] = -2.0 * sag * np.outer(1 - np.cos(8 * np.pi * time), 1 + lower)
    thirds = 0.3 * np.array([AREAS[0], sum(AREAS), sum(AREAS), AREAS[1]]) / 3
    arrays = {
        "rest_positions": rest,
        "triangles": TRIANGLES,
        "masses": thirds if masses is None else masses,
        "vertex_set_tip": np.array([1, 3]),
    }
    swept = {"cells_along": along, "cells_across": across or along // 4, "cells": cells}
    scene = {"length_m": 2.0, "area_density_kg_m2": 0.3}
    write_cell(folder, "strip_bending", name, swept, scene=scene, frame={"positions": positions}, arrays=arrays)


def test_the_mesh_that_sags_most_and_the_one_that_sags_least_give_the_spread(tmp_path: Path) -> None:
    for along, cells, sag in (
        (4, "alternating", 1e-3),
        (8, "alternating", 8e-3),
        (8, "one_way", 2e-3),
        (8, "graded", 24e-3),
        (12, "alternating", 9e-3),
    ):
        strip(tmp_path, "angle", along, sag, cells=cells)
        strip(tmp_path, "diagonal", along, 0.1, cells=cells)
    value = value_of(tmp_path, "strip_bending.angle_spread")
    assert (
        value.value == pytest.approx(24, rel=1e-3) and "graded" in value.note and "(4, 1, 'alternating')" in value.note
    )
    assert value_of(tmp_path, "strip_bending.angle_shape_spread").value == pytest.approx(12, rel=1e-3)
    assert value_of(tmp_path, "strip_bending.angle_size_exponent").value == pytest.approx(2, rel=1e-3)
    assert value_of(tmp_path, "strip_bending.diagonal_sag_ratio").value == pytest.approx(0.1 / 24e-3, rel=1e-3)


def test_one_mesh_alone_is_no_comparison(tmp_path: Path) -> None:
    strip(tmp_path, "angle", 8, 1e-3)
    assert value_of(tmp_path, "strip_bending.angle_spread").is_missing


def test_a_mass_shared_by_number_and_not_by_area_is_found_in_one_vertex(tmp_path: Path) -> None:
    strip(tmp_path, "angle", 4, 1e-3)
    assert value_of(tmp_path, "strip_bending.vertex_mass_error").value == pytest.approx(0, abs=1e-14)
    assert value_of(tmp_path, "strip_bending.unequal_triangles").value == pytest.approx(2.5)
    wrong = 0.3 * np.array([1.0, 3.5, 3.5, 2.5]) / 3
    wrong[0] *= 1.25
    strip(tmp_path, "angle", 8, 1e-3, masses=wrong)
    assert value_of(tmp_path, "strip_bending.vertex_mass_error").value == pytest.approx(0.25)


def test_a_sag_is_the_weighted_mean_below_the_start_over_the_length(tmp_path: Path) -> None:
    positions = np.repeat(REST[None], 9, axis=0)
    positions[:, [1, 3], 1] = [[1.0, 1]] + 7 * [[0.8, 0.6]] + [[5.0, 5]]  # first and last row have no weight
    arrays = {"vertex_set_tip": np.array([1, 3])}
    series = {"frame": {"positions": positions}}
    path = write_cell(tmp_path, "strip_bending", "angle", {}, scene={"length_m": 2.0}, series=series, arrays=arrays)
    assert m.sag(Trace(path)) == pytest.approx(0.3 / 2)


def test_the_largest_movement_of_the_angle_and_the_least_of_the_distance_are_judged(tmp_path: Path) -> None:
    for name, edge, moves in (
        ("angle", 0.5, (0.0, 0.0)),
        ("angle", 1.0, (0.0, 3e-3)),
        ("diagonal", 0.5, (0.2, 0.4)),
        ("diagonal", 1.0, (0.3, 0.1)),
    ):
        x = np.zeros((2, 2, 4, 3))
        x[0, 1, 2, 1], x[1, 1, 3, 0] = moves
        write_cell(tmp_path, "bending_edge_length", name, {"edge_m": edge}, frame={"positions": x})
    assert value_of(tmp_path, "bending_edge_length.angle_movement").value == pytest.approx(3e-3)
    assert value_of(tmp_path, "bending_edge_length.diagonal_movement").value == pytest.approx(0.3)


def pair_of_triangles(fold: float, edge: float, height: float) -> np.ndarray:
    """An edge along z, and a vertex on either side of it, folded by `fold`."""
    c, s = np.cos(fold / 2), np.sin(fold / 2)
    return np.array([[0, 0, 0], [0, 0, edge], [height * c, height * s, 0], [-height * c, height * s, 0]])


def projected(folder: Path, name: str, edge: float, height: float, share: float, members: int = 1) -> None:
    """A pair at rest at a fold of half a radian, a hundredth too far, of which one step takes the share away; twice
    as much of the last member's."""
    shares = [share] * (members - 1) + [(2 if members > 1 else 1) * share]
    x = np.array([[pair_of_triangles(0.51 - 0.01 * s * k, edge, height) for k in range(2)] for s in shares])
    arrays = {"rest_positions": pair_of_triangles(0.5, edge, height)}
    swept = {"edge_m": edge, "height_m": height}
    parameters = {"bend_stiffness": 0.5}
    frame = {"positions": x}
    write_cell(
        folder, "bending_edge_length", name, swept, parameters=parameters, seeds=members, arrays=arrays, frame=frame
    )


SHAPES = ((0.01, 0.01), (1.0, 0.01), (1.0, 1.0))


def test_the_term_takes_the_same_share_of_the_angle_whatever_the_edges(tmp_path: Path) -> None:
    for edge, height in SHAPES:
        projected(tmp_path, "half", edge, height, 0.5)
        projected(tmp_path, "compliant", edge, height, 0.9 * height)
    assert value_of(tmp_path, "bending_edge_length.share_error").value == pytest.approx(0, abs=1e-9)
    assert value_of(tmp_path, "bending_edge_length.compliant_share_spread").value == pytest.approx(0.891)
    projected(tmp_path, "half", 0.1, 0.1, 0.5, members=3)
    assert value_of(tmp_path, "bending_edge_length.share_error").value == pytest.approx(1.0)


def test_a_hinge_weighted_by_its_edge_and_areas_is_not_one_that_knows_the_angle_alone(tmp_path: Path) -> None:
    for edge, height in SHAPES:
        weight = edge**2 / (edge * height)  # |e|² / (A1 + A2)
        projected(tmp_path, "half", edge, height, 0.5 * min(weight, 1.5))
    found = value_of(tmp_path, "bending_edge_length.share_error").value
    assert found == pytest.approx(0.5)

# SPDX-License-Identifier: BSD-3-Clause
"""Bounds and counts of the big scenes of cloth: worst rows, members and runs, ends and last parts of a run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

SCENES = ("folded_cloth", "cloth_over_bar", "barrel", "stripes", "tearing", "gears", "characters", "level")


def run(
    folder: Path,
    experiment: str,
    number: int,
    step: Mapping[str, Any] | None = None,
    operator: Mapping[str, Any] | None = None,
    name: str = "pbd",
    members: int = 0,
    **more: Any,
) -> None:
    """The number tells one run of an experiment from another."""
    clocks = {
        clock: {k: np.array(v, float) for k, v in columns.items()}
        for clock, columns in (("step", step), ("operator", operator))
        if columns
    }
    swept = {"scene.parameters.number": number, **more.pop("coordinates", {})}
    write_cell(folder, experiment, name, swept, series=clocks, seeds=members, **more)


@pytest.mark.parametrize("experiment", SCENES)
def test_the_worst_depth_and_strain_of_any_row_is_told(tmp_path: Path, experiment: str) -> None:
    run(tmp_path, experiment, 1, {"penetration_depth": [0.5, 4, 0], "edge_strain_max": [0.5, 5, 0]})
    assert number(tmp_path, f"{experiment}.penetration") == 4 and number(tmp_path, f"{experiment}.strain_max") == 5


@pytest.mark.parametrize("experiment", ["folded_cloth", "cloth_over_bar", "barrel", "gears", "characters", "level"])
def test_crossings_are_the_most_of_any_row(tmp_path: Path, experiment: str) -> None:
    run(tmp_path, experiment, 1, operator={"self_intersections": [0.5, 4, 0]})
    assert number(tmp_path, f"{experiment}.intersections") == 4


def test_the_worst_member_counts(tmp_path: Path) -> None:
    run(tmp_path, "gears", 1, {"penetration_depth": [[1, 2, 1], [1, 7, 1], [3, 1, 1]]}, members=3)
    assert number(tmp_path, "gears.penetration") == 7


@pytest.mark.parametrize("measurement", [*(f"{e}.diverged" for e in SCENES), "frame_cost.runs_not_finite"])
def test_a_run_that_stops_or_has_one_energy_that_is_not_finite_counts_as_diverged(
    tmp_path: Path, measurement: str
) -> None:
    experiment = measurement.split(".")[0]
    for k, (energy, status) in enumerate(
        (
            ([1, 2, 3], "completed"),
            ([1, 2, 3], "diverged"),
            ([1, np.nan, 3], "completed"),
            ([1, np.inf, 3], "completed"),
        )
    ):
        run(tmp_path, experiment, k, {"kinetic_energy": energy}, status=status)
    found = value_of(tmp_path, measurement)
    assert found.value == 3 and "number=0" not in found.note


@pytest.mark.parametrize("experiment", ["folded_cloth", "tearing"])
def test_the_size_of_the_cloth_is_that_of_the_scene(tmp_path: Path, experiment: str) -> None:
    arrays = {"rest_positions": np.zeros((5, 3)), "triangles": np.array([[0, 1, 2], [1, 3, 2], [2, 3, 4]])}
    run(tmp_path, experiment, 1, {"kinetic_energy": [1]}, arrays=arrays)
    assert number(tmp_path, f"{experiment}.vertices") == 5 and number(tmp_path, f"{experiment}.triangles") == 3


@pytest.mark.parametrize("experiment", ["stripes", "level"])
def test_cloths_are_connected_pieces_and_bodies_those_of_the_scene(tmp_path: Path, experiment: str) -> None:
    triangles = np.array([[0, 1, 2], [3, 4, 5], [4, 6, 5], [7, 8, 9], [2, 1, 10]])
    arrays = {"triangles": triangles, "rigid_masses": np.array([0.0, 2])}
    run(tmp_path, experiment, 1, {"kinetic_energy": [1]}, arrays=arrays)
    assert number(tmp_path, f"{experiment}.cloths") == 3 and number(tmp_path, f"{experiment}.rigid_bodies") == 2


@pytest.mark.parametrize("experiment", ["folded_cloth", "cloth_over_bar", "barrel"])
def test_the_distance_is_the_least_at_any_time_over_the_thickness(tmp_path: Path, experiment: str) -> None:
    distances = {"self_distance": [0.5, 0.014, 0.018, 0.5, 0.4]}
    run(tmp_path, experiment, 1, operator=distances, parameters={"thickness_m": 0.02})
    assert number(tmp_path, f"{experiment}.least_distance") == pytest.approx(0.7)


@pytest.mark.parametrize("experiment", ["folded_cloth", "cloth_over_bar"])
def test_creep_is_the_worst_vertexs_displacement_within_the_last_quarter_over_the_thickness(
    tmp_path: Path, experiment: str
) -> None:
    def course(way: float) -> np.ndarray:
        x = np.zeros((13, 3, 3))  # the last quarter begins at row 9
        x[:9] = 50.0
        x[9:] = [1.0, 2, 3]
        x[11, 1] += [0.6 * way, 0, 0.8 * way]  # there and back
        return x

    frame = {"positions": np.array([course(0.002), course(0.004), course(0.0)])}
    write_cell(tmp_path, experiment, "pbd", {"number": 1}, frame=frame, seeds=3, parameters={"thickness_m": 0.01})
    assert number(tmp_path, f"{experiment}.creep") == pytest.approx(0.4)


@pytest.mark.parametrize("experiment", ["folded_cloth", "cloth_over_bar"])
def test_rest_is_the_worst_members_largest_energy_at_the_end_over_its_own_largest(
    tmp_path: Path, experiment: str
) -> None:
    course = np.array([0, 3, 8, 7, 6, 5, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1])
    energies = [[*course, 0.2, 0.3], [*(2 * course), 0.2, 1.6], [*course, 0.2, 0.1]]
    run(tmp_path, experiment, 1, {"kinetic_energy": energies}, members=3)
    assert number(tmp_path, f"{experiment}.rest_energy") == pytest.approx(0.1)


def balloon(folder: Path, stiffness: float, pressure: float, volume: list[float], **more: Any) -> None:
    coordinates = {"method.parameters.stretch_stiffness": stiffness, "method.parameters.pressure": pressure}
    run(folder, "balloon", 1, {"closed_volume": volume}, coordinates=coordinates, **more)


def test_volumes_of_balloons_are_judged_at_the_end_by_stiffness(tmp_path: Path) -> None:
    balloon(tmp_path, 0.01, 2.0, [2.0, 9.0, 4 * 0.95])
    balloon(tmp_path, 0.5, 2.0, [2.0, 9.0, 50.0])
    balloon(tmp_path, 1.0, 2.0, [2.0, 9.0, 4 * 0.7])
    assert number(tmp_path, "balloon.soft_volume_error") == pytest.approx(0.05)
    assert number(tmp_path, "balloon.stiff_volume_error") == pytest.approx(0.3)


def test_a_balloon_that_bursts_is_infinitely_wrong_and_not_left_out(tmp_path: Path) -> None:
    for stiffness in (0.01, 0.5, 1.0):
        balloon(tmp_path, stiffness, 1.0, [2.0, 2.0])
    for stiffness in (0.01, 1.0):
        balloon(tmp_path, stiffness, 2.0, [2.0, 4.0], status="diverged")
    assert number(tmp_path, "balloon.soft_volume_error") == np.inf
    assert number(tmp_path, "balloon.stiff_volume_error") == np.inf


def test_the_characters_volume_is_that_at_the_end_and_infinitely_wrong_where_it_bursts(tmp_path: Path) -> None:
    at = {"coordinates": {"method.parameters.pressure": 2.0}}
    run(tmp_path / "whole", "inflated_character", 1, {"closed_volume": [3.0, 8.0, 6 * 0.9]}, **at)
    assert number(tmp_path / "whole", "inflated_character.volume_error") == pytest.approx(0.1)
    run(tmp_path / "burst", "inflated_character", 1, {"closed_volume": [3.0, 6.0]}, **at, status="diverged")
    assert number(tmp_path / "burst", "inflated_character.volume_error") == np.inf


def test_tearing_counts_ends_and_the_worst_rows_over_members(tmp_path: Path) -> None:
    rows = {
        "torn_vertices": [[0, 9, 8], [0, 5, 7], [0, 9, 9]],
        "mass": [[2, 2, 2], [2, 1.8, 2], [2, 2, 2.02]],
        "non_manifold_edges": [[0, 0, 0], [0, 2, 0], [1, 0, 0]],
        "boundary_length": [[2, 4, 6], [2, 3.25, 2.6], [2, 5, 5]],
    }
    run(tmp_path, "tearing", 1, rows, members=3)
    expected = {
        "torn_vertices": 7,
        "mass_change": 0.1,
        "non_manifold_edges": 2,
        "boundary_shrinkage": 0.2,
        "boundary_growth": 1.3,
    }
    assert {k: number(tmp_path, "tearing." + k) for k in expected} == pytest.approx(expected)


def test_a_boundary_that_only_grows_does_not_shrink(tmp_path: Path) -> None:
    run(tmp_path, "tearing", 0, {"boundary_length": [1, 2, 3]})
    assert number(tmp_path, "tearing.boundary_shrinkage") == 0


def test_gears_squeeze_and_let_go(tmp_path: Path) -> None:
    first = [0.5, 9.0]  # the first tenth of twenty rows
    worst, other = first + [1.0] * 8 + [0.6] + [1.0] * 8 + [0.95], first + [1.0] * 18
    volume = 2 * 1.5 * np.array([worst, other, other])
    volume[:, 0] = 2.0
    run(tmp_path, "gears", 1, {"closed_volume": volume}, members=3, parameters={"pressure": 1.5})
    assert number(tmp_path, "gears.volume_recovery") == pytest.approx(0.05)
    assert number(tmp_path, "gears.squeezed_volume") == pytest.approx(0.6)


def test_contacts_of_bodies_and_of_the_cloth_are_added_step_by_step(tmp_path: Path) -> None:
    run(tmp_path, "gears", 1, {"body_contacts": [0, 4, 7], "self_contacts": [6, 5, 0]})
    assert number(tmp_path, "gears.contacts") == 9


def test_a_boxs_depth_is_that_at_the_end(tmp_path: Path) -> None:
    place = np.array([[[0, 1, 0]], [[9, -5, 9]], [[7, -0.3, 8]]], float)
    for row in ("corners", "vertices_alone"):
        run(tmp_path, "box_on_net", 1, {"rigid_positions": place}, name=row, scene={"side_m": 0.5})
        assert number(tmp_path, f"box_on_net.{row}_depth") == pytest.approx(0.6)


def test_the_depth_of_large_boxes_is_that_of_the_deepest(tmp_path: Path) -> None:
    for edge, height in ((0.3, -0.1), (0.5, 0.2)):
        place = np.array([[[0, 1, 0]], [[7, height, 8]]], float)
        at = {"scene.parameters.box_size_m": edge}
        run(tmp_path, "large_box_on_net", 1, {"rigid_positions": place}, coordinates=at, scene={"side_m": 0.5})
    assert number(tmp_path, "large_box_on_net.vertices_alone_depth") == pytest.approx(0.2)


def test_boxes_are_told_apart_by_their_mass_and_the_way_of_a_step_over_their_edge(tmp_path: Path) -> None:
    cells = (  # height of fall, time step, edge, mass, place at the end; √(2gh) is 2 or 4 m/s, the cloth has 1 kg
        (0.2, 0.001, 0.05, 0.2, -0.1),  # 0.04
        (0.8, 0.001, 0.01, 0.6, -0.2),  # 0.4
        (0.2, 0.001, 0.05, 7.0, -9.0),  # 0.04, heavy
        (0.2, 0.01, 0.05, 0.2, 0.1),  # 0.4
        (0.2, 0.01, 0.01, 0.2, -8.0),  # 2
    )
    for row in ("corners", "vertices_alone"):
        for fall, step, edge, mass, height in cells:
            at = {"height_m": fall, "time_step_s": step, "box_size_m": edge, "mass_kg": mass}
            run(
                tmp_path,
                "box_on_net_sizes",
                1,
                {"rigid_positions": np.array([[[0, 1, 0]], [[7, height, 8]]], float)},
                name=row,
                coordinates={f"scene.parameters.{k}": v for k, v in at.items()},
                scene={"side_m": 2.0, "gravity_m_s2": [0, -10.0, 0], "area_density_kg_m2": 0.25},
            )
    names = ("corners_depth", "vertices_alone_depth", "regime_depth", "regime_boxes", "least_way_of_fallen")
    assert [number(tmp_path, f"box_on_net_sizes.{n}") for n in names] == pytest.approx([4.5, -0.05, 0.1, 3, 0.04])
    note = value_of(tmp_path, "box_on_net_sizes.regime_boxes").note
    assert note == "ways up to 0.4 of an edge, 0.2 to 0.6 of the cloth's mass"


def test_the_heaviest_body_is_told_in_stripes(tmp_path: Path) -> None:
    scene = {"area_density_kg_m2": 0.2, "width_m": 0.5, "length_m": 2.0}
    at = {"scene.parameters.masses_kg": [0.1, 0.8, 0.2]}
    run(tmp_path, "stripes_heavy", 1, {"kinetic_energy": [0.0]}, coordinates=at, scene=scene)
    assert number(tmp_path, "stripes_heavy.mass_ratio") == pytest.approx(4)

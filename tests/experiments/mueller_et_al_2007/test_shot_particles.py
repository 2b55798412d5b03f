# SPDX-License-Identifier: BSD-3-Clause
"""Particles shot at bodies: depths, passages and shares of steps inside, one row,
one particle or one target being wrong."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

SIZE = 0.5  # m; the plate is 0.02 m thick, a capsule has half the radius


def shot(
    folder: Path, target: str, positions: object, velocities: object = None, row: str = "literal", paired: bool = False
) -> None:
    """positions [row, particle, 3]; steps of 0.1 s."""
    x = np.array(positions, float)
    v = np.zeros_like(x) if velocities is None else np.array(velocities, float)
    scene = {"radius_m": SIZE, "thickness_m": 0.02, "time_step_s": 0.1}
    frame = {"positions": x, "velocities": v}
    write_cell(folder, "collision_projection", row, {"target": target, "paired": paired}, scene=scene, frame=frame)


@pytest.mark.parametrize(
    "target,point,expected",
    [
        ("sphere", [0, 0.3, 0], -0.2),
        ("capsule", [0, 0.6, 0], 0.1),
        ("capsule", [0.1, 0.1, 0], -0.15),
        ("plane", [3, -0.4, 1], -0.4),
        ("box", [0, 0.2, 0], 0.19),
        ("box", [0.2, 0.004, 0], -0.006),
        ("octahedron", [0.5, 0, 0], 0.0),
        ("octahedron", [0.2, 0.1, -0.1], -0.1 / 3**0.5),
    ],
)
def test_depths_are_measured_from_the_surface(tmp_path: Path, target: str, point: list[float], expected: float) -> None:
    shot(tmp_path, target, [[point], [point]])
    assert number(tmp_path, "collision_projection.literal_single_depth") == pytest.approx(
        max(0.0, -expected / SIZE), abs=1e-14
    )


@pytest.mark.parametrize("row", ["literal", "both", "continuous", "static"])
@pytest.mark.parametrize("paired", [False, True])
def test_the_deepest_particle_of_any_step_is_found(tmp_path: Path, row: str, paired: bool) -> None:
    far, at = [2.0, 2, 2], [0, 0.47, 0]
    shot(tmp_path, "capsule", [[far, far, far], [far, at, far], [far, far, far]], row=row, paired=paired)
    which = "paired" if paired else "single"
    assert number(tmp_path, f"collision_projection.{row}_{which}_depth") == pytest.approx(0.06)


def test_a_particle_that_is_nowhere_leaves_no_depth(tmp_path: Path) -> None:
    lost = [np.nan] * 3
    shot(tmp_path, "sphere", [[[0.0, 0.4, 0], [0.0, 1, 0]], [[0.0, 0.4, 0], lost]])
    shot(tmp_path, "capsule", [[[0.0, 0.4, 0], [0.0, 1, 0]]] * 2)
    assert value_of(tmp_path, "collision_projection.literal_single_depth").value is None


@pytest.mark.parametrize("row", ["literal", "both", "continuous", "static"])
@pytest.mark.parametrize("paired", [False, True])
def test_passages_are_counted_over_all_targets_steps_and_particles(tmp_path: Path, row: str, paired: bool) -> None:
    over, under, beside = [0.1, 0.6, 0], [0.1, -0.6, 0.1], [3.0, 0.6, 0]
    positions = [[over, beside], [under, beside], [under, over], [over, under], [over, under]]
    shot(tmp_path, "box", positions, row=row, paired=paired)
    shot(tmp_path, "sphere", [[over, beside], [over, beside], [under, beside]], row=row, paired=paired)
    shot(tmp_path, "octahedron", [[beside, beside], [over, beside], [over, beside]], row=row, paired=paired)
    which = "paired" if paired else "single"
    found = value_of(tmp_path, f"collision_projection.{row}_{which}_passages")
    assert found.value == 4 and "box" in found.note


def test_a_particle_that_jumps_through_a_plate_is_seen_though_it_is_never_inside(tmp_path: Path) -> None:
    shot(tmp_path, "box", [[[0.1, 0.5, 0]], [[0.1, -0.5, 0]], [[0.1, -0.6, 0]], [[2.0, -0.6, 0]], [[2.0, 0.6, 0]]])
    assert number(tmp_path, "collision_projection.literal_single_passages") == 1  # beside the plate it may pass
    assert number(tmp_path, "collision_projection.literal_single_depth") == 0


def test_a_way_beside_the_body_or_past_its_edge_is_no_passage(tmp_path: Path) -> None:
    shot(
        tmp_path, "sphere", [[[0.6, 0.6, 0], [-0.6, 0.9, 0]], [[0.7, -0.6, 0], [0.6, 0.52, 0]]]
    )  # the second passes over the top
    assert number(tmp_path, "collision_projection.literal_single_passages") == 0


@pytest.mark.parametrize("row", ["literal", "both", "continuous", "static"])
@pytest.mark.parametrize("paired", [False, True])
def test_the_share_that_ends_inside_is_of_the_steps_that_concern_the_target(
    tmp_path: Path, row: str, paired: bool
) -> None:
    above, below, away = [0.0, 0.2, 0], [0.0, -0.1, 0], [0.0, 9.0, 0]
    down, rest = [0.0, -5, 0], [0.0, 0, 0]  # 0.5 m in a step
    # Steps that concern the plane: into it (two), out of it (one),
    # stopped above it (three, two of them of one particle).
    positions = [[above, above, away, above], [below, above, away, above], [above, below, away, above]]
    velocities = [[down, down, rest, rest], [rest, rest, rest, down], [rest, rest, rest, rest]]
    shot(tmp_path, "plane", positions, velocities, row=row, paired=paired)
    # Sphere: one of four steps ends inside, so that the plane has the larger share.
    over, inside, fast = [0.0, 0.7, 0], [0.0, 0.2, 0], [0.0, -14, 0]
    positions = [[over, over], [over, over], [over, over], [inside, over]]
    velocities = [[fast, rest], [fast, fast], [fast, rest], [rest, rest]]
    shot(tmp_path, "sphere", positions, velocities, row=row, paired=paired)
    which = "paired" if paired else "single"
    # The plane: step 1 of particles 1, 2 (1 is inside), step 2 of particle 1 (begins inside), 2 (ends inside),
    # 4 (free way): 2 of 5.
    assert number(tmp_path, f"collision_projection.{row}_{which}_inside") == pytest.approx(2 / 5)
    if row == "literal":
        assert (
            number(tmp_path, "collision_projection.contact_steps") == 4
        )  # the sphere's: one free way each, and one more in the second step


def test_nothing_is_judged_where_nothing_hits(tmp_path: Path) -> None:
    away, over = [9.0, 9, 9], [0.0, 0.7, 0]
    shot(tmp_path, "sphere", [[over, over], [over, over]], [[[0, -6, 0], [0, -6, 0]], [[0.0] * 3] * 2])
    shot(tmp_path, "box", [[over, away], [over, away]], paired=True)
    found = value_of(tmp_path, "collision_projection.contact_steps")
    assert found.value == 0 and "box" in found.note

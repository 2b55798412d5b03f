# SPDX-License-Identifier: BSD-3-Clause
"""A surface under affine maps: the worst vertex of the worst pose of the worst cell, positions and normals."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from experiments.mueller_gross_2004.measurements.embedded_surface import stretch_closed_form, vertex_normals

MESH = np.array([[0.0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 1]])
SKIN = 0.5 + 0.25 * np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
TRIANGLES = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
NORMALS = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(3)
MOVE = np.array([3.0, -1.0, 2.0])


def turned(normals: np.ndarray, vertex: int, angle: float) -> np.ndarray:
    """One normal tilted by `angle` about an axis across it."""
    found = normals.copy()
    across = np.cross(found[vertex], [0.3, -0.8, 0.5])
    found[vertex] = np.cos(angle) * found[vertex] + np.sin(angle) * across / np.linalg.norm(across)
    return found


def posed(
    folder: Path,
    field: str,
    gradients: list[np.ndarray],
    *,
    shift: tuple[int, int, float] = (0, 0, 0.0),
    tilt_rotated: tuple[int, int, float] = (0, 0, 0.0),
    tilt_exact: tuple[int, int, float] = (0, 0, 0.0),
) -> None:
    """Each pose an affine map; shift and tilts: (pose, vertex, size)."""
    channels: dict[str, list[np.ndarray]] = {
        n: [] for n in ("positions", "skin_positions", "skin_normals_rotated", "skin_normals_exact")
    }
    for row, f in enumerate(gradients):
        skin = SKIN @ f.T + MOVE
        exact = NORMALS @ np.linalg.inv(f)
        exact /= np.linalg.norm(exact, axis=1, keepdims=True)
        channels["positions"].append(MESH @ f.T + MOVE)
        if row == shift[0]:
            skin[shift[1], 2] += shift[2]
        channels["skin_positions"].append(skin)
        channels["skin_normals_rotated"].append(
            turned(exact, tilt_rotated[1], tilt_rotated[2] if row == tilt_rotated[0] else 0.0)
        )
        channels["skin_normals_exact"].append(
            turned(exact, tilt_exact[1], tilt_exact[2] if row == tilt_exact[0] else 0.0)
        )
    write_trace(
        folder,
        "mueller_gross_2004/embedded_surface warped_fem",
        swept={"schedule.poses.field": field},
        scene={"first": float(gradients[0][0, 0])},
        arrays={"rest_positions": MESH, "skin_rest_positions": SKIN, "skin_triangles": TRIANGLES},
        pose={k: np.array(v) for k, v in channels.items()},
    )


STRETCHES = [np.diag([1.0, 1, 1]), np.array([[1.0, 0.5, 0], [0, 2, 0], [0.2, 0, 1]]), np.diag([0.5, 1, 2])]
TURN = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])


def test_exact_maps_have_no_error(tmp_path: Path) -> None:
    posed(tmp_path, "random_rigid", [np.eye(3), TURN])
    posed(tmp_path, "affine", STRETCHES)
    names = "position_error rotated_normal_error_rad rotated_normal_error_rigid_rad exact_normal_error_rad"
    for name in names.split():
        assert number(tmp_path, f"embedded_surface.{name}") < 1e-14


@pytest.mark.parametrize("pose,vertex", [(0, 3), (1, 0), (2, 1)])
def test_one_tilted_normal_is_the_error_of_its_kind_of_map(tmp_path: Path, pose: int, vertex: int) -> None:
    gradients = [np.eye(3), TURN, TURN @ TURN]
    posed(tmp_path, "random_rigid", gradients, tilt_rotated=(pose, vertex, 0.125), tilt_exact=(pose, vertex, 0.0625))
    posed(tmp_path, "affine", STRETCHES, tilt_rotated=(pose, vertex, 0.25))
    assert number(tmp_path, "embedded_surface.rotated_normal_error_rad") == pytest.approx(0.25)
    assert number(tmp_path, "embedded_surface.rotated_normal_error_rigid_rad") == pytest.approx(0.125)
    assert number(tmp_path, "embedded_surface.exact_normal_error_rad") == pytest.approx(0.0625)


@pytest.mark.parametrize("pose", [0, 1])
def test_one_shifted_vertex_is_the_error_over_the_size_of_that_pose(tmp_path: Path, pose: int) -> None:
    posed(tmp_path, "affine", [np.eye(3), TURN], shift=(pose, 1, -0.1))
    # The box of the surface has sides of 0.5 m, and 0.6 m where the vertex was moved down.
    assert number(tmp_path, "embedded_surface.position_error") == pytest.approx(
        0.1 / (np.sqrt(0.5**2 + 0.5**2 + 0.6**2) + np.linalg.norm(MOVE))
    )


def test_vertex_normals_of_a_cube_do_not_depend_on_how_its_faces_are_divided() -> None:
    corners = np.array([[x, y, z] for x in (0.0, 1) for y in (0.0, 1) for z in (0.0, 1)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    turn = np.linalg.qr(np.random.default_rng(2).standard_normal((3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    assert np.abs(vertex_normals(corners @ turn.T, triangles) - (2 * corners - 1) @ turn.T / np.sqrt(3)).max() < 1e-14


def test_the_closed_form_of_a_turned_normal_under_a_stretch() -> None:
    assert stretch_closed_form(2.0, np.array([np.pi / 4]))[0] == pytest.approx(np.arctan(2.0) - np.pi / 4)

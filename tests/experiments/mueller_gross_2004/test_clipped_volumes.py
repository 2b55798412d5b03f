# SPDX-License-Identifier: BSD-3-Clause
"""How much of a body lies in each tetrahedron, against shapes whose parts are known."""

import numpy as np
import pytest
from block_runs import SKIN

from deformbench_analysis.clipped_volumes import clipped_polygon, clipped_volumes, inside_fraction, winding
from deformbench_analysis.mesh import volumes

CUBE = np.array([[x, y, z] for x in (0.0, 1) for y in (0.0, 1) for z in (0.0, 1)])


def six(corner: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
    """A cube of six tetrahedra along its diagonal."""
    points = corner + size * CUBE
    tets = []
    for first, second, third in ((4, 6, 7), (4, 5, 7), (2, 6, 7), (2, 3, 7), (1, 5, 7), (1, 3, 7)):
        tet = [0, first, second, third]
        if volumes(points, np.array([tet]))[0] < 0:
            tet = [0, second, first, third]
        tets.append(tet)
    return points, np.array(tets)


def test_points_are_inside_or_outside() -> None:
    assert winding(np.array([[0.3, 0.4, 0.5], [1.3, 0.4, 0.5], [-0.1, 0.2, 0.3]]), CUBE[SKIN]) == pytest.approx(
        [1, 0, 0], abs=1e-12
    )


def test_a_segment_and_a_polygon_are_cut_where_they_leave() -> None:
    assert inside_fraction(np.array([-1, 0.31, 0.4]), np.array([3, 0.31, 0.4]), False, CUBE[SKIN]) == pytest.approx(
        0.25
    )
    assert inside_fraction(np.array([-1, 0.31, 0.4]), np.array([0.5, 0.31, 0.4]), True, CUBE[SKIN]) == pytest.approx(
        1 / 3
    )
    square = np.array([[0.0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]])
    left = clipped_polygon(square, [(np.array([1.0, 0, 0]), 0.5)])
    assert left[:, 0].max() == 0.5 and len(left) == 4
    assert len(clipped_polygon(square, [(np.array([-1.0, 0, 0]), -3.0)])) == 0


@pytest.mark.parametrize(
    "corner, size, share",
    [
        ((-1, -1, -1), 3.0, 1 / 27),
        ((0.25, 0.25, 0.25), 0.5, 1.0),
        ((0.5, 0.25, 0.25), 1.0, 0.5 * 0.75 * 0.75),
        ((2, 2, 2), 1.0, 0.0),
    ],
)
def test_the_parts_of_a_cube_add_up_to_what_lies_in_the_other_cube(
    corner: tuple[float, float, float], size: float, share: float
) -> None:
    points, tets = six(np.array(corner, dtype=float), size)
    assert clipped_volumes(points, tets, CUBE, SKIN).sum() == pytest.approx(share * size**3, abs=1e-6)


def test_the_part_in_one_tetrahedron_is_the_pyramid_that_is_cut_off() -> None:
    points, tets = np.array([[0.5, 0.5, 0.5], [3, 0.5, 0.5], [0.5, 3, 0.5], [0.5, 0.5, 3]]), np.array([[0, 1, 2, 3]])
    # x + y + z <= 4 holds in all of the corner cube of edge 1/2, so that all of it is the tetrahedron's.
    assert clipped_volumes(points, tets, CUBE, SKIN)[0] == pytest.approx(1 / 8, abs=1e-6)
    lower = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * 1.2 + 0.1
    # Corner (0.1, 0.1, 0.1), x + y + z <= 1.5: three tips of edge 0.3 stick out of the cube.
    assert clipped_volumes(lower, tets, CUBE, SKIN)[0] == pytest.approx((1.2**3 - 3 * 0.3**3) / 6, abs=1e-6)


def test_a_ring_of_eight_cubes_leaves_its_hole_empty() -> None:
    blocks = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
    corners = []
    for i, j in blocks:
        faces = {(-1, 0): SKIN[[0, 1]], (1, 0): SKIN[[2, 3]], (0, -1): SKIN[[4, 5]], (0, 1): SKIN[[6, 7]]}
        shown = [SKIN[8:]] + [f for (a, b), f in faces.items() if (i + a, j + b) not in blocks]
        corners.append((CUBE + [i, j, 0])[np.vstack(shown)])
    points = np.concatenate(corners).reshape(-1, 3)
    triangles = np.arange(len(points)).reshape(-1, 3)
    middle, tets = six(np.array([0.5, 0.5, -0.5]), 2.0)
    assert clipped_volumes(middle, tets, points, triangles).sum() == pytest.approx(4 - 1, abs=1e-6)

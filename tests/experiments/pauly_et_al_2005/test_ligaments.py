# SPDX-License-Identifier: BSD-3-Clause
"""Ligaments between two squares that cracks have swept: facing, aslant, of one crack, one on the other."""

from pathlib import Path

import numpy as np
import pytest
from front_traces import front_arrays, write_fronts
from measured import number, value_of

from experiments.pauly_et_al_2005.measurements import ligaments as m

D = 0.1


def state(gap: float, cracks: tuple[int, int] = (0, 1), turn_deg: float = 0.0) -> dict[str, np.ndarray]:
    square = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turned = square @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) + [0, 0, gap]
    halves = np.array([[0, 1, 2], [0, 2, 3]])
    return {
        **front_arrays(),
        "crack_vertices": np.concatenate([square, turned]),
        "crack_triangles": np.concatenate(
            [np.column_stack([halves, [cracks[0]] * 2]), np.column_stack([halves + 4, [cracks[1]] * 2])]
        ),
    }


def write(folder: Path, *states: dict[str, np.ndarray], name: str = "snapping") -> None:
    members = [[(0, 0.0, s), (1, 0.1, s)] for s in states]
    write_fronts(folder, m.M.experiment, members, name=name, parameters={"crack_surfel_radius_m": D})


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (state(0.03), 0.3),
        (state(0.15), 1.5),
        (state(0.25), np.inf),
        (state(0.03, (1, 1)), np.inf),  # one crack, whose strips may overlap
        (state(1.0, turn_deg=45), np.inf),  # a crease, however near
        (state(1e-4), np.inf),  # one on the other
    ],
)
def test_thickness_is_that_between_facing_sheets_of_two_cracks(found: dict[str, np.ndarray], expected: float) -> None:
    assert m.gaps(found, D, 1).min() == pytest.approx(expected)


def test_thin_bodies_are_counted_with_and_without(tmp_path: Path) -> None:
    write(tmp_path, state(0.03), state(0.15), state(0.04))
    write(tmp_path, state(0.03), state(0.06), name="no_snapping")
    assert number(tmp_path, "topology_fuzz.snapped_bodies") == 3
    assert number(tmp_path, "topology_fuzz.thin_bodies") == 2
    assert number(tmp_path, "topology_fuzz.thin_bodies_without") == 1
    assert number(tmp_path, "topology_fuzz.least_thickness") == pytest.approx(0.3)


def test_bodies_without_cracks_are_not_thick(tmp_path: Path) -> None:
    empty = state(0.03) | {"crack_triangles": np.zeros((0, 4), dtype=int)}
    write(tmp_path, empty, empty)
    assert "nothing swept" in value_of(tmp_path, "topology_fuzz.least_thickness").note

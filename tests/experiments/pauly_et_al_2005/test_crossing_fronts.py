# SPDX-License-Identifier: BSD-3-Clause
"""Two round cracks that become one, at one angle and at another where they do not."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from front_traces import circle, front_arrays, write_fronts
from measured import number

EXPERIMENT = "pauly_et_al_2005/crossing_fronts"
SPLIT, MERGE, CROSSING = 2, 3, 5


def pennies(angle: float, apart: float = 0.0) -> list[float]:
    """Two pennies with planes turned by `angle` each, rad, and centres `apart` along z."""
    s, c = float(np.sin(angle)), float(np.cos(angle))
    return [-0.4, 0, -apart / 2, -s, 0, c, 0.15, 18, 0.4, 0, apart / 2, s, 0, c, 0.15, 18]


def two() -> dict[str, np.ndarray]:
    """Both cracks on their own."""
    return front_arrays((circle(0.2, 8, (-0.4, 0, 0)), {"crack": 0}), (circle(0.2, 8, (0.4, 0, 0)), {"crack": 1}))


def one() -> dict[str, np.ndarray]:
    """One closed front, half of it of either crack."""
    arrays = front_arrays((circle(0.5, 8), {}))
    arrays["front_ids"][4:, 2] = 1
    return arrays


def about(kinds: Sequence[int], normals: np.ndarray, creases: Sequence[Sequence[int]]) -> dict[str, np.ndarray]:
    """Events of these kinds, and a surfel of either crack with these normals."""
    surfels = np.zeros((2, 9))
    surfels[:, 3:6], surfels[:, 7] = normals, [0, 1]
    return {
        "crack_events": np.array([[1, kind, 0, 1, 0, -1, 0] for kind in (0, 0, *kinds)], dtype=np.int64),
        "crack_surfels": surfels,
        "crack_creases": np.array(creases, dtype=np.int64).reshape(-1, 2),
    }


def write(
    folder: Path, *rows: dict[str, np.ndarray], angle: float = 0.2, apart: float = 0.0, name: str = "snapping"
) -> None:
    """One pair of cracks and its states."""
    swept = {"method.parameters.crack_pennies": pennies(angle, apart)}
    members = [[(k, 0.1 * k, arrays) for k, arrays in enumerate(rows)]]
    write_fronts(folder, EXPERIMENT, members, name=name, parameters={"crack_surfel_radius_m": 0.06}, swept=swept)


def normals(angle: float, bent: float = 0.0) -> np.ndarray:
    """Normals of the two planes; the second bent by `bent`, rad."""
    return np.array([[-np.sin(angle), 0, np.cos(angle)], [np.sin(angle + bent), 0, np.cos(angle + bent)]])


def crossed(
    angle: float = 0.2,
    kinds: Sequence[int] = (CROSSING,),
    bent: float = 0.0,
    creases: Sequence[Sequence[int]] = ((0, 1),),
) -> list[dict[str, np.ndarray]]:
    """Two fronts, and then one."""
    return [{**two(), **about((), normals(angle), ())}, {**one(), **about(kinds, normals(angle, bent), creases)}]


@pytest.mark.parametrize("kinds", [(CROSSING,), (SPLIT, SPLIT, MERGE, MERGE)])
def test_two_closed_fronts_become_one(tmp_path: Path, kinds: Sequence[int]) -> None:
    write(tmp_path, *crossed(kinds=kinds))
    assert number(tmp_path, "crossing_fronts.exchanged") == 1
    assert number(tmp_path, "crossing_fronts.still_one") == 1


def test_one_angle_at_which_they_stay_two_decides(tmp_path: Path) -> None:
    write(tmp_path, *crossed())
    stay = [{**two(), **about((), normals(0.5), ())}, {**two(), **about((SPLIT,), normals(0.5), ())}]
    write(tmp_path, *stay, angle=0.5)
    assert number(tmp_path, "crossing_fronts.exchanged") == 0
    assert number(tmp_path, "crossing_fronts.still_one") == 0


def test_splits_alone_are_no_exchange(tmp_path: Path) -> None:
    write(tmp_path, *crossed(kinds=(SPLIT,)))
    assert number(tmp_path, "crossing_fronts.exchanged") == 0


@pytest.mark.parametrize(("kinds", "events"), [((), 0), ((SPLIT, MERGE), 2)])
def test_cracks_that_pass_have_no_events(tmp_path: Path, kinds: Sequence[int], events: int) -> None:
    write(tmp_path, *crossed())
    passing = [{**two(), **about((), normals(0), ())}, {**two(), **about(kinds, normals(0), ())}]
    write(tmp_path, *passing, angle=0.0, apart=0.2)
    assert number(tmp_path, "crossing_fronts.passing_events") == events


def test_a_surfel_off_its_plane_is_bent(tmp_path: Path) -> None:
    write(tmp_path, *crossed(bent=0.1))
    assert number(tmp_path, "crossing_fronts.bent") == pytest.approx(np.degrees(0.1))


@pytest.mark.parametrize(("creases", "missing"), [(((0, 1),), 0), ((), 1)])
def test_sheets_that_meet_without_a_crease_are_counted(
    tmp_path: Path, creases: Sequence[Sequence[int]], missing: int
) -> None:
    write(tmp_path, *crossed(creases=creases))
    assert number(tmp_path, "crossing_fronts.without_crease") == missing

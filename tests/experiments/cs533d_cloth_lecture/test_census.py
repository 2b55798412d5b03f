# SPDX-License-Identifier: BSD-3-Clause
"""Intersections after every step, and sheets that are turned until they lock: one step of one seed is at fault."""

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from measured import number
from stacked import stack, write

from experiments.cs533d_cloth_lecture.measurements import census

FREE, CROSSED = stack(), stack(crossed=True)
FRAMES = 6


def recorded(
    folder: Path,
    experiment: str,
    faults: list[tuple[int, int]] = [],
    unresolved: tuple[int, int] | None = None,
    **parameters: Any,
) -> None:
    x = np.tile(FREE, (3, FRAMES, 1, 1))
    for fault in faults:
        x[fault] = CROSSED
    write(
        folder,
        experiment,
        "cloth",
        positions=x,
        parameters={"collision_detection": "both", "impact_zones": "rigid", **parameters},
        scene={"turns": 10.0, "duration_s": 0.1},
        members=3,
        more={"step": {"elastic_energy": np.ones((3, FRAMES))}},
    )
    if unresolved is None:
        return
    member, frame = unresolved
    path = max((folder / experiment).glob("*.h5"), key=lambda p: p.stat().st_mtime_ns)
    with h5py.File(path, "a") as file:
        file[f"frames/{member * FRAMES + frame}/collision_counts"][9] = 4


@pytest.mark.parametrize("experiment", census.EXPERIMENTS)
def test_one_step_of_one_seed_is_found(tmp_path: Path, experiment: str) -> None:
    short = experiment.split("/")[1]
    recorded(tmp_path / "good", experiment)
    assert number(tmp_path / "good", f"{short}.census_crossings") == 0
    assert number(tmp_path / "good", f"{short}.census_steps") == 3 * (FRAMES - 1)
    recorded(tmp_path / "bad", experiment, [(1, 3)])
    assert number(tmp_path / "bad", f"{short}.census_crossings") == 1


def test_a_sheet_is_judged_until_it_locks(tmp_path: Path) -> None:
    recorded(tmp_path, "cs533d_cloth_lecture/twisted_sheet", [(1, 4)], unresolved=(1, 4))
    recorded(tmp_path, "cs533d_cloth_lecture/twisted_sheet", [(0, 5), (1, 5), (2, 5)], collision_detection="none")
    assert number(tmp_path, "twisted_sheet.census_crossings") == 0
    assert number(tmp_path, "twisted_sheet.census_steps") == 5 + 3 + 5
    assert number(tmp_path, "twisted_sheet.crossings_until_locked") == 0
    assert number(tmp_path, "twisted_sheet.turns_until_locked") == pytest.approx(4.0)


def test_a_crossing_before_the_lock_is_found(tmp_path: Path) -> None:
    recorded(tmp_path, "cs533d_cloth_lecture/twisted_sheet", [(1, 3)], unresolved=(1, 4))
    assert number(tmp_path, "twisted_sheet.crossings_until_locked") == 1
    assert number(tmp_path, "twisted_sheet.census_crossings") == 1


def test_no_lock_is_all_turns(tmp_path: Path) -> None:
    recorded(tmp_path, "cs533d_cloth_lecture/twisted_sheet")
    assert number(tmp_path, "twisted_sheet.turns_until_locked") == pytest.approx(5.0)

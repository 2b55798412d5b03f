# SPDX-License-Identifier: BSD-3-Clause
"""Long runs from enlarged starts: one start explodes late, one is cut off, one stays calm,
and shorter steps do not count for longer ones."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from test_step_from_enlarged import enlarged

NAME = "cs6967_assignment_2/enlarged_for_long"
ROWS = [0, 20_000, 40_000, 50_000]
CALM = (1.0, 9.9, 1.0)


def run(
    folder: Path, scale: float, share: float, members: list[tuple[float, ...]], cut: int = 0, steps: int = 50_000
) -> None:
    """The energies are those of three later rows, relative to the start."""
    status, schedule = "diverged" if cut else "completed", {"steps": steps}
    enlarged(folder, NAME, scale, share, members, ROWS, cut, status, schedule=schedule, coordinates={"scale": scale})


def test_the_first_and_the_last_start_that_explodes(tmp_path: Path) -> None:
    run(tmp_path, 1.1, 0.48, [(1.0, 10.1, 1.0), (1.0, 1.0, 11.0), (1.0, 1.0, 1.0)], cut=1)
    run(tmp_path, 1.1, 0.3, [CALM, CALM])
    assert number(tmp_path, "enlarged_for_long.first_explosion") == 20_000  # cut off after that row
    assert number(tmp_path, "enlarged_for_long.last_explosion") == 50_000
    assert number(tmp_path, "enlarged_for_long.exploded_below") == 0


def test_a_start_that_stays_calm_has_no_end(tmp_path: Path) -> None:
    run(tmp_path, 1.1, 0.48, [(1.0, 10.1, 1.0), CALM])
    assert number(tmp_path, "enlarged_for_long.first_explosion") == 40_000
    assert number(tmp_path, "enlarged_for_long.last_explosion") == np.inf


def test_the_worst_of_the_shorter_steps_counts_from_any_start(tmp_path: Path) -> None:
    run(tmp_path, 1.1, 0.48, [(11.0, 1.0, 1.0)])
    run(tmp_path, 1.1, 0.3, [CALM, CALM, CALM, CALM])
    run(tmp_path, 1.6, 0.18, [CALM, (1.0, 1.0, 10.1), CALM, CALM])
    assert number(tmp_path, "enlarged_for_long.exploded_below") == pytest.approx(0.25)
    assert number(tmp_path, "enlarged_for_long.last_explosion") == 20_000


def test_a_shorter_run_is_no_number(tmp_path: Path) -> None:
    run(tmp_path, 1.1, 0.48, [CALM], steps=2000)
    assert "not 50000 steps" in value_of(tmp_path, "enlarged_for_long.last_explosion").note

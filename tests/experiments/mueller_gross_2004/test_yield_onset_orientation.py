# SPDX-License-Identifier: BSD-3-Clause
"""The onset of flow is the first step with plastic strain; its error is that of the worst orientation."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

# A ramp of 100 steps to a strain of 1: a reference onset at 0.3 is reached after step 30,
# and flow sees it in step 32.
SCENE = {"ramp_s": 1.0, "time_step_s": 0.01, "strain": 1.0}


def sheared(folder: Path, norm: str, turn: float, first: int) -> None:
    strain = np.zeros(101)
    strain[first:] = 1e-3
    strain[-1] = 5.0
    write_trace(
        folder,
        f"mueller_gross_2004/yield_onset_orientation warped_fem {norm}",
        scene=SCENE,
        swept={"turn_deg": turn},
        parameters={"plastic_norm": norm},
        references={"yield_onset_shear": {f"{norm}_onset": 0.3}},
        step={"plastic_strain_max": strain},
    )


def test_one_late_orientation_is_the_error(tmp_path: Path) -> None:
    for turn, first in ((0.0, 32), (20.0, 35), (45.0, 31)):
        sheared(tmp_path, "frobenius", turn, first)
    assert number(tmp_path, "yield_onset_orientation.onset_error_steps") == 3


def test_the_spread_is_of_the_latest_over_the_earliest_onset_of_that_norm(tmp_path: Path) -> None:
    for turn, first in ((0.0, 30), (20.0, 36), (45.0, 33)):
        sheared(tmp_path, "engineering", turn, first)
    for turn, first in ((0.0, 32), (20.0, 32), (45.0, 40)):
        sheared(tmp_path, "frobenius", turn, first)
    assert number(tmp_path, "yield_onset_orientation.engineering_spread") == pytest.approx(0.2)
    assert number(tmp_path, "yield_onset_orientation.frobenius_spread") == pytest.approx(0.25)

# SPDX-License-Identifier: BSD-3-Clause
"""The stress of a spinning block is that of the last step."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace


def spinning(folder: Path, name: str, spin: float, stress: list[float]) -> None:
    scene = {"angular_velocity_rad_s": [0.0, 0.0, spin], "time_step_s": 0.01}
    step = {"max_stress_principal": np.array(stress)}
    write_trace(folder, f"mueller_gross_2004/spin_stress warped_fem {name}", scene=scene, step=step)


@pytest.mark.parametrize("name", ["stale", "fresh"])
@pytest.mark.parametrize("speed, spin", [("slow", 5.0), ("fast", 20.0)])
def test_the_stress_is_read_at_the_end(tmp_path: Path, name: str, speed: str, spin: float) -> None:
    spinning(tmp_path, name, spin, [7.0, 9999.0, 155.0])
    assert number(tmp_path, f"spin_stress.{name}_{speed}") == 155.0

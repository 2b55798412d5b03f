# SPDX-License-Identifier: BSD-3-Clause
"""The stress of a spinning block is that of the last step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from conftest import write_trace
from measured import number


def spinning(folder: Path, name: str, spin: float, stress: list[float], dt: float = 0.01) -> None:
    write_trace(
        folder,
        "mueller_gross_2004/spin_stress",
        "warped_fem",
        name=name,
        scene={"angular_velocity_rad_s": [0.0, 0.0, spin], "time_step_s": dt},
        series={"step": {"max_stress_principal": np.array(stress)}},
    )


def test_the_stress_is_read_at_the_end_of_the_cell_with_that_spin_and_rotation(tmp_path: Path) -> None:
    for name, spin, last in (
        ("stale", 5.0, 155.0),
        ("fresh", 5.0, 430.0),
        ("stale", 20.0, 2284.0),
        ("fresh", 20.0, 6337.0),
    ):
        spinning(tmp_path, name, spin, [7.0, 9999.0, last])
        spinning(tmp_path, name, spin, [7.0, 9999.0, 8888.0], dt=0.001)
    found = [number(tmp_path, f"spin_stress.{n}") for n in ("stale_slow", "fresh_slow", "stale_fast", "fresh_fast")]
    assert found == [155.0, 430.0, 2284.0, 6337.0]

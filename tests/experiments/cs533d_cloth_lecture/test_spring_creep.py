# SPDX-License-Identifier: BSD-3-Clause
"""A spring that creeps by (1 − cΔt)ⁿ, and one of whose step sizes does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made_springs import driven
from measured import number, value_of

FINE = (0.01, 0.02, 0.05, 0.1)


def run(folder: Path, dt: float, factor: float | None = None, status: str = "completed") -> None:
    rows = max(10, round(1 / dt))
    stress = 0.1 * (1 - dt if factor is None else factor) ** np.arange(rows + 1)
    strain = np.full(rows + 1, 0.1)
    strain[0] = stress[0] = 0.0
    driven(
        folder,
        "spring_creep",
        "creep",
        strain[:, None],
        stress[:, None],
        np.array([0.2]),
        parameters={"creep_rate_1_s": 1.0},
        scene={"programme_values": [0.1], "time_step_s": dt},
        coordinates={"scene.parameters.time_step_s": dt},
        status=status,
        dt=dt,
    )


def test_explicit_creep_is_of_first_order(tmp_path: Path) -> None:
    for dt in (*FINE, 0.9, 1.5, 2.5):
        run(tmp_path, dt)
    assert number(tmp_path, "spring_creep.order_low") == pytest.approx(1.0, abs=0.05)
    assert number(tmp_path, "spring_creep.order_high") == pytest.approx(1.0, abs=0.05)
    assert number(tmp_path, "spring_creep.finest_error") == pytest.approx(np.exp(-1) - 0.99**100, rel=1e-9)
    assert number(tmp_path, "spring_creep.least_share") == pytest.approx(0.01)
    assert number(tmp_path, "spring_creep.largest_fine_share") == pytest.approx(0.1)
    assert number(tmp_path, "spring_creep.largest_share_without_overshoot") == pytest.approx(0.9)
    assert number(tmp_path, "spring_creep.smallest_share_that_diverges") == pytest.approx(2.5)


@pytest.mark.parametrize("worst", FINE)
def test_one_step_size_creeps_at_another_rate(tmp_path: Path, worst: float) -> None:
    for dt in FINE:
        run(tmp_path, dt, factor=0.5 if dt == worst else None)
    low, high = (number(tmp_path, f"spring_creep.order_{n}") for n in ("low", "high"))
    assert low < 0.5 or high > 1.5


def test_a_run_that_did_not_complete_is_no_small_error(tmp_path: Path) -> None:
    run(tmp_path, 0.01)
    run(tmp_path, 0.02)
    run(tmp_path, 0.1, status="failed")
    assert "did not complete" in value_of(tmp_path, "spring_creep.order_low").note

# SPDX-License-Identifier: BSD-3-Clause
"""Cloth that hangs: strains over the second half of a run, compared at as many iterations."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

EXPERIMENT = "cross/cloth_stretch"


def hanging(folder: Path, method: str, iterations: int, late: float) -> None:
    """Strains 9 over the first half, and of mean `late` over the second."""
    step = {"edge_strain_rms": np.array([9.0, 9.0, 9.0, 0.5 * late, late, 1.5 * late])}
    write_trace(folder, f"{EXPERIMENT} {method}", swept={"method.parameters.iterations": iterations}, step=step)


def test_bullet_is_compared_at_as_many_iterations_and_the_largest_counts(tmp_path: Path) -> None:
    for iterations, naive, bullet in ((1, 0.4, 0.5), (4, 0.1, 0.2), (16, 0.02, 0.03)):
        hanging(tmp_path, "naive_pbd", iterations, naive)
        hanging(tmp_path, "bullet_cloth", iterations, bullet)
    largest = value_of(tmp_path, "cloth_stretch.bullet_over_naive")
    assert largest.value == pytest.approx(2.0)
    assert "iterations=4" in largest.note


def test_a_time_that_was_not_taken_is_missing(tmp_path: Path) -> None:
    hanging(tmp_path, "naive_pbd", 1, 0.1)
    hanging(tmp_path, "bullet_cloth", 1, 0.1)
    assert value_of(tmp_path, "cloth_stretch.bullet_time_over_naive").value is None
    assert number(tmp_path, "cloth_stretch.bullet_over_naive") == pytest.approx(1.0)

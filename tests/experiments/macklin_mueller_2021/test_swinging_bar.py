# SPDX-License-Identifier: BSD-3-Clause
"""Swings of known size beside a reference."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from deformbench_analysis.mesh import NO_END
from experiments.macklin_mueller_2021.measurements import swinging_bar as m

TIMES = np.linspace(0, 20 * np.pi, 401)


def swung(
    folder: Path, row: str, size: float, modulus: float = 1e6, k: int = 10, status: str = "completed", solve: str = ""
) -> None:
    swing = np.column_stack([0 * TIMES, 0 * TIMES, size * (np.cos(TIMES) - 1)])
    settings = {"substeps": k, "iterations": 1} if row == "small_steps" else {"substeps": 1, "iterations": k}
    write_trace(
        folder,
        f"{m.M.experiment} {'explicit_fem' if 'reference' in row else 'xpbd'} {row}",
        {"young_modulus_pa": modulus},
        scene={"time_step_s": 0.04, "density_kg_m3": 1000.0},
        coordinates={"method.parameters." + n: v for n, v in (settings | {"solid_solve": solve or "coupled"}).items()},
        status=status,
        step={"tip_displacement": swing},
    )


def test_errors_are_relative_to_the_swing_and_failures_count(tmp_path: Path) -> None:
    swung(tmp_path, "reference", 1.0)
    swung(tmp_path, "coarser_reference", 1.001)
    for k, size in ((10, 0.6), (1000, 0.97)):
        swung(tmp_path, "small_steps", size, k=k)
        swung(tmp_path, "many_iterations", 0.2, k=k)
    assert number(tmp_path, "swinging_bar.error") == pytest.approx(0.4)
    assert number(tmp_path, "swinging_bar.fine_error") == pytest.approx(0.03)
    assert number(tmp_path, "swinging_bar.fine_swing_left") == pytest.approx(0.97)
    assert number(tmp_path, "swinging_bar.many_error") == pytest.approx(0.8)
    assert number(tmp_path, "swinging_bar.reference_error") == pytest.approx(0.001)
    swung(tmp_path, "small_steps", 1.0, k=100, status="diverged")
    assert number(tmp_path, "swinging_bar.error") == NO_END


def test_small_steps_are_paired_with_as_many_iterations_of_one_stiffness(tmp_path: Path) -> None:
    for modulus in (1e5, 1e6, 1e7):
        swung(tmp_path, "reference", 1.0, modulus)
        for k in (10, 100):
            for solve, gain in (("coupled", 0.1), ("one_by_one", 0.5)):
                swung(tmp_path, "small_steps", 1 - 0.4 * gain, modulus, k, solve=solve)
                swung(tmp_path, "many_iterations", 0.6, modulus, k, solve=solve)
    assert number(tmp_path, "swinging_bar.ratio") == pytest.approx(0.5)
    assert number(tmp_path, "swinging_bar.log_ratio") == pytest.approx(np.log(0.5))
    assert number(tmp_path, "swinging_bar.log_ratio_spread") == pytest.approx(np.log(1.1))
    for modulus in (1e5, 1e6, 1e7):
        for k, status in ((10, "diverged"), (100, "completed")):
            swung(tmp_path, "small_steps", -0.3, modulus, k, status, "one_by_one")
            swung(tmp_path, "many_iterations", 0.3, modulus, k, solve="one_by_one")
    assert number(tmp_path, "swinging_bar.ratio") == pytest.approx(1.0)

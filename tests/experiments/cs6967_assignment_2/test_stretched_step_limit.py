# SPDX-License-Identifier: BSD-3-Clause
"""Longest stable steps of made-up runs: one seed, start or law is worse, and a gap in the stable steps ends them."""

from pathlib import Path

import numpy as np
import pytest
from block_runs import BODY
from measured import number, value_of, write_trace

from deformbench_analysis.recovery import FreeBody, stretched_energy

EXPERIMENT = "cs6967_assignment_2/stretched_step_limit"
BODY_OF = FreeBody(BODY["rest_positions"], BODY["tetrahedra"], BODY["masses"], 1e5, 0.33)
STEPS = [0.001, 0.002, 0.004, 0.008]
END = 2000


def run(
    folder: Path, name: str, factor: float, step: float, stable: list[bool], broken_off: bool = False, steps: int = END
) -> None:
    """Two rows per seed; an unstable seed has too much energy in its last, or lacks it."""
    most = 10 * stretched_energy(BODY_OF, factor)
    energies = np.array([[0.0, most * (0.99 if ok else 1.01)] for ok in stable])
    scale = [factor, 1.0, 1.0]  # the first counts
    write_trace(
        folder,
        f"{EXPERIMENT} explicit_fem {name}",
        status="diverged" if broken_off else "completed",
        scene={"young_modulus_pa": 1e5, "poisson_ratio": 0.33},
        swept={"initial_scale": scale, "time_step_s": step},
        schedule={"steps": steps},
        arrays=BODY,
        seeds=len(stable),
        steps=np.array([[0, END if ok or not broken_off else -1] for ok in stable]),
        step={"kinetic_energy": energies},
    )


def sweep(folder: Path, name: str, factor: float, counts: list[int], broken_off: bool = False) -> None:
    """Every seed is stable at as many of the steps, from the shortest on."""
    for k, step in enumerate(STEPS):
        run(folder, name, factor, step, [k < n for n in counts], broken_off)


def pair(folder: Path, law: str, factor: float, standard: list[int], continued: list[int], **more: bool) -> None:
    """Standard and continued elements of one law."""
    sweep(folder, "standard" + law, factor, standard, **more)
    sweep(folder, "invertible" + law, factor, continued, **more)


ST_VENANT, COROTATIONAL, NEO_HOOKEAN = "", "_corotational", "_neo_hookean"


def test_each_law_is_divided_by_itself_and_the_worst_seed_start_and_law_count(tmp_path: Path) -> None:
    pair(tmp_path, ST_VENANT, 1.1, [1, 1, 1], [2, 2, 3], broken_off=True)
    pair(tmp_path, ST_VENANT, 2.0, [1, 1, 1], [2, 2, 2])
    pair(tmp_path, COROTATIONAL, 1.1, [3, 3, 3], [4, 4, 4])
    pair(
        tmp_path, COROTATIONAL, 2.0, [2, 3, 2], [3, 2, 3]
    )  # member 1 loses, and has twice the step of St. Venant–Kirchhoff
    pair(tmp_path, NEO_HOOKEAN, 1.1, [2, 2, 2], [2, 2, 2])
    pair(tmp_path, NEO_HOOKEAN, 2.0, [1, 1, 1], [4, 3, 4], broken_off=True)
    assert number(tmp_path, "stretched_step_limit.ratio_least") == pytest.approx(0.5)
    assert "co-rotational, s0 = 2, member 1" in value_of(tmp_path, "stretched_step_limit.ratio_least").note
    assert number(tmp_path, "stretched_step_limit.ratio_neo_hookean") == pytest.approx(4.0)
    assert "s0 = 2, member 1" in value_of(tmp_path, "stretched_step_limit.ratio_neo_hookean").note
    assert number(tmp_path, "stretched_step_limit.median_of_finite_laws") == pytest.approx(2.0)
    assert number(tmp_path, "stretched_step_limit.standard_from_two") == pytest.approx(0.001 / BODY_OF.longest_step)


def test_the_median_is_that_of_the_best_start_of_the_finite_laws(tmp_path: Path) -> None:
    pair(tmp_path, ST_VENANT, 1.1, [1, 1, 1], [1, 3, 1])
    pair(tmp_path, ST_VENANT, 2.0, [1, 1, 1], [3, 3, 1])
    pair(tmp_path, NEO_HOOKEAN, 2.0, [1, 1, 1], [4, 4, 4])
    assert number(tmp_path, "stretched_step_limit.median_of_finite_laws") == pytest.approx(4.0)
    assert "s0 = 2" in value_of(tmp_path, "stretched_step_limit.median_of_finite_laws").note


def test_of_the_outlines_law_the_worst_start_counts_by_median_and_by_a_sign_test(tmp_path: Path) -> None:
    pair(tmp_path, ST_VENANT, 1.1, [2] * 7, [3, 3, 3, 3, 3, 1, 2])  # five better, one worse, one equal
    pair(tmp_path, ST_VENANT, 2.0, [1] * 7, [3] * 7)
    pair(tmp_path, COROTATIONAL, 2.0, [2] * 7, [1] * 7)
    pair(tmp_path, NEO_HOOKEAN, 2.0, [2] * 7, [1] * 7)
    median, test = (value_of(tmp_path, f"stretched_step_limit.{n}_of_outline_law") for n in ("median", "sign_test"))
    assert median.value == pytest.approx(2.0) and "St. Venant–Kirchhoff, s0 = 1.1" in median.note
    assert test.value == pytest.approx(7 / 2**6) and "St. Venant–Kirchhoff, s0 = 1.1" in test.note


def test_a_sign_test_of_seeds_that_do_not_differ_tells_nothing(tmp_path: Path) -> None:
    pair(tmp_path, ST_VENANT, 2.0, [2] * 3, [2] * 3)
    assert number(tmp_path, "stretched_step_limit.sign_test_of_outline_law") == 1.0


def test_a_step_beyond_an_unstable_one_does_not_count(tmp_path: Path) -> None:
    pair(tmp_path, NEO_HOOKEAN, 2.0, [1], [4])
    sweep(tmp_path, "standard", 2.0, [2])
    for step, ok in zip(STEPS, (True, False, True, True)):
        run(tmp_path, "invertible", 2.0, step, [ok])
    assert number(tmp_path, "stretched_step_limit.ratio_least") == pytest.approx(0.5)


def test_without_a_stable_step_of_standard_elements_there_is_no_ratio(tmp_path: Path) -> None:
    pair(tmp_path, ST_VENANT, 2.0, [1, 0], [2, 2])
    pair(tmp_path, NEO_HOOKEAN, 2.0, [1, 1], [2, 2])
    assert "stable at no step" in value_of(tmp_path, "stretched_step_limit.ratio_least").note


def test_a_law_without_its_partner_is_no_number(tmp_path: Path) -> None:
    pair(tmp_path, NEO_HOOKEAN, 2.0, [1], [4])
    sweep(tmp_path, "standard", 2.0, [1])
    sweep(tmp_path, "invertible_corotational", 2.0, [4])
    assert "alone" in value_of(tmp_path, "stretched_step_limit.ratio_least").note


def test_one_law_alone_leaves_no_number(tmp_path: Path) -> None:
    pair(tmp_path, ST_VENANT, 2.0, [1, 1], [2, 2])
    value = value_of(tmp_path, "stretched_step_limit.ratio_least")
    assert value.value is None and "neo-Hookean, s0 = 2" in value.note


def test_runs_of_another_length_have_no_limit(tmp_path: Path) -> None:
    pair(tmp_path, NEO_HOOKEAN, 2.0, [1], [4])
    run(tmp_path, "standard", 2.0, 0.001, [True], steps=END + 1)
    assert "2001 steps" in value_of(tmp_path, "stretched_step_limit.standard_from_two").note

# SPDX-License-Identifier: BSD-3-Clause
"""Who comes back from inverted starts: one start, one law or one seed of several is worse."""

from pathlib import Path

import pytest
from block_runs import BODY, ensemble
from measured import number, value_of

from experiments.cs6967_assignment_2.measurements import inversion_recovery as m
from deformbench_analysis.recovery import End, FreeBody

EXPERIMENT = "cs6967_assignment_2/inversion_recovery"
BACK = ["rest"] * 7
AWAY = ["mirrored"] * 7


def run(
    folder: Path,
    name: str,
    ends: list[str],
    noise: float = 0.1,
    scale: tuple[float, ...] = (1, 1, 1),
    experiment: str = EXPERIMENT,
    **more: object,
) -> None:
    method = "explicit_fem" if name.startswith("standard") else "invertible_fem"
    start = {"noise_m": noise, "initial_scale": list(scale)}
    ensemble(folder, experiment, method, name, ends, scene=start, parameters={"substeps": 150}, **more)  # type: ignore[arg-type]


def test_a_body_is_back_only_without_inversion_strain_and_motion(tmp_path: Path) -> None:
    ends = ["rest", "turned", "drifting", "mirrored", "strained", "moving", "broken_off"]
    run(tmp_path, "standard", AWAY)
    run(tmp_path, "invertible", ends)
    assert number(tmp_path, "inversion_recovery.share_invertible") == pytest.approx(3 / 7)
    assert number(tmp_path, "inversion_recovery.share_standard") == 0.0


def test_the_gain_is_that_of_the_worst_start_and_of_one_law(tmp_path: Path) -> None:
    for noise in (0.02, 0.1, 0.2):
        run(tmp_path, "standard", AWAY if noise > 0.05 else BACK, noise)
        run(tmp_path, "invertible", BACK, noise)
    run(tmp_path, "invertible", BACK[:5] + AWAY[:2], 0.2)
    run(tmp_path, "invertible_corotational", AWAY[:6] + BACK[:1], 0.1)
    run(tmp_path, "standard_corotational", BACK[:6] + AWAY[:1], 0.1)
    assert number(tmp_path, "inversion_recovery.gain_at_equal_law") == pytest.approx(-5 / 7)
    assert number(tmp_path, "inversion_recovery.gain_least_in_regime") == pytest.approx(5 / 7)
    assert number(tmp_path, "inversion_recovery.sign_test_in_regime") == pytest.approx(0.5**5)


def test_seeds_are_paired_and_a_loss_counts_against_the_gain(tmp_path: Path) -> None:
    run(tmp_path, "standard", BACK[:2] + AWAY[:5])
    run(tmp_path, "invertible", AWAY[:2] + BACK[:5])
    assert number(tmp_path, "inversion_recovery.gain_least_in_regime") == pytest.approx(3 / 7)
    assert number(tmp_path, "inversion_recovery.sign_test_in_regime") == pytest.approx(29 / 2**7)


def test_slightly_tangled_starts_are_judged_by_themselves(tmp_path: Path) -> None:
    run(tmp_path, "standard", BACK[:1] + AWAY[:6], 0.02, experiment=m.SLIGHTLY.experiment)
    run(tmp_path, "invertible", AWAY[:1] + BACK[:6], 0.02, experiment=m.SLIGHTLY.experiment)
    assert number(tmp_path, "slightly_tangled.gain") == pytest.approx(5 / 7)
    assert number(tmp_path, "slightly_tangled.sign_test") == pytest.approx(8 / 2**7)
    assert number(tmp_path, "slightly_tangled.seeds") == 7


def test_a_run_that_is_too_short_or_failed_gives_no_share(tmp_path: Path) -> None:
    run(tmp_path, "standard", AWAY)
    run(tmp_path, "invertible", BACK, steps=40)
    assert "are asked for" in value_of(tmp_path, "inversion_recovery.gain_least_in_regime").note
    run(tmp_path, "invertible_corotational", BACK, status="failed")
    assert value_of(tmp_path, "inversion_recovery.share_invertible").is_missing


def test_partners_with_another_step_are_refused(tmp_path: Path) -> None:
    run(tmp_path, "standard", AWAY)
    start = {"noise_m": 0.1, "initial_scale": [1, 1, 1]}
    ensemble(tmp_path, EXPERIMENT, "invertible_fem", "invertible", BACK, scene=start, parameters={"substeps": 300})
    assert "differ in" in value_of(tmp_path, "inversion_recovery.gain_least_in_regime").note


def test_a_body_is_at_rest_below_a_hundredth_of_a_cell_per_radian() -> None:
    body = FreeBody(BODY["rest_positions"], BODY["tetrahedra"], BODY["masses"], 1e5, 0.33)
    still = 0.5 * 3.2 * (0.01 * 0.2 * body.lowest_frequency) ** 2
    assert m.is_back(body, End(1.0, 0.0, 0.0, 0.99 * still))
    assert not m.is_back(body, End(1.0, 0.0, 0.0, 1.01 * still))

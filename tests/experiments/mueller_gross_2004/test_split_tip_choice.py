# SPDX-License-Identifier: BSD-3-Clause
"""Made-up choices among crack tips: uniform, always the first, uniform in elements of two tips alone, too few."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.mueller_gross_2004.measurements import split_tip_choice as m
from experiments.mueller_gross_2004.measurements.split_rule import Replay

P, COUNT = "split_tip_choice.chi_square_p", "split_tip_choice.choices"
UNIFORM = [(tips, rank) for tips in (2, 3, 4) for rank in range(tips)] * 20


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[tuple[int, int]]]:
    """Choices of two runs, to be filled in."""
    ranks: list[list[tuple[int, int]]] = [[], []]
    for seed in (1, 2):
        write_trace(tmp_path, f"{m.M.experiment} warped_fem separate", scene={"seed": seed})
    monkeypatch.setattr(m, "replay", lambda trace: Replay(tip_ranks=ranks[int(trace.number("seed")) - 1]))
    return ranks


def test_uniform_choices_pass_and_are_counted_over_all_runs(found: list[list[tuple[int, int]]], tmp_path: Path) -> None:
    found[0], found[1] = UNIFORM[:90], UNIFORM[90:]
    assert number(tmp_path, P) == pytest.approx(1.0)
    assert number(tmp_path, COUNT) == 180


@pytest.mark.parametrize("wrong", [2, 3, 4])
def test_always_the_first_tip_is_found_whatever_their_number(
    found: list[list[tuple[int, int]]], tmp_path: Path, wrong: int
) -> None:
    found[0] = [(tips, 0 if tips == wrong else rank) for tips, rank in UNIFORM]
    assert number(tmp_path, P) < 1e-6


def test_random_choices_pass(found: list[list[tuple[int, int]]], tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    found[0] = [(tips, int(random.integers(tips))) for tips in random.integers(2, 5, 300).tolist()]
    assert 0.01 < number(tmp_path, P) < 1.0


def test_too_few_choices_have_no_p(found: list[list[tuple[int, int]]], tmp_path: Path) -> None:
    found[0] = [(2, 0)] * 9
    assert value_of(tmp_path, P).value is None

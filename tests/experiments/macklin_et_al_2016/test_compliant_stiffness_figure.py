# SPDX-License-Identifier: BSD-3-Clause
"""The figure of compliant constraints shows the numbers that were put in."""

from pathlib import Path

import pytest
from figure_traces import drawn
from test_stiffness import chain, spring
from test_sweeps import step

from paper_figures.macklin_et_al_2016.sec_compliant_stiffness import excess_of_rest


def test_the_derived_excess_is_that_of_sweeps_step_by_step() -> None:
    assert excess_of_rest(1, 7.0, 1) == pytest.approx(0.0, abs=1e-15)  # one link is solved by one sweep
    # A = (2 −1; −1 3), G = −(D + L)⁻¹U = (0 ½; 0 1/6), G(1 − G)⁻¹ (2 1)ᵀ = (3/5 1/5)ᵀ, A of it (1 0)ᵀ, over 3.
    assert excess_of_rest(2, 1.0, 1) == pytest.approx(1 / 3)


def test_the_figure_shows_what_was_put_in(tmp_path: Path) -> None:
    for n in (1, 100):
        spring(tmp_path, "compliant", 0.1, n, 1 / (1 - 0.1j))
    chain(tmp_path, 5, 0.01, 10, 0.25)
    step(tmp_path, "pair", 1, [4.0, 0.4], 1.0)
    for name in ("springs", "second_derivatives"):
        step(tmp_path, name, 1, [4.0, 0.04], 1.0)
    _, rows = drawn(tmp_path, "sec_compliant_stiffness", tmp_path / "out")
    found = {(r["panel"], r["row"]): float(r["value"]) for r in rows}
    assert found["(a) oscillator", ""] == pytest.approx(1 - 1.01**-20)
    assert found["(b) chain", "5 links"] == pytest.approx(0.25)
    assert (found["(c) floor", "pair"], found["(c) floor", "springs"]) == (0.1, 0.01)

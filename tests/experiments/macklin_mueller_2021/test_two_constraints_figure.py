# SPDX-License-Identifier: BSD-3-Clause
"""The figure of the two constraints shows the numbers that were put in."""

from pathlib import Path

import numpy as np
import pytest
from figure_traces import drawn
from test_material import body
from test_solves import resting, steps

from deformbench_analysis.mesh import NO_END
from experiments.macklin_mueller_2021.measurements import solves as m


def test_the_figure_shows_what_was_put_in(tmp_path: Path) -> None:
    resting(tmp_path, m.TOGETHER, "kuhn", 1.0, 0.25)
    resting(tmp_path, m.APART, "kuhn", 1.0, 0.0, status="diverged")
    steps(tmp_path, "kuhn", [8.0, 0.1], [8.0, 0.4])
    for seed in (1, 2):
        for name in (m.TOGETHER, m.APART):
            body(tmp_path, "flat", seed, np.eye(3) * (1.0 if name == m.TOGETHER and seed == 1 else 0.5), name)
    _, rows = drawn(tmp_path, "sec_two_constraints", tmp_path / "out")
    found = {(r["panel"], r["row"]): float(r["value"]) for r in rows}
    assert found["(a) rest", "together"] == pytest.approx(0.25) and found["(a) rest", "one by one"] == NO_END
    assert found["(b) step", "together / one by one"] == pytest.approx(0.25)
    assert (found["(c) starts", "together"], found["(c) starts", "one by one"]) == (0.5, 0.0)

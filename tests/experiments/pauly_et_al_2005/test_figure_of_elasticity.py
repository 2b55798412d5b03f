# SPDX-License-Identifier: BSD-3-Clause
"""Figure of section 2: its table has the errors and the frequencies that were put in."""

from pathlib import Path

import numpy as np
import pytest
import test_gradient_convergence as waves
import test_spurious_modes as cubes
from figure_traces import drawn


def test_errors_of_regions_and_frequencies_of_a_cube_are_those_put_in(tmp_path: Path) -> None:
    waves.everything(tmp_path, (2.0, 1.0), (1.5, 1.25))
    counts = cubes.run(tmp_path, 3, 0.3) + cubes.run(tmp_path, 4, 0.3)
    cubes.run(tmp_path, 3, 0.0)
    entry, rows = drawn(tmp_path, "sec_2_elasticity", tmp_path / "out")
    errors = {
        (r["row"], round(1 / float(r["spacing in m, or mode"]))): float(r["value"])
        for r in rows
        if r["part"] == "gradient"
    }
    for across in (6, 8, 10):
        assert errors["inside", across] == pytest.approx(1 / across, rel=1e-4)  # of the worst seed
        assert errors["boundary", across] == pytest.approx(1 / across, rel=1e-4)
        assert errors["transition", across] == pytest.approx((1 / across) ** 1.25, rel=1e-4)
    slowest = [float(r["value"]) for r in rows if r["row"] == "3³ nodes"]
    assert (np.diff(slowest) >= 0).all()
    assert sum(v < 2.85 for v in slowest) == counts[0]
    assert min(float(r["value"]) for r in rows if r["row"] == "7³ hexahedra") > 2.85
    caption = entry.caption
    assert (
        "1.00 inside" in caption and "1.25 where cells change" in caption and f"to {max(counts)} are slower" in caption
    )

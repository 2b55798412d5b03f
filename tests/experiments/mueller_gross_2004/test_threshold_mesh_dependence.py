# SPDX-License-Identifier: BSD-3-Clause
"""Load at first fracture against the cell size: exponents by the meshes from coarse to fine."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

SPLIT = "vertex 3 splits at element 0: stress 5 Pa, normal (1, 0, 0), 3 faces exposed"


def mesh(folder: Path, cells: int, load: float) -> None:
    """A ramp of 1 s to 1000 Pa; the first split falls at load/1000 s, a second one later."""
    at = load / 1000.0
    write_trace(
        folder,
        "mueller_gross_2004/threshold_mesh_dependence warped_fem",
        parameters={"fracture_threshold_pa": 4000.0},
        scene={"side_m": 1.0, "cells_across": cells, "stress_pa": [1000.0, 0, 0], "ramp_s": 1.0},
        events=[(1, at, "vertex_split", 3, SPLIT), (2, 2 * at, "vertex_split", 3, SPLIT)],
        step={"split_count": np.array([0, 2])},
    )


def test_exponents_and_ratios(tmp_path: Path) -> None:
    for cells, load in ((4, 400.0), (2, 800.0), (8, 100.0)):  # slopes: 1 from 1/2 to 1/4, 2 from 1/4 to 1/8
        mesh(tmp_path, cells, load)
    assert number(tmp_path, "threshold_mesh_dependence.finest_exponent") == pytest.approx(2.0)
    assert number(tmp_path, "threshold_mesh_dependence.exponent") == pytest.approx(1.5)

# SPDX-License-Identifier: BSD-3-Clause
"""The force on the mirrored tetrahedron is that of the start."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace


def test_force_is_that_of_the_start(tmp_path: Path) -> None:
    for name, force in (("as_printed", [0.5, 8.0, 9.0]), ("corrected", [3.0, 0.0, 9.0])):
        scene = {"young_modulus_pa": 100.0, "edge_m": 0.1}
        step = {"max_elastic_force": np.array(force)}
        write_trace(tmp_path, f"mueller_gross_2004/mirrored_tetrahedron warped_fem {name}", scene=scene, step=step)
    assert number(tmp_path, "mirrored_tetrahedron.printed_force") == pytest.approx(0.5)
    assert number(tmp_path, "mirrored_tetrahedron.corrected_force") == pytest.approx(3.0)

# SPDX-License-Identifier: BSD-3-Clause
"""The force on the mirrored tetrahedron is that of the start, its volume that of the end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import write_trace
from measured import number


def test_force_at_the_start_and_volume_at_the_end(tmp_path: Path) -> None:
    for name, force, volume in (
        ("as_printed", [0.5, 8.0], [-2.0, 1.0, -2.0]),
        ("corrected", [3.0, 0.0], [-2.0, -1.0, 1.9]),
    ):
        write_trace(
            tmp_path,
            "mueller_gross_2004/mirrored_tetrahedron",
            "warped_fem",
            name=name,
            scene={"young_modulus_pa": 100.0, "edge_m": 0.1},
            series={"step": {"max_elastic_force": np.array([*force, 1.0][:2] + [9.0]), "volume": np.array(volume)}},
        )
    assert number(tmp_path, "mirrored_tetrahedron.printed_force") == pytest.approx(0.5)
    assert number(tmp_path, "mirrored_tetrahedron.corrected_force") == pytest.approx(3.0)
    assert number(tmp_path, "mirrored_tetrahedron.printed_final_volume") == pytest.approx(-1.0)
    assert number(tmp_path, "mirrored_tetrahedron.corrected_final_volume") == pytest.approx(0.95)

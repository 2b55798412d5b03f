# SPDX-License-Identifier: BSD-3-Clause
"""What a hydrostatic stress leaves behind is read at the end, against the start."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace


def test_volumes_are_read_at_the_end(tmp_path: Path) -> None:
    for name, volume in (("total", [2.0, 1.0, 1.2, 1.5, 1.8]), ("deviatoric", [2.0, 1.0, 1.2, 1.4, 1.998])):
        write_trace(
            tmp_path, f"mueller_gross_2004/hydrostatic_release warped_fem {name}", step={"volume": np.array(volume)}
        )
    assert number(tmp_path, "hydrostatic_release.total_volume_change") == pytest.approx(-0.1)
    assert number(tmp_path, "hydrostatic_release.deviatoric_volume_change") == pytest.approx(-0.001)

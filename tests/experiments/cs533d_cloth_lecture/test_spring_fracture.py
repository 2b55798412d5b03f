# SPDX-License-Identifier: BSD-3-Clause
"""A spring that breaks at a strain put in, after work put in."""

from pathlib import Path

import numpy as np
import pytest
from made_springs import driven
from measured import number, value_of


def run(folder: Path, name: str, stresses: np.ndarray, yields: float = 0.0) -> None:
    strains = np.linspace(0, 0.5, len(stresses))
    driven(
        folder,
        "spring_fracture",
        name,
        strains[:, None],
        stresses[:, None],
        np.array([0.2]),
        parameters={"fracture_tension": 0.09, "yield_tension": yields, "hardening": 0.2},
        scene={"modulus_pa": 1e5},
    )


STRAINS = np.linspace(0, 0.5, 5001)
BRITTLE = np.where(STRAINS < 0.09, STRAINS, 0.0)
DUCTILE = np.where(STRAINS < 0.05, STRAINS, np.where(STRAINS < 0.29, 0.05 + (STRAINS - 0.05) / 6, 0.0))


def test_the_work_is_that_under_the_curve(tmp_path: Path) -> None:
    run(tmp_path, "brittle", BRITTLE)
    run(tmp_path, "ductile", DUCTILE, 0.05)
    run(tmp_path, "perfect", np.minimum(STRAINS, 0.05), 0.05)
    assert number(tmp_path, "spring_fracture.brittle_work") == pytest.approx(405, rel=0.01)
    assert number(tmp_path, "spring_fracture.ductile_work") == pytest.approx(1805, rel=0.01)
    assert number(tmp_path, "spring_fracture.brittle_work_error") < 0.01
    assert number(tmp_path, "spring_fracture.ductile_work_error") < 0.01
    assert number(tmp_path, "spring_fracture.perfect_end_stress") == pytest.approx(1)


def test_a_spring_that_breaks_early_or_is_too_strong(tmp_path: Path) -> None:
    run(tmp_path, "brittle", 1.5 * BRITTLE)
    run(tmp_path, "ductile", np.where(STRAINS < 0.09, DUCTILE, 0.0), 0.05)
    assert number(tmp_path, "spring_fracture.brittle_work_error") == pytest.approx(0.5, abs=0.01)
    assert number(tmp_path, "spring_fracture.ductile_work_error") > 0.5


def test_a_spring_that_does_not_break_or_mends_has_no_work(tmp_path: Path) -> None:
    run(tmp_path, "brittle", STRAINS)
    mended = BRITTLE.copy()
    mended[-1] = 0.1
    run(tmp_path, "ductile", mended, 0.05)
    assert "does not break" in value_of(tmp_path, "spring_fracture.brittle_work").note
    assert "pulls again" in value_of(tmp_path, "spring_fracture.ductile_work").note

# SPDX-License-Identifier: BSD-3-Clause
"""Volumes and pulls of stretched blocks: one law, stretch or Poisson's ratio is farther from the exact state than the
others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

EXPERIMENT = "cross/volume_at_high_poisson"
SIZE = np.array([0.2, 0.4, 0.5])  # V0 = 0.04 m³, A0 = 0.2 m²
YOUNG = 50.0


def contracted(law: str, stretch: float, nu: float) -> tuple[float, float]:
    """V/V0 and pull over E A0 by hand."""
    if law == "corotational":
        return stretch * (1 - nu * (stretch - 1)) ** 2, stretch - 1
    return stretch * (1 - nu * (stretch**2 - 1)), stretch * (stretch**2 - 1) / 2


def pulled(
    folder: Path,
    law: str,
    stretch: float,
    nu: float,
    *,
    name: str | None = None,
    off: float = 0.0,
    stronger: float = 1.0,
    uneven: float = 1.0,
) -> None:
    volume, pull = contracted(law, stretch, nu)
    force = stronger * pull * YOUNG * 0.2
    zero = np.zeros(3)
    method = "warped_fem" if name == "warped" else "implicit_fem"
    write_trace(
        folder,
        f"{EXPERIMENT} {method} {name or law}",
        parameters={} if name == "warped" else {"law": law},
        swept={"poisson_ratio": nu, "stretch": stretch},
        scene={"young_modulus_pa": YOUNG},
        arrays={"rest_positions": np.array([zero, SIZE, SIZE * [1, 0, 1]])},
        step={
            "volume": np.array([7.0, 9.0, 0.04 * (volume + off)]),
            "tip_elastic_force": np.array([zero, zero, [-force, 3, 4]]),
            "root_elastic_force": np.array([zero, zero, [uneven * force, 3, 4]]),
        },
    )


def test_errors_are_those_of_the_worst_cell_of_all_laws(tmp_path: Path) -> None:
    for law in ("corotational", "st_venant_kirchhoff"):
        for nu in (0.3, 0.45):
            for stretch in (0.7, 1.5):
                far = (law, nu, stretch) == ("st_venant_kirchhoff", 0.3, 0.7)
                strong = (law, nu, stretch) == ("corotational", 0.45, 1.5)
                pulled(tmp_path, law, stretch, nu, off=-0.02 if far else 0.01, stronger=0.9 if strong else 1.05)
    assert number(tmp_path, "volume_at_high_poisson.volume_error") == pytest.approx(0.02)
    assert "poisson_ratio=0.3, stretch=0.7" in value_of(tmp_path, "volume_at_high_poisson.volume_error").note
    assert number(tmp_path, "volume_at_high_poisson.traction_error") == pytest.approx(0.1)


def test_the_change_is_that_of_the_worst_stretch_at_the_largest_ratio(tmp_path: Path) -> None:
    pulled(tmp_path, "corotational", 2.0, 0.3, off=5.0)  # another ratio
    for stretch, off in ((0.7, 0.0), (1.5, 0.0), (2.0, 0.01)):
        pulled(tmp_path, "corotational", stretch, 0.45, off=off)
        pulled(tmp_path, "st_venant_kirchhoff", min(stretch, 1.5), 0.45)
    expected = 2.0 * 0.55**2 + 0.01
    assert number(tmp_path, "volume_at_high_poisson.corotational_change") == pytest.approx(1 - expected)
    assert "V/V0 = 0.615" in value_of(tmp_path, "volume_at_high_poisson.corotational_change").note
    assert number(tmp_path, "volume_at_high_poisson.st_venant_kirchhoff_change") == pytest.approx(
        1 - 1.5 * (1 - 0.45 * 1.25)
    )


@pytest.mark.parametrize("law", ["neo_hookean", "stable_neo_hookean"])
def test_each_law_has_its_own_change(tmp_path: Path, law: str) -> None:
    for one, off in (("neo_hookean", 0.1), ("stable_neo_hookean", 0.2)):
        pulled(tmp_path, one, 1.0, 0.499, off=off)
    found = number(tmp_path, f"volume_at_high_poisson.{law}_change")
    assert found == pytest.approx(0.1 if law == "neo_hookean" else 0.2)


def test_warped_blocks_are_compared_with_the_corotational_one_of_their_cell(tmp_path: Path) -> None:
    for nu, off in ((0.3, 0.001), (0.45, -0.004), (0.49, 0.002)):
        pulled(tmp_path, "corotational", 1.5, nu)
        pulled(tmp_path, "corotational", 1.5, nu, name="warped", off=off)
    assert number(tmp_path, "volume_at_high_poisson.warped_difference") == pytest.approx(0.004)


def test_ends_that_are_not_pulled_alike_are_no_rest(tmp_path: Path) -> None:
    pulled(tmp_path, "corotational", 1.5, 0.3)
    pulled(tmp_path, "corotational", 2.0, 0.3, uneven=1.01)
    assert "not at rest" in value_of(tmp_path, "volume_at_high_poisson.traction_error").note

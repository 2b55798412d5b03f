# SPDX-License-Identifier: BSD-3-Clause
"""Stiffness of bent cantilevers by law, mesh and Poisson's ratio: one row or ratio is worse than the others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.cross.measurements.elastica import elastica

ROWS = ("warped", "corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")
LENGTH, SIDE, YOUNG, LOAD = 2.0, 0.1, 1e6, 3.0


def bent(
    folder: Path, name: str, cells: int, nu: float, stiffness: float, status: str = "completed", load: float = LOAD
) -> None:
    """A bar that bends as one of this stiffness over EI would, at the end; before it is elsewhere."""
    drop = LOAD / 3 / stiffness if name == "linear" else elastica(LOAD / stiffness)[0]
    force = [0.0, LOAD * YOUNG * SIDE**4 / 12 / LENGTH**2, 0.0]
    write_trace(
        folder,
        f"cross/locking any {name}",
        status=status,
        swept={"poisson_ratio": nu, "cells_across": cells},
        scene={"length_m": LENGTH, "side_m": SIDE, "young_modulus_pa": YOUNG, "tip_force_n": force},
        references={
            "elastica_tip_load": {"drop_over_length": elastica(load)[0], "reach_over_length": elastica(load)[1]}
        },
        step={"tip_displacement": np.array([[0, 0, 0], [9, 9, 9], [-0.3, LENGTH * drop, 0]])},
    )


def test_stiffening_is_that_of_the_worst_row_on_its_finest_mesh(tmp_path: Path) -> None:
    for k, name in enumerate(ROWS):
        for nu in (0.3, 0.45, 0.49):
            bent(tmp_path, name, 2, nu, 1.5 * (1 + nu) * (1.001 if name == "neo_hookean" and nu == 0.45 else 1))
            high = 1.3 if name == "st_venant_kirchhoff" else 1.2
            bent(tmp_path, name, 4, nu, {0.3: 1.1, 0.45: 5.0 * high, 0.49: high}[nu])
    assert number(tmp_path, "locking.stiffening") == pytest.approx(1.3 / 1.1 - 1)
    assert value_of(tmp_path, "locking.stiffening").note == (
        "st_venant_kirchhoff, 4 cells across, ν from 0.3 to 0.49: 1.1 to 1.3"
    )
    assert number(tmp_path, "locking.coarsest_stiffness") == pytest.approx(1.5 * 1.49)
    assert number(tmp_path, "locking.law_spread") == pytest.approx(1.3 / 1.2 - 1)


def test_quadratic_elements_have_a_stiffening_of_their_own(tmp_path: Path) -> None:
    for cells, high in ((1, 1.5), (2, 1.021)):
        bent(tmp_path, "quadratic", cells, 0.3, 1.01)
        bent(tmp_path, "quadratic", cells, 0.499, high)
        bent(tmp_path, "linear", cells, 0.3, 1.0)
        bent(tmp_path, "linear", cells, 0.499, 9.0)
    assert number(tmp_path, "locking.quadratic_stiffening") == pytest.approx(1.021 / 1.01 - 1)


def test_the_spread_of_laws_is_that_of_the_worst_mesh_and_ratio(tmp_path: Path) -> None:
    for name in ROWS:
        for cells in (2, 4):
            for nu in (0.3, 0.49):
                far = (name, cells, nu) == ("warped", 2, 0.3)
                bent(tmp_path, name, cells, nu, 1.5 * (1.02 if far else 1.0) + nu)
    assert number(tmp_path, "locking.law_spread") == pytest.approx(0.03 / 1.8)
    assert "2 cells, ν = 0.3" in value_of(tmp_path, "locking.law_spread").note


@pytest.mark.parametrize("worst", ROWS)
def test_the_coarsest_mesh_is_that_of_the_stiffest_row(tmp_path: Path, worst: str) -> None:
    for name in ROWS:
        bent(tmp_path, name, 2, 0.3, 3.0)
        bent(tmp_path, name, 2, 0.49, 2.0 if name == worst else 1.7)
        bent(tmp_path, name, 4, 0.49, 2.5)
    assert number(tmp_path, "locking.coarsest_stiffness") == pytest.approx(2.0)
    assert value_of(tmp_path, "locking.coarsest_stiffness").note == f"{worst}, 2 cells across, ν = 0.49"


def test_a_linear_bar_is_read_by_its_own_deflection_on_the_finest_mesh(tmp_path: Path) -> None:
    for cells, low, high in ((2, 1.4, 1.9), (8, 1.02, 1.08), (4, 1.1, 1.3)):
        bent(tmp_path, "linear", cells, 0.3, low)
        bent(tmp_path, "linear", cells, 0.49, high)
    assert number(tmp_path, "locking.linear_stiffening") == pytest.approx(1.08 / 1.02 - 1)


def test_one_ratio_has_no_loss_and_a_failed_cell_is_not_left_out(tmp_path: Path) -> None:
    bent(tmp_path, "linear", 2, 0.3, 1.4)
    assert "one Poisson's ratio" in value_of(tmp_path, "locking.linear_stiffening").note
    bent(tmp_path, "linear", 2, 0.49, 1.4, status="failed")
    assert "did not complete" in value_of(tmp_path, "locking.linear_stiffening").note


def test_the_elastica_of_another_load_is_no_reference(tmp_path: Path) -> None:
    for nu in (0.3, 0.49):
        bent(tmp_path, "linear", 2, nu, 1.4, load=1.0)
    assert "another load" in value_of(tmp_path, "locking.linear_stiffening").note

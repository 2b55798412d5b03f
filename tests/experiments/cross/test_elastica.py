# SPDX-License-Identifier: BSD-3-Clause
"""Tips of bent cantilevers: limits of fine meshes against beams; one law or load is worse than the others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.cross.measurements.elastica import elastica, reissner

LENGTH, SIDE, YOUNG, NU = 2.0, 0.1, 1e6, 0.3
LOADS = (1.0, 4.0)
ROWS = ("warped", "corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")


def resting(
    folder: Path,
    name: str,
    load: float,
    cells: int,
    drop: float,
    reach: float,
    status: str = "completed",
    reference: tuple[float, float] | None = None,
) -> None:
    """`drop` and `reach` over the length, at the end; the rows before are elsewhere."""
    force = [0.0, load * YOUNG * SIDE**4 / 12 / LENGTH**2, 0.0]
    expected = reference or elastica(load)
    write_trace(
        folder,
        f"cross/elastica any {name}",
        status=status,
        swept={"tip_force_n": force, "cells_across": cells},
        scene={"length_m": LENGTH, "side_m": SIDE, "young_modulus_pa": YOUNG, "poisson_ratio": NU},
        references={"elastica_tip_load": {"drop_over_length": expected[0], "reach_over_length": expected[1]}},
        step={"tip_displacement": np.array([[0, 0, 0], [9, 9, 9], [LENGTH * (reach - 1), LENGTH * drop, 0]])},
    )


def locked(folder: Path, name: str, load: float, cells: int, drops: float = 1.0, reaches: float = 1.0) -> None:
    """The elastica of a bar that is stiffer by these factors in the limit, and by 2/n² more on a mesh."""
    drop, reach = (elastica(load / (limit + 2 / cells**2))[k] for k, limit in ((0, drops), (1, reaches)))
    resting(folder, name, load, cells, drop, reach)


def test_tips_are_compared_with_both_beams_in_the_limit_of_fine_meshes(tmp_path: Path) -> None:
    for name in ROWS:
        for load in LOADS:
            for cells in (2, 4):
                soft = 0.8 if (name, load) == ("neo_hookean", 1.0) else 0.97
                near = 1.3 if (name, load) == ("warped", 4.0) else 1.0
                locked(tmp_path, name, load, cells, soft, near)
    worst = {
        "neo": elastica(1.0 / 0.8)[0] - elastica(1.0)[0],
        "warped": np.hypot(elastica(4.0 / 0.97)[0] - elastica(4.0)[0], elastica(4.0 / 1.3)[1] - elastica(4.0)[1]),
    }
    assert worst["warped"] > worst["neo"] > 0.04
    assert number(tmp_path, "elastica.tip_error") == pytest.approx(worst["warped"], abs=1e-9)
    assert value_of(tmp_path, "elastica.tip_error").note == "warped, PL²/EI = 4"
    beam = reissner(4.0, 0.05, NU)
    away = np.hypot(elastica(4.0 / 0.97)[0] - beam[0], elastica(4.0 / 1.3)[1] - beam[1])
    assert number(tmp_path, "elastica.beam_error") == pytest.approx(away, abs=1e-9)
    assert number(tmp_path, "elastica.stiffness_error") == pytest.approx(0.2, abs=1e-8)  # at the smallest load
    assert value_of(tmp_path, "elastica.stiffness_error").note == "neo_hookean, PL²/EI = 1"


def test_coarse_meshes_and_differences_between_rows_are_those_of_one_mesh(tmp_path: Path) -> None:
    for k, name in enumerate(ROWS):
        for load in LOADS:
            drop, reach = elastica(load)
            for cells in (2, 4):
                off = 0.1 + 0.01 * k if (load, cells) == (4.0, 2) else 0.05 if cells == 2 else 0.3
                far = 0.002 if (name, load, cells) == ("warped", 1.0, 4) else 0.0
                resting(tmp_path, name, load, cells, drop - off, reach + far)
    assert number(tmp_path, "elastica.coarse_error") == pytest.approx(0.1)
    assert value_of(tmp_path, "elastica.coarse_error").note == "warped"
    assert number(tmp_path, "elastica.spread") == pytest.approx(0.03)  # corotational and stable, the warped row apart
    assert "PL²/EI = 4, 2 cells" in value_of(tmp_path, "elastica.spread").note
    assert number(tmp_path, "elastica.warped_difference") == pytest.approx(0.01)


def test_a_linear_tip_is_compared_with_beam_theory_of_small_loads(tmp_path: Path) -> None:
    for load, limit in ((1.0, 0.98), (4.0, 1.05), (8.0, 1.0)):
        for cells in (2, 4):
            resting(tmp_path, "linear", load, cells, load / 3 / (limit + 2 / cells**2), 1.0)
    assert number(tmp_path, "elastica.linear_error") == pytest.approx(1 - 1 / 1.05)
    drop, reach = elastica(8.0)
    fine = 8 / 3 / (1 + 2 / 16)
    assert number(tmp_path, "elastica.linear_distance") == pytest.approx(np.hypot(fine - drop, 1 - reach))


def test_one_mesh_has_no_limit_and_a_failed_one_is_not_left_out(tmp_path: Path) -> None:
    for name in ROWS:
        locked(tmp_path, name, 1.0, 4)
    assert "1 meshes" in value_of(tmp_path, "elastica.tip_error").note
    resting(tmp_path, "neo_hookean", 1.0, 2, 0.3, 0.9, status="failed")
    assert "did not complete" in value_of(tmp_path, "elastica.spread").note


def test_the_elastica_of_another_load_is_no_reference(tmp_path: Path) -> None:
    for name in ROWS:
        for cells in (2, 4):
            resting(tmp_path, name, 1.0, cells, 0.3, 0.94, reference=elastica(2.0))
    assert "another load" in value_of(tmp_path, "elastica.tip_error").note


def test_a_tip_beyond_every_elastica_is_told(tmp_path: Path) -> None:
    for name in ROWS:
        for cells in (2, 4):
            resting(tmp_path, name, 1.0, cells, 1.2, 0.94)
    assert "no elastica has such a tip" in value_of(tmp_path, "elastica.tip_error").note


def test_reissners_beam_is_the_elastica_when_thin_and_timoshenkos_when_hardly_bent() -> None:
    assert reissner(4.0, 1e-4, 0.3) == pytest.approx(elastica(4.0), abs=1e-6)
    kappa, shear = 13 / 15.3, 1 / 2.6  # of E
    timoshenko = 1e-4 / 3 + 1e-4 * 0.2**2 / 12 / (kappa * shear)
    assert reissner(1e-4, 0.2, 0.3)[0] == pytest.approx(timoshenko, rel=1e-6)
    assert reissner(4.0, 0.1, 0.3)[0] > elastica(4.0)[0]

# SPDX-License-Identifier: BSD-3-Clause
"""Twisted bars: change of length and torque over the closed forms, in the limit of fine meshes;
one law or ratio is worse."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.cross.measurements import laws

EXPERIMENT = "cross/twist"
LAWS = ("corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")
SIDE, LENGTH, YOUNG, ANGLE = 0.5, 4.0, 80.0, 30.0
TURN = np.radians(ANGLE)
WAGNER = -((SIDE * TURN / LENGTH) ** 2) / 12


def stiffness(nu: float) -> float:
    """G J / L."""
    return YOUNG / (2 * (1 + nu)) * 0.1405770149 * SIDE**4 / LENGTH


def own(law: str, nu: float) -> tuple[float, float]:
    """The law's change of length over Wagner's, and its torque over St. Venant's."""
    state = laws.twisted(law, nu, TURN * SIDE / LENGTH)
    return state.strain / WAGNER, state.torque * YOUNG * SIDE**3 / (stiffness(nu) * TURN)


def turned(
    folder: Path, name: str, nu: float, cells: int, shortening: float, torque: float, method: str = "any"
) -> None:
    """Sections of two vertices at the ends, 1.5 sides from them, and in between;
    the ends and the middle move anywhere."""
    rest = np.array([[x, y, 0.0] for x in (0.0, 0.75, 2.0, 3.25, 4.0) for y in (-1.0, 1.0)])
    last = rest + [0.0, 0.2, 0.1]
    last[2:4, 0] += [0.02, -0.02]  # warped: means count
    last[6:8, 0] += 2.5 * shortening * WAGNER
    last[8:, 0] += 0.3
    last[4:6, 0] -= 0.4
    held = np.zeros((10, 3))
    couple = torque * stiffness(nu) * TURN
    held[8], held[9] = [4, 5, 6 + couple / 2], [4, 5, 6 - couple / 2]  # on the end; arms of 1 m, and a pull across
    held[0] = 77
    write_trace(
        folder,
        f"{EXPERIMENT} {method} {name}",
        parameters={"law": name} if name in LAWS else {},
        swept={"poisson_ratio": nu, "cells_across": cells},
        scene={"angle_deg": ANGLE, "side_m": SIDE, "length_m": LENGTH, "young_modulus_pa": YOUNG},
        arrays={"rest_positions": rest, "vertex_set_tip": np.array([8, 9])},
        references={
            "torsion_shortening": {"strain": WAGNER},
            "torsion_of_rectangular_bar": {"torsional_stiffness_n_m": stiffness(nu)},
        },
        frame={"positions": np.array([3 * rest, last]), "elastic_forces": np.array([9 * held, held])},
    )


def row(folder: Path, name: str, nu: float, shortening: float, torque: float, method: str = "any") -> None:
    """Meshes whose values lead to these two, with terms of second and fourth order,
    and a coarse one that does not count."""
    for n in (4, 6, 8):
        turned(
            folder, name, nu, n, shortening - 3 / n**2 + 2 / n**4, torque + 4 / n**2 - 1 / n**4, method=method
        )
    turned(folder, name, nu, 2, -5.0, 9.0, method=method)


def test_limits_are_compared_with_each_laws_own_state(tmp_path: Path) -> None:
    for name in ("warped", *LAWS):
        for nu in (0.0, 0.3):
            length, torque = own(name if name in LAWS else "corotational", nu)
            far = 0.03 if (name, nu) == ("neo_hookean", 0.0) else 0.01
            strong = 0.95 if (name, nu) == ("warped", 0.3) else 1.02
            row(tmp_path, name, nu, length - far, strong * torque)
    assert number(tmp_path, "twist.shortening_error") == pytest.approx(0.03)
    assert value_of(tmp_path, "twist.shortening_error").note == "neo_hookean, ν = 0"
    assert number(tmp_path, "twist.torque_error") == pytest.approx(0.05)
    assert value_of(tmp_path, "twist.torque_error").note == "warped, ν = 0.3"
    strongest = 1.02 * max(own(law, nu)[1] for law in LAWS for nu in (0.0, 0.3)) + 4 / 64 - 1 / 4096
    assert number(tmp_path, "twist.torque_on_the_finest_mesh") == pytest.approx(strongest)


@pytest.mark.parametrize("law", LAWS)
def test_factors_are_those_of_the_law_at_the_largest_ratio(tmp_path: Path, law: str) -> None:
    for k, name in enumerate(LAWS):
        row(tmp_path, name, 0.0, 2.0 + k, 1.0)
        row(tmp_path, name, 0.3, 0.5 - 0.2 * k, 1.0)
    assert number(tmp_path, f"twist.{law}_factor") == pytest.approx(0.5 - 0.2 * LAWS.index(law))
    assert value_of(tmp_path, f"twist.{law}_factor").note.startswith("ν = 0.3; own state")


def test_wagner_is_judged_without_lateral_contraction(tmp_path: Path) -> None:
    row(tmp_path, "st_venant_kirchhoff", 0.3, 0.5, 1.0)
    row(tmp_path, "st_venant_kirchhoff", 0.0, 0.96, 1.0)
    assert number(tmp_path, "twist.wagner_error") == pytest.approx(0.04)


def test_a_linear_bar_is_judged_at_its_worst_ratio(tmp_path: Path) -> None:
    for nu, length in ((0.0, 0.01), (0.2, -0.06), (0.3, 0.02)):
        row(tmp_path, "linear", nu, length, 1.0)
    assert number(tmp_path, "twist.linear_shortening") == pytest.approx(0.06)


def test_two_meshes_have_no_limit(tmp_path: Path) -> None:
    for n in (2, 4):
        turned(tmp_path, "corotational", 0.3, n, 0.2, 1.0)
    assert "2 meshes" in value_of(tmp_path, "twist.corotational_factor").note


def test_a_mesh_without_sections_there_is_refused(tmp_path: Path) -> None:
    import h5py

    row(tmp_path, "corotational", 0.3, 0.2, 1.0)
    for path in (tmp_path / EXPERIMENT).glob("*.h5"):
        with h5py.File(path, "a") as file:
            file["scene/rest_positions"][6:8, 0] = 3.0
    assert "no sections of vertices" in value_of(tmp_path, "twist.corotational_factor").note


def test_xpbd_is_compared_with_the_energy_of_its_constraints(tmp_path: Path) -> None:
    nu = 0.3
    length, torque = own(laws.TWO_CONSTRAINTS, nu)
    stable, _ = own("stable_neo_hookean", nu)
    assert abs(length - stable) > 0.015, "or the comparison could not tell the two laws"
    row(tmp_path, "xpbd", nu, length + 0.004, 0.98 * torque, method="xpbd")
    assert number(tmp_path, "twist.xpbd_shortening_error") == pytest.approx(0.004)
    note = value_of(tmp_path, "twist.xpbd_shortening_error").note
    assert note == f"ν = 0.3; stable neo-Hookean {abs(length + 0.004 - stable):.3g}"
    assert number(tmp_path, "twist.xpbd_torque_error") == pytest.approx(0.02)

# SPDX-License-Identifier: BSD-3-Clause
"""Chains with strains put in: links that flow, and links that break, where they should and elsewhere."""

from pathlib import Path

import numpy as np
import pytest
from made_springs import chain
from measured import number, value_of

SECTIONS = np.array([10.0, 10, 8, 10])
LAW = {"yield_tension": 0.05, "fracture_tension": 0.09, "hardening": 0.2}


def flowed(folder: Path, name: str, plastic: np.ndarray) -> None:
    chain(folder, "weak_link", name, plastic + 0.4 / SECTIONS, 0.4, SECTIONS, parameters=LAW, scene={})


@pytest.mark.parametrize("link", [0, 1, 3])
def test_flow_is_strain_beyond_the_tension(tmp_path: Path, link: int) -> None:
    plastic = np.array([0.5, 0.5, 0.75, 0.5])
    plastic[link] = 0.25
    flowed(tmp_path, "hardening", plastic)
    plastic = np.array([0.0, 0, 2, 0])
    plastic[link] = -0.125
    flowed(tmp_path, "perfect", plastic)
    assert number(tmp_path, "weak_link.least_flow_with_hardening") == pytest.approx(0.25)
    assert number(tmp_path, "weak_link.flow_of_others_without_hardening") == pytest.approx(0.125)
    assert number(tmp_path, "weak_link.flow_of_thin_link_without_hardening") == pytest.approx(2)


def broken(folder: Path, name: str, thin: str, seed: int, strains: np.ndarray, tension: float = 0.0,
           sections: np.ndarray = SECTIONS, status: str = "completed") -> None:  # fmt: skip
    swept = {"thin": thin, "seed": seed}
    chain(folder, "broken_chain", name, strains, tension, sections, parameters=LAW, swept=swept, status=status)


def all_break(folder: Path) -> None:
    for name, rest in (("brittle", 0.0), ("ductile", 0.2), ("brittle_lightly_damped", 0.0)):
        broken(folder, name, "one", 1, np.array([rest, rest, 9, rest]))
        for seed in (1, 2):
            broken(folder, name, "all", seed, np.roll([rest, rest, 9, rest], seed), sections=np.roll(SECTIONS, seed))


def test_chains_that_break_where_they_are_thin(tmp_path: Path) -> None:
    all_break(tmp_path)
    assert number(tmp_path, "broken_chain.breaks_elsewhere") == 0
    assert number(tmp_path, "broken_chain.brittle_residual") == pytest.approx(0, abs=1e-12)
    assert number(tmp_path, "broken_chain.ductile_residual_error") == pytest.approx(0, abs=1e-12)
    assert number(tmp_path, "broken_chain.chains") == 2
    assert number(tmp_path, "broken_chain.places_of_the_thinnest") == 3
    assert number(tmp_path, "broken_chain.second_breaks_with_little_damping") == 0


def test_a_kind_without_random_chains_is_not_passed_over(tmp_path: Path) -> None:
    rest = np.array([0.0, 0, 9, 0])
    for seed in (1, 2):
        broken(tmp_path, "brittle", "all", seed, rest)
    broken(tmp_path, "ductile", "one", 1, rest)
    assert value_of(tmp_path, "broken_chain.chains").value is None


@pytest.mark.parametrize("strains", [[9.0, 0, 0, 0], [9.0, 0, 9, 0], [0.0, 0, 0, 0]])
def test_one_chain_breaks_elsewhere_or_twice_or_not(tmp_path: Path, strains: list[float]) -> None:
    all_break(tmp_path)
    broken(tmp_path, "brittle", "all", 3, np.array(strains))
    assert number(tmp_path, "broken_chain.breaks_elsewhere") == 1


def test_second_breaks_are_counted(tmp_path: Path) -> None:
    all_break(tmp_path)
    broken(tmp_path, "brittle_lightly_damped", "all", 3, np.array([9.0, 0, 9, 0]))
    assert number(tmp_path, "broken_chain.second_breaks_with_little_damping") == 1


@pytest.mark.parametrize("link", [0, 1, 3])
def test_one_link_of_a_piece_keeps_another_strain(tmp_path: Path, link: int) -> None:
    for name, rest in (("brittle", 0.0), ("ductile", 0.2)):
        strains = np.array([rest, rest, 9, rest])
        strains[link] += 0.045
        broken(tmp_path, name, "one", 1, strains)
    assert number(tmp_path, "broken_chain.brittle_residual") == pytest.approx(0.5)
    assert number(tmp_path, "broken_chain.ductile_residual_error") == pytest.approx(0.225)


def test_pieces_that_still_swing_are_not_judged(tmp_path: Path) -> None:
    broken(tmp_path, "brittle", "one", 1, np.array([0.0, 0, 9, 0]), tension=0.01)
    assert "not at rest" in value_of(tmp_path, "broken_chain.brittle_residual").note

# SPDX-License-Identifier: BSD-3-Clause
"""The lowest frequency of a free body and what a state is like, against bodies whose numbers are known."""

import numpy as np
import pytest
from block_runs import BODY, CORNERS, MIRRORED

from deformbench_analysis.recovery import FreeBody, stretched_energy

FIVE = FreeBody(BODY["rest_positions"], BODY["tetrahedra"], BODY["masses"], 1e5, 0.33)
# Regular, edge √2 m, corners (±1, ±1, ±1)/2 with an even number of minus signs; volume 1/3 m³.
REGULAR = 0.5 * np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])


def test_a_regular_tetrahedron_has_the_frequency_of_its_shear() -> None:
    mass, modulus = 2.0, 1e5
    body = FreeBody(REGULAR, np.array([[0, 2, 1, 3]]), np.full(4, mass), modulus, 0.25)
    mu = modulus / 2.5
    # u = γ diag(1, −1, 0) x has the energy 2μγ² V and the kinetic energy Σ m|u̇|²/2 = m γ̇²; the other four modes
    # without a change of volume have the same frequency, the one with it a higher one.
    assert body.lowest_frequency == pytest.approx(np.sqrt(2 * mu / 3 / mass), rel=1e-9)
    # u = γ x: energy 3/2 (2μ + 3λ) γ² V, kinetic energy ½ m · 4 · ¾ γ̇².
    highest = (2 * mu + 3 * mu) / 3 / mass  # λ = μ at ν = ¼
    assert body.longest_step == pytest.approx(2 / np.sqrt(highest), rel=1e-9)


def test_the_frequency_scales_with_the_root_of_stiffness_over_mass() -> None:
    heavier = FreeBody(FIVE.rest, FIVE.tetrahedra, 4 * FIVE.masses, FIVE.young_modulus, FIVE.poisson_ratio)
    assert heavier.lowest_frequency == pytest.approx(FIVE.lowest_frequency / 2, rel=1e-9)
    assert heavier.longest_step == pytest.approx(2 * FIVE.longest_step, rel=1e-9)
    assert heavier.period == pytest.approx(4 * np.pi / FIVE.lowest_frequency, rel=1e-9)


def test_one_inverted_element_of_five_and_one_long_edge_are_seen() -> None:
    pushed = CORNERS.copy()
    pushed[0] = CORNERS[[1, 2, 4]].sum(axis=0) / 3 + 0.1 * CORNERS[7]  # corner 0 through the face of its element
    assert FIVE.least_determinant(pushed) < 0
    assert FIVE.least_determinant(MIRRORED) == pytest.approx(-1)
    assert np.abs(FIVE.edge_strains(MIRRORED)).max() == pytest.approx(0, abs=1e-12)
    longer = CORNERS.copy()
    longer[0, 0] -= 0.02
    assert FIVE.edge_strains(longer).max() == pytest.approx(0.1, rel=1e-6)
    assert len(FIVE.edges) == 18


def test_kinetic_energy_leaves_out_the_motion_of_the_centre() -> None:
    drift = np.tile([3.0, 0, 0], (8, 1))
    wiggle = np.zeros((8, 3))
    wiggle[0, 1], wiggle[1, 1] = 1.0, -1.0
    # Speeds about the centre are roundings of 3 m/s: less than 8 · 3 · 2⁻⁵³ m/s each, squared.
    assert FIVE.kinetic_energy(drift) == pytest.approx(0, abs=FIVE.masses.sum() / 2 * (24 * 2.0**-53) ** 2)
    assert FIVE.kinetic_energy(drift + wiggle) == pytest.approx(FIVE.masses[0])


def test_the_energy_of_the_start_is_that_of_the_law() -> None:
    body = FreeBody(BODY["rest_positions"], BODY["tetrahedra"], BODY["masses"], 1e5, 0.0)
    # Without Poisson's ratio 2μ = E and λ = 0; Green's strain is 3/2 on the diagonal: μ · 3 · 9/4 per volume.
    assert stretched_energy(body, 2.0) == pytest.approx(0.2**3 * 0.5e5 * 27 / 4)

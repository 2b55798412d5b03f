# SPDX-License-Identifier: BSD-3-Clause
"""Laws and their exact states: stresses are derivatives of the energies, small strains see λ and μ,
states are those known by hand."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from deformbench_analysis.errors import MissingData
from deformbench_analysis.mesh import lame
from experiments.cross.measurements import laws

LAMBDA, MU = 1.3, 0.7


@pytest.mark.parametrize("law", laws.ALL_LAWS)
def test_the_stress_is_the_derivative_of_the_energy(law: str) -> None:
    random = np.random.default_rng(1)
    f, direction = np.eye(3) + 0.2 * random.standard_normal((5, 3, 3)), random.standard_normal((5, 3, 3))
    step = 1e-6 * direction
    rate = (laws.energy(law, f + step, LAMBDA, MU) - laws.energy(law, f - step, LAMBDA, MU)) / 2e-6
    assert rate == pytest.approx((laws.stress(law, f, LAMBDA, MU) * direction).sum(axis=(1, 2)), abs=1e-8)


@pytest.mark.parametrize("law", ["corotational", "st_venant_kirchhoff", "neo_hookean"])
def test_a_body_at_rest_stores_no_energy(law: str) -> None:
    assert laws.energy(law, np.eye(3), LAMBDA, MU) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("law", laws.ALL_LAWS)
def test_small_strains_see_the_lame_constants(law: str) -> None:
    displacement = 1e-7 * np.random.default_rng(2).standard_normal((3, 3))
    strain = (displacement + displacement.T) / 2
    hooke = LAMBDA * np.trace(strain) * np.eye(3) + 2 * MU * strain
    assert laws.stress(law, np.eye(3) + displacement, LAMBDA, MU) == pytest.approx(hooke, abs=1e-12)


@pytest.mark.parametrize("stretch", [0.7, 1.5])
def test_a_pulled_block_has_the_sides_known_by_hand(stretch: float) -> None:
    nu = 0.45
    assert laws.uniaxial("corotational", stretch, nu).lateral == pytest.approx(1 - nu * (stretch - 1))
    assert laws.uniaxial("corotational", stretch, nu).traction == pytest.approx(stretch - 1)
    green = laws.uniaxial("st_venant_kirchhoff", stretch, nu)
    assert green.lateral**2 == pytest.approx(1 - nu * (stretch**2 - 1))
    assert green.traction == pytest.approx(stretch * (stretch**2 - 1) / 2)
    lam, mu = lame(1.0, nu)
    side = laws.uniaxial("neo_hookean", stretch, nu).lateral
    assert mu * (side**2 - 1) + lam * np.log(stretch * side**2) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("law", laws.ALL_LAWS)
def test_a_pulled_block_has_the_least_energy(law: str) -> None:
    lam, mu = lame(1.0, 0.49)
    found = minimize_scalar(
        lambda side: float(laws.energy(law, np.diag([1.4, side, side]), lam, mu)), bounds=(0.5, 1.5), method="bounded"
    )
    assert laws.uniaxial(law, 1.4, 0.49).lateral == pytest.approx(found.x, abs=1e-5)
    assert laws.uniaxial(law, 1.4, 0.49).volume == pytest.approx(1.4 * found.x**2, abs=1e-4)


def test_a_section_that_its_law_pulls_together_vanishes() -> None:
    state = laws.uniaxial("st_venant_kirchhoff", 2.0, 0.45)  # 1 − ν (ℓ² − 1) < 0
    assert state.lateral == 0.0 and state.volume == 0.0


@pytest.mark.parametrize("law", laws.ALL_LAWS)
def test_a_hardly_twisted_bar_has_st_venants_torque(law: str) -> None:
    state = laws.twisted(law, 0.33, 1e-3)
    assert state.torque / 1e-3 * 2 * 1.33 == pytest.approx(0.1405770149, rel=3e-5)  # J/a⁴ = T/(Gθ a⁴), E = a = 1


def test_without_contraction_st_venant_kirchhoff_shortens_as_wagner_has_it() -> None:
    assert laws.twisted("st_venant_kirchhoff", 0.0, 0.01).strain == pytest.approx(-(0.01**2) / 12, rel=2e-5)
    assert laws.twisted("st_venant_kirchhoff", 0.33, 0.01).strain > -0.6 * 0.01**2 / 12


@pytest.mark.parametrize("law", laws.ALL_LAWS)
def test_more_trial_displacements_do_not_change_a_twisted_section(law: str) -> None:
    coarse, fine = laws.twisted(law, 0.33, 0.157, 7), laws.twisted(law, 0.33, 0.157, 11)
    assert coarse.strain == pytest.approx(fine.strain, abs=2e-4 * 0.157**2 / 12)
    assert coarse.torque == pytest.approx(fine.torque, rel=1e-4)


def test_another_law_is_refused() -> None:
    with pytest.raises(MissingData, match="expected one of"):
        laws.stress("ogden", np.eye(3), 1.0, 1.0)
    with pytest.raises(MissingData, match="expected one of"):
        laws.energy("ogden", np.eye(3), 1.0, 1.0)

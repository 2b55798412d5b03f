# SPDX-License-Identifier: BSD-3-Clause
"""The nonlinear elements of reference_data/total_lagrangian: against finite differences, CalculiX,
and what is kept of them."""

import json
from typing import Any

import numpy as np
import pytest

from reference_data.total_lagrangian.body import Body, Problem, equilibrium
from reference_data.calculix.generate_decks import FOLDER as CALCULIX
from reference_data.calculix.generate_decks import bar_mesh, checksum, decks as calculix_decks
from reference_data.total_lagrangian.decks import Deck, read_deck
from reference_data.total_lagrangian.dynamics import Motion, MovingBody
from reference_data.total_lagrangian.laws import (
    Array,
    IsochoricNeoHookean,
    Law,
    LogNeoHookean,
    StableNeoHookean,
    StVenantKirchhoff,
    cofactor,
    lame,
    law_of,
)
from reference_data.total_lagrangian.write_results import (
    LAWS,
    RESULTS,
    SHAPES,
    STEP_TIME_S,
    block,
    cases,
    constants_of,
    moving_block,
)

LAM, MU = 30000.0, 20000.0
OWN: list[Law] = [
    StVenantKirchhoff(LAM, MU),
    LogNeoHookean(LAM, MU),
    StableNeoHookean(LAM, MU),
    IsochoricNeoHookean(MU / 2, 2 / (LAM + 2 * MU / 3)),
]
EACH_LAW = pytest.mark.parametrize("law", OWN, ids=lambda law: type(law).__name__)
TURN = np.array([[0.6, -0.224, 0.768], [0.8, 0.168, -0.576], [0.0, 0.96, 0.28]])
# CalculiX prints seven digits: a number as large as the largest of its table is rounded by up to 5e-7 of itself.
PRINTED_DIGITS = 1e-6


def stacked(count: int = 12) -> Array:
    """Gradients with strains of some 0.3, none inverted."""
    drawn = np.eye(3) + 0.15 * np.random.default_rng(7).standard_normal((count, 3, 3))
    assert np.linalg.det(drawn).min() > 0.3
    return np.asarray(TURN @ drawn)


def largest(values: Array) -> float:
    return float(np.abs(values).max())


def difference(ours: Array, theirs: Array) -> float:
    return largest(ours - theirs) / largest(theirs)


def along(f: Array, i: int, j: int, size: float) -> Array:
    moved = f.copy()
    moved[:, i, j] += size
    return moved


@EACH_LAW
def test_stress_is_the_slope_of_the_energy_and_the_tangent_that_of_the_stress(law: Law) -> None:
    f, h = stacked(), 1e-5
    stress, tangent = np.zeros(f.shape), np.zeros((len(f), 3, 3, 3, 3))
    for i, j in np.ndindex(3, 3):
        ahead, behind = along(f, i, j, h), along(f, i, j, -h)
        stress[:, i, j] = (law.energy(ahead) - law.energy(behind)) / (2 * h)
        tangent[..., i, j] = (law.stress(ahead) - law.stress(behind)) / (2 * h)
    assert difference(law.stress(f), stress) < 1e-8
    assert difference(law.tangent(f), tangent) < 1e-8


@EACH_LAW
def test_at_rest_every_law_is_hookes(law: Law) -> None:
    rest = np.eye(3)[None]
    i = np.eye(3)
    hooke = LAM * np.einsum("ij,kl->ijkl", i, i) + MU * (
        np.einsum("ik,jl->ijkl", i, i) + np.einsum("il,jk->ijkl", i, i)
    )
    assert largest(law.stress(rest)) < 1e-10 * MU
    assert difference(law.tangent(rest)[0], hooke) < 1e-14


@EACH_LAW
def test_a_rotation_turns_the_stress_and_keeps_the_energy(law: Law) -> None:
    f = stacked()
    assert difference(law.stress(TURN @ f), TURN @ law.stress(f)) < 1e-13
    assert difference(law.energy(TURN @ f), law.energy(f)) < 1e-13


def test_the_stable_law_and_its_tangent_go_on_through_inversion() -> None:
    law, f, h = StableNeoHookean(LAM, MU), stacked() @ np.diag([-0.5, 1.0, 1.0]), 1e-5
    assert np.linalg.det(f).max() < 0
    assert difference(cofactor(f), np.linalg.det(f)[:, None, None] * np.swapaxes(np.linalg.inv(f), 1, 2)) < 1e-13
    for i, j in np.ndindex(3, 3):
        slope = (law.energy(along(f, i, j, h)) - law.energy(along(f, i, j, -h))) / (2 * h)
        assert largest(law.stress(f)[:, i, j] - slope) < 1e-8 * largest(law.stress(f))
        slopes = (law.stress(along(f, i, j, h)) - law.stress(along(f, i, j, -h))) / (2 * h)
        assert largest(law.tangent(f)[..., i, j] - slopes) < 1e-8 * largest(law.tangent(f))


def irregular(law: Law) -> tuple[Body, Array]:
    """The block of 40 elements with its inner vertex elsewhere, and a deformed state."""
    rest, tets = block()
    inner = np.all((rest > 0) & (rest < rest.max()), axis=1)
    assert inner.sum() == 1
    rest[inner] += [0.02, -0.015, 0.01]
    bent = rest @ stacked()[0].T + 0.01 * np.random.default_rng(3).standard_normal(rest.shape)
    return Body(rest, tets, law), bent


@EACH_LAW
def test_forces_are_minus_the_slope_of_the_energy_and_the_stiffness_theirs(law: Law) -> None:
    body, x = irregular(law)
    stiffness, h = body.stiffness(x).toarray(), 1e-6
    assert difference(stiffness, stiffness.T) < 1e-14
    slopes, columns = np.zeros(x.size), np.zeros(stiffness.shape)
    for k in range(x.size):
        moved = np.zeros(x.size)
        moved[k] = h
        ahead, behind = x + moved.reshape(-1, 3), x - moved.reshape(-1, 3)
        slopes[k] = (body.energy(ahead) - body.energy(behind)) / (2 * h)
        columns[:, k] = -(body.forces(ahead) - body.forces(behind)).ravel() / (2 * h)
    assert difference(body.forces(x).ravel(), -slopes) < 1e-6
    assert difference(stiffness, columns) < 1e-7


@EACH_LAW
def test_patch_of_one_large_gradient(law: Law) -> None:
    """The boundary of an irregular mesh is moved by one gradient: the inner vertex follows,
    and nothing pulls at it."""
    body, _ = irregular(law)
    f = TURN @ np.array([[1.4, 0.3, 0.0], [0.0, 0.8, 0.1], [0.0, 0.0, 1.1]])
    held = np.any((body.rest == 0) | (body.rest == body.rest.max()), axis=1)
    assert (~held).sum() == 1
    expected = body.rest @ f.T
    problem = Problem(np.repeat(held[:, None], 3, axis=1), expected - body.rest, np.zeros_like(expected))
    state = equilibrium(body, problem, load_steps=8)
    assert largest(state.positions - expected) < 1e-12
    assert difference(body.law.stress(body.gradients(state.positions)), law.stress(np.tile(f, (40, 1, 1)))) < 1e-12
    assert state.residual < 1e-13


def calculix_cases() -> dict[str, dict[str, Any]]:
    document = json.loads((CALCULIX / "cases.json").read_text(encoding="utf-8"))
    return {c["id"]: c for c in document["cases"] if c["nlgeom"] and not c.get("quadratic")}


def calculix_result(name: str) -> dict[str, Any]:
    return dict(json.loads((CALCULIX / f"results/{name}.json").read_text(encoding="utf-8")))


def forces_of(name: str) -> Array:
    return np.array(calculix_result(name)["forces_n"], dtype=float)


def deck_and_body(name: str) -> tuple[Deck, Body]:
    deck = read_deck(name)
    law = calculix_cases()[name]["material"].get("law", "st_venant_kirchhoff")
    return deck, Body(deck.rest, deck.tetrahedra, law_of(law, constants_of(deck)))


ONE_ELEMENT = [name for name in calculix_cases() if name.startswith("one_element_")]
SOLVED = [name for name in calculix_cases() if name not in ONE_ELEMENT]


def biot_hooke(f: Array, lam: float, mu: float) -> Array:
    """Hooke's law of the stretch in the turned frame: what a corotational element has for a first Piola stress."""
    u, s, vt = np.linalg.svd(f)
    return np.asarray(2 * mu * (f - u @ vt) + lam * (s.sum() - 3) * u @ vt)


@pytest.mark.parametrize("name", ONE_ELEMENT)
def test_one_element_of_calculix_has_the_stress_of_the_law_and_of_no_other(name: str) -> None:
    """The premise: *ELASTIC with NLGEOM is St. Venant–Kirchhoff in the total Lagrangian form; *HYPERELASTIC,
    NEO HOOKE is isochoric."""
    deck, body = deck_and_body(name)
    case = calculix_cases()[name]
    f = np.array(case["deformation_gradient"])
    assert np.all(deck.problem.held)
    assert largest(deck.rest + deck.problem.displacements - deck.rest @ f.T) < 1e-12
    # The unit tetrahedron: volume 1/6, and vertices 2 to 4 have the unit vectors for slopes.
    theirs = 6 * forces_of(name)[1:].T
    assert difference(body.law.stress(f[None])[0], theirs) < PRINTED_DIGITS
    assert difference(-body.forces(deck.rest @ f.T), forces_of(name)) < PRINTED_DIGITS
    lam, mu = lame(case["material"]["young_modulus_pa"], case["material"]["poisson_ratio"])
    others = [law_of(n, [1e5, 0.25]) for n in LAWS if n not in (case["material"]["law"], "isochoric_neo_hookean")]
    if case["material"]["law"] != "isochoric_neo_hookean":
        others.append(IsochoricNeoHookean(20000.0, 3e-5))
    stresses = [law.stress(f[None])[0] for law in others] + [biot_hooke(f, lam, mu)]
    assert len(stresses) == 4
    for stress in stresses:
        assert difference(stress, theirs) > 0.2


@pytest.mark.parametrize("name", SOLVED)
def test_calculix_finds_the_same_equilibrium(name: str) -> None:
    deck, body = deck_and_body(name)
    state = equilibrium(body, deck.problem, load_steps=3)
    theirs = np.array(calculix_result(name)["displacements_m"])
    assert difference(state.positions - deck.rest, theirs) < PRINTED_DIGITS
    if calculix_cases()[name]["kind"] == "compressed_block":
        assert difference(state.reactions, forces_of(name)) < PRINTED_DIGITS


def test_the_cases_are_as_large_as_they_are_said_to_be() -> None:
    """And CalculiX's constants are those of E and ν."""
    for name, case in calculix_cases().items():
        material = case["material"]
        if material.get("law") == "isochoric_neo_hookean":
            lam, mu = lame(material["young_modulus_pa"], material["poisson_ratio"])
            assert material["c10_pa"] == pytest.approx(mu / 2, rel=1e-14, abs=0)
            assert material["d1_per_pa"] == pytest.approx(2 / (lam + 2 * mu / 3), rel=1e-14, abs=0)
        if name.startswith(SHAPES):
            assert len(read_deck(name).tetrahedra) <= 2000
    for law in LAWS:
        bar, deck = kept(f"bent_bar_{law}"), read_deck("bent_bar_st_venant_kirchhoff")
        tip = deck.rest[:, 0] == 1.0
        assert 0.45 < -np.array(bar["displacements_m"])[tip, 1].mean() < 0.6


def kept(name: str) -> dict[str, Any]:
    return dict(json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8")))


def test_kept_results_are_those_of_the_list() -> None:
    assert {p.stem for p in RESULTS.glob("*")} == set(cases())
    assert len(cases()) == len(LAWS) * (len(SHAPES) + 1)


@pytest.mark.parametrize("name", sorted(cases()))
def test_kept_results_are_what_the_program_computes(name: str) -> None:
    """Numbers to 1e-11 of the largest of their table: another BLAS rounds in another order."""
    stored, computed = kept(name), cases()[name]()
    assert list(stored) == list(computed)
    for key, value in computed.items():
        if key == "relative_residual":
            assert 0 < stored[key] < 1e-13
        elif isinstance(value, np.ndarray):
            assert np.array(stored[key]).shape == value.shape
            assert difference(np.array(stored[key]), value) < 1e-11, key
        elif isinstance(value, float):
            assert stored[key] == pytest.approx(value, rel=1e-9), key
        else:
            assert stored[key] == value, key


@pytest.mark.parametrize("shape", SHAPES)
def test_kept_equilibria_are_stable_and_differ_by_law(shape: str) -> None:
    found = {law: kept(f"{shape}_{law}") for law in LAWS}
    decks = [read_deck(found[law]["deck"]) for law in LAWS]
    for law, deck in zip(LAWS, decks):
        assert found[law]["deck_sha256"] == checksum(calculix_decks()[found[law]["deck"]])
        assert found[law]["smallest_stiffness_eigenvalue_n_per_m"] > 0
        for mine, first in zip(
            (deck.rest, deck.tetrahedra, deck.problem.held, deck.problem.displacements, deck.problem.loads),
            (
                decks[0].rest,
                decks[0].tetrahedra,
                decks[0].problem.held,
                decks[0].problem.displacements,
                decks[0].problem.loads,
            ),
        ):
            assert np.array_equal(mine, first)
    for k, law in enumerate(LAWS):
        for other in LAWS[k + 1 :]:
            ours, theirs = (np.array(found[x]["displacements_m"]) for x in (law, other))
            assert difference(ours, theirs) > 1e-3, (law, other)


def state_of(result: dict[str, Any], name: str) -> Motion:
    return Motion(np.array(result[f"{name}_positions_m"]), np.array(result[f"{name}_velocities_m_s"]))


@pytest.mark.parametrize("law", LAWS)
def test_kept_steps_solve_the_equations_of_their_integrators(law: str) -> None:
    result, h = kept(f"steps_{law}"), STEP_TIME_S
    body = Body(np.array(result["rest_positions_m"]), np.array(result["tetrahedra"]), law_of(law, result["constants"]))
    assert len(body.tetrahedra) == 40
    masses = body.masses(result["density_kg_m3"])[:, None]
    assert masses.sum() == pytest.approx(1000.0 * 0.2**3, rel=1e-13, abs=0)  # 160 quarters and their sums are rounded
    free = np.setdiff1d(np.arange(len(body.rest)), result["held_vertices"])

    def pull(x: Array) -> Array:
        return np.asarray(body.forces(x) + masses * result["gravity_m_s2"])

    start, euler, bdf2, midpoint, linear = (
        state_of(result, n)
        for n in ("start", "implicit_euler", "bdf2_after_implicit_euler", "implicit_midpoint", "linearised_euler")
    )
    scale = largest(pull(start.positions))
    assert np.linalg.det(body.gradients(start.positions)).min() > 0.3
    strain = body.gradients(start.positions)
    assert largest(np.swapaxes(strain, 1, 2) @ strain - np.eye(3)) / 2 > 0.2  # beyond the linear
    x0, v0, x1, v1 = start.positions, start.velocities, euler.positions, euler.velocities
    x2, v2, xm, vm = bdf2.positions, bdf2.velocities, midpoint.positions, midpoint.velocities
    tangent = (body.stiffness(x0) @ (linear.positions - x0).ravel()).reshape(-1, 3)
    balances = {
        "implicit Euler": masses * (v1 - v0) / h - pull(x1),
        "linearised Euler": masses * (linear.velocities - v0) / h - pull(x0) + tangent,
        "BDF2": masses * (3 * v2 - 4 * v1 + v0) / (2 * h) - pull(x2),
        "midpoint": masses * (vm - v0) / h - pull((x0 + xm) / 2),
    }
    for name, balance in balances.items():
        assert largest(balance[free]) < 1e-11 * scale, name
    assert largest(x1 - x0 - h * v1) < 1e-15
    assert largest(linear.positions - x0 - h * linear.velocities) < 1e-15
    assert largest((3 * x2 - 4 * x1 + x0) / (2 * h) - v2) < 1e-12
    assert largest((xm - x0) / h - (v0 + vm) / 2) < 1e-12
    # What one integrator gives must not pass for another's.
    assert min(largest(linear.positions - x1), largest(xm - x1), largest(xm - linear.positions)) > 1e-5
    for state in (euler, bdf2, midpoint, linear):
        assert np.array_equal(state.positions[result["held_vertices"]], body.rest[result["held_vertices"]])


def test_integrators_have_their_order() -> None:
    """The distance from what far smaller steps reach halves, or falls to a quarter, as the step is halved."""
    moving, start, _ = moving_block("log_neo_hookean")
    end = 0.004

    def last(kind: str, steps: int) -> Array:
        h, states = end / steps, [start]
        for _ in range(steps):
            if kind == "bdf2":
                # The first step by the midpoint rule, whose error is of the order of BDF2's.
                known = len(states) > 1
                states.append(moving.bdf2(states[-2], states[-1], h) if known else moving.midpoint(start, h))
            else:
                states.append(getattr(moving, kind)(states[-1], h))
        return states[-1].positions

    finest = last("midpoint", 80)
    for kind, order in (("euler", 1), ("midpoint", 2), ("bdf2", 2)):
        errors = [largest(last(kind, n) - finest) for n in (8, 16)]
        assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2), kind


def test_the_block_is_that_of_the_decks() -> None:
    """Vertex for vertex, element for element: the order of calculix/generate_decks.py."""
    rest, tets = block()
    vertices, elements = bar_mesh([2, 2, 2], [0.2, 0.2, 0.2])
    assert np.array_equal(rest, np.array(vertices))
    assert np.array_equal(tets, np.array(elements))
    assert isinstance(moving_block("st_venant_kirchhoff")[0], MovingBody)

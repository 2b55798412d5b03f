# SPDX-License-Identifier: BSD-3-Clause
"""N small steps against N iterations: one pair of several is worse, has no partner, or is not at rest."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of, write_timing, write_trace

from experiments.macklin_et_al_2019.measurements import equal_sweeps as m

DT = 0.01


def side(folder: Path, experiment: str, name: str, n: int, scene: dict[str, Any], **more: Any) -> Path:
    """A run of one side with n sweeps in a time step."""
    counts = {m.MANY: (n, 1), m.SMALL: (1, n), m.CONVERGED: (8, 1000), m.SINGLE: (1, 1)}[name]
    parameters = {"iterations": counts[0], "substeps": counts[1]}
    scene = {"time_step_s": DT, "mass_kg": 0.5, "link_m": 0.1, "links": 4, "compliance_m_per_n": 0.0, **scene}
    return write_trace(folder, f"{experiment} xpbd {name}", parameters=parameters, scene=scene, **more)


# ---- at rest


def rest_length(links: int, compliance: float) -> float:
    """By summing the links' forces one by one."""
    return sum(0.1 + compliance * 0.5 * m.G * (links - k) for k in range(links))


def hang(
    folder: Path, name: str, n: int, error: float, links: int = 4, compliance: float = 0.0, creep: float = 0.0
) -> None:
    tip = np.zeros((8, 3))
    tip[:, 1] = -rest_length(links, compliance) - error * links * 0.1 * (1 + creep * np.linspace(-1, 0, 8))
    scene = {"links": links, "compliance_m_per_n": compliance, "listed": "in_turn"}
    side(folder, m.HANGING.experiment, name, n, scene, series={"step": {"tip_position": tip}})


@pytest.mark.parametrize("worst", [2, 4, 16])
def test_the_ratio_is_that_of_the_worst_pair(tmp_path: Path, worst: int) -> None:
    for n in (2, 4, 16):
        hang(tmp_path, m.MANY, n, 1e-2 / n, compliance=1e-3)
        hang(tmp_path, m.SMALL, n, 1e-2 / n * (3.0 if n == worst else 0.5), compliance=1e-3)
    assert number(tmp_path, "hanging_chain.ratio") == pytest.approx(3.0)


def test_before_convergence_iterations_have_gained_less_than_small_steps_at_every_number(tmp_path: Path) -> None:
    """From 4 to 8 sweeps the error falls by six; at 16 it has reached rounding, and falls no further."""
    for n, error, ratio in ((2, 1e-2, 0.5), (4, 3e-3, 0.7), (8, 5e-4, 0.6), (16, 5e-4, 3.0)):
        hang(tmp_path, m.MANY, n, error)
        hang(tmp_path, m.SMALL, n, error * ratio)
    assert number(tmp_path, "hanging_chain.ratio") == pytest.approx(3.0)
    assert number(tmp_path, "hanging_chain.ratio_before_convergence") == pytest.approx(0.7)


def test_up_to_links_a_chain_counts_with_at_most_as_many_sweeps(tmp_path: Path) -> None:
    for links, ratios in ((4, {2: 0.5, 4: 0.7, 16: 3.0}), (16, {2: 0.6, 16: 0.9, 32: 2.0})):
        for n, ratio in ratios.items():
            hang(tmp_path, m.MANY, n, 1e-2, links)
            hang(tmp_path, m.SMALL, n, 1e-2 * ratio, links)
    assert number(tmp_path, "hanging_chain.ratio_up_to_links") == pytest.approx(0.9)
    assert number(tmp_path, "hanging_chain.ratio") == pytest.approx(3.0)


def test_a_run_without_its_partner_is_missing_data(tmp_path: Path) -> None:
    for n in (2, 4):
        hang(tmp_path, m.MANY, n, 1e-2)
    hang(tmp_path, m.SMALL, 2, 1e-3)
    assert "1 runs have no partner" in value_of(tmp_path, "hanging_chain.ratio").note


def test_a_chain_that_still_moves_has_no_error_at_rest(tmp_path: Path) -> None:
    hang(tmp_path, m.MANY, 2, 1e-2)
    hang(tmp_path, m.SMALL, 2, 1e-3, creep=0.1)
    assert "not at rest" in value_of(tmp_path, "hanging_chain.ratio").note


def test_orders_are_those_of_the_worst_chain_and_the_error_by_hand_is_a_sum_over_links(tmp_path: Path) -> None:
    for links, order in ((4, 2.0), (6, 1.5)):
        for n in (2, 4, 8):
            h = DT / 2  # at two small steps by hand: every link longer by g h² for all below but its own particle
            by_hand = sum(m.G * h**2 * (links - 1 - k) for k in range(links)) / (links * 0.1)
            hang(tmp_path, m.SMALL, n, by_hand * (2 / n) ** order, links)
            hang(tmp_path, m.MANY, n, 1e-2 / n, links)
    assert number(tmp_path, "hanging_chain.small_steps_order_max") == pytest.approx(2.0)
    assert number(tmp_path, "hanging_chain.small_steps_order_min") == pytest.approx(1.5)
    assert number(tmp_path, "hanging_chain.iterations_order_min") == pytest.approx(1.0)
    assert number(tmp_path, "hanging_chain.error_by_hand") == pytest.approx(4**0.5 - 1)  # 6 links at 8 small steps


# ---- falling


def fall(
    folder: Path,
    name: str,
    n: int,
    off: float,
    compliance: float = 0.0,
    lost: float = 0.0,
    experiment: str = m.FALLING.experiment,
    links: int = 4,
    way: float | None = None,
) -> None:
    """Positions off by `off`, or `way`, in one coordinate of every particle, links too long by `off`,
    and the share `lost` of the energy unit gone."""
    positions, values = np.zeros((3, 5, 3)), np.zeros((3, 4))
    positions[1:, :, 0] += off if way is None else way
    values[1:] += off
    unit = 4 * 4 * 0.5 * m.G * 0.1
    series = {
        "step": {
            "kinetic_energy": np.array([0.0, 0.2, 0.5]),
            "gravitational_energy": np.array([1.0, 0.8, 0.5 - lost * unit]),
            "constraint_values": values,
        },
        "frame": {"positions": positions},
    }
    side(folder, experiment, name, n, {"compliance_m_per_n": compliance, "links": links}, series=series)


@pytest.mark.parametrize("worst", [(2, 0.0), (4, 0.0), (2, 1e-3), (4, 1e-3)])
def test_a_fall_is_judged_by_its_worst_pair_against_the_converged_run_of_its_compliance(
    tmp_path: Path, worst: tuple[int, float]
) -> None:
    for compliance in (0.0, 1e-3):
        exact = 0.03 if compliance else 0.0
        fall(tmp_path, m.CONVERGED, 1, exact, compliance)
        for n in (2, 4):
            fall(tmp_path, m.MANY, n, exact + 0.01, compliance)
            fall(tmp_path, m.SMALL, n, exact + (0.02 if (n, compliance) == worst else 0.002), compliance)
    assert number(tmp_path, "falling_chain.way_ratio") == pytest.approx(2.0)
    assert number(tmp_path, "falling_chain.stretch_ratio") == pytest.approx(2.0)
    assert number(tmp_path, "falling_chain.stretch_ratio_before_convergence") == pytest.approx(2.0)


def test_chains_of_every_length_are_told_from_their_converged_run(tmp_path: Path) -> None:
    errors = {2: (0.4, 0.3, 0.01), 8: (0.4, 0.35, 0.3)}  # with 1, 2 and 4 sweeps
    for links, (one, two, four) in errors.items():
        row = {"experiment": m.LENGTHS.experiment, "links": links}
        exact = 0.01 * links
        fall(tmp_path, m.CONVERGED, 1, exact, **row)
        fall(tmp_path, m.SINGLE, 1, exact + one, **row)
        for n, error, ratio in ((2, two, 0.5), (4, four, 7.0 if links == 2 else 0.8)):
            fall(tmp_path, m.MANY, n, exact + error, **row)
            fall(tmp_path, m.SMALL, n, exact + ratio * error, **row)
    assert number(tmp_path, "falling_chains.stretch_ratio") == pytest.approx(7.0)
    assert number(tmp_path, "falling_chains.stretch_ratio_before_convergence") == pytest.approx(0.8)
    assert number(tmp_path, "falling_chains.lengths_before_convergence") == 2


def test_up_to_links_a_fall_counts_by_stretch_with_at_most_as_many_sweeps(tmp_path: Path) -> None:
    chains = {
        (2, 0.0): {2: 0.6, 4: 7.0},
        (2, 1e-3): {2: 0.5},
        (3, 0.0): {4: 6.0},  # no pair counts
        (8, 0.0): {2: 0.5, 4: 0.9, 8: 0.7, 16: 5.0},
        (16, 0.0): {2: 0.3, 16: 0.95},
    }
    for experiment in (m.FALLING.experiment, m.LENGTHS.experiment):
        for (links, compliance), ratios in chains.items():
            row = {"experiment": experiment, "links": links, "compliance": compliance}
            fall(tmp_path, m.CONVERGED, 1, 0.01 * links, **row, way=0.0)
            for n, ratio in ratios.items():
                fall(tmp_path, m.MANY, n, 0.01 * links + 0.1, **row, way=0.1)
                fall(tmp_path, m.SMALL, n, 0.01 * links + 0.1 * ratio, **row, way=0.2)
    assert number(tmp_path, "falling_chain.stretch_ratio_up_to_links") == pytest.approx(0.95)
    assert number(tmp_path, "falling_chains.stretch_ratio_up_to_links") == pytest.approx(0.95)
    assert number(tmp_path, "falling_chains.lengths_up_to_links") == 3


def test_energy_counts_what_links_store_and_in_rigid_ones_what_went(tmp_path: Path) -> None:
    fall(tmp_path, m.CONVERGED, 1, 0.0, lost=0.01)
    fall(tmp_path, m.MANY, 2, 0.0, lost=0.2)
    fall(tmp_path, m.SMALL, 2, 0.0, lost=0.05)
    assert number(tmp_path, "falling_chain.energy_ratio") == pytest.approx(0.25)
    assert number(tmp_path, "falling_chain.mechanical_energy_ratio") == pytest.approx(0.25)
    assert number(tmp_path, "falling_chain.converged_energy_error") == pytest.approx(0.01)
    # Sums of two energies below the weight times the length, which they are divided by.
    assert number(tmp_path, "falling_chain.energy_made") == pytest.approx(0.0, abs=1e-15)
    stored = 4 * 0.01**2 / (2 * 1e-3) / (4 * 4 * 0.5 * m.G * 0.1)
    fall(tmp_path, m.MANY, 2, 0.01, 1e-3)
    fall(tmp_path, m.SMALL, 2, 0.01, 1e-3, lost=3 * stored)
    assert number(tmp_path, "falling_chain.energy_ratio") == pytest.approx(2.0)
    # Without what links store, the run that lost nothing has not changed.
    fall(tmp_path, m.MANY, 2, 0.01, 1e-3, lost=stored)
    assert number(tmp_path, "falling_chain.mechanical_energy_ratio") == pytest.approx(3.0)


def test_energy_that_is_made_is_seen_in_one_run_of_small_steps(tmp_path: Path) -> None:
    for n, lost in ((2, 0.01), (4, -0.02)):
        fall(tmp_path, m.SMALL, n, 0.0, lost=lost)
    assert number(tmp_path, "falling_chain.energy_made") == pytest.approx(0.02)


# ---- one mode


def ring(folder: Path, name: str, n: int, number_: float, faster: float = 1.0) -> None:
    """A mode of ωΔt = number_ whose energy implicit Euler takes, `faster` times as fast."""
    compliance = (DT / number_) ** 2 / 0.5
    rate = faster * m.mode_rate(number_, n if name == m.SMALL else 1)
    left = np.exp(-rate * np.arange(3))
    series = {
        "step": {
            "kinetic_energy": 0.3 * left * 0.01**2 / (2 * compliance) * np.array([0.0, 1.0, 1.0]),
            "constraint_values": (0.01 * np.sqrt(left * np.array([1.0, 0.7, 0.7])))[:, None],
        }
    }
    side(folder, m.OSCILLATOR.experiment, name, n, {"links": 1, "compliance_m_per_n": compliance}, series=series)


def test_modes_on_both_sides_of_the_limit(tmp_path: Path) -> None:
    for s in (0.5, 2.8, 2.9, 10.0):
        ring(tmp_path, m.MANY, 2, s)
        ring(tmp_path, m.SMALL, 2, s)
    ten = 2 * np.log1p(25.0) / np.log1p(100.0)
    assert number(tmp_path, "oscillator.damping_ratio") == pytest.approx(ten)
    soft = number(tmp_path, "oscillator.damping_ratio_of_soft_modes")
    assert soft == pytest.approx(2 * np.log1p(1.4**2) / np.log1p(2.8**2)) and 0.99 < soft < 1
    assert number(tmp_path, "oscillator.closed_form_error") < 1e-12
    assert number(tmp_path, "oscillator.energy_made") < 0


@pytest.mark.parametrize("faster", [1.1, 0.9])
def test_a_mode_that_is_not_implicit_eulers_is_seen_and_so_is_one_that_grows(tmp_path: Path, faster: float) -> None:
    for name in (m.MANY, m.SMALL):
        ring(tmp_path, name, 2, 0.5)
        ring(tmp_path, name, 4, 0.5, faster=faster if name == m.SMALL else 1.0)
    assert number(tmp_path, "oscillator.closed_form_error") == pytest.approx(0.1)
    ring(tmp_path, m.SMALL, 8, 0.5, faster=-1.0)
    assert number(tmp_path, "oscillator.energy_made") > 0.01


def test_two_steps_damp_a_mode_less_than_one_below_the_limit_alone_and_more_steps_less_still() -> None:
    for s, less in ((0.9 * m.MODE_LIMIT, True), (1.1 * m.MODE_LIMIT, False)):
        assert (m.mode_rate(s, 2) < m.mode_rate(s, 1)) == less
    below = [m.mode_rate(0.999 * m.MODE_LIMIT, n) / m.mode_rate(0.999 * m.MODE_LIMIT, 1) for n in range(2, 300)]
    assert max(below) < 1


# ---- a cloth


def test_stretch_and_cost_of_a_cloth_are_those_of_the_worst_pair(tmp_path: Path) -> None:
    for n in (4, 32):
        for name, strain, seconds in (
            (m.MANY, 0.1, 1e-3),
            (m.SMALL, 0.05 if n == 4 else 0.02, 1.2e-3 if n == 4 else 1.1e-3),
        ):
            swing = 0.5 if name == m.SMALL else 0.0  # about the mean of the second half
            rows = np.array([9.0, 9.0, strain * (1 - swing), strain * (1 + swing)])
            series = {"step": {"edge_strain_rms": rows}}
            path = side(tmp_path, m.CLOTH.experiment, name, n, {"vertices_across": 20}, series=series)
            write_timing(path, np.array([[seconds, seconds, seconds, 9.0], [seconds, seconds, seconds, 9.0]]))
    assert number(tmp_path, "hanging_cloth.strain_ratio") == pytest.approx(0.5)
    assert number(tmp_path, "hanging_cloth.cost_ratio") == pytest.approx(1.2)

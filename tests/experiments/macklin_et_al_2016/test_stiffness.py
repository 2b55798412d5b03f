# SPDX-License-Identifier: BSD-3-Clause
"""Oscillators, chains and bars that behave as told, but for one run."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

from experiments.macklin_et_al_2016.measurements import stiffness as m

DT, MASS = 0.01, 2.0


def spring(folder: Path, name: str, s: float, n: int, z: complex, steps: int = 40, slip: float = 0.0) -> None:
    """An oscillator x_n = Re zⁿ of ωΔt = s, but for a slip in its last extension."""
    x = 0.3 * (z ** np.arange(steps + 1.0)).real
    x[-1] += slip
    scene = {"time_step_s": DT, "mass_kg": MASS, "compliance_m_per_n": DT**2 / (s**2 * MASS)}
    series = {"constraint_values": x[:, None]}
    run = f"{m.OSCILLATOR.experiment} any {name}"
    write_trace(folder, run, None, scene, parameters={"iterations": n}, step=series)


def test_an_oscillator_of_implicit_euler_has_its_closed_form_and_loses_its_amplitude(tmp_path: Path) -> None:
    for s in (0.0015, 0.3):
        spring(tmp_path, "compliant", s, 1, 1 / (1 - 1j * s), steps=100)
    assert number(tmp_path, "spring_oscillator.closed_form_error") < 1e-11
    assert number(tmp_path, "spring_oscillator.amplitude_error") == pytest.approx(1 - 1.09**-50)
    assert number(tmp_path, "spring_oscillator.phase_error") == pytest.approx(1 - np.arctan(0.3) / 0.3)
    assert number(tmp_path, "spring_oscillator.fine_amplitude_error") == pytest.approx(1 - (1 + 0.0015**2) ** -50)
    assert number(tmp_path, "spring_oscillator.fine_phase_error") == pytest.approx(0.0015**2 / 3, rel=1e-3)
    spring(tmp_path, "compliant", 0.2, 1, 1 / (1 - 0.2j), slip=1e-6)
    assert number(tmp_path, "spring_oscillator.closed_form_error") > 1e-6


def test_frequencies_are_those_of_the_recursions(tmp_path: Path) -> None:
    spring(tmp_path, "stiffness", 0.1, 1, 0.99 * np.exp(0.05j))
    spring(tmp_path, "stiffness", 0.1, 100, 0.9 * np.exp(0.4j))
    assert number(tmp_path, "spring_oscillator.stiffness_frequency_ratio") == pytest.approx(8.0)


def chain(folder: Path, links: int, dt: float, n: int, excess: float, name: str = "compliant") -> None:
    """A chain that hangs by so much more than its springs say."""
    exact = 1e-4 * MASS * m.G * links * (links + 1) / 2
    end = np.array([[0.0, -0.5 * links, 0.0], [0.0, -0.5 * links - exact * (1 + excess), 0.0]])
    scene = {"links": links, "link_m": 0.5, "mass_kg": MASS, "time_step_s": dt, "compliance_m_per_n": 1e-4}
    run = f"{m.CHAINS.experiment} any {name}"
    write_trace(folder, run, None, scene, parameters={"iterations": n}, step={"tip_position": end})


def test_the_worst_chain_is_found_where_it_counts(tmp_path: Path) -> None:
    soft, stiff = 0.01, 0.1  # Ω = 0.5 and 50
    for links in (1, 5):
        for dt in (soft, stiff):
            for n, excess in ((1, 9.0), (10, 0.25 if dt == stiff else 0.01), (1000, 1e-6)):
                chain(tmp_path, links, dt, n, excess if links > 1 else 1e-6)
    for n, excess in ((5, 2.0), (50, 0.5)):
        chain(tmp_path, 5, soft, n, excess, "stiffness")
    assert number(tmp_path, "hanging_chains.error") == pytest.approx(0.25)
    assert number(tmp_path, "hanging_chains.error_of_soft") == pytest.approx(0.01)
    assert number(tmp_path, "hanging_chains.error_of_one_link") == pytest.approx(1e-6, abs=1e-12)  # ulp of a length
    assert number(tmp_path, "hanging_chains.step_spread") == pytest.approx(1.25 / 1.01 - 1)
    assert number(tmp_path, "hanging_chains.step_spread_of_soft") == 0.0
    assert number(tmp_path, "hanging_chains.step_spread_converged") == pytest.approx(0.0, abs=1e-12)  # ulp of a length
    assert number(tmp_path, "hanging_chains.stiffening") == pytest.approx(2.0)


def bar(folder: Path, gravity: list[float], dt: float, n: int, end: float, moves: float = 0.0) -> None:
    """A bar of one tetrahedron with edges 1 and √2 whose tip is at `end` along gravity."""
    along = np.full(20, end)
    along[-2] += moves
    tip = along[:, None] * np.array(gravity) / np.linalg.norm(gravity) + [0.0, 0.0, 7.0]
    rest = np.vstack([np.zeros(3), np.eye(3)])
    scene = {"gravity_m_s2": gravity, "time_step_s": dt, "young_modulus_pa": 5e3, "density_kg_m3": 1e3}
    write_trace(
        folder,
        f"{m.BARS.experiment} xpbd pair",
        None,
        scene,
        parameters={"iterations": n},
        step={"tip_displacement": tip},
        arrays={"rest_positions": rest, "tetrahedra": np.array([[0, 1, 2, 3]])},
    )


def test_bars_are_compared_over_iterations_and_over_time_steps(tmp_path: Path) -> None:
    for gravity in ([0.2, 0.0, 0.0], [0.0, -0.2, 0.0]):
        for dt, few, many in ((0.1, 1.1, 1.0), (0.01, 1.06, 1.03)):
            bar(tmp_path, gravity, dt, 5, few)
            bar(tmp_path, gravity, dt, 100, many if gravity[0] else 1.0)
    assert number(tmp_path, "loaded_bars.iteration_spread") == pytest.approx(0.1)
    assert number(tmp_path, "loaded_bars.step_spread") == pytest.approx(0.03)
    median = np.sqrt(2)  # of three edges of each length
    assert number(tmp_path, "loaded_bars.largest_stiffness") == pytest.approx(0.1**2 * 5 / median**2)


def test_a_bar_that_moves_leaves_no_number(tmp_path: Path) -> None:
    bar(tmp_path, [0.2, 0.0, 0.0], 0.1, 5, 1.0, moves=0.01)
    assert "not at rest" in value_of(tmp_path, "loaded_bars.step_spread").note


def test_reset_multipliers_are_compared_with_the_closed_form_and_with_kept_ones(tmp_path: Path) -> None:
    def hung(name: str, n: int, elongation: float, links: int = 1) -> None:
        end = np.array([[0.0, -0.5 * links, 0.0], [0.0, -0.5 * links - elongation, 0.0]])
        scene = {"links": links, "link_m": 0.5, "mass_kg": MASS, "time_step_s": DT, "compliance_m_per_n": 1e-4}
        run = f"{m.RESET.experiment} any {name}"
        write_trace(tmp_path, run, None, scene, parameters={"iterations": n}, step={"tip_position": end})

    share = 1.0 / (0.5 + 1.0)
    hung("reset", 100, 2.0**-20)  # where the closed form says less than a nanometre
    for n, error in ((1, 0.0), (20, 0.25)):
        left = share**n
        hung("reset", n, 9.81 * DT**2 * left / (1 - left) * (1 + error))
    for n, elongation in ((1, 9.81 * DT**2 * share / (1 - share) + 0.125), (100, 0.0625)):
        hung("kept", n, elongation)
    assert number(tmp_path, "reset_multipliers.closed_form_error") == pytest.approx(0.25)
    assert number(tmp_path, "reset_multipliers.difference_of_one") == pytest.approx(0.125)
    assert number(tmp_path, "reset_multipliers.kept_hardening") == pytest.approx(
        (9.81 * DT**2 * share / (1 - share) + 0.125) / 0.0625
    )
    assert number(tmp_path, "reset_multipliers.hardening") == pytest.approx(2 * 9.81 * DT**2 * 2**20)

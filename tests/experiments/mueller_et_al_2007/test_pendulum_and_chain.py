# SPDX-License-Identifier: BSD-3-Clause
"""Pendulum, swinging chain and catenary: periods, energies and sags with one row, amplitude or chain off."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

from experiments.mueller_et_al_2007.measurements import pendulum_and_chain

G = 9.81


def test_sags_of_straight_links_are_the_worked_ones() -> None:
    assert [pendulum_and_chain.linked_sag(1.5, 1.0, n) for n in (10, 20, 40)] == pytest.approx(
        [0.505946, 0.503447, 0.502836], abs=5e-7
    )


def swing(folder: Path, amplitude: float, dt: float, error: float, name: str = "pbd", energies: Any = None) -> None:
    """Crosses the vertical after a quarter of (1 + error) periods of a pendulum of 0.7 m, goes back,
    and crosses again."""
    a, b = 1.0, float(np.cos(np.radians(amplitude) / 2))
    for _ in range(8):
        a, b = (a + b) / 2, (a * b) ** 0.5  # T = 2π √(l/g) / agm(1, cos a/2)
    quarter = 0.5 * np.pi * (0.7 / G) ** 0.5 / a * (1 + error)
    x = np.zeros((200, 2, 3))
    x[:, 1, 0] = 1 - 0.01 * np.arange(200) / quarter
    x[150:160, 1, 0], x[160:, 1, 0] = 0.5, np.linspace(-0.9, -0.3, 40)
    kinetic, gravitational = np.array([[0.0, 0], [0, 0]] if energies is None else energies)
    step = {"kinetic_energy": kinetic, "gravitational_energy": gravitational}
    swept = {"amplitude_deg": amplitude, "time_step_s": dt}
    scene = {"length_m": 0.7, "mass_kg": 2.0}
    write_cell(folder, "pendulum", name, swept, scene=scene, frame={"positions": x}, step=step, dt=0.01)


def test_the_period_is_wrong_by_the_worst_amplitude_at_the_smallest_step(tmp_path: Path) -> None:
    for amplitude, finest in ((10.0, 0.001), (60.0, -0.004), (120.0, 0.002)):
        for dt, error in ((0.01, 0.02), (0.0025, finest), (0.005, 0.01)):
            swing(tmp_path, amplitude, dt, error)
        swing(tmp_path, amplitude, 0.001, 0.5, name="start_gradients")
    found = value_of(tmp_path, "pendulum.period_error")
    assert found.value == pytest.approx(0.004) and found.note == "60 degrees"


MGL = 2.0 * G * 0.7


def test_energies_of_a_pendulum_are_told_step_by_step_and_by_amplitude(tmp_path: Path) -> None:
    # The total goes 0 → −0.1 → gain − 0.1 → −loss, in m g l.
    for amplitude, gain, loss in (
        (10.0, 0.01, 0.3),
        (60.0, 0.05, 0.8),
        (90.0, 0.02, 0.4),
        (100.0, 0.03, 0.5),
        (110.0, 0.09, 0.5),
        (120.0, 0.06, 0.6),
    ):
        kinetic = MGL * np.array([0, 0.5, 0.7, 0.1])
        total = MGL * np.array([0, -0.1, gain - 0.1, -loss])
        swing(tmp_path, amplitude, 0.01, 0.0, energies=[kinetic, total - kinetic])
        swing(tmp_path, amplitude, 0.01, 0.0, energies=[10 * kinetic, 0 * total], name="start_gradients")
    assert number(tmp_path, "pendulum.energy_gain") == pytest.approx(0.05)
    assert "=60" in value_of(tmp_path, "pendulum.energy_gain").note
    assert number(tmp_path, "pendulum.pushing_energy_gain") == pytest.approx(0.09)
    assert "=110" in value_of(tmp_path, "pendulum.pushing_energy_gain").note
    assert number(tmp_path, "pendulum.energy_loss") == pytest.approx(0.8)
    assert "=60" in value_of(tmp_path, "pendulum.energy_loss").note


def chain(folder: Path, links: int, kinetic: list[float], potential: list[float], **more: Any) -> None:
    step = {"kinetic_energy": np.array(kinetic, float), "gravitational_energy": np.array(potential, float)}
    write_cell(folder, "chain_energy", "forward", {"links": links}, step=step, **more)


def test_a_chains_gain_is_its_excess_over_the_work_of_gravity_so_far(tmp_path: Path) -> None:
    # Work so far: 2, 4, 4, 5; excess over the start of the ten links: −0.5, 0.4, 1.0 and 0.5.
    chain(tmp_path, 4, [1, 2.5, 5.1, 2, 3], [3, 1, -1, 1, -2])
    chain(tmp_path, 10, [1, 2.5, 5.4, 4, 6.5], [3, 1, -1, 1, -2])
    chain(tmp_path, 40, [1, 2.5, 5.2, 2, 3], [3, 1, -1, 1, -2])
    found = value_of(tmp_path, "chain_energy.gain")
    assert found.value == pytest.approx(1.0 / 4) and "links=10" in found.note


@pytest.mark.parametrize("bad", [{"status": "diverged"}, {"energy": np.nan}, {"energy": np.inf}])
def test_a_chain_that_does_not_complete_gains_without_end(tmp_path: Path, bad: dict[str, Any]) -> None:
    chain(tmp_path, 4, [1, 2.5, 5.1], [3, 1, -1])
    chain(tmp_path, 10, [1, bad.pop("energy", 2.5), 5.1], [3, 1, -1], **bad)
    chain(tmp_path, 40, [1, 2.5, 5.2], [3, 1, -1])
    found = value_of(tmp_path, "chain_energy.gain")
    assert found.value == np.inf and "links=10" in found.note


SAGS = {
    2: 0.75 * np.sin(np.arccos(2 / 3)),
    3: 0.5 * np.sin(np.arccos(0.5)),
}  # two links of 0.75 m over 1 m; three of 0.5 m: the middle one level


def hung(folder: Path, links: int, iterations: int, sag: float, slip: float = 0.0) -> None:
    x = np.zeros((4, links + 1, 3))
    x[:, :, 0] = np.linspace(0, 1, links + 1)
    x[:, 1, 1] = [0, -9, -8, -sag]
    x[2, links, 2] += slip
    swept = {"links": links, "method.parameters.iterations": iterations}
    arrays = {"prescribed_vertices": np.array([0, links])}
    scene = {"length_m": 1.5, "span_m": 1.0}
    write_cell(folder, "catenary", "pbd", swept, scene=scene, arrays=arrays, frame={"positions": x})


def test_sags_are_judged_at_the_end_with_the_most_and_the_fewest_iterations(tmp_path: Path) -> None:
    forty = 0.502836
    for links, few, most in ((2, 0.02, 0.001), (3, -0.09, -0.004), (40, 0.05, 0.002)):
        rest = SAGS.get(links, forty)
        for iterations, error in ((10, few), (1000, most), (100, 0.2)):
            slip = {(2, 10): 0.001, (3, 1000): -0.003}.get((links, iterations), 0.0)
            hung(tmp_path, links, iterations, rest + error, slip=slip)
    most_off, few_off = value_of(tmp_path, "catenary.sag_error"), value_of(
        tmp_path, "catenary.few_iterations_sag_error"
    )
    assert most_off.value == pytest.approx(0.004) and "links=3" in most_off.note
    assert few_off.value == pytest.approx(0.09) and "links=3" in few_off.note
    assert number(tmp_path, "catenary.held_movement") == pytest.approx(0.003)


def test_a_held_end_is_compared_with_the_start(tmp_path: Path) -> None:
    x = np.zeros((3, 3, 3))
    x[1:, 2, 0] = [0.02, 0.05]
    arrays = {"prescribed_vertices": np.array([0, 2])}
    series = {"frame": {"positions": x}}
    write_cell(tmp_path, "catenary", "pbd", {"links": 2}, arrays=arrays, series=series)
    x[1:, 2, 0] = [0.03, 0.01]
    frame = {"positions": x}
    arrays = {"prescribed_vertices": np.array([0, 2])}
    write_cell(tmp_path, "catenary", "pbd", {"links": 3}, arrays=arrays, frame=frame)
    assert number(tmp_path, "catenary.held_movement") == pytest.approx(0.05)
    write_cell(
        tmp_path / "back",
        "catenary",
        "pbd",
        {"links": 3},
        arrays={"prescribed_vertices": np.array([0, 2])},
        frame={"positions": x},
    )
    assert number(tmp_path / "back", "catenary.held_movement") == pytest.approx(0.03)

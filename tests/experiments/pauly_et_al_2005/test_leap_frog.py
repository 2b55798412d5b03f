# SPDX-License-Identifier: BSD-3-Clause
"""Made-up runs whose energy is off by a known power of the time step, and a way back that misses its start."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from node_traces import cloud, write_nodes

NAME = "pauly_et_al_2005/leap_frog"
STEPS = (4e-3, 2e-3, 1e-3)
DURATION = 0.04


def run(
    folder: Path,
    dt: float,
    powers: tuple[float, float],
    name: str = "forward",
    missed: tuple[float, float] = (0.0, 0.0),
    sign: float = 1.0,
) -> None:
    """Positions do not move; half of the energy E₀ is kinetic,
    and at the third common time it is E₀ (1 ± (10 dt)^power)."""
    frames, all_x, all_v = [], [], []
    for member, power in enumerate(powers):
        nodes = cloud(2, ratio=2.5, seed=member + 1)
        masses = np.full(nodes.count, 1000.0)
        rows = round(DURATION / dt) + 1
        x = np.tile(nodes.rest * 1.1, (rows, 1, 1))
        start = float(np.real(nodes.energy(x[0])))
        v = np.zeros_like(x)
        v[:, 0, 1] = np.sqrt(2 * start / masses[0])
        third = round(2 * STEPS[0] / dt)
        v[third, 0, 1] *= np.sqrt(1 + 2 * sign * (10 * dt) ** power)
        if dt < STEPS[0]:
            v[1, 0, 1] = 1e3  # between the common times
        if name == "there_and_back":
            x[:, 1, 2] += np.sin(np.linspace(0, np.pi, rows)) * 0.5
            x[-1, 1, 2] += 0.5 * missed[member]
        arrays = {"node_rest_positions": nodes.rest, "node_supports": nodes.supports, "node_masses": masses}
        frames.append([(nodes.rest, arrays)])
        all_x.append(x)
        all_v.append(v)
    series = {"step": {"positions": np.array(all_x), "velocities": np.array(all_v)}}
    schedule = {"duration_s": DURATION}
    write_nodes(folder, NAME, frames, name=name, scene={"time_step_s": dt}, series=series, schedule=schedule)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("powers", [(2.0, 1.0), (3.0, 2.0)])
def test_orders_are_those_of_the_worst_members(tmp_path: Path, powers: tuple[float, float], sign: float) -> None:
    for dt in STEPS:
        run(tmp_path, dt, powers, sign=sign)
    run(tmp_path, STEPS[1], (2, 2), "there_and_back", (1e-6, 1e-4))
    assert number(tmp_path, "leap_frog.order_least") == pytest.approx(min(powers), abs=1e-6)
    assert number(tmp_path, "leap_frog.order_largest") == pytest.approx(max(powers), abs=1e-6)
    assert number(tmp_path, "leap_frog.energy_error") == pytest.approx(0.04 ** min(powers))
    assert number(tmp_path, "leap_frog.way_back") == pytest.approx(1e-4, rel=0.01)
    assert number(tmp_path, "leap_frog.forward_euler_energy") > 1
    assert 0.3 < number(tmp_path, "leap_frog.limit_when_stretched") < 1


def test_two_steps_are_no_order(tmp_path: Path) -> None:
    for dt in STEPS[:2]:
        run(tmp_path, dt, (2, 2))
    assert "2 time steps" in value_of(tmp_path, "leap_frog.order_least").note

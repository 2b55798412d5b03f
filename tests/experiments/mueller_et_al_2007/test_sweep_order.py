# SPDX-License-Identifier: BSD-3-Clause
"""What the order of a sweep does: shares, rates and swings of made-up chains, the worst cell and seed."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace

ORDER, OSCILLATION = "mueller_et_al_2007/order_dependence", "mueller_et_al_2007/order_oscillation"
STEPS = 60


def chain(
    folder: Path,
    name: str,
    displacements: np.ndarray,
    *,
    factor: float = 1.0,
    listed: str = "in_turn",
    order: str = "forward",
) -> None:
    """[step, particle] displacements along y of a chain with one link fewer than particles."""
    count = displacements.shape[1]
    rest = np.stack([np.zeros(count), np.arange(count), np.zeros(count)], axis=1)
    positions = np.repeat(rest[None], len(displacements), axis=0)
    positions[:, :, 1] += displacements
    where = {
        "scene.parameters.links": count - 1,
        "scene.parameters.first_mass_factor": factor,
        "scene.parameters.listed": listed,
    }
    arrays = {"rest_positions": rest}
    frame = {"positions": positions}
    parameters = {"order": order}
    write_trace(folder, f"{ORDER} pbd {name}", coordinates=where, parameters=parameters, arrays=arrays, frame=frame)


def decaying(count: int, rate: float, early: float = 0.3) -> np.ndarray:
    """Link errors that fall by another factor in the first sweeps than later."""
    size = np.where(np.arange(STEPS) < 10, early ** np.arange(STEPS), early**10 * rate ** (np.arange(STEPS) - 10.0))
    shape = np.arange(count)[::-1] ** 2 / count**2
    return size[:, None] * shape[None, :]


def radius(links: int, free: bool = True) -> float:
    return float(np.cos(np.pi / (links + 1 if free else 2 * links)))


def test_the_share_that_moves_is_that_of_the_first_sweep_in_the_shortest_chain(tmp_path: Path) -> None:
    short = np.array([[1.0, 0, 0, 0], [0.5, 0.25, 0.125, 0], [9, 9, 9, 9]])
    long = np.array([[1.0, 0, 0, 0, 0, 0], [0.5, 0, 0, 0, 0, 0], [9, 9, 9, 9, 9, 9]])
    for name in ("forward", "reverse", "jacobi"):
        chain(tmp_path, name, long)
        chain(tmp_path, name, short)
        chain(tmp_path, name, np.array([[1.0, 0, 0], [1, 0, 0]]), factor=100.0)
        found = value_of(tmp_path, f"order_dependence.{name}_moved")
        assert found.value == pytest.approx(2 / 3) and found.note == "2 of 3"


def test_the_wave_is_halves_of_halves_and_one_particle_off_shows(tmp_path: Path) -> None:
    exact = 2.0 * np.array([[1.0, 0, 0, 0], [0.5, 0.25, 0.125, 0.125]])
    chain(tmp_path / "exact", "forward", exact)
    assert number(tmp_path / "exact", "order_dependence.wave_error") < 1e-15
    exact[1, 1] += 0.02
    chain(tmp_path / "off", "forward", exact)
    assert number(tmp_path / "off", "order_dependence.wave_error") == pytest.approx(0.01)


@pytest.mark.parametrize("factor", [1.0, 1e6])
def test_the_rate_is_that_of_late_sweeps(tmp_path: Path, factor: float) -> None:
    for name, power in (("forward", 2), ("reverse", 2), ("jacobi", 1)):
        chain(tmp_path, name, decaying(7, radius(6, factor == 1) ** power * 1.02), factor=factor)
    assert number(tmp_path, "order_dependence.gauss_seidel_rate_error") == pytest.approx(0.02, rel=1e-6)
    assert number(tmp_path, "order_dependence.jacobi_rate_error") == pytest.approx(0.02, rel=1e-6)


def test_the_factor_of_a_sweep_is_that_of_the_tail(tmp_path: Path) -> None:
    links, sweeps = 4, 200
    modes = np.array([np.sin(np.arange(links + 1)), np.cos(2 * np.arange(links + 1))])
    d = 0.1 * (0.9 ** np.arange(sweeps))[:, None] * modes[0] + 0.1 * (0.4 ** np.arange(sweeps))[:, None] * modes[1]
    for name in ("forward", "reverse"):
        chain(tmp_path, name, d, order=name)
    assert number(tmp_path, "order_dependence.gauss_seidel_rate_error") == pytest.approx(
        0.9 / np.cos(np.pi / 5) ** 2 - 1, rel=1e-6
    )


def test_sweeps_that_only_round_do_not_count(tmp_path: Path) -> None:
    d = decaying(5, 0.5, early=0.5)
    d[29:] = 1e-11 * d[0]
    chain(tmp_path, "jacobi", d, order="jacobi")
    assert number(tmp_path, "order_dependence.jacobi_rate_error") == pytest.approx(1 - 0.5 / radius(4), rel=1e-4)


def test_the_speed_is_the_least_of_digits_a_sweep_over_those_of_jacobi_on_the_same_chain(tmp_path: Path) -> None:
    for links, power in ((4, 2.0), (6, 1.5), (8, 1.9)):
        chain(tmp_path, "jacobi", decaying(links + 1, radius(links)), order="jacobi")
        for name in ("forward", "reverse"):
            chain(tmp_path, name, decaying(links + 1, radius(links) ** power))
        displacements = decaying(links + 1, radius(links) ** power, early=radius(links) ** power)
        chain(tmp_path, "random", displacements, order="random")
    for name in ("forward", "reverse", "random"):
        assert number(tmp_path, f"order_dependence.{name}_speed") == pytest.approx(1.5, rel=1e-6)


def triangle(folder: Path, name: str, values: np.ndarray) -> None:
    """[seed, step, 3] violations of three distances with rest lengths 1, 1 and 3 m."""
    arrays = {"constraint_rest_values": np.array([1.0, 1, 3])}
    step = {"constraint_values": values}
    write_trace(folder, f"{OSCILLATION} pbd {name}", seeds=len(values), arrays=arrays, step=step)


def violations(swings: list[tuple[float, float, float]], last: np.ndarray | None = None) -> np.ndarray:
    """Alternating ± swing of each distance in the last 200 steps, wild before; the end as given."""
    found = np.full((len(swings), 301, 3), 50.0)
    found[:, ::2] = -50.0
    for k, swing in enumerate(swings):
        sign = np.where(np.arange(200) % 2 == 0, 1.0, -1.0)
        found[k, -200:] = np.array([2 / 3, 1 / 3, 0.0]) + sign[:, None] * np.array(swing)
    if last is not None:
        found[:, -1] = last
    return found


def test_swings_are_over_the_last_sweeps_of_the_worst_seed_and_distance(tmp_path: Path) -> None:
    triangle(tmp_path, "forward", violations([(0, 0, 0), (0, 0.01, 0.002), (0, 0, 0)]))
    triangle(tmp_path, "reverse", violations([(0, 0, 0), (0.03, 0, 0), (0.02, 0, 0)]))
    triangle(tmp_path, "random", violations([(0.1, 0.4, 0.2), (0.3, 0.05, 0.1), (0.5, 0.5, 0.6)]))
    assert number(tmp_path, "order_oscillation.fixed_swing") == pytest.approx(0.03)
    assert number(tmp_path, "order_oscillation.random_swing") == pytest.approx(0.3)


def test_the_fixed_cycle_is_compared_at_the_end_of_every_seed(tmp_path: Path) -> None:
    last = np.array([[2 / 3, 1 / 3, 0.0], [2 / 3, 1 / 3 - 0.25, 0.125], [2 / 3, 1 / 3, 0.0]])
    triangle(tmp_path, "forward", violations([(0, 0, 0)] * 3, last))
    assert number(tmp_path, "order_oscillation.forward_length_error") == pytest.approx(0.25)

# SPDX-License-Identifier: BSD-3-Clause
"""The replay of the algorithm against one written particle by particle, and Verlet's rule against free fall;
one row or cell off."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

G, DT, FLOOR = -9.81, 0.01, -0.05
FRICTION, RESTITUTION = 0.3, 0.4
START = np.array([[0.0, 0.3, 0], [0.8, 0.2, 0.1], [0.5, 0.0, 0.9], [0.4, 0.0, -0.2], [2, 0.01, 1]])
SPEED = np.array([[0.0, 0, 0], [1, 0, -0.5], [0, 2, 0.3], [0.4, -1, 0], [2, -0.6, 0]])
MASSES = np.array([2.0, 1.0, 3.0, 0.5, 1.5])
LINKS = [(0, 1), (1, 2), (2, 3), (1, 3)]  # the last particle has none
LENGTHS, STIFFNESS = [0.7, 0.9, 1.0, 0.6], [0.7, 0.5, 0.9, 0.3]
HELD = 0


def rigid_velocity(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Rigid velocity of the free particles: [MHHR07] section 3.5."""
    m, free = MASSES[1:], slice(1, None)
    total = sum(m)
    centre, mean = sum(m[i] * x[free][i] for i in range(4)) / total, sum(m[i] * v[free][i] for i in range(4)) / total
    momentum, inertia = np.zeros(3), np.zeros((3, 3))
    for mass, place, speed in zip(m, x[free] - centre, v[free]):
        momentum += mass * np.cross(place, speed)
        inertia += mass * ((place @ place) * np.eye(3) - np.outer(place, place))
    omega = np.linalg.solve(inertia, momentum)
    return np.array([v[HELD], *(mean + np.cross(omega, x[free] - centre))])


def by_the_listing(
    order: str, count: int, damping: float, per_step: bool, floor: bool, steps: int = 25
) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities by [MHHR07] section 3.1."""
    x, v = START.copy(), SPEED.copy()
    rows, speeds = [x.copy()], [v.copy()]
    for _ in range(steps):
        for i in range(1, 5):
            v[i, 1] += DT * G
        v = v + damping * (rigid_velocity(x, v) - v)
        v[HELD] = 0
        p = x + DT * v
        contacts = []
        for i in range(1, 5):
            way = np.linalg.norm(p[i] - x[i])
            if floor and (p[i, 1] < FLOOR or (x[i, 1] - FLOOR <= way and p[i, 1] - FLOOR < way)):
                contacts.append(i)
        for _ in range(count):
            moves: list[list[np.ndarray]] = [[] for _ in p]
            for k in sorted(range(4), reverse=order == "reverse"):
                a, b = LINKS[k]
                stiffness = 1 - (1 - STIFFNESS[k]) ** (1 / count) if per_step else STIFFNESS[k]
                w = [0.0 if i == HELD else 1 / MASSES[i] for i in (a, b)]
                length = np.linalg.norm(p[b] - p[a])
                pull = stiffness * (length - LENGTHS[k]) * (p[b] - p[a]) / length / (w[0] + w[1])
                if order == "jacobi":
                    moves[a].append(w[0] * pull)
                    moves[b].append(-w[1] * pull)
                else:
                    p[a], p[b] = p[a] + w[0] * pull, p[b] - w[1] * pull
            for i, own in enumerate(moves):
                if own:
                    p[i] += sum(own) / len(own)
            for i in contacts:
                p[i, 1] = max(p[i, 1], FLOOR)
        v, x = (p - x) / DT, p
        for i in contacts:
            v[i, [0, 2]] *= 1 - FRICTION
            if v[i, 1] < 0:
                v[i, 1] *= -RESTITUTION
        rows.append(x.copy())
        speeds.append(v.copy())
    return np.array(rows), np.array(speeds)


def net(
    folder: Path,
    experiment: str,
    name: str,
    number: int,
    positions: np.ndarray,
    velocities: np.ndarray,
    *,
    iterations: int = 2,
    order: str = "forward",
    damping: float = 0.0,
    per_step: bool = True,
    floor: bool = True,
    held: bool = True,
    links: Any = LINKS,
    lengths: Any = LENGTHS,
    stiffness: Any = STIFFNESS,
    masses: Any = MASSES,
) -> None:
    arrays = {
        "masses": np.array(masses),
        "constraint_vertices": np.array([[*link, -1, -1] for link in links]),
        "constraint_rest_values": np.array(lengths),
        "constraint_stiffness": np.array(stiffness),
        **({"prescribed_vertices": np.array([HELD])} if held else {}),
    }
    scene = {
        "gravity_m_s2": [0, G, 0],
        "time_step_s": DT,
        "height_m": -FLOOR,
        "floor": floor,
        "friction": FRICTION,
        "restitution": RESTITUTION,
    }
    parameters = {
        "iterations": iterations,
        "order": order,
        "damping": damping,
        "stiffness_law": "per_step" if per_step else "per_iteration",
    }
    frame = {"positions": positions, "velocities": velocities}
    write_cell(
        folder, experiment, name, {"number": number}, scene=scene, parameters=parameters, arrays=arrays, frame=frame
    )


CASES = [
    ("forward", 1, 0.0, True, True),
    ("forward", 3, 0.2, True, True),
    ("jacobi", 2, 0.1, True, True),
    ("reverse", 4, 0.0, False, True),
    ("jacobi", 3, 0.5, False, False),
]


@pytest.mark.parametrize("case", CASES)
def test_the_replay_is_that_of_the_listing(tmp_path: Path, case: tuple[str, int, float, bool, bool]) -> None:
    order, count, damping, per_step, floor = case
    x, v = by_the_listing(*case)
    lies = np.abs(x[:, 4, 1] - FLOOR) < 1e-12
    assert lies.any() == floor, "the last particle meets the floor"
    assert (v[:, 4, 1] > 0.1).any() == floor, "and is thrown back"
    net(
        tmp_path,
        "solver_stages",
        "listed",
        1,
        x,
        v,
        iterations=count,
        order=order,
        damping=damping,
        per_step=per_step,
        floor=floor,
    )
    assert number(tmp_path, "solver_stages.replay_error") < 1e-12


def test_one_coordinate_of_one_row_of_one_run_is_noticed(tmp_path: Path) -> None:
    for k, off in enumerate((1e-6, 3e-6, 2e-6)):
        x, v = by_the_listing("forward", 2, 0.1, True, True)
        x[7, 2, 1] -= off
        net(tmp_path, "solver_stages", "listed", k, x, v, damping=0.1)
    found = value_of(tmp_path, "solver_stages.replay_error")
    assert found.value == pytest.approx(3e-6, rel=1e-6) and "number=1" in found.note


def test_contacts_are_the_fewest_particles_on_the_floor_at_the_end_of_any_run(tmp_path: Path) -> None:
    for k, heights in enumerate(([FLOOR, FLOOR, FLOOR, 0.1, 0.1], [FLOOR, 0.2, 0.2, FLOOR + 5e-7, -0.06], [FLOOR] * 5)):
        x = np.tile(START, (3, 1, 1))
        x[1, :, 1], x[2, :, 1] = FLOOR, heights
        net(tmp_path, "solver_stages", "listed", k, x, 0 * x)
    assert number(tmp_path, "solver_stages.contacts") == 2


def falling(floor: bool) -> np.ndarray:
    """Two linked particles side by side that fall, and lie down where there is a floor."""
    steps = np.arange(16)
    x = np.zeros((16, 2, 3))
    x[:, 1, 0] = 1
    x[:, :, 1] = (G * DT**2 * steps * (steps + 1) / 2)[:, None]
    x[:, :, 0] += (0.02 * steps)[:, None]
    if floor:
        x[:, :, 1] = np.maximum(x[:, :, 1], FLOOR)
        assert (x[10:, :, 1] == FLOOR).all()
    return x


PAIR = {"links": [(0, 1)], "lengths": [1.0], "stiffness": [0.8], "masses": [1.0, 3.0], "held": False}


@pytest.mark.parametrize("row", ["plain", "damped", "floor"])
def test_the_difference_from_verlets_rule_is_that_of_the_worst_row_and_run(tmp_path: Path, row: str) -> None:
    other = "plain" if row == "damped" else "damped"
    for name, offs in ((row, (1e-6, 3e-6, 2e-6)), (other, (1.0,))):
        for k, off in enumerate(offs):
            x = falling(floor=name == "floor")
            v = np.zeros_like(x)
            v[:, :, 0] = 2.0
            x[9, 1, 2] -= off
            net(tmp_path, "verlet_correspondence", name, k, x, v, floor=name == "floor", **PAIR)
    found = value_of(tmp_path, f"verlet_correspondence.{row}_difference")
    assert found.value == pytest.approx(3e-6, rel=1e-6) and "number=1" in found.note
    if row != "plain":
        least = value_of(tmp_path, f"verlet_correspondence.{row}_least_difference")
        assert least.value == pytest.approx(1e-6, rel=1e-6) and "number=0" in least.note


def test_verlets_rule_projects_the_links_and_leaves_the_held_ones(tmp_path: Path) -> None:
    x = np.zeros((3, 2, 3))
    x[:, 1, 0] = 1.0
    v = np.zeros_like(x)
    v[0, 1, 0] = 20.0  # to 1.2 m, from where the link of full stiffness takes it back
    net(
        tmp_path,
        "verlet_correspondence",
        "plain",
        1,
        x,
        v,
        floor=False,
        iterations=1,
        **{**PAIR, "stiffness": [1.0], "held": True},
    )
    # Gravity turns the direction: p = (1.2, G Δt²), of length ≈ 1.2, comes to the unit circle;
    # then 2x − x_before + Δt² g again.
    p = np.array([1.2, G * DT**2])
    first = p / np.hypot(*p)
    q = 2 * first - [1.0, 0] + [0, G * DT**2]
    second = q / np.hypot(*q)
    worst = max(abs(first - [1, 0]).max(), abs(second - [1, 0]).max())
    assert number(tmp_path, "verlet_correspondence.plain_difference") == pytest.approx(worst, rel=1e-9)

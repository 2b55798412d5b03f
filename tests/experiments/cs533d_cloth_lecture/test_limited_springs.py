# SPDX-License-Identifier: BSD-3-Clause
"""Springs of no stiffness, visited once by a few lines of our own; then one of them is done wrongly."""

from pathlib import Path

import numpy as np
import pytest
from made_springs import ends_of
from measured import number, write_trace

RNG = np.random.default_rng(1)
COUNT, DT = 12, 0.01
START = RNG.normal(size=(COUNT, 2, 3))
VELOCITIES = RNG.normal(size=(COUNT, 2, 3))
MASSES = 10 ** RNG.uniform(-1, 1, size=(COUNT, 2))
HELD = 3  # its first end
VELOCITIES[HELD, 0] = 0
SPRING_LIMITS = {"strain_limit": 0.1, "shortening_limit": 0.2}
FREE = START + DT * VELOCITIES
LENGTHS = np.linalg.norm(FREE[:, 1] - FREE[:, 0], axis=1)
# Springs 0 to 3 too long, 4 to 7 too short, the others within.
REST = LENGTHS / np.repeat([1.5, 0.5, 1.05], 4)


def visited() -> tuple[np.ndarray, np.ndarray]:
    x, v = FREE.copy(), VELOCITIES.copy()
    for s in range(8):
        w = 1 / MASSES[s]
        if s == HELD:
            w[0] = 0
        along = x[s, 1] - x[s, 0]
        target = np.clip(LENGTHS[s], 0.8 * REST[s], 1.1 * REST[s])
        shift = (1 - target / LENGTHS[s]) / w.sum() * along
        x[s] += np.array([w[0] * shift, -w[1] * shift])
        rate = (v[s, 1] - v[s, 0]) @ along / (along @ along) / w.sum() * along
        v[s] += np.array([w[0] * rate, -w[1] * rate])
    return x, v


def write(folder: Path, name: str, x: np.ndarray, v: np.ndarray) -> None:
    scene = {"time_step_s": DT, "seed": 1}
    arrays = {
        "constraint_vertices": ends_of(2 * np.arange(COUNT), 2 * np.arange(COUNT) + 1),
        "constraint_rest_values": REST,
        "constraint_compliance": np.full(COUNT, 1e30),
        "masses": MASSES.ravel(),
        "prescribed_vertices": np.array([2 * HELD]),
    }
    step = {
        "positions": np.stack([START.reshape(-1, 3), x.reshape(-1, 3)]),
        "velocities": np.stack([VELOCITIES.reshape(-1, 3), v.reshape(-1, 3)]),
    }
    run = f"cs533d_cloth_lecture/limited_springs force_cloth {name}"
    write_trace(folder, run, parameters=SPRING_LIMITS, scene=scene, dt=DT, arrays=arrays, step=step)


def write_all(folder: Path, wrong: str = "", dx: np.ndarray | float = 0.0, dv: np.ndarray | float = 0.0) -> None:
    for name in ("positions", "velocities"):
        x, v = visited()
        write(folder, name, x + dx * (name == wrong), v + dv * (name == wrong))
    write(folder, "unlimited", FREE, VELOCITIES)


def of(spring: int, end: int, value: np.ndarray) -> np.ndarray:
    change = np.zeros((COUNT, 2, 3))
    change[spring, end] = value
    return change


def measure(folder: Path, name: str) -> float:
    return number(folder, f"limited_springs.{name}")


def test_springs_done_rightly(tmp_path: Path) -> None:
    write_all(tmp_path)
    for name in ("strain_error", "rate_error", "momentum_change", "turning_change", "centre_moves"):
        assert measure(tmp_path, name) < 1e-13, name
    assert measure(tmp_path, "held_end_moves") == 0
    assert measure(tmp_path, "moves_within_limits") == 0
    assert measure(tmp_path, "energy_gain") <= 1e-13
    assert measure(tmp_path, "turning_change_by_the_move") > 0.01
    assert measure(tmp_path, "springs_beyond") == 3
    assert measure(tmp_path, "held_beyond") == 1


@pytest.mark.parametrize("wrong", ["positions", "velocities"])
@pytest.mark.parametrize("spring", [0, 5, 7])
def test_one_spring_has_another_length_or_rate(tmp_path: Path, wrong: str, spring: int) -> None:
    along = visited()[0][spring, 1] - visited()[0][spring, 0]
    write_all(tmp_path, wrong, dx=of(spring, 1, 0.25 * along))
    target = 1.1 if spring < 4 else 0.8
    assert measure(tmp_path, "strain_error") == pytest.approx(0.25 * target)
    assert measure(tmp_path, "centre_moves") > 0.01
    write_all(tmp_path, wrong, dv=of(spring, 0, 0.5 * along))
    assert measure(tmp_path, "rate_error") > 0.01
    assert measure(tmp_path, "momentum_change") > 0.01


@pytest.mark.parametrize("wrong", ["positions", "velocities"])
def test_a_pair_that_is_set_spinning(tmp_path: Path, wrong: str) -> None:
    x, _ = visited()
    across = np.cross(x[5, 1] - x[5, 0], [0.3, 0.4, 0.5])
    write_all(tmp_path, wrong, dv=of(5, 0, across / MASSES[5, 0]) - of(5, 1, across / MASSES[5, 1]))
    assert measure(tmp_path, "momentum_change") < 1e-13
    assert measure(tmp_path, "turning_change") > 0.01


def test_a_held_end_and_a_spring_within_its_limits_that_move(tmp_path: Path) -> None:
    write_all(tmp_path, "velocities", dx=of(HELD, 0, np.array([0.125, 0, 0])) + of(10, 1, np.array([0, 0.25, 0])))
    assert measure(tmp_path, "held_end_moves") == pytest.approx(0.125)
    assert measure(tmp_path, "moves_within_limits") == pytest.approx(0.25)


def test_velocities_that_grow(tmp_path: Path) -> None:
    _, v = visited()
    write_all(tmp_path, "positions", dv=v)
    assert measure(tmp_path, "energy_gain") > 1

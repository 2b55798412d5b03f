# SPDX-License-Identifier: BSD-3-Clause
"""Drops whose impulses are put in: one vertex in one step of one drop is pulled, held too fast,
or pushed from afar."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

from deformbench_analysis.corotational import Body

NAME = "cs6967_assignment_2/drops"
REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]])
TETS = np.array([[0, 2, 1, 3]])
YOUNG, POISSON, DENSITY, DT, G, HEIGHT, FRICTION, RADIUS = 10.0, 0.25, 24.0, 0.01, 10.0, 0.2, 0.25, 2.0
SPEED = float(np.sqrt(2 * G * HEIGHT))  # 2 m/s
BODY = Body.made(REST, TETS, YOUNG, POISSON)
MASSES = BODY.masses(DENSITY, 4)
GRAVITY = np.array([0.0, -G, 0])
MEMBERS = 3
RUNS = {"plane": (0.0, 0.0, 0.0), "ball": (0.0, 0.0, 0.0), "box": (0.0, 0.5, 0.0)}


def fall(push: dict[tuple[int, int], np.ndarray], lift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Symplectic Euler with the judge's own forces; `push`: impulses over m V by step and vertex. Four steps."""
    x, v = REST + [0, HEIGHT + lift, 0], np.zeros_like(REST)
    rows, speeds = [x], [v]
    for n in range(4):
        v = v + DT * (BODY.forces(x) / MASSES[:, None] + GRAVITY)
        for (step, vertex), impulse in push.items():
            if step == n:
                v[vertex] = v[vertex] + SPEED * impulse
        x = x + DT * v
        rows.append(x)
        speeds.append(v)
    return np.array(rows), np.array(speeds)


def run(
    folder: Path,
    obstacle: str,
    members: list[tuple[np.ndarray, np.ndarray]],
    *,
    name: str = "explicit",
    velocity: tuple[float, float, float] | None = None,
    dt: float = DT,
    experiment: str = NAME,
) -> None:
    write_trace(
        folder,
        f"{experiment} {name}_fem {name}",
        dt=dt,
        swept={"obstacle": obstacle, "time_step_s": dt},
        scene={
            "young_modulus_pa": YOUNG,
            "poisson_ratio": POISSON,
            "density_kg_m3": DENSITY,
            "side_m": 1.0,
            "cells_across": 1,
            "gravity_m_s2": list(GRAVITY),
            "height_m": HEIGHT,
            "friction": FRICTION,
            "obstacle_size_m": RADIUS,
            "obstacle_velocity_m_s": list(velocity or RUNS.get(obstacle, (0.0, 0.0, 0.0))),
        },
        arrays={"rest_positions": REST, "tetrahedra": TETS},
        seeds=len(members),
        step={"positions": np.array([m[0] for m in members]), "velocities": np.array([m[1] for m in members])},
    )


def lying(obstacle: str) -> tuple[np.ndarray, np.ndarray]:
    """Vertices 0 to 2 on a flat obstacle, vertex 0 on the ball, in all five rows; no element is strained."""
    up = np.array([0, RUNS[obstacle][1], 0])
    return np.array([REST + up * DT * row for row in range(5)]), np.tile(up, (5, 4, 1))


def landing(obstacle: str) -> tuple[np.ndarray, np.ndarray]:
    """Vertices 0 to 2 arrive in row 1 from 0.1 m above, with the speed that ends on the obstacle."""
    x, v = lying(obstacle)
    x[0, :, 1] += 0.1
    v[1, :, 1] -= 0.1 / DT
    return x, v


def all_runs(
    folder: Path, odd: tuple[str, int], other: tuple[np.ndarray, np.ndarray], usual: tuple[np.ndarray, np.ndarray]
) -> None:
    for obstacle in RUNS:
        run(folder, obstacle, [other if (obstacle, k) == odd else usual for k in range(MEMBERS)])


UP = np.array([0.0, 1, 0])
ALL = [(obstacle, member) for obstacle in RUNS for member in range(MEMBERS)]
FLAT = [case for case in ALL if case[0] != "ball"]
some_drop = pytest.mark.parametrize("odd", ALL[::2], ids=str)


@some_drop
def test_one_vertex_that_is_pulled_in_one_step(tmp_path: Path, odd: tuple[str, int]) -> None:
    usual = fall({(1, 0): 0.5 * UP})
    all_runs(tmp_path, odd, fall({(1, 0): 0.25 * UP, (2, 3): -0.125 * UP}), usual)
    pulled = number(tmp_path, "drops.pull")  # on the ball along its normal there
    assert pulled == pytest.approx(0.125, rel=0.02 if odd[0] == "ball" else 1e-9)
    assert number(tmp_path, "drops.push") == pytest.approx(0.25, rel=1e-3)
    assert number(tmp_path, "drops.count") == 9


@pytest.mark.parametrize("odd", FLAT[::2], ids=str)
def test_one_vertex_that_is_held_by_more_than_friction(tmp_path: Path, odd: tuple[str, int]) -> None:
    usual = fall({(1, 0): np.array([0.125, 0.5, 0])})
    all_runs(tmp_path, odd, fall({(1, 0): np.array([0.1, 0.5, 0]), (2, 1): np.array([0.3, 0.5, 0.4])}), usual)
    assert number(tmp_path, "drops.beyond_friction") == pytest.approx(0.5 - 0.25 * 0.5)


def test_friction_on_the_ball_is_not_of_a_flat_obstacle(tmp_path: Path) -> None:
    usual = fall({(1, 0): np.array([0.125, 0.5, 0])})
    all_runs(tmp_path, ("ball", 1), fall({(2, 0): np.array([0, 0.5, 0.5])}), usual)
    assert number(tmp_path, "drops.beyond_friction") == pytest.approx(0.0, abs=1e-9)


@some_drop
def test_one_push_from_afar_is_stray(tmp_path: Path, odd: tuple[str, int]) -> None:
    """All vertices stay at least 0.15 m above; in the usual drop nothing pushes."""
    all_runs(tmp_path, odd, fall({(2, 3): np.array([0.3, 0.4, 0])}), fall({}))
    assert number(tmp_path, "drops.stray_impulse") == pytest.approx(0.5)


@some_drop
def test_the_deepest_place_is_that_of_one_vertex_in_one_row(tmp_path: Path, odd: tuple[str, int]) -> None:
    usual = fall({})
    x, v = usual[0].copy(), usual[1]
    x[3, 0] = [0, -0.25, 0]
    all_runs(tmp_path, odd, (x, v), usual)
    expected = 0.25 + (0.5 * 3 * DT if odd[0] == "box" else 0.0)
    assert number(tmp_path, "drops.depth") == pytest.approx(expected)


@pytest.mark.parametrize("odd", FLAT[::2], ids=str)
def test_the_normal_speed_is_of_vertices_that_stay(tmp_path: Path, odd: tuple[str, int]) -> None:
    """Vertices 0 to 2 lie on the obstacle in rows 1 to 3; one of them has another speed in row 2."""

    def lying(obstacle: str, fast: float) -> tuple[np.ndarray, np.ndarray]:
        x, v = fall({})
        x, v = x.copy(), v.copy()
        for row in (1, 2, 3):
            x[row, :3, 1] = RUNS[obstacle][1] * DT * row
            v[row, :3, 1] = RUNS[obstacle][1]
        v[2, 1, 1] += fast
        return x, v

    for obstacle in RUNS:
        run(tmp_path, obstacle, [lying(obstacle, -0.5 if (obstacle, k) == odd else 0.25) for k in range(MEMBERS)])
    assert number(tmp_path, "drops.normal_speed") == pytest.approx(0.5 / SPEED)
    assert number(tmp_path, "drops.staying_vertices") == 6


@pytest.mark.parametrize("odd", ALL, ids=str)
def test_a_push_that_leaves_a_normal_speed_is_seen(tmp_path: Path, odd: tuple[str, int]) -> None:
    """Vertex 0 is pushed to 0.25 m/s in row 2 of every drop, to 0.5 m/s in one; in the last it falls fast,
    which is no push."""
    for obstacle in RUNS:
        for members in [[lying(obstacle) for _ in range(MEMBERS)]]:
            for k, (_, v) in enumerate(members):
                v[2, 0, 1] += 0.5 if (obstacle, k) == odd else 0.25
                v[4, 0, 1] -= 3.0
            run(tmp_path, obstacle, members)
    expected = 0.125 if odd[0] == "ball" else 0.25  # of flat obstacles alone
    assert number(tmp_path, "drops.pushed_normal_speed") == pytest.approx(expected)


@pytest.mark.parametrize("method", ["explicit", "warped"])
@pytest.mark.parametrize("odd", FLAT[::2], ids=str)
def test_the_step_of_the_impact_is_seen_apart(tmp_path: Path, odd: tuple[str, int], method: str) -> None:
    for obstacle in RUNS:
        members = [landing(obstacle) for _ in range(MEMBERS)]
        if odd[0] == obstacle:
            members[odd[1]][1][1, 1, 1] += 0.5
        run(tmp_path, obstacle, members, name=method)
    assert number(tmp_path, "drops.impact_normal_speed") == pytest.approx(0.1 / DT / SPEED)
    assert number(tmp_path, "drops.impact_step_error") == pytest.approx(0.5 / SPEED)
    assert number(tmp_path, "drops.arriving_vertices") == 3
    assert number(tmp_path, "drops.normal_speed") == pytest.approx(0.0, abs=1e-12)


def test_the_drop_with_fewest_impacts_counts(tmp_path: Path) -> None:
    for obstacle in ("plane", "box"):
        members = [landing(obstacle) for _ in range(MEMBERS)]
        if obstacle == "box":
            members[1][0][1, 0, 1] += 0.01
            members[1][0][2, 0, 1] += 0.01
        run(tmp_path, obstacle, members)
    assert number(tmp_path, "drops.arriving_vertices") == 3
    members = [landing("plane")]
    members[0][0][:, :2, 1] += 0.01  # two never touch
    run(tmp_path, "plane", members, dt=0.02)
    assert number(tmp_path, "drops.arriving_vertices") == 1


@some_drop
def test_energy_is_that_of_one_row_less_the_work_of_the_obstacle(tmp_path: Path, odd: tuple[str, int]) -> None:
    """Whole bodies that start at 1 m/s and fly up at 3 m/s in one row: 4.5 of 2.5 J/kg, and a box at 0.5 m/s has
    given 0.5 (3 − 1 + g t)."""
    usual = fall({})
    x, v = np.tile(usual[0][0], (5, 1, 1)), np.zeros((5, 4, 3))
    v[0, :, 1], v[2, :, 1] = 1.0, 3.0
    all_runs(tmp_path, odd, (x, v), usual)
    work = 0.5 * (3.0 - 1.0 + G * 2 * DT) if odd[0] == "box" else 0.0
    expected = (4.5 - work + G * HEIGHT) / (0.5 + G * HEIGHT) - 1
    assert number(tmp_path, "drops.energy_excess") == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("worst", ["explicit", "warped"])
def test_a_block_left_alone_is_compared_with_its_own_method(tmp_path: Path, worst: str) -> None:
    for name in ("explicit", "warped"):
        usual = fall({}) if name == "explicit" else fall({}, lift=1.0)
        x = usual[0].copy()
        x[3, 2, 1] += 1e-12 if name == worst else 0.0
        run(tmp_path, "none", [usual, usual], name=name)
        run(tmp_path, "box", [usual, (x, usual[1])], name=name, velocity=(0.0, -4.0, 0.0))
    assert number(tmp_path, "drops.differs_when_left_alone") == pytest.approx(1e-12, rel=1e-3, abs=0)

# SPDX-License-Identifier: BSD-3-Clause
"""Blocks of known creep and acceleration, impacts of known paths, gaps at rest of known size; the figure of them."""

import math
from pathlib import Path

import numpy as np
import pytest
from figure_traces import drawn
from measured import number, write_trace

from experiments.li_et_al_2020.measurements import accuracy as a, friction as f

ONE = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]])
MESH = np.array([[0, 1, 2, 3]])
EPSILON, STEP = 1e-3, 0.01


def slid(
    folder: Path, mu: float, ratio: float, size: float, body: bool = False, factors: tuple[float, ...] = (1,)
) -> None:
    """Creep or acceleration `size` times that of the closed form; of each member times its factor."""
    angle = math.atan(mu * ratio) if mu else math.atan(ratio)
    along, across = 9.81 * math.sin(angle), 9.81 * math.cos(angle)
    time = STEP * np.arange(13)
    speed = (EPSILON * (1 - math.sqrt(1 - ratio)) + 0 * time) if mu and ratio < 1 else (along - mu * across) * time
    moving = np.repeat(np.array(factors)[:, None] * size * speed, 4, axis=1).reshape(len(factors), 13, 4)
    velocities = np.stack([moving, 0 * moving, 0 * moving], axis=3)
    arrays = {"rest_positions": ONE, "masses": np.array([1.0, 2, 3, 4])}
    if body:
        velocities = np.concatenate([velocities, 99 + 0 * velocities], axis=2)
        arrays = {"rest_positions": np.concatenate([ONE, ONE - [0, 2, 0]]), "masses": np.ones(8)}
    write_trace(
        folder,
        f"{(f.BODY if body else f.PLANE).experiment} implicit_fem barrier",
        {"gravity_m_s2": [along, -across, 0.0], **({} if body else {"friction": mu})},
        {"time_step_s": STEP},
        coordinates={"scene.name": "block_on_body" if body else "drop_and_slide"},
        parameters={"friction_speed_m_s": EPSILON, "self_friction": mu if body else 0.0},
        arrays=arrays,
        seeds=0 if body else len(factors),
        step={"velocities": velocities[0] if body else velocities},
    )


def test_the_worst_member_counts_and_the_held_body_does_not(tmp_path: Path) -> None:
    for mu in (0.5, 1.0):
        slid(tmp_path, mu, 0.8, 1.0, factors=(1.0, 0.96 if mu < 1 else 0.9))
        slid(tmp_path, mu, 1.2, 1.0, factors=(1.01 if mu < 1 else 1.1, 1.0))
        slid(tmp_path, mu, 1.02, 0.75, factors=(1.0, 2.0))
    slid(tmp_path, 0.0, 0.3, 0.99)
    found = {n: number(tmp_path, f"slopes.{n}") for n in ("creep_error", "acceleration_error", "slip_beyond")}
    assert found == pytest.approx({"creep_error": 0.1, "acceleration_error": 0.1, "slip_beyond": 0.75})
    assert number(tmp_path, "slopes.creep_error_in_regime") == pytest.approx(0.04)
    assert number(tmp_path, "slopes.acceleration_error_in_regime") == pytest.approx(0.01)
    assert number(tmp_path, "slopes.frictionless_error") == pytest.approx(0.01)
    slid(tmp_path, 0.5, 0.8, 0.75, body=True)
    slid(tmp_path, 0.5, 1.2, 1.25, body=True)
    assert number(tmp_path, "slope_of_body.creep_error") == pytest.approx(0.25)
    assert number(tmp_path, "slope_of_body.acceleration_error") == pytest.approx(0.25)


def hit(
    folder: Path,
    width: float,
    row: str = "barrier",
    seed: int = 1,
    off: float = 0.0,
    force: float = 1.0,
    arrives: bool = True,
) -> None:
    speeds = np.array([-0.2, -0.2, 0.0, 0.2 if force == 1 else 0.1, 0.2 * force] if arrives else 5 * [-0.2])
    write_trace(
        folder,
        f"{a.THIN.experiment} implicit_fem {row}",
        {"seed": seed},
        {"time_step_s": 1e-4},
        parameters={"contact_distance_m": width},
        coordinates={"method.parameters.contact_distance_m": width},
        step={
            "centre_of_mass": np.array([[9.0, 0.1 + (off if k == 2 else 0), 9.0] for k in range(5)]),
            "centre_of_mass_velocity": np.column_stack([0 * speeds, speeds, 0 * speeds]),
            "positions": np.full((5, 4, 3), 0.75 * width),
            "solves": np.array([np.nan, 1.0, 8.0, 4.0, 3.0]),
        },
    )


def test_errors_of_impacts_are_relative_to_the_thinnest_barrier(tmp_path: Path) -> None:
    for seed, power in ((1, 1.0), (2, 0.5)):
        hit(tmp_path, 5e-6, "thinnest", seed)
        for width in (4e-4, 2e-4, 1e-4, 5e-5):  # the last is not resolved
            hit(tmp_path, width, seed=seed, off=(width / 1e-4) ** power * 1e-4 if width > 5e-5 else 1.0, force=0.9)
    assert number(tmp_path, "thin_barriers.path_order") == pytest.approx(0.5)
    assert number(tmp_path, "thin_barriers.rebound_error") == pytest.approx(0.1)
    assert number(tmp_path, "thin_barriers.time_error") == pytest.approx(3 / 2 - 1)
    assert number(tmp_path, "thin_barriers.time_spread") == pytest.approx(2 / 2)
    assert number(tmp_path, "thin_barriers.standoff") == pytest.approx(0.75)
    assert number(tmp_path, "thin_barriers.iterations") == pytest.approx(4.0)


def test_paths_that_are_alike_have_no_order(tmp_path: Path) -> None:
    hit(tmp_path, 5e-6, "thinnest")
    for width in (4e-4, 2e-4, 1e-4):
        hit(tmp_path, width)
    with pytest.raises(AssertionError, match="has no order"):
        number(tmp_path, "thin_barriers.path_order")


def test_runs_that_end_before_the_wall_have_no_time_of_contact(tmp_path: Path) -> None:
    for row, width in (("thinnest", 5e-6), ("barrier", 5e-5)):
        hit(tmp_path, width, row, arrives=False)
    with pytest.raises(AssertionError, match="before the wall is reached"):
        number(tmp_path, "thin_barriers.time_error")


def rested(folder: Path, row: str, step: float, y: float, speed: float = 0.0) -> None:
    y0 = 0.5  # so that the root of the balance is 0.5
    share = (1 - y0) * ((1 - y0) / y0 - 2 * math.log(y0))
    area = (
        3 * 0.5 + 2 * 0.5 + 2 * 0.5 + 2 * math.sqrt(3) / 2
    ) / 3  # thirds of the lower face, of two sides, of the slant
    write_trace(
        folder,
        f"{a.REST.experiment} implicit_fem {row}",
        {"time_step_s": step},
        {"gravity_m_s2": [0.0, -10.0, 0.0]},
        parameters={"contact_distance_m": 1e-3, "contact_stiffness_pa": 40.0 / (share * area)},
        arrays={"rest_positions": ONE, "tetrahedra": MESH, "masses": np.ones(4)},
        step={"max_speed": np.array([1.0, speed])},
        frame={"positions": np.array([ONE, ONE + [0, 1e-3 * y, 0]])},
    )


def test_gaps_are_compared_with_the_balance_and_with_each_other(tmp_path: Path) -> None:
    for step, y in ((0.01, 0.5), (0.02, 0.55)):
        rested(tmp_path, "squared_step", step, y)
        rested(tmp_path, "plain", step, 2 * y - 0.5, 1e-3)
    assert number(tmp_path, "resting_gaps.gap_error") == pytest.approx(0.1)
    assert number(tmp_path, "resting_gaps.spread") == pytest.approx(0.1)
    assert number(tmp_path, "resting_gaps.plain_spread") == pytest.approx(0.2)
    assert number(tmp_path, "resting_gaps.speed_left") == 1e-3
    slid(tmp_path, 0.5, 0.8, 0.9)
    slid(tmp_path, 0.5, 1.2, 1.1, body=True)
    hit(tmp_path, 5e-6, "thinnest")
    hit(tmp_path, 1e-4, off=2e-4)
    _, rows = drawn(tmp_path, "sec_friction_and_gaps", tmp_path / "out")
    found = {(r["panel"], r["row"]): float(r["value"]) for r in rows}
    assert found["(a) plane", "0.5"] == pytest.approx(0.9) and found["(a) body", "0.5"] == pytest.approx(1.1)
    assert found["(b) impact", "1.0"] == pytest.approx(2e-4) and found["(c) rest", "plain"] == pytest.approx(0.6)

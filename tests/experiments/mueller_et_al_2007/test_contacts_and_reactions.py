# SPDX-License-Identifier: BSD-3-Clause
"""Shot particles, reactions on bodies, friction: made-up runs that are wrong in one step, one particle or one run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import value_of, write_trace

PAPER = "mueller_et_al_2007/"


def shots(
    folder: Path, x: np.ndarray, *, target: str = "sphere", paired: bool = False, row: str = "literal", seed: int = 1
) -> None:
    v = np.zeros_like(x)
    v[:-1] = (x[1:] - x[:-1]) / 0.01
    scene = {"target": target, "paired": paired, "radius_m": 0.5, "thickness_m": 0.02, "time_step_s": 0.01}
    frame = {"positions": x, "velocities": v}
    write_trace(folder, f"{PAPER}collision_projection pbd {row}", swept={"seed": seed}, scene=scene, frame=frame)


def test_the_share_inside_is_of_the_steps_that_concern_the_target(tmp_path: Path) -> None:
    far = np.full((11, 3), 5.0)
    one = np.array(
        [
            [0, 0.9, 0],
            [0, 0.7, 0],
            [0, 0.5, 0],
            [0, 0.4, 0],
            [0, 0.5, 0],
            *[[0, 0.5 + 0.1 * k, 0] for k in range(1, 7)],
        ],
        float,
    )
    shots(tmp_path, np.stack([one, far, far], axis=1), paired=True)
    # One of 30 particle steps ends inside and one begins there; the others do not concern the target.
    assert value_of(tmp_path, "collision_projection.literal_paired_inside").value == pytest.approx(1 / 2)
    assert value_of(tmp_path, "collision_projection.literal_paired_depth").value == pytest.approx(0.1 / 0.5)
    assert value_of(tmp_path, "collision_projection.contact_steps").value == 2


def test_one_of_a_pair_that_goes_through_a_ball_is_a_passage_and_one_that_swings_round_its_edge_is_not(
    tmp_path: Path,
) -> None:
    through = np.array(
        [[[0, 0.7, 0], [0.8, 0.1, 0]], [[0, -0.7, 0], [0.1, 0.8, 0]]]
    )  # the second cuts off less than a right angle
    shots(tmp_path, through, paired=True)
    assert value_of(tmp_path, "collision_projection.literal_paired_passages").value == 1


def hit(folder: Path, *, moment: bool = True, sign: float = 1.0, target: str = "box", row: str = "impulse") -> None:
    """A particle of 1 kg comes down at 2 m/s on a plate of 10 kg, 0.3 m beside its centre,
    and is stopped in the second step."""
    x = np.array([[[0.3, 0.04, 0]], [[0.3, 0.02, 0]], [[0.3, 0.01, 0]], [[0.3, 0.01, 0]]])
    v = np.array([[[0, -2.0, 0]], [[0, -2.0, 0]], [[0, 0.0, 0]], [[0, 0.0, 0]]])
    body = np.array([0, 0, -2.0, -2.0])[:, None] * np.array([[0, sign, 0]])
    spin = np.array([0, 0, -0.6, -0.6])[:, None] * np.array([[0, 0, 1.0]]) if moment else np.zeros((4, 3))
    m = np.ones(1)
    step = {
        "kinetic_energy": np.full(4, 2.0),
        "linear_momentum": v[:, 0] + body,
        "body_contacts": np.array([0, 0, 1, 0]),
        "rigid_velocities": 0.1 * body[:, None],
        "angular_momentum": np.cross(x, v)[:, 0] + spin,
    }
    scene = {"target": target, "paired": False, "radius_m": 0.5, "speed_m_s": 2.0, "time_step_s": 0.01}
    frame = {"positions": x, "velocities": v, "rigid_positions": np.zeros((4, 1, 3))}
    write_trace(folder, f"{PAPER}two_way_reaction pbd {row}", None, scene, arrays={"masses": m}, frame=frame, step=step)


def test_an_impulse_at_the_contact_point_keeps_both_momenta(tmp_path: Path) -> None:
    hit(tmp_path)
    value = lambda name: value_of(tmp_path, "two_way_reaction.impulse_" + name).value  # noqa: E731
    assert (
        value("linear_change") == pytest.approx(0, abs=1e-15)  # momenta of 1 are rounded a few times
        and value("angular_change") == pytest.approx(0, abs=1e-15)
        and value("moment_error") == pytest.approx(0, abs=1e-15)
    )
    assert value("body_momentum") == pytest.approx(1.0)


def test_a_body_is_pushed_away_from_the_particle_that_hits_it_and_drawn_to_it_by_the_wrong_sign(tmp_path: Path) -> None:
    for sign in (1.0, -1.0):
        hit(tmp_path / str(sign), sign=sign, target="octahedron")
        assert value_of(tmp_path / str(sign), "two_way_reaction.impulse_body_pushed").value == pytest.approx(
            sign * 0.01 / np.hypot(0.3, 0.01)
        )


def test_a_body_that_gets_no_moment_is_seen_though_linear_momentum_holds(tmp_path: Path) -> None:
    hit(tmp_path, moment=False)
    value = lambda name: value_of(tmp_path, "two_way_reaction.impulse_" + name).value  # noqa: E731
    assert value("linear_change") == pytest.approx(0, abs=1e-15) and value("moment_error") == pytest.approx(1.0)
    assert value("angular_change") == pytest.approx(0.6 / 2 / 0.5)
    assert value("angular_change_per_way") == pytest.approx(0.6 / (2 * 0.01 / 0.5))


def test_the_wrong_sign_on_the_body_doubles_the_momentum(tmp_path: Path) -> None:
    hit(tmp_path, sign=-1.0)
    assert value_of(tmp_path, "two_way_reaction.impulse_linear_change").value == pytest.approx(2.0)


def slide(folder: Path, speeds: list[float], **scene: Any) -> None:
    v = np.zeros((len(speeds), 1, 3))
    v[:, 0, 0] = speeds
    frame = {"positions": np.cumsum(0.01 * v, axis=0), "velocities": v}
    run = f"{PAPER}friction_incline pbd printed"
    write_trace(folder, run, scene={"slope_deg": 0.0, "friction": 0.1, "speed_m_s": speeds[0], **scene}, frame=frame)


@pytest.mark.parametrize(
    "speeds, violation, damping",
    [
        ([2.0, 1.8, 1.62, 1.458], 0.0, 0.9),
        ([2.0, 1.8, 1.8, 1.62], 0.0, 1.0),
        ([2.0, 1.8, 1.9, 1.71], 0.05, 1.9 / 1.8),
        ([2.0, 1.8, -0.2, -0.1], 0.1, 0.9),
    ],
)
def test_friction_damps_every_step_and_never_turns_the_motion_round(
    tmp_path: Path, speeds: list[float], violation: float, damping: float
) -> None:
    slide(tmp_path, speeds)
    assert value_of(tmp_path, "friction_incline.printed_friction_violation").value == pytest.approx(violation, abs=1e-9)
    assert value_of(tmp_path, "friction_incline.printed_slowest_damping").value == pytest.approx(damping)

# SPDX-License-Identifier: BSD-3-Clause
"""Reactions on bodies and the unit of a volume: momenta of the worst row and run, moments worked by hand."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import number, value_of
from position_cells import write_cell

ROWS = ("corrected", "impulse", "printed")
MASSES = np.array([1.0, 3.0])


def react(
    folder: Path,
    row: str,
    number: int,
    *,
    target: str = "box",
    paired: bool = False,
    dt: float = 0.01,
    step: dict[str, Any] | None = None,
    frame: dict[str, Any] | None = None,
    **more: Any,
) -> None:
    clocks = {
        clock: {k: np.array(v, float) for k, v in columns.items()}
        for clock, columns in (("step", step), ("frame", frame))
        if columns
    }
    swept = {"target": target, "paired": paired, "time_step_s": dt, "number": number}
    scene = {"radius_m": 0.5, "speed_m_s": 2.0}
    write_cell(folder, "two_way_reaction", row, swept, scene=scene, arrays={"masses": MASSES}, series=clocks, **more)


ENERGY = [8.0, 99, 99, 99]  # √(2 · 8 J · 4 kg) = 8 kg m/s


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("status", ["completed", "diverged"])
def test_momenta_change_by_the_worst_row_from_the_first_row(tmp_path: Path, row: str, status: str) -> None:
    at, off = {"dt": 0.02, "target": "sphere", "paired": True}, 0.4
    step = {
        "kinetic_energy": ENERGY,
        "linear_momentum": [[1, 2, 3], [1, 2, 3 + 8 * off], [1 - 4 * off, 2, 3], [1, 2 + off, 3]],
        "angular_momentum": [[5, 5, 5], [5 + off, 5, 5], [5, 5 - 4 * off, 5], [5, 5, 5 + 0.1 * off]],
    }
    react(tmp_path, row, 1, status=status, step=step, **at)
    react(tmp_path, row, 2, status="unsupported", step={k: 9 * np.array(v) for k, v in step.items()}, **at)
    assert number(tmp_path, f"two_way_reaction.{row}_linear_change") == pytest.approx(0.4)
    assert number(tmp_path, f"two_way_reaction.{row}_angular_change") == pytest.approx(0.4)  # 4 off over 8 · 0.5
    # 2 m/s · Δt over 0.5 m: 0.08
    assert number(tmp_path, f"two_way_reaction.{row}_angular_change_per_way") == pytest.approx(5.0)


@pytest.mark.parametrize("number_of_bad", [0, 1])
def test_a_momentum_that_is_not_a_number_is_infinitely_wrong_whichever_run_has_it(
    tmp_path: Path, number_of_bad: int
) -> None:
    for k in (0, 1):
        step = {
            "kinetic_energy": ENERGY[:2],
            "linear_momentum": [[0, 0, 1], [0, 0, np.nan if k == number_of_bad else 1]],
        }
        react(tmp_path, "printed", k, status="diverged", step=step)
    found = value_of(tmp_path, "two_way_reaction.printed_linear_change")
    assert found.value == np.inf and f"number={number_of_bad}" in found.note


# Two steps: impulses of (0, 3, 0) and (2, 0, 4) N s where the particles end at (2, 0, 0) and (0, 1, 0),
# then one of (0, 1, 0) at (1, 0, 0).
PLACES = np.array([[[7.0, 1, 2], [3, 3, 3]], [[2, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 0, 9]]])
SPEEDS = np.array([[[1.0, 0, 0], [0, 1, 0]], [[1, 3, 0], [2 / 3, 1, 4 / 3]], [[1, 4, 0], [2 / 3, 1, 4 / 3]]])
GIVEN = np.array([[-4.0, 0, -4], [0, 0, -1]])  # −(0, 0, 6) − (4, 0, −2)
LARGEST = 32**0.5


def body(row_off: int, off: float) -> list[list[float]]:
    """Angular momentum of all where the body gets what the particles lose, but for `off` from a row on."""
    particles = np.array(
        [sum(m * np.cross(x, v) for m, x, v in zip(MASSES, places, speeds)) for places, speeds in zip(PLACES, SPEEDS)]
    )
    own = np.array([[0.3, 0.2, 0.1]] * 3) + np.concatenate([[[0, 0, 0]], np.cumsum(GIVEN, axis=0)])
    own[row_off:, 1] += off
    return (particles + own).tolist()


@pytest.mark.parametrize("row", ROWS)
def test_the_moment_that_the_body_gets_is_compared_with_what_the_particles_lose(tmp_path: Path, row: str) -> None:
    frame = {"positions": PLACES, "velocities": SPEEDS}
    react(tmp_path, row, 1, target="octahedron", step={"angular_momentum": body(1, 0.7)}, frame=frame)
    assert number(tmp_path, f"two_way_reaction.{row}_moment_error") == pytest.approx(0.7 / LARGEST)


def test_a_body_that_gets_no_moment_is_wrong_by_all_of_it(tmp_path: Path) -> None:
    kept = np.array(body(0, 0.0)) - np.concatenate([[[0, 0, 0]], np.cumsum(GIVEN, axis=0)])
    react(tmp_path, "printed", 1, step={"angular_momentum": kept}, frame={"positions": PLACES, "velocities": SPEEDS})
    assert number(tmp_path, "two_way_reaction.printed_moment_error") == pytest.approx(1.0)
    step = {"angular_momentum": np.zeros((3, 3))}
    react(tmp_path / "still", "printed", 1, step=step, frame={"positions": PLACES, "velocities": np.ones((3, 2, 3))})
    assert number(tmp_path / "still", "two_way_reaction.printed_moment_error") == np.inf


@pytest.mark.parametrize("row", ROWS)
def test_the_bodys_momentum_is_its_largest_of_a_run_and_the_least_over_the_runs(tmp_path: Path, row: str) -> None:
    v = np.array(
        [[[2.0, 1, 0], [0, 1, 2]], [[0, 1, 0], [0, 1, 1]], [[1, 1, 0], [0, 0, 0]]]
    )  # √5 and 3 √5 kg m/s at first: 5 in the mean of squares
    of_particles = np.einsum("i,rix->rx", MASSES, v)
    for k, largest in enumerate((5.0, 2.0, 3.0)):
        step = {"linear_momentum": of_particles + [[0, 0, 0], [0, 0, largest], [0.6 * largest, 0, 0.3 * largest]]}
        react(tmp_path, row, k, step=step, frame={"velocities": v})
    found = value_of(tmp_path, f"two_way_reaction.{row}_body_momentum")
    assert found.value == pytest.approx(2 / 5) and "number=1" in found.note


@pytest.mark.parametrize("row", ROWS)
def test_the_share_that_pushes_the_body_away_is_that_of_all_steps_of_the_worst_run(tmp_path: Path, row: str) -> None:
    centre, r = np.array([1.0, 1, 1]), np.array([[0.0, 2, 0], [3, 0, 0]])

    def shot(number: int, wrong: float, **more: Any) -> None:
        # The first is hit, with the body pushed along −y; nothing; both are hit, by 3 and 4 N s:
        # d = (−4, −3, 0)/5; the second, aside.
        impulse = np.array(
            [[[0, 3.0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]], [[0, 3, 0], [4, 0, 0]], [[0, 0, 0], [1, 0, 0]]]
        )
        change = np.array([[0, -3.0, 0], [0, 0, 0], [-4 * wrong, -3 * wrong, 0], [0, 0, 2]])
        v = np.concatenate([np.zeros((1, 2, 3)), np.cumsum(impulse / MASSES[:, None], axis=0)])
        own = np.concatenate([np.zeros((1, 3)), np.cumsum(change, axis=0)])[:, None]
        frame = {
            "positions": np.tile(centre + r, (5, 1, 1)),
            "velocities": v,
            "rigid_positions": np.tile(centre, (5, 1, 1)),
        }
        react(tmp_path, row, number, step={"rigid_velocities": own}, **more, frame=frame)

    for k, wrong in enumerate((1.0, -1.0, 2.0)):
        shot(k, wrong, target=("sphere", "octahedron", "octahedron")[k])
    shot(8, -9.0, target="octahedron", paired=True)
    shot(9, -9.0, target="box")
    found = value_of(tmp_path, f"two_way_reaction.{row}_body_pushed")
    assert found.value == pytest.approx((3 - 5) / (3 + 5 + 2)) and "number=1" in found.note


def test_contacts_are_the_fewest_steps_of_any_run_that_has_steps(tmp_path: Path) -> None:
    for k, (touching, status) in enumerate(
        (
            ([2, 2, 0, 9], "completed"),
            ([3, 0, 1, 0], "diverged"),
            ([1, 1, 1, 0], "completed"),
            ([0, 0, 0, 0], "unsupported"),
        )
    ):
        react(tmp_path, ROWS[k % 3], k, status=status, step={"body_contacts": touching})
    assert number(tmp_path, "two_way_reaction.contacts") == 2


@pytest.mark.parametrize("name", ["same_sum", "true_volume"])
def test_the_volume_at_the_end_over_the_pressure_that_was_asked_for_is_the_one_farthest_from_1(
    tmp_path: Path, name: str
) -> None:
    def blown(row: str, pressure: float, ratio: float) -> None:
        series = {"step": {"closed_volume": np.array([0.3, 7.0, 0.3 * pressure * ratio])}}
        write_cell(tmp_path, "balloon_volume", row, {"method.parameters.pressure": pressure}, series=series)

    for pressure, ratio in ((1.0, 1.2), (2.0, 0.5), (6.0, 1.9)):
        blown(name, pressure, ratio)
        blown("true_volume" if name == "same_sum" else "same_sum", pressure, 0.01)
    assert number(tmp_path, f"balloon_volume.{name}_ratio") == pytest.approx(0.5)
    assert "pressure=2" in value_of(tmp_path, f"balloon_volume.{name}_ratio").note

# SPDX-License-Identifier: BSD-3-Clause
"""A hanging chain over its iterations, and a compliant mass, on made-up traces."""

from pathlib import Path

import numpy as np
import pytest
from measured import value_of
from position_cells import write_cell

from deformbench_analysis import position_constraints as pc
from experiments.mueller_et_al_2007.measurements import constraint_stiffness as m
from deformbench_analysis.trace import Trace


def hanging(
    folder: Path,
    experiment: str,
    name: str,
    iterations: int,
    drop: float,
    *,
    links: int = 2,
    law: str = "per_step",
    k: float = 0.5,
    speed: float = 0.0,
    dt: float = 0.1,
) -> Path:
    rest = np.array([[0.0, -i, 0] for i in range(links + 1)])
    end = rest.copy()
    end[-1, 1] -= drop
    velocity = np.zeros((2, links + 1, 3))
    velocity[-1, -1, 1] = speed
    scene = {"stiffness": k, "gravity_m_s2": [0, -10.0, 0], "compliance_m_per_n": 1e-3, "mass_kg": 2.0}
    swept = {"method.parameters.iterations": iterations, "time_step_s": dt, "links": links}
    frame = {"positions": np.array([rest, end]), "velocities": velocity}
    arrays = {"rest_positions": rest}
    parameters = {"stiffness_law": law}
    return write_cell(folder, experiment, name, swept, scene=scene, parameters=parameters, arrays=arrays, frame=frame)


def by_steps(links: int, share: float, iterations: int) -> float:
    """Extension of the chain by taking steps until nothing changes."""
    x, before = np.zeros(links + 1), np.zeros(links + 1)
    for _ in range(4000):
        p = x + 0.9 * (x - before)  # less speed: the same place of rest
        p[1:] += 10.0 * 0.1**2
        for _ in range(iterations):
            for i in range(links):
                error = p[i + 1] - p[i]
                p[i + 1] -= share * error * (1.0 if i == 0 else 0.5)
                p[i] += 0.0 if i == 0 else share * error * 0.5
        before, x = x, p
    return float(x[-1])


@pytest.mark.parametrize("law, share", [("per_iteration", 0.5), ("per_step", 1 - 0.5 ** (1 / 3))])
def test_the_fixed_point_of_a_chain_is_where_steps_end(tmp_path: Path, law: str, share: float) -> None:
    trace = Trace(hanging(tmp_path, "chain_iterations", "row", 3, 0.1, law=law))
    assert m.resting_extension(trace) == pytest.approx(by_steps(2, share, 3), rel=1e-9)


def test_a_chain_that_is_off_in_one_cell_is_found_and_the_limit_is_that_of_most_iterations(tmp_path: Path) -> None:
    for iterations, off in ((1, 1.0), (4, 1.0), (16, 1.02)):
        exact = m.resting_extension(
            Trace(
                hanging(tmp_path / "probe", "chain_iterations", "per_iteration", iterations, 1.0, law="per_iteration")
            )
        )
        hanging(tmp_path / "runs", "chain_iterations", "per_iteration", iterations, exact * off, law="per_iteration")
    value = value_of(tmp_path / "runs", "chain_iterations.law_error")
    assert value.value == pytest.approx(0.02) and "iterations=16" in value.note
    first = m.resting_extension(
        Trace(hanging(tmp_path / "probe", "chain_iterations", "per_iteration", 1, 1.0, law="per_iteration"))
    )
    assert value_of(tmp_path / "runs", "chain_iterations.per_iteration_limit").value == pytest.approx(
        1.02 * exact / first
    )


def test_a_chain_that_still_moves_is_not_measured(tmp_path: Path) -> None:
    hanging(tmp_path, "chain_iterations", "rigid", 1, 0.1)
    hanging(tmp_path, "chain_iterations", "rigid", 8, 0.01, speed=0.1)
    assert value_of(tmp_path, "chain_iterations.rigid_limit").is_missing


def test_a_compliance_divided_by_the_time_step_once_is_found(tmp_path: Path) -> None:
    hanging(tmp_path, "stiffness_time_step_iterations", "compliant", 4, 1.5 * 1e-3 * 2.0 * 10.0, links=1, dt=0.2)
    assert value_of(tmp_path, "stiffness_time_step_iterations.compliant_hanging_error").value == pytest.approx(0.5)


def rods(folder: Path, name: str, kind: str, iterations: int, left: list[float], k: float = 0.5) -> None:
    """Rods of 2 m, rest length 1 m, of whose violation a step leaves these shares."""
    count = len(left)
    x = np.array([[[0.0, i, 0], [2, i, 0]] for i in range(count)])
    after = x.copy()
    after[:, 1, 0] = 1 + np.array(left)
    arrays = {
        "constraint_kinds": np.full(count, pc.DISTANCE),
        "constraint_rest_values": np.ones(count),
        "constraint_stiffness": np.full(count, k),
        "constraint_vertices": np.array([[2 * i, 2 * i + 1, -1, -1] for i in range(count)]),
        "masses": np.ones(2 * count),
    }
    swept = {"kind": kind, "method.parameters.iterations": iterations}
    frame = {"positions": np.array([x, after]).reshape(2, -1, 3)}
    write_cell(folder, "single_constraint_stiffness", name, swept, arrays=arrays, frame=frame)


def test_one_constraint_of_one_run_that_keeps_too_much_is_found(tmp_path: Path) -> None:
    for count, off in ((1, 0.01), (2, -0.05), (4, 0.02)):
        rods(tmp_path, "per_step", "distance", count, [0.5, 0.5 + off, 0.5])
        rods(tmp_path, "per_iteration", "distance", count, [0.5**count, 0.5**count, 0.5**count + 2 * off])
        rods(tmp_path, "per_step", "bend" if count == 2 else "tetra_volume", count, [0.5, 0.5 + 3 * off, 0.5])
    names = ("distance_error", "plain_distance_error", "other_kinds_error", "iteration_spread")
    assert [value_of(tmp_path, "single_constraint_stiffness." + n).value for n in names] == pytest.approx(
        [0.05, 0.1, 0.15, 0.07]
    )
    # k in every iteration: 0.5, 0.25 and 0.0625 of the first two; of the third 0.52, 0.15 and 0.1025.
    assert value_of(tmp_path, "single_constraint_stiffness.plain_iteration_spread").value == pytest.approx(0.4375)


def spring(folder: Path, dt: float, k: float, course: list[float]) -> None:
    series = {"step": {"constraint_values": 0.2 * np.array(course)[:, None]}}
    scene = {"stiffness": k}
    write_cell(folder, "isolated_spring", "row", {"time_step_s": dt}, scene=scene, series=series)


def test_a_spring_follows_the_recursion_and_one_row_off_is_found(tmp_path: Path) -> None:
    spring(tmp_path, 0.01, 0.5, [1.0, 0.5, 0.04, -0.25, -0.25])  # e'' = ½(2 e' − e)
    assert value_of(tmp_path, "isolated_spring.recursion_error").value == pytest.approx(0.04)


def test_the_modulus_and_the_overshoot_are_the_largest_of_any_step(tmp_path: Path) -> None:
    steps = np.arange(8)
    spring(tmp_path, 0.01, 0.5, [*(0.9**steps * np.cos(steps)), 0.0, 0.0, 0.0])
    assert value_of(tmp_path, "isolated_spring.overshoot").value == pytest.approx(-(0.9**3) * np.cos(3))
    spring(tmp_path / "one", 0.2, 0.5, [0.9**k * np.cos(k) for k in range(8)])
    assert value_of(tmp_path / "one", "isolated_spring.modulus_max").value == pytest.approx(0.9)


HANGING = "stiffness_time_step_iterations"


def test_one_link_hangs_by_its_law_and_grows_with_the_time_step(tmp_path: Path) -> None:
    for dt, off in ((0.1, 1.01), (0.05, 1.04), (0.2, 1.02)):
        hanging(tmp_path, HANGING, "per_step", 2, 10 * dt**2 * off, links=1, dt=dt)  # (1 − k_t)/k_t = 1 where k = ½
        hanging(tmp_path, HANGING, "per_iteration", 2, 10 * dt**2 / 3, links=1, dt=dt)  # 1 − k_t = ¼
    found = value_of(tmp_path, HANGING + ".hanging_error")
    assert found.value == pytest.approx(0.04) and "0.05" in found.note
    assert value_of(tmp_path, HANGING + ".time_step_exponent").value == pytest.approx(
        np.log(16 * 1.02 / 1.04) / np.log(4)
    )


@pytest.mark.parametrize("row", ["per_step", "per_iteration", "compliant"])
def test_a_chain_is_compared_between_the_fewest_and_the_most_iterations(tmp_path: Path, row: str) -> None:
    for count, drop in ((4, 0.2), (1, 0.6), (16, 0.05)):
        hanging(tmp_path, HANGING, row, count, drop, links=10, dt=0.01)
    found = value_of(tmp_path, f"{HANGING}.chain_{row}_ratio")
    assert found.value == pytest.approx(12) and found.note == "1 against 16 iterations"


def test_the_modulus_is_that_of_the_worst_step_and_a_spring_that_comes_to_rest_counts(tmp_path: Path) -> None:
    spring(tmp_path, 0.1, 0.5, [1.0, 0.5, 0.0, -0.25, -0.25, 0, 0, 0, 0])  # e'e'' − e² : 1/4, 1/8, 1/16, 1/16, 0
    spring(tmp_path, 0.2, 0.5, [0.9**k * np.cos(k) for k in range(8)])
    assert value_of(tmp_path, "isolated_spring.modulus_max").value == pytest.approx(1.0)


def test_a_link_that_still_moves_at_the_end_is_not_measured(tmp_path: Path) -> None:
    hanging(tmp_path, HANGING, "compliant", 4, 0.02, links=1, speed=0.1)
    assert "not at rest" in value_of(tmp_path, HANGING + ".compliant_hanging_error").note


def test_a_chain_may_creep_by_a_small_share_of_its_extension(tmp_path: Path) -> None:
    for count, drop in ((1, 0.1), (8, 0.01), (4, 0.05)):
        hanging(tmp_path, "chain_iterations", "rigid", count, drop, speed=1e-6)
    found = value_of(tmp_path, "chain_iterations.rigid_limit")
    assert found.value == pytest.approx(0.1) and found.note == "8 iterations against 1"

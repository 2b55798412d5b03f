# SPDX-License-Identifier: BSD-3-Clause
"""A made-up body that breaks beside its twin: one changed number of one element, one wrong velocity,
one rise of energy."""

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve
from measured import number, value_of, write_trace
from small_bodies import REST, SCENE, TETS, body

from deformbench_analysis.corotational import State, step_matrix

NAME = "mueller_gross_2004/split_invariants"
DT = 0.01
APART = np.array([[0, 1, 2, 3], [5, 4, 2, 3]])  # vertex 1 has split: the second element took vertex 5


def kept() -> np.ndarray:
    """What a step would keep of both elements: √(cμV) ∇N of corners 1 to 3, √(cμV)(3λ/μ+2), λ/μ."""
    young, poisson = SCENE["young_modulus_pa"], SCENE["poisson_ratio"]
    mu, ratio = young / (2 * (1 + poisson)), 2 * poisson / (1 - 2 * poisson)
    gradients = np.linalg.inv(np.swapaxes(REST[TETS][:, 1:] - REST[TETS][:, :1], 1, 2)).reshape(2, 9)
    root = DT * np.sqrt(mu * body().volume)[:, None]
    return np.hstack([root * gradients, root * (3 * ratio + 2), np.full((2, 1), ratio)])


def write_body(
    folder: Path,
    name: str,
    seed: int,
    series: dict[str, dict[str, np.ndarray]],
    arrays: dict[str, np.ndarray] | None = None,
) -> None:
    """A body that may split, "vertex_split", or its twin that may not, "whole"."""
    write_trace(
        folder,
        f"{NAME} warped_fem {name}",
        scene=SCENE,
        swept={"seed": seed},
        parameters={"fracture": "vertex_split" if name == "vertex_split" else "none"},
        arrays={"rest_positions": REST, "tetrahedra": TETS, **(arrays or {})},
        series=series,
    )


def write(
    folder: Path,
    seed: int = 1,
    *,
    stored: tuple[int, int, int, float] | None = None,
    velocity: tuple[int, float] | None = None,
    energy: tuple[int, float] | None = None,
) -> None:
    """Rows 0 to 5, split in row 2. `stored`: (row, element, number, amount); `velocity`: (row, amount);
    `energy`: (row, amount)."""
    density, rows = SCENE["density_kg_m3"], 6
    padded = np.vstack([REST, REST[1]])
    x, v = [padded.copy()], [np.cross([0, 0, 3.0], padded)]
    connected = [TETS if k < 2 else APART for k in range(rows)]
    for k in range(rows - 1):
        n = 5 if k < 2 else 6
        state = State(x[-1][:n], v[-1][:n], connected[k])
        a = step_matrix(body(), state, density, DT).tocsc()
        right = body().masses(density, n, connected[k])[:, None] * state.velocities + DT * body().forces(
            state.positions, connected=connected[k]
        )
        new = padded * 0
        new[:n] = spsolve(a, right.ravel()).reshape(n, 3)
        if n == 5:
            new[5] = new[1]
        v.append(new)
        x.append(x[-1] + DT * new)
    positions, velocities = np.array(x), np.array(v)
    if velocity:
        velocities[velocity[0], 5, 1] += velocity[1]
    numbers = np.array([kept()] * rows)
    if stored:
        numbers[stored[0], stored[1], stored[2]] += stored[3]
    masses = body().masses(density, 5)
    kinetic = np.full(rows, 8.0)
    if energy:
        kinetic[energy[0]] += energy[1]
    momentum = np.tile(np.sqrt(2 * masses.sum() * 4.0) * np.array([0.6, 0, 0.8]), (rows, 1))  # of 4 J
    for name in ("vertex_split", "whole"):
        own = {
            "kinetic_energy": kinetic if name == "vertex_split" else np.full(rows, 8.0),
            "elastic_energy": np.ones(rows),
            "linear_momentum": momentum,
            "split_count": np.array([0, 0, 1, 1, 1, 1.0]) if name == "vertex_split" else np.zeros(rows),
        }
        frames = {
            "positions": positions,
            "velocities": velocities,
            "element_stored_stiffness": numbers,
            "tetrahedra": np.array(connected),
        }
        write_body(folder, name, seed, {"step": own, "frame": frames}, {"masses": masses})


def test_stiffness_stays_and_steps_after_a_split_leave_rounding(tmp_path: Path) -> None:
    write(tmp_path)
    assert number(tmp_path, "split_invariants.stored_stiffness_change") == 0
    assert number(tmp_path, "split_invariants.stored_stiffness_error") < 1e-13
    assert number(tmp_path, "split_invariants.step_residual") < 1e-13
    assert number(tmp_path, "split_invariants.energy_rise_over_twin") == 0


@pytest.mark.parametrize("place", [(5, 0, 3, 1e-3), (3, 1, 10, 1e-3)])
def test_one_number_of_one_element_in_one_row_is_the_change(tmp_path: Path, place: tuple[int, int, int, float]) -> None:
    write(tmp_path)
    write(tmp_path, 2, stored=place)
    assert number(tmp_path, "split_invariants.stored_stiffness_change") == pytest.approx(1e-3)


def test_a_wrong_number_after_the_splits_is_a_wrong_stiffness(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path, 2, stored=(5, 1, 10, 1.0))  # λ/μ, which stands before b bᵀ
    b = kept()[1, :9].reshape(3, 3)
    b = np.vstack([-b.sum(axis=0), b]).ravel()
    largest = np.abs(DT**2 * body().stiffness[1]).max()
    assert number(tmp_path, "split_invariants.stored_stiffness_error") == pytest.approx(
        np.abs(np.outer(b, b)).max() / largest
    )


def test_one_velocity_after_the_split_that_does_not_solve_the_equation_is_its_residual(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path, 2, velocity=(4, 1e-2))
    assert number(tmp_path, "split_invariants.step_residual") > 1e-4


def test_a_rise_of_energy_in_one_row_counts_without_the_motion_of_the_centre(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path, 2, energy=(4, 0.5))
    assert number(tmp_path, "split_invariants.energy_rise_over_twin") == pytest.approx(0.5 / 5)


def test_a_rise_before_the_split_is_not_the_splits(tmp_path: Path) -> None:
    write(tmp_path, energy=(1, 0.5))
    assert number(tmp_path, "split_invariants.energy_rise_over_twin") == 0


def write_row(
    folder: Path,
    seed: int,
    channels: dict[str, tuple[np.ndarray, np.ndarray]],
    arrays: dict[str, tuple[np.ndarray, np.ndarray]] | None = None,
    splits: float = 1.0,
) -> None:
    """Three rows, split in row 1; of every channel and frame's array (whole, broken) in that row.
    Other rows are far off."""

    def series(of: dict[str, tuple[np.ndarray, np.ndarray]], which: int) -> dict[str, np.ndarray]:
        return {
            k: np.array([np.full_like(v[which], 77.0 + which), v[which], np.full_like(v[which], 55.0 - which)])
            for k, v in of.items()
        }

    for which, name in enumerate(("whole", "vertex_split")):
        n = 5 + which
        mesh = {
            "positions": np.zeros((3, n, 3)),
            "tetrahedra": np.array([TETS, APART if which else TETS, APART if which else TETS]),
            "parents": np.array([[0, 1, 2, 3, 4, 1][:n]] * 3),
        }
        count = np.array([0, splits, splits + 5]) if which else np.zeros(3)
        step = {"split_count": count, **series(channels, which)}
        write_body(folder, name, seed, {"step": step, "frame": {**mesh, **series(arrays or {}, which)}})


@pytest.mark.parametrize("channel", ["kinetic_energy", "elastic_energy"])
def test_a_change_is_that_of_the_row_of_the_split_beside_its_twin(tmp_path: Path, channel: str) -> None:
    before, change = np.array(10.0), np.array(-0.5)
    write_row(tmp_path, 2, {channel: (before, before + change)})
    found = value_of(tmp_path, f"split_invariants.{channel}_change")
    assert found.value == pytest.approx(0.5 / 10) and "seed=2" in found.note


def test_the_splits_of_the_first_steps_with_one_are_counted_over_all_runs(tmp_path: Path) -> None:
    write_row(tmp_path, 1, {}, splits=2.0)
    assert number(tmp_path, "split_invariants.splits") == 2
    write_row(tmp_path, 2, {}, splits=0.0)  # its first split is a row later
    assert number(tmp_path, "split_invariants.splits") == 2 + 5


def test_one_component_of_one_elements_stress_is_the_difference(tmp_path: Path) -> None:
    stress = np.ones((2, 6))
    wrong = stress.copy()
    wrong[1, 4] += 4e-3
    write_row(tmp_path, 1, {}, {"element_stresses": (stress, wrong)})
    assert number(tmp_path, "split_invariants.stress_difference") == pytest.approx(4e-3)


def test_forces_on_the_parts_of_a_vertex_add_up_to_that_on_the_whole_one(tmp_path: Path) -> None:
    whole = np.array([[0.0, 0, 1], [3, 0, 4], [0, 2, 0], [1, 0, 0], [0, 0, 0]])  # the largest: 5 N
    parts = np.vstack([whole, [2.0, 0, 1]])
    parts[1] -= [2.0, 0.2, 1]
    write_row(tmp_path, 1, {}, {"elastic_forces": (whole, parts)})
    assert number(tmp_path, "split_invariants.merged_force_difference") == pytest.approx(0.2 / 5)

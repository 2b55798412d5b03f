# SPDX-License-Identifier: BSD-3-Clause
"""Stability of rest against eigenvalues, on cloths whose steps are made up from the map or against it."""

from pathlib import Path

import numpy as np
import pytest
from measured import value_of, write_trace

from deformbench_analysis import linearised_sweep as ls, position_constraints as pc
from deformbench_analysis.measurement import Value
from experiments.mueller_et_al_2007.measurements import rest_stability as m
from experiments.mueller_et_al_2007.measurements.cloth_stability import start_energy
from deformbench_analysis.trace import Trace

EXPERIMENT = "mueller_et_al_2007/rest_stability"
N = 6
REST = np.array([[i / (N - 1), 0.0, -j / (N - 1)] for j in range(N) for i in range(N)])
TRIANGLES = np.array(
    [
        t
        for j in range(N - 1)
        for i in range(N - 1)
        for a in (j * N + i,)
        for t in (
            ((a, a + 1, a + N + 1), (a, a + N + 1, a + N))
            if (i + j) % 2 == 0
            else ((a, a + 1, a + N), (a + 1, a + N + 1, a + N))
        )
    ]
)


def measured(folder: Path, name: str) -> Value:
    return value_of(folder, "rest_stability." + name)


def cloth(
    folder: Path,
    name: str = "forward",
    *,
    stiffness: float = 1.0,
    iterations: int = 1,
    factor: float | None = None,
    displacements: np.ndarray | None = None,
    status: str = "completed",
    steps: int = 60,
    left_at: int | None = None,
    kinetic: np.ndarray | None = None,
) -> Path:
    """A cloth that takes `steps` steps of the map, whose velocities are `factor` times off in the last frame; or
    these displacements. `left_at`: frame from which on it is far from rest; `kinetic`: its kinetic energies."""
    parameters = {"order": name, "stretch_stiffness": 1.0, "bend_stiffness": stiffness, "iterations": iterations}
    arrays = {
        "rest_positions": REST,
        "triangles": TRIANGLES,
        "masses": np.ones(N * N),
        "prescribed_vertices": np.array([0, N - 1]),
    }
    coordinates = {"method.parameters.bend_stiffness": stiffness, "method.parameters.iterations": iterations}
    probe = Trace(
        write_trace(
            folder / "probe",
            f"{EXPERIMENT} pbd {name}",
            parameters=parameters,
            scene={"time_step_s": 0.01},
            arrays=arrays,
            step={"max_displacement": np.ones(2)},
        )
    )
    flat = ls.FlatCloth.of(probe)
    share = ls._per_iteration(stiffness, iterations, name == "symmetric")
    step = np.linalg.matrix_power(ls.sweep(flat.bends(), flat.w, share, name == "symmetric"), iterations)
    now = 1e-9 * np.random.default_rng(1).standard_normal(N * N) * (flat.w > 0)
    before, rows, speeds = now.copy(), [now], [np.zeros(N * N)]
    for _ in range(steps):
        now, before = step @ (2 * now - before), now
        rows.append(now)
        speeds.append((now - before) / 0.01)
    positions, velocities = np.repeat(REST[None], steps + 1, axis=0), np.zeros((steps + 1, N * N, 3))
    positions += np.array(rows)[:, :, None] * flat.normal
    velocities += np.array(speeds)[:, :, None] * flat.normal
    if factor is not None:
        velocities[-1] *= factor
        positions[-1] = REST + factor * (positions[-1] - REST)
    if left_at is not None:
        positions[left_at:, 5] += 100.0
    largest = np.abs(np.array(rows)).max(axis=1) if displacements is None else displacements
    return write_trace(
        folder / "runs",
        f"{EXPERIMENT} pbd {name}",
        parameters=parameters,
        scene={"time_step_s": 0.01},
        coordinates=coordinates,
        arrays=arrays,
        status=status,
        step={"max_displacement": largest, "kinetic_energy": np.zeros(len(largest)) if kinetic is None else kinetic},
        frame={"positions": positions, "velocities": velocities},
    )


def test_gradients_of_the_flat_cloth_are_those_of_angles_and_lengths(tmp_path: Path) -> None:
    flat = ls.FlatCloth.of(Trace(cloth(tmp_path)))
    for indices, gradient in flat.bends():
        expected = pc.gradients(pc.BEND, REST[indices][None])[0] @ flat.normal
        assert (
            np.abs(np.abs(gradient) - np.abs(expected)).max() < 1e-6 * np.abs(expected).max()
        )  # differences of 5e-4 over heights of 0.1
        assert abs(gradient.sum()) < 1e-12
    assert len(flat.bends()) == 3 * (N - 1) ** 2 + 2 * (N - 1) - 4 * (N - 1)
    assert len(flat.stretches()) == 3 * (N - 1) ** 2 + 2 * (N - 1)


def test_a_projection_of_the_linear_map_meets_its_constraint_and_one_there_and_back_has_no_growing_mode(
    tmp_path: Path,
) -> None:
    flat = ls.FlatCloth.of(Trace(cloth(tmp_path)))
    indices, gradient = flat.bends()[3]
    one = ls.sweep([(indices, gradient)], flat.w, 1.0, False)
    moved = one @ np.random.default_rng(2).standard_normal(N * N)
    assert abs(gradient @ moved[indices]) < 1e-12
    for share in (0.1, 0.9):
        mu = np.linalg.eigvals(ls.sweep(flat.bends(), flat.w, share, True))
        assert np.abs(mu.imag).max() < 1e-7 and mu.real.min() > -1e-9 and mu.real.max() < 1 + 1e-9


def test_growth_of_a_run_is_that_of_its_eigenvalue_and_a_run_that_is_off_in_one_cell_is_found(tmp_path: Path) -> None:
    cloth(tmp_path, stiffness=1.0)
    assert measured(tmp_path / "runs", "forward_unstable").value == 1
    assert (measured(tmp_path / "runs", "forward_growth_factor").value or 0) > 1.001
    assert measured(tmp_path / "runs", "growth_error").value == pytest.approx(0, abs=1e-9)
    cloth(tmp_path, stiffness=0.9, factor=1.5)  # 1.5 over 60 steps
    value = measured(tmp_path / "runs", "growth_error")
    assert value.value == pytest.approx(1.5 ** (1 / 60) - 1, rel=0.05) and "bend_stiffness=0.9" in value.note


def test_the_growth_factor_is_that_of_the_worst_cell(tmp_path: Path) -> None:
    paths = {stiffness: cloth(tmp_path, stiffness=stiffness) for stiffness in (0.3, 1.0, 0.9)}
    factors = {stiffness: m.growth(Trace(path)).largest for stiffness, path in paths.items()}
    worst = sorted(factors, key=lambda k: factors[k])[-1]
    assert len({round(f, 6) for f in factors.values()}) > 1
    value = measured(tmp_path / "runs", "forward_growth_factor")
    assert value.value == pytest.approx(factors[worst]) and f"bend_stiffness={worst:g}" in value.note
    above = sum(f > 1 + m.MARGIN for f in factors.values())
    assert above > 1 and value.note.endswith(f"above 1 in {above} of 3")


def test_growth_in_the_plane_counts_where_it_is_the_larger() -> None:
    assert m.Growth(1.2, 1.2, 1.5).largest == 1.5 and m.Growth(1.3, 1.3, 1.0).largest == 1.3
    assert m.Growth(1.0, np.nan, 1.5).is_unstable and not m.Growth(1.0, np.nan, 1.0).is_unstable
    assert np.isnan(m.Growth(1.0, np.nan, np.nan).largest)


def test_the_growth_of_a_run_is_that_while_it_was_close_to_rest(tmp_path: Path) -> None:
    cloth(tmp_path, stiffness=1.0, left_at=40)
    assert measured(tmp_path / "runs", "growth_error").value == pytest.approx(0, abs=1e-9)
    cloth(tmp_path / "at once", stiffness=1.0, left_at=1)
    assert "two frames within" in measured(tmp_path / "at once" / "runs", "growth_error").note


@pytest.mark.parametrize("name", ["forward", "symmetric"])
def test_kinetic_energy_is_the_largest_of_any_row_of_any_cell_over_what_its_start_can_turn_into(
    tmp_path: Path, name: str
) -> None:
    for iterations, top in ((1, 2.0), (2, 7.0), (5, 3.0)):
        path = cloth(
            tmp_path, name, iterations=iterations, displacements=np.ones(4), kinetic=np.array([0, top, 1, 0]), steps=3
        )
    value = measured(tmp_path / "runs", f"{name}_energy_ratio")
    assert value.value == pytest.approx(7 / start_energy(Trace(path))) and "iterations=2" in value.note
    cloth(tmp_path, name, iterations=10, displacements=np.ones(4), steps=3, status="diverged")
    assert measured(tmp_path / "runs", f"{name}_energy_ratio").value == np.inf


def test_a_run_that_is_not_finite_at_its_end_deviates_without_end(tmp_path: Path) -> None:
    rows = np.ones(300)
    rows[270] = np.nan
    cloth(tmp_path, "random", displacements=rows)
    assert measured(tmp_path / "runs", "random_final_deviation").value == np.inf


def test_the_departure_is_the_largest_of_any_row_of_any_cell(tmp_path: Path) -> None:
    for iterations, top in ((1, 2e-9), (2, 7e-9), (5, 3e-9)):
        cloth(tmp_path, iterations=iterations, displacements=np.array([1e-9, top, 1e-9, 1e-10]))
    value = measured(tmp_path / "runs", "largest_departure")
    assert value.value == pytest.approx(7e-9, rel=1e-6, abs=0) and "iterations=2" in value.note


def test_the_final_deviation_is_the_largest_of_the_last_rows_of_the_worst_cell(tmp_path: Path) -> None:
    quiet, late, early = np.full(300, 0.5), np.full(300, 0.5), np.full(300, 0.5)
    quiet[0] = late[0] = early[0] = 1
    late[250], early[100] = 7, 100
    for iterations, rows in ((1, quiet), (2, late), (5, early)):
        cloth(tmp_path, "random", iterations=iterations, displacements=rows)
    value = measured(tmp_path / "runs", "random_final_deviation")
    assert value.value == pytest.approx(7) and "iterations=2" in value.note
    cloth(tmp_path, "random", iterations=10, displacements=quiet[:20], status="diverged")
    assert measured(tmp_path / "runs", "random_final_deviation").value == np.inf

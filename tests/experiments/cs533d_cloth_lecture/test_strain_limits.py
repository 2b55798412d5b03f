# SPDX-License-Identifier: BSD-3-Clause
"""Two triangles of springs: strains and energies put in, of which one run, member or step is worse."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_springs import stiffness_matrix
from measured import add_frames, number, value_of, write_trace

from experiments.cs533d_cloth_lecture.measurements.spring_nets import edges_of, lengths, spring_forces, stable_step
from experiments.cs533d_cloth_lecture.measurements.strain_limit_stability import gain_over
from deformbench_analysis.trace import Trace

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, -1], [1, 0, -1]])
TRIANGLES = np.array([[0, 1, 2], [1, 3, 2]])
MASSES = np.array([0.1, 0.2, 0.2, 0.1])
ARRAYS = {"rest_positions": REST, "triangles": TRIANGLES, "masses": MASSES, "prescribed_vertices": np.array([0, 1])}
EDGES = edges_of(TRIANGLES)
PAPER = "cs533d_cloth_lecture"


def limit_of(stiffness: float = 2.0) -> float:
    """2/ω_max by the dense matrix of the two free vertices."""
    matrix = stiffness_matrix(REST, EDGES, stiffness)
    free = slice(6, 12)
    scale = np.repeat(1 / np.sqrt(MASSES[2:]), 3)
    return float(2 / np.sqrt(np.linalg.eigvalsh(matrix[free, free] * np.outer(scale, scale)).max()))


def write(
    folder: Path, experiment: str, name: str, ratio: float, sweeps: int, series: dict[str, Any], **more: Any
) -> None:
    stiffness = more.pop("stiffness", 2.0)
    scene = {
        "time_step_s": ratio * limit_of(stiffness),
        "vertices_across": 4,
        "gravity_m_s2": [0, -10.0, 0],
        "side_m": 1.0,
    }
    write_trace(
        folder,
        f"{PAPER}/{experiment} force_cloth {name}",
        parameters={"strain_limit": 0.1, "stretch_stiffness_n_per_m": stiffness},
        scene={**scene, "jerk_m": 0.5, "jerk_start_s": 0.0, "jerk_duration_s": 1.0},
        coordinates={
            "scene.parameters.time_step_s": ratio * limit_of(stiffness),
            "method.parameters.strain_limit_sweeps": sweeps,
            "k": stiffness,
        },
        arrays=ARRAYS,
        series=series,
        **more,
    )


def test_the_longest_step_and_the_forces_are_those_of_the_matrix(tmp_path: Path) -> None:
    write(tmp_path, "strain_limit", "positions", 0.1, 1, {"step": {"edge_strain_max": np.zeros(2)}})
    trace = Trace(next((tmp_path / PAPER / "strain_limit").glob("*.h5")))
    assert stable_step(trace) == pytest.approx(limit_of())
    rest = lengths(REST, EDGES)
    moved = REST + np.random.default_rng(1).normal(scale=0.1, size=REST.shape)
    forces = spring_forces(moved, EDGES, rest, 3.0)
    for i in np.ndindex(moved.shape):
        energies = []
        for sign in (1, -1):
            x = moved.copy()
            x[i] += sign * 1e-6
            energies.append(1.5 * ((lengths(x, EDGES) - rest) ** 2).sum())
        assert forces[i] == pytest.approx(-(energies[0] - energies[1]) / 2e-6, abs=1e-6)


def strained(folder: Path, name: str, ratio: float, sweeps: int, worst: float, **more: Any) -> None:
    write(
        folder, "strain_limit", name, ratio, sweeps, {"step": {"edge_strain_max": np.array([0, worst, 0.01])}}, **more
    )


SHORT = 0.07 / (4 * np.sqrt(10)) / limit_of()  # Δt/Δt_c where Δt N √(g/L) is 0.07


def test_the_strain_is_that_of_the_worst_step(tmp_path: Path) -> None:
    strained(tmp_path, "positions", SHORT, 4, 0.11)  # 4 of N² = 16 are enough
    strained(tmp_path, "positions", 0.9, 4, 0.21)
    strained(tmp_path, "positions", SHORT, 1, 0.51)
    strained(tmp_path, "stiffnesses", SHORT, 4, 0.105, stiffness=2.01)
    strained(tmp_path, "velocities", SHORT, 4, 0.22)
    strained(tmp_path, "unlimited", 0.1, 10, 5.0)
    assert number(tmp_path, "strain_limit.excess") == pytest.approx(5.1)
    assert number(tmp_path, "strain_limit.excess_in_regime") == pytest.approx(1.1)
    assert number(tmp_path, "strain_limit.excess_by_velocities_in_regime") == pytest.approx(2.2)
    assert number(tmp_path, "strain_limit.excess_of_long_steps") == pytest.approx(2.1)
    assert number(tmp_path, "strain_limit.excess_of_one_sweep") == pytest.approx(5.1)
    assert number(tmp_path, "strain_limit.unlimited_strain") == pytest.approx(5.0)
    assert number(tmp_path, "strain_limit.cells_in_regime") == 2


def test_equal_steps_and_equal_ratios_are_told_apart(tmp_path: Path) -> None:
    strained(tmp_path, "positions", 0.8, 4, 0.4)
    strained(tmp_path, "positions", 0.8, 2, 7.0)  # other sweeps
    strained(tmp_path, "stiffnesses", 0.2, 4, 0.24)
    strained(tmp_path, "stiffnesses", 0.8, 4, 0.2, stiffness=32.0)  # the step of 0.2 of the soft ones
    assert number(tmp_path, "strain_limit.spread_at_equal_steps") == pytest.approx(1.2)
    assert number(tmp_path, "strain_limit.spread_at_equal_ratios") == pytest.approx(2.0)
    strained(tmp_path, "stiffnesses", 0.2, 4, 0.1, stiffness=32.0)
    assert number(tmp_path, "strain_limit.spread_at_equal_ratios") == pytest.approx(2.4)


def test_gains_are_over_plain_springs_of_the_same_cloth(tmp_path: Path) -> None:
    def run(name: str, n: int, strain: float, stiffness: float = 2.0, sweeps: int = 0) -> None:
        write_trace(
            tmp_path,
            f"{PAPER}/strain_limit_gain force_cloth {name}",
            parameters={"strain_limit": 0.1, "strain_limit_sweeps": sweeps, "stretch_stiffness_n_per_m": stiffness},
            scene={"time_step_s": 0.9 * limit_of()},
            coordinates={"scene.parameters.vertices_across": n, "k": stiffness, "sweeps": sweeps},
            arrays=ARRAYS,
            step={"edge_strain_max": np.array([0, strain, 0.01])},
        )

    for n, scale in ((4, 1.0), (8, 0.5)):
        for stiffness, strain in ((2.0, 4.0), (32.0, 1.0), (512.0, 0.25)):
            run("plain", n, scale * strain, stiffness)
        for name in ("positions", "velocities"):
            enough = {"positions": n * n // 4, "velocities": -(-3 * n * n // 40)}[name]  # N²/4, or 0.075 N² rounded up
            run(name, n, 1.0 if (name, n) == ("velocities", 8) else 0.5, sweeps=enough)
            run(name, n, 1.5, sweeps=enough - 1)
    # √16 and once more: 4 at a quarter of the softest strain; 2 at a half.
    assert number(tmp_path, "strain_limit_gain.gain_in_regime") == pytest.approx(2.0)
    assert number(tmp_path, "strain_limit_gain.gain") < 2.0
    assert number(tmp_path, "strain_limit_gain.worst_strain_in_regime") == pytest.approx(1.0)


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_limit_that_gives_energy_in_one_step(tmp_path: Path, step: int) -> None:
    dt = 0.1 * limit_of()
    positions = np.tile(REST, (4, 1, 1))
    velocities = np.zeros((4, 4, 3))
    for n in range(3):
        velocities[n + 1, 2:] = velocities[n, 2:] + dt * np.array([0, -10, 0])  # no spring is strained
        velocities[n + 1, 2:] *= 0.5
        if n == step:
            velocities[n + 1, 3, 1] -= 100.0
    write(tmp_path, "strain_rates", "positions", 0.1, 1, {"step": {"positions": positions, "velocities": velocities}})
    assert number(tmp_path, "strain_rates.energy_gain") > 0.4
    velocities = np.zeros((4, 4, 3))
    for n in range(3):
        velocities[n + 1, 2:] = 0.5 * (velocities[n, 2:] + dt * np.array([0, -10, 0]))
    series = {"step": {"positions": positions, "velocities": velocities}}
    write(tmp_path, "strain_rates", "positions", 0.1, 1, series, finished="2027-01-01T00:00:00Z")
    assert number(tmp_path, "strain_rates.energy_gain") < 0
    assert number(tmp_path, "strain_rates.energy_taken") == pytest.approx(0.75)


def jerked(folder: Path, name: str, ratio: float, sweeps: int, strain: float, extra: float = 0.0, stiffness: float = 2.0,
           status: str = "completed", expect: str = "completed", elastic: float = 0.0) -> None:  # fmt: skip
    """Two members; corners rise by 0.5 m in 1 s and carry the weight alone: their work is M g times their way."""
    rows, dt = 11, 0.1
    way = np.linspace(0, 0.5, rows)
    mass = MASSES.sum()
    energy = 10 * mass * way
    height = np.stack([energy, energy])
    height[1, 7] += extra * (mass * 10 + 5 * mass)
    zero = np.zeros((2, rows))
    strains = np.full((2, rows), 0.01)
    strains[1, 4] = strain
    own = stiffness / 2 * ((lengths(1.1 * REST, EDGES) - lengths(REST, EDGES)) ** 2).sum()
    stored = np.full((2, rows), own)
    stored[1, 0] += elastic * own
    write(
        folder,
        "strain_limit_stability",
        name,
        ratio,
        sweeps,
        {
            "step": {
                "kinetic_energy": zero,
                "gravitational_energy": height,
                "elastic_energy": stored,
                "linear_momentum": np.zeros((2, rows, 3)),
                "edge_strain_max": strains,
            },
            "frame": {"positions": np.tile(1.1 * REST, (2, 1, 1, 1))},
        },
        stiffness=stiffness,
        status=status,
        expect={"status": expect},
        dt=dt,
        seeds=2,
    )


def plain(folder: Path) -> None:
    for stiffness, strain in ((2.0, 4.0), (32.0, 1.0), (512.0, 0.25)):
        jerked(folder, "plain", 0.5, 10, strain, stiffness=stiffness)


def test_energy_is_counted_without_the_work_of_the_corners(tmp_path: Path) -> None:
    plain(tmp_path)
    for name in ("positions", "velocities"):
        for sweeps in (10, 30, 100):
            jerked(tmp_path, name, 0.9, sweeps, 1.0)
    assert number(tmp_path, "strain_limit_stability.energy_excess") == pytest.approx(0.0, abs=1e-9)
    assert number(tmp_path, "strain_limit_stability.gain") == pytest.approx(4.0)
    assert number(tmp_path, "strain_limit_stability.members") == 2
    assert number(tmp_path, "strain_limit_stability.elastic_energy_error") == pytest.approx(0.0, abs=1e-12)
    jerked(tmp_path, "positions", 0.3, 30, 1.0, extra=0.25, elastic=-0.5)
    assert number(tmp_path, "strain_limit_stability.energy_excess_in_regime") >= 0.25
    assert number(tmp_path, "strain_limit_stability.elastic_energy_error") == pytest.approx(0.5)


@pytest.mark.parametrize(("name", "sweeps"), [("positions", 100), ("velocities", 30), ("velocities", 100)])
def test_the_gain_is_that_of_the_worst_member_of_the_worst_run(tmp_path: Path, name: str, sweeps: int) -> None:
    plain(tmp_path)
    for form in ("positions", "velocities"):
        for count in (10, 30, 100):
            strain = (
                2.0
                if (form, count) == (name, sweeps)
                else 3.5
                if count == 10 or (form, count) == ("positions", 30)
                else 0.5
            )
            jerked(tmp_path, form, 0.9, count, strain)
    assert number(tmp_path, "strain_limit_stability.gain_in_regime") == pytest.approx(2.0)
    assert number(tmp_path, "strain_limit_stability.gain") < 1.5
    assert number(tmp_path, "strain_limit_stability.gain_of_positions") < 1.5
    assert number(tmp_path, "strain_limit_stability.worst_strain_in_regime") == pytest.approx(3.5)


def test_the_gain_is_log_linear_between_two_stiffnesses(tmp_path: Path) -> None:
    jerked(tmp_path, "positions", 0.9, 100, 2.0)
    (path,) = tmp_path.rglob("*.h5")
    # √(4 · 1) is halfway in the logarithm, and √(1 · ½) its step.
    plain_ones = np.array([4.0, 1.0]), np.array([1.0, 0.5])
    assert gain_over(plain_ones, Trace(path)) == pytest.approx(0.9 * limit_of() * np.sqrt(2))


def test_long_steps_count_apart_and_divergence_is_infinite(tmp_path: Path) -> None:
    plain(tmp_path)
    jerked(tmp_path, "positions", 0.9, 30, 1.0)
    jerked(tmp_path, "positions", 3.0, 30, 1.0, extra=0.5)
    jerked(tmp_path, "positions", 1.1, 30, 1.0, extra=0.75)  # out of the regime, too
    jerked(tmp_path, "velocities", 10.0, 30, 1.0, status="diverged", expect="completed_or_diverged")
    jerked(tmp_path, "plain_too_stiff", 0.9, 10, 1.0, stiffness=128.0, status="diverged", expect="diverged")
    assert number(tmp_path, "strain_limit_stability.energy_excess") == np.inf
    assert number(tmp_path, "strain_limit_stability.energy_excess_in_regime") == pytest.approx(0.0, abs=1e-9)
    assert number(tmp_path, "strain_limit_stability.energy_excess_of_long_steps") == pytest.approx(0.5, abs=0.01)
    assert number(tmp_path, "strain_limit_stability.stiff_plain_diverge") == 1
    jerked(tmp_path, "velocities", 0.3, 30, 1.0, status="diverged")
    assert "diverged" in value_of(tmp_path, "strain_limit_stability.energy_excess_in_regime").note


@pytest.mark.parametrize("worst", [("positions", 10), ("positions", 100), ("velocities", 10), ("velocities", 30)])
def test_below_the_longest_step_every_form_and_sweep_count_counts(tmp_path: Path, worst: tuple[str, int]) -> None:
    for form in ("positions", "velocities"):
        for sweeps in (10, 30, 100):
            jerked(tmp_path, form, 0.9, sweeps, 1.0, extra=0.25 if (form, sweeps) == worst else 0.125)
        jerked(tmp_path, form, 1.1, 10, 1.0, extra=0.5)
        jerked(tmp_path, form, 10.0, 30, 1.0, status="diverged", expect="completed_or_diverged")
    jerked(tmp_path, "plain", 0.5, 10, 1.0, extra=0.75)
    assert number(tmp_path, "strain_limit_stability.energy_excess_below") == pytest.approx(0.25)


def beside_detection(
    folder: Path, detection: str, form: str, strain: float, moved: float = 0.0, contacts: int = 0
) -> None:
    x = np.tile(REST, (3, 1, 1))
    x[1, 2, 1] += moved
    path = write_trace(
        folder,
        f"{PAPER}/limits_beside_detection force_cloth limited",
        parameters={"strain_limit": 0.1, "scheme": "symplectic"},
        scene={"side_m": 2.0},
        swept={"method.parameters.collision_detection": detection, "method.parameters.strain_limit_form": form},
        step={"edge_strain_max": np.array([0.0, strain, 0.05])},
        frame={"positions": x},
    )
    counts = [[0, 0], [0, contacts], [0, 0]]
    add_frames(path, [[(k, 0.01 * k, {"collision_counts": np.array(row)}) for k, row in enumerate(counts)]])


def test_what_detection_does_to_limits_is_found_in_one_form_and_step(tmp_path: Path) -> None:
    for form, strain, moved in (("positions", 0.11, 0.0), ("positions_and_velocities", 0.105, 0.3)):
        beside_detection(tmp_path, "none", form, strain)
        beside_detection(tmp_path, "both", form, strain + moved / 4, moved)
    assert number(tmp_path, "limits_beside_detection.excess_without") == pytest.approx(1.1)
    assert number(tmp_path, "limits_beside_detection.excess_with") == pytest.approx(1.8)
    assert number(tmp_path, "limits_beside_detection.contacts") == 0
    beside_detection(tmp_path / "met", "both", "positions", 0.1, contacts=3)
    assert number(tmp_path / "met", "limits_beside_detection.contacts") == 3

# SPDX-License-Identifier: BSD-3-Clause
"""Compliant projections of a cloth: the minimum of the step is found anew, and one cell is worse than the others."""

from pathlib import Path

import numpy as np
import pytest
from iteration_rows import rows
from measured import number, value_of, write_trace

from deformbench_analysis.compliant_cloth import CompliantCloth
from deformbench_analysis.trace import Trace

EXPERIMENT = "cross/cloth_convergence"
N, DT = 4, 0.03


def cloth() -> tuple[np.ndarray, np.ndarray]:
    """Rest positions and triangles of a square of N × N vertices, 0.1 m apart."""
    rest = np.array([[0.1 * i, 0.0, -0.1 * j] for j in range(N) for i in range(N)])
    triangles = []
    for j in range(N - 1):
        for i in range(N - 1):
            a = N * j + i
            triangles += [[a, a + 1, a + N + 1], [a, a + N + 1, a + N]]
    return rest, np.array(triangles, dtype=np.int32)


def start() -> np.ndarray:
    """The cloth, shaken, with its two held corners at rest."""
    rest, _ = cloth()
    noise = np.random.default_rng(5).normal(size=rest.shape) * 0.005
    noise[[0, N - 1]] = 0.0
    return rest + noise


def cell(
    folder: Path,
    order: str,
    compliance: float,
    objective: list[float],
    end: np.ndarray,
    name: str = "xpbd",
    **more: np.ndarray,
) -> Path:
    rest, triangles = cloth()
    return write_trace(
        folder,
        f"{EXPERIMENT} xpbd {name}",
        parameters={"bend_compliance_rad2_per_j": 5.0},
        swept={"method.parameters.order": order, "method.parameters.stretch_compliance_m_per_n": compliance},
        scene={"time_step_s": DT, "gravity_m_s2": [0, -9.81, 0]},
        arrays={
            "rest_positions": rest,
            "triangles": triangles,
            "masses": np.full(len(rest), 0.002),
            "prescribed_vertices": np.array([0, N - 1]),
        },
        iteration=rows(objective, **more),
        frame={"positions": np.array([start(), end])},
    )


def problem(folder: Path, compliance: float) -> CompliantCloth:
    return CompliantCloth(Trace(cell(folder.with_name(folder.name + "_problem"), "x", compliance, [1.0, 0.0], start())))


def levels(folder: Path, compliance: float) -> tuple[float, float]:
    """E0 and E*, J."""
    found = problem(folder, compliance)
    predicted = np.where(found.free[:, None], found.target, found.start)
    return found.objective(predicted), found.objective(found.minimise())


@pytest.mark.parametrize("compliance", (1e-5, 1e-3))
def test_the_minimum_is_a_minimum_with_the_gradient_of_the_objective(tmp_path: Path, compliance: float) -> None:
    found = problem(tmp_path, compliance)
    rng = np.random.default_rng(7)
    p = start() + 0.01 * rng.normal(size=(N * N, 3)) * found.free[:, None]
    direction = rng.normal(size=p.shape) * found.free[:, None]
    slope = (found.objective(p + 1e-6 * direction) - found.objective(p - 1e-6 * direction)) / 2e-6
    assert (found.gradient(p) * direction).sum() == pytest.approx(slope, rel=1e-6)
    best = found.minimise()
    assert np.linalg.norm(found.gradient(best)) < 1e-10 * np.linalg.norm(found.gradient(p))
    assert np.array_equal(best[~found.free], found.start[~found.free])
    for _ in range(20):
        assert found.objective(best + 1e-4 * rng.normal(size=p.shape) * found.free[:, None]) > found.objective(best)


@pytest.mark.parametrize("worst", (1e-4, 1e-3))
def test_the_error_is_against_the_minimum_and_of_the_worst_compliance(tmp_path: Path, worst: float) -> None:
    for compliance in (1e-4, 1e-3):
        first, least = levels(tmp_path, compliance)
        factors = [1, 0.1, 0.01, 0.005, 0.0005] if compliance == worst else [1, 0.1, 0.0009, 0.0004, 0.0002]
        cell(tmp_path, "forward", compliance, [least + f * (first - least) for f in factors], start())
    assert number(tmp_path, "cloth_convergence.forward_iterations") == 4
    assert number(tmp_path, "cloth_convergence.forward_left") == pytest.approx(0.0005, rel=1e-6)


def test_a_cell_that_stays_above_the_level_has_no_number_of_iterations(tmp_path: Path) -> None:
    first, least = levels(tmp_path, 1e-3)
    cell(tmp_path, "jacobi", 1e-3, [first, least + 0.5 * (first - least)], start())
    assert "does not come to 0.001" in value_of(tmp_path, "cloth_convergence.jacobi_iterations").note


@pytest.mark.parametrize("at_half, is_level", ((2.01e-4, True), (2.1e-4, False)))
def test_where_projections_end_is_known_only_where_they_have_ended(
    tmp_path: Path, at_half: float, is_level: bool
) -> None:
    first, least = levels(tmp_path, 1e-3)
    factors = [1, 0.1, at_half, 2.005e-4, 2e-4]
    objective = [least + f * (first - least) for f in factors]
    cell(tmp_path, "forward", 1e-3, objective, start(), name="xpbd_to_the_end")
    cell(tmp_path, "forward", 1e-4, [1.0, 0.9], start())
    if is_level:
        assert number(tmp_path, "cloth_convergence.end_left") == pytest.approx(2e-4, rel=1e-6)
    else:
        assert "still falls" in value_of(tmp_path, "cloth_convergence.end_left").note


def test_what_was_recorded_is_compared_with_the_positions_at_the_end(tmp_path: Path) -> None:
    for compliance, factor in ((1e-4, 1.0), (1e-3, 1.02)):
        found = problem(tmp_path, compliance)
        end = start() + 0.003 * found.free[:, None]
        slope = float(np.linalg.norm(found.gradient(end)))
        gradient_norm = np.array([10 * slope, slope])
        cell(tmp_path, "forward", compliance, [1.0, factor * found.objective(end)], end, gradient_norm=gradient_norm)
    assert number(tmp_path, "cloth_convergence.objective_difference") == pytest.approx(0.02)

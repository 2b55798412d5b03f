# SPDX-License-Identifier: BSD-3-Clause
"""A column of two tetrahedra on a plane: one method at one time step bears more than the weight."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from scipy.optimize import least_squares

from deformbench_analysis.corotational import Body

REST = np.array([[0.0, 0, 0], [1, 0, 0], [0.2, 0, 1], [0.4, 1, 0.3], [1.2, 1.1, 0.9]])
TETS = np.array([[0, 2, 1, 3], [2, 4, 1, 3]])
YOUNG, POISSON, DENSITY, GRAVITY = 1e7, 0.3, 1000.0, 9.81
FREE = np.array([3, 4])
ROWS = {"linear_fem": (1e-5, 1e-2), "warped_fem": (1e-5, 1e-2), "explicit_fem": (1e-2,)}


def resting(load: float) -> np.ndarray:
    """Positions at which vertices 3 and 4 bear `load` times their weight; the others are on the plane."""
    body = Body.made(REST, TETS, YOUNG, POISSON)
    weights = GRAVITY * body.masses(DENSITY, len(REST))

    def residual(moved: np.ndarray) -> np.ndarray:
        x = REST.copy()
        x[FREE] += moved.reshape(-1, 3)
        net = body.forces(x)[FREE]
        net[:, 1] -= load * weights[FREE]
        return net.ravel() / weights.sum()

    x = REST.copy()
    x[FREE] += least_squares(residual, np.zeros(6), xtol=1e-15, ftol=1e-15, gtol=1e-15, x_scale=1e-6).x.reshape(-1, 3)
    return x


POSES = {load: resting(load) for load in (1.0, 0.5, 3.0)}
SHARE = float(
    Body.made(REST, TETS, YOUNG, POISSON).masses(DENSITY, len(REST))[FREE].sum()
    / Body.made(REST, TETS, YOUNG, POISSON).masses(DENSITY, len(REST)).sum()
)


def run(
    folder: Path,
    method: str,
    dt: float,
    load: float,
    speed: float = 0.0,
    damping: float = 0.0,
    experiment: str = "rest_on_plane",
) -> None:
    velocities = np.zeros((2, 5, 3))
    velocities[1, 4, 2] = speed
    write_trace(
        folder,
        f"cs6967_assignment_2/{experiment} {method}",
        swept={"time_step_s": dt},
        scene={
            "young_modulus_pa": YOUNG,
            "poisson_ratio": POISSON,
            "density_kg_m3": DENSITY,
            "side_m": 1.0,
            "cells_across": 1,
        },
        parameters={"mass_damping_1_s": damping},
        arrays={"rest_positions": REST, "tetrahedra": TETS},
        frame={"positions": np.array([POSES[3.0], POSES[load]]), "velocities": velocities},
    )


def all_runs(folder: Path, worst: tuple[str, float] | None = None, load: float = 0.5, **more: float) -> None:
    for method, steps in ROWS.items():
        for dt in steps:
            if (method, dt) == worst:
                run(folder, method, dt, load, **more)
            else:
                run(folder, method, dt, 1.0)


def error(load: float) -> float:
    """Relative error of the support when the free vertices load it with `load` times their weight.

    The touching vertices add their own weight."""
    return abs(SHARE * (load - 1))


CELLS = [(m, dt) for m, steps in ROWS.items() for dt in steps]


@pytest.mark.parametrize("worst", CELLS)
def test_the_support_is_that_of_the_worst_run_at_its_end(tmp_path: Path, worst: tuple[str, float]) -> None:
    all_runs(tmp_path, worst)
    in_regime = worst[0] == "explicit_fem" or worst[1] == 1e-5
    expected = error(0.5) if in_regime else 0.0
    assert number(tmp_path, "rest_on_plane.support_error_in_regime") == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert number(tmp_path, "rest_on_plane.methods_in_regime") == 3


@pytest.mark.parametrize("worst", [c for c in CELLS if c[0] == "explicit_fem" or c[1] == 1e-5])
def test_one_vertex_that_still_moves_is_seen(tmp_path: Path, worst: tuple[str, float]) -> None:
    all_runs(tmp_path, worst, load=1.0, speed=-0.25)
    assert number(tmp_path, "rest_on_plane.speed") == pytest.approx(0.25)


@pytest.mark.parametrize("odd", ["linear_fem", "warped_fem"])
def test_the_excess_is_over_the_step_number_and_undoes_damping(tmp_path: Path, odd: str) -> None:
    """Δt²E/(ρh²) is 1 with 0.01 s; of the usual method γΔt is 1, and 1/2 of the odd one;
    with explicit steps it does not count."""
    for method in ("linear_fem", "warped_fem"):
        run(tmp_path, method, 1e-2, 3.0, damping=50.0 if method == odd else 100.0)
    run(tmp_path, "explicit_fem", 1e-2, 0.5, damping=900.0)
    assert number(tmp_path, "rest_on_plane.excess_coefficient_least") == pytest.approx(1.5 * 2 * SHARE, rel=1e-5)
    assert value_of(tmp_path, "rest_on_plane.excess_coefficient_least").note.startswith(odd)
    assert number(tmp_path, "rest_on_plane.excess_coefficient_largest") == pytest.approx(2 * 2 * SHARE, rel=1e-5)
    assert not value_of(tmp_path, "rest_on_plane.excess_coefficient_largest").note.startswith(odd)


@pytest.mark.parametrize("worst", [1e-2, 3e-5])
def test_a_contact_within_the_solve_carries_the_weight_at_every_step(tmp_path: Path, worst: float) -> None:
    for dt in (1e-2, 3e-5):
        run(tmp_path, "implicit_fem", dt, 0.5 if dt == worst else 1.0, experiment="rest_within_solve")
    assert number(tmp_path, "rest_within_solve.support_error") == pytest.approx(error(0.5), rel=1e-6)

# SPDX-License-Identifier: BSD-3-Clause
"""A sheet pulled over a cylinder: slips on both sides of the bound, of which one turn is worse than the others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from stacked import write

EXPERIMENT = "cs533d_cloth_lecture/pulled_sheet"
SCENE = {
    "radius_m": 0.1,
    "edges_in_radius": 10.0,
    "edges_along": 40,
    "edges_across": 1,
    "area_density_kg_m2": 0.2,
    "tension_n_per_m": 1.0,
    "pull_over_normal": 0.1,
    "settle_s": 0.02,
}
FRAMES = 15
DAMPING = 5.0
BODY = np.array([[0.0, -9.0, 0.0], [1.0, -9.0, 0.0], [0.0, -9.0, 1.0]])


def belt(s: np.ndarray) -> np.ndarray:
    """Two rows of points this far along the belt."""
    radius, quarter = SCENE["radius_m"], 0.5 * np.pi * SCENE["radius_m"]
    on = np.column_stack([radius * np.sin(s / radius), radius * np.cos(s / radius)])
    off = np.column_stack([np.sign(s) * radius, quarter - np.abs(s)])
    plane = np.where((np.abs(s) <= quarter)[:, None], on, off)
    return np.concatenate([np.column_stack([plane, np.full(len(s), z)]) for z in (0.0, 0.01)])


def free(time: np.ndarray, ratio: float, damping: float = DAMPING) -> np.ndarray:
    """Slip of a belt without teeth, by many small steps."""
    mass = 0.2 * 40 * 0.01 * ratio
    steps = 20000
    h = time.max() / steps
    v = x = 0.0
    way = [0.0]
    for _ in range(steps):
        v += h * (0.1 * np.pi / mass - damping * v)
        x += h * v
        way.append(x)
    return np.interp(time, np.linspace(0, time.max(), steps + 1), way)


def pulled(
    folder: Path,
    thickness: float,
    shares: list[float],
    ratio: float = 1.0,
    name: str = "cloth",
    crossed: bool = False,
    experiment: str = EXPERIMENT,
    sweeps: int = 5,
    zones: int | list[int] = 1,
    damping: float = DAMPING,
) -> None:
    """`zones`: recorded steps with vertices in impact zones, of every turn or per turn."""
    time = 0.01 * np.arange(FRAMES)
    way = free(np.maximum(time - SCENE["settle_s"], 0.0), ratio, damping)
    s = 0.01 * ratio * (np.arange(41) - 20.0)
    x = np.array([[np.concatenate([BODY, belt(s + share * w)]) for w in way] for share in shares])
    x[:, : round(SCENE["settle_s"] / 0.01), 3:, 1] -= 1e-3  # what happens before is not counted
    triangles = np.array([[0, 1, 2], [3, 4, 44]])
    if crossed:
        x[-1, -1, :3] = x[-1, -1, 3] + [[-0.1, 0.0, 0.0], [0.1, 0.001, 0.05], [0.1, 0.001, -0.05]]
    write(
        folder,
        experiment,
        name,
        positions=x,
        counts={6: 7},
        counted=zones,
        parameters={
            "collision_sweeps": sweeps,
            "repulsion_thickness_errors": thickness,
            "mass_damping_1_s": damping,
            "collision_detection": "both",
        },
        scene={**SCENE, "edge_ratio": ratio},
        triangles=triangles,
        members=len(shares),
    )


def test_slips_are_those_put_in(tmp_path: Path) -> None:
    pulled(tmp_path, 2, [0.9, 0.6, 0.8])
    pulled(tmp_path, 2, [0.9, 0.95, 0.7], ratio=1.618)
    pulled(tmp_path, 0, [0.1, 0.2, 0.0])
    pulled(tmp_path, 0, [0.1, 0.65, 0.0], ratio=1.618)
    pulled(tmp_path, 0, [1.01], name="smooth")
    assert number(tmp_path, "pulled_sheet.slip_with_all") == pytest.approx(0.6, abs=2e-3)
    assert number(tmp_path, "pulled_sheet.slip_without_repulsions") == pytest.approx(0.65, abs=2e-3)
    assert number(tmp_path, "pulled_sheet.paired_gain") == pytest.approx(0.3, abs=2e-3)
    assert number(tmp_path, "pulled_sheet.smooth_error") == pytest.approx(0.01, abs=2e-3)
    assert number(tmp_path, "pulled_sheet.turns") == 3
    edges = free(np.array([0.0, 0.12]), 1.618)[-1] / 0.01618
    assert number(tmp_path, "pulled_sheet.free_slip") == pytest.approx(edges, rel=1e-3)
    assert number(tmp_path, "pulled_sheet.zone_vertices_with_all") == pytest.approx(7 / (FRAMES - 1))
    assert number(tmp_path, "pulled_sheet.crossings") == 0


def test_a_sheet_without_damping_slips_as_it_falls(tmp_path: Path) -> None:
    pulled(tmp_path, 2, [0.6], damping=0.0)
    assert number(tmp_path, "pulled_sheet.slip_with_all") == pytest.approx(0.6, abs=2e-3)


def test_a_sheet_that_goes_through_the_cylinder_is_found(tmp_path: Path) -> None:
    pulled(tmp_path, 0, [0.1, 0.1], crossed=True)
    assert number(tmp_path, "pulled_sheet.crossings") == 1


SWEEPS = "cs533d_cloth_lecture/locking_sweeps"


def swept(
    folder: Path, thickness: float, sweeps: int, shares: list[float], zones: int | list[int], crossed: bool = False
) -> None:
    pulled(folder, thickness, shares, experiment=SWEEPS, sweeps=sweeps, zones=zones, crossed=crossed)


def test_slips_are_told_apart_by_whether_sweeps_leave_contacts_to_zones(tmp_path: Path) -> None:
    swept(tmp_path, 2, 5, [0.9, 0.8], FRAMES)
    swept(tmp_path, 2, 100, [0.7, 0.95], 0)
    swept(tmp_path, 0, 5, [0.1, 0.3], FRAMES // 2 + 1)
    swept(tmp_path, 0, 20, [0.6, 0.05], 3)  # neither
    swept(tmp_path, 0, 100, [0.85, 1.0], 0)
    assert number(tmp_path, "locking_sweeps.slip_with_all") == pytest.approx(0.7, abs=2e-3)
    assert number(tmp_path, "locking_sweeps.slip_without_repulsions") == pytest.approx(1.0, abs=2e-3)
    assert number(tmp_path, "locking_sweeps.slip_of_unfinished_impulses") == pytest.approx(0.3, abs=2e-3)
    assert number(tmp_path, "locking_sweeps.slip_of_finished_impulses") == pytest.approx(0.85, abs=2e-3)
    edges = free(np.array([0.0, 0.12]), 1.0)[-1] / 0.01
    assert number(tmp_path, "locking_sweeps.free_slip") == pytest.approx(edges, rel=1e-3)
    assert number(tmp_path, "locking_sweeps.crossings") == 0


def test_turns_of_one_run_are_told_apart(tmp_path: Path) -> None:
    swept(tmp_path, 0, 5, [0.2, 0.9, 0.5], [FRAMES // 2 + 1, 0, 3])
    assert number(tmp_path, "locking_sweeps.slip_of_unfinished_impulses") == pytest.approx(0.2, abs=2e-3)
    assert number(tmp_path, "locking_sweeps.slip_of_finished_impulses") == pytest.approx(0.9, abs=2e-3)


def test_without_runs_of_a_kind_nothing_is_said_of_it(tmp_path: Path) -> None:
    swept(tmp_path, 2, 5, [0.9, 0.8], 0, crossed=True)
    swept(tmp_path, 0, 5, [0.9, 0.8], 0)
    assert value_of(tmp_path, "locking_sweeps.slip_of_unfinished_impulses").is_missing
    assert number(tmp_path, "locking_sweeps.slip_of_finished_impulses") == pytest.approx(0.8, abs=2e-3)
    assert number(tmp_path, "locking_sweeps.crossings") == 1

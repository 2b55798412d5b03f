# SPDX-License-Identifier: BSD-3-Clause
"""Made-up projections: one point of one member of one shape went elsewhere."""

from pathlib import Path

import numpy as np
import pytest
from measured import number
from surfel_traces import directions, projected, write_frames

from experiments.pauly_et_al_2005.measurements import surface_projection as m
from deformbench_analysis.surfels import Sheet

Frame = dict[str, np.ndarray]


def frame(sheets: list[Sheet], starts: list[np.ndarray], ends: list[np.ndarray]) -> Frame:
    own = [np.full(len(s), k) for k, s in enumerate(starts)]
    return {
        "surfel_rest_positions": np.vstack([s.positions for s in sheets]),
        "surfel_rest_normals": np.vstack([s.normals for s in sheets]),
        "surfel_sheets": np.concatenate([np.full(len(s.positions), k) for k, s in enumerate(sheets)]),
        "surfel_projections": np.column_stack([np.concatenate(own), np.vstack(starts), np.vstack(ends)]),
    }


def sphere(radius: float, bad: np.ndarray | None = None) -> Frame:
    """Starts 1.5 r outside; `bad` is added to the fourth end."""
    places = directions(int(14 / radius**2))
    sheet = Sheet(places, places, radius)
    start = (1 + 1.5 * radius) * directions(37)
    end = projected(sheet, start)
    if bad is not None:
        end[3] += bad
    return frame([sheet], [start], [end])


def torus(radius: float, off: float) -> Frame:
    """Ends `off` from the surface, which stands for the sheet's own; surfels do not matter."""
    turns = np.linspace(0, 6, 11)
    ring = np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
    end = ring * (1.5 + off)
    sheet = Sheet(ring * 1.5, ring, radius)
    return frame([sheet], [ring * (1.5 + 2 * radius)], [end])


def parallel(off: float = 0.0, nearer: bool = True) -> Frame:
    """Two planes 0.03 apart with r = 0.1."""
    x, y = np.meshgrid(np.arange(-5, 6) * 0.08, np.arange(-5, 6) * 0.08)
    flat = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    up = np.tile([0.0, 0, 1], (len(flat), 1))
    sheets = [Sheet(flat, up, 0.1), Sheet(flat + [0, 0, 0.03], up, 0.1)]
    start = flat[40:60] + [0, 0, 0.1 if nearer else -0.1]
    end = flat[40:60].copy()
    end[2, 2] += off
    return frame(sheets, [start, flat[40:60] + [0, 0, 0.2]], [end, flat[40:60] + [0, 0, 0.03]])


def write(folder: Path, name: str, members: list[Frame], radius: float) -> None:
    scene = {"shape": "torus" if name == "torus" else "sphere" if name == "sphere" else "box", "size_m": 1.0}
    parameters = {"surfel_radius_m": radius}
    write_frames(folder, m.M.experiment, [[f] for f in members], name=name, scene=scene, parameters=parameters)


def everything(folder: Path, bad: np.ndarray | None = None, off: float = 0.0, nearer: bool = True) -> None:
    write(folder, "sphere", [sphere(0.2), sphere(0.2)], 0.2)
    write(folder, "sphere", [sphere(0.1), sphere(0.1, bad)], 0.1)
    for r in (0.1, 0.05):
        write(folder, "torus", [torus(r, 0.8 * r**1.5)], r)
    write(folder, "cracks", [parallel(), parallel(off, nearer)], 0.1)


def test_a_sphere_of_surfels_lies_half_of_r2_inside(tmp_path: Path) -> None:
    write(tmp_path, "sphere", [sphere(0.2), sphere(0.2)], 0.2)
    write(tmp_path, "sphere", [sphere(0.1)], 0.1)
    assert number(tmp_path, "surface_projection.distance") == pytest.approx(0.5, abs=0.05)
    assert number(tmp_path, "surface_projection.residual") < 1e-10


def test_one_end_off_its_sheet_is_found(tmp_path: Path) -> None:
    bad = 0.03 * directions(37)[3]
    everything(tmp_path, bad)
    assert number(tmp_path, "surface_projection.distance") == pytest.approx((0.03 - 0.005) / 0.01, abs=0.1)
    assert number(tmp_path, "surface_projection.residual") == pytest.approx(0.3, abs=0.01)


def test_an_end_on_the_other_sheet_is_off_its_own_plane(tmp_path: Path) -> None:
    everything(tmp_path, off=0.03)
    assert number(tmp_path, "surface_projection.off_own_plane") == pytest.approx(0.3)


def test_how_many_points_were_nearer_to_another_sheet(tmp_path: Path) -> None:
    everything(tmp_path)
    assert number(tmp_path, "surface_projection.nearer_to_another") == pytest.approx(0.5)
    everything(tmp_path / "none", nearer=False)
    assert number(tmp_path / "none", "surface_projection.nearer_to_another") == 0


def test_undefined_ends_are_counted_and_no_distance(tmp_path: Path) -> None:
    broken = sphere(0.1)
    broken["surfel_projections"][3, 4:] = np.nan
    write(tmp_path, "sphere", [sphere(0.1), broken], 0.1)
    assert number(tmp_path, "surface_projection.distance") == pytest.approx(0.5, abs=0.05)

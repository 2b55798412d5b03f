# SPDX-License-Identifier: BSD-3-Clause
"""Made-up openings of a round crack: an ellipsoid of known radius and steepness is found again."""

from pathlib import Path

import numpy as np
import pytest
from surfel_traces import write_frames

from experiments.pauly_et_al_2005.measurements import crack_opening as m
from deformbench_analysis.vocabulary import MissingData, Results, Trace

Frame = dict[str, np.ndarray]
ACROSS, RATIO, RADIUS, STRAIN, POISSON = 10, 2.0, 0.2, 1e-3, 0.25  # the support is 0.2 m, and the crack as large
STEEPNESS = 8 * (1 - POISSON**2) * STRAIN / np.pi


def frame(steepness: float = 1.0, radius: float = 1.0, shift: float = 0.0, sign: float = 1.0) -> Frame:
    """Faces at y = 0 that part by an ellipsoid, all moved by shift; two surfels of the block's own top."""
    rng = np.random.default_rng(1)
    r, angle = RADIUS * np.sqrt(rng.uniform(0, 1, 400)), rng.uniform(0, 2 * np.pi, 400)
    points = np.stack([0.5 + r * np.cos(angle), 0 * r, r * np.sin(angle)], axis=1)
    half = 0.5 * sign * steepness * STEEPNESS * np.sqrt(np.maximum((radius * RADIUS) ** 2 - r**2, 0.0))
    up = np.array([0.0, 1.0, 0.0])
    rest = np.concatenate([points, points, [[0.5, 0.5, 0.0], [0.4, -0.5, 0.0]]])
    normals = np.concatenate([np.tile(-up, (400, 1)), np.tile(up, (400, 1)), [up, -up]])
    moved = np.concatenate([half, -half, [9.0, -9.0]])[:, None] * up + shift * up
    return {"surfel_rest_positions": rest, "surfel_positions": rest + moved, "surfel_rest_normals": normals}


def write(folder: Path, name: str, members: list[Frame], across: int = ACROSS) -> None:
    scene = {
        "length_m": 1.0,
        "side_m": 1.0,
        "nodes_across": across,
        "support_ratio": RATIO,
        "disc_radius": RADIUS / (RATIO / across),
        "initial_stretch": 1 + STRAIN,
        "poisson_ratio": POISSON,
    }
    write_frames(folder, m.M.experiment, [[f, f] for f in members], name=name, scene=scene)


def finest(folder: Path, weights: str) -> Trace:
    return m.finest(Results(folder, "paper", {}).experiment(m.M.experiment), weights)


def test_the_ellipsoid_is_found_again_whatever_the_block_moves(tmp_path: Path) -> None:
    write(tmp_path, "transparency", [frame(), frame(shift=0.01)])
    trace = finest(tmp_path, "transparency")
    assert m.relative_steepness(trace) == pytest.approx([1.0, 1.0], rel=1e-6)
    assert m.excess_supports(trace) == pytest.approx([0.0, 0.0], abs=1e-6)


def test_a_lost_rim_and_a_stiff_solid_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path, "visibility", [frame(), frame(steepness=0.5)])
    assert m.relative_steepness(finest(tmp_path, "visibility")) == pytest.approx([1.0, 0.5], rel=1e-6)
    write(tmp_path, "transparency", [frame(radius=0.9)])
    assert m.excess_supports(finest(tmp_path, "transparency")) == pytest.approx([-0.1])


def test_only_the_finest_cloud_counts(tmp_path: Path) -> None:
    write(tmp_path, "transparency", [frame(steepness=0.3)], across=6)
    write(tmp_path, "transparency", [frame()], across=ACROSS)
    assert m.relative_steepness(finest(tmp_path, "transparency")) == pytest.approx([1.0], rel=1e-6)


def test_a_crack_that_closes_has_no_ellipsoid(tmp_path: Path) -> None:
    write(tmp_path, "transparency", [frame(sign=-1.0)])
    with pytest.raises(MissingData, match="does not open"):
        m.relative_steepness(finest(tmp_path, "transparency"))

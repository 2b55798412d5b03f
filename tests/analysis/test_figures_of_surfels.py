# SPDX-License-Identifier: BSD-3-Clause
"""The figures of surfels, from a made-up block with a crack whose shares are known."""

from pathlib import Path

import numpy as np
import pytest
from made_up_traces import add_frames, write_trace
from figure_traces import drawn

EXPERIMENT = "pauly_et_al_2005/surfel_detail"
NODES = np.array([[x, y, z] for x in (0.25, 0.75) for y in (-0.3, 0.3) for z in (-0.2, 0.2)])
CRACK = np.array([[[0, 0, -1], [0.5, 0, 1], [0.5, 0, -1]], [[0, 0, -1], [0, 0, 1], [0.5, 0, 1]]], dtype=float)


def block(across: float) -> dict[str, np.ndarray]:
    """Skin: the top and the front of a block; crack: two faces at y = 0. Of every surfel,
    nodes across the crack have the share `across`."""
    k = np.linspace(0, 1, 6)
    top = np.array([[a, 0.5, b - 0.5] for a in k for b in k])
    front = np.array([[0.0, a - 0.5, b - 0.5] for a in k for b in k])
    face = np.array([[0.5 * a, 0.0, b - 0.5] for a in k for b in k])
    places = np.vstack([top, front, face, face])
    normals = np.repeat([[0, 1.0, 0], [-1, 0, 0], [0, -1, 0], [0, 1, 0]], len(top), axis=0)
    first = np.cross(normals, [0, 0, 1.0])
    axes = 0.25 * np.stack([first, np.tile([0, 0, 1.0], (len(places), 1))], axis=1)
    pairs, weights = [], []
    for surfel, (place, normal) in enumerate(zip(places, normals)):
        for node, x in enumerate(NODES):
            beyond = abs(place[1]) < 0.01 and (x - place) @ normal > 0 and abs(normal[1]) > 0
            pairs.append((surfel, node))
            weights.append(across / 4 if beyond else (1 - across) / 4)
    return {
        "node_supports": np.full(len(NODES), 0.8),
        "crack_fronts": np.array([[[0.5, 0, -1], [0.5, 0, 1]]]),
        "crack_triangles": CRACK,
        "surfel_counts": np.array([2, 4, 0, 0, 0, 0, 0]),
        "surfel_sheets": np.repeat([0, 1, 2, 3], len(top)),
        "surfel_rest_positions": places,
        "surfel_rest_normals": normals,
        "surfel_positions": places + 0.01 * np.sign(places[:, 1:2] - 1e-9 * normals[:, 1:2]) * [0, 1, 0],
        "surfel_normals": normals,
        "surfel_axes": axes,
        "surfel_pairs": np.array(pairs),
        "surfel_pair_weights": np.array(weights),
    }


def write(folder: Path, name: str, across: float) -> None:
    frame = {"positions": np.array([NODES, NODES * [1, 1.1, 1]])}
    parameters = {"surfel_radius_m": 0.25}
    arrays = {"rest_positions": NODES}
    path = write_trace(folder, f"{EXPERIMENT} meshless {name}", parameters=parameters, arrays=arrays, frame=frame)
    add_frames(path, [[(1, 0.01, block(across))]])


def test_shares_across_the_crack_are_those_put_in(tmp_path: Path) -> None:
    write(tmp_path, "transparency", 0.3)
    write(tmp_path, "visibility", 0.0)
    entry, rows = drawn(tmp_path, "fig_04_surfel_weights", tmp_path / "out")
    assert [r["weights"] for r in rows] == ["transparency"] * 2 + ["visibility"] * 2
    assert [float(r["share of nodes across the crack"]) for r in rows] == pytest.approx(
        [0.3, 0.3, 0.0, 0.0], rel=1e-6, abs=0
    )
    assert [int(r["nodes that carry it"]) for r in rows] == [8, 8, 4, 4]
    assert [float(r["depth behind the front [h]"]) for r in rows[:2]] == pytest.approx([0.125, 0.625])


def test_clipped_surfels_are_counted(tmp_path: Path) -> None:
    write(tmp_path, "transparency", 0.3)
    entry, rows = drawn(tmp_path, "fig_09_clipped_surfels", tmp_path / "out")
    assert int(rows[0]["surfels of the skin"]) == 72 and int(rows[0]["surfels of crack faces"]) == 72
    assert 20 < int(rows[0]["surfels that a plane clips"]) < 120
    assert entry is not None and "block of 8 nodes" in entry.caption

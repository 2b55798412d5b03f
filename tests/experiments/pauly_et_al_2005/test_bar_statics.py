# SPDX-License-Identifier: BSD-3-Clause
"""Made-up bars at rest: one mesh moves its fixed face otherwise than the others."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from node_traces import write_nodes

NAME = "pauly_et_al_2005/bar_statics"
MESHES = (2, 3, 4)


def run(folder: Path, across: int, *, face: float = 0.5, held: float = 0.0, samples: int = 30) -> None:
    """Node 2, off the face, moves by the elongation; the worst of the samples on the face has `face` of it."""
    rest = np.array([[0.0, 0, 0], [0, 1, 0], [1, 0, 0]])
    tip = 0.01
    x = rest + np.array([[0, held, 0], [0, 0, 0], [1, 0, 0]]) * tip
    points = np.zeros((2 * samples, 3))
    points[samples:, 0] = 0.5  # inside: not looked at
    parts = np.concatenate([np.full(samples, 0.1 * face), np.full(samples, 9.0)])
    parts[7] = face
    pairs = np.stack([np.arange(2 * samples), np.full(2 * samples, 2)], axis=1)
    arrays = {"node_rest_positions": rest, "shape_positions": points, "shape_pairs": pairs, "shape_values": parts}
    step = {"tip_displacement": np.array([[9.0, 0, 0], [tip, 0, 0]])}
    about = {"arrays": {"rest_positions": rest, "prescribed_vertices": np.array([0, 1])}}
    write_nodes(
        folder, NAME, [[(rest, arrays), (x, arrays)]], scene={"cells_across": across}, series={"step": step}, **about
    )
    fem = {"frame": {"positions": np.array([rest, x])}, "step": step}
    write_trace(folder, f"{NAME} warped_fem", scene={"cells_across": across}, series=fem, **about)


@pytest.mark.parametrize("worst", MESHES)
def test_the_worst_mesh_decides(tmp_path: Path, worst: int) -> None:
    for across in MESHES:
        run(tmp_path, across, **({"face": 0.25, "held": 0.125} if across == worst else {}))
    assert number(tmp_path, "bar_statics.face_motion") == pytest.approx(0.25)
    assert number(tmp_path, "bar_statics.fem_face_motion") == pytest.approx(0.125)


def test_few_samples_on_the_face_are_no_number(tmp_path: Path) -> None:
    run(tmp_path, 2, samples=12)
    assert "12 samples" in value_of(tmp_path, "bar_statics.face_motion").note

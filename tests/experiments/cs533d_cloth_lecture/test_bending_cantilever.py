# SPDX-License-Identifier: BSD-3-Clause
"""A hanging strip whose bending stiffness is put in: one weight has another, at one place."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, write_trace

NAME = "cs533d_cloth_lecture/bending_cantilever"
COUNT, SPACING, WIDTH, STIFFNESS, MASS = 40, 0.02, 0.04, 0.03, 1e-4


def hung(folder: Path, gravity: float, ratio: float = 8 / 9, at: int = 12, factor: float = 1.0) -> float:
    """Two borders of the same shape, found by going from the clamp to the tip until curvatures belong to the
    moments; how deep the tip is, over the length."""
    turns = np.zeros(COUNT)
    for _ in range(200):
        angle = np.concatenate([[0], np.cumsum(turns[1:])])
        along = np.concatenate([[0], np.cumsum(SPACING * np.cos(angle))])
        down = np.concatenate([[0], np.cumsum(SPACING * np.sin(angle))])
        for k in range(1, COUNT):
            moment = 2 * MASS * gravity * (along[k + 1 :] - along[k]).sum()
            stiffness = ratio * STIFFNESS * WIDTH * (factor if k == at else 1.0)
            turns[k] = 0.5 * turns[k] + 0.5 * moment / stiffness * SPACING
    place = SPACING * np.arange(COUNT + 1)
    rest = np.array([[s, y, 0.0] for y in (-WIDTH / 2, WIDTH / 2) for s in place])
    x = np.array([[a, y, -d] for y in (-WIDTH / 2, WIDTH / 2) for a, d in zip(along, down)])
    arrays = {"rest_positions": rest, "masses": np.full(len(rest), MASS)}
    frame = {"positions": np.array([rest, x])}
    parameters = {"bend_stiffness_j": STIFFNESS}
    swept = {"gravity_m_s2": gravity}
    write_trace(folder, f"{NAME} force_cloth hinges", parameters=parameters, swept=swept, arrays=arrays, frame=frame)
    return float(down[-1] / (SPACING * COUNT))


def test_the_stiffness_that_was_put_in_is_found(tmp_path: Path) -> None:
    depth = hung(tmp_path, 2.0)
    assert number(tmp_path, "bending_cantilever.free_error") < 1e-6
    assert number(tmp_path, "bending_cantilever.straight_error") == pytest.approx(1 / 9, rel=1e-5)
    assert number(tmp_path, "bending_cantilever.drop") == pytest.approx(depth)


def test_one_place_is_found(tmp_path: Path) -> None:
    hung(tmp_path, 0.5, factor=1.1)
    assert number(tmp_path, "bending_cantilever.free_error") == pytest.approx(0.1, rel=1e-4)


def test_what_is_near_the_clamp_and_the_tip_does_not_count(tmp_path: Path) -> None:
    hung(tmp_path, 1.0, at=3, factor=1.5)
    assert number(tmp_path, "bending_cantilever.free_error") < 1e-6
    hung(tmp_path, 1.0, at=35, factor=1.5)
    assert number(tmp_path, "bending_cantilever.free_error") < 1e-6

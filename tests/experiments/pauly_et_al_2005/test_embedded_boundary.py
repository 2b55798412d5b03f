# SPDX-License-Identifier: BSD-3-Clause
"""Made-up bars: one point of the held end of one member moves in one frame."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of, write_trace
from surfel_traces import write_frames

from experiments.pauly_et_al_2005.measurements import embedded_boundary as m

REST = np.array([[0.0, 0, 0], [0, 1, 0], [2, 0, 0], [2, 1, 0]])


def moved(held: float, tip: float) -> np.ndarray:
    x = REST.copy()
    x[1, 2] += held
    x[3, 1] -= tip
    return x


def nodes(folder: Path, members: list[list[tuple[float, float]]]) -> None:
    write_frames(
        folder,
        m.M.experiment,
        [[{"surfel_rest_positions": REST, "surfel_positions": moved(*f)} for f in frames] for frames in members],
        name="meshless",
    )


def elements(folder: Path, members: list[list[tuple[float, float]]], shift: float = 0.0) -> None:
    positions = np.array([[moved(*f) + [0, 0, shift * k] for f in frames] for k, frames in enumerate(members)])
    frame = {"positions": positions}
    write_trace(folder, f"{m.M.experiment} explicit_fem elements", frame=frame, seeds=len(members))


def test_nodes_count_the_bar_whose_held_face_moves_least(tmp_path: Path) -> None:
    nodes(tmp_path, [[(0, 0), (0.3, 1), (0.1, 2)], [(0, 0), (0.1, 1), (0.02, 2)]])
    assert number(tmp_path, "embedded_boundary.nodes") == pytest.approx(0.1 / 2)


def test_elements_count_the_bar_whose_held_face_moves_most(tmp_path: Path) -> None:
    elements(tmp_path, [[(0, 0), (0, 1), (0, 2)], [(0, 0), (0.4, 1), (0, 2)]], shift=0.25)
    assert number(tmp_path, "embedded_boundary.elements") == pytest.approx(0.2)


def test_a_bar_that_does_not_move_says_nothing(tmp_path: Path) -> None:
    nodes(tmp_path, [[(0, 0), (0, 0)]] * 2)
    assert "nothing moves" in value_of(tmp_path, "embedded_boundary.nodes").note

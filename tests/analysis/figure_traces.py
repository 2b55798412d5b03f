# SPDX-License-Identifier: BSD-3-Clause
"""Synthetic traces for the figures' tests: cells, a bar of cubes, and a figure drawn from them with its numbers."""

import csv
from functools import cache
from pathlib import Path
from unittest import mock

import numpy as np
from made_up_traces import write_trace as cell
from scipy.spatial.transform import Rotation

from deformbench_analysis.results import Results
from paper_figures import style
from paper_figures.entry import FigureEntry, IndexEntry, draw, load_index

CUBES = {"side_m": 0.1, "cells_across": 2, "density_kg_m3": 1000.0}


@cache
def _index() -> dict[str, IndexEntry]:
    return {entry.id: entry for entry in load_index()}


def drawn(folder: Path, figure: str, out: Path) -> tuple[FigureEntry, list[dict[str, str]]]:
    """The figure without the tree's declarations, and its numbers. As SVG alone: the other formats, which
    test_figures has, cost twice as much again."""
    with mock.patch.object(style, "FORMATS", ("svg",)):
        result = draw(_index()[figure], Results(folder, "paper", {}), out, shared="")
    assert result.entry is not None, result.reason
    assert list(result.entry.files) == ["svg"] and "Machine: Test CPU" in result.entry.caption
    with result.entry.csv.open(encoding="utf-8", newline="") as file:
        return result.entry, list(csv.DictReader(file))


def bar(length: float = 0.8, side: float = 0.1, along: int = 8) -> dict[str, np.ndarray]:
    """A bar of cubes along x, each of five tetrahedra in alternating parity."""
    x = np.linspace(0, length, along + 1)
    rest = np.array([[a, b, c] for a in x for b in (0, side) for c in (0, side)])
    even, odd = ((0, 3, 5, 6), ((1, 0, 3, 5), (2, 0, 6, 3), (4, 0, 5, 6), (7, 3, 6, 5))), (
        (1, 2, 4, 7),
        ((0, 1, 4, 2), (3, 1, 2, 7), (5, 1, 7, 4), (6, 2, 4, 7)),
    )
    tets: list[list[int]] = []
    for i in range(along):
        corner = [4 * i + k for k in range(4)] + [4 * i + 4 + k for k in range(4)]
        # local corner number: bit 2 = x, bit 1 = y, bit 0 = z
        centre, corners = even if i % 2 == 0 else odd
        tets += [[corner[k] for k in tet] for tet in (centre, *corners)]
    array = np.array(tets)
    volume = np.linalg.det(rest[array[:, 1:]] - rest[array[:, :1]])
    array[volume < 0] = array[volume < 0][:, [0, 2, 1, 3]]
    masses = np.zeros(len(rest))
    np.add.at(masses, array.ravel(), np.repeat(np.abs(volume) / 6 * 1000 / 4, 4))
    return {
        "rest_positions": rest,
        "tetrahedra": array,
        "masses": masses,
        "vertex_set_tip": np.flatnonzero(rest[:, 0] == rest[:, 0].max()),
        "vertex_set_root": np.flatnonzero(rest[:, 0] == 0),
    }


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation about an axis; angle in rad."""
    return np.asarray(Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix())

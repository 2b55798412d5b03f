# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/split_plane: elements whose centre lies in the plane of a split ([MG04] §4). The paper does
not say where they go; the rule that is judged: to the side that the normal points to, its largest component being positive."""

from __future__ import annotations

import numpy as np

from ...arrays import Array
from ...measurement import measurement
from ...results import ExperimentData
from ...trace import Trace
from .broken_meshes import frames
from .split_events import choices
from .split_rule import ROUNDING, replay

EXPERIMENT = "mueller_gross_2004/split_plane"


def in_plane(tetrahedra: Array, positions: Array, vertex: int, normal: Array) -> int:
    """Elements round the vertex whose centre lies in the plane, to rounding over the size of the element."""
    star = np.flatnonzero((tetrahedra == vertex).any(axis=1))
    offsets = positions[tetrahedra[star]].mean(axis=1) - positions[vertex]
    return int((np.abs(offsets @ normal) <= ROUNDING * np.abs(offsets).max()).sum())


def centres(trace: Trace) -> int:
    """Elements that the planes of all splits of a run halve."""
    asked = {c.step: c for c in choices(trace) if c.split}
    count, before = 0, None
    for frame in frames(trace):
        if before is not None and frame.step in asked:
            choice = asked[frame.step]
            count += in_plane(before.tetrahedra, frame.field("positions"), choice.vertex, choice.normal)
        before = frame
    return count


@measurement("split_plane.centres_in_plane", unit="1", experiment=EXPERIMENT)
def centres_in_plane(data: ExperimentData) -> float:
    """Number of elements at a split vertex whose centre is in the plane of the split, smallest over the runs."""
    return float(np.min([centres(c) for c in data.some()]))


@measurement("split_plane.assignment_mismatches", unit="1", experiment=EXPERIMENT)
def assignment_mismatches(data: ExperimentData) -> float:
    """Number of elements on another side of a split than their centre (a centre in the plane counts to the side of the
    normal), all runs."""
    return float(sum(replay(c).wrong_sides for c in data.some()))


@measurement("split_plane.face_mismatches", unit="1", experiment=EXPERIMENT)
def face_mismatches(data: ExperimentData) -> float:
    """Number of splits that opened other faces of the mesh, or reported another number of them, than the analysis
    computes, all runs."""
    return float(sum(replay(c).wrong_faces for c in data.some()))

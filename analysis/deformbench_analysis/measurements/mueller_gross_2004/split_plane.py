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
    """Elements with their centre in the plane of a split of a vertex of theirs, fewest of any run."""
    return float(np.min([centres(c) for c in data.some()]))


@measurement("split_plane.assignment_mismatches", unit="1", experiment=EXPERIMENT)
def assignment_mismatches(data: ExperimentData) -> float:
    """Elements on another side of a split than their centre says, a centre in the plane counting to the side of the normal, all runs."""
    return float(sum(replay(c).wrong_sides for c in data.some()))


@measurement("split_plane.face_mismatches", unit="1", experiment=EXPERIMENT)
def face_mismatches(data: ExperimentData) -> float:
    """Splits that opened other faces in the mesh, or reported another number of them, than the replay, all runs."""
    return float(sum(replay(c).wrong_faces for c in data.some()))


@measurement("split_plane.downward_normals", unit="1", experiment=EXPERIMENT)
def downward_normals(data: ExperimentData) -> float:
    """Splits whose normal's largest component is negative, all runs: with them the side of the normal would hang on the eigensolver."""
    normals = np.array([c.normal for trace in data.some() for c in choices(trace) if c.split])
    return float((normals[np.arange(len(normals)), np.abs(normals).argmax(axis=1)] < 0).sum())

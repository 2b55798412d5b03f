# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/split_plane: elements whose centre lies in the plane of a split ([MG04] §4). The
paper does not say where they go; the rule that is judged: to the side that the normal points to, its largest
component being positive."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace
from .broken_meshes import frames
from .split_events import choices
from .split_rule import ROUNDING, WRONG_FACES, WRONG_SIDES

M = Measures("mueller_gross_2004/split_plane")


def in_plane(tetrahedra: Array, positions: Array, vertex: int, normal: Array) -> int:
    """Number of elements at the vertex with their centre in the plane, up to rounding."""
    star = np.flatnonzero((tetrahedra == vertex).any(axis=1))
    offsets = positions[tetrahedra[star]].mean(axis=1) - positions[vertex]
    return int((np.abs(offsets @ normal) <= ROUNDING * np.abs(offsets).max()).sum())


def centres(trace: Trace) -> int:
    """Number of elements at a split vertex whose centre is in the plane of the split."""
    asked = {c.step: c for c in choices(trace) if c.split}
    count, before = 0, None
    for frame in frames(trace):
        if before is not None and frame.step in asked:
            choice = asked[frame.step]
            count += in_plane(before.tetrahedra, frame.field("positions"), choice.vertex, choice.normal)
        before = frame
    return count


M.least("centres_in_plane", centres, EVERY_RUN.noted(lambda _: ""))
M.total("assignment_mismatches", WRONG_SIDES)
M.total("face_mismatches", WRONG_FACES)

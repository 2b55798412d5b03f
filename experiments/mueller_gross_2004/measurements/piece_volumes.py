# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/piece_volumes: what each piece of a cut surface encloses
([MG04] §5.2, Figure 6)."""

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Trace, extremes, quantity
from .broken_meshes import component_sizes, frames, last_frame
from .surfaces import mixed_triangles, piece_volumes

M = Measures("mueller_gross_2004/piece_volumes")


def worst_error(trace: Trace) -> float:
    """|Volume that a piece of the surface encloses at rest / rest volume of its elements − 1| in a frame."""
    found: list[float] = []
    for frame in frames(trace):
        elements, skin = piece_volumes(trace, frame)
        found.append(float(np.abs(skin / elements - 1).max()))
    return float(extremes.finite(found, trace.label).max())


@quantity("number of pieces of more than one element at the end")
def _large_pieces(trace: Trace) -> float:
    """A single element has no crack inside."""
    return float(sum(size > 1 for size in component_sizes(last_frame(trace).tetrahedra)))


@quantity("number of surface triangles whose corners move with different pieces of the mesh, in a frame")
def _mixed(trace: Trace) -> Array:
    return np.array([mixed_triangles(f) for f in frames(trace)])


M.largest("volume_error", worst_error)
M.total("large_pieces", _large_pieces)
M.largest("mixed_triangles", _mixed)


@M("unfinished")
def unfinished(data: ExperimentData) -> float:
    """Number of runs that ended before their last step or left no trace."""
    if not data.cells:
        raise MissingData(f"{M.experiment}: no runs")
    return float(len(data.failed()) + len(data.missing))

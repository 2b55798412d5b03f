# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/piece_volumes: what each piece of a cut surface encloses ([MG04] §5.2, Figure 6)."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .broken_meshes import component_sizes, frames, last_frame
from .surfaces import mixed_triangles, piece_volumes

EXPERIMENT = "mueller_gross_2004/piece_volumes"


def worst_error(trace: Trace) -> float:
    """Largest |volume of a piece of the surface / volume of its elements − 1| of any frame."""
    found: list[float] = []
    for frame in frames(trace):
        elements, skin = piece_volumes(trace, frame)
        found.append(float(np.abs(skin / elements - 1).max()))
    return float(extremes.finite(found, trace.label).max())


@measurement("piece_volumes.volume_error", unit="1", experiment=EXPERIMENT)
def volume_error(data: ExperimentData) -> Measured:
    """Largest |volume that a piece of the surface encloses at rest / rest volume of the piece's elements − 1|, every
    piece in every frame of all runs."""
    errors = {c.label: worst_error(c) for c in data.every()}
    worst = extremes.at_largest(errors)
    return Measured(errors[worst], f"{worst}; {len(errors)} runs")


@measurement("piece_volumes.large_pieces", unit="1", experiment=EXPERIMENT)
def large_pieces(data: ExperimentData) -> float:
    """Number of pieces of more than one element at the end, all runs: a single element has no crack inside."""
    return float(sum(size > 1 for c in data.every() for size in component_sizes(last_frame(c).tetrahedra)))


@measurement("piece_volumes.mixed_triangles", unit="1", experiment=EXPERIMENT)
def mixed(data: ExperimentData) -> float:
    """Largest number of surface triangles whose corners move with different pieces of the mesh, any frame of any
    run."""
    return float(np.max([mixed_triangles(f) for c in data.every() for f in frames(c)]))


@measurement("piece_volumes.unfinished", unit="1", experiment=EXPERIMENT)
def unfinished(data: ExperimentData) -> float:
    """Number of runs that ended before their last step or left no trace."""
    if not data.cells:
        raise MissingData(f"{EXPERIMENT}: no runs")
    return float(len(data.failed()) + len(data.missing))

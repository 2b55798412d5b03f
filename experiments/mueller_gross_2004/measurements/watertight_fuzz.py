# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/watertight_fuzz: surfaces in blocks that are torn ([MG04] §5.2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.measurement import Measured
from deformbench_analysis.mesh import edge_matrices
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from deformbench_analysis.vocabulary import EVERY_RUN, Measures, quantity
from .broken_meshes import frames, last_frame
from .split_events import split_total
from .surfaces import (
    area_vector,
    face_crossings,
    mixed_triangles,
    open_edges,
    piece_volumes,
    triangles_of,
    uncut_triangles,
    unmatched_edges,
    volumes_inside,
)
from .surfaces import least_barycentric as least_barycentric_of

M = Measures("mueller_gross_2004/watertight_fuzz")


def _worst(data: ExperimentData, of: Callable[[Trace], float]) -> Measured:
    values = {c.label: float(of(c)) for c in EVERY_RUN.runs(data)}
    worst = extremes.at_largest(values)
    return Measured(values[worst], f"{worst}; {len(values)} runs")


@M("open_edges")
def all_open_edges(data: ExperimentData) -> Measured:
    """Largest number of edges of the surface without a matching opposite edge, counted by the analysis in every frame
    and by the harness in every step, all runs."""
    return _worst(data, open_edges)


@M("area_vector")
def all_area_vector(data: ExperimentData) -> Measured:
    """Largest |Σ A n| over Σ A of the deformed surface, counted in every frame here and in every step by the harness, all runs."""

    def of(trace: Trace) -> float:
        counted = [area_vector(f.field("skin_positions"), triangles_of(trace, f)) for f in frames(trace)]
        return float(np.max([*counted, trace.values("step", "skin_area_vector").max()]))

    return _worst(data, of)


def volume_error_of(trace: Trace) -> float:
    """Largest |sum of the pieces' rest volumes / volume of the first surface − 1| of any step,
    as the harness measures it."""
    return float(np.abs(trace.values("step", "skin_volume_error")).max())


@M("volume_error")
def all_volume_error(data: ExperimentData) -> Measured:
    """Largest |sum of the pieces' rest volumes over the volume of the first surface − 1|, every step, all runs."""
    return _worst(data, volume_error_of)


crack_triangles = M.total(
    "crack_triangles",
    quantity("triangles more than at the start, at the end")(
        lambda c: len(triangles_of(c, last_frame(c))) - len(c.scene("skin_triangles"))
    ),
)


splits = M.total("splits", quantity("number of vertex splits")(split_total))


@M("least_barycentric")
def least_barycentric(data: ExperimentData) -> float:
    """Least barycentric coordinate of any surface vertex at rest in the element that holds it, all runs: negative is outside."""
    # Runs differ in their tears; most start from the same surface in the same mesh.
    starts = {
        tuple(c.scene(n).tobytes() for n in ("rest_positions", "tetrahedra", "skin_rest_positions")): c
        for c in data.some(status=None)
    }
    return float(np.min([least_barycentric_of(c).min() for c in starts.values()]))


M.largest(
    "first_open_edges",
    quantity("number of unmatched directed edges of the surface as given, 0 for a closed manifold")(
        lambda c: unmatched_edges(c.scene("skin_triangles"))
    ),
    EVERY_RUN.however_ended("the surface is as given before the first step").noted(lambda _: ""),
)


def stretch(trace: Trace) -> float:
    """Largest |principal stretch − 1| of any element at the end."""
    last = last_frame(trace)
    now = edge_matrices(last.field("positions"), last.tetrahedra)
    rest = edge_matrices(trace.scene("rest_positions"), trace.scene("tetrahedra"))
    return float(np.abs(np.linalg.svd(now @ np.linalg.inv(rest), compute_uv=False) - 1).max())


M.least("stretch", stretch, EVERY_RUN.noted(lambda _: ""))


M.total(
    "grid_rebuilds",
    quantity("search grids built after the first")(lambda c: c.values("step", "skin_grid_builds")[-1] - 1),
)


@M("unfinished")
def unfinished(data: ExperimentData) -> float:
    """Number of runs that ended before their last step or left no trace, as where a surface could not be cut."""
    return float(len(data.failed()) + len(data.missing))


@cache
def _crossings(trace: Trace) -> tuple[int, int, int]:
    """(pairs of opened face and triangle that cross at rest, those of them whose triangle is uncut,
    uncut triangles) at the end."""
    frame = last_frame(trace)
    pairs, uncut = face_crossings(trace, frame), uncut_triangles(trace, frame)
    return len(pairs), int(np.isin(pairs[:, 1], uncut).sum()), len(uncut)


M.total(
    "crossings",
    quantity("pairs of an opened face and a triangle of the first surface that cross, at the end")(
        lambda c: _crossings(c)[0]
    ),
)


@M("missed_crossings")
def missed_crossings(data: ExperimentData) -> Measured:
    """Pairs of an opened face and a triangle of the first surface that cross where the triangle was not cut, as the search did not find
    it; at the end of all runs."""
    missed = {c.label: _crossings(c)[1] for c in data.every()}
    worst = extremes.at_largest(missed)
    return Measured(float(sum(missed.values())), worst if missed[worst] else "")


M.total(
    "uncut_triangles",
    quantity("triangles of the first surface that are still whole at the end")(lambda c: _crossings(c)[2]),
)


@M("mixed_triangles")
def all_mixed_triangles(data: ExperimentData) -> Measured:
    """Largest number of triangles, cut or not, whose corners follow different pieces of the mesh, any stored frame of any run."""

    def of(trace: Trace) -> float:
        return float(np.max([mixed_triangles(f) for f in frames(trace) if "skin_elements" in f.fields]))

    return _worst(data, of)


@M("piece_volume_error")
def piece_volume_error(data: ExperimentData) -> Measured:
    """Largest |volume that a piece of the surface encloses at rest − the part of its elements' volume inside the first
    surface, by clipping| over the mean volume of an element, every piece at the end of all runs."""

    def of(trace: Trace) -> float:
        expected, found = piece_volumes(trace, last_frame(trace), volumes_inside(trace))
        return float(np.abs(found - expected).max()) / float(
            np.ptp(trace.scene("rest_positions"), axis=0).prod() / len(trace.scene("tetrahedra"))
        )

    return _worst(data, of)

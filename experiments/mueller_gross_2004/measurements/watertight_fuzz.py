# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/watertight_fuzz: surfaces in blocks that are torn ([MG04] §5.2)."""

from functools import cache

import numpy as np

from deformbench_analysis.mesh import edge_matrices
from deformbench_analysis.vocabulary import EVERY_RUN, ExperimentData, Measures, Trace, quantity
from .broken_meshes import frames, last_frame
from .split_events import split_total
from .surfaces import area_vector, face_crossings, mixed_triangles, open_edges, piece_volumes, triangles_of
from .surfaces import uncut_triangles, unmatched_edges, volumes_inside, least_barycentric as least_barycentric_of

M = Measures("mueller_gross_2004/watertight_fuzz")


open_edge_count = quantity("surface edges without a matching opposite edge, in every frame and step")(open_edges)


@quantity("|Σ A n| / Σ A of the deformed surface, in every frame and step")
def _area_vector(trace: Trace) -> float:
    counted = [area_vector(f.field("skin_positions"), triangles_of(trace, f)) for f in frames(trace)]
    return float(np.max([*counted, trace.values("step", "skin_area_vector").max()]))


@quantity("|sum of the pieces' rest volumes / volume of the first surface − 1|, in every step")
def volume_error_of(trace: Trace) -> float:
    """As the harness measures it."""
    return float(np.abs(trace.values("step", "skin_volume_error")).max())


all_open_edges = M.largest("open_edges", open_edge_count)
all_area_vector = M.largest("area_vector", _area_vector)
all_volume_error = M.largest("volume_error", volume_error_of)
crack_triangles = M.total(
    "crack_triangles",
    quantity("triangles added by the end")(
        lambda c: len(triangles_of(c, last_frame(c))) - len(c.scene("skin_triangles"))
    ),
)


splits = M.total("splits", quantity("number of vertex splits")(split_total))


@M("least_barycentric")
def least_barycentric(data: ExperimentData) -> float:
    """Least barycentric coordinate of a surface vertex at rest in its element, all runs; negative outside."""
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
    """Number of runs that ended before their last step or left no trace, e.g. if a surface could not be cut."""
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


M.total(
    "missed_crossings",
    quantity("pairs of an opened face and an uncut triangle of the first surface that cross, at the end")(
        lambda c: _crossings(c)[1]
    ),
)
M.total(
    "uncut_triangles",
    quantity("triangles of the first surface that are still whole at the end")(lambda c: _crossings(c)[2]),
)


@quantity("triangles, cut or not, whose corners follow different pieces of the mesh, in any stored frame")
def _mixed_triangles(trace: Trace) -> float:
    return float(np.max([mixed_triangles(f) for f in frames(trace) if "skin_elements" in f.fields]))


@quantity("|rest volume enclosed by a piece − its elements' volume inside the surface| / mean element volume")
def _piece_volume_error(trace: Trace) -> float:
    """Largest of all pieces at the end; the elements' part is inside the first surface, by clipping."""
    expected, found = piece_volumes(trace, last_frame(trace), volumes_inside(trace))
    mean = np.ptp(trace.scene("rest_positions"), axis=0).prod() / len(trace.scene("tetrahedra"))
    return float(np.abs(found - expected).max() / mean)


M.largest("mixed_triangles", _mixed_triangles)
M.largest("piece_volume_error", _piece_volume_error)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/constructions, bent_surface and surface_cut: the runs that Figures 2, 3, 5 and 6 are drawn
from must show what the figures are about."""

from __future__ import annotations

import numpy as np

from ...measurement import measurement
from ...results import ExperimentData
from .broken_meshes import last_frame
from .split_events import split_total
from .surfaces import open_edges, triangles_of

CONSTRUCTIONS = "mueller_gross_2004/constructions"
BENT = "mueller_gross_2004/bent_surface"
CUT = "mueller_gross_2004/surface_cut"


@measurement("constructions.rotation_deg", unit="deg", experiment=CONSTRUCTIONS)
def rotation_deg(data: ExperimentData) -> float:
    """Largest angle of any element's rotation in the last frame, elastic bar."""
    rotations = last_frame(data.one(name="elastic")).field("rotations").reshape(-1, 3, 3)
    cosine = (np.trace(rotations, axis1=1, axis2=2) - 1) / 2
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))).max())


@measurement("constructions.plastic_strain", unit="1", experiment=CONSTRUCTIONS)
def plastic_strain(data: ExperimentData) -> float:
    """Largest plastic strain at the end, creeping bar."""
    return float(data.one(name="creeping").values("step", "plastic_strain_max")[-1])


@measurement("bent_surface.normal_difference_rad", unit="rad", experiment=BENT)
def normal_difference_rad(data: ExperimentData) -> float:
    """Largest angle between surface normals turned by the element's rotation R and those turned by F⁻ᵀ, at the
    strongest bend."""
    trace = data.one()
    rotated, exact = (trace.values("pose", f"skin_normals_{n}")[-1] for n in ("rotated", "exact"))
    rotated, exact = (n / np.linalg.norm(n, axis=1, keepdims=True) for n in (rotated, exact))
    return float(np.arctan2(np.linalg.norm(np.cross(rotated, exact), axis=1), (rotated * exact).sum(axis=1)).max())


@measurement("surface_cut.open_edges", unit="1", experiment=CUT)
def cut_open_edges(data: ExperimentData) -> float:
    """Largest number of edges of the surface without a matching opposite edge, counted by the analysis in every frame
    and by the harness in every step."""
    return float(open_edges(data.one()))


@measurement("surface_cut.splits", unit="1", experiment=CUT)
def cut_splits(data: ExperimentData) -> float:
    """Number of vertex splits."""
    return float(split_total(data.one()))


@measurement("surface_cut.added_triangles", unit="1", experiment=CUT)
def added_triangles(data: ExperimentData) -> float:
    """Number of triangles of the surface at the end minus that at the start."""
    trace = data.one()
    return float(len(triangles_of(trace, last_frame(trace))) - len(trace.scene("skin_triangles")))

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/embedded_boundary: motion of the surface at the held end,
carried by nodes or elements."""

import numpy as np

from deformbench_analysis.mesh_frames import members_of
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, extremes, rows

M = Measures("pauly_et_al_2005/embedded_boundary")
NODES, ELEMENTS = "meshless", "elements"


def at_held_end(rest: Array) -> Array:
    """[k] whether a point of the surface lies on the face x = 0."""
    return np.asarray(np.abs(rest[:, 0]) < 1e-9 * np.ptp(rest[:, 0]))


def moved_shares(trace: Trace) -> Array:
    """Largest displacement of the surface at the held end relative to that anywhere.

    For elements the points are vertices: faces between them are flat and move no farther."""
    shares = []
    for member in members_of(trace):
        held, anywhere = [], []
        start: Array | None = None  # each member has its own mesh and starts at rest
        for _, _, frame in trace.frames(member=member):
            if trace.method_name == NODES:
                rest, now = frame["surfel_rest_positions"], frame["surfel_positions"]
            else:
                now = frame["positions"]
                start = now if start is None else start
                rest = start
            moved, face = np.linalg.norm(now - rest, axis=1), at_held_end(rest)
            if not face.any():
                raise MissingData(f"{trace.label}: no surface at x = 0")
            held.append(moved[face].max())
            anywhere.append(moved.max())
        if not max(anywhere) > 0:
            raise MissingData(f"{trace.label}: nothing moves")
        shares.append(max(held) / max(anywhere))
    return extremes.finite(shares, trace.label)


M.least("nodes", moved_shares, rows(NODES, says="meshless bars"))
M.largest("elements", moved_shares, rows(ELEMENTS, says="finite-element bars"))

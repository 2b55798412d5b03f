# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/embedded_boundary: the surface at the held end of a bar, carried by nodes or by elements."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...mesh_frames import members_of
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "pauly_et_al_2005/embedded_boundary"
NODES, ELEMENTS = "meshless", "elements"


def at_held_end(rest: Array) -> Array:
    """[k] whether a point of the surface lies on the face x = 0."""
    return np.asarray(np.abs(rest[:, 0]) < 1e-9 * np.ptp(rest[:, 0]))


def moved_shares(trace: Trace) -> Array:
    """Per member the largest motion of a point of the surface at the held end, over the largest of any point and frame. Of elements the
    points are vertices: between them their faces are flat, and move no farther."""
    shares = []
    for member in members_of(trace):
        held, anywhere = [], []
        start: Array | None = None  # of this member, whose mesh is its own: all start at rest
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


@measurement("embedded_boundary.nodes", unit="1", experiment=EXPERIMENT)
def of_nodes(data: ExperimentData) -> Measured:
    """Largest motion of a surfel on the face whose nodes are held, over the largest motion of any surfel; of the bar whose held face
    moves least."""
    return extremes.least({c: float(moved_shares(c).min()) for c in data.every(name=NODES)})


@measurement("embedded_boundary.elements", unit="1", experiment=EXPERIMENT)
def of_elements(data: ExperimentData) -> Measured:
    """Largest motion of the held face of the bar of finite elements, over the largest of any vertex; the worst bar."""
    return extremes.largest({c: float(moved_shares(c).max()) for c in data.every(name=ELEMENTS)})

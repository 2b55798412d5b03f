# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/bar_statics: what a fixed end does where displacement is interpolated, and how far a bar stretches."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .clouds import Frame
from .mls_consistency import applied

EXPERIMENT = "pauly_et_al_2005/bar_statics"
ON_FACE = 1e-9  # m


def at_rest(trace: Trace) -> Frame:
    """The frame at the end."""
    return next(iter(trace.frames(last=True)))[2]


def elongation(trace: Trace) -> float:
    """Mean displacement of the tip along the bar, m."""
    return float(trace.values("step", "tip_displacement")[-1, 0])


def face_motion(trace: Trace) -> float:
    """Largest |ΣΦ u_i| at samples on the fixed face over the elongation."""
    arrays = at_rest(trace)
    x = arrays["shape_positions"]
    on_face = np.abs(x[:, 0] - arrays["node_rest_positions"][:, 0].min()) < ON_FACE
    if on_face.sum() < 20:
        raise MissingData(f"{trace.label}: {int(on_face.sum())} samples on the fixed face, expected at least 20")
    moved = applied(arrays, arrays["shape_values"], arrays["positions"] - arrays["node_rest_positions"])
    return float(np.linalg.norm(moved[on_face], axis=1).max() / elongation(trace))


def held_motion(trace: Trace) -> float:
    """Largest displacement of a held vertex over the elongation."""
    moved = at_rest(trace)["positions"] - trace.scene("rest_positions")
    return float(np.linalg.norm(moved[trace.scene("prescribed_vertices")], axis=1).max() / elongation(trace))


@measurement("bar_statics.face_motion", unit="1", experiment=EXPERIMENT)
def least_face_motion(data: ExperimentData) -> Measured:
    """Largest displacement of the fixed face of a pulled bar over its elongation, interpolated by shape functions at points between the nodes, all of
    which are held on that face; the least of all meshes."""
    return extremes.least({c: face_motion(c) for c in data.every(name="meshless")})


@measurement("bar_statics.fem_face_motion", unit="1", experiment=EXPERIMENT)
def fem_face_motion(data: ExperimentData) -> Measured:
    """Largest displacement of a held vertex of finite elements, and with linear elements of any point of the face, over the elongation."""
    return extremes.largest({c: held_motion(c) for c in data.every(name="warped_fem")})

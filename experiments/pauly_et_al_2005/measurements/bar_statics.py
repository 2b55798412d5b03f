# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/bar_statics: motion of the fixed end relative to a bar's elongation."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, MissingData, Trace, rows
from .clouds import Frame
from .mls_consistency import applied

M = Measures("pauly_et_al_2005/bar_statics")
ON_FACE = 1e-9  # m


def at_rest(trace: Trace) -> Frame:
    """The frame at the end."""
    return next(iter(trace.frames(last=True)))[2]


def elongation(trace: Trace) -> float:
    """Mean displacement of the tip along the bar, m."""
    return float(trace.values("step", "tip_displacement")[-1, 0])


def face_motion(trace: Trace) -> float:
    """Largest |ΣΦ_i u_i| at samples on the held face relative to the bar's elongation."""
    arrays = at_rest(trace)
    x = arrays["shape_positions"]
    on_face = np.abs(x[:, 0] - arrays["node_rest_positions"][:, 0].min()) < ON_FACE
    if on_face.sum() < 20:
        raise MissingData(f"{trace.label}: {int(on_face.sum())} samples on the fixed face, expected at least 20")
    moved = applied(arrays, arrays["shape_values"], arrays["positions"] - arrays["node_rest_positions"])
    return float(np.linalg.norm(moved[on_face], axis=1).max() / elongation(trace))


def held_motion(trace: Trace) -> float:
    """Displacement of a held vertex relative to the bar's elongation."""
    moved = at_rest(trace)["positions"] - trace.scene("rest_positions")
    return float(np.linalg.norm(moved[trace.scene("prescribed_vertices")], axis=1).max() / elongation(trace))


M.least("face_motion", face_motion, rows("meshless", says="meshless bars, all meshes"))
M.largest("fem_face_motion", held_motion, rows("warped_fem", says="finite-element bars"))

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_curtain: how far a cloth that swings down onto a slope is from small explicit steps of
its springs."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, Trace, extremes
from .swinging_cloths import COMPLIANT, EXPLICIT, POSITION_BASED, distances, error

M = Measures("cross/cloth_curtain")


def end_error(trace: Trace, reference: Trace) -> float:
    """Rms distance of vertices from small explicit steps at the end, relative to the side."""
    return float(distances(trace, reference)[1][-1])


def sag(trace: Trace) -> float:
    """Final sag of the upper side's middle below the held corners, along the slope, relative to the side."""
    n = int(trace.number("vertices_across"))
    upper = trace.values("step", "positions")[-1, :n]
    slope = np.radians(trace.number("slope_deg"))
    down = np.array([0.0, -np.sin(slope), -np.cos(slope)])
    middle = (upper[(n - 1) // 2] + upper[n // 2]) / 2
    return float((middle - upper[0]) @ down) / trace.number("side_m")


def depth(trace: Trace) -> float:
    """Largest penetration of the slope relative to the side."""
    depths = extremes.finite(trace.values("step", "penetration_depth"), trace.label)
    return float(depths.max()) / trace.number("side_m")


force_cloth_error = M.largest("force_cloth_error", error, EXPLICIT)
M.least("xpbd_least_error", error, COMPLIANT)
M.least("pbd_least_error", error, POSITION_BASED)
M.least("xpbd_least_end_error", end_error, COMPLIANT)
M.least("pbd_least_end_error", end_error, POSITION_BASED)
M.largest("depth", depth)

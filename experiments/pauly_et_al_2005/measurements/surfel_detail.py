# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/surfel_detail: surfels of several sizes on the same nodes."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "pauly_et_al_2005/surfel_detail"
ROW = "transparency"


def radius(trace: Trace) -> float:
    """Radius of the surfels, m; 0 if there are none."""
    return float(trace.value("method.parameters.surfel_radius_m"))


def last(trace: Trace) -> dict[str, Array]:
    """Arrays of the last frame."""
    return list(trace.frames(last=True))[-1][2]


def surfel_count(trace: Trace) -> int:
    """Number of surfels on all sheets."""
    return len(last(trace)["surfel_sheets"])


@measurement("surfel_detail.node_motion", unit="m", experiment=EXPERIMENT)
def node_motion(data: ExperimentData) -> Measured:
    """Largest difference of a node's position at the end from that of the run without surfels, every size of surfels."""
    cells = data.every(name=ROW)
    bare = [c for c in cells if radius(c) == 0]
    if not bare or len(cells) < 2:
        raise MissingData("expected a run without surfels and runs with them")
    reference = last(bare[0])["positions"]
    return extremes.largest({c: float(np.abs(last(c)["positions"] - reference).max()) for c in cells if radius(c) > 0})

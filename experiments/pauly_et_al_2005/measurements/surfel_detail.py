# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/surfel_detail: surfels of several sizes on the same nodes."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace, quantity, rows

M = Measures("pauly_et_al_2005/surfel_detail")
RADIUS = "method.parameters.surfel_radius_m"
ROW = "transparency"


def radius(trace: Trace) -> float:
    """Radius of the surfels, m; 0 if there are none."""
    return float(trace.value(RADIUS))


def last(trace: Trace) -> dict[str, Array]:
    """Arrays of the last frame."""
    return list(trace.frames(last=True))[-1][2]


def surfel_count(trace: Trace) -> int:
    """Number of surfels on all sheets."""
    return len(last(trace)["surfel_sheets"])


def has_surfels(trace: Trace) -> bool:
    """With surfels."""
    return radius(trace) > 0


@quantity("difference of a node's position at the end from that of the run without surfels", unit="m")
def node_motion(trace: Trace, bare: Trace) -> float:
    """Largest component."""
    return float(np.abs(last(trace)["positions"] - last(bare)["positions"]).max())


BARE = EVERY_RUN.where({RADIUS: 0.0}, says="without surfels")
SIZES = rows(ROW, says="every size of surfels").where(has_surfels, says="")

M.largest("node_motion", node_motion, SIZES.beside(BARE, "method.name", says=""))

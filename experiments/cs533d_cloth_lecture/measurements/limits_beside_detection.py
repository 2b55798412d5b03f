# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/limits_beside_detection: what the detection of collisions does to limits of
strain where nothing meets."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.trace import Trace
from deformbench_analysis.vocabulary import Measures, quantity, rows
from .springs import number, parameter

M = Measures("cs533d_cloth_lecture/limits_beside_detection")
DETECTION, SCHEME, FORM = (
    f"method.parameters.{name}" for name in ("collision_detection", "scheme", "strain_limit_form")
)


def excess(trace: Trace) -> float:
    """Largest strain of an edge at any time over the limit."""
    strains = extremes.finite(trace.values("step", "edge_strain_max"), trace.label)
    return float(strains.max()) / parameter(trace, "strain_limit")


@quantity("distance of a vertex at any time from its place without detection, over the side")
def _moved(trace: Trace, without: Trace) -> float:
    x, y = (extremes.finite(c.values("frame", "positions"), c.label) for c in (trace, without))
    return float(np.linalg.norm(x - y, axis=2).max()) / number(trace, "side_m")


@quantity("sum of the method's counts of contacts, impulses, zones and stopped vertices of a step")
def _contacts(trace: Trace) -> float:
    return float(max(frame["collision_counts"].sum() for _, _, frame in trace.frames(names=["collision_counts"])))


WITHOUT, WITH = (
    rows(says=f"all schemes and forms {word} detection").where({DETECTION: value}, says="")
    for word, value in (("without", "none"), ("with", "both"))
)

M.largest("excess_without", excess, WITHOUT)
M.largest("excess_with", excess, WITH)
M.largest("largest_difference", _moved, WITH.beside(WITHOUT, SCHEME, FORM, says=""))
M.largest("contacts", _contacts, WITH)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/limits_beside_detection: effect of collision detection on strain limits where
nothing collides."""

from deformbench_analysis.vocabulary import Measures, Trace, extremes, quantity, rows

M = Measures("cs533d_cloth_lecture/limits_beside_detection")
DETECTION = "method.parameters.collision_detection"


def excess(trace: Trace) -> float:
    """Largest strain of an edge at any time / strain limit."""
    strains = extremes.finite(trace.values("step", "edge_strain_max"), trace.label)
    return float(strains.max()) / trace.setting("strain_limit")


@quantity("sum of the method's counts of contacts, impulses, zones and stopped vertices of a step")
def _contacts(trace: Trace) -> float:
    return float(max(frame["collision_counts"].sum() for _, _, frame in trace.frames(names=["collision_counts"])))


WITHOUT, WITH = (
    rows(says=f"all schemes and forms {word} detection").where({DETECTION: value}, says="")
    for word, value in (("without", "none"), ("with", "both"))
)

M.largest("excess_without", excess, WITHOUT)
M.largest("excess_with", excess, WITH)
M.largest("contacts", _contacts, WITH)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/tangled_start and self_collision_momentum: two sheets of cloth."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace, extremes, quantity, rows

TANGLED = Measures("mueller_et_al_2007/tangled_start")
MOMENTUM = Measures("mueller_et_al_2007/self_collision_momentum")


def crossings(trace: Trace) -> Array:
    """Pairs of triangles that intersect at any time."""
    return np.asarray(trace.values("step", "self_intersections"))


def touched(trace: Trace) -> bool:
    """Sheets that had a contact."""
    return bool(trace.values("step", "self_contacts").max() > 0)


@quantity("change of angular momentum / (linear momentum of the flying sheet × its side)")
def angular_change(trace: Trace) -> Array:
    """Every step."""
    momentum, linear = trace.values("step", "angular_momentum"), trace.values("step", "linear_momentum")
    scale = float(np.linalg.norm(linear[0])) * trace.number("side_m")
    return extremes.finite(np.linalg.norm(momentum - momentum[0], axis=1) / scale, trace.label)


CROSSED = EVERY_RUN.where(start="crossed", says="sheets that intersect at the start")
TANGLED.only(
    "crossed_at_start", quantity("pairs of triangles that intersect at the start")(lambda c: crossings(c)[0]), CROSSED
)
TANGLED.only(
    "crossed_at_end", quantity("pairs of triangles that intersect at the end")(lambda c: crossings(c)[-1]), CROSSED
)
TANGLED.only("apart_at_end", crossings, EVERY_RUN.where(start="apart", says="sheets that fly into one another"))
for name, described in (
    ("full", "gradients including the normal's"),
    ("constant_normal", "gradients with constant normals"),
):
    MOMENTUM.largest(
        f"{name}_angular_change", angular_change, rows(name, says=described).having(touched, "").noted(lambda c: "")
    )

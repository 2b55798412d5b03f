# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/weight_field and weight_field_curved:
jumps of weights and shape functions."""

from collections.abc import Iterator, Mapping

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Trace, quantity, rows
from . import cracked_weights as cw

M = Measures("pauly_et_al_2005/weight_field")
CURVED = Measures("pauly_et_al_2005/weight_field_curved")
WEIGHT, SHAPE = 0, 1
# Columns of the array front_scans.
NODE, FUNCTION, FROM, TO, LEFT, RIGHT = 0, 1, slice(2, 5), slice(5, 8), slice(8, 11, 2), slice(9, 12, 2)
HAS_JUMPED = 0.05


def clouds(trace: Trace) -> Iterator[Mapping[str, Array]]:
    """The arrays of the first frame of every member."""
    for member in range(len(trace.value("ensemble.seeds"))):
        yield next(iter(trace.frames(member)))[2]


def scans_of(arrays: Mapping[str, Array], function: int) -> Array:
    """Rows of front_scans about one function; MissingData when there is none."""
    scans = arrays["front_scans"]
    found: Array = scans[scans[:, FUNCTION] == function]
    if not len(found):
        raise MissingData("no scan")
    return found


def jumps(arrays: Mapping[str, Array], function: int) -> Array:
    """|difference of the values| across the steepest place of every line."""
    scans = scans_of(arrays, function)
    return np.asarray(np.abs(scans[:, 11] - scans[:, 10]))


def largest_jumps(trace: Trace, *functions: int) -> Array:
    """Largest jump of these functions, per cloud."""
    return np.array([max(jumps(arrays, function).max() for function in functions) for arrays in clouds(trace)])


weight_jump = quantity("jump of a weight")(lambda c: largest_jumps(c, WEIGHT))
shape_jump = quantity("jump of a shape function")(lambda c: largest_jumps(c, SHAPE))
jump = quantity("jump of a weight or shape function")(lambda c: largest_jumps(c, WEIGHT, SHAPE))


def _slopes(trace: Trace, least: float, most: float) -> float:
    """Largest slope of a weight, 1/h, of nodes at these distances from the crack's plane, in
    supports."""
    worst = 0.0
    for arrays in clouds(trace):
        scans, triangles = scans_of(arrays, WEIGHT), cw.Cracks.of(arrays).triangles
        normal = np.cross(triangles[0, 1] - triangles[0, 0], triangles[0, 2] - triangles[0, 0])
        nodes = scans[:, NODE].astype(int)
        supports = arrays["node_supports"][nodes]
        heights = np.abs((arrays["node_rest_positions"][nodes] - triangles[0, 0]) @ normal) / np.linalg.norm(normal)
        widths = (scans[:, 9] - scans[:, 8]) * np.linalg.norm(scans[:, TO] - scans[:, FROM], axis=1) / supports
        kept = (heights >= least * supports) & (heights < most * supports)
        worst = max(worst, float(np.max((np.abs(scans[:, 11] - scans[:, 10]) / widths)[kept], initial=0.0)))
    return worst


def replay_difference(trace: Trace) -> float:
    """Difference between a recorded value beside a jump and the analysis' own."""
    rule, opacity = trace.value("method.parameters.weights"), trace.setting("opacity")
    worst = 0.0
    for arrays in clouds(trace):
        nodes, supports = arrays["node_rest_positions"], arrays["node_supports"]
        cracks, scans = cw.Cracks.of(arrays), arrays["front_scans"]
        shares, values = scans[:, LEFT.start : LEFT.start + 2], scans[:, 10:12]
        points = scans[:, None, FROM] + shares[:, :, None] * (scans[:, TO] - scans[:, FROM])[:, None]
        weights = cw.weights_at(points.reshape(-1, 3), nodes, supports, cracks, rule, opacity).reshape(
            *shares.shape, -1
        )
        for row, at, own, given in zip(scans, points, weights, values):
            node = int(row[NODE])
            for end in (0, 1):
                found = (
                    own[end, node] if row[FUNCTION] == WEIGHT else cw.shape_functions(at[end], nodes, own[end])[node]
                )
                worst = max(worst, abs(float(found) - float(given[end])))
    return worst


def crossing_lines(trace: Trace) -> float:
    """Lines that meet the plane of their crack, where a jump would be across the crack."""
    count = 0
    for arrays in clouds(trace):
        scans, triangles = arrays["front_scans"], cw.Cracks.of(arrays).triangles
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        # The cracks are flat: the plane of one triangle is that of all.
        heights = [np.einsum("nk,k->n", scans[:, ends] - triangles[0, 0], normals[0]) for ends in (FROM, TO)]
        count += int(np.sum(heights[0] * heights[1] <= 0.0))
    return float(count)


def has_front(trace: Trace) -> bool:
    """Cracks with a front."""
    return str(trace.value("scene.parameters.crack")) != "through"


def knows_no_front(trace: Trace) -> bool:
    """Cracks through the body, or plain weights."""
    return trace.method_name == "plain" or not has_front(trace)


def is_tight(trace: Trace) -> bool:
    """Radii of at most 5 supports."""
    return trace.number("cap_radius") <= 5.0


def is_wide(trace: Trace) -> bool:
    """Radii of at least 10 supports."""
    return trace.number("cap_radius") >= 10.0


VISIBILITY = rows("visibility", says="clouds with visibility").where(has_front)
TRANSPARENCY = rows("transparency", says="transparency beside flat cracks")
CAPS = rows("cap", says="transparency beside caps")

for _of, _what, _jump in (("weight", "a node's weight", weight_jump), ("shape", "a shape function", shape_jump)):
    M.least(
        f"{_of}_jump_share",
        quantity("jumps")(lambda c, jump=_jump: jump(c) >= HAS_JUMPED).mean(
            says=f"share of clouds where {_what} jumps by ≥ 0.05 beside the front"
        ),
        VISIBILITY,
    )
M.least("median_shape_jump", shape_jump.median(), VISIBILITY)
M.largest("jump_without_front", jump, rows("visibility", "plain", says="all clouds").where(knows_no_front))
M.largest("transparent_jump", jump, TRANSPARENCY)
M.largest(
    "steepest_near",
    quantity("slope of a weight per support, nodes 0.02 to 0.1 supports off the crack")(lambda c: _slopes(c, 0.0, 0.1)),
    TRANSPARENCY,
)
M.largest(
    "steepest_far",
    quantity("slope of a weight per support, nodes at least 0.3 supports off the crack")(
        lambda c: _slopes(c, 0.3, np.inf)
    ),
    TRANSPARENCY,
)
M.largest("replay_difference", replay_difference, EVERY_RUN)
M.largest("crossing_lines", crossing_lines, EVERY_RUN)
CURVED.largest("kink_jump", jump, rows("kink", says="transparency beside kinks of 30 to 90 degrees"))
CURVED.largest("cap_jump", jump, CAPS.where(is_tight))
CURVED.largest("wide_cap_jump", jump, CAPS.where(is_wide))

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/weight_field and weight_field_curved: limit jumps of weights and shape functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from . import cracked_weights as cw

EXPERIMENT = "pauly_et_al_2005/weight_field"
CURVED = "pauly_et_al_2005/weight_field_curved"
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


def largest_jump(arrays: Mapping[str, Array]) -> float:
    """Of both functions."""
    return float(max(jumps(arrays, WEIGHT).max(), jumps(arrays, SHAPE).max()))


def _per_cell(
    cells: list[Trace], of_cloud: Callable[[Mapping[str, Array]], float], pick: Callable[[Array], float]
) -> dict[Trace, float]:
    return {cell: pick(np.array([of_cloud(arrays) for arrays in clouds(cell)])) for cell in cells}


def _share_jumped(data: ExperimentData, function: int) -> Measured:
    cells = [c for c in data.every(name="visibility") if c.value("scene.parameters.crack") != "through"]
    return extremes.least(
        _per_cell(cells, lambda a: float(jumps(a, function).max() >= HAS_JUMPED), lambda s: float(np.mean(s)))
    )


@measurement("weight_field.weight_jump_share", unit="1", experiment=EXPERIMENT)
def weight_jump_share(data: ExperimentData) -> Measured:
    """Share of the clouds in which the weight of some node, with visibility, jumps by 0.05 or more on a line that stays on one
    side of the crack's plane; least of plane and solid clouds with straight and round fronts."""
    return _share_jumped(data, WEIGHT)


@measurement("weight_field.shape_jump_share", unit="1", experiment=EXPERIMENT)
def shape_jump_share(data: ExperimentData) -> Measured:
    """Share of the clouds in which a shape function, with visibility, jumps by 0.05 or more on a line that stays on one side of the crack's plane; least of the cells."""
    return _share_jumped(data, SHAPE)


@measurement("weight_field.median_shape_jump", unit="1", experiment=EXPERIMENT)
def median_shape_jump(data: ExperimentData) -> Measured:
    """Median over the clouds of the largest jump of a shape function with visibility; least of the cells."""
    cells = [c for c in data.every(name="visibility") if c.value("scene.parameters.crack") != "through"]
    return extremes.least(_per_cell(cells, lambda a: float(jumps(a, SHAPE).max()), lambda s: float(np.median(s))))


@measurement("weight_field.jump_without_front", unit="1", experiment=EXPERIMENT)
def jump_without_front(data: ExperimentData) -> Measured:
    """Largest jump of a weight or shape function where no front is: visibility and a crack through the body, or weights that know
    no crack."""
    cells = [c for c in data.every(name="visibility") if c.value("scene.parameters.crack") == "through"]
    return extremes.largest(_per_cell(cells + list(data.every(name="plain")), largest_jump, lambda s: float(np.max(s))))


@measurement("weight_field.transparent_jump", unit="1", experiment=EXPERIMENT)
def transparent_jump(data: ExperimentData) -> Measured:
    """Largest jump of a weight or shape function with transparency beside flat cracks with straight and round fronts, over all
    clouds and lines, the values being 1e-9 supports apart at most; no node is nearer to the crack than 0.02 supports.
    """
    return extremes.largest(_per_cell(list(data.every(name="transparency")), largest_jump, lambda s: float(np.max(s))))


def _slopes(trace: Trace, least: float, most: float) -> float:
    """Steepest weight, 1/h, of nodes whose distance from the plane of the crack is within these bounds, in supports."""
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


@measurement("weight_field.steepest_near", unit="1", experiment=EXPERIMENT)
def steepest_near(data: ExperimentData) -> Measured:
    """Steepest weight with transparency, per support, of nodes 0.02 to 0.1 supports off the plane of a flat crack."""
    return extremes.largest({c: _slopes(c, 0.0, 0.1) for c in data.every(name="transparency")})


@measurement("weight_field.steepest_far", unit="1", experiment=EXPERIMENT)
def steepest_far(data: ExperimentData) -> Measured:
    """Steepest weight with transparency, per support, of nodes 0.3 supports off the plane of a flat crack or more."""
    return extremes.largest({c: _slopes(c, 0.3, np.inf) for c in data.every(name="transparency")})


def _replayed(trace: Trace) -> float:
    rule, opacity = trace.value("method.parameters.weights"), float(trace.value("method.parameters.opacity"))
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


@measurement("weight_field.replay_difference", unit="1", experiment=EXPERIMENT)
def replay_difference(data: ExperimentData) -> Measured:
    """Largest difference between a recorded value beside a jump and the analysis' own, from positions of nodes, triangles and
    front segments; all rules, clouds, lines, ends."""
    return extremes.largest({cell: _replayed(cell) for cell in data.every()})


def _crossing_lines(trace: Trace) -> float:
    count = 0
    for arrays in clouds(trace):
        scans, triangles = arrays["front_scans"], cw.Cracks.of(arrays).triangles
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        # The cracks are flat: the plane of one triangle is that of all.
        heights = [np.einsum("nk,k->n", scans[:, ends] - triangles[0, 0], normals[0]) for ends in (FROM, TO)]
        count += int(np.sum(heights[0] * heights[1] <= 0.0))
    return float(count)


@measurement("weight_field.crossing_lines", unit="1", experiment=EXPERIMENT)
def crossing_lines(data: ExperimentData) -> Measured:
    """Lines that meet the plane of their crack, where a jump would be across the crack."""
    return extremes.largest({cell: _crossing_lines(cell) for cell in data.every()})


def _curved(data: ExperimentData, name: str, keep: Callable[[Trace], bool]) -> Measured:
    cells = [c for c in data.every(name=name) if keep(c)]
    return extremes.largest(_per_cell(cells, largest_jump, lambda s: float(np.max(s))))


@measurement("weight_field_curved.kink_jump", unit="1", experiment=CURVED)
def kink_jump(data: ExperimentData) -> Measured:
    """Largest jump of a weight or shape function with transparency beside kinks of 30 to 90 degrees, on lines that cross no crack."""
    return _curved(data, "kink", lambda c: True)


@measurement("weight_field_curved.cap_jump", unit="1", experiment=CURVED)
def cap_jump(data: ExperimentData) -> Measured:
    """Largest jump of a weight or shape function with transparency beside caps of spheres of 1 to 5 supports."""
    return _curved(data, "cap", lambda c: float(c.value("scene.parameters.cap_radius")) <= 5.0)


@measurement("weight_field_curved.wide_cap_jump", unit="1", experiment=CURVED)
def wide_cap_jump(data: ExperimentData) -> Measured:
    """Largest jump of a weight or shape function with transparency beside caps of spheres of 10 supports or more."""
    return _curved(data, "cap", lambda c: float(c.value("scene.parameters.cap_radius")) >= 10.0)

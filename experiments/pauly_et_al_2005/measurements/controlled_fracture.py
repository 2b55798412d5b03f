# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/controlled_fracture: where cracks run,
against what was painted and where the body is hard."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .crack_fronts import Frame, distance_to_segments, last_frame, seeds, swept

EXPERIMENT = "pauly_et_al_2005/controlled_fracture"
AT_SURFACE = 0.25  # of a surfel's radius: what is as near to the painted face counts as the crack's trace there
PATH_STEP = 0.25  # of a surfel's radius, along painted lines


def radius(trace: Trace) -> float:
    """r, m."""
    return float(trace.value("method.parameters.crack_surfel_radius_m"))


def design(data: ExperimentData) -> Array:
    """Ends of the painted lines, [l, 2, 3], m: those of the run with all means of control."""
    return painted_lines(data.one(name="all"))


def painted_lines(trace: Trace) -> Array:
    """Ends of a run's painted lines, [l, 2, 3], m."""
    numbers = np.asarray(trace.value("method.parameters.crack_painted"), dtype=float)
    if len(numbers) == 0:
        raise MissingData(f"{trace.label}: no painted lines")
    return numbers.reshape(-1, 7)[:, :6].reshape(-1, 2, 3)


def along_lines(lines: Array, step: float) -> Array:
    """Points on lines [l, 2, 3], at most `step` apart."""
    found = []
    for first, second in lines:
        shares = np.linspace(0, 1, max(2, int(np.ceil(np.linalg.norm(second - first) / step)) + 1))
        found.append(first + shares[:, None] * (second - first))
    return np.concatenate(found)


def surface_trace(trace: Trace, arrays: Frame, height: float) -> Array:
    """Corners of swept triangles at the face z = height, [p, 3], m."""
    corners = swept(arrays).reshape(-1, 3)
    return np.asarray(corners[np.abs(corners[:, 2] - height) <= AT_SURFACE * radius(trace)])


def away(trace: Trace, arrays: Frame, lines: Array) -> float:
    """Largest distance of the cracks' trace on the painted face from the lines, in r; infinite without a trace."""
    points = surface_trace(trace, arrays, float(lines[0, 0, 2]))
    if len(points) == 0:
        return float("inf")
    return float(distance_to_segments(points, lines[:, 0], lines[:, 1]).max()) / radius(trace)


def uncovered(trace: Trace, arrays: Frame, lines: Array) -> float:
    """Largest distance of a point of the lines from the trace on their face, in r."""
    points = surface_trace(trace, arrays, float(lines[0, 0, 2]))
    if len(points) == 0:
        return float("inf")
    path = along_lines(lines, PATH_STEP * radius(trace))
    return max(float(np.linalg.norm(points - x, axis=1).min()) for x in path) / radius(trace)


def hausdorff(trace: Trace, arrays: Frame, lines: Array) -> float:
    """Distance of trace and lines, in r."""
    return max(away(trace, arrays, lines), uncovered(trace, arrays, lines))


def hard_box(data: ExperimentData) -> tuple[Array, Array]:
    """Corners of the box that the run with all means of control has, m."""
    corners = np.asarray(data.one(name="all").value("method.parameters.crack_hard_box_m"), dtype=float)
    return corners[:3], corners[3:]


def depth_in_box(arrays: Frame, low: Array, high: Array) -> float:
    """How deep swept triangles reach into a box at most, at corners, middles of edges and centres, m; 0 outside."""
    triangles = swept(arrays)
    if len(triangles) == 0:
        return 0.0
    middles = [(triangles[:, a] + triangles[:, b]) / 2 for a, b in ((0, 1), (1, 2), (2, 0))]
    points = np.concatenate([triangles.reshape(-1, 3), *middles, triangles.mean(axis=1)])
    return max(0.0, float(np.minimum(points - low, high - points).min(axis=1).max()))


def _every_member(data: ExperimentData, names: tuple[str, ...]) -> list[tuple[str, Trace, Frame]]:
    found = []
    for trace in data.every():
        if trace.method_name in names:
            found += [(f"{trace.label}, member {m}", trace, last_frame(trace, m)) for m in seeds(trace)]
    if {t.method_name for _, t, _ in found} != set(names):
        raise MissingData(f"{EXPERIMENT}: not all of {', '.join(names)}")
    return found


def _hausdorff_of(data: ExperimentData, name: str) -> dict[str, float]:
    lines = design(data)
    return {label: hausdorff(t, a, lines) for label, t, a in _every_member(data, (name,))}


PAINTED = ("all", "no_texture", "no_history")


@measurement("controlled_fracture.stray_starts", unit="1", experiment=EXPERIMENT)
def stray_starts(data: ExperimentData) -> float:
    """Cracks that started farther than a hundredth of r from every painted line, in all runs with painted lines."""
    count = 0
    for _, trace, arrays in _every_member(data, PAINTED):
        places = arrays["crack_starts"][:, :3]
        lines = painted_lines(trace)
        count += int((distance_to_segments(places, lines[:, 0], lines[:, 1]) > 0.01 * radius(trace)).sum())
    return float(count)


@measurement("controlled_fracture.unopened_lines", unit="1", experiment=EXPERIMENT)
def unopened_lines(data: ExperimentData) -> float:
    """Painted lines on which no crack started, in all runs with painted lines."""
    count = 0
    for _, trace, arrays in _every_member(data, PAINTED):
        places = arrays["crack_starts"][:, :3]
        for first, second in painted_lines(trace):
            distances = distance_to_segments(places, first[None], second[None]) if len(places) else np.zeros(0)
            count += not (distances <= 0.01 * radius(trace)).any()
    return float(count)


@measurement("controlled_fracture.trace_away", unit="1", experiment=EXPERIMENT)
def trace_away(data: ExperimentData) -> Measured:
    """Largest distance of a crack's trace on the painted face from the painted lines over r, painted runs with history."""
    lines = design(data)
    return extremes.largest({k: away(t, a, lines) for k, t, a in _every_member(data, ("all", "no_texture"))})


@measurement("controlled_fracture.trace_away_without_history", unit="1", experiment=EXPERIMENT)
def trace_away_without_history(data: ExperimentData) -> Measured:
    """Largest distance of a crack's trace on the painted face from the painted lines over r, painted runs without history."""
    lines = design(data)
    return extremes.largest({k: away(t, a, lines) for k, t, a in _every_member(data, ("no_history",))})


@measurement("controlled_fracture.unpainted_away", unit="1", experiment=EXPERIMENT)
def unpainted_away(data: ExperimentData) -> Measured:
    """Largest distance of a crack's trace on the face from where lines are painted elsewhere over r, runs without painting, least of all
    clouds."""
    lines = design(data)
    return extremes.least({k: away(t, a, lines) for k, t, a in _every_member(data, ("no_painting", "none"))})


@measurement("controlled_fracture.depth_in_hard_box", unit="1", experiment=EXPERIMENT)
def depth_in_hard_box(data: ExperimentData) -> Measured:
    """Depth to which cracks reach into the hard box over r, at most of all runs that have it."""
    low, high = hard_box(data)
    found = _every_member(data, ("all", "no_history", "no_painting"))
    return extremes.largest({k: depth_in_box(a, low, high) / radius(t) for k, t, a in found})


@measurement("controlled_fracture.depth_in_soft_box", unit="1", experiment=EXPERIMENT)
def depth_in_soft_box(data: ExperimentData) -> Measured:
    """Depth to which cracks reach into the place of the hard box over r where it is as soft as the rest, lines painted, least of all clouds."""
    low, high = hard_box(data)
    return extremes.least(
        {k: depth_in_box(a, low, high) / radius(t) for k, t, a in _every_member(data, ("no_texture",))}
    )


@measurement("controlled_fracture.hausdorff_all", unit="1", experiment=EXPERIMENT)
def hausdorff_all(data: ExperimentData) -> Measured:
    """Hausdorff distance of trace and painted lines over r with painting, history and hard box together, largest of all clouds."""
    return extremes.largest(_hausdorff_of(data, "all"))


@measurement("controlled_fracture.hausdorff_no_painting", unit="1", experiment=EXPERIMENT)
def hausdorff_no_painting(data: ExperimentData) -> Measured:
    """Hausdorff distance of trace and painted lines over r with history and hard box, without painting, least of all clouds."""
    return extremes.least(_hausdorff_of(data, "no_painting"))


@measurement("controlled_fracture.hausdorff_no_history", unit="1", experiment=EXPERIMENT)
def hausdorff_no_history(data: ExperimentData) -> Measured:
    """Hausdorff distance of trace and painted lines over r with painting and hard box, without history, least of all clouds."""
    return extremes.least(_hausdorff_of(data, "no_history"))


@measurement("controlled_fracture.hausdorff_no_texture", unit="1", experiment=EXPERIMENT)
def hausdorff_no_texture(data: ExperimentData) -> Measured:
    """Hausdorff distance of trace and painted lines over r with painting and history, without the hard box, least of all clouds."""
    return extremes.least(_hausdorff_of(data, "no_texture"))

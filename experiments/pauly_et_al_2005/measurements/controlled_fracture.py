# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/controlled_fracture: crack paths
against painted lines, and their depth in the hard box."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Quantity, Rows, Trace, rows
from .clouds import by_member
from .crack_fronts import Frame, distance_to_segments, last_frame, seeds, surfel_radius, swept

M = Measures("pauly_et_al_2005/controlled_fracture")
AT_SURFACE = 0.25  # surfel radii: swept points this near to the painted face are the cracks' trace on it
NEAR_LINE = 0.01  # surfel radii: a crack this near to a painted line starts on it
PATH_STEP = 0.25  # of a surfel's radius, along painted lines


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
    """Corners of swept triangles at the face z = height, [p, 3], m, without sheets that a front
    has led out of the body beside it."""
    corners, r = swept(arrays).reshape(-1, 3), surfel_radius(trace)
    is_at_face = np.abs(corners[:, 2] - height) <= AT_SURFACE * r
    return np.asarray(corners[is_at_face & (np.abs(corners[:, 1]) <= 0.5 * trace.number("side_m"))])


def away(trace: Trace, arrays: Frame, lines: Array) -> float:
    """Largest distance of the cracks' trace on the painted face from the lines, in r; infinite without a trace."""
    points = surface_trace(trace, arrays, float(lines[0, 0, 2]))
    if len(points) == 0:
        return float("inf")
    return float(distance_to_segments(points, lines[:, 0], lines[:, 1]).max()) / surfel_radius(trace)


def uncovered(trace: Trace, arrays: Frame, lines: Array) -> float:
    """Largest distance of a point of the lines from the trace on their face, in r."""
    points = surface_trace(trace, arrays, float(lines[0, 0, 2]))
    if len(points) == 0:
        return float("inf")
    path = along_lines(lines, PATH_STEP * surfel_radius(trace))
    return max(float(np.linalg.norm(points - x, axis=1).min()) for x in path) / surfel_radius(trace)


def hausdorff(trace: Trace, arrays: Frame, lines: Array) -> float:
    """Hausdorff distance, in r."""
    return max(away(trace, arrays, lines), uncovered(trace, arrays, lines))


def hard_box(trace: Trace) -> tuple[Array, Array]:
    """Corners of a run's hard box, m."""
    corners = np.asarray(trace.value("method.parameters.crack_hard_box_m"), dtype=float)
    return corners[:3], corners[3:]


def depth_in_box(arrays: Frame, low: Array, high: Array) -> float:
    """Largest depth of swept triangles in a box, at corners, midpoints of edges and centroids, m; 0 outside."""
    triangles = swept(arrays)
    if len(triangles) == 0:
        return 0.0
    middles = [(triangles[:, a] + triangles[:, b]) / 2 for a, b in ((0, 1), (1, 2), (2, 0))]
    points = np.concatenate([triangles.reshape(-1, 3), *middles, triangles.mean(axis=1)])
    return max(0.0, float(np.minimum(points - low, high - points).min(axis=1).max()))


@by_member("cracks that started farther than a hundredth of r from every painted line")
def _stray_starts(trace: Trace, member: int | None) -> float:
    places, lines = last_frame(trace, member)["crack_starts"][:, :3], painted_lines(trace)
    return float((distance_to_segments(places, lines[:, 0], lines[:, 1]) > NEAR_LINE * surfel_radius(trace)).sum())


@by_member("painted lines on which no crack started")
def _unopened_lines(trace: Trace, member: int | None) -> float:
    places, count = last_frame(trace, member)["crack_starts"][:, :3], 0
    for first, second in painted_lines(trace):
        distances = distance_to_segments(places, first[None], second[None]) if len(places) else np.zeros(0)
        count += not (distances <= NEAR_LINE * surfel_radius(trace)).any()
    return float(count)


def _against_lines(of: Callable[[Trace, Frame, Array], float], phrase: str) -> Quantity:
    """Calls `of` per member with the painted lines of `design`."""
    return Quantity(
        lambda trace, design: {
            f"{trace.label}, member {m}": of(trace, last_frame(trace, m), painted_lines(design)) for m in seeds(trace)
        },
        phrase,
    )


def _depth(trace: Trace, design: Trace) -> dict[str, float]:
    """Depth of cracks in the volume of the hard box relative to r."""
    return {
        f"{trace.label}, member {m}": depth_in_box(last_frame(trace, m), *hard_box(design)) / surfel_radius(trace)
        for m in seeds(trace)
    }


AWAY = _against_lines(away, "largest distance, in r, of crack traces on the painted face from the painted lines")
HAUSDORFF = _against_lines(hausdorff, "Hausdorff distance, in r, of trace and painted lines")
ALL = rows("all")  # its lines and box are the reference for the others


def _beside_design(*names: str, says: str) -> Rows:
    return rows(*names, says=says).beside(ALL, says="")


PAINTED = rows("all", "no_texture", "no_history", says="runs with painted lines")

M.total("stray_starts", _stray_starts, PAINTED)
M.total("unopened_lines", _unopened_lines, PAINTED)
WITH_HISTORY = _beside_design("all", "no_texture", says="painted runs with history")
trace_away = M.largest("trace_away", AWAY, WITH_HISTORY)


@M("trace_away_spread")
def trace_away_spread(data: ExperimentData) -> float:
    """Standard deviation over clouds, in r, of the largest distance of trace from painted lines, with history."""
    found = [x for runs, _ in WITH_HISTORY.units(data) for x in AWAY(*runs).values()]
    return float(np.std(found, ddof=1)) if np.isfinite(found).all() else float("inf")


M.largest("trace_away_without_history", AWAY, _beside_design("no_history", says="painted runs without history"))
unpainted_away = M.least("unpainted_away", AWAY, _beside_design("no_painting", "none", says="runs without painting"))
depth_in_hard_box = M.largest(
    "depth_in_hard_box", _depth, _beside_design("all", "no_history", "no_painting", says="runs with the box")
)
depth_in_soft_box = M.least("depth_in_soft_box", _depth, _beside_design("no_texture", says="runs without the box"))
M.largest("hausdorff_all", HAUSDORFF, _beside_design("all", says="clouds with painting, history and hard box"))
M.least("hausdorff_no_painting", HAUSDORFF, _beside_design("no_painting", says="clouds with history and hard box"))
M.least("hausdorff_no_history", HAUSDORFF, _beside_design("no_history", says="clouds with painting and hard box"))
M.least("hausdorff_no_texture", HAUSDORFF, _beside_design("no_texture", says="clouds with painting and history"))

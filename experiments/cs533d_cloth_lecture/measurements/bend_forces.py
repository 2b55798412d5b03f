# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/bend_forces, bend_loops and strip_stiffness: the force of hinges, its work, its stiffness."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from . import hinges
from .constraint_forces import states

EXPERIMENT = "cs533d_cloth_lecture/bend_forces"
LOOPS = "cs533d_cloth_lecture/bend_loops"
STRIPS = "cs533d_cloth_lecture/strip_stiffness"


def _stiffness(trace: Trace) -> float:
    return float(trace.value("method.parameters.bend_stiffness_j"))


def formula(trace: Trace, rest: Array, x: Array) -> Array:
    """−2 B k sin((θ − θ₀)/2) ∂θ/∂x with k = |e|²/(A1 + A2) of the rest shape, slopes by differences in extended precision."""
    bend = hinges.angles(x) - hinges.angles(rest)
    size = 2 * _stiffness(trace) * hinges.weights(rest) * np.sin(bend / 2)
    return np.asarray(-size[:, None, None] * hinges.slopes(hinges.angles, x))


def _off(forces: Array, right: Array) -> float:
    size = hinges.length(right).max(axis=1)
    return float((hinges.length(forces - right).max(axis=1) / np.maximum(size, 1e-3 * size.max())).max())


@measurement("bend_forces.formula_difference", unit="1", experiment=EXPERIMENT)
def formula_difference(data: ExperimentData) -> Measured:
    """Largest |f + 2 B k sin((θ − θ₀)/2) ∂θ/∂x| at a vertex over the hinge's largest force (or a thousandth of the largest of all hinges),
    k of the rest shape and θ by the analysis from positions; hinges with rest angles, unstrained and strained."""

    def of(trace: Trace) -> float:
        rest, x, forces = states(trace)
        return _off(forces.astype(hinges.WIDE), formula(trace, rest, x))

    return extremes.largest({c: of(c) for c in data.every()})


def left_out(trace: Trace) -> float:
    """Median over the hinges of what the slope of the weight adds, over the force with the weight of the rest shape."""
    rest, x, _ = states(trace)
    at_rest, frozen = hinges.angles(rest), formula(trace, rest, x)

    def energy(y: Array) -> Array:
        return np.asarray(4 * _stiffness(trace) * hinges.weights(y) * (1 - np.cos((hinges.angles(y) - at_rest) / 2)))

    added = -hinges.slopes(energy, x) - frozen * (hinges.weights(x) / hinges.weights(rest))[:, None, None]
    return float(np.median(hinges.length(added).max(axis=1) / hinges.length(frozen).max(axis=1)))


def _strained(data: ExperimentData, strain: float) -> Trace:
    return data.one(where={"scene.parameters.in_plane_strain": strain})


@measurement("bend_forces.left_out_at_1_percent", unit="1", experiment=EXPERIMENT)
def left_out_at_1_percent(data: ExperimentData) -> float:
    """Median, at in-plane strains up to 1 %, of what the slope of the current weight |e|²/(A1 + A2) would add to the force of an energy with
    that weight, largest at a vertex, over the force with the weight of the rest shape."""
    return left_out(_strained(data, 0.01))


@measurement("bend_forces.left_out_at_10_percent", unit="1", experiment=EXPERIMENT)
def left_out_at_10_percent(data: ExperimentData) -> float:
    """Median, at in-plane strains up to 10 %, of what the slope of the current weight |e|²/(A1 + A2) would add to the force of an energy with
    that weight, largest at a vertex, over the force with the weight of the rest shape."""
    return left_out(_strained(data, 0.1))


@lru_cache(maxsize=8)
def works(trace: Trace) -> tuple[Array, Array]:
    """∮f·dx and ∮|f·dx| of every loop: equal steps of a closed, smooth curve, whose sums converge faster than any power."""
    count = int(trace.value("scene.parameters.loop_points"))
    found = hinges.start(trace, "positions", "elastic_forces")
    x, f = (found[n].reshape(-1, count, 12) for n in ("positions", "elastic_forces"))
    # The curve's slope by its own Fourier series.
    number = np.fft.fftfreq(count, 1 / count)
    slope = np.fft.ifft(1j * number[None, :, None] * np.fft.fft(x, axis=1), axis=1).real
    power = (f * slope).sum(axis=2)
    return power.sum(axis=1), np.abs(power).sum(axis=1)


@measurement("bend_loops.work", unit="1", experiment=LOOPS)
def loop_work(data: ExperimentData) -> Measured:
    """Largest |∮f·dx| over ∮|f·dx| of a closed curve of states; hinges flat and folded at rest."""

    def of(trace: Trace) -> float:
        work, size = works(trace)
        return float((np.abs(work) / size).max())

    return extremes.largest({c: of(c) for c in data.every()})


@measurement("bend_loops.loops", unit="1", experiment=LOOPS)
def loops(data: ExperimentData) -> Measured:
    """Least number of closed curves of a run."""
    return extremes.least({c: float(len(works(c)[0])) for c in data.every()})


@measurement("bend_loops.folded_at_rest", unit="rad", experiment=LOOPS)
def folded_at_rest(data: ExperimentData) -> Measured:
    """Median |θ| at rest, largest of all runs."""

    def of(trace: Trace) -> float:
        rest = trace.scene("rest_positions").reshape(-1, 4, 3).astype(hinges.WIDE)
        return float(np.median(np.abs(hinges.angles(rest)).astype(float)))

    return extremes.largest({c: of(c) for c in data.every()})


def _energy_and_curvature(
    matrix: scipy.sparse.csc_matrix, place: Array, inner: float, twist: Array | None
) -> tuple[float, float]:
    """Of the least energy when both ends turn by 1, and may twist by `twist` (a height of every unknown) where there is one."""
    is_held = np.abs(place) > inner
    turned = np.where(is_held, np.abs(place) - inner, 0.0)
    free = np.flatnonzero(~is_held)
    columns = [scipy.sparse.identity(len(place), format="csc")[:, free]]
    if twist is not None:
        columns.append(scipy.sparse.csc_matrix(np.where(is_held, twist, 0.0)[:, None]))
    basis = scipy.sparse.hstack(columns, format="csc")
    height = turned - basis @ scipy.sparse.linalg.spsolve(
        (basis.T @ matrix @ basis).tocsc(), basis.T @ (matrix @ turned)
    )
    middle = np.abs(place) < np.ptp(place) / 6
    return float(height @ (matrix @ height)) / 2, 2 * float(np.polyfit(place[middle], height[middle], 2)[0])


@lru_cache(maxsize=16)
def rigidities(trace: Trace) -> dict[str, float]:
    """EI over D b of a flat strip, bent by turning its ends, from the matrix's part across the strip: `straight`, with straight lines
    across; `free`, whose ends may twist. The energy of a turn φ of both ends is M φ; EI is M over the curvature in the middle third.
    """
    found = hinges.start(trace, "positions", "stiffness_places", "stiffness_entries")
    rest = trace.scene("rest_positions")
    if np.abs(found["positions"] - rest).max() > 0 or np.ptp(rest[:, 2]) > 0:
        raise MissingData(f"{trace.label}: the strip is not flat and at rest")
    places, entries = found["stiffness_places"], found["stiffness_entries"]
    is_across = (places % 3 == 2).all(axis=1)
    rows, columns = (places[is_across] // 3).T
    matrix = scipy.sparse.csc_matrix((entries[is_across], (rows, columns)), shape=(len(rest), len(rest)))
    x, y = rest[:, 0] - (rest[:, 0].max() + rest[:, 0].min()) / 2, rest[:, 1]
    spacing = float(trace.value("scene.parameters.spacing_m"))
    inner = np.ptp(x) / 2 - 1.01 * spacing
    # One height for all vertices of the same x.
    quarter, which = np.unique(np.rint((x - x.min()) / spacing * 4).astype(int), return_inverse=True)
    spread = scipy.sparse.csc_matrix((np.ones(len(x)), (np.arange(len(x)), which)), shape=(len(x), len(quarter)))
    straight = _energy_and_curvature((spread.T @ matrix @ spread).tocsc(), quarter * spacing / 4 + x.min(), inner, None)
    free = _energy_and_curvature(matrix, x, inner, np.sign(x) * y)
    scale = _stiffness(trace) * float(np.ptp(y))
    return {"straight": straight[0] / straight[1] / scale, "free": free[0] / free[1] / scale}


def _strips(data: ExperimentData, mesh: str) -> list[Trace]:
    return data.every(where={"scene.parameters.mesh": mesh})


def _finest(data: ExperimentData, mesh: str) -> Trace:
    return max(_strips(data, mesh), key=lambda c: int(c.value("scene.parameters.cells_across")))


@measurement("strip_stiffness.straight_error", unit="1", experiment=STRIPS)
def straight_error(data: ExperimentData) -> Measured:
    """Largest |EI/(D b) − 1| of strips bent with straight lines across, right and equilateral meshes, all widths."""
    return extremes.largest({c: abs(rigidities(c)["straight"] - 1) for c in data.every()})


@measurement("strip_stiffness.straight_right_error", unit="1", experiment=STRIPS)
def straight_right_error(data: ExperimentData) -> Measured:
    """Largest |EI/(D b) − 1| of strips of right triangles bent with straight lines across, all widths."""
    return extremes.largest({c: abs(rigidities(c)["straight"] - 1) for c in _strips(data, "right")})


@measurement("strip_stiffness.straight_equilateral_error", unit="1", experiment=STRIPS)
def straight_equilateral_error(data: ExperimentData) -> float:
    """|EI/(D b) − 1| of the strip of equilateral triangles with most rows, bent with straight lines across."""
    return abs(rigidities(_finest(data, "equilateral"))["straight"] - 1)


@measurement("strip_stiffness.rows", unit="1", experiment=STRIPS)
def rows_of(data: ExperimentData) -> Measured:
    """Rows of the widest strip, least of both meshes."""
    meshes = ("right", "equilateral")
    return extremes.least({m: float(_finest(data, m).value("scene.parameters.cells_across")) for m in meshes})


@measurement("strip_stiffness.free_right_error", unit="1", experiment=STRIPS)
def free_right_error(data: ExperimentData) -> float:
    """|EI/(D b) over 4/5 − 1| of the free strip of right triangles with most rows."""
    return abs(rigidities(_finest(data, "right"))["free"] / 0.8 - 1)


@measurement("strip_stiffness.free_equilateral_error", unit="1", experiment=STRIPS)
def free_equilateral_error(data: ExperimentData) -> float:
    """|EI/(D b) over 8/9 − 1| of the free strip of equilateral triangles with most rows."""
    return abs(rigidities(_finest(data, "equilateral"))["free"] * 9 / 8 - 1)


@measurement("strip_stiffness.free_right", unit="1", experiment=STRIPS)
def free_right(data: ExperimentData) -> float:
    """EI/(D b) of the free strip of right triangles with most rows."""
    return rigidities(_finest(data, "right"))["free"]


@measurement("strip_stiffness.free_equilateral", unit="1", experiment=STRIPS)
def free_equilateral(data: ExperimentData) -> float:
    """EI/(D b) of the free strip of equilateral triangles with most rows."""
    return rigidities(_finest(data, "equilateral"))["free"]

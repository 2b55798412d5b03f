# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/bend_forces, bend_loops and strip_stiffness: hinge forces,
their work and stiffness."""

from functools import lru_cache

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Rows, Trace, parameter, quantity, rows
from . import hinges
from .constraint_forces import states

M = Measures("cs533d_cloth_lecture/bend_forces")
LOOPS = Measures("cs533d_cloth_lecture/bend_loops")
STRIPS = Measures("cs533d_cloth_lecture/strip_stiffness")
across = parameter("cells_across", float, "Rows of triangles.")
_stiffness = parameter("method.parameters.bend_stiffness_j", float, "B, J.")


def formula(trace: Trace, rest: Array, x: Array) -> Array:
    """−2 B k sin((θ − θ₀)/2) ∂θ/∂x with k = |e|²/(A1 + A2) at rest,
    ∂θ/∂x by differences in extended precision."""
    bend = hinges.bends(x, hinges.angles(rest))
    size = 2 * _stiffness(trace) * hinges.weights(rest) * np.sin(bend / 2)
    return np.asarray(-size[:, None, None] * hinges.slopes(hinges.angles, x))


def _off(forces: Array, right: Array) -> float:
    size = hinges.length(right).max(axis=1)
    return float((hinges.length(forces - right).max(axis=1) / np.maximum(size, 1e-3 * size.max())).max())


@quantity("|f + 2 B k sin((θ − θ₀)/2) ∂θ/∂x| at a vertex relative to the hinge's largest force, k at rest")
def _formula_difference(trace: Trace) -> float:
    """Or to a thousandth of the largest force of all hinges, if larger; θ from positions."""
    rest, x, forces = states(trace)
    return _off(forces.astype(hinges.WIDE), formula(trace, rest, x))


@quantity("median ratio of the force from the gradient of |e|²/(A1 + A2) to the force without it")
def left_out(trace: Trace) -> float:
    """The energy has the weight of the current shape, the force that of the rest shape."""
    rest, x, _ = states(trace)
    at_rest, frozen = hinges.angles(rest), formula(trace, rest, x)

    def energy(y: Array) -> Array:
        return np.asarray(4 * _stiffness(trace) * hinges.weights(y) * (1 - np.cos(hinges.bends(y, at_rest) / 2)))

    added = -hinges.slopes(energy, x) - frozen * (hinges.weights(x) / hinges.weights(rest))[:, None, None]
    return float(np.median(hinges.length(added).max(axis=1) / hinges.length(frozen).max(axis=1)))


@lru_cache(maxsize=8)
def works(trace: Trace) -> tuple[Array, Array]:
    """∮f·dx and ∮|f·dx| per loop by the trapezoidal rule, which on smooth closed
    curves converges faster than any power."""
    count = int(trace.number("loop_points"))
    found = hinges.start(trace, "positions", "elastic_forces")
    x, f = (found[n].reshape(-1, count, 12) for n in ("positions", "elastic_forces"))
    # The curve's tangent by its Fourier series.
    number = np.fft.fftfreq(count, 1 / count)
    slope = np.fft.ifft(1j * number[None, :, None] * np.fft.fft(x, axis=1), axis=1).real
    power = (f * slope).sum(axis=2)
    return power.sum(axis=1), np.abs(power).sum(axis=1)


@quantity("|∮f·dx| / ∮|f·dx| along a closed curve of states")
def _loop_work(trace: Trace) -> Array:
    work, size = works(trace)
    return np.asarray(np.abs(work) / size)


@quantity("closed curves of a run")
def _loops(trace: Trace) -> float:
    return float(len(works(trace)[0]))


@quantity("median |θ| at rest", unit="rad")
def _folded_at_rest(trace: Trace) -> float:
    rest = trace.scene("rest_positions").reshape(-1, 4, 3).astype(hinges.WIDE)
    return float(np.median(np.abs(hinges.angles(rest)).astype(float)))


def _energy_and_curvature(
    matrix: scipy.sparse.csc_matrix, place: Array, inner: float, twist: Array | None
) -> tuple[float, float]:
    """Least energy with both ends rotated by 1, and the curvature in the middle third.

    Ends may also twist, with heights `twist` per unknown, if given."""
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
    """EI/(D b) of a flat strip, bent by rotating its ends, from the out-of-plane part of its matrix: `straight`, with
    cross-lines kept straight; `free`, whose ends may twist. Rotating both ends by φ takes the energy M φ; EI is M /
    curvature in the middle third."""
    found = hinges.start(trace, "positions", "stiffness_places", "stiffness_entries")
    rest = trace.scene("rest_positions")
    if np.abs(found["positions"] - rest).max() > 0 or np.ptp(rest[:, 2]) > 0:
        raise MissingData(f"{trace.label}: the strip is not flat and at rest")
    places, entries = found["stiffness_places"], found["stiffness_entries"]
    is_across = (places % 3 == 2).all(axis=1)
    rows, columns = (places[is_across] // 3).T
    matrix = scipy.sparse.csc_matrix((entries[is_across], (rows, columns)), shape=(len(rest), len(rest)))
    x, y = rest[:, 0] - (rest[:, 0].max() + rest[:, 0].min()) / 2, rest[:, 1]
    spacing = trace.number("spacing_m")
    inner = np.ptp(x) / 2 - 1.01 * spacing
    # One height for all vertices of the same x.
    quarter, which = np.unique(np.rint((x - x.min()) / spacing * 4).astype(int), return_inverse=True)
    spread = scipy.sparse.csc_matrix((np.ones(len(x)), (np.arange(len(x)), which)), shape=(len(x), len(quarter)))
    straight = _energy_and_curvature((spread.T @ matrix @ spread).tocsc(), quarter * spacing / 4 + x.min(), inner, None)
    free = _energy_and_curvature(matrix, x, inner, np.sign(x) * y)
    scale = _stiffness(trace) * float(np.ptp(y))
    return {"straight": straight[0] / straight[1] / scale, "free": free[0] / free[1] / scale}


@quantity("|EI/(D b) − 1| with cross-lines kept straight")
def _straight_error(trace: Trace) -> float:
    return abs(rigidities(trace)["straight"] - 1)


@quantity("EI/(D b) of the free strip")
def _free(trace: Trace) -> float:
    return rigidities(trace)["free"]


@quantity("|EI/(4/5 D b) − 1| of the free strip")
def _free_right_error(trace: Trace) -> float:
    return float(abs(_free(trace) / 0.8 - 1))


@quantity("|EI/(8/9 D b) − 1| of the free strip")
def _free_equilateral_error(trace: Trace) -> float:
    return float(abs(_free(trace) * 9 / 8 - 1))


def _strips(mesh: str) -> Rows:
    return rows(says=f"strips of {mesh} triangles").where({"scene.parameters.mesh": mesh}, says="")


STRAIN = "scene.parameters.in_plane_strain"
RIGHT, EQUILATERAL = _strips("right"), _strips("equilateral")
WIDEST_RIGHT, WIDEST_EQUILATERAL = (s.at_largest(across, says="most rows") for s in (RIGHT, EQUILATERAL))

M.largest("formula_difference", _formula_difference, rows(says="hinges with rest angles, all strains"))
M.only("left_out_at_1_percent", left_out, rows(says="in-plane strains up to 1 %").where({STRAIN: 0.01}, says=""))
M.only("left_out_at_10_percent", left_out, rows(says="in-plane strains up to 10 %").where({STRAIN: 0.1}, says=""))

LOOPS.largest("work", _loop_work, rows(says="hinges flat and folded at rest"))
LOOPS.least("loops", _loops)
LOOPS.largest("folded_at_rest", _folded_at_rest)

STRIPS.largest("straight_error", _straight_error, rows(says="right and equilateral meshes, all widths"))
STRIPS.largest("straight_right_error", _straight_error, RIGHT)
STRIPS.only("straight_equilateral_error", _straight_error, WIDEST_EQUILATERAL)
STRIPS.least(
    "rows",
    quantity("rows of the widest strip")(lambda *strips: max(across(s) for s in strips)),
    rows(says="both meshes").grouped(lambda s: s.value("scene.parameters.mesh"), says=""),
)
STRIPS.only("free_right_error", _free_right_error, WIDEST_RIGHT)
STRIPS.only("free_equilateral_error", _free_equilateral_error, WIDEST_EQUILATERAL)
STRIPS.only("free_right", _free, WIDEST_RIGHT)
STRIPS.only("free_equilateral", _free, WIDEST_EQUILATERAL)

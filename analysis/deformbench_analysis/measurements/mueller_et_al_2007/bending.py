# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/bending_independence and cloth_bag: bending beside stretching."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...position_constraints import dihedral_angle
from ...results import ExperimentData
from ...trace import Trace

PAIR = "mueller_et_al_2007/bending_independence"
BAG = "mueller_et_al_2007/cloth_bag"


def scene(trace: Trace, name: str) -> float:
    """A parameter of the scene."""
    return float(trace.value("scene.parameters." + name))


def angle(x: Array) -> Array:
    """Fold of the pair of triangles."""
    return dihedral_angle(*(x[..., k, :] for k in range(4)))


def frames(trace: Trace) -> Array:
    """Positions [member, row, vertex, 3]."""
    positions = trace.values("frame", "positions")
    return positions if positions.ndim == 4 else positions[None]


def rest_angle(trace: Trace) -> float:
    """Angle between the two triangles at rest, rad."""
    return float(angle(trace.scene("rest_positions")))


def strained(trace: Trace) -> bool:
    """Whether the triangles are strained in their plane at the start."""
    return scene(trace, "in_plane_strain") > 0


def movement(trace: Trace) -> Array:
    """Largest movement of a vertex in the step over the shared edge, one per member."""
    x = frames(trace)
    return np.asarray(np.linalg.norm(x[:, 1] - x[:, 0], axis=2).max(axis=1) / scene(trace, "edge_m"))


for row, described in (("signed", "angle with its sign"), ("printed", "angle as printed, an arccosine without sign")):

    @measurement(f"bending_independence.{row}_angle_change", unit="rad", experiment=PAIR, of=described)
    def angle_change(data: ExperimentData, row: str = row) -> Measured:
        """Largest |dihedral angle − its rest value| after one step, of two triangles that are strained in their planes
        at the start."""
        found = {
            c: float(np.abs(angle(frames(c)[:, 1]) - rest_angle(c)).max()) for c in data.some(name=row, keep=strained)
        }
        return extremes.largest(found)


@measurement("bending_independence.signed_movement", unit="1", experiment=PAIR)
def signed_movement(data: ExperimentData) -> float:
    """Largest movement of a vertex, over the length of the shared edge, that the bend constraint with a signed angle
    causes in two triangles strained in their planes alone."""
    return float(np.max([float(movement(c).max()) for c in data.some(name="signed", keep=strained)]))


@measurement("bending_independence.printed_movement", unit="1", experiment=PAIR)
def printed_movement(data: ExperimentData) -> Measured:
    """Largest movement of a vertex, over the length of the shared edge, that the printed bend constraint causes in two
    triangles strained in their planes alone, pairs folded and flat at rest."""
    found = {c: float(movement(c).max()) for c in data.some(name="printed", keep=strained)}
    return extremes.largest(found)


@measurement("bending_independence.printed_folded_movement", unit="1", experiment=PAIR)
def printed_folded_movement(data: ExperimentData) -> float:
    """Largest movement of a vertex, over the length of the shared edge, that the printed bend constraint causes in two
    triangles strained in their planes alone, pairs that are folded at rest."""
    return float(
        np.max(
            [
                float(movement(c).max())
                for c in data.some(name="printed", keep=lambda c: strained(c) and scene(c, "rest_fold_rad") > 0)
            ]
        )
    )


@measurement("bending_independence.diagonal_movement", unit="1", experiment=PAIR)
def diagonal_movement(data: ExperimentData) -> float:
    """Median movement of a vertex, over the length of the shared edge, that a distance constraint between the two
    opposite vertices causes in two triangles strained in their planes alone."""
    return float(np.median(np.concatenate([movement(c) for c in data.some(name="diagonal", keep=strained)])))


def edge_strain(trace: Trace) -> Array:
    """Largest |strain| of the five edges after the step, one per member."""
    pairs = np.array([[0, 1], [0, 2], [1, 2], [0, 3], [1, 3]])
    x = frames(trace)
    length = np.linalg.norm(x[:, :, pairs[:, 1]] - x[:, :, pairs[:, 0]], axis=3)
    return np.asarray(np.abs(length[:, 1] / length[:, 0] - 1).max(axis=1))


@measurement("bending_independence.edge_strain_per_radian", unit="1/rad", experiment=PAIR)
def edge_strain_per_radian(data: ExperimentData) -> float:
    """Largest strain of an edge that one projection of the angle of two folded triangles causes, over the angle that
    it corrects."""
    cell = data.one(name="signed", where={"scene.parameters.fold_change_rad": 0.01})
    return float(edge_strain(cell).max() / 0.01)


@measurement("bending_independence.mirrored_signed_movement", unit="1", experiment=PAIR)
def mirrored_signed_movement(data: ExperimentData) -> float:
    """Smallest movement of a vertex, over the length of the shared edge, of two triangles folded to the opposite side
    by the same angle; angle with its sign."""
    return float(movement(data.one(name="signed", where={"scene.parameters.fold_change_rad": -1.0})).min())


@measurement("bending_independence.mirrored_printed_movement", unit="1", experiment=PAIR)
def mirrored_printed_movement(data: ExperimentData) -> float:
    """Largest movement of a vertex, over the length of the shared edge, of two triangles folded to the opposite side
    by the same angle; angle as printed, which has no sign."""
    return float(movement(data.one(name="printed", where={"scene.parameters.fold_change_rad": -1.0})).max())


def at_rest(trace: Trace, channel: str) -> float:
    """Mean over the second half of a run, weighted by sin²: a soft bag still bounces then, once or more, which such weights
    take out of the mean."""
    values = trace.values("step", channel)
    half = values[len(values) // 2 :]
    weights = np.sin(np.pi * np.linspace(0, 1, len(half))) ** 2
    return float(half @ weights / weights.sum())


def strain_at_rest(data: ExperimentData, name: str) -> Measured:
    """Largest root mean square strain, infinite of a run that did not complete."""
    found = {
        c: at_rest(c, "edge_strain_rms") if c.status == "completed" else np.inf
        for c in data.some(name=name, status=None)
    }
    return extremes.largest(found)


def pairs(
    data: ExperimentData, channel: str, of: Callable[[Trace, str], float] = at_rest
) -> dict[float, tuple[float, float]]:
    """Stretching stiffness → value with and without bending stiffness, symmetric sweeps (forward, then backward). Only where all runs completed:
    the smallest stiffness of those that did would stand for the smallest of all."""
    unfinished = data.select(name="pbd", status=None, keep=lambda c: c.status != "completed")
    if unfinished:
        raise MissingData(f"{BAG}: {'; '.join(f'{c.label}: {c.status}' for c in unfinished)}")
    found = {}
    for cell in data.some(name="pbd", keep=lambda c: float(c.value("method.parameters.bend_stiffness")) > 0):
        stretch = cell.value("method.parameters.stretch_stiffness")
        other = data.one(
            name="pbd", where={"method.parameters.stretch_stiffness": stretch, "method.parameters.bend_stiffness": 0.0}
        )
        found[float(stretch)] = (of(cell, channel), of(other, channel))
    return found


def swing_peak(trace: Trace, channel: str) -> float:
    """Largest value in the second half of a run: a soft bag still bounces then."""
    values = trace.values("step", channel)
    return float(values[len(values) // 2 :].max())


@measurement("cloth_bag.strain_change", unit="1", experiment=BAG)
def strain_change(data: ExperimentData) -> Measured:
    """Largest |change of the mean strain of the edges| from no bending stiffness to full, over the stretching
    stiffnesses of Figure 3."""
    change = {f"k_stretch = {k:g}": abs(a - b) for k, (a, b) in pairs(data, "edge_strain_mean").items()}
    return extremes.largest(change)


@measurement("cloth_bag.relative_strain_change", unit="1", experiment=BAG)
def relative_strain_change(data: ExperimentData) -> Measured:
    """Largest relative change of the root mean square strain of the edges from no bending stiffness to full, of its mean
    over the second half of the run as well as of its peak there, over the stretching stiffnesses of Figure 3."""
    change = {
        f"k_stretch = {k:g}, {what}": abs(a / b - 1)
        for what, of in (("mean", at_rest), ("peak", swing_peak))
        for k, (a, b) in pairs(data, "edge_strain_rms", of).items()
    }
    return extremes.largest(change)


@measurement("cloth_bag.softest_swing", unit="1", experiment=BAG)
def softest_swing(data: ExperimentData) -> float:
    """Peak over mean of the root mean square strain of the edges in the second half of the run, smallest stretching
    stiffness, with bending stiffness or without, whichever is larger; 1 at rest."""
    peaks, means = (pairs(data, "edge_strain_rms", of) for of in (swing_peak, at_rest))
    return max(peak / mean for peak, mean in zip(peaks[min(peaks)], means[min(means)]))


@measurement("cloth_bag.softest_strain_ratio", unit="1", experiment=BAG)
def softest_strain_ratio(data: ExperimentData) -> float:
    """Root mean square strain of the edges with full bending stiffness over that without, smallest stretching
    stiffness."""
    found = pairs(data, "edge_strain_rms")
    with_bending, without = found[min(found)]
    return with_bending / without


@measurement("cloth_bag.angle_ratio", unit="1", experiment=BAG)
def angle_ratio(data: ExperimentData) -> float:
    """Mean error of the dihedral angles without bending stiffness over that with full bending stiffness; smallest over
    the stretching stiffnesses of Figure 3."""
    return float(np.min([b / a for a, b in pairs(data, "bend_angle_error_mean").values()]))


@measurement("cloth_bag.stretch_ratio", unit="1", experiment=BAG)
def stretch_ratio(data: ExperimentData) -> float:
    """Root mean square strain of the edges with the smallest stretching stiffness over that with the largest, full
    bending stiffness."""
    found = pairs(data, "edge_strain_rms")
    return found[min(found)][0] / found[max(found)][0]


@measurement("cloth_bag.forward_strain", unit="1", experiment=BAG)
def forward_strain(data: ExperimentData) -> Measured:
    """Largest root mean square strain of the edges in the second half of a run, constraints projected in one fixed
    order: with soft edges and stiff bends the bag inflates; infinite for a run that did not complete."""
    return strain_at_rest(data, "forward")

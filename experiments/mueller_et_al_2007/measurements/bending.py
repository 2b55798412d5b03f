# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/bending_independence and cloth_bag: bending and stretching."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.position_constraints import dihedral_angle
from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Trace, extremes
from deformbench_analysis.vocabulary import quantity, rows

PAIR = Measures("mueller_et_al_2007/bending_independence")
BAG = Measures("mueller_et_al_2007/cloth_bag")


def angle(x: Array) -> Array:
    """Dihedral angle of the pair."""
    return dihedral_angle(*(x[..., k, :] for k in range(4)))


def frames(trace: Trace) -> Array:
    """Positions [member, row, vertex, 3]."""
    positions = trace.values("frame", "positions")
    return positions if positions.ndim == 4 else positions[None]


def rest_angle(trace: Trace) -> float:
    """Angle between the two triangles at rest, rad."""
    return float(angle(trace.scene("rest_positions")))


def strained(trace: Trace) -> bool:
    """Triangles strained in their planes."""
    return trace.number("in_plane_strain") > 0


@quantity("displacement of a vertex / shared edge length")
def movement(trace: Trace) -> Array:
    """In the step, one per member."""
    x = frames(trace)
    return np.asarray(np.linalg.norm(x[:, 1] - x[:, 0], axis=2).max(axis=1) / trace.number("edge_m"))


@quantity("|dihedral angle − its rest value| after one step", unit="rad")
def angle_change(trace: Trace) -> Array:
    """One per member."""
    return np.asarray(np.abs(angle(frames(trace)[:, 1]) - rest_angle(trace)))


@quantity("edge strain / angle corrected by one projection", unit="1/rad")
def edge_strain(trace: Trace) -> Array:
    """Largest |strain| of the five edges after the step, one per member."""
    pairs = np.array([[0, 1], [0, 2], [1, 2], [0, 3], [1, 3]])
    x = frames(trace)
    length = np.linalg.norm(x[:, :, pairs[:, 1]] - x[:, :, pairs[:, 0]], axis=3)
    return np.asarray(np.abs(length[:, 1] / length[:, 0] - 1).max(axis=1) / trace.number("fold_change_rad"))


SIGNED = rows("signed", says="signed angles")
PRINTED = rows("printed", says="unsigned angles, as printed")
FOLDED = PRINTED.where(strained, lambda c: c.number("rest_fold_rad") > 0, says="strained triangles folded at rest")
PAIR.largest("signed_angle_change", angle_change, SIGNED.where(strained))
PAIR.largest("printed_angle_change", angle_change, PRINTED.where(strained))
signed_movement = PAIR.largest("signed_movement", movement, SIGNED.where(strained).noted(lambda c: ""))
printed_movement = PAIR.largest("printed_movement", movement, PRINTED.where(strained))
PAIR.largest("printed_folded_movement", movement, FOLDED.noted(lambda c: ""))
PAIR.only("edge_strain_per_radian", edge_strain, SIGNED.where(fold_change_rad=0.01))
PAIR.only(
    "mirrored_signed_movement", movement.least(), SIGNED.where(fold_change_rad=-1.0, says="folded to the opposite side")
)
PAIR.only(
    "mirrored_printed_movement", movement, PRINTED.where(fold_change_rad=-1.0, says="folded to the opposite side")
)


@PAIR("diagonal_movement")
def diagonal_movement(data: ExperimentData) -> float:
    """Median displacement of a vertex / shared edge length, caused by a distance constraint across the edge in two
    triangles strained only in plane."""
    return float(np.median(np.concatenate([movement(c) for c in rows("diagonal").where(strained).runs(data)])))


def at_rest(trace: Trace, channel: str) -> float:
    """Mean over the second half of a run, weighted by sin² to remove the oscillation of a soft bag
    that still bounces."""
    values = trace.values("step", channel)
    half = values[len(values) // 2 :]
    weights = np.sin(np.pi * np.linspace(0, 1, len(half))) ** 2
    return float(half @ weights / weights.sum())


@quantity("root mean square strain in the second half of a run, infinite for one that did not complete")
def strain_at_rest(trace: Trace) -> float:
    """With soft edges and stiff bends the bag inflates."""
    return at_rest(trace, "edge_strain_rms") if trace.status == "completed" else np.inf


BAG.largest(
    "forward_strain",
    strain_at_rest,
    rows("forward", says="constraints in one fixed order").however_ended("a run that did not complete inflates"),
)


def pairs(
    data: ExperimentData, channel: str, of: Callable[[Trace, str], float] = at_rest
) -> dict[float, tuple[float, float]]:
    """Stretching stiffness → value with and without bending stiffness, symmetric sweeps (forward, then backward).
    MissingData unless all completed: else the smallest completed stiffness would pass for the smallest."""
    unfinished = data.select(name="pbd", status=None, keep=lambda c: c.status != "completed")
    if unfinished:
        raise MissingData(f"{BAG.experiment}: {'; '.join(f'{c.label}: {c.status}' for c in unfinished)}")
    found = {}
    for cell in data.some(name="pbd", keep=lambda c: c.setting("bend_stiffness") > 0):
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


@BAG("strain_change")
def strain_change(data: ExperimentData) -> Measured:
    """Largest |change of the mean strain of the edges| from no bending stiffness to full, over the stretching
    stiffnesses of Figure 3."""
    change = {f"k_stretch = {k:g}": abs(a - b) for k, (a, b) in pairs(data, "edge_strain_mean").items()}
    return extremes.largest(change)


@BAG("relative_strain_change")
def relative_strain_change(data: ExperimentData) -> Measured:
    """Largest relative change of RMS edge strain, mean or peak of the second half, from no to full bending stiffness,
    over Figure 3's stretching stiffnesses."""
    change = {
        f"k_stretch = {k:g}, {what}": abs(a / b - 1)
        for what, of in (("mean", at_rest), ("peak", swing_peak))
        for k, (a, b) in pairs(data, "edge_strain_rms", of).items()
    }
    return extremes.largest(change)


@BAG("softest_swing")
def softest_swing(data: ExperimentData) -> float:
    """Peak / mean RMS edge strain in the second half of the run, smallest stretching stiffness, the larger with or
    without bending stiffness; 1 at rest."""
    peaks, means = (pairs(data, "edge_strain_rms", of) for of in (swing_peak, at_rest))
    return max(peak / mean for peak, mean in zip(peaks[min(peaks)], means[min(means)]))


@BAG("softest_strain_ratio")
def softest_strain_ratio(data: ExperimentData) -> float:
    """Ratio of RMS edge strain with full bending stiffness to that without, smallest stretching
    stiffness."""
    found = pairs(data, "edge_strain_rms")
    with_bending, without = found[min(found)]
    return with_bending / without


@BAG("angle_ratio")
def angle_ratio(data: ExperimentData) -> float:
    """Smallest ratio of the mean dihedral angle error without bending stiffness to that with full, over the
    stretching stiffnesses of Figure 3."""
    return float(np.min([b / a for a, b in pairs(data, "bend_angle_error_mean").values()]))


@BAG("stretch_ratio")
def stretch_ratio(data: ExperimentData) -> float:
    """Ratio of RMS edge strain with the smallest stretching stiffness to that with the largest, full
    bending stiffness."""
    found = pairs(data, "edge_strain_rms")
    return found[min(found)][0] / found[max(found)][0]

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/affine_zones: piles of several heights in affine and in rigid impact zones."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from .impact_zones import crossings, members, passed_layers

M = Measures("cs533d_cloth_lecture/affine_zones")


def faulty(trace: Trace) -> Array:
    """Whether sheets cross or went through each other, per member."""
    return np.asarray((crossings(trace) > 0) | (passed_layers(trace) > 0))


THIN = 2.0 / 3.0  # approach / height above which the affine fit to a pile of many layers inverts it


def approach_ratio(trace: Trace) -> float:
    """Approach of both halves of the pile within the step, relative to its height."""
    motion = trace.number("speed_m_s") * trace.number("time_step_s")
    gap = trace.number("gap_share") * motion
    return motion / ((int(trace.number("layers")) - 1) * gap)


def turns_inside_out(trace: Trace) -> Array:
    """Whether the affine fit to the velocities of the whole pile inverts it within the step, per member.

    Mass-weighted fit v = a + A (x − x̄); inverted if det(1 + hA) ≤ 0."""
    x, v = members(trace, 0)
    m = trace.scene("masses")
    h = trace.number("time_step_s")
    turned = []
    for places, speeds in zip(x, v):
        arms = places - m @ places / m.sum()
        roots = np.sqrt(m)[:, None]
        fit = np.linalg.lstsq(roots * np.column_stack([np.ones(len(m)), arms]), roots * speeds, rcond=None)[0]
        turned.append(np.linalg.det(np.eye(3) + h * fit[1:].T) <= 0.0)
    return np.array(turned)


def is_high(trace: Trace) -> bool:
    """Approach below two thirds of the height."""
    return approach_ratio(trace) < THIN


@quantity("seeds for which the affine fit mispredicts whether a fault occurs")
def unexplained(trace: Trace) -> float:
    """Compared with the fit to the whole pile."""
    return float(np.sum(faulty(trace) != turns_inside_out(trace)))


faulty_share = quantity("sheets cross or pass each other")(faulty).mean(
    says="share of seeds whose sheets cross or pass each other"
)
AFFINE = rows("affine", says="affine zones, all heights")

M.largest("faulty_share", faulty_share, AFFINE)
M.largest("faulty_share_of_high_piles", faulty_share, rows("affine", says="affine zones").where(is_high))
M.largest("faulty_share_with_rigid", faulty_share, rows("rigid", says="rigid zones, all heights"))
M.largest("largest_sound_ratio", approach_ratio, AFFINE.having(lambda c: not np.any(faulty(c)), "no faulty seed"))
M.least("least_faulty_ratio", approach_ratio, AFFINE.having(lambda c: np.any(faulty(c)), "faulty seeds"))
M.largest("unexplained", unexplained, AFFINE)

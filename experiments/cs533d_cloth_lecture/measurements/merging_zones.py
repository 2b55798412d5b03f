# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/merging_zones: rigid zones that form in several places of a staircase of
sheets and merge."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace, quantity, rows
from .impact_zones import crossings, crossings_at_start, kept_energy, members, method_counts, momenta_change, rounds
from .impact_zones import stopped

M = Measures("cs533d_cloth_lecture/merging_zones")
ROUNDS, ZONES = 4, 5  # index in collision_counts


def heights_between(trace: Trace, frame: int) -> Array:
    """Height of each sheet above the next lower one (m), [member, layers - 1].

    Difference of best-fitting planes at the centre of the region that both cover, seen from above."""
    x = members(trace, frame)[0]
    layers = int(trace.number("layers"))
    sheets = x.reshape(len(x), layers, -1, 3)
    floor = np.concatenate([np.ones((*sheets.shape[:3], 1)), sheets[..., [0, 2]]], axis=3)
    planes = np.linalg.pinv(floor) @ sheets[..., 1:2]
    low, high = sheets.min(axis=2), sheets.max(axis=2)
    middle = 0.5 * (np.maximum(low[:, :-1], low[:, 1:]) + np.minimum(high[:, :-1], high[:, 1:]))
    at = np.stack([np.ones(middle.shape[:2]), middle[..., 0], middle[..., 2]], axis=2)
    return np.asarray(np.einsum("mlk,mlk->ml", at, (planes[:, 1:] - planes[:, :-1])[..., 0]))


def passed(trace: Trace) -> Array:
    """Neighbouring sheets that passed through each other.

    The upper one is no longer above after the step."""
    return np.asarray((heights_between(trace, -1) <= 0.0).sum(axis=1))


zones = quantity("zones that are left after the step")(lambda c: method_counts(c, ZONES))
RIGID = rows("rigid", says="rigid zones, all seeds")


@quantity("at least two zones after the step, and two rounds of merging")
def _merges(trace: Trace) -> Array:
    return np.asarray((method_counts(trace, ZONES) >= 2) & (method_counts(trace, ROUNDS) >= 2))


@quantity("pairs of triangles that intersect after the step, plus sheets that went through each other")
def _faults(trace: Trace) -> Array:
    return np.asarray(crossings(trace) + passed(trace))


M.least("merging_share", _merges.mean(says=f"share of seeds with {_merges.phrase}"), RIGID)
M.least("zones", zones, RIGID)
M.largest("rounds", rounds, RIGID)
M.largest("stopped_vertices", stopped, RIGID)
M.least("passed_without", passed, rows("none", says="seeds without any test"))
M.largest("faults", _faults, RIGID)
M.largest("crossings_at_start", crossings_at_start, EVERY_RUN)
M.largest("momenta_change", momenta_change, RIGID)
M.largest("energy_kept", kept_energy, RIGID)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/node_mass: sums of nodal masses and volumes."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Measures, Trace, quantity, rows
from .clouds import starts

M = Measures("pauly_et_al_2005/node_mass")


def body_volume(trace: Trace) -> float:
    """Volume of the block, m³."""
    return trace.number("length_m") * trace.number("side_m") ** 2


@quantity("total mass Σm relative to ρV")
def mass_ratio(trace: Trace) -> float:
    body = trace.number("density_kg_m3") * body_volume(trace)
    return float(next(starts(trace))["node_masses"].sum() / body)


def volume_ratio(trace: Trace) -> float:
    """Σv/V, v of the kernel sum."""
    return float(next(starts(trace))["node_volumes"].sum() / body_volume(trace))


def rule_error(trace: Trace) -> float:
    """Relative difference of a nodal mass from 4/3 π h³ ρ."""
    arrays = next(starts(trace))
    rule = 4 / 3 * np.pi * arrays["node_supports"] ** 3 * trace.number("density_kg_m3")
    return float(np.abs(arrays["node_masses"] / rule - 1).max())


PRINTED = rows("as_printed", says="masses as printed, all clouds")

M.least("printed_least", mass_ratio, PRINTED)
M.largest("printed_largest", mass_ratio, PRINTED)
M.largest("printed_rule_error", rule_error, PRINTED)
M.largest(
    "consistent_error",
    mass_ratio.off(1),
    rows("consistent", says="masses ∝ h³ that sum to ρV, all clouds"),
)
M.least("volume_least", volume_ratio, EVERY_RUN)
M.largest("volume_largest", volume_ratio, EVERY_RUN)

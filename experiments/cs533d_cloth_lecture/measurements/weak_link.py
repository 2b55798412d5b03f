# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/weak_link: where a chain with a thin link yields."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, extremes, quantity, rows
from .springs import springs_of

M = Measures("cs533d_cloth_lecture/weak_link")


def plastic_strains(trace: Trace) -> Array:
    """Plastic strain per link at the end: total strain minus tension / (modulus × cross-section)."""
    springs = springs_of(trace)
    positions, forces = (
        extremes.finite(trace.values("step", n), trace.label)[-1] for n in ("positions", "elastic_forces")
    )
    return np.asarray(springs.strains(positions) - forces[0, 0] / springs.forces_at_unit_strain)


def thinnest(trace: Trace) -> int:
    """The link of the least cross-section."""
    return int(np.argmin(springs_of(trace).forces_at_unit_strain))


@quantity("largest |plastic strain| of a link but the thinnest")
def _flow_of_others(trace: Trace) -> Array:
    return np.asarray(np.abs(np.delete(plastic_strains(trace), thinnest(trace))))


@quantity("plastic strain of the thinnest link")
def _flow_of_thin_link(trace: Trace) -> float:
    return float(plastic_strains(trace)[thinnest(trace)])


HARDENING, PERFECT = rows("hardening", says="a chain that hardens"), rows(
    "perfect", says="a chain that does not harden"
)

M.only("least_flow_with_hardening", quantity("plastic strain of a link")(plastic_strains).least(), HARDENING)
M.only("flow_of_others_without_hardening", _flow_of_others, PERFECT)
M.only("flow_of_thin_link_without_hardening", _flow_of_thin_link, PERFECT)

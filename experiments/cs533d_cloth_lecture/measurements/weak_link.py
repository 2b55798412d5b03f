# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/weak_link: where a chain with one thin link flows."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .springs import springs_of

EXPERIMENT = "cs533d_cloth_lecture/weak_link"


def plastic_strains(trace: Trace) -> Array:
    """Of every link at the end: total strain minus the chain's tension over modulus and cross-section."""
    springs = springs_of(trace)
    positions, forces = (
        extremes.finite(trace.values("step", n), trace.label)[-1] for n in ("positions", "elastic_forces")
    )
    return np.asarray(springs.strains(positions) - forces[0, 0] / springs.forces_at_unit_strain)


def thinnest(trace: Trace) -> int:
    """The link of the least cross-section."""
    return int(np.argmin(springs_of(trace).forces_at_unit_strain))


@measurement("weak_link.least_flow_with_hardening", unit="1", experiment=EXPERIMENT)
def least_flow_with_hardening(data: ExperimentData) -> float:
    """Least plastic strain of a link of the chain with hardening."""
    return float(plastic_strains(data.one(name="hardening")).min())


@measurement("weak_link.flow_of_others_without_hardening", unit="1", experiment=EXPERIMENT)
def flow_of_others_without_hardening(data: ExperimentData) -> float:
    """Largest |plastic strain| of a link other than the thin one, without hardening."""
    cell = data.one(name="perfect")
    return float(np.abs(np.delete(plastic_strains(cell), thinnest(cell))).max())


@measurement("weak_link.flow_of_thin_link_without_hardening", unit="1", experiment=EXPERIMENT)
def flow_of_thin_link_without_hardening(data: ExperimentData) -> float:
    """Plastic strain of the thin link, without hardening."""
    cell = data.one(name="perfect")
    return float(plastic_strains(cell)[thinnest(cell)])

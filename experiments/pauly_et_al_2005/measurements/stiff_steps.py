# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/stiff_steps: the method's steps per frame for a stiff and a soft body."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Measures, Trace
from .stable_step_of_nodes import limit

M = Measures("pauly_et_al_2005/stiff_steps")
FRAME = 0.04  # s
STIFF = 1e9  # Pa: above it


def is_stiff(trace: Trace) -> bool:
    """Bodies of 10 GPa, 2500 kg/m³, nodes 6 cm apart."""
    return trace.number("young_modulus_pa") > STIFF


def is_soft(trace: Trace) -> bool:
    """Bodies of 0.1 MPa, 2500 kg/m³, nodes 6 cm apart."""
    return not is_stiff(trace)


def taken(trace: Trace) -> float:
    """Steps that the method takes in a twenty-fifth of a second."""
    series = trace.series("step", "substeps")
    per_frame = FRAME / trace.number("time_step_s")
    return float(np.min(series.values[series.step > 0]) * per_frame)


def needed(trace: Trace) -> float:
    """Steps of 2/ω_max in a twenty-fifth of a second, eigenvalues by the analysis."""
    return FRAME / limit(trace)


def step_over_limit(trace: Trace) -> float:
    """Step that the method takes relative to 2/ω_max by the analysis."""
    return FRAME / taken(trace) / limit(trace)


def energy_ratio(trace: Trace) -> float:
    """Energy of a frame relative to the start."""
    found = trace.values("step", "elastic_energy") + trace.values("step", "kinetic_energy")
    return float(np.max(found) / found[0])


M.least("stiff", taken, EVERY_RUN.where(is_stiff))
M.largest("soft", taken, EVERY_RUN.where(is_soft))
M.least("least_needed", needed, EVERY_RUN.where(is_stiff))
M.largest("step_over_limit", step_over_limit, EVERY_RUN)
M.largest("energy_ratio", energy_ratio, EVERY_RUN)

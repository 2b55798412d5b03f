# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/stress_steps: stresses of a loaded bar by the size of the time step."""

from __future__ import annotations

import numpy as np

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "pauly_et_al_2005/stress_steps"
FINEST = "fine"


def stresses(trace: Trace) -> Array:
    """σ of all nodes, Pa, [frame, node, 3, 3]."""
    return np.array([arrays["node_stresses"] for _, _, arrays in trace.frames()])


def _against_finest(data: ExperimentData) -> dict[str, tuple[float, float]]:
    """By row: relative error of the largest axial stress, and root mean square error of all stresses over the
    largest."""
    exact = stresses(data.one(name=FINEST))
    peak = float(exact[..., 0, 0].max())
    found = {}
    for cell in data.every(keep=lambda c: c.method_name != FINEST):
        own = stresses(cell)
        if own.shape != exact.shape:
            raise MissingData(f"{cell.label}: {own.shape[0]} frames, expected {exact.shape[0]}")
        found[cell.method_name] = (
            abs(float(own[..., 0, 0].max()) / peak - 1),
            float(np.sqrt(np.mean((own - exact) ** 2)) / np.sqrt(np.mean(exact**2))),
        )
    return found


@measurement("stress_steps.peak_error_at_limit", unit="1", experiment=EXPERIMENT)
def peak_error_at_limit(data: ExperimentData) -> float:
    """Relative error of the largest axial stress of a node with the largest stable step, against a fiftieth of it."""
    return _against_finest(data)["limit"][0]


@measurement("stress_steps.mean_error_at_limit", unit="1", experiment=EXPERIMENT)
def mean_error_at_limit(data: ExperimentData) -> float:
    """RMS error of the nodes' mean stresses over time with the largest stable step, relative to their RMS."""
    exact = stresses(data.one(name=FINEST)).mean(axis=0)
    own = stresses(data.one(name="limit")).mean(axis=0)
    return float(np.sqrt(np.mean((own - exact) ** 2)) / np.sqrt(np.mean(exact**2)))


@measurement("stress_steps.error_at_limit", unit="1", experiment=EXPERIMENT)
def error_at_limit(data: ExperimentData) -> float:
    """Root mean square error of the stresses of all nodes and frames with the largest stable step over their root mean square."""
    return _against_finest(data)["limit"][1]


@measurement("stress_steps.error_at_eighth", unit="1", experiment=EXPERIMENT)
def error_at_eighth(data: ExperimentData) -> float:
    """Root mean square error of the stresses of all nodes and frames with an eighth of the largest stable step over their root mean square."""
    return _against_finest(data)["eighth"][1]

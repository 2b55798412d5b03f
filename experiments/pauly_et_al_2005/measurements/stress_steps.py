# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/stress_steps: stresses of a loaded bar by the size of the time step."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows

M = Measures("pauly_et_al_2005/stress_steps")


def stresses(trace: Trace) -> Array:
    """σ of all nodes, Pa, [frame, node, 3, 3]."""
    return np.array([arrays["node_stresses"] for _, _, arrays in trace.frames()])


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))


@quantity("relative error of the largest axial stress of a node, against a fiftieth of the step")
def _peak_error(trace: Trace, finest: Trace) -> float:
    return abs(float(stresses(trace)[..., 0, 0].max()) / float(stresses(finest)[..., 0, 0].max()) - 1)


@quantity("RMS error of the nodes' mean stresses over time, relative to their RMS")
def _mean_error(trace: Trace, finest: Trace) -> float:
    own, exact = stresses(trace).mean(axis=0), stresses(finest).mean(axis=0)
    return _rms(own - exact) / _rms(exact)


@quantity("RMS error of nodal stresses in all frames relative to their RMS")
def _error(trace: Trace, finest: Trace) -> float:
    own, exact = stresses(trace), stresses(finest)
    if own.shape != exact.shape:
        raise MissingData(f"{trace.label}: {own.shape[0]} frames, expected {exact.shape[0]}")
    return _rms(own - exact) / _rms(exact)


FINEST = rows("fine")
AT_LIMIT = rows("limit", says="largest stable step").beside(FINEST, says="")

M.only("peak_error_at_limit", _peak_error, AT_LIMIT)
M.only("mean_error_at_limit", _mean_error, AT_LIMIT)
M.only("error_at_limit", _error, AT_LIMIT)
M.only("error_at_eighth", _error, rows("eighth", says="an eighth of the largest stable step").beside(FINEST, says=""))

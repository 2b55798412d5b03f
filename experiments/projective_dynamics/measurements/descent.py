# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of projective_dynamics/projection_descent: whether a local-global round ever raises the energy."""

import numpy as np

from deformbench_analysis.step_iterations import Iterations
from deformbench_analysis.vocabulary import Measures, Trace, rows

from .one_step import iterations, objective_error, rises

M = Measures("projective_dynamics/projection_descent")
ROUNDS = rows("rounds", says="all meshes, starts and stiffnesses")
OTHER_LAW = rows("other_law", says="the same loop on stable neo-Hookean elements").however_ended("one rise is enough")


def largest_rise(trace: Trace) -> float:
    """Largest rise of the objective in a round, relative to the objective before; negative if none."""
    objective = Iterations.of(trace).objective
    return float((np.diff(objective) / np.abs(objective[:-1])).max())


M.total("rises", rises, ROUNDS)
M.total("rounds_judged", iterations, ROUNDS)
M.largest("largest_rise", largest_rise, ROUNDS)
M.largest("objective_error", objective_error, ROUNDS)
M.total("rises_of_another_law", rises, OTHER_LAW)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of projective_dynamics/admm_weights and /admm_identity: ADMM beside projective dynamics. [OBLN17]"""

import math

import numpy as np

from deformbench_analysis.vocabulary import Measures, Rows, Trace, quantity, rows

from .one_step import REFERENCE, SAME, Comparison, objective_error, reference_error, settled

M = Measures("projective_dynamics/admm_weights")
IDENTITY = Measures("projective_dynamics/admm_identity")
PLAIN, HALF, ONE = (rows(name) for name in ("plain", "half", "one"))
STIFF = 1e4  # Ω of the stiff problems


def _compared(name: str, level: float, says: str, omega: float = 0.0) -> None:
    """Weights of half the root stiffness against projective dynamics, for all steps or one Ω."""
    half, plain = (each.where(omega=omega) if omega else each for each in (HALF, PLAIN))
    says = f"rounds of ADMM at half the root of the stiffness relative to projective dynamics, {says}"
    Comparison(half, plain, level, count=settled).measured(M, name, says, 0.9)


_compared("half", 1e-4, "to a gap of 1e-4, all Ω")
_compared("stiff_half", 1e-4, "to a gap of 1e-4, Ω = 1e4", STIFF)
_compared("early_half", 1e-2, "to a gap of 1e-2, Ω = 1e4", STIFF)


@quantity("1 for a step that reaches a gap of 1e-4")
def reached(trace: Trace, reference: Trace) -> float:
    """0 where it never does."""
    return float(math.isfinite(settled(trace, reference, 1e-4, "iteration")))


M.least("plain_reached", reached, PLAIN.beside(REFERENCE, *SAME, says=""))
M.largest("objective_error", objective_error, rows("plain", "reference"))
M.largest("reference_error", reference_error, REFERENCE)


def difference(split: Trace, plain: Trace) -> float:
    """Largest distance of a vertex from its end by projective dynamics, relative to the largest motion."""
    start, end = plain.values("frame", "positions")[[0, -1]]
    other = split.values("frame", "positions")[-1]
    return float(np.linalg.norm(other - end, axis=1).max() / np.linalg.norm(end - start, axis=1).max())


def _pairs(says: str, **swept: str | int) -> Rows:
    one, plain = ONE.where(**swept, says=says), PLAIN.where(**swept, says=says)
    return one.beside(plain, "family", "seed", "iterations", says="")


IDENTITY.largest("difference", difference, _pairs("twisted", start="twisted"))
IDENTITY.largest("difference_of_one", difference, _pairs("one round", iterations=1, start="twisted"))
IDENTITY.largest("slight_difference", difference, _pairs("a millionth of an edge from rest", start="noise"))

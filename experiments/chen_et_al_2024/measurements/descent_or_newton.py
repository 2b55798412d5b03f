# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of chen_et_al_2024/descent_or_newton: the objective of a step against work, in gradients of all
elements."""

from collections.abc import Mapping
from itertools import product

import numpy as np

from deformbench_analysis.step_work import COSTS, PLAIN, work
from deformbench_analysis.vocabulary import Measures, Trace, quantity, rows
from .one_step import disagreement, gaps

M = Measures("chen_et_al_2024/descent_or_newton")
SAME = ("omega", "family", "start")
END = 1e-8  # of the objective's drop
FACTORS = [dict(zip(COSTS, factors)) for factors in product((0.5, 1.0, 2.0), repeat=len(COSTS))]


def _descent_at(descent: Trace, amount: float, factors: Mapping[str, float]) -> float:
    """Gap of vertex block descent after this much work; that of the last sweep if at most END."""
    done, left = work(descent, factors), gaps(descent)
    if done[-1] < amount and left[-1] > END:
        raise descent.missing("too few sweeps for the work of Newton's method")
    return float(left[np.flatnonzero(done <= amount)[-1]])


@quantity("1 if descent has a smaller gap at the work of Newton's first iteration, for all costs")
def is_ahead(newton: Trace, descent: Trace) -> float:
    """0 otherwise."""
    return float(all(_descent_at(descent, work(newton, f)[1], f) < gaps(newton)[1] for f in FACTORS))


@quantity("1 if Newton's method reaches 1e-8 of the drop with less work, for all costs")
def is_overtaken(newton: Trace, descent: Trace) -> float:
    """0 otherwise."""
    row = int(np.flatnonzero(gaps(newton) <= END)[0]) if gaps(newton)[-1] <= END else None
    return float(row is not None and all(_descent_at(descent, work(newton, f)[row], f) > END for f in FACTORS))


@quantity("share of the drop left where Newton's method overtakes")
def crossing(newton: Trace, descent: Trace) -> float:
    """1 where Newton's method leads throughout."""
    left = gaps(newton)
    behind = [k for k in range(1, len(left)) if _descent_at(descent, work(newton)[k], PLAIN) < left[k]]
    return float(left[max(behind)]) if behind else 1.0


def is_soft(trace: Trace) -> bool:
    """Ω at most 1."""
    return trace.number("omega") <= 1


PAIRS = rows("newton", says="Newton's method, exact and projected").beside(rows("descent"), *SAME, says="")
SOFT = (
    rows("newton", says="Newton's method, exact and projected").where(is_soft).beside(rows("descent"), *SAME, says="")
)
M.mean("ahead", is_ahead, PAIRS)
M.mean("ahead_soft", is_ahead, SOFT)
M.least("overtaken", is_overtaken, PAIRS)
M.least("crossing_least", crossing, PAIRS)
M.largest("crossing_largest", crossing, PAIRS)
M.largest("disagreement", disagreement, rows("descent", "newton"))

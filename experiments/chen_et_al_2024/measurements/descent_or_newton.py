# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of chen_et_al_2024/descent_or_newton: the objective of a step against work, in gradients of all
elements."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import product

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from .one_step import disagreement, gaps

M = Measures("chen_et_al_2024/descent_or_newton")
SAME = ("omega", "family", "start")
END = 1e-8  # of the objective's drop
# In gradients of an element: its energy; its Hessian with eigenvalues; a product with its share of the matrix; force
# and block of one of its corners; a system of one vertex. Each may be half or twice as much.
COSTS = {"energies": 0.5, "hessians": 10.0, "products": 0.5, "corners": 1.0, "local_solves": 0.3}
FACTORS = [dict(zip(COSTS, factors)) for factors in product((0.5, 1.0, 2.0), repeat=len(COSTS))]
PLAIN = dict.fromkeys(COSTS, 1.0)


@lru_cache(maxsize=128)
def _counts(trace: Trace) -> dict[str, Array]:
    return {name: trace.values("iteration", f"work_{name}") for name in (*COSTS, "gradients") if name != "corners"}


def work(trace: Trace, factors: Mapping[str, float] = PLAIN) -> Array:
    """Work up to every iteration in gradients of all elements. A corner's force and block are one number."""
    count = _counts(trace)
    cost = {name: COSTS[name] * factors[name] for name in COSTS}
    elements = float(trace.tetrahedra or 0)
    rest = count["energies"] * cost["energies"] + count["local_solves"] * cost["local_solves"]
    if trace.method_id == "vbd":
        return np.asarray((rest + count["gradients"] * cost["corners"]) / elements)
    newton = count["gradients"] + count["hessians"] * cost["hessians"]
    return np.asarray((rest + newton) / elements + count["products"] * cost["products"])


def _descent_at(descent: Trace, amount: float, factors: Mapping[str, float]) -> float:
    """What vertex block descent has left after this much work; its last sweep's where that ends below END."""
    done, left = work(descent, factors), gaps(descent)
    if done[-1] < amount and left[-1] > END:
        raise descent.missing("too few sweeps for the work of Newton's method")
    return float(left[np.flatnonzero(done <= amount)[-1]])


@quantity("1 if descent has less left at the work of Newton's first iteration, whatever the costs")
def is_ahead(newton: Trace, descent: Trace) -> float:
    """0 otherwise."""
    return float(all(_descent_at(descent, work(newton, f)[1], f) < gaps(newton)[1] for f in FACTORS))


@quantity("1 if Newton's method comes to 1e-8 of the drop with less work, whatever the costs")
def is_overtaken(newton: Trace, descent: Trace) -> float:
    """0 otherwise."""
    row = int(np.flatnonzero(gaps(newton) <= END)[0]) if gaps(newton)[-1] <= END else None
    return float(row is not None and all(_descent_at(descent, work(newton, f)[row], f) > END for f in FACTORS))


@quantity("share of the drop left where Newton's method overtakes")
def crossing(newton: Trace, descent: Trace) -> float:
    """1 where it is ahead from its first iteration."""
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

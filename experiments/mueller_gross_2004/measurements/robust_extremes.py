# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/robust_extremes: Table 1's parameters times 1000 and 1/1000,
from a tangled start."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, Trace, rows

M = Measures("mueller_gross_2004/robust_extremes")
SHIPPED = "shipped"  # 20 plain iterations, the printed rule


def energy_ratio(trace: Trace) -> float:
    """Largest total energy / that at the start."""
    return float(
        np.max([float((m.values / m.values[0]).max()) for m in trace.series("step", "total_energy").members()])
    )


def energy_rise(trace: Trace) -> dict[str, float]:
    """Largest rise of the total energy above its running minimum / energy at the start."""
    found = {}
    for number, member in enumerate(trace.series("step", "total_energy").members()):
        rise = (member.values - np.minimum.accumulate(member.values)) / member.values[0]
        at = int(rise.argmax())
        found[f"{trace.label}, member {number}, step {int(member.step[at])}"] = float(rise[at])
    return found


def is_bad(trace: Trace) -> bool:
    """Not completed, or an energy that is not finite."""
    return trace.status != "completed" or not bool(np.isfinite(trace.values("step", "total_energy")).all())


ENDS = "a bad end is what is counted"
EXACT = rows(says="exact solves").however_ended(ENDS).where(lambda c: c.method_name != SHIPPED, says="")
AS_SHIPPED = "plasticity as printed, 20 CG iterations without preconditioner"

M.count("bad_ends", EXACT.having(is_bad))
M.largest("energy_over_start", energy_ratio, rows(says="all runs and seeds"))
M.largest("energy_rise_elastic", energy_rise, rows("elastic", says="exact solves, no plasticity and no fracture"))
M.largest("energy_rise_plastic", energy_rise, rows("plastic", "plastic_limits", says="exact solves, with plasticity"))
M.largest("energy_rise_brittle", energy_rise, rows("brittle", says="exact solves, with fracture"))
M.largest("energy_rise_shipped", energy_rise, rows(SHIPPED, says=AS_SHIPPED))
M.count("bad_ends_shipped", rows(SHIPPED, says=AS_SHIPPED).however_ended(ENDS).having(is_bad))

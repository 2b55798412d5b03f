# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_convergence: a step's objective left by compliant projections, by their order."""

from pathlib import Path

import numpy as np

from deformbench_analysis.compliant_cloth import CompliantCloth
from deformbench_analysis.step_iterations import Iterations, first_below
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, parameter, rows

M = Measures("cross/cloth_convergence")
LEVEL = 1e-3  # of the objective's drop: where iterations are compared
LONG = "xpbd_to_the_end"  # a cell iterated until nothing changes
ORDERS = ("symmetric", "forward", "coloured", "jacobi")
order = parameter("method.parameters.order", str, "Order of the projections.")
compliance = parameter("method.parameters.stretch_compliance_m_per_n", float, "Stretch compliance, m/N.")


_errors: dict[tuple[Path, int], Array] = {}  # cache, by path and modification time of a trace


def errors(trace: Trace) -> Array:
    """(E − E*)/(E0 − E*) after every iteration of a cell, E* by an independent minimisation, not the cell's own
    end."""
    key = trace.path, trace.path.stat().st_mtime_ns
    if key not in _errors:
        cloth = CompliantCloth(trace)
        predicted = np.where(cloth.free[:, None], cloth.target, cloth.start)
        start, least = cloth.objective(predicted), cloth.objective(cloth.minimise())
        _errors[key] = Iterations.of(trace).errors(start, least)
    return _errors[key]


def iterations(trace: Trace) -> int:
    """Iterations until a thousandth of the drop of the step's objective is left."""
    reached = first_below(errors(trace), LEVEL)
    if reached is None:
        raise MissingData(f"{trace.experiment}: {trace.label} does not come to {LEVEL:g} of the drop")
    return reached


def left(trace: Trace) -> float:
    """(E − E*)/(E0 − E*) after the last iteration, E* of an independent minimisation."""
    return float(errors(trace)[-1])


def left_at_the_end(trace: Trace) -> float:
    """Final (E − E*)/(E0 − E*), within a hundredth of that at half the iterations, E* by another minimisation."""
    found = errors(trace)
    end, half = float(found[-1]), float(found[len(found) // 2])
    if abs(end - half) > 0.01 * abs(end):
        raise MissingData(
            f"{trace.experiment}: {trace.label} still falls, from {half:.3g} to {end:.3g} in the second half"
        )
    return end


def difference(trace: Trace) -> float:
    """Relative difference of objective and gradient after the last iteration from those of an independent program."""
    cloth, found = CompliantCloth(trace), Iterations.of(trace)
    p = np.asarray(trace.values("frame", "positions")[1])
    value, slope = cloth.objective(p), float(np.linalg.norm(cloth.gradient(p)))
    off = abs(found.objective[-1] / value - 1), abs(found.gradient_norm[-1] - slope) / found.gradient_norm[0]
    return float(max(off))


def is_short(trace: Trace) -> bool:
    """Whether the cell is among those compared."""
    return trace.method_name != LONG


for _order in ORDERS:
    _rows = rows(says=f"{_order.replace('jacobi', 'Jacobi')} projections, all compliances").where(
        is_short, order=_order, says=""
    )
    M.largest(f"{_order}_iterations", iterations, _rows)
    M.largest(f"{_order}_left", left, _rows)
end_left = M.only("end_left", left_at_the_end, rows(LONG, says="projections in the listed order"))
M.largest("objective_difference", difference)

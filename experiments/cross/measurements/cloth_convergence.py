# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/cloth_convergence: what compliant projections leave of a step's objective, by order."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.compliant_cloth import CompliantCloth
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.step_iterations import Iterations, first_below
from deformbench_analysis.trace import Trace

EXPERIMENT = "cross/cloth_convergence"
LEVEL = 1e-3  # of the objective's drop: where iterations are compared
LONG = "xpbd_to_the_end"  # a cell whose iterations no longer change anything
ORDERS = ("symmetric", "forward", "coloured", "jacobi")


def order(trace: Trace) -> str:
    """In which order a cell projects."""
    return str(trace.value("method.parameters.order"))


def compliance(trace: Trace) -> float:
    """α of the distances, m/N."""
    return float(trace.value("method.parameters.stretch_compliance_m_per_n"))


_errors: dict[tuple[Path, int], Array] = {}  # of traces that were asked for, as they were then


def errors(trace: Trace) -> Array:
    """(E − E*)/(E0 − E*) after every iteration of a cell, E* of an independent minimisation and not the cell's own last."""
    key = trace.path, trace.path.stat().st_mtime_ns
    if key not in _errors:
        cloth = CompliantCloth(trace)
        predicted = np.where(cloth.free[:, None], cloth.target, cloth.start)
        start, least = cloth.objective(predicted), cloth.objective(cloth.minimise())
        _errors[key] = Iterations.of(trace).errors(start, least)
    return _errors[key]


def _of(data: ExperimentData, name: str) -> list[Trace]:
    return data.every(keep=lambda c: order(c) == name and c.method_name != LONG)


def _register(name: str) -> None:
    @measurement(f"cloth_convergence.{name}_iterations", unit="1", experiment=EXPERIMENT, of=f"order {name}")
    def _iterations(data: ExperimentData) -> Measured:
        """Iterations of compliant projections until a thousandth of the drop of the step's objective is left, most over all
        compliances."""
        found = {}
        for cell in _of(data, name):
            reached = first_below(errors(cell), LEVEL)
            if reached is None:
                raise MissingData(f"{EXPERIMENT}: {cell.label} does not come to {LEVEL:g} of the drop")
            found[cell.label] = float(reached)
        return extremes.largest(found)

    @measurement(f"cloth_convergence.{name}_left", unit="1", experiment=EXPERIMENT, of=f"order {name}")
    def _left(data: ExperimentData) -> Measured:
        """What the last compliant iteration has left of the drop of the step's objective, (E − E*)/(E0 − E*) with E* of an
        independent minimisation, largest over all compliances."""
        return extremes.largest({c.label: float(errors(c)[-1]) for c in _of(data, name)})


for _name in ORDERS:
    _register(_name)


@measurement("cloth_convergence.end_left", unit="1", experiment=EXPERIMENT)
def end_left(data: ExperimentData) -> float:
    """What is left of the drop of the step's objective where compliant projections in the listed order end, (E − E*)/(E0 − E*) with
    E* of an independent minimisation: after thousands of iterations, the second half of which changes it by less than a
    hundredth."""
    cells = data.every(name=LONG)
    found = errors(cells[0])
    end, half = float(found[-1]), float(found[len(found) // 2])
    if abs(end - half) > 0.01 * abs(end):
        raise MissingData(
            f"{EXPERIMENT}: {cells[0].label} still falls, from {half:.3g} to {end:.3g} in the second half"
        )
    return end


@measurement("cloth_convergence.objective_difference", unit="1", experiment=EXPERIMENT)
def objective_difference(data: ExperimentData) -> Measured:
    """Largest difference of the recorded objective and gradient after the last iteration from those of an independent program at
    the positions of the step's end, over the values, over all cells."""
    found = {}
    for cell in data.every():
        cloth, rows = CompliantCloth(cell), Iterations.of(cell)
        p = np.asarray(cell.values("frame", "positions")[1])
        value, slope = cloth.objective(p), float(np.linalg.norm(cloth.gradient(p)))
        found[cell.label] = max(
            abs(rows.objective[-1] / value - 1), abs(rows.gradient_norm[-1] - slope) / rows.gradient_norm[0]
        )
    return extremes.largest(found)

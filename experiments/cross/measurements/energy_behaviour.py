# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/energy_behaviour: the energy of a bar that swings without damping, by scheme and step."""

import math

import numpy as np

from deformbench_analysis.vocabulary import Measures, MissingData, Rows, Trace, parameter, rows

M = Measures("cross/energy_behaviour")
time_step = parameter("time_step_s", float, "Δt of the cell, s; explicit schemes take twenty substeps in it.")


def scheme(trace: Trace) -> str:
    """Name of the curve that a cell belongs to: its scheme, or the row of a method that has but one."""
    if trace.method_name in ("warped", "meshless"):
        return trace.method_name
    return str(trace.value("method.parameters.scheme"))


def change(trace: Trace) -> float:
    """Largest |E − E₀|, E the total energy, J."""
    energy = trace.values("step", "total_energy").reshape(-1)
    return float(np.abs(energy - energy[0]).max())


def scale(finest: Trace) -> float:
    """Largest elastic energy of a run, J: what the swing exchanges."""
    return float(finest.values("step", "elastic_energy").max())


def deviation(trace: Trace, finest: Trace) -> float:
    """Change of a bar's total energy relative to the largest elastic energy."""
    return change(trace) / scale(finest)


def difference_of_deviations(trace: Trace, other: Trace, finest: Trace) -> float:
    """Difference of total energy changes relative to the largest elastic energy."""
    return abs(deviation(trace, finest) - deviation(other, finest))


def order(*runs: Trace) -> float:
    """Order in the time step of the change of energy, between the two shortest steps."""
    if len(runs) < 2:
        raise MissingData(f"{runs[0].experiment}: {scheme(runs[0])} has one step, an order needs two")
    fine, coarse = sorted(runs, key=time_step)[:2]
    return math.log(change(coarse) / change(fine)) / math.log(time_step(coarse) / time_step(fine))


def _scheme(name: str, words: str, row: str = "newton") -> Rows:
    return rows(row, says=words).where(scheme=name, says="")


LEAP_FROG, SYMPLECTIC = (
    _scheme(name, words, "explicit")
    for name, words in (("leap_frog", "leap-frog"), ("symplectic_euler", "symplectic Euler"))
)
MESHLESS = rows("meshless", says="meshless nodes by leap-frog")
FINEST = LEAP_FROG.at_largest(lambda trace: -time_step(trace), says="shortest step")


def _compared(found: Rows) -> Rows:
    return found.beside(FINEST, says="all steps")


IMPLICIT_EULER = _scheme("implicit_euler", "implicit Euler")
M.largest("midpoint_deviation", deviation, _compared(_scheme("implicit_midpoint", "the implicit midpoint rule")))
M.largest("bdf2_deviation", deviation, _compared(_scheme("bdf2", "BDF2")))
M.largest("leap_frog_deviation", deviation, _compared(LEAP_FROG))
M.largest("symplectic_deviation", deviation, _compared(SYMPLECTIC))
M.largest("meshless_deviation", deviation, _compared(MESHLESS))
M.least("implicit_euler_deviation", deviation, _compared(IMPLICIT_EULER))
M.largest(
    "warped_against_implicit_euler",
    difference_of_deviations,
    rows("warped", says="stiffness warping").beside(
        IMPLICIT_EULER.beside(FINEST), "time_step_s", says="against implicit Euler of nonlinear elements, equal steps"
    ),
)
M.only("leap_frog_order", order, LEAP_FROG.grouped(scheme, says=""))
M.only("symplectic_order", order, SYMPLECTIC.grouped(scheme, says=""))
M.only("meshless_order", order, MESHLESS.grouped(scheme, says=""))

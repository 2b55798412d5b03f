# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/locking: the bending stiffness that a mesh gives a cantilever, by law and Poisson's ratio.

A beam's deflection under a dead load hardly depends on ν. What it loses towards ν = ½ is locking of volume: a linear tetrahedron
has one volume for its four corners, and too few freedoms are left.
"""

from __future__ import annotations

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .elastica import cells_across, load_parameter, stiffnesses, stored, tip

EXPERIMENT = "cross/locking"
NONLINEAR = ("warped", "corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")


def poisson(trace: Trace) -> float:
    """ν of the cell."""
    return float(trace.value("scene.parameters.poisson_ratio"))


def stiffness(trace: Trace) -> float:
    """Bending stiffness over EI: PL³/3EI over the drop of a linear bar; of others the load over that at which the elastica has the
    drop. MissingData where the elastica of the trace is that of another load."""
    stored(trace)
    if trace.method_name == "linear":
        return load_parameter(trace) / 3 / tip(trace)[0]
    return stiffnesses(trace)[0]


def by_mesh(data: ExperimentData, name: str) -> dict[tuple[int, float], float]:
    """Stiffness over EI of a row by cells across and ν."""
    return {(cells_across(c), poisson(c)): stiffness(c) for c in data.every(name=name)}


def loss(found: dict[tuple[int, float], float]) -> Measured:
    """Stiffness at the largest ν over that at the smallest on the finest mesh, minus 1."""
    finest = max(n for n, _ in found)
    ratios = sorted(nu for n, nu in found if n == finest)
    if len(ratios) < 2:
        raise MissingData(f"{EXPERIMENT}: one Poisson's ratio at {finest} cells across; a loss needs two")
    low, high = found[finest, ratios[0]], found[finest, ratios[-1]]
    return Measured(
        high / low - 1, f"{finest} cells across, ν from {ratios[0]:g} to {ratios[-1]:g}: {low:.4g} to {high:.4g}"
    )


@measurement("locking.stiffening", unit="1", experiment=EXPERIMENT)
def stiffening(data: ExperimentData) -> Measured:
    """Relative growth of a bent cantilever's stiffness from the smallest to the largest Poisson's ratio, on the finest mesh of each
    row; largest over warped elements and four laws. A beam's stays as it is."""
    losses = {name: loss(by_mesh(data, name)) for name in NONLINEAR}
    worst = extremes.at_largest({name: one.value for name, one in losses.items()})
    return Measured(losses[worst].value, f"{worst}, {losses[worst].note}")


@measurement("locking.linear_stiffening", unit="1", experiment=EXPERIMENT)
def linear_stiffening(data: ExperimentData) -> Measured:
    """Relative growth of a linear cantilever's stiffness from the smallest to the largest Poisson's ratio, on the finest mesh. A
    beam's stays as it is."""
    return loss(by_mesh(data, "linear"))


@measurement("locking.law_spread", unit="1", experiment=EXPERIMENT)
def law_spread(data: ExperimentData) -> Measured:
    """Largest relative difference between the stiffnesses of bent cantilevers of two laws on one mesh at one Poisson's ratio, over
    warped elements and four laws: what of locking a law can change."""
    rows = {name: by_mesh(data, name) for name in NONLINEAR}
    found = {
        f"{name} and {other}, {at[0]} cells, ν = {at[1]:g}": abs(rows[name][at] / rows[other][at] - 1)
        for name in NONLINEAR
        for other in NONLINEAR
        if name != other
        for at in sorted(rows[name].keys() & rows[other].keys())
    }
    return extremes.largest(found)


@measurement("locking.coarsest_stiffness", unit="1", experiment=EXPERIMENT)
def coarsest_stiffness(data: ExperimentData) -> Measured:
    """Stiffness over EI of a bent cantilever on the coarsest mesh at the largest Poisson's ratio; largest over warped elements and
    four laws."""
    found = {}
    for name in NONLINEAR:
        row = by_mesh(data, name)
        coarsest = min(n for n, _ in row)
        ratio = max(nu for n, nu in row if n == coarsest)
        found[f"{name}, {coarsest} cells across, ν = {ratio:g}"] = row[coarsest, ratio]
    return extremes.largest(found)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/locking: the bending stiffness that a mesh gives a cantilever, by law and Poisson's ratio.

A beam's deflection under a dead load hardly depends on ν. Its loss towards ν = ½ is volumetric locking: every linear
tetrahedron constrains its volume, and too few degrees of freedom are left. Quadratic ones have the nodes of
linear ones of half the size."""

from deformbench_analysis.vocabulary import Measures, MissingData, Trace, parameter, quantity, rows
from .elastica import cells_across, load_parameter, stiffnesses, stored, tip

M = Measures("cross/locking")
NONLINEAR = ("warped", "corotational", "st_venant_kirchhoff", "neo_hookean", "stable_neo_hookean")
poisson = parameter("poisson_ratio", float, "ν of the cell.")


def stiffness(trace: Trace) -> float:
    """Bending stiffness/EI: (PL³/3EI)/drop for a linear bar; for others load/(load at which the
    elastica has the drop). MissingData where the elastica of the trace is that of another load."""
    stored(trace)
    if trace.method_name == "linear":
        return load_parameter(trace) / 3 / tip(trace)[0]
    return stiffnesses(trace)[0]


def loss(*cells: Trace) -> dict[str, float]:
    """Relative growth of a bent cantilever's stiffness from the smallest to the largest Poisson's ratio,
    finest mesh."""
    finest, name = max(map(cells_across, cells)), cells[0].method_name
    found = {poisson(c): stiffness(c) for c in cells if cells_across(c) == finest}
    if len(found) < 2:
        raise MissingData(f"{name}: one Poisson's ratio at {finest} cells across; a loss needs two")
    first, last = min(found), max(found)
    low, high = found[first], found[last]
    return {f"{name}, {finest} cells across, ν from {first:g} to {last:g}: {low:.4g} to {high:.4g}": high / low - 1}


def spread(*cells: Trace) -> dict[str, float]:
    """Relative difference between the stiffnesses of bent cantilevers of two laws."""
    by_name = {c.method_name: stiffness(c) for c in cells}
    soft, stiff = min(by_name, key=by_name.__getitem__), max(by_name, key=by_name.__getitem__)
    return {f"{stiff} and {soft}, {mesh_and_ratio(cells[0])}": by_name[stiff] / by_name[soft] - 1}


def mesh_and_ratio(trace: Trace) -> str:
    """Mesh and Poisson's ratio."""
    return f"{cells_across(trace)} cells, ν = {poisson(trace):g}"


def _row(trace: Trace) -> str:
    return trace.method_name


LAWS = rows(*NONLINEAR, says="warped elements and four laws")
COARSEST = LAWS.at_largest(lambda c: -cells_across(c), says="coarsest mesh").at_largest(
    poisson, says="largest Poisson's ratio"
)
stiffening = M.largest("stiffening", loss, LAWS.grouped(_row, says=""))
linear_stiffening = M.largest("linear_stiffening", loss, rows("linear", says="linear FEM").grouped(_row, says=""))
QUADRATIC = rows("quadratic", says="10-node tetrahedra")
quadratic_stiffening = M.largest("quadratic_stiffening", loss, QUADRATIC.grouped(_row, says=""))
law_spread = M.largest("law_spread", spread, LAWS.grouped(mesh_and_ratio))
M.largest(
    "coarsest_stiffness",
    quantity("cantilever bending stiffness relative to EI")(stiffness),
    COARSEST.noted(lambda c: f"{c.method_name}, {cells_across(c)} cells across, ν = {poisson(c):g}"),
)

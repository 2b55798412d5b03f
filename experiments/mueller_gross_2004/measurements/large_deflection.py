# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/large_deflection: tip of a slender cantilever under a dead load, against the
nonlinear solution on the same mesh and against the elastica.

Laws that agree with Hooke's at small strain differ at strains of a few per cent: their spread is the uncertainty of
the first reference. A coarse mesh of linear tetrahedra is too stiff in bending by a factor that the
linear cell of the same mesh measures; the second reference is the elastica at the load times that factor. Either way,
the handling of rotations is compared; against the elastica itself the stiffness of a coarse mesh dominates."""

from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import ExperimentData, Measured, Measures, MissingData, Rows, Trace, extremes
from deformbench_analysis.vocabulary import parameter, quantity, rows
from experiments.cross.measurements.elastica import elastica

M = Measures("mueller_gross_2004/large_deflection")
JUDGED_LOAD = 2.0  # PL²/EI from which the order of the errors is judged
JUDGED_CELLS = 4  # least cells across: locking reverses the order below
cells_across = parameter("cells_across", int, "Cubes across the beam.")


def load_parameter(trace: Trace) -> float:
    """α = PL²/EI."""
    length, side, young = (trace.number(n) for n in ("length_m", "side_m", "young_modulus_pa"))
    return -float(trace.value("scene.parameters.tip_force_n")[1]) * length**2 / (young * side**4 / 12)


@dataclass(frozen=True)
class Tip:
    """Final tip position / length, and that of the elastica with the stiffness of the mesh."""

    cells: int
    load: float
    drop: float
    reach: float
    mesh_factor: float  # linear deflection / (α/3): 1 for a converged mesh
    expected: tuple[float, float]

    @property
    def error(self) -> float:
        """Distance of the tip from the elastica's / length."""
        return float(np.hypot(self.drop - self.expected[0], self.reach - self.expected[1]))


def tip(trace: Trace) -> tuple[float, float]:
    """(drop, reach) of the tip face's mean / length."""
    length = trace.number("length_m")
    moved = trace.values("step", "tip_displacement")[-1]
    return -float(moved[1]) / length, 1 + float(moved[0]) / length


def mesh_factors(data: ExperimentData) -> dict[int, float]:
    """Linear deflection / beam theory's α/3, by cells across. The shear part at L/a = 20 is 0.2 %."""
    return {cells_across(c): tip(c)[0] / (load_parameter(c) / 3) for c in data.every(name="linear")}


def tips(data: ExperimentData, name: str) -> list[Tip]:
    """Tip positions of all loads and meshes of a row, beside the elastica."""
    factors = mesh_factors(data)
    found = []
    for cell in data.every(name=name):
        load, factor = load_parameter(cell), factors.get(cells_across(cell))
        if factor is None or not factor > 0:
            raise MissingData(
                f"{M.experiment}: no linear cell with {cells_across(cell)} cells across to measure the mesh's own stiffness at tier {data.tier}"
            )
        found.append(Tip(cells_across(cell), load, *tip(cell), factor, elastica(load * factor)))
    return sorted(found, key=lambda t: (t.cells, t.load))


def errors(data: ExperimentData, name: str) -> dict[tuple[int, float], float]:
    """Tip errors by mesh and load, of the loads and meshes that are judged."""
    found = {
        (t.cells, round(t.load, 6)): t.error
        for t in tips(data, name)
        if t.load >= JUDGED_LOAD * (1 - 1e-6) and t.cells >= JUDGED_CELLS
    }
    if not found:
        raise MissingData(
            f"{M.experiment}: no cell {name} with PL²/EI ≥ {JUDGED_LOAD:g} and {JUDGED_CELLS} cells across at tier {data.tier}"
        )
    return found


def least_gap(data: ExperimentData, worse: str, better: str) -> Measured:
    """Smallest difference of two rows' tip errors, with the mesh and load it is at."""
    above, below = errors(data, worse), errors(data, better)
    gaps = {key: above[key] - below[key] for key in above.keys() & below.keys()}
    if not gaps:
        raise MissingData(f"{M.experiment}: no load and mesh that both {worse} and {better} have at tier {data.tier}")
    worst = extremes.at_least(gaps)
    return Measured(gaps[worst], f"at PL²/EI = {worst[1]:g}, {worst[0]} cells across")


@M("element_below_global")
def element_below_global(data: ExperimentData) -> Measured:
    """Tip error / length with one rotation for the body minus that with one per element: minimum over loads with
    PL²/EI ≥ 2, at least four cells across."""
    return least_gap(data, "warped_global", "warped")


@M("global_below_linear")
def global_below_linear(data: ExperimentData) -> Measured:
    """Tip error / length of linear FEM minus that with one rotation for the body: minimum over loads with
    PL²/EI ≥ 2, at least four cells across."""
    return least_gap(data, "linear", "warped_global")


@M("element_error_max")
def element_error_max(data: ExperimentData) -> float:
    """Largest tip error / length with one rotation per element, PL²/EI ≥ 2, at least four cells across."""
    return float(np.max(list(errors(data, "warped").values())))


@M("global_error_max")
def global_error_max(data: ExperimentData) -> float:
    """Largest tip error / length with one rotation for the body, PL²/EI ≥ 2, at least four cells across."""
    return float(np.max(list(errors(data, "warped_global").values())))


@M("linear_error_max")
def linear_error_max(data: ExperimentData) -> float:
    """Largest tip error / length of linear FEM, PL²/EI ≥ 2, at least four cells across."""
    return float(np.max(list(errors(data, "linear").values())))


def apart(trace: Trace, nonlinear: Trace) -> float:
    """Distance of the tip from that of St. Venant–Kirchhoff on its mesh / length."""
    return float(np.hypot(*np.subtract(tip(trace), tip(nonlinear))))


@quantity("tip error / length against St. Venant–Kirchhoff, worse minus better")
def gap(worse: Trace, better: Trace, nonlinear: Trace) -> float:
    """Over the length."""
    return apart(worse, nonlinear) - apart(better, nonlinear)


@quantity("tip error / length against the elastica, worse minus better")
def _elastica_gap(worse: Trace, better: Trace) -> float:
    """Over the length; includes the mesh's excess stiffness."""
    place = elastica(load_parameter(worse))
    above, below = (float(np.hypot(*np.subtract(tip(c), place))) for c in (worse, better))
    return above - below


def is_judged(trace: Trace) -> bool:
    """With PL²/EI ≥ 2."""
    return load_parameter(trace) >= JUDGED_LOAD * (1 - 1e-6)


def _judged(name: str, better: str = "", says: str = "") -> Rows:
    """All meshes."""
    runs = rows(name, says=says).where(is_judged)
    runs = runs.noted(lambda c, *_: f"at PL²/EI = {round(load_parameter(c), 6):g}, {cells_across(c)} cells across")
    return runs.beside(rows(better), *SAME, says="") if better else runs


SAME = ("cells_across", "tip_force_n")
NONLINEAR = rows("nonlinear")
ELEMENT_BELOW_GLOBAL = _judged("warped_global", "warped", says="one rotation against one per element")
GLOBAL_BELOW_LINEAR = _judged("linear", "warped_global", says="linear FEM against one rotation")

below = {
    "element": M.least("element_below_global_nonlinear", gap, ELEMENT_BELOW_GLOBAL.beside(NONLINEAR, *SAME, says="")),
    "global": M.least("global_below_linear_nonlinear", gap, GLOBAL_BELOW_LINEAR.beside(NONLINEAR, *SAME, says="")),
}
M.least("element_below_global_elastica", _elastica_gap, ELEMENT_BELOW_GLOBAL)
M.largest("element_error_nonlinear", apart, _judged("warped", "nonlinear", says="one rotation per element"))
nonlinear_spread = M.largest("nonlinear_spread", apart, _judged("nonlinear_log", "nonlinear", says="neo-Hookean"))


def gap_over_spread(data: ExperimentData, which: str) -> Measured:
    """Smallest difference of two rows' distances from nonlinear elements /
    largest distance of two nonlinear laws."""
    least, spread = below[which](data), nonlinear_spread(data)
    if spread.value == 0:
        raise MissingData(f"{M.experiment} at tier {data.tier}: two nonlinear laws with the same tips")
    return Measured(least.value / spread.value, least.note)


@M("element_gap_over_spread")
def element_gap_over_spread(data: ExperimentData) -> Measured:
    """Smallest (distance from the nonlinear tip with one rotation for the body − that with one per element) /
    largest distance of two nonlinear laws, PL²/EI ≥ 2, all meshes."""
    return gap_over_spread(data, "element")


@M("global_gap_over_spread")
def global_gap_over_spread(data: ExperimentData) -> Measured:
    """Smallest (distance from the nonlinear tip of linear FEM − that with one rotation for the body) /
    largest distance of two nonlinear laws, PL²/EI ≥ 2, all meshes."""
    return gap_over_spread(data, "global")

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/large_deflection: tip of a slender cantilever under a dead load, against the
nonlinear solution on the same mesh and against the elastica.

Laws that agree with Hooke's for small strain differ by what strains of a few per cent do: their spread is what the
first reference is uncertain by. A coarse mesh of linear tetrahedra is too stiff in bending by a factor that the
linear cell of the same mesh measures; the second reference is the elastica at the load times that factor. Either way,
what is compared is the handling of rotations; against the elastica itself the stiffness of a coarse mesh decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from experiments.cross.measurements.elastica import elastica

EXPERIMENT = "mueller_gross_2004/large_deflection"
JUDGED_LOAD = 2.0  # PL²/EI from which the order of the errors is judged
JUDGED_CELLS = 4  # cells across from which it is: locking reverses the order below


def load_parameter(trace: Trace) -> float:
    """α = PL²/EI."""
    length, side, young = (
        float(trace.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m", "young_modulus_pa")
    )
    return -float(trace.value("scene.parameters.tip_force_n")[1]) * length**2 / (young * side**4 / 12)


def cells_across(trace: Trace) -> int:
    """Cubes across the beam."""
    return int(trace.value("scene.parameters.cells_across"))


@dataclass(frozen=True)
class Tip:
    """Where a tip came to rest, over the length, and where the elastica of the mesh's own stiffness puts it."""

    cells: int
    load: float
    drop: float
    reach: float
    mesh_factor: float  # linear deflection over α/3: 1 for a converged mesh
    expected: tuple[float, float]

    @property
    def error(self) -> float:
        """Distance of the tip from the elastica's, over the length."""
        return float(np.hypot(self.drop - self.expected[0], self.reach - self.expected[1]))


def tip(trace: Trace) -> tuple[float, float]:
    """(drop, reach) of the mean of the tip face over the length."""
    length = float(trace.value("scene.parameters.length_m"))
    moved = trace.values("step", "tip_displacement")[-1]
    return -float(moved[1]) / length, 1 + float(moved[0]) / length


def mesh_factors(data: ExperimentData) -> dict[int, float]:
    """Linear deflection over beam theory's α/3, by cells across. The shear part at L/a = 20 is 0.2 %."""
    return {cells_across(c): tip(c)[0] / (load_parameter(c) / 3) for c in data.some(name="linear")}


def tips(data: ExperimentData, name: str) -> list[Tip]:
    """Tip positions of all loads and meshes of a row, beside the elastica."""
    factors = mesh_factors(data)
    found = []
    for cell in data.some(name=name):
        load, factor = load_parameter(cell), factors.get(cells_across(cell))
        if factor is None or not factor > 0:
            raise MissingData(
                f"{EXPERIMENT}: no linear cell with {cells_across(cell)} cells across to measure the mesh's own stiffness at tier {data.tier}"
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
            f"{EXPERIMENT}: no cell {name} with PL²/EI ≥ {JUDGED_LOAD:g} and {JUDGED_CELLS} cells across at tier {data.tier}"
        )
    return found


def nonlinear_errors(data: ExperimentData, name: str) -> dict[tuple[int, float], float]:
    """Distances of the tips from those of St. Venant–Kirchhoff on the same mesh, over the length,
    at the judged loads; all meshes."""

    def judged(row: str) -> dict[tuple[int, float], tuple[float, float]]:
        cells = data.some(name=row, keep=lambda c: load_parameter(c) >= JUDGED_LOAD * (1 - 1e-6))
        return {(cells_across(c), round(load_parameter(c), 6)): tip(c) for c in cells}

    places, reference = judged(name), judged("nonlinear")
    if not places.keys() & reference.keys():
        raise MissingData(f"{EXPERIMENT}: no load and mesh that both {name} and nonlinear have at tier {data.tier}")
    return {k: float(np.hypot(*np.subtract(places[k], reference[k]))) for k in places.keys() & reference.keys()}


def elastica_errors(data: ExperimentData, name: str) -> dict[tuple[int, float], float]:
    """Distances of the tips from the elastica's at the load itself, over the length, at the judged loads;
    all meshes."""
    return {
        (cells_across(c), round(load_parameter(c), 6)): float(
            np.hypot(*np.subtract(tip(c), elastica(load_parameter(c))))
        )
        for c in data.some(name=name, keep=lambda c: load_parameter(c) >= JUDGED_LOAD * (1 - 1e-6))
    }


def least_gap(
    data: ExperimentData,
    worse: str,
    better: str,
    errors_of: Callable[[ExperimentData, str], dict[tuple[int, float], float]] = errors,
) -> Measured:
    """Smallest difference of two rows' tip errors, with the mesh and load it is at."""
    above, below = errors_of(data, worse), errors_of(data, better)
    gaps = {key: above[key] - below[key] for key in above.keys() & below.keys()}
    if not gaps:
        raise MissingData(f"{EXPERIMENT}: no load and mesh that both {worse} and {better} have at tier {data.tier}")
    worst = extremes.at_least(gaps)
    return Measured(gaps[worst], f"at PL²/EI = {worst[1]:g}, {worst[0]} cells across")


@measurement("large_deflection.element_below_global", unit="1", experiment=EXPERIMENT)
def element_below_global(data: ExperimentData) -> Measured:
    """Tip error over the length with one rotation for the body minus that with one rotation per element; smallest over
    the loads with PL²/EI ≥ 2, at least four cells across."""
    return least_gap(data, "warped_global", "warped")


@measurement("large_deflection.global_below_linear", unit="1", experiment=EXPERIMENT)
def global_below_linear(data: ExperimentData) -> Measured:
    """Tip error over the length of linear FEM minus that with one rotation for the body; smallest over the loads with
    PL²/EI ≥ 2, at least four cells across."""
    return least_gap(data, "linear", "warped_global")


@measurement("large_deflection.element_error_max", unit="1", experiment=EXPERIMENT)
def element_error_max(data: ExperimentData) -> float:
    """Largest tip error over the length with one rotation per element, PL²/EI ≥ 2, at least four cells across."""
    return float(np.max(list(errors(data, "warped").values())))


@measurement("large_deflection.global_error_max", unit="1", experiment=EXPERIMENT)
def global_error_max(data: ExperimentData) -> float:
    """Largest tip error over length with one rotation for the body, PL²/EI ≥ 2, at least four cells across."""
    return float(np.max(list(errors(data, "warped_global").values())))


@measurement("large_deflection.linear_error_max", unit="1", experiment=EXPERIMENT)
def linear_error_max(data: ExperimentData) -> float:
    """Largest tip error over length of linear FEM, PL²/EI ≥ 2, at least four cells across."""
    return float(np.max(list(errors(data, "linear").values())))


@measurement("large_deflection.element_below_global_nonlinear", unit="1", experiment=EXPERIMENT)
def element_below_global_nonlinear(data: ExperimentData) -> Measured:
    """Distance of the tip from that of nonlinear elements on the same mesh, over the length, with one rotation for the body
    minus that with one rotation per element; smallest over all meshes and the loads with PL²/EI ≥ 2."""
    return least_gap(data, "warped_global", "warped", nonlinear_errors)


@measurement("large_deflection.global_below_linear_nonlinear", unit="1", experiment=EXPERIMENT)
def global_below_linear_nonlinear(data: ExperimentData) -> Measured:
    """Distance of the tip from that of nonlinear elements on the same mesh, over the length, of linear FEM minus that with one
    rotation for the body; smallest over all meshes and the loads with PL²/EI ≥ 2."""
    return least_gap(data, "linear", "warped_global", nonlinear_errors)


@measurement("large_deflection.element_below_global_elastica", unit="1", experiment=EXPERIMENT)
def element_below_global_elastica(data: ExperimentData) -> Measured:
    """Distance of the tip from that of the elastica, over the length, with one rotation for the body minus that with one rotation
    per element, the stiffness that the mesh adds included; smallest over all meshes and the loads with PL²/EI ≥ 2."""
    return least_gap(data, "warped_global", "warped", elastica_errors)


@measurement("large_deflection.element_error_nonlinear", unit="1", experiment=EXPERIMENT)
def element_error_nonlinear(data: ExperimentData) -> Measured:
    """Largest distance of the tip from that of nonlinear elements (St. Venant–Kirchhoff) on the same mesh, over the length, with
    one rotation per element, PL²/EI ≥ 2."""
    return extremes.largest(
        {f"PL²/EI = {k[1]:g}, {k[0]} cells": v for k, v in nonlinear_errors(data, "warped").items()}
    )


@measurement("large_deflection.nonlinear_spread", unit="1", experiment=EXPERIMENT)
def nonlinear_spread(data: ExperimentData) -> Measured:
    """Largest distance between the tips of two nonlinear laws with the same Lamé parameters, St. Venant–Kirchhoff and
    neo-Hookean, on the same mesh, over the length, PL²/EI ≥ 2."""
    found = nonlinear_errors(data, "nonlinear_log")
    return extremes.largest({f"PL²/EI = {k[1]:g}, {k[0]} cells": v for k, v in found.items()})


def gap_over_spread(data: ExperimentData, worse: str, better: str) -> Measured:
    """Smallest difference of two rows' distances from nonlinear elements,
    over the largest distance of two nonlinear laws."""
    gap, spread = least_gap(data, worse, better, nonlinear_errors), nonlinear_spread(data)
    if spread.value == 0:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: two nonlinear laws with the same tips")
    return Measured(gap.value / spread.value, gap.note)


@measurement("large_deflection.element_gap_over_spread", unit="1", experiment=EXPERIMENT)
def element_gap_over_spread(data: ExperimentData) -> Measured:
    """Distance of the tip from that of nonlinear elements on the same mesh, with one rotation for the body minus that with one
    rotation per element, over the largest distance of two nonlinear laws; smallest over all meshes and the loads with PL²/EI ≥ 2.
    """
    return gap_over_spread(data, "warped_global", "warped")


@measurement("large_deflection.global_gap_over_spread", unit="1", experiment=EXPERIMENT)
def global_gap_over_spread(data: ExperimentData) -> Measured:
    """Distance of the tip from that of nonlinear elements on the same mesh, of linear FEM minus that with one rotation for the
    body, over the largest distance of two nonlinear laws; smallest over all meshes and the loads with PL²/EI ≥ 2."""
    return gap_over_spread(data, "linear", "warped_global")

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/plastic_matrix_unchanged: flow adds to the right-hand side only ([MG04] eq. 16).
The matrix is the one that the step solved with; that of row k was assembled at the positions of row k − 1."""

import numpy as np

from deformbench_analysis.corotational import Body, State, step_matrix
from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, extremes, quantity, rows

M = Measures("mueller_gross_2004/plastic_matrix_unchanged")


def matrices(trace: Trace) -> Array:
    """A of every step, [step, 3n, 3n], kg; the first row of the trace, before any step, is left out."""
    return np.asarray(trace.values("frame", "solved_matrix")[1:])


def same_positions(first: Trace, second: Trace) -> Array:
    """Mask of the steps that begin at bitwise equal positions in both runs."""
    a, b = (t.values("frame", "positions")[:-1] for t in (first, second))
    return np.asarray((a == b).all(axis=(1, 2)))


@quantity("difference of an entry of the step's matrix, steps that begin at bitwise equal positions", unit="kg")
def matrix_difference(elastic: Trace, plastic: Trace) -> Array:
    """Per step that begins at equal positions."""
    same = same_positions(elastic, plastic)
    if not same.any():
        raise MissingData(f"{M.experiment}: no step begins at the same positions in both runs")
    return np.asarray(np.abs(matrices(elastic)[same] - matrices(plastic)[same]))


@quantity("component of plastic strain in steps that begin at bitwise equal positions")
def flow(elastic: Trace, plastic: Trace) -> float:
    """With none, equal matrices would show nothing."""
    same = same_positions(elastic, plastic)
    strains = np.abs(plastic.values("frame", "element_plastic_strains")[1:]).max(axis=(1, 2))
    return float(strains[same].max()) if same.any() else 0.0


@quantity("largest difference of an entry of the step's matrix / largest entry, all steps")
def later_difference(elastic: Trace, plastic: Trace) -> float:
    """Positions are equal up to the rounding of the solves."""
    a, b = matrices(elastic), matrices(plastic)
    return float(np.abs(a - b).max() / np.abs(a).max())


@quantity(
    "difference of an entry between the step's matrix and (1 + αΔt) M + Δt² K′ by the analysis / the largest entry"
)
def assembly_difference(trace: Trace) -> Array:
    """Per step, with the matrix assembled without flow."""
    values: list[float] = []
    body = Body.of(trace)
    density, time_step = (trace.number(n) for n in ("density_kg_m3", "time_step_s"))
    damped = 1 + time_step * trace.setting("mass_damping_1_s")
    masses = np.repeat(body.masses(density, len(body.rest)), 3)
    for x, found in zip(trace.values("frame", "positions"), matrices(trace)):
        expected = step_matrix(
            body, State(x, np.zeros_like(x), body.tetrahedra), density, time_step
        ).toarray() + np.diag((damped - 1) * masses)
        values.append(float(np.abs(found - expected).max() / np.abs(expected).max()))
    return extremes.finite(values, trace.label)


def force_change(elastic: Trace, plastic: Trace) -> float:
    """Largest difference of the elastic force on a vertex / largest force, last row."""
    without, with_flow = (t.values("frame", "elastic_forces")[-1] for t in (elastic, plastic))
    return float(np.linalg.norm(with_flow - without, axis=1).max() / np.linalg.norm(without, axis=1).max())


def condition_difference(elastic: Trace, plastic: Trace) -> Array:
    """Relative difference of the condition numbers of the matrices that the steps solved with, free vertices."""
    numbers = []
    for cell in (elastic, plastic):
        free = np.ones(len(cell.scene("rest_positions")), dtype=bool)
        free[cell.scene("prescribed_vertices")] = False
        places = np.repeat(free, 3)
        numbers.append(np.linalg.cond(matrices(cell)[:, places][:, :, places]))
    return np.asarray(np.abs(numbers[1] / numbers[0] - 1))


PAIR = rows("elastic", says="runs without and with flow").beside(rows("plastic"), says="")

M.only("matrix_difference", matrix_difference, PAIR)
M.only("flowed_at_same_positions", flow, PAIR)
M.only("later_matrix_difference", later_difference, PAIR)
M.largest(
    "assembly_difference",
    assembly_difference,
    rows("elastic", "plastic", says="runs with and without flow").noted(lambda _: ""),
)
M.only("force_change", force_change, PAIR)
M.only("solved_condition_difference", condition_difference, PAIR)

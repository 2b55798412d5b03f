# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/plastic_matrix_unchanged: flow adds to the right-hand side only ([MG04] eq. 16). The matrix
is the one that the step solved with; that of row k was assembled at the positions of row k − 1."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...corotational import Body, State, step_matrix
from ...errors import MissingData
from ...measurement import measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/plastic_matrix_unchanged"


def pair(data: ExperimentData) -> tuple[Trace, Trace]:
    """(without, with) flow."""
    return data.one(name="elastic"), data.one(name="plastic")


def matrices(trace: Trace) -> Array:
    """A of every step, [step, 3n, 3n], kg; the first row of the trace, before any step, is left out."""
    return np.asarray(trace.values("frame", "solved_matrix")[1:])


def same_positions(first: Trace, second: Trace) -> Array:
    """Of every step whether it began at the same positions in both runs, to the last bit."""
    a, b = (t.values("frame", "positions")[:-1] for t in (first, second))
    return np.asarray((a == b).all(axis=(1, 2)))


@measurement("plastic_matrix_unchanged.matrix_difference", unit="kg", experiment=EXPERIMENT)
def matrix_difference(data: ExperimentData) -> float:
    """Largest difference of any entry of the step's matrix between the runs with and without flow, steps that begin at
    the same positions to the last bit."""
    elastic, plastic = pair(data)
    same = same_positions(elastic, plastic)
    if not same.any():
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: no step begins at the same positions in both runs")
    return float(np.abs(matrices(elastic)[same] - matrices(plastic)[same]).max())


@measurement("plastic_matrix_unchanged.flowed_at_same_positions", unit="1", experiment=EXPERIMENT)
def flowed_at_same_positions(data: ExperimentData) -> float:
    """Largest component of plastic strain in the steps that begin at the same positions, to the last bit, with and
    without flow: with none, equal matrices would show nothing."""
    elastic, plastic = pair(data)
    same = same_positions(elastic, plastic)
    strains = np.abs(plastic.values("frame", "element_plastic_strains")[1:]).max(axis=(1, 2))
    return float(strains[same].max()) if same.any() else 0.0


@measurement("plastic_matrix_unchanged.later_matrix_difference", unit="1", experiment=EXPERIMENT)
def later_matrix_difference(data: ExperimentData) -> float:
    """Largest difference of any entry of the step's matrix between the runs with and without flow over the largest
    entry, all steps; positions are equal up to the rounding of the solves."""
    elastic, plastic = pair(data)
    a, b = matrices(elastic), matrices(plastic)
    return float(np.abs(a - b).max() / np.abs(a).max())


@measurement("plastic_matrix_unchanged.assembly_difference", unit="1", experiment=EXPERIMENT)
def assembly_difference(data: ExperimentData) -> float:
    """Largest difference of any entry between the step's matrix and (1 + αΔt) M + Δt² K′ assembled by the analysis
    without flow, over the largest entry, all steps of the runs with and without flow."""
    values: list[float] = []
    for cell in pair(data):
        body = Body.of(cell)
        density, time_step = (float(cell.value(f"scene.parameters.{n}")) for n in ("density_kg_m3", "time_step_s"))
        damped = 1 + time_step * float(cell.value("method.parameters.mass_damping_1_s"))
        masses = np.repeat(body.masses(density, len(body.rest)), 3)
        for x, found in zip(cell.values("frame", "positions"), matrices(cell)):
            expected = step_matrix(
                body, State(x, np.zeros_like(x), body.tetrahedra), density, time_step
            ).toarray() + np.diag((damped - 1) * masses)
            values.append(float(np.abs(found - expected).max() / np.abs(expected).max()))
    return float(extremes.finite(values, EXPERIMENT).max())


@measurement("plastic_matrix_unchanged.force_change", unit="1", experiment=EXPERIMENT)
def force_change(data: ExperimentData) -> float:
    """Largest difference of the elastic force on a vertex between the runs with and without flow over the largest
    force, last row: what flow adds to the right-hand side."""
    elastic, plastic = (t.values("frame", "elastic_forces")[-1] for t in pair(data))
    return float(np.linalg.norm(plastic - elastic, axis=1).max() / np.linalg.norm(elastic, axis=1).max())


@measurement("plastic_matrix_unchanged.solved_condition_difference", unit="1", experiment=EXPERIMENT)
def solved_condition_difference(data: ExperimentData) -> float:
    """Largest relative difference, between the runs with and without flow, of the condition numbers of the matrices
    that the steps solved with, free vertices."""
    numbers = []
    for cell in pair(data):
        free = np.ones(len(cell.scene("rest_positions")), dtype=bool)
        free[cell.scene("prescribed_vertices")] = False
        rows = np.repeat(free, 3)
        numbers.append(np.linalg.cond(matrices(cell)[:, rows][:, :, rows]))
    return float(np.abs(numbers[1] / numbers[0] - 1).max())

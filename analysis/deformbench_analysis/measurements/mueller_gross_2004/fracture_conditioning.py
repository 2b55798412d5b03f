# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/fracture_conditioning: the step's matrix while a bar breaks, against the
closed form `split_condition_growth`."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...mesh import shortest_edge
from ...results import ExperimentData
from ...trace import Trace
from .split_events import split_total

EXPERIMENT = "mueller_gross_2004/fracture_conditioning"


def condition(trace: Trace) -> Array:
    """Condition number of every row, all eigenvalues converged."""
    if not np.all(trace.values("operator", "operator_converged") == 1):
        raise MissingData(f"{EXPERIMENT}: {trace.label}: an eigenvalue did not converge")
    return np.asarray(trace.values("operator", "condition_number"))


def smallest_mass(trace: Trace) -> Array:
    """Smallest nodal mass of every row, kg: the bound's numerator over the bound."""
    return np.asarray(trace.values("operator", "lambda_max_bound") / trace.values("operator", "condition_bound"))


@measurement("fracture_conditioning.bound_ratio_max", unit="1", experiment=EXPERIMENT)
def bound_ratio_max(data: ExperimentData) -> float:
    """Largest condition number of the step's matrix over (m_max + Δt²Λ)/m_min′, m_max the largest vertex mass and Λ
    the largest Σ λ_max(K_e) at a vertex before any split, m_min′ the smallest vertex mass after the splits."""
    return float(
        np.max(
            [
                float((condition(c) * smallest_mass(c) / c.values("operator", "lambda_max_bound")[0]).max())
                for c in data.some()
            ]
        )
    )


@measurement("fracture_conditioning.growth_max", unit="1", experiment=EXPERIMENT)
def growth_max(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix over that before the first split, all time steps and loads."""
    growth = {c: float(condition(c).max() / condition(c)[0]) for c in data.some()}
    return extremes.largest(growth)


def stiffness_number(trace: Trace) -> float:
    """Δt²E/(ρh²), h the shortest edge: how far stiffness outweighs mass in the step's matrix."""
    young, density, time_step = (
        float(trace.value(f"scene.parameters.{n}")) for n in ("young_modulus_pa", "density_kg_m3", "time_step_s")
    )
    return (
        time_step**2
        * young
        / (density * shortest_edge(trace.scene("rest_positions"), trace.scene("tetrahedra")) ** 2)
    )


STIFF = 0.15  # Δt²E/(ρh²) up to which mass decides the condition number
FEW = 0.25  # splits per vertex of the unbroken mesh: most vertices then keep the mass that they had


def splits_per_vertex(trace: Trace) -> Array:
    """Splits so far over the vertices of the unbroken mesh, at the rows of the condition number."""
    splits, operator = trace.series("step", "split_count"), trace.series("operator", "condition_number")
    at = np.searchsorted(splits.step, operator.step)
    if not np.array_equal(splits.step[np.minimum(at, len(splits.step) - 1)], operator.step):
        raise MissingData(f"{EXPERIMENT}: {trace.label}: no number of splits beside a condition number")
    return np.asarray(splits.values[at] / len(trace.scene("rest_positions")))


def few_splits(data: ExperimentData) -> dict[Trace, Array]:
    """Runs with Δt²E/(ρh²) ≤ 0.15 → which of their rows have 1 to 0.25 n splits, n the number of vertices at the start."""
    found = {}
    for trace in data.every(keep=lambda c: stiffness_number(c) <= STIFF):
        share = splits_per_vertex(trace)
        found[trace] = (share > 0) & (share <= FEW * (1 + 1e-9))
    return found


@measurement("fracture_conditioning.growth_in_regime", unit="1", experiment=EXPERIMENT)
def growth_in_regime(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix over that before the first split, Δt²E/(ρh²) ≤ 0.15 with h the
    shortest edge, while at most 0.25 splits per vertex of the unbroken mesh have been made."""
    rows = few_splits(data)
    growth = {c: float((condition(c)[at] / condition(c)[0]).max()) for c, at in rows.items() if at.any()}
    worst = extremes.at_largest(growth)
    return Measured(growth[worst], f"{worst.label}; {len(growth)} runs")


@measurement("fracture_conditioning.growth_by_more_splits", unit="1", experiment=EXPERIMENT)
def growth_by_more_splits(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix over that before the first split, Δt²E/(ρh²) ≤ 0.15 with h the
    shortest edge, however many splits."""
    cells = data.every(keep=lambda c: stiffness_number(c) <= STIFF)
    growth = {c: float(condition(c).max() / condition(c)[0]) for c in cells}
    worst = extremes.at_largest(growth)
    return Measured(growth[worst], f"{worst.label}; {splits_per_vertex(worst)[-1]:.2g} splits per vertex at the end")


@measurement("fracture_conditioning.splits_in_regime", unit="1", experiment=EXPERIMENT)
def splits_in_regime(data: ExperimentData) -> float:
    """Number of vertex splits in all runs with Δt²E/(ρh²) ≤ 0.15, h the shortest edge, up to 0.25 splits per vertex of
    the unbroken mesh."""
    return float(
        sum(
            float((splits_per_vertex(c)[at]).max(initial=0.0)) * len(c.scene("rest_positions"))
            for c, at in few_splits(data).items()
        )
    )


@measurement("fracture_conditioning.mass_ratio_max", unit="1", experiment=EXPERIMENT)
def mass_ratio_max(data: ExperimentData) -> float:
    """Smallest vertex mass before the first split over the smallest after it, largest over the runs: the factor by
    which the bound on the condition number may grow."""
    return float(np.max([float(smallest_mass(c)[0] / smallest_mass(c).min()) for c in data.some()]))


@measurement("fracture_conditioning.splits", unit="1", experiment=EXPERIMENT)
def splits(data: ExperimentData) -> float:
    """Number of vertex splits, all runs together."""
    return float(sum(split_total(c) for c in data.some()))

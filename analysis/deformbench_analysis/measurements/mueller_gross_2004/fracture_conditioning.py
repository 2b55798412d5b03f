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
    """Largest condition number of the step's matrix over that before the first split, all time steps."""
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


STIFF = 0.15  # Δt²E/(ρh²) up to which the growth in the regime is judged


@measurement("fracture_conditioning.growth_in_regime", unit="1", experiment=EXPERIMENT)
def growth_in_regime(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix over that before the first split, runs with Δt²E/(ρh²) ≤ 0.15, h
    the shortest edge, in which a vertex split."""
    cells = data.some(keep=lambda c: stiffness_number(c) <= STIFF and split_total(c) > 0)
    growth = {c.label: float(condition(c).max() / condition(c)[0]) for c in cells}
    worst = extremes.at_largest(growth)
    return Measured(
        growth[worst],
        f"{worst}; {len(cells)} runs, Δt²E/(ρh²) up to {np.max([stiffness_number(c) for c in cells]):.2g}",
    )


@measurement("fracture_conditioning.splits_in_regime", unit="1", experiment=EXPERIMENT)
def splits_in_regime(data: ExperimentData) -> float:
    """Number of vertex splits in all runs with Δt²E/(ρh²) ≤ 0.15, h the shortest edge."""
    return float(sum(split_total(c) for c in data.some(keep=lambda c: stiffness_number(c) <= STIFF)))


@measurement("fracture_conditioning.mass_ratio_max", unit="1", experiment=EXPERIMENT)
def mass_ratio_max(data: ExperimentData) -> float:
    """Smallest vertex mass before the first split over the smallest after it, largest over the runs: the factor by
    which the bound on the condition number may grow."""
    return float(np.max([float(smallest_mass(c)[0] / smallest_mass(c).min()) for c in data.some()]))


@measurement("fracture_conditioning.splits", unit="1", experiment=EXPERIMENT)
def splits(data: ExperimentData) -> float:
    """Number of vertex splits, all runs together."""
    return float(sum(split_total(c) for c in data.some()))

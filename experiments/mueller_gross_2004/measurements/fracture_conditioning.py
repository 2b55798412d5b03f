# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/fracture_conditioning: the step's matrix while a bar breaks, against the
closed form `split_condition_growth`."""

import numpy as np

from deformbench_analysis.mesh import shortest_edge
from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, MissingData, Trace
from deformbench_analysis.vocabulary import extremes, quantity
from .split_events import split_total

M = Measures("mueller_gross_2004/fracture_conditioning")


def condition(trace: Trace) -> Array:
    """Condition number of every row, all eigenvalues converged."""
    if not np.all(trace.values("operator", "operator_converged") == 1):
        raise trace.missing("an eigenvalue did not converge")
    return np.asarray(trace.values("operator", "condition_number"))


def smallest_mass(trace: Trace) -> Array:
    """Smallest nodal mass of every row, kg: the bound's numerator / the bound."""
    return np.asarray(trace.values("operator", "lambda_max_bound") / trace.values("operator", "condition_bound"))


def stiffness_number(trace: Trace) -> float:
    """Δt²E/(ρh²), h the shortest edge: how far stiffness outweighs mass in the step's matrix."""
    young, density, time_step = (trace.number(n) for n in ("young_modulus_pa", "density_kg_m3", "time_step_s"))
    return (
        time_step**2
        * young
        / (density * shortest_edge(trace.scene("rest_positions"), trace.scene("tetrahedra")) ** 2)
    )


STIFF = 0.15  # Δt²E/(ρh²) up to which mass decides the condition number
FEW = 0.25  # splits per vertex of the unbroken mesh: most vertices then keep the mass that they had


def splits_per_vertex(trace: Trace) -> Array:
    """Splits so far per vertex of the unbroken mesh, at the rows of the condition number."""
    splits, operator = trace.series("step", "split_count"), trace.series("operator", "condition_number")
    at = np.searchsorted(splits.step, operator.step)
    if not np.array_equal(splits.step[np.minimum(at, len(splits.step) - 1)], operator.step):
        raise trace.missing("no number of splits beside a condition number")
    return np.asarray(splits.values[at] / len(trace.scene("rest_positions")))


def is_soft(trace: Trace) -> bool:
    """Δt²E/(ρh²) ≤ 0.15."""
    return stiffness_number(trace) <= STIFF


@quantity("condition number of the step's matrix / that before the first split")
def growth(trace: Trace) -> Array:
    """Per recorded step."""
    return np.asarray(condition(trace) / condition(trace)[0])


@quantity(
    "condition number / ((m_max + Δt²Λ)/m_min′), m_max and Λ before any split, m_min′ the smallest mass after splits"
)
def bound_ratio(trace: Trace) -> Array:
    """Λ the largest Σ λ_max(K_e) at a vertex."""
    return np.asarray(condition(trace) * smallest_mass(trace) / trace.values("operator", "lambda_max_bound")[0])


def mass_ratio(trace: Trace) -> float:
    """Smallest vertex mass before the first split / smallest after it."""
    return float(smallest_mass(trace)[0] / smallest_mass(trace).min())


UNNAMED = EVERY_RUN.noted(lambda _: "")
SOFT = EVERY_RUN.having(is_soft)

bound_ratio_max = M.largest("bound_ratio_max", bound_ratio, UNNAMED)
growth_max = M.largest("growth_max", growth)
M.largest(
    "growth_by_more_splits",
    growth,
    SOFT.noted(lambda c: f"{c.label}; {splits_per_vertex(c)[-1]:.2g} splits per vertex at the end"),
)
mass_ratio_max = M.largest("mass_ratio_max", mass_ratio, UNNAMED)
splits = M.total("splits", quantity("number of vertex splits")(split_total))


def few_splits(data: ExperimentData) -> dict[Trace, Array]:
    """Runs with Δt²E/(ρh²) ≤ 0.15 → which of their rows have 1 to 0.25 n splits,
    n the number of vertices at the start."""
    found = {}
    for (trace,), _ in SOFT.units(data):
        share = splits_per_vertex(trace)
        found[trace] = (share > 0) & (share <= FEW * (1 + 1e-9))
    if not found:
        raise MissingData(f"{M.experiment} at tier {data.tier}: no run with Δt²E/(ρh²) ≤ {STIFF:g}")
    return found


@M("growth_in_regime")
def growth_in_regime(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix / that before the first split, Δt²E/(ρh²) ≤ 0.15 (h the shortest
    edge), at most 0.25 splits per vertex of the unbroken mesh."""
    found = {c: float(growth(c)[at].max()) for c, at in few_splits(data).items() if at.any()}
    worst = extremes.at_largest(found)
    return Measured(found[worst], f"{worst.label}; {len(found)} runs")


@M("splits_in_regime")
def splits_in_regime(data: ExperimentData) -> float:
    """Number of vertex splits in all runs with Δt²E/(ρh²) ≤ 0.15, h the shortest edge, up to 0.25 splits per initial
    vertex."""
    return float(
        sum(
            float((splits_per_vertex(c)[at]).max(initial=0.0)) * len(c.scene("rest_positions"))
            for c, at in few_splits(data).items()
        )
    )

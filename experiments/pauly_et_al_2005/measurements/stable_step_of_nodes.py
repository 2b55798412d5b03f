# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/stable_step_of_nodes: the largest stable step of clouds at rest,
bracketed by runs."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
from scipy.sparse.linalg import eigsh

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.explicit_steps import grows, step
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.moving_least_squares import stiffness_products
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .clouds import frame, seeds, spacing, stored_operator, wave_speeds

EXPERIMENT = "pauly_et_al_2005/stable_step_of_nodes"
CLOUD = ("sampling", "jitter", "seed", "nodes_across")


def limit(trace: Trace) -> float:
    """2/ω_max of the cloud at rest, s, by the analysis from what the method stored."""
    matrix = stored_operator(trace, frame(trace, seeds(trace)[0]), stiffness_products)
    start = np.cos(np.arange(matrix.shape[0]) ** 2)  # the same in every run
    return 2 / float(np.sqrt(eigsh(matrix, k=1, which="LA", v0=start, return_eigenvectors=False)[0]))


def by_cloud(data: ExperimentData) -> dict[str, list[Trace]]:
    """Runs of the same cloud; MissingData where one neither completed nor diverged."""
    found: dict[str, list[Trace]] = defaultdict(list)
    for cell in data.some(status=None):
        if cell.status not in ("completed", "diverged"):
            raise MissingData(f"{cell.label}: {cell.status}")
        found[", ".join(f"{n}={cell.value(f'scene.parameters.{n}')}" for n in CLOUD)].append(cell)
    return found


def stable_part(cells: list[Trace]) -> float:
    """Largest step of them that stays over 2/ω_max; 0 where none does."""
    return max((step(c) / limit(c) for c in cells if not grows(c)), default=0.0)


def unstable_part(cells: list[Trace]) -> float:
    """Least step of them that grows over 2/ω_max; infinite where none does."""
    return min((step(c) / limit(c) for c in cells if grows(c)), default=math.inf)


@measurement("stable_step_of_nodes.largest_stable", unit="1", experiment=EXPERIMENT)
def largest_stable(data: ExperimentData) -> Measured:
    """Largest step of leap-frog that does not grow over 2/ω_max of the cloud at rest, eigenvalues by the analysis; the least cloud."""
    return extremes.least({k: stable_part(c) for k, c in by_cloud(data).items()})


@measurement("stable_step_of_nodes.smallest_unstable", unit="1", experiment=EXPERIMENT)
def smallest_unstable(data: ExperimentData) -> Measured:
    """Smallest step of leap-frog that grows over 2/ω_max of the cloud at rest; the largest cloud."""
    return extremes.largest({k: unstable_part(c) for k, c in by_cloud(data).items()})


@measurement("stable_step_of_nodes.clouds", unit="1", experiment=EXPERIMENT)
def clouds(data: ExperimentData) -> float:
    """Number of clouds whose limit is bracketed."""
    return float(len(by_cloud(data)))


def courant(cells: list[Trace]) -> float:
    """Δt c_p/Δ at the limit, Δ the spacing of the coarser nodes."""
    return limit(cells[0]) * wave_speeds(cells[0])[0] / spacing(cells[0])


@measurement("stable_step_of_nodes.courant_least", unit="1", experiment=EXPERIMENT)
def courant_least(data: ExperimentData) -> Measured:
    """Least Δt c_p/Δ at the limit, clouds of one size moved at random."""
    found = {
        k: courant(c)
        for k, c in by_cloud(data).items()
        if _one_size(c[0]) and float(c[0].value("scene.parameters.jitter")) > 0
    }
    return extremes.least(found)


@measurement("stable_step_of_nodes.courant_of_lattice", unit="1", experiment=EXPERIMENT)
def courant_of_lattice(data: ExperimentData) -> Measured:
    """Δt c_p/Δ at the limit of a lattice."""
    found = {k: courant(c) for k, c in by_cloud(data).items() if float(c[0].value("scene.parameters.jitter")) == 0}
    return extremes.least(found)


@measurement("stable_step_of_nodes.courant_of_two_sizes", unit="1", experiment=EXPERIMENT)
def courant_of_two_sizes(data: ExperimentData) -> Measured:
    """Least Δt c_p/Δ at the limit of clouds of two sizes of cells, Δ the finer spacing."""
    return extremes.least({k: 2 * courant(c) for k, c in by_cloud(data).items() if not _one_size(c[0])})


def _one_size(cell: Trace) -> bool:
    return bool(cell.value("scene.parameters.sampling") == "one_size")

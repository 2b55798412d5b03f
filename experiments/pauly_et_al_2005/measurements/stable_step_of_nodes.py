# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/stable_step_of_nodes: the largest stable step of clouds at rest,
bracketed by runs."""

import math

from deformbench_analysis.explicit_steps import grows, step
from deformbench_analysis.moving_least_squares import stiffness_products
from deformbench_analysis.vocabulary import EVERY_RUN, Measures, MissingData, Trace, quantity
from .clouds import frame, seeds, spacing, stored_operator, wave_speeds
from .fragments import stable_step
from .spurious_modes import is_jittered

M = Measures("pauly_et_al_2005/stable_step_of_nodes")
CLOUD = ("sampling", "jitter", "seed", "nodes_across")


def limit(trace: Trace) -> float:
    """2/ω_max of the cloud at rest, s, by the analysis from what the method stored."""
    return stable_step(stored_operator(trace, frame(trace, seeds(trace)[0]), stiffness_products))


def cloud(trace: Trace) -> str:
    """Cloud of a run that completed or diverged."""
    if trace.status not in ("completed", "diverged"):
        raise MissingData(f"{trace.label}: {trace.status}")
    return ", ".join(f"{n}={trace.value(f'scene.parameters.{n}')}" for n in CLOUD)


@quantity("largest stable leap-frog step relative to 2/ω_max of the cloud at rest")
def stable_part(*runs: Trace) -> float:
    """0 where all grow."""
    return max((step(c) / limit(c) for c in runs if not grows(c)), default=0.0)


@quantity("smallest unstable leap-frog step relative to 2/ω_max of a cloud at rest")
def unstable_part(*runs: Trace) -> float:
    """Infinite where none grows."""
    return min((step(c) / limit(c) for c in runs if grows(c)), default=math.inf)


@quantity("Δt c_p/Δ at the limit")
def _courant(*runs: Trace) -> float:
    return limit(runs[0]) * wave_speeds(runs[0])[0] / spacing(runs[0])


@quantity("Δt c_p/Δ at the limit, Δ the finer spacing")
def _finer_courant(*runs: Trace) -> float:
    return 2 * float(_courant(*runs))


def is_of_one_size(trace: Trace) -> bool:
    """Cells of one size."""
    return bool(trace.value("scene.parameters.sampling") == "one_size")


def is_of_two_sizes(trace: Trace) -> bool:
    """Cells of two sizes."""
    return not is_of_one_size(trace)


RUNS = EVERY_RUN.however_ended("runs beyond the limit may diverge")
CLOUDS = RUNS.grouped(cloud, says="by cloud")
LATTICES = RUNS.where(jitter=0.0, says="lattices")

M.least("largest_stable", stable_part, CLOUDS)
M.largest("smallest_unstable", unstable_part, CLOUDS)
M.count("clouds", CLOUDS)
M.least("courant_least", _courant, CLOUDS.where(is_of_one_size, is_jittered, says="cells of one size, jittered"))
M.least("courant_of_lattice", _courant, LATTICES.grouped(cloud, says=""))
M.least("courant_of_two_sizes", _finer_courant, CLOUDS.where(is_of_two_sizes))

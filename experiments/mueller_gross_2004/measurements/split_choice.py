# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/split_choice: which corner of an element is chosen when it has no crack tip."""

import numpy as np
from scipy.special import chdtrc

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, MissingData, Trace, measurement
from .split_events import choices

EXPERIMENT = "mueller_gross_2004/split_choice"


def corner_counts(trace: Trace) -> Array:
    """How often each corner of the element was the first choice of a seed. One split per step: a seed's choices
    in the first step with any end with its split."""
    found = choices(trace)
    if not found:
        raise MissingData(f"{EXPERIMENT}: {trace.label}: nothing was chosen")
    first_step = min(c.step for c in found)
    tetrahedra = trace.scene("tetrahedra")
    counts = np.zeros(4, dtype=int)
    begins = True
    for choice in (c for c in found if c.step == first_step):
        if begins:
            corner = np.flatnonzero(tetrahedra[choice.element] == choice.vertex)
            if corner.size != 1:
                raise MissingData(
                    f"{EXPERIMENT}: {trace.label}: vertex {choice.vertex} is no corner of element {choice.element}"
                )
            counts[corner.item()] += 1
        begins = choice.split
    seeds = len(trace.value("ensemble.seeds", [0]))
    if counts.sum() != seeds:
        raise MissingData(f"{EXPERIMENT}: {trace.label}: {counts.sum()} first choices of {seeds} seeds")
    return counts


@measurement("split_choice.chi_square_p", unit="1", experiment=EXPERIMENT)
def chi_square_p(data: ExperimentData) -> Measured:
    """p value of the χ² test that the first choice of every seed is uniform among the element's four corners."""
    counts = corner_counts(data.one())
    expected = counts.sum() / 4
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return Measured(float(chdtrc(3, statistic)), f"counts {', '.join(map(str, counts))}")

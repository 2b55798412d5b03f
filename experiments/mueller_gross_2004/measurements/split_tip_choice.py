# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/split_tip_choice: which crack tip of an element is split when it has several."""

import numpy as np
from scipy.special import chdtrc

from deformbench_analysis.vocabulary import EVERY_RUN, ExperimentData, Measured, Measures, MissingData, quantity
from .split_rule import replay

M = Measures("mueller_gross_2004/split_tip_choice")
LEAST_EXPECTED = 5  # of every rank: below, the χ² test is invalid (Cochran's rule)

_choices = quantity("splits in elements with several crack tips that can be split")(lambda c: len(replay(c).tip_ranks))
M.total("choices", _choices)


@M("chi_square_p")
def chi_square_p(data: ExperimentData) -> Measured:
    """p value of the χ² test that the split crack tip is uniform among the element's tips that can be split.

    Ranks are in the order of the element's corners; statistics and degrees of freedom of elements with two, three
    and four tips are added."""
    ranks = [pair for trace in EVERY_RUN.runs(data) for pair in replay(trace).tip_ranks]
    statistic, freedom, notes = 0.0, 0, []
    for tips in (2, 3, 4):
        counts = np.bincount([rank for count, rank in ranks if count == tips], minlength=tips)
        expected = counts.sum() / tips
        if expected >= LEAST_EXPECTED:
            statistic += float(((counts - expected) ** 2 / expected).sum())
            freedom += tips - 1
            notes.append(f"{tips} tips: {', '.join(map(str, counts))}")
    if freedom == 0:
        raise MissingData(f"{M.experiment} at tier {data.tier}: too few elements with several crack tips")
    return Measured(float(chdtrc(freedom, statistic)), "; ".join(notes))

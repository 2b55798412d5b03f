# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/resampling_guard: final number of nodes,
with and without a smallest support."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from . import sampled_nodes as nodes

M = Measures("pauly_et_al_2005/resampling_guard")
LEAST_SUM = 10


def ratio(cell: Trace) -> float:
    """Smallest support allowed / smallest support at the start."""
    return cell.setting("min_support_ratio")


def growth(cell: Trace) -> Array:
    """Descendants of one initial node relative to (h/h_min)³ of its support."""
    found = []
    for member in nodes.frames(cell):
        start = member[0]["node_supports"]
        count = np.bincount(member[-1]["parents"], minlength=len(start))
        found.append((count / (start / (ratio(cell) * start.min())) ** 3).max())
    return np.array(found)


@quantity("nodes in the end relative to the start")
def node_growth(cell: Trace) -> Array:
    return np.array([len(m[-1]["parents"]) / len(m[0]["parents"]) for m in nodes.frames(cell)])


@quantity("support in the end relative to the smallest allowed")
def smallest_support(cell: Trace) -> Array:
    return np.array(
        [m[-1]["node_supports"].min() / (ratio(cell) * m[0]["node_supports"].min()) for m in nodes.frames(cell)]
    )


@quantity("nodes that the last fifty of a hundred passes add")
def late_nodes(cell: Trace) -> Array:
    return np.array([len(m[-1]["parents"]) - len(m[-2]["parents"]) for m in nodes.frames(cell)])


@quantity("share of the nodes in the end whose Ω is below 10")
def left_undersampled(cell: Trace) -> Array:
    return np.array([(m[-1]["node_omega"] < LEAST_SUM).mean() for m in nodes.frames(cell)])


GUARDED = rows("guarded", says="blocks with a smallest support")
UNGUARDED = rows("unguarded", says="blocks without a smallest support")

M.largest("growth", growth, GUARDED)
M.least("smallest_support", smallest_support, GUARDED)
M.largest("late_nodes", late_nodes, GUARDED)
M.largest("guarded_growth", node_growth, GUARDED)
M.largest(
    "guarded_growth_by_the_text",
    node_growth,
    GUARDED.where(lambda c: c.number("support_ratio") > 1.9, says="supports of 2 and 2√3 spacings"),
)
M.largest("left_undersampled", left_undersampled, GUARDED)
for _name, _least, _most, _words in (
    ("", 0, 1.9, "supports of 1.6 spacings"),
    ("_by_faces", 1.9, 2.1, "supports of 2 spacings"),
    ("_by_corners", 3.4, 3.5, "supports of 2√3 spacings"),
):
    M.least(
        f"unguarded_growth{_name}",
        node_growth,
        UNGUARDED.where(lambda c, least=_least, most=_most: least < c.number("support_ratio") < most, says=_words),
    )

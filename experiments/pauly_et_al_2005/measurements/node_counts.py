# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/node_counts: Ω of nodes against the number of nodes in their supports."""

from collections.abc import Mapping

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace, rows
from .weight_field import clouds

M = Measures("pauly_et_al_2005/node_counts")


def counted(arrays: Mapping[str, Array]) -> Array:
    """Nodes within h_i of each node i, itself included, by brute force."""
    nodes, supports = arrays["node_rest_positions"], arrays["node_supports"]
    distances = np.linalg.norm(nodes[:, None] - nodes[None], axis=2)
    return np.asarray(np.sum(distances < supports[:, None], axis=1))


def difference(trace: Trace) -> Array:
    """|Ω_i − number of nodes nearer than h_i, itself among them|."""
    return np.array([np.max(np.abs(a["node_omega"] - counted(a))) for a in clouds(trace)])


def beyond_support(trace: Trace) -> int:
    """Pairs with |x_i − x_j| ≥ h_i and weight ≠ 0."""
    count = 0
    for arrays in clouds(trace):
        nodes, pairs = arrays["node_rest_positions"], arrays["pairs"]
        far = np.linalg.norm(nodes[pairs[:, 1]] - nodes[pairs[:, 0]], axis=1) >= arrays["node_supports"][pairs[:, 0]]
        count += int(np.sum(far & (arrays["pair_plain_weights"] != 0.0)))
    return count


def support_spread(trace: Trace) -> Array:
    """Largest support relative to the smallest."""
    return np.array([a["node_supports"].max() / a["node_supports"].min() for a in clouds(trace)])


def share_below(trace: Trace) -> Array:
    """Share of the nodes whose Ω is more than 1 below their count."""
    return np.array([np.mean(a["node_omega"] < counted(a) - 1.0) for a in clouds(trace)])


M.largest("difference", difference, rows("unobstructed", says="bodies without a crack in reach"))
M.largest("beyond_support", beyond_support, EVERY_RUN)
M.least("support_spread", support_spread, EVERY_RUN)
M.least("share_beside_a_crack", share_below, rows("beside_a_crack", says="clouds with a crack in reach"))

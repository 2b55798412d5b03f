# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/node_counts: Ω of nodes against the number of nodes in their supports."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .weight_field import clouds

EXPERIMENT = "pauly_et_al_2005/node_counts"


def counted(arrays: Mapping[str, Array]) -> Array:
    """Nodes nearer than h_i to every node, itself among them, by all distances."""
    nodes, supports = arrays["node_rest_positions"], arrays["node_supports"]
    distances = np.linalg.norm(nodes[:, None] - nodes[None], axis=2)
    return np.asarray(np.sum(distances < supports[:, None], axis=1))


def _difference(trace: Trace) -> float:
    return max(float(np.max(np.abs(arrays["node_omega"] - counted(arrays)))) for arrays in clouds(trace))


@measurement("node_counts.difference", unit="1", experiment=EXPERIMENT)
def difference(data: ExperimentData) -> Measured:
    """Largest |Ω_i − number of nodes nearer than h_i, itself among them| where no crack is in reach; all bodies and nodes."""
    return extremes.largest({c: _difference(c) for c in data.every(name="unobstructed")})


@measurement("node_counts.beyond_support", unit="1", experiment=EXPERIMENT)
def beyond_support(data: ExperimentData) -> Measured:
    """Pairs (i, j) with |x_i − x_j| ≥ h_i among those that count, all bodies."""

    def of(trace: Trace) -> float:
        count = 0
        for arrays in clouds(trace):
            nodes, pairs = arrays["node_rest_positions"], arrays["pairs"]
            far = (
                np.linalg.norm(nodes[pairs[:, 1]] - nodes[pairs[:, 0]], axis=1) >= arrays["node_supports"][pairs[:, 0]]
            )
            count += int(np.sum(far & (arrays["pair_plain_weights"] != 0.0)))
        return float(count)

    return extremes.largest({c: of(c) for c in data.every()})


@measurement("node_counts.support_spread", unit="1", experiment=EXPERIMENT)
def support_spread(data: ExperimentData) -> Measured:
    """Largest support over the smallest, least of the bodies."""
    return extremes.least(
        {c: min(float(a["node_supports"].max() / a["node_supports"].min()) for a in clouds(c)) for c in data.every()}
    )


@measurement("node_counts.share_beside_a_crack", unit="1", experiment=EXPERIMENT)
def share_beside_a_crack(data: ExperimentData) -> Measured:
    """Share of the nodes whose Ω is more than 1 below their count where a crack is in reach, least of the clouds: a sum of ones would
    have none."""
    return extremes.least(
        {
            c: min(float(np.mean(a["node_omega"] < counted(a) - 1.0)) for a in clouds(c))
            for c in data.every(name="beside_a_crack")
        }
    )

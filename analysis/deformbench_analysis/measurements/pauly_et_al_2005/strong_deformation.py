# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/strong_deformation: stretched blocks without cracks, and what resampling makes of them."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from . import sampled_nodes as nodes

EXPERIMENT = "pauly_et_al_2005/strong_deformation"
LEAST_SUM = 10


def stretch(trace: Trace) -> float:
    """Along x, at the start."""
    return float(trace.value("scene.parameters.stretch"))


def is_all(trace: Trace) -> bool:
    """Whether every node may be split, and not only one that a crack has taken weight from."""
    return bool(trace.value("method.parameters.resampling") == "all")


def at_rest(data: ExperimentData, trace: Trace) -> Trace:
    """The run of the same row that starts without stretch."""
    return data.one(name=trace.method_name, keep=lambda c: stretch(c) == 1 and is_all(c) == is_all(trace))


def stretched(data: ExperimentData, splits_all: bool) -> list[Trace]:
    """Runs that start stretched."""
    found = [c for c in data.every() if stretch(c) > 1 and is_all(c) == splits_all]
    if not found:
        raise MissingData(f"{EXPERIMENT}: no stretched run")
    return found


def counts(trace: Trace) -> list[list[int]]:
    """Nodes of every frame, member by member."""
    return [[len(f["node_supports"]) for f in member] for member in nodes.frames(trace)]


def neighbours(points: Array, supports: Array) -> Array:
    """Nodes within the support of each, itself among them."""
    return np.asarray(cKDTree(points).query_ball_point(points, supports, return_length=True))


def _least_deformed(trace: Trace, frame: int) -> tuple[float, float]:
    """Share of nodes with fewer than ten in the support about the nodes as they are, and the mean number there over that at rest;
    the member that has lost most."""
    found = []
    for member in nodes.frames(trace):
        arrays = member[frame]
        now = neighbours(arrays["positions"], arrays["node_supports"])
        rest = neighbours(arrays["node_rest_positions"], arrays["node_supports"])
        found.append((float(np.mean(now < LEAST_SUM)), float(now.mean() / rest.mean())))
    return max(f[0] for f in found), min(f[1] for f in found)


@measurement("strong_deformation.inserted", unit="1", experiment=EXPERIMENT)
def inserted(data: ExperimentData) -> Measured:
    """Largest number of nodes that a stretched run has more at its end than at its start, where nodes that a crack has taken weight
    from may be split; elastic and plastic."""
    return extremes.largest({c: float(max(m[-1] - m[0] for m in counts(c))) for c in stretched(data, False)})


@measurement("strong_deformation.inserted_beyond_rest", unit="1", experiment=EXPERIMENT)
def inserted_beyond_rest(data: ExperimentData) -> Measured:
    """Largest difference, in nodes inserted, of a stretched run from the same block that is not stretched, where every node may be
    split; all frames."""
    found = {}
    for cell in stretched(data, True):
        own, rest = (np.array(counts(c)) for c in (cell, at_rest(data, cell)))
        found[cell] = float(np.abs(own - rest).max())
    return extremes.largest(found)


@measurement("strong_deformation.inserted_at_rest", unit="1", experiment=EXPERIMENT)
def inserted_at_rest(data: ExperimentData) -> Measured:
    """Largest number of nodes that a run without stretch inserts where every node may be split: at corners Ω is below 10."""
    cells = [c for c in data.every() if stretch(c) == 1 and is_all(c)]
    return extremes.largest({c: float(max(m[-1] - m[0] for m in counts(c))) for c in cells})


@measurement("strong_deformation.sum_change", unit="1", experiment=EXPERIMENT)
def sum_change(data: ExperimentData) -> Measured:
    """Largest difference of Ω of a node of a stretched run from that of the same node at the start of the run without stretch."""
    found = {}
    for cell in stretched(data, False):
        reference = [m[0]["node_omega"] for m in nodes.frames(at_rest(data, cell))]
        found[cell] = max(
            float(np.abs(f["node_omega"] - r).max()) if f["node_omega"].shape == r.shape else np.inf
            for m, r in zip(nodes.frames(cell), reference, strict=True)
            for f in m
        )
    return extremes.largest(found)


@measurement("strong_deformation.plastic_strain", unit="1", experiment=EXPERIMENT)
def plastic_strain(data: ExperimentData) -> Measured:
    """Median norm of the plastic strain of the nodes at the end, least of the runs of flowing blocks that start stretched four times."""
    found = {}
    for cell in data.every(name="plastic"):
        if stretch(cell) == 4:
            found[cell] = min(
                float(np.median(np.linalg.norm(f["node_plastic_strains"], axis=(1, 2))))
                for f in nodes.last_frames(cell)
            )
    return extremes.least(found)


@measurement("strong_deformation.few_in_motion", unit="1", experiment=EXPERIMENT)
def few_in_motion(data: ExperimentData) -> Measured:
    """Share of nodes that would have fewer than ten nodes in their support if these were sought about the nodes as they are; stretched
    four times, at the start, largest. The method seeks them in the rest shape."""
    found = {c: _least_deformed(c, 0)[0] for c in stretched(data, False) if stretch(c) == 4}
    return extremes.largest(found)


@measurement("strong_deformation.few_in_rest", unit="1", experiment=EXPERIMENT)
def few_in_rest(data: ExperimentData) -> Measured:
    """Share of nodes that would have fewer than ten nodes in their support if these were sought about the nodes as they are; not stretched, at
    the start, largest."""
    found = {c: _least_deformed(c, 0)[0] for c in data.every() if stretch(c) == 1 and not is_all(c)}
    return extremes.largest(found)


@measurement("strong_deformation.neighbours_in_motion", unit="1", experiment=EXPERIMENT)
def neighbours_in_motion(data: ExperimentData) -> Measured:
    """Mean number of nodes in a support about the nodes as they are over that at rest; stretched four times, at the start, least."""
    found = {c: _least_deformed(c, 0)[1] for c in stretched(data, False) if stretch(c) == 4}
    return extremes.least(found)

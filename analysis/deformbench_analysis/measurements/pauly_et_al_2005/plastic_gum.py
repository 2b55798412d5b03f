# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/plastic_gum: how far a block has flowed as it cracks first, and what becomes of it."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .broken_solids import before_first_crack, pieces, states
from .clouds import nodes_of, seeds
from .crack_fronts import Frame

EXPERIMENT = "pauly_et_al_2005/plastic_gum"


def _of(data: ExperimentData, name: str) -> dict[str, tuple[Trace, int | None]]:
    found = {f"{c.label}, member {m}": (c, m) for c in data.every() if c.method_name == name for m in seeds(c)}
    if not found:
        raise MissingData(f"{EXPERIMENT}: no run '{name}'")
    return found


def at_first_crack(trace: Trace, member: int | None) -> tuple[Frame, Array, Array]:
    """The last state without a crack, deformation gradients of its nodes from positions, and their plastic strains, [n, 3, 3]."""
    arrays = before_first_crack(states(trace, member))
    if arrays is None:
        raise MissingData(f"{trace.label}: no crack, or one at the start")
    gradients = nodes_of(trace, arrays).deformation_gradients(arrays["positions"])
    stored = arrays.get("node_plastic_strains")
    plastic = np.zeros_like(gradients) if stored is None else stored.reshape(-1, 3, 3)
    return arrays, gradients, plastic


def elastic_strains(gradients: Array, plastic: Array) -> Array:
    """½ (FᵀF − I) − ε_p."""
    return np.asarray((np.swapaxes(gradients, 1, 2) @ gradients - np.eye(3)) / 2 - plastic)


def residual_stretch(plastic: Array) -> float:
    """√(1 + 2ε) of the largest principal plastic strain, median of all nodes: the stretch at which a node has no stress."""
    return float(np.sqrt(1 + 2 * np.median(np.linalg.eigvalsh(plastic)[:, 2])))


def total_stretch(gradients: Array) -> float:
    """Largest singular value of F, median of all nodes."""
    return float(np.median(np.linalg.svd(gradients, compute_uv=False)[:, 0]))


@measurement("plastic_gum.stretch", unit="1", experiment=EXPERIMENT)
def stretch(data: ExperimentData) -> Measured:
    """Median stretch of nodes as the first crack starts, from positions; plastic run."""
    return extremes.least({k: total_stretch(at_first_crack(c, m)[1]) for k, (c, m) in _of(data, "plastic").items()})


@measurement("plastic_gum.residual_stretch", unit="1", experiment=EXPERIMENT)
def residual(data: ExperimentData) -> Measured:
    """Median stretch at which nodes have no stress as the first crack starts, least of all plastic runs."""
    return extremes.least({k: residual_stretch(at_first_crack(c, m)[2]) for k, (c, m) in _of(data, "plastic").items()})


@measurement("plastic_gum.elastic_residual_stretch", unit="1", experiment=EXPERIMENT)
def elastic_residual(data: ExperimentData) -> Measured:
    """Median stretch at which nodes have no stress as the first crack starts, largest of all elastic runs."""
    return extremes.largest(
        {k: residual_stretch(at_first_crack(c, m)[2]) for k, (c, m) in _of(data, "elastic").items()}
    )


@measurement("plastic_gum.elastic_strain", unit="1", experiment=EXPERIMENT)
def elastic_strain(data: ExperimentData) -> Measured:
    """Median of the largest principal elastic strain as the first crack starts, largest of all plastic runs."""
    found = {}
    for key, (trace, member) in _of(data, "plastic").items():
        _, gradients, plastic = at_first_crack(trace, member)
        found[key] = float(np.median(np.linalg.eigvalsh(elastic_strains(gradients, plastic))[:, 2]))
    return extremes.largest(found)


@measurement("plastic_gum.volume", unit="1", experiment=EXPERIMENT)
def volume(data: ExperimentData) -> Measured:
    """Median of det F as the first crack starts, least of all plastic runs."""
    found = {k: float(np.median(np.linalg.det(at_first_crack(c, m)[1]))) for k, (c, m) in _of(data, "plastic").items()}
    return extremes.least(found)


@measurement("plastic_gum.inverted", unit="1", experiment=EXPERIMENT)
def inverted(data: ExperimentData) -> Measured:
    """Share of nodes with det F ≤ 0 as the first crack starts, largest of all plastic runs."""
    found = {
        k: float(np.mean(np.linalg.det(at_first_crack(c, m)[1]) <= 0)) for k, (c, m) in _of(data, "plastic").items()
    }
    return extremes.largest(found)


@measurement("plastic_gum.least_unloaded_volume", unit="1", experiment=EXPERIMENT)
def least_unloaded_volume(data: ExperimentData) -> Measured:
    """√det(I + 2ε_p), median of nodes: the volume ratio at which they have no stress, as the first crack starts; least of all plastic runs."""
    found = {}
    for key, (trace, member) in _of(data, "plastic").items():
        squares = np.linalg.det(np.eye(3) + 2 * at_first_crack(trace, member)[2])
        found[key] = float(np.sqrt(max(0.0, float(np.median(squares)))))
    return extremes.least(found)


@measurement("plastic_gum.pieces", unit="1", experiment=EXPERIMENT)
def piece_count(data: ExperimentData) -> Measured:
    """Pieces of at least four nodes at the end, least of all plastic runs."""
    found = {k: float(len(pieces(states(c, m)[-1][2]))) for k, (c, m) in _of(data, "plastic").items()}
    return extremes.least(found)

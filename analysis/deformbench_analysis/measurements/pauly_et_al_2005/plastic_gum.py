# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/plastic_gum: how far a block has flowed as it cracks first, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class Flow:
    """Deformation gradients from the first shape to one now, and left elastic stretches V_e, of every node, [n, 3, 3]."""

    total: Array
    elastic: Array

    @property
    def residual(self) -> Array:
        """V_e⁻¹ F: what would be left of a node if it were let go by itself."""
        return np.asarray(np.linalg.solve(self.elastic, self.total))

    @property
    def residual_stretches(self) -> Array:
        """Largest of every node."""
        return np.asarray(np.linalg.svd(self.residual, compute_uv=False)[:, 0])

    @property
    def stretches(self) -> Array:
        """Largest of every node as it is."""
        return np.asarray(np.linalg.svd(self.total, compute_uv=False)[:, 0])

    @property
    def elastic_strains(self) -> Array:
        """Largest principal value of ½ (V_e² − I) of every node."""
        return np.asarray((np.linalg.eigvalsh(self.elastic)[:, 2] ** 2 - 1) / 2)

    @property
    def volumes(self) -> Array:
        """det F of every node."""
        return np.asarray(np.linalg.det(self.total))


def flow_of(trace: Trace, first: Frame, now: Frame) -> Flow:
    """Both from positions: F by the neighbours of the first shape; V_e² = F' G⁻¹ F'ᵀ by those of the reference of now, in which G =
    I + 2 ε_p is stored. Nodes that came later are left out."""
    count = len(first["positions"])
    total = nodes_of(trace, first).deformation_gradients(now["positions"][:count])
    since = nodes_of(trace, now).deformation_gradients(now["positions"])[:count]
    metric = np.tile(np.eye(3), (count, 1, 1))
    if (stored := now.get("node_plastic_strains")) is not None:
        metric = metric + 2.0 * stored.reshape(-1, 3, 3)[:count]
    squares, axes = np.linalg.eigh(since @ np.linalg.solve(metric, np.swapaxes(since, 1, 2)))
    roots = np.sqrt(np.maximum(squares, 1e-12))
    return Flow(total, np.asarray(axes @ (roots[:, :, None] * np.swapaxes(axes, 1, 2))))


def _of(data: ExperimentData, name: str) -> dict[str, tuple[Trace, int | None]]:
    found = {f"{c.label}, member {m}": (c, m) for c in data.every(name=name) for m in seeds(c)}
    if not found:
        raise MissingData(f"{EXPERIMENT}: no run '{name}'")
    return found


def at_first_crack(trace: Trace, member: int | None) -> Flow:
    """The last state without a crack."""
    found = states(trace, member)
    arrays = before_first_crack(found)
    if arrays is None:
        raise MissingData(f"{trace.label}: no crack, or one at the start")
    return flow_of(trace, found[0][2], arrays)


def _flows(data: ExperimentData, name: str) -> dict[str, Flow]:
    return {k: at_first_crack(c, m) for k, (c, m) in _of(data, name).items()}


@measurement("plastic_gum.stretch", unit="1", experiment=EXPERIMENT)
def stretch(data: ExperimentData) -> Measured:
    """Median over nodes of the largest stretch as the first crack starts, from positions; least of all plastic runs."""
    return extremes.least({k: float(np.median(f.stretches)) for k, f in _flows(data, "plastic").items()})


@measurement("plastic_gum.residual_stretch", unit="1", experiment=EXPERIMENT)
def residual(data: ExperimentData) -> Measured:
    """Median over nodes of the stretch that stays when the elastic one is taken off each, as the first crack starts; least of all
    plastic runs."""
    return extremes.least({k: float(np.median(f.residual_stretches)) for k, f in _flows(data, "plastic").items()})


@measurement("plastic_gum.fixed_residual_stretch", unit="1", experiment=EXPERIMENT)
def fixed_residual(data: ExperimentData) -> Measured:
    """Median over nodes of the stretch that stays when the elastic one is taken off each, as the first crack starts; least of all runs
    that flow and keep their first reference."""
    return extremes.least({k: float(np.median(f.residual_stretches)) for k, f in _flows(data, "fixed").items()})


@measurement("plastic_gum.elastic_residual_stretch", unit="1", experiment=EXPERIMENT)
def elastic_residual(data: ExperimentData) -> Measured:
    """Median over nodes of the stretch that stays when the elastic one is taken off each, at the end of elastic runs, which do not
    crack; largest."""
    found = {}
    for key, (trace, member) in _of(data, "elastic").items():
        frames = states(trace, member)
        found[key] = float(np.median(flow_of(trace, frames[0][2], frames[-1][2]).residual_stretches))
    return extremes.largest(found)


@measurement("plastic_gum.elastic_strain", unit="1", experiment=EXPERIMENT)
def elastic_strain(data: ExperimentData) -> Measured:
    """Median over nodes of the largest principal elastic strain as the first crack starts, largest of all plastic runs."""
    return extremes.largest({k: float(np.median(f.elastic_strains)) for k, f in _flows(data, "plastic").items()})


@measurement("plastic_gum.volume", unit="1", experiment=EXPERIMENT)
def volume(data: ExperimentData) -> Measured:
    """Median of det F as the first crack starts, least of all plastic runs."""
    return extremes.least({k: float(np.median(f.volumes)) for k, f in _flows(data, "plastic").items()})


@measurement("plastic_gum.largest_volume", unit="1", experiment=EXPERIMENT)
def largest_volume(data: ExperimentData) -> Measured:
    """Median of det F as the first crack starts, largest of all plastic runs."""
    return extremes.largest({k: float(np.median(f.volumes)) for k, f in _flows(data, "plastic").items()})


@measurement("plastic_gum.inverted", unit="1", experiment=EXPERIMENT)
def inverted(data: ExperimentData) -> Measured:
    """Share of nodes with det F ≤ 0 as the first crack starts, largest of all plastic runs."""
    return extremes.largest({k: float(np.mean(f.volumes <= 0)) for k, f in _flows(data, "plastic").items()})


@measurement("plastic_gum.references", unit="1", experiment=EXPERIMENT)
def references(data: ExperimentData) -> Measured:
    """Frames in which the shape has become the reference since the frame before, until the first crack, least of all plastic runs."""
    found = {}
    for key, (trace, member) in _of(data, "plastic").items():
        frames = [a for _, _, a in states(trace, member)]
        until = [a["node_rest_positions"] for a in frames if len(a["crack_triangles"]) == 0]
        found[key] = float(sum(not np.array_equal(a, b) for a, b in zip(until, until[1:])))
    return extremes.least(found)


@measurement("plastic_gum.pieces", unit="1", experiment=EXPERIMENT)
def piece_count(data: ExperimentData) -> Measured:
    """Pieces of at least four nodes at the end, least of all plastic runs."""
    found = {k: float(len(pieces(states(c, m)[-1][2]))) for k, (c, m) in _of(data, "plastic").items()}
    return extremes.least(found)

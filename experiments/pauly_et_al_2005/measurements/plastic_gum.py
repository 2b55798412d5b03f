# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/plastic_gum: flow of a block before its first crack,
and its pieces at the end."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Quantity, Trace, rows
from .broken_solids import before_first_crack, pieces, states
from .clouds import by_member, nodes_of
from .crack_fronts import Frame

M = Measures("pauly_et_al_2005/plastic_gum")


@dataclass(frozen=True)
class Flow:
    """Deformation gradients from the first to the present shape, and elastic left stretches V_e, per node,
    [n, 3, 3]."""

    total: Array
    elastic: Array

    @property
    def residual(self) -> Array:
        """V_e⁻¹ F: residual deformation of a node after elastic unloading."""
        return np.asarray(np.linalg.solve(self.elastic, self.total))

    @property
    def residual_stretches(self) -> Array:
        """Largest per node."""
        return np.asarray(np.linalg.svd(self.residual, compute_uv=False)[:, 0])

    @property
    def stretches(self) -> Array:
        """Largest of F per node."""
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
    """Both from positions: F by the neighbours of the first shape; V_e² = F' G⁻¹ F'ᵀ by those of the present
    reference, for which G = I + 2 ε_p is stored. Later nodes are left out."""
    count = len(first["positions"])
    total = nodes_of(trace, first).deformation_gradients(now["positions"][:count])
    since = nodes_of(trace, now).deformation_gradients(now["positions"])[:count]
    metric = np.tile(np.eye(3), (count, 1, 1))
    if (stored := now.get("node_plastic_strains")) is not None:
        metric = metric + 2.0 * stored.reshape(-1, 3, 3)[:count]
    squares, axes = np.linalg.eigh(since @ np.linalg.solve(metric, np.swapaxes(since, 1, 2)))
    roots = np.sqrt(np.maximum(squares, 1e-12))
    return Flow(total, np.asarray(axes @ (roots[:, :, None] * np.swapaxes(axes, 1, 2))))


def at_first_crack(trace: Trace, member: int | None) -> Flow:
    """The last state without a crack."""
    found = states(trace, member)
    arrays = before_first_crack(found)
    if arrays is None:
        raise MissingData(f"{trace.label}: no crack, or one at the start")
    return flow_of(trace, found[0][2], arrays)


def _median(phrase: str, of: Callable[[Flow], Array]) -> Quantity:
    return by_member(f"median over nodes of {phrase} before the first crack")(
        lambda trace, member: float(np.median(of(at_first_crack(trace, member))))
    )


@by_member("median over nodes of the largest residual stretch V_e⁻¹ F at the end")
def last_residual(trace: Trace, member: int | None) -> float:
    frames = states(trace, member)
    return float(np.median(flow_of(trace, frames[0][2], frames[-1][2]).residual_stretches))


@by_member("share of nodes with det F ≤ 0 before the first crack")
def inverted(trace: Trace, member: int | None) -> float:
    return float(np.mean(at_first_crack(trace, member).volumes <= 0))


@by_member("frames with a new reference shape before the first crack")
def references(trace: Trace, member: int | None) -> float:
    frames = [a for _, _, a in states(trace, member)]
    until = [a["node_rest_positions"] for a in frames if len(a["crack_triangles"]) == 0]
    return sum(not np.array_equal(a, b) for a, b in zip(until, until[1:]))


@by_member("pieces of at least four nodes at the end")
def last_pieces(trace: Trace, member: int | None) -> float:
    return len(pieces(states(trace, member)[-1][2]))


PLASTIC, FIXED = rows("plastic"), rows("fixed", says="runs that keep their first reference")
ELASTIC = rows("elastic", says="elastic runs, which do not crack")
_residual = _median("the largest stretch of V_e⁻¹ F", lambda f: f.residual_stretches)
_volume = _median("det F", lambda f: f.volumes)

stretch = M.least("stretch", _median("the largest stretch", lambda f: f.stretches), PLASTIC)
residual = M.least("residual_stretch", _residual, PLASTIC)
M.least("fixed_residual_stretch", _residual, FIXED)
M.largest("elastic_residual_stretch", last_residual, ELASTIC)
M.largest("elastic_strain", _median("the largest principal elastic strain", lambda f: f.elastic_strains), PLASTIC)
volume = M.least("volume", _volume, PLASTIC)
M.largest("largest_volume", _volume, PLASTIC)
M.largest("inverted", inverted, PLASTIC)
M.least("references", references, PLASTIC)
piece_count = M.least("pieces", last_pieces, PLASTIC)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/tensile_fracture: how a block that is pulled comes apart,
by positions of the mesh's vertices alone."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Trace, quantity, rows

M = Measures("cross/tensile_fracture")
METHODS = {"warped": "warped elements", "meshless": "meshless nodes"}
BROKEN = 2.0  # stretch beyond which an edge counts as broken: the block is pulled by a quarter
SMALLEST = 0.05  # share of the vertices: smaller sets count as debris


def has_slit(trace: Trace) -> bool:
    """Whether the cell starts with a slit: one in the mesh, or a crack among nodes."""
    if trace.method_name == "meshless":
        return len(trace.value("method.parameters.crack_notches")) > 0
    return str(trace.value("scene.parameters.flaw")) == "slit"


def is_whole(trace: Trace) -> bool:
    """Whether it starts without one."""
    return not has_slit(trace)


ROWS = {
    (method, slit): rows(method, says=words).where(
        has_slit if slit else is_whole, says="with a slit" if slit else "whole"
    )
    for method, words in METHODS.items()
    for slit in (False, True)
}


def cell_of(data: ExperimentData, method: str, slit: bool) -> Trace:
    """The one cell of a method."""
    return ROWS[method, slit].one(data)[0]


@dataclass(frozen=True)
class Edges:
    """Edges of the mesh at rest."""

    ends: Array  # [e, 2]
    lengths: Array  # [e], m
    middles: Array  # [e, 3], m


@cache
def edges_of(trace: Trace) -> Edges:
    """Every edge once."""
    rest, cells = trace.scene("rest_positions"), trace.scene("tetrahedra")
    pairs = np.concatenate([cells[:, [a, b]] for a in range(4) for b in range(a)])
    ends = np.unique(np.sort(pairs, axis=1), axis=0)
    lengths = np.linalg.norm(rest[ends[:, 1]] - rest[ends[:, 0]], axis=1)
    return Edges(ends, lengths, rest[ends].mean(axis=1))


def broken(trace: Trace, positions: Array) -> Array:
    """[e] whether an edge is stretched beyond BROKEN. Vertices that a method adds follow those of the start,
    and are ignored."""
    edges = edges_of(trace)
    ends = positions[edges.ends]
    return np.asarray(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > BROKEN * edges.lengths)


def states(trace: Trace) -> list[tuple[float, Array]]:
    """Times, and positions of vertices, by frame."""
    found = [(time, np.asarray(arrays["positions"])) for _, time, arrays in trace.frames() if "positions" in arrays]
    if not found:
        raise MissingData(f"{trace.label}: no frames")
    return found


def pull(trace: Trace, time: Array | float) -> Array:
    """Imposed elongation of the block relative to length."""
    p = {name: trace.number(name) for name in ("pull_m", "ramp_s", "length_m")}
    return np.asarray(p["pull_m"] * np.minimum(np.asarray(time, dtype=float) / p["ramp_s"], 1.0) / p["length_m"])


def energy(trace: Trace) -> tuple[Array, Array]:
    """Pull, and elastic energy relative to that of the whole block uniformly strained by the full pull,
    E ε²/2 per m³."""
    series = trace.series("step", "elastic_energy")
    young = trace.number("young_modulus_pa")
    length, side = (trace.number(n) for n in ("length_m", "side_m"))
    most = float(pull(trace, np.inf))
    return pull(trace, series.time), np.asarray(series.values / (0.5 * young * most**2 * length * side**2))


def pull_at_peak(trace: Trace) -> float:
    """Relative elongation of the block at which its elastic energy is largest."""
    along, stored = energy(trace)
    return float(along[int(np.argmax(stored))])


def energy_left(trace: Trace) -> float:
    """Share of the largest elastic energy left."""
    stored = energy(trace)[1]
    return float(stored[-1] / stored.max())


def pieces(trace: Trace) -> int:
    """Connected sets of vertices by unbroken edges at the end, of at least SMALLEST of all."""
    ends = edges_of(trace).ends[~broken(trace, states(trace)[-1][1])]
    count = len(trace.scene("rest_positions"))
    graph = coo_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(count, count))
    _, label = connected_components(graph, directed=False)
    return int((np.bincount(label) >= SMALLEST * count).sum())


def crack(trace: Trace) -> Array:
    """[k, 3] middles at rest of the edges that are broken at the end, m."""
    found: Array = edges_of(trace).middles[broken(trace, states(trace)[-1][1])]
    if not len(found):
        raise MissingData(f"{trace.label}: no edge is broken")
    return found


def spread(trace: Trace) -> float:
    """Standard deviation along the pull of the broken edges, in cells:
    a flat crack across it has less than one half."""
    cell = trace.number("side_m") / trace.number("cells_across")
    return float(crack(trace)[:, 0].std() / cell)


@quantity("standard deviation along the pull of edges stretched more than twofold at the end, in cells")
def _noted_spread(trace: Trace) -> dict[str, float]:
    return {f"{len(crack(trace))} edges, {pieces(trace)} pieces": spread(trace)}


for (_method, _slit), _rows in ROWS.items():
    _row = f"{_method}_{'slit' if _slit else 'whole'}"
    M.only(f"pull_at_peak_{_row}", pull_at_peak, _rows)
    M.only(f"energy_left_{_row}", energy_left, _rows)
    M.largest(f"spread_{_row}", _noted_spread, _rows)

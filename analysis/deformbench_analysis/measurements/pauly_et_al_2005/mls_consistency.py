# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/mls_consistency: weights of pairs and shape functions at sampled points."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...moving_least_squares import Nodes
from ...results import ExperimentData
from ...trace import Trace
from .clouds import Frame, starts

EXPERIMENT = "pauly_et_al_2005/mls_consistency"
PLACE = 1e-12  # of a side of the sampled box: on its face
NEAR_ONE = 0.05  # how close to the support the weight's decay is looked at
SOLID, PLANE, FOUR, FINE = "solid", "plane", "four", "fine"  # kinds of clouds by what they are for


def kind(trace: Trace) -> str:
    """A plane; four nodes; supports of four cells; or a solid cloud of the usual supports."""
    if trace.value("scene.parameters.sampling") == "plane":
        return PLANE
    if int(trace.value("scene.parameters.nodes_across")) == 2:
        return FOUR
    return FINE if float(trace.value("scene.parameters.support_ratio")) >= 3.5 else SOLID


def cells(data: ExperimentData, *kinds: str) -> list[Trace]:
    """Of these kinds; MissingData where one is not complete."""
    return data.every(keep=lambda c: kind(c) in kinds)


def nodes(arrays: Frame) -> Nodes:
    """By the analysis."""
    return Nodes(arrays["node_rest_positions"], arrays["node_supports"])


def _worst(data: ExperimentData, kinds: tuple[str, ...], of: Callable[[Frame], float]) -> Measured:
    return extremes.largest({c: max(of(f) for f in starts(c)) for c in cells(data, *kinds)})


def _least(data: ExperimentData, kinds: tuple[str, ...], of: Callable[[Frame], float]) -> Measured:
    return extremes.least({c: min(of(f) for f in starts(c)) for c in cells(data, *kinds)})


# weights of pairs ---------------------------------------------------------------------------------------------


def spline(ratio: Array) -> Array:
    """1 − 6r² + 8r³ − 3r⁴ up to 1, else 0: the text's polynomial, term by term."""
    return np.where(ratio < 1, 1 - 6 * ratio**2 + 8 * ratio**3 - 3 * ratio**4, 0.0)


def ratios(arrays: Frame) -> Array:
    """|x_j − x_i|/h_i of the stored pairs."""
    i, j = arrays["pairs"].T
    rest = arrays["node_rest_positions"]
    return np.asarray(np.linalg.norm(rest[j] - rest[i], axis=1) / arrays["node_supports"][i])


@measurement("mls_consistency.weight_error", unit="1", experiment=EXPERIMENT)
def weight_error(data: ExperimentData) -> Measured:
    """Largest difference of a stored weight of a pair from 1 − 6r² + 8r³ − 3r⁴, r by the analysis from positions and supports; all clouds."""
    return _worst(
        data, (SOLID, PLANE, FOUR, FINE), lambda f: float(np.abs(f["pair_weights"] - spline(ratios(f))).max())
    )


@measurement("mls_consistency.value_error", unit="1", experiment=EXPERIMENT)
def value_error(data: ExperimentData) -> Measured:
    """Largest difference of a stored weight at r = ¼, ½, ¾ from 0.73828125, 0.3125, 0.05078125; pairs of a lattice of cells h/4."""

    def of(arrays: Frame) -> float:
        r, worst = ratios(arrays), 0.0
        for place, value in ((0.25, 0.73828125), (0.5, 0.3125), (0.75, 0.05078125)):
            found = arrays["pair_weights"][np.abs(r - place) < 1e-9]
            if not found.size:
                raise MissingData(f"no pair at {place} of its support")
            worst = max(worst, float(np.abs(found - value).max()))
        return worst

    lattice = data.every(keep=lambda c: kind(c) == FINE and float(c.value("scene.parameters.jitter")) == 0.0)
    return extremes.largest({c: max(of(f) for f in starts(c)) for c in lattice})


@measurement("mls_consistency.wrong_pairs", unit="1", experiment=EXPERIMENT)
def wrong_pairs(data: ExperimentData) -> Measured:
    """Largest number of pairs that are stored and farther apart than h_i, or nearer and not stored, or of a weight that is not
    positive; pairs by the analysis from positions, those within rounding of h_i left out; all clouds."""

    def of(arrays: Frame) -> float:
        rest, h = arrays["node_rest_positions"], arrays["node_supports"]
        near = Nodes(rest, h * (1 - 1e-12)).pairs
        reach = Nodes(rest, h * (1 + 1e-12)).pairs
        n = len(rest)
        stored = set((arrays["pairs"][:, 0] * n + arrays["pairs"][:, 1]).tolist())
        inside = set((near[:, 0] * n + near[:, 1]).tolist())
        allowed = set((reach[:, 0] * n + reach[:, 1]).tolist())
        no_weight = int(np.sum(~(arrays["pair_weights"] > 0)))
        return float(len(inside - stored) + len(stored - allowed) + no_weight)

    return _worst(data, (SOLID, PLANE, FOUR, FINE), of)


@measurement("mls_consistency.unequal_ends", unit="1", experiment=EXPERIMENT)
def unequal_ends(data: ExperimentData) -> Measured:
    """Largest |ω_ij − ω_ji| of pairs of nodes of different supports, 0 for an end that has no such pair; a block of two sizes of cells."""

    def of(arrays: Frame) -> float:
        n, h = len(arrays["node_supports"]), arrays["node_supports"]
        i, j = arrays["pairs"].T
        of_pair = dict(zip((i * n + j).tolist(), arrays["pair_weights"].tolist(), strict=True))
        differ = np.abs(h[i] - h[j]) > 1e-9
        changes = [
            abs(of_pair[a * n + b] - of_pair.get(b * n + a, 0.0))
            for a, b in zip(i[differ].tolist(), j[differ].tolist())
        ]
        return max(changes, default=0.0)

    two = data.every(where={"scene.parameters.sampling": "two_levels"})
    return extremes.largest({c: max(of(f) for f in starts(c)) for c in two})


def _jittered(data: ExperimentData) -> list[Trace]:
    return data.every(keep=lambda c: kind(c) == FINE and float(c.value("scene.parameters.jitter")) > 0.0)


@measurement("mls_consistency.integral_error", unit="1", experiment=EXPERIMENT)
def integral_error(data: ExperimentData) -> Measured:
    """|∫ω/h³ − 16π/105| over 16π/105, by trapezia over the distances of all stored pairs of a jittered cloud of cells h/4."""

    def of(arrays: Frame) -> float:
        r = ratios(arrays)
        order = np.argsort(r)
        at = np.concatenate([[0.0], r[order], [1.0]])
        value = 4 * np.pi * at**2 * np.concatenate([[1.0], arrays["pair_weights"][order], [0.0]])
        return float(abs(np.sum(np.diff(at) * (value[1:] + value[:-1]) / 2) / (16 * np.pi / 105) - 1))

    return extremes.largest({c: max(of(f) for f in starts(c)) for c in _jittered(data)})


@measurement("mls_consistency.decay_error", unit="1", experiment=EXPERIMENT)
def decay_error(data: ExperimentData) -> Measured:
    """Largest |ω/(1 − r)³ − 4| over (1 − r) of pairs with r from 0.95 to 0.999: 3 where value, slope and curvature end at r = 1
    with a third power."""

    def of(arrays: Frame) -> float:
        r = ratios(arrays)
        near = (r > 1 - NEAR_ONE) & (r < 0.999)
        if not near.any():
            raise MissingData("no pair near its support")
        return float(np.max(np.abs(arrays["pair_weights"][near] / (1 - r[near]) ** 3 - 4) / (1 - r[near])))

    return extremes.largest({c: max(of(f) for f in starts(c)) for c in _jittered(data)})


@measurement("mls_consistency.gradient_error", unit="1", experiment=EXPERIMENT)
def gradient_error(data: ExperimentData) -> Measured:
    """Largest |d_ij − A_i⁺ e ω| over the node's largest |d|, A by the analysis with the stored weights: that these are the weights the forces use."""

    def of(arrays: Frame) -> float:
        i, j = arrays["pairs"].T
        edges = arrays["node_rest_positions"][j] - arrays["node_rest_positions"][i]
        weighted = arrays["pair_weights"][:, None] * edges
        moments = np.zeros((len(arrays["node_supports"]), 3, 3))
        np.add.at(moments, i, weighted[:, :, None] * edges[:, None, :])
        inverses = np.linalg.pinv(moments, rcond=1e-6, hermitian=True)
        expected = np.einsum("pij,pj->pi", inverses[i], weighted)
        largest = np.zeros(len(moments))
        np.maximum.at(largest, i, np.linalg.norm(expected, axis=1))
        return float(np.max(np.linalg.norm(arrays["pair_gradients"] - expected, axis=1) / largest[i]))

    return _worst(data, (SOLID, PLANE), of)


# shape functions ----------------------------------------------------------------------------------------------


def applied(arrays: Frame, values: Array, of_nodes: Array) -> Array:
    """Σ_i value_i f(x_i) at every sample."""
    sample, node = arrays["shape_pairs"].T
    flat = of_nodes.reshape(len(of_nodes), -1)
    found = np.zeros((len(arrays["shape_positions"]), flat.shape[1]))
    np.add.at(found, sample, values[:, None] * flat[node])
    return found.reshape(-1, *of_nodes.shape[1:])


def regular(arrays: Frame) -> Array:
    """Samples whose moment matrix has rank 4, by the analysis from positions and supports, to a relative 1e-6."""
    return np.isfinite(conditions(arrays))


def conditions(arrays: Frame) -> Array:
    """Condition number of M(x) by the analysis, in the basis [1, (y − x)/h], h the largest support in reach; infinite where its rank
    is below 4."""
    x, rest, h = arrays["shape_positions"], arrays["node_rest_positions"], arrays["node_supports"]
    sample, node = arrays["shape_pairs"].T
    largest = np.zeros(len(x))
    np.maximum.at(largest, sample, h[node])
    edges = rest[node] - x[sample]
    basis = np.concatenate([np.ones((len(edges), 1)), edges / largest[sample][:, None]], axis=1)
    weights = spline(np.linalg.norm(edges, axis=1) / h[node])
    moments = np.zeros((len(x), 4, 4))
    np.add.at(moments, sample, weights[:, None, None] * basis[:, :, None] * basis[:, None, :])
    values = np.linalg.eigvalsh(moments)
    full = values[:, 0] > 1e-6 * values[:, 3]
    return np.asarray(np.where(full, values[:, 3] / np.where(full, values[:, 0], 1.0), np.inf))


def on_face(arrays: Frame) -> Array:
    """Samples on a face of the sampled box."""
    x = arrays["shape_positions"]
    low, high = x.min(axis=0), x.max(axis=0)
    return np.asarray(((np.abs(x - low) < PLACE) | (np.abs(x - high) < PLACE)).any(axis=1))


@measurement("mls_consistency.reproduction_error", unit="1", experiment=EXPERIMENT)
def reproduction_error(data: ExperimentData) -> Measured:
    """Largest |ΣΦ − 1| or |ΣΦ x_i − x| (per metre) at a sample over the condition number of its moment matrix; samples inside and on the
    boundary of solid clouds of which the moment matrix has rank 4."""

    def of(arrays: Frame) -> float:
        one = np.abs(applied(arrays, arrays["shape_values"], np.ones(len(arrays["node_supports"]))) - 1)
        place = np.abs(
            applied(arrays, arrays["shape_values"], arrays["node_rest_positions"]) - arrays["shape_positions"]
        )
        condition = conditions(arrays)
        kept = np.isfinite(condition)
        return float(np.max(np.maximum(one, place.max(axis=1))[kept] / condition[kept]))

    return _worst(data, (SOLID,), of)


@measurement("mls_consistency.square_error", unit="1", experiment=EXPERIMENT)
def square_error(data: ExperimentData) -> Measured:
    """Least over clouds of the largest |ΣΦ x_i² − x²| at a sample, m²: a linear basis reproduces no squares."""

    def of(arrays: Frame) -> float:
        squares = applied(arrays, arrays["shape_values"], arrays["node_rest_positions"] ** 2)
        return float(np.abs(squares - arrays["shape_positions"] ** 2).max())

    return _least(data, (SOLID,), of)


@measurement("mls_consistency.shepard_error", unit="1", experiment=EXPERIMENT)
def shepard_error(data: ExperimentData) -> Measured:
    """Least over clouds of the largest |Σω x_i/Σω − x| at a sample, m: what weights alone, without a moment matrix, do to coordinates."""

    def of(arrays: Frame) -> float:
        sample, node = arrays["shape_pairs"].T
        away = np.linalg.norm(arrays["node_rest_positions"][node] - arrays["shape_positions"][sample], axis=1)
        weights = spline(away / arrays["node_supports"][node])
        total = np.zeros(len(arrays["shape_positions"]))
        np.add.at(total, sample, weights)
        place = applied(arrays, weights / total[sample], arrays["node_rest_positions"])
        return float(np.abs(place - arrays["shape_positions"]).max())

    return _least(data, (SOLID,), of)


@measurement("mls_consistency.deficient_points", unit="1", experiment=EXPERIMENT)
def deficient_points(data: ExperimentData) -> Measured:
    """Largest number of samples of a solid cloud whose moment matrix has a rank below 4, by the analysis or as stored."""
    return _worst(data, (SOLID,), lambda f: float(max(np.sum(~regular(f)), np.sum(f["shape_ranks"] < 4))))


@measurement("mls_consistency.plane_regular_points", unit="1", experiment=EXPERIMENT)
def plane_regular_points(data: ExperimentData) -> Measured:
    """Largest number of samples of a cloud in a plane whose moment matrix has rank 4 all the same."""
    return _worst(data, (PLANE,), lambda f: float(max(np.sum(regular(f)), np.sum(f["shape_ranks"] == 4))))


@measurement("mls_consistency.samples", unit="1", experiment=EXPERIMENT)
def samples(data: ExperimentData) -> Measured:
    """Least number of samples of a solid cloud, all seeds together."""
    return extremes.least({c: float(sum(len(f["shape_positions"]) for f in starts(c))) for c in cells(data, SOLID)})


@measurement("mls_consistency.face_samples", unit="1", experiment=EXPERIMENT)
def face_samples(data: ExperimentData) -> Measured:
    """Least part of a solid cloud's samples that lie on the boundary."""
    return _least(data, (SOLID,), lambda f: float(on_face(f).mean()))


def interpolation_errors(trace: Trace) -> float:
    """Largest |ΣΦ f(x_i) − f(x)| over samples and seeds, f = sin 2x cos 2y + sin 2z with lengths in metres."""

    def f(x: Array) -> Array:
        return np.asarray(np.sin(2 * x[:, 0]) * np.cos(2 * x[:, 1]) + np.sin(2 * x[:, 2]))

    worst = 0.0
    for arrays in starts(trace):
        found = applied(arrays, arrays["shape_values"], f(arrays["node_rest_positions"]))
        worst = max(worst, float(np.abs(found - f(arrays["shape_positions"])).max()))
    return worst


def sizes(data: ExperimentData) -> Iterator[tuple[float, Trace]]:
    """Spacing and cell of the clouds of one size, the finest first."""
    found = {}
    for cell in data.every(keep=lambda c: kind(c) == SOLID and c.value("scene.parameters.sampling") == "one_size"):
        found[float(cell.value("scene.parameters.side_m")) / int(cell.value("scene.parameters.nodes_across"))] = cell
    yield from sorted(found.items(), key=lambda e: e[0])


@measurement("mls_consistency.interpolation_order", unit="1", experiment=EXPERIMENT)
def interpolation_order(data: ExperimentData) -> float:
    """Exponent of the spacing in the largest interpolation error of a smooth function, fitted to all clouds of one size."""
    pairs = [(spacing, interpolation_errors(cell)) for spacing, cell in sizes(data)]
    if len(pairs) < 3:
        raise MissingData(f"{EXPERIMENT}: {len(pairs)} sizes, expected at least 3")
    spacings, errors = np.log(np.array(pairs)).T
    return float(np.polyfit(spacings, errors, 1)[0])


# the value at the own node ------------------------------------------------------------------------------------


def own_defects(arrays: Frame, fewest: int) -> Array:
    """1 − Φ_i(x_i) of nodes that have at least so many neighbours in reach, themselves counted."""
    reached = np.bincount(arrays["pairs"][:, 1], minlength=len(arrays["node_supports"])) + 1
    return np.asarray((1 - arrays["node_shape_values"])[reached >= fewest])


@measurement("mls_consistency.own_defect", unit="1", experiment=EXPERIMENT)
def own_defect(data: ExperimentData) -> Measured:
    """Least over clouds of the median of 1 − Φ_i(x_i), nodes with 15 or more nodes in reach."""

    def of(arrays: Frame) -> float:
        found = own_defects(arrays, 15)
        if not found.size:
            raise MissingData("no node with 15 neighbours")
        return float(np.median(found))

    return _least(data, (SOLID,), of)


@measurement("mls_consistency.four_nodes_defect", unit="1", experiment=EXPERIMENT)
def four_nodes_defect(data: ExperimentData) -> Measured:
    """Largest |Φ_i(x_i) − 1| of clouds of exactly four nodes, which determine a linear function; nodes whose moment matrix has rank 4, one
    at least of every cloud that is judged, half of the seeds at least."""

    def of(cell: Trace) -> float:
        found = []
        for arrays in starts(cell):
            n = len(arrays["node_supports"])
            if n != 4:
                raise MissingData(f"{n} nodes, expected 4")
            pairs = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), axis=-1).reshape(-1, 2)
            at_nodes = {**arrays, "shape_positions": arrays["node_rest_positions"], "shape_pairs": pairs}
            found.append(np.abs(1 - arrays["node_shape_values"])[regular(at_nodes)])
        if 2 * sum(f.size > 0 for f in found) < len(found):
            raise MissingData("four nodes lie in a plane in most clouds")
        return float(max(f.max() for f in found if f.size))

    return extremes.largest({c: of(c) for c in cells(data, FOUR)})

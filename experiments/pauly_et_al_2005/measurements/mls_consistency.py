# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/mls_consistency: weights of pairs and shape functions at sampled points."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measures, MissingData, Quantity, Trace
from deformbench_analysis.vocabulary import quantity
from .clouds import Frame, starts

M = Measures("pauly_et_al_2005/mls_consistency")
PLACE = 1e-12  # m: on a face of the sampled box
NEAR_ONE = 0.05  # 1 − r within which the weight's decay is judged
SOLID, PLANE, FOUR, FINE = "solid", "plane", "four", "fine"  # kinds of clouds by what they are for


def kind(trace: Trace) -> str:
    """A plane; four nodes; supports of four cells; or a solid cloud of the usual supports."""
    if trace.value("scene.parameters.sampling") == "plane":
        return PLANE
    if int(trace.number("nodes_across")) == 2:
        return FOUR
    return FINE if trace.number("support_ratio") >= 3.5 else SOLID


def per_cloud(phrase: str) -> Callable[[Callable[[Frame], float]], Quantity]:
    """A quantity of every member's start."""
    return lambda of: quantity(phrase)(lambda trace: np.array([of(arrays) for arrays in starts(trace)]))


def _of(*kinds: str) -> Callable[[Trace], bool]:
    return lambda trace: kind(trace) in kinds


def is_lattice(trace: Trace) -> bool:
    """Supports of four cells on a lattice."""
    return kind(trace) == FINE and trace.number("jitter") == 0.0


def is_jittered(trace: Trace) -> bool:
    """Supports of four cells, jittered."""
    return kind(trace) == FINE and trace.number("jitter") > 0.0


SOLIDS, PLANES = EVERY_RUN.where(_of(SOLID), says="solid clouds"), EVERY_RUN.where(_of(PLANE), says="clouds in a plane")
CLOUDS = EVERY_RUN.where(_of(SOLID, PLANE), says="solid clouds and those in a plane")
JITTERED = EVERY_RUN.where(is_jittered)


# weights of pairs ---------------------------------------------------------------------------------------------


def spline(ratio: Array) -> Array:
    """1 − 6r² + 8r³ − 3r⁴ up to 1, else 0: the text's polynomial, term by term."""
    return np.where(ratio < 1, 1 - 6 * ratio**2 + 8 * ratio**3 - 3 * ratio**4, 0.0)


def ratios(arrays: Frame) -> Array:
    """|x_j − x_i|/h_i of the stored pairs."""
    i, j = arrays["pairs"].T
    rest = arrays["node_rest_positions"]
    return np.asarray(np.linalg.norm(rest[j] - rest[i], axis=1) / arrays["node_supports"][i])


@per_cloud("difference of a stored weight from 1 − 6r² + 8r³ − 3r⁴, r by the analysis")
def weight_error(arrays: Frame) -> float:
    return float(np.abs(arrays["pair_weights"] - spline(ratios(arrays))).max())


M.largest("weight_error", weight_error, EVERY_RUN)


@per_cloud("difference of a stored weight at r = ¼, ½, ¾ from 0.73828125, 0.3125, 0.05078125")
def value_error(arrays: Frame) -> float:
    r, worst = ratios(arrays), 0.0
    for place, value in ((0.25, 0.73828125), (0.5, 0.3125), (0.75, 0.05078125)):
        found = arrays["pair_weights"][np.abs(r - place) < 1e-9]
        if not found.size:
            raise MissingData(f"no pair at {place} of its support")
        worst = max(worst, float(np.abs(found - value).max()))
    return worst


M.largest("value_error", value_error, EVERY_RUN.where(is_lattice))


@per_cloud("stored pairs beyond h_i or of weight ≤ 0, and nearer ones not stored")
def wrong_pairs(arrays: Frame) -> float:
    rest, h = arrays["node_rest_positions"], arrays["node_supports"]
    near = Nodes(rest, h * (1 - 1e-12)).pairs
    reach = Nodes(rest, h * (1 + 1e-12)).pairs
    n = len(rest)
    stored = set((arrays["pairs"][:, 0] * n + arrays["pairs"][:, 1]).tolist())
    inside = set((near[:, 0] * n + near[:, 1]).tolist())
    allowed = set((reach[:, 0] * n + reach[:, 1]).tolist())
    no_weight = int(np.sum(~(arrays["pair_weights"] > 0)))
    return float(len(inside - stored) + len(stored - allowed) + no_weight)


M.largest("wrong_pairs", wrong_pairs, EVERY_RUN)


@per_cloud("|ω_ij − ω_ji| of pairs of different supports")
def unequal_ends(arrays: Frame) -> float:
    n, h = len(arrays["node_supports"]), arrays["node_supports"]
    i, j = arrays["pairs"].T
    of_pair = dict(zip((i * n + j).tolist(), arrays["pair_weights"].tolist(), strict=True))
    differ = np.abs(h[i] - h[j]) > 1e-9
    changes = [
        abs(of_pair[a * n + b] - of_pair.get(b * n + a, 0.0)) for a, b in zip(i[differ].tolist(), j[differ].tolist())
    ]
    return max(changes, default=0.0)


M.largest("unequal_ends", unequal_ends, EVERY_RUN.where(sampling="two_levels", says="blocks of two sizes of cells"))


@per_cloud("relative error of ∫ω/h³ against 16π/105, trapezoidal rule over all stored distances")
def integral_error(arrays: Frame) -> float:
    r = ratios(arrays)
    order = np.argsort(r)
    at = np.concatenate([[0.0], r[order], [1.0]])
    value = 4 * np.pi * at**2 * np.concatenate([[1.0], arrays["pair_weights"][order], [0.0]])
    return float(abs(np.sum(np.diff(at) * (value[1:] + value[:-1]) / 2) / (16 * np.pi / 105) - 1))


M.largest("integral_error", integral_error, JITTERED)


@per_cloud("|ω/(1 − r)³ − 4| relative to 1 − r, pairs with r from 0.95 to 0.999")
def decay_error(arrays: Frame) -> float:
    r = ratios(arrays)
    near = (r > 1 - NEAR_ONE) & (r < 0.999)
    if not near.any():
        raise MissingData("no pair near its support")
    return float(np.max(np.abs(arrays["pair_weights"][near] / (1 - r[near]) ** 3 - 4) / (1 - r[near])))


M.largest("decay_error", decay_error, JITTERED)


@per_cloud("|d_ij − A_i⁺ e ω| relative to the node's largest |d|, A by the analysis")
def gradient_error(arrays: Frame) -> float:
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


M.largest("gradient_error", gradient_error, CLOUDS)


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
    """Condition number of M(x) by the analysis, in the basis [1, (y − x)/h], h the largest support in reach;
    infinite where its rank is below 4."""
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


@per_cloud("|ΣΦ − 1| or |ΣΦ x_i − x| at a sample of rank 4 relative to its condition number")
def reproduction_error(arrays: Frame) -> float:
    one = np.abs(applied(arrays, arrays["shape_values"], np.ones(len(arrays["node_supports"]))) - 1)
    place = np.abs(applied(arrays, arrays["shape_values"], arrays["node_rest_positions"]) - arrays["shape_positions"])
    condition = conditions(arrays)
    kept = np.isfinite(condition)
    return float(np.max(np.maximum(one, place.max(axis=1))[kept] / condition[kept]))


M.largest("reproduction_error", reproduction_error, SOLIDS)


@per_cloud("largest |ΣΦ x_i² − x²| at a sample")
def square_error(arrays: Frame) -> float:
    squares = applied(arrays, arrays["shape_values"], arrays["node_rest_positions"] ** 2)
    return float(np.abs(squares - arrays["shape_positions"] ** 2).max())


M.least("square_error", square_error, SOLIDS)


@per_cloud("largest |Σω x_i/Σω − x| at a sample")
def shepard_error(arrays: Frame) -> float:
    sample, node = arrays["shape_pairs"].T
    away = np.linalg.norm(arrays["node_rest_positions"][node] - arrays["shape_positions"][sample], axis=1)
    weights = spline(away / arrays["node_supports"][node])
    total = np.zeros(len(arrays["shape_positions"]))
    np.add.at(total, sample, weights)
    place = applied(arrays, weights / total[sample], arrays["node_rest_positions"])
    return float(np.abs(place - arrays["shape_positions"]).max())


M.least("shepard_error", shepard_error, SOLIDS)


@per_cloud("samples whose moment matrix has a rank below 4, by the analysis or as stored")
def deficient_points(arrays: Frame) -> float:
    return float(max(np.sum(~regular(arrays)), np.sum(arrays["shape_ranks"] < 4)))


M.largest("deficient_points", deficient_points, SOLIDS)


@per_cloud("samples whose moment matrix has rank 4")
def plane_regular_points(arrays: Frame) -> float:
    return float(max(np.sum(regular(arrays)), np.sum(arrays["shape_ranks"] == 4)))


M.largest("plane_regular_points", plane_regular_points, PLANES)


samples = per_cloud("samples of all seeds")(lambda arrays: len(arrays["shape_positions"]))

M.least("samples", samples.total(says=samples.phrase), SOLIDS)


M.least("face_samples", per_cloud("share of samples on the boundary")(lambda f: float(on_face(f).mean())), SOLIDS)


def interpolation_errors(trace: Trace) -> float:
    """Largest |ΣΦ f(x_i) − f(x)| over samples and seeds, f = sin 2x cos 2y + sin 2z with lengths in metres."""

    def f(x: Array) -> Array:
        return np.asarray(np.sin(2 * x[:, 0]) * np.cos(2 * x[:, 1]) + np.sin(2 * x[:, 2]))

    worst = 0.0
    for arrays in starts(trace):
        found = applied(arrays, arrays["shape_values"], f(arrays["node_rest_positions"]))
        worst = max(worst, float(np.abs(found - f(arrays["shape_positions"])).max()))
    return worst


def is_of_one_size(trace: Trace) -> bool:
    """Solid clouds of one size of cells."""
    return kind(trace) == SOLID and str(trace.value("scene.parameters.sampling")) == "one_size"


def spacing(trace: Trace) -> float:
    """Edge of a cell, m."""
    return trace.number("side_m") / int(trace.number("nodes_across"))


@M("interpolation_order")
def interpolation_order(data: ExperimentData) -> float:
    """Order in the spacing of a smooth function's largest interpolation error, fitted to clouds of one size."""
    sizes = {spacing(cell): cell for cell in EVERY_RUN.where(is_of_one_size).runs(data)}
    pairs = [(size, interpolation_errors(cell)) for size, cell in sorted(sizes.items(), key=lambda e: e[0])]
    if len(pairs) < 3:
        raise MissingData(f"{M.experiment}: {len(pairs)} sizes, expected at least 3")
    spacings, errors = np.log(np.array(pairs)).T
    return float(np.polyfit(spacings, errors, 1)[0])


# the value at the own node ------------------------------------------------------------------------------------


def own_defects(arrays: Frame, fewest: int) -> Array:
    """1 − Φ_i(x_i) of nodes that lie in at least `fewest` supports, their own counted."""
    reached = np.bincount(arrays["pairs"][:, 1], minlength=len(arrays["node_supports"])) + 1
    return np.asarray((1 - arrays["node_shape_values"])[reached >= fewest])


@per_cloud("median of 1 − Φ_i(x_i), nodes with at least 15 nodes in reach")
def own_defect(arrays: Frame) -> float:
    found = own_defects(arrays, 15)
    if not found.size:
        raise MissingData("no node with 15 neighbours")
    return float(np.median(found))


M.least("own_defect", own_defect, SOLIDS)


def four_nodes_defect(cell: Trace) -> float:
    """|Φ_i(x_i) − 1| of a node whose moment matrix has rank 4."""
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


M.largest("four_nodes_defect", four_nodes_defect, EVERY_RUN.where(_of(FOUR), says="clouds of four nodes"))

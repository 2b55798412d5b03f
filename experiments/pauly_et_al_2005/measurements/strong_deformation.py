# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/strong_deformation: resampling of stretched bars
without cracks."""

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Trace, parameter, quantity, ratio, rows
from . import sampled_nodes as nodes

M = Measures("pauly_et_al_2005/strong_deformation")
LEAST_SUM = 10
WAVES = np.array([[4.0, 2, 1], [-2, 4, 2], [1, -2, 4]]) / 4  # rad/m, three directions oblique to the bar's axes
PERCENTILE = 95
JITTER = 0.3  # of a fresh sampling, as of the scene
stretch = parameter("stretch", float, "Along x, at the start.")
across = parameter("nodes_across", int, "Nodes across the bar.")


def is_stretched(trace: Trace) -> bool:
    """Stretched at the start."""
    return stretch(trace) > 1


def growth(trace: Trace) -> list[int]:
    """Nodes at the end less those at the start, member by member."""
    return [len(m[-1]["node_supports"]) - len(m[0]["node_supports"]) for m in nodes.frames(trace)]


def sums(arrays: dict[str, Array]) -> Array:
    """Ω without cracks: nodes within each support at current positions, itself included."""
    x, h = arrays["positions"], arrays["node_supports"]
    return np.asarray(cKDTree(x).query_ball_point(x, h, return_length=True))


def gradient_error(points: Array, supports: Array) -> float:
    """95th percentile over nodes of the error of moving-least-squares gradients of three sines, relative to the
    largest."""
    phases = points @ WAVES.T
    exact = np.cos(phases)[:, :, None] * WAVES
    found = Nodes(points, supports).slopes(np.sin(phases))
    errors = np.linalg.norm(found - exact, axis=(1, 2))
    return float(np.percentile(errors, PERCENTILE) / np.linalg.norm(exact, axis=(1, 2)).max())


def fresh_error(trace: Trace, seed: int) -> float:
    """Gradient error of the stretched bar sampled afresh as the scene samples it at rest:
    cubic cells of about equal volume."""
    value = {n: trace.number(n) for n in ("length_m", "side_m", "support_ratio", "stretch")}
    length, side = value["length_m"] * value["stretch"], value["side_m"] / np.sqrt(value["stretch"])
    count = max(1, round(side / (value["side_m"] / across(trace))))
    cell = side / count
    lattice = np.indices((max(1, round(length / cell)), count, count)).reshape(3, -1).T + 0.5
    points = cell * (lattice + JITTER * np.random.default_rng(seed).uniform(-1, 1, lattice.shape))
    return gradient_error(points, np.full(len(points), value["support_ratio"] * cell))


def inserted_share(trace: Trace) -> Array:
    """Nodes inserted relative to the start."""
    starts = [len(m[0]["node_supports"]) for m in nodes.frames(trace)]
    return np.array([more / start for more, start in zip(growth(trace), starts)])


def inserted_nodes(trace: Trace) -> Array:
    """Nodes inserted, or lost."""
    return np.asarray(np.abs(np.array(growth(trace))))


def sum_change(trace: Trace, at_rest: Trace) -> float:
    """Change of a node's stored Ω, all frames."""
    pairs = zip(nodes.frames(trace), nodes.frames(at_rest), strict=True)
    return max(
        float(np.abs(f["node_omega"] - rest[0]["node_omega"]).max()) if len(f["node_omega"]) else np.inf
        for own, rest in pairs
        for f in own
    )


def few(trace: Trace) -> Array:
    """Share of nodes with Ω < 10 at their final positions."""
    return np.array([np.mean(sums(f) < LEAST_SUM) for f in nodes.last_frames(trace)])


def sum_gain(resampled: Trace, other: Trace) -> Array:
    """Mean Ω relative to the other run, nodes with Ω < 10 there."""
    ratios = []
    for with_more, without in zip(nodes.last_frames(resampled), nodes.last_frames(other), strict=True):
        before, after = sums(without), sums(with_more)
        poor = np.flatnonzero(before < LEAST_SUM)
        ratios.append(float(after[poor].mean() / before[poor].mean()) if len(poor) else 0.0)
    return np.array(ratios)


def errors(trace: Trace) -> Array:
    """95th percentile over nodes of the gradient error at the end."""
    return np.array([gradient_error(f["positions"], f["node_supports"]) for f in nodes.last_frames(trace)])


def error_over_fresh(trace: Trace) -> Array:
    """Gradient error relative to a fresh sampling of the stretched bar."""
    return np.array([own / fresh_error(trace, k) for k, own in enumerate(errors(trace))])


def is_thin(trace: Trace) -> bool:
    """h t²/a³ < Ω_min, t after stretching: half a support at the end has fewer nodes."""
    return stretch(trace) > 1 and trace.number("support_ratio") * across(trace) ** 2 < (LEAST_SUM * stretch(trace))


def predictions(data: ExperimentData) -> list[bool]:
    """Per bar: whether h t²/a³ < Ω_min predicts its resampling."""
    return [(more > 0) == is_thin(c) for c in data.every(name="predicted") for more in growth(c)]


@M("predicted_share")
def predicted_share(data: ExperimentData) -> float:
    """Share of bars resampled if and only if h t²/a³ < Ω_min, all thicknesses, stretches, supports and
    clouds."""
    return float(np.mean(predictions(data)))


@M("predicted_share_spread")
def predicted_share_spread(data: ExperimentData) -> float:
    """Standard error of the share of bars predicted by h t²/a³ < Ω_min, one bar of either kind added."""
    found = predictions(data)
    share = (sum(found) + 1) / (len(found) + 2)
    return float(np.sqrt(share * (1 - share) / len(found)))


PLASTIC, KEPT, ELASTIC = rows("plastic"), rows("not_resampled"), rows("elastic")
(THIN, THIN_KEPT), (THICK, THICK_KEPT) = (
    [
        r.where(is_stretched, says="").where(nodes_across=k, says=words).at_largest(stretch, says="stretched most")
        for r in (PLASTIC, KEPT)
    ]
    for k, words in ((3, "thin bar"), (6, "thick bar"))
)
BESIDE_KEPT = THIN.beside(KEPT, "stretch", "nodes_across", says="against no resampling")

M.least("inserted", inserted_share, THIN)
M.largest("inserted_elastic", inserted_nodes, ELASTIC)
M.largest(
    "sum_change_elastic",
    sum_change,
    ELASTIC.beside(ELASTIC.where({"scene.parameters.stretch": 1.0}), "nodes_across", says="against the bar at rest"),
)
M.largest(
    "inserted_at_rest",
    quantity("nodes inserted")(lambda c: np.array(growth(c))),
    PLASTIC.where({"scene.parameters.stretch": 1.0}, says="not stretched"),
)
M.least("inserted_thick", inserted_share, THICK)
M.largest("few", few, THIN_KEPT)
M.largest("few_resampled", few, THIN)
M.largest("few_thick", few, THICK_KEPT)
M.least("sum_gain", sum_gain, BESIDE_KEPT)
M.largest("error_ratio", ratio(errors), BESIDE_KEPT)
M.largest("error_over_fresh", error_over_fresh, THIN)
M.least("error_over_fresh_not_resampled", error_over_fresh, THIN_KEPT)

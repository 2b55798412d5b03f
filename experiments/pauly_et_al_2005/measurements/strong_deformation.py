# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/strong_deformation: stretched bars without cracks,
and what resampling makes of them."""

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Trace, parameter, quantity, ratio, rows
from . import sampled_nodes as nodes

M = Measures("pauly_et_al_2005/strong_deformation")
LEAST_SUM = 10
WAVES = np.array([[4.0, 2, 1], [-2, 4, 2], [1, -2, 4]]) / 4  # rad/m, three directions that no axis of the bar has
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
    """Ω without cracks: nodes within the support of each where it is now, itself among them."""
    x, h = arrays["positions"], arrays["node_supports"]
    return np.asarray(cKDTree(x).query_ball_point(x, h, return_length=True))


def gradient_error(points: Array, supports: Array) -> float:
    """95th percentile over nodes of the error of the gradients of three sines by moving least squares at these
    points, over the largest."""
    phases = points @ WAVES.T
    exact = np.cos(phases)[:, :, None] * WAVES
    found = Nodes(points, supports).slopes(np.sin(phases))
    errors = np.linalg.norm(found - exact, axis=(1, 2))
    return float(np.percentile(errors, PERCENTILE) / np.linalg.norm(exact, axis=(1, 2)).max())


def fresh_error(trace: Trace, seed: int) -> float:
    """The same of a sampling of the stretched bar as the scene samples the bar at rest:
    cubic cells of about the same volume."""
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
    """Change of a node's Ω as the method has it, all frames."""
    pairs = zip(nodes.frames(trace), nodes.frames(at_rest), strict=True)
    return max(
        float(np.abs(f["node_omega"] - rest[0]["node_omega"]).max()) if len(f["node_omega"]) else np.inf
        for own, rest in pairs
        for f in own
    )


def few(trace: Trace) -> Array:
    """Share of nodes with Ω < 10 about the nodes as they are at the end."""
    return np.array([np.mean(sums(f) < LEAST_SUM) for f in nodes.last_frames(trace)])


def sum_gain(resampled: Trace, other: Trace) -> Array:
    """Mean Ω relative to the other run, first nodes with Ω < 10 there."""
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
    """h t²/a³ < Ω_min of a bar that is stretched: half a support at its end has fewer nodes."""
    return stretch(trace) > 1 and trace.number("support_ratio") * across(trace) ** 2 < (LEAST_SUM * stretch(trace))


def predictions(data: ExperimentData) -> list[bool]:
    """Whether h t²/a³ < Ω_min tells if a bar is resampled, of all bars."""
    return [(more > 0) == is_thin(c) for c in data.every(name="predicted") for more in growth(c)]


@M("predicted_share")
def predicted_share(data: ExperimentData) -> float:
    """Share of bars of all thicknesses, stretches, supports and clouds that are resampled where h t²/a³ < Ω_min, and
    not elsewhere."""
    return float(np.mean(predictions(data)))


@M("predicted_share_spread")
def predicted_share_spread(data: ExperimentData) -> float:
    """Standard error of the share of bars that h t²/a³ < Ω_min tells right, one bar of either kind added."""
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

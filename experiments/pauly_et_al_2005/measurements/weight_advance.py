# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/weight_advance and weight_advance_sizes:
weights of pairs while a crack advances."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measures, MissingData, Trace, quantity
from deformbench_analysis.vocabulary import rows
from . import cracked_weights as cw

M = Measures("pauly_et_al_2005/weight_advance")
SIZES = Measures("pauly_et_al_2005/weight_advance_sizes")
Frame = tuple[int, Mapping[str, Array]]


def members(trace: Trace) -> range:
    """Numbers of the members of an ensemble."""
    return range(len(trace.value("ensemble.seeds")))


def frames(trace: Trace, member: int) -> Iterator[Frame]:
    """Step and arrays of every frame of a member."""
    for step, _, arrays in trace.frames(member):
        yield step, arrays


def depths_of_pairs(arrays: Mapping[str, Array]) -> Array:
    """d_s of every pair by the analysis, NaN where it crosses no crack."""
    nodes, pairs = arrays["node_rest_positions"], arrays["pairs"]
    return cw.crossing_depths(nodes[pairs[:, 0]], nodes[pairs[:, 1]], cw.Cracks.of(arrays).near(nodes))


def ratios_of_pairs(arrays: Mapping[str, Array]) -> tuple[Array, Array]:
    """|x_i − x_j| / h_i, and h_i, of every pair."""
    nodes, pairs = arrays["node_rest_positions"], arrays["pairs"]
    supports = arrays["node_supports"][pairs[:, 0]]
    return np.linalg.norm(nodes[pairs[:, 1]] - nodes[pairs[:, 0]], axis=1) / supports, supports


@dataclass(frozen=True)
class History:
    """Extremes over the pairs of a run, all steps and members."""

    rise: float  # largest increase of a weight from one step to the next
    coupled: float  # largest depth / ((κh/2) √(1 − ρ)) of a pair with weight > 0
    parted: float  # least at weight 0
    stale: int  # weights that differ from those computed anew
    difference: float  # largest, from the analysis' own weights


@lru_cache(maxsize=64)
def history(trace: Trace) -> History:
    """Cached, as several measurements use it."""
    rule, opacity = trace.value("method.parameters.weights"), trace.setting("opacity")
    rise, coupled, parted, stale, difference = 0.0, 0.0, np.inf, 0, 0.0
    for member in members(trace):
        before: Array | None = None
        for _, arrays in frames(trace, member):
            weights, depths, (ratios, supports) = (
                arrays["pair_weights"],
                depths_of_pairs(arrays),
                ratios_of_pairs(arrays),
            )
            if before is not None:
                rise = max(rise, float(np.max(weights - before)))
            before = weights
            behind = ~np.isnan(depths)
            relative = depths[behind] / (0.5 * opacity * supports * np.sqrt(1.0 - ratios))[behind]
            coupled = max(coupled, float(np.max(relative[weights[behind] > 0.0], initial=0.0)))
            parted = min(parted, float(np.min(relative[weights[behind] <= 0.0], initial=np.inf)))
            stale += int(np.sum(weights != arrays["pair_weights_anew"]))
            own = cw.blocked_weights(ratios * supports, supports, depths, rule, opacity)
            difference = max(difference, float(np.max(np.abs(own - weights))))
    return History(rise, coupled, parted, stale, difference)


def _parts(trace: Trace) -> tuple[int, float]:
    """Connected components of the graph of pairs with a weight at the end, fewest of the members;
    and the largest |Σf| / Σ|f| of one."""
    fewest, worst = 10**9, 0.0
    for member in members(trace):
        *_, (_, arrays) = frames(trace, member)
        count = len(arrays["node_rest_positions"])
        pairs = arrays["pairs"][arrays["pair_weights"] > 0.0]
        graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
        parts, of = connected_components(graph, directed=False)
        fewest = min(fewest, parts)
        forces = arrays["elastic_forces"]
        for part in range(parts):
            own = forces[of == part]
            worst = max(worst, float(np.linalg.norm(own.sum(axis=0)) / np.linalg.norm(own, axis=1).sum()))
    return fewest, worst


def force_before(trace: Trace) -> float:
    """|Σf| / Σ|f| of the elastic forces on a part before the cut."""
    least = np.inf
    for member in members(trace):
        own = list(frames(trace, member))
        first, last = own[0][1], own[-1][1]
        pairs = last["pairs"][last["pair_weights"] > 0.0]
        count = len(last["node_rest_positions"])
        graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
        forces = first["elastic_forces"][connected_components(graph, directed=False)[1] == 0]
        least = min(least, float(np.linalg.norm(forces.sum(axis=0)) / np.linalg.norm(forces, axis=1).sum()))
    return least


def length_inside(fronts: Array, low: Array, high: Array) -> float:
    """Length of the segments [s,2,3] within a box, m."""
    total = 0.0
    for start, end in fronts:
        way = end - start
        with np.errstate(divide="ignore", invalid="ignore"):
            bounds = np.stack([(low - start) / way, (high - start) / way])
        bounds = np.where(np.isnan(bounds), np.array([[-np.inf], [np.inf]]), bounds)
        if np.any((way == 0.0) & ((start < low) | (start > high))):
            continue
        enter, leave = np.max(np.append(bounds.min(axis=0), 0.0)), np.min(np.append(bounds.max(axis=0), 1.0))
        total += max(0.0, float(leave - enter)) * float(np.linalg.norm(way))
    return total


def box_of(trace: Trace) -> tuple[Array, Array]:
    """Corners of the block, m."""
    length, side = trace.number("length_m"), trace.number("side_m")
    return np.array([0.0, -0.5 * side, -0.5 * side]), np.array([length, 0.5 * side, 0.5 * side])


def changed_shares(trace: Trace, member: int) -> Array:
    """Share of changed pairs, advance / h and ℓh²/V per step with the front, before or after, in the block."""
    low, high = box_of(trace)
    rows: list[tuple[float, float, float]] = []
    before: Array | None = None
    for _, arrays in frames(trace, member):
        fronts, h = arrays["crack_fronts"].reshape(-1, 2, 3), float(np.mean(arrays["node_supports"]))
        if before is not None:
            advance = float(np.max(np.linalg.norm(fronts - before, axis=2)))
            length = max(length_inside(fronts, low, high), length_inside(before, low, high))
            pairs, _, changed, _ = (int(n) for n in arrays["weight_counts"])
            if advance > 0.0 and length > 0.0:
                rows.append((changed / pairs, advance / h, length * h**2 / float(np.prod(high - low))))
        before = fronts
    if not rows:
        raise MissingData("the front is never in the block")
    return np.array(rows)


def share_over_scale(trace: Trace) -> float:
    """Share of changed pairs of a step relative to ℓh²/V, advances of at most a quarter of a support."""
    found = []
    for member in members(trace):
        r = changed_shares(trace, member)
        short = r[:, 1] <= 0.25 + 1e-9
        found.append(float(np.max(r[short, 0] / r[short, 2])))
    return max(found)


def longest_advance(trace: Trace) -> float:
    """Advance of a step relative to h."""
    return max(float(changed_shares(trace, m)[:, 1].max()) for m in members(trace))


@SIZES("exponent")
def exponent(data: ExperimentData) -> float:
    """Least-squares log-log slope of the mean share of changed pairs per step against the number of nodes, at equal
    advances in supports."""
    cells = sorted(data.every(), key=lambda c: int(c.number("nodes_across")))
    if len(cells) < 3:
        raise MissingData(f"{len(cells)} sizes")
    count = [float(len(next(iter(c.frames(0)))[2]["node_supports"])) for c in cells]
    share = [float(np.mean(np.concatenate([changed_shares(c, m)[:, 0] for m in members(c)]))) for c in cells]
    return float(np.polyfit(np.log(count), np.log(share), 1)[0])


def counts(trace: Trace) -> Array:
    """Pairs, those tested, those changed and those parted, of every step of every member."""
    return np.array([a["weight_counts"] for m in members(trace) for step, a in frames(trace, m) if step > 0])


def touched(trace: Trace) -> float:
    """Pairs that are tested or change, all steps together."""
    return float(counts(trace)[:, 1:3].sum())


def tested_per_changed(trace: Trace) -> float:
    """Pairs tested against cracks relative to pairs that changed, all steps together."""
    found = counts(trace).sum(axis=0)
    return float(found[1] / found[2])


def tested_share(trace: Trace) -> float:
    """Pairs tested against cracks in a step relative to all pairs, mean over steps."""
    found = counts(trace)
    return float(np.mean(found[:, 1] / found[:, 0]))


coupled = quantity("depth of a crossing at which a pair has a weight relative to (κh/2) √(1 − ρ)")(
    lambda c: history(c).coupled
)
CUT = rows("opacity_2", "transparency", says="κ = 1 and 2")

M.largest("weight_rise", quantity("increase of a pair's weight in a step")(lambda c: history(c).rise), EVERY_RUN)
M.largest("deepest_coupled", coupled, CUT)
M.least("least_deepest_coupled", coupled.largest(), CUT)
M.least(
    "shallowest_parted",
    quantity("depth of a crossing at which a pair has no weight relative to (κh/2) √(1 − ρ)")(
        lambda c: history(c).parted
    ),
    CUT,
)
M.least(
    "parts", quantity("connected components of the pairs with a weight, after the cut")(lambda c: _parts(c)[0]), CUT
)
M.largest(
    "cross_force",
    quantity("|Σf| / Σ|f| of the elastic forces f on the nodes of a connected part after the cut")(
        lambda c: _parts(c)[1]
    ),
    CUT,
)
M.least("force_before", force_before, CUT)
M.largest(
    "stale_pairs",
    quantity("pairs whose updated weight differs in any bit from the one computed anew")(lambda c: history(c).stale),
    EVERY_RUN,
)
M.largest(
    "replay_difference",
    quantity("difference between a pair's recorded weight and the analysis' own")(lambda c: history(c).difference),
    EVERY_RUN,
)
M.largest("changed_at_rest", touched, rows("at_rest", says="stationary cracks"))
SIZES.largest("share_over_scale", share_over_scale, EVERY_RUN)
SIZES.largest("longest_advance", longest_advance, EVERY_RUN)
SIZES.largest("tested_per_changed", tested_per_changed, EVERY_RUN)
SIZES.largest("tested_share", tested_share, EVERY_RUN)

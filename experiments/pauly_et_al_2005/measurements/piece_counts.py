# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/piece_counts: resampling of a block cut into 1 to 216 pieces."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from deformbench_analysis.moving_least_squares import stiffness_products
from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Trace, quantity
from . import sampled_nodes as nodes
from .fragments import conditions, moments, operator, stable_step, support
from .resampling import density_at

M = Measures("pauly_et_al_2005/piece_counts")
LEAST_SUM = 10  # Ω_min
SHOWN = 2.2  # support / spacing of the figure
# DEVIATION [PKAGDG05] §4: clouds that are no octree have supports of 2.2 spacings where a declaration gives no
# others; twice the farthest sample of adjacent cells is 2 to 2√3 spacings, by what is called adjacent. Ratios
# support / spacing by that rule for cells of one size, adjacent by a face, an edge or a corner.
FACES, EDGES, CORNERS = 2.0, 2 * 2**0.5, 2 * 3**0.5


def piece_count(trace: Trace) -> int:
    """Pieces that the planes make of the block."""
    return int(trace.number("pieces_across")) ** 3


def has_pieces_of(count: int) -> Callable[[Trace], bool]:
    """Predicate: pieces of `count` nodes."""
    return lambda trace: int(trace.number("nodes_across")) ** 3 == count * piece_count(trace)


def connected(arrays: dict[str, Array]) -> int:
    """Components connected by pairs with a weight."""
    kept, count = arrays["pairs"][arrays["pair_weights"] > 0], len(arrays["node_rest_positions"])
    graph = coo_matrix((np.ones(len(kept)), kept.T), shape=(count, count))
    return int(connected_components(graph, directed=False)[0])


def growths(trace: Trace, passes: int) -> list[float]:
    """Nodes after `passes` passes relative to the start, per member."""
    return [len(m[passes]["node_supports"]) / len(m[0]["node_supports"]) for m in nodes.frames(trace, "node_supports")]


def passes(trace: Trace) -> int:
    """Number of passes that every member has made."""
    return min(len(m) for m in nodes.frames(trace, "node_supports")) - 1


@lru_cache(maxsize=None)
def work(trace: Trace, frame: int) -> tuple[float, ...]:
    """Pairs read per simulated second at the stable step, 1/s, per member, in this frame."""
    return tuple(
        len(m[frame]["pairs"]) / stable_step(operator(trace, m[frame], stiffness_products)) for m in nodes.frames(trace)
    )


def by_count(*blocks: Trace) -> list[Trace]:
    """The fewest pieces first; MissingData without a whole block."""
    cells = sorted(blocks, key=piece_count)
    if piece_count(cells[0]) != 1 or len(cells) < 3:
        raise MissingData(f"{M.experiment}: expected a whole block and at least two others")
    return cells


def undersampled(trace: Trace, first: int, last: int) -> list[float]:
    """Share of nodes with Ω below 10, of every member in these frames. For full cuts Ω counts the same piece's
    nodes in the support."""
    found = []
    for member in nodes.frames(trace, "pairs", "pair_weights", "node_supports"):
        for arrays in member[first : last + 1]:
            kept = arrays["pairs"][arrays["pair_weights"] > 0]
            omega = 1 + np.bincount(kept[:, 0], minlength=len(arrays["node_supports"]))
            found.append(float((omega < LEAST_SUM).mean()))
    return found


def inner_points(trace: Trace) -> Array:
    """Random points deeper than a support below the block's faces, where no kernel reaches out of the block."""
    # Not a lattice: its points could coincide with the faces and centres of pieces.
    sizes = np.array([trace.number(n) for n in ("length_m", "side_m", "side_m")])
    h = next(nodes.frames(trace, "node_supports"))[0]["node_supports"].max()
    points = np.random.default_rng(1).uniform(-1, 1, (4096, 3)) * (0.5 * sizes - h)
    return np.asarray(points + [0.5 * sizes[0], 0, 0])


@quantity("pieces connected by pairs with a weight, before any insertion")
def pieces(trace: Trace) -> Array:
    """One number per member."""
    needed = ("pairs", "pair_weights", "node_rest_positions")
    return np.array([connected(m[0]) for m in nodes.frames(trace, *needed)])


@quantity("share of nodes with Ω below 10 before the first pass")
def _undersampled_at_first(trace: Trace) -> list[float]:
    return undersampled(trace, 0, 0)


@quantity("share of nodes with Ω below 10 after all passes")
def _left(trace: Trace) -> list[float]:
    return undersampled(trace, passes(trace), passes(trace))


@quantity("nodes after the first pass relative to the start")
def _first_growth(trace: Trace) -> list[float]:
    return growths(trace, 1)


@quantity("nodes after all passes relative to the start")
def _growth(trace: Trace) -> list[float]:
    return growths(trace, passes(trace))


@quantity("mean node growth in the first pass minus that with the next fewer pieces")
def _rises(*blocks: Trace) -> dict[Trace, float]:
    cells = by_count(*blocks)
    mean = [float(np.mean(growths(c, 1))) for c in cells]
    return {c: after - before for c, before, after in zip(cells[1:], mean, mean[1:])}


@quantity("pairs read per simulated second at the stable step, after the first pass relative to before")
def _work_growth(trace: Trace) -> Array:
    return np.array(work(trace, 1)) / work(trace, 0)


@quantity("pairs read per simulated second before any insertion, block in most pieces relative to the whole")
def _cut_over_whole(*blocks: Trace) -> Array:
    whole, *_, finest = by_count(*blocks)
    return np.array(work(finest, 0)) / work(whole, 0)


@quantity("pairs with a weight after the first pass relative to before")
def _pair_growth(trace: Trace) -> list[float]:
    kept = [[int((a["pair_weights"] > 0).sum()) for a in m[:2]] for m in nodes.frames(trace, "pair_weights")]
    return [after / before for before, after in kept]


def _condition(arrays: dict[str, Array]) -> float:
    return float(conditions(moments(arrays)).max())


@quantity("condition number of a matrix A before the first pass")
def _cut_condition(trace: Trace) -> list[float]:
    return [_condition(m[0]) for m in nodes.frames(trace)]


@quantity("condition number of a matrix A after any pass")
def _resampled_condition(trace: Trace) -> list[float]:
    end = passes(trace) + 1
    return [_condition(arrays) for m in nodes.frames(trace) for arrays in m[1:end]]


@quantity("relative change of the mean of Σ m w(|x − x_j|, h_j) by all passes, points deeper than a support")
def _density_change(trace: Trace) -> list[float]:
    points = inner_points(trace)
    means = [[density_at(points, a).mean() for a in (m[0], m[-1])] for m in nodes.frames(trace)]
    return [abs(float(after / before) - 1) for before, after in means]


# Every support size that the paper's rule may mean.
BLOCKS = EVERY_RUN.where(lambda c: support(c) > FACES - 1e-9, says="")
GROUPS = BLOCKS.grouped(support, says="sizes of supports")
FINEST = BLOCKS.at_largest(piece_count, says="most pieces")
OF_8 = BLOCKS.where(has_pieces_of(8), says="pieces of 8 nodes")
OF_27 = BLOCKS.where(has_pieces_of(27), says="pieces of 27 nodes")
SUPPORT = "scene.parameters.support_ratio"
OF_FIGURE = BLOCKS.where({SUPPORT: SHOWN})

M.least("pieces", pieces, FINEST)
M.least("undersampled_at_8", _undersampled_at_first, OF_8)
M.largest("left_by_faces", _left, OF_8.where({SUPPORT: FACES}, says="supports of 2 spacings"))
M.largest("left_at_2_2", _left, OF_8.where({SUPPORT: SHOWN}, says="supports of 2.2 spacings"))
M.largest("left_by_edges", _left, OF_8.where({SUPPORT: EDGES}, says="supports of 2√2 spacings"))
M.largest("left_by_corners", _left, OF_8.where({SUPPORT: CORNERS}, says="supports of 2√3 spacings"))
M.largest("whole_growth", _growth, BLOCKS.where(pieces_across=1, says="blocks without cracks"))
M.largest("growth_at_27", _first_growth, OF_27)
M.least("growth_at_8", _first_growth, OF_8)
M.largest("last_growth_at_8", _growth, OF_8)
M.least("least_rise", _rises, GROUPS)
M.least("work_growth", _work_growth, FINEST)
M.least("cut_over_whole", _cut_over_whole, GROUPS)
M.least("weighted_pair_growth", _pair_growth, FINEST)
M.largest("cut_condition", _cut_condition, FINEST)
M.largest("resampled_condition", _resampled_condition, FINEST)
M.largest(
    "wide_resampled_condition",
    _resampled_condition,
    FINEST.where(lambda c: support(c) > EDGES - 1e-9, says="supports of 2√2 spacings and more"),
)
M.largest("density_change", _density_change, OF_8)

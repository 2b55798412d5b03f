# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/resampling: nodes inserted beside a plane that cuts a block through,
pass by pass."""

from collections.abc import Callable, Iterator

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, Quantity, Trace, extremes
from deformbench_analysis.vocabulary import quantity, rows
from . import sampled_nodes as nodes

M = Measures("pauly_et_al_2005/resampling")
LEAST_SUM = 10
Arrays = dict[str, Array]


def sides(points: Array, arrays: Arrays) -> Array:
    """Whether each point is on the positive side of the plane that cuts the block; all False without a cut."""
    triangles = arrays["crack_triangles"].reshape(-1, 3, 3)
    if not len(triangles):
        return np.zeros(len(points), dtype=bool)
    corner = triangles[0]
    normal = np.cross(corner[1] - corner[0], corner[2] - corner[0])
    return np.asarray((points - corner[0]) @ normal > 0)


def without_room(cell: Trace, arrays: Arrays) -> Array:
    """Mask of nodes within a thousandth of their support of the plane or a face of the block: parts centred there
    have no room."""
    length, side = (cell.number(n) for n in ("length_m", "side_m"))
    points, triangles = arrays["node_rest_positions"], arrays["crack_triangles"].reshape(-1, 3, 3)
    sizes = np.array([length, side, side])
    distance = (0.5 * sizes - np.abs(points - [0.5 * length, 0, 0])).min(axis=1)
    if len(triangles):
        normal = np.cross(triangles[0, 1] - triangles[0, 0], triangles[0, 2] - triangles[0, 0])
        distance = np.minimum(distance, np.abs((points - triangles[0, 0]) @ normal) / np.linalg.norm(normal))
    return np.asarray(distance < 1e-3 * arrays["node_supports"])


def crossing_depths(from_points: Array, to_points: Array, arrays: Arrays) -> Array:
    """d_s: depth of the segments' crossings of the plane behind its straight front; infinite without front,
    −1 without crossing."""
    triangles = arrays["crack_triangles"].reshape(-1, 3, 3)
    if not len(triangles):
        return np.full(len(from_points), -1.0)
    normal = np.cross(triangles[0, 1] - triangles[0, 0], triangles[0, 2] - triangles[0, 0])
    normal /= np.linalg.norm(normal)
    a, b = (from_points - triangles[0, 0]) @ normal, (to_points - triangles[0, 0]) @ normal
    differ = (a > 0) != (b > 0)
    fronts = arrays.get("crack_fronts", np.zeros((0, 2, 3))).reshape(-1, 2, 3)
    if not len(fronts):
        return np.where(differ, np.inf, -1.0)
    onwards = np.cross(normal, fronts[0, 1] - fronts[0, 0])
    onwards /= np.linalg.norm(onwards)
    if (triangles[0].mean(axis=0) - fronts[0, 0]) @ onwards > 0:
        onwards = -onwards
    share = a / np.where(differ, a - b, 1)
    behind = -(from_points + share[:, None] * (to_points - from_points) - fronts[0, 0]) @ onwards
    return np.where(differ & (behind >= 0), behind, -1.0)


def sums(arrays: Arrays, cracks: Arrays | None = None, opacity: float = 1.0) -> Array:
    """Ω: Σ (transparent weight / plain weight) of the nodes in each support, the node itself included; `cracks`: by
    those of this frame instead."""
    points, supports = arrays["node_rest_positions"], arrays["node_supports"]
    i, j, distance = nodes.pairs(points, supports)
    depth = crossing_depths(points[i], points[j], arrays if cracks is None else cracks)
    r = distance / supports[i]
    lengthened = np.where(depth < 0, r, r + (2 * np.maximum(depth, 0) / (opacity * supports[i])) ** 2)
    plain = nodes.weight(r)
    ratio = np.where(plain > 0, nodes.weight(np.minimum(lengthened, 1.0)) / np.where(plain > 0, plain, 1), 0.0)
    return 1 + np.bincount(i, weights=np.where(depth < 0, 1.0, ratio), minlength=len(points))


def passes(cell: Trace) -> Iterator[tuple[int, Arrays, Arrays, Arrays]]:
    """Index of the pass, the first frame, and the frames before and after the pass; member by member."""
    for member in nodes.frames(cell):
        for k, (before, after) in enumerate(zip(member[:-1], member[1:])):
            yield k, member[0], before, after


def expected(cell: Trace, first: Arrays, before: Arrays, cracks: Arrays) -> dict[int, tuple[int, int]]:
    """By node, from ⌈10 − Ω⌉: nodes inserted, and nodes that share the mass; without those whose parts would be
    too small. `cracks`: the frame after the pass, as cracks grow before it."""
    omega, supports = sums(before, cracks), before["node_supports"]
    stays = cell.value("method.parameters.split_node") == "stays"
    keeps_density = cell.value("method.parameters.split_supports") == "density"
    least = cell.setting("min_support_ratio") * first["node_supports"].min()
    found = {}
    for node in np.flatnonzero(omega < LEAST_SUM):
        inserted = int(np.ceil(LEAST_SUM - omega[node]))
        parts = inserted + stays
        if supports[node] * (parts ** (-1 / 3) if keeps_density else 1) >= least:
            found[int(node)] = (inserted, parts)
    return found


def count_errors(cell: Trace) -> float:
    """Nodes of a pass split into other numbers than ⌈10 − Ω⌉ says,
    those without room or with too small parts left out."""
    worst = 0
    for _, first, before, after in passes(cell):
        wanted = expected(cell, first, before, after)
        made = {int(n): (int(i), int(p)) for n, i, p in after["node_splits"].reshape(-1, 3)}
        may_stay = without_room(cell, before)
        wanted = {n: w for n, w in wanted.items() if n in made or not may_stay[n]}
        grown = len(after["node_supports"]) - len(before["node_supports"])
        worst = max(worst, sum(wanted.get(n) != made.get(n) for n in {*wanted, *made}))
        worst = max(worst, abs(grown - sum(p - 1 for _, p in wanted.values())))
    return float(worst)


def broken_sums(cell: Trace) -> int:
    """Nodes split at a non-integer Ω."""
    count = 0
    for _, _, before, after in passes(cell):
        omega = sums(before, after)
        split = after["node_splits"].reshape(-1, 3)[:, 0]
        count += int((np.abs(omega[split] - np.round(omega[split])) > 1e-6).sum())
    return count


def inserted(cell: Trace) -> Array:
    """Nodes that the first pass inserts."""
    return np.array([a["node_splits"].reshape(-1, 3)[:, 1].sum() for k, _, _, a in passes(cell) if k == 0])


def splits(cell: Trace) -> Array:
    """Nodes that one pass splits."""
    return np.array([len(a["node_splits"].reshape(-1, 3)) for *_, a in passes(cell)])


def few_at_start(cell: Trace) -> Array:
    """Nodes with Ω below 10 before anything is inserted."""
    return np.array([(sums(m[0]) < LEAST_SUM).sum() for m in nodes.frames(cell)])


def few_ratio(cell: Trace) -> Array:
    """Nodes with Ω below 10 after one of the first two passes relative to before it."""
    ratios = []
    for member in nodes.frames(cell):
        few = [int((sums(frame) < LEAST_SUM).sum()) for frame in member[:3]]
        ratios += [after / before for before, after in zip(few[:-1], few[1:]) if before]
    return np.array(ratios)


def left(cell: Trace) -> Array:
    """Share of nodes with Ω below 10 after all passes."""
    return np.array([(sums(m[-1]) < LEAST_SUM).mean() for m in nodes.frames(cell)])


def mass_error(cell: Trace) -> float:
    """Relative change of the sum of all masses since the start."""
    errors = []
    for member in nodes.frames(cell):
        start = float(np.sum(member[0]["node_masses"].astype(np.longdouble)))
        errors += [abs(float(np.sum(m["node_masses"].astype(np.longdouble))) / start - 1) for m in member]
    return max(errors)


def own_density_error(cell: Trace) -> float:
    """Relative change of m/h³ of a node, or of the parts of one, since the start."""
    worst = 0.0
    for member in nodes.frames(cell):
        ratio = [m["node_masses"] / m["node_supports"] ** 3 for m in member]
        worst = max(worst, max(float(np.abs(r / ratio[0][m["parents"]] - 1).max()) for r, m in zip(ratio, member)))
    return worst


def _drift(channel: str) -> Quantity:
    name = channel.replace("_", " ").replace("linear ", "")

    @quantity(f"change of {name} since the start relative to its size")
    def drift(cell: Trace) -> Array:
        members = cell.series("step", channel).members()
        return np.array(
            [np.linalg.norm(m.values - m.values[0], axis=1).max() / np.linalg.norm(m.values[0]) for m in members]
        )

    return drift


def probes(cell: Trace) -> Array:
    """A fixed lattice of points in the inner nine tenths of the block."""
    length, side = (cell.number(n) for n in ("length_m", "side_m"))
    ticks = np.linspace(-0.45, 0.45, 13)
    grid = np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.asarray(grid * [length, side, side] + [0.5 * length, 0, 0])


def density_at(points: Array, arrays: Arrays) -> Array:
    """Σ m_j w(|x − x_j|, h_j)."""
    found = np.zeros(len(points))
    for x, m, h in zip(arrays["node_rest_positions"], arrays["node_masses"], arrays["node_supports"]):
        distance = np.linalg.norm(points - x, axis=1)
        near = distance < h
        found[near] += m * nodes.kernel(distance[near], h)
    return found


def _first_pass(change: Callable[[Trace, Arrays, Arrays], float]) -> Callable[[Trace], Array]:
    """The change in the first pass, per member."""
    return lambda c: np.array([change(c, before, after) for k, _, before, after in passes(c) if k == 0])


@quantity("relative change of the sum of the nodes' volumes in the first pass")
@_first_pass
def volume_change(_: Trace, before: Arrays, after: Arrays) -> float:
    return abs(float(after["node_volumes"].sum() / before["node_volumes"].sum()) - 1)


@quantity("relative change in the first pass of the mean of Σ m w(|x − x_j|, h_j) over points of the block")
@_first_pass
def density_change(cell: Trace, before: Arrays, after: Arrays) -> float:
    points = probes(cell)
    return abs(float(density_at(points, after).mean() / density_at(points, before).mean()) - 1)


@quantity("nodes inserted in the first pass relative to those before it")
@_first_pass
def inserted_share(_: Trace, before: Arrays, after: Arrays) -> float:
    return len(after["node_supports"]) / len(before["node_supports"]) - 1


def is_narrow(trace: Trace) -> bool:
    """Supports of 1.6 spacings."""
    # Below any reading of the paper's rule, so that many nodes split.
    return trace.number("support_ratio") < 1.9


def is_wide(trace: Trace) -> bool:
    """Supports of at least 2√2 spacings."""
    return trace.number("support_ratio") > 2.8


ALL = ("as_printed", "kept", "replaced", "anywhere")
THROUGH = rows(*ALL, says="blocks cut through").where(cut="through", says="")
PRINTED = rows("as_printed", says="parts keeping the density").where(cut="through", says="")
KEPT = rows("kept", says="parts keeping the support").where(cut="through", says="")
REPLACED = rows("replaced", says="nodes replaced by parts").where(cut="through", says="")
ANYWHERE = rows("anywhere", says="new nodes anywhere in the support").where(cut="through", says="")


@M("count_errors")
def largest_count_error(data: ExperimentData) -> Measured:
    """Largest number of nodes per pass whose split differs from ⌈10 − Ω⌉, Ω from positions, supports and the plane.

    Nodes whose parts would be below the smallest support allowed must not be split; nodes nearer to the plane or to a
    face than a thousandth of their support need not be."""
    judged = (THROUGH, rows("as_printed").where(cut="none"), rows(*ALL[:3]).where(cut="advancing"))
    return extremes.largest({c: count_errors(c) for r in judged for c in r.runs(data)})


M.least(
    "broken_sums",
    broken_sums,
    rows("as_printed", says="blocks with an advancing front").where(cut="advancing", says="").where(is_narrow),
)
M.least("inserted", inserted, THROUGH.where(is_narrow))
M.largest(
    "splits_uncracked",
    splits,
    rows("cracks", says="blocks without a crack where only cracks cause splits").where(cut="none", says=""),
)
M.largest("few_uncracked", few_at_start, rows("as_printed", says="blocks without a crack").where(cut="none", says=""))
for _name, _rows in (("as_printed", PRINTED), ("kept", KEPT), ("replaced", REPLACED)):
    M.largest(f"few_ratio_{_name}", few_ratio, _rows.where(is_narrow))
M.largest("left_wide", left, PRINTED.where(is_wide))
M.largest("mass_error", mass_error, THROUGH)
M.largest("momentum_error", _drift("linear_momentum"), THROUGH)
M.largest(
    "angular_momentum_error",
    _drift("angular_momentum"),
    rows(*ALL[:3], says="new nodes around the split node").where(cut="through", says=""),
)
# With wide supports the one step of these runs splits no node, so the angular momentum stays.
M.least("angular_momentum_error_anywhere", _drift("angular_momentum").largest(), ANYWHERE.where(is_narrow))
M.largest("volume_change", volume_change, PRINTED)
M.largest("volume_change_kept", volume_change, KEPT)
M.largest("density_change", density_change, PRINTED)
M.largest("density_change_kept", density_change, KEPT)
M.largest("inserted_share", inserted_share, PRINTED)
M.largest(
    "own_density_error",
    own_density_error,
    rows("as_printed", "replaced", says="parts keeping the density").where(cut="through", says=""),
)

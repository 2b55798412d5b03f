# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/resampling: nodes inserted beside a plane that cuts a block through, pass by pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from . import sampled_nodes as nodes

EXPERIMENT = "pauly_et_al_2005/resampling"
LEAST_SUM = 10
Arrays = dict[str, Array]


def sides(points: Array, arrays: Arrays) -> Array:
    """On which side of the plane that cuts the block through each point lies; all on one where nothing cuts it."""
    triangles = arrays["crack_triangles"].reshape(-1, 3, 3)
    if not len(triangles):
        return np.zeros(len(points), dtype=bool)
    corner = triangles[0]
    normal = np.cross(corner[1] - corner[0], corner[2] - corner[0])
    return np.asarray((points - corner[0]) @ normal > 0)


def without_room(cell: Trace, arrays: Arrays) -> Array:
    """Nodes so near to the plane or to a face of the block that parts with their centre at the node find no place: a thousandth of
    the support."""
    length, side = (float(cell.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m"))
    points, triangles = arrays["node_rest_positions"], arrays["crack_triangles"].reshape(-1, 3, 3)
    sizes = np.array([length, side, side])
    distance = (0.5 * sizes - np.abs(points - [0.5 * length, 0, 0])).min(axis=1)
    if len(triangles):
        normal = np.cross(triangles[0, 1] - triangles[0, 0], triangles[0, 2] - triangles[0, 0])
        distance = np.minimum(distance, np.abs((points - triangles[0, 0]) @ normal) / np.linalg.norm(normal))
    return np.asarray(distance < 1e-3 * arrays["node_supports"])


def crossing_depths(from_points: Array, to_points: Array, arrays: Arrays) -> Array:
    """d_s: how far behind its straight front the segments cross the plane; infinite where it has no front, −1 where they do not."""
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
    """Ω: sum of transparent weights over plain ones of the nodes in each support, the node itself among them; by the cracks of
    another frame where they are given."""
    points, supports = arrays["node_rest_positions"], arrays["node_supports"]
    i, j, distance = nodes.pairs(points, supports)
    depth = crossing_depths(points[i], points[j], arrays if cracks is None else cracks)
    r = distance / supports[i]
    lengthened = np.where(depth < 0, r, r + (2 * np.maximum(depth, 0) / (opacity * supports[i])) ** 2)
    plain = nodes.weight(r)
    ratio = np.where(plain > 0, nodes.weight(np.minimum(lengthened, 1.0)) / np.where(plain > 0, plain, 1), 0.0)
    return 1 + np.bincount(i, weights=np.where(depth < 0, 1.0, ratio), minlength=len(points))


def passes(cell: Trace) -> Iterator[tuple[int, Arrays, Arrays, Arrays]]:
    """Number of the pass, the first frame, the frame before the pass and the one behind it; member by member."""
    for member in nodes.frames(cell):
        for k, (before, after) in enumerate(zip(member[:-1], member[1:])):
            yield k, member[0], before, after


def expected(cell: Trace, first: Arrays, before: Arrays, cracks: Arrays) -> dict[int, tuple[int, int]]:
    """By node what ⌈10 − Ω⌉ says: nodes inserted, and nodes that share the mass; without those whose parts would be too small.
    `cracks`: the frame behind the pass, as cracks grow before it."""
    omega, supports = sums(before, cracks), before["node_supports"]
    stays = cell.value("method.parameters.split_node") == "stays"
    keeps_density = cell.value("method.parameters.split_supports") == "density"
    least = float(cell.value("method.parameters.min_support_ratio")) * first["node_supports"].min()
    found = {}
    for node in np.flatnonzero(omega < LEAST_SUM):
        inserted = int(np.ceil(LEAST_SUM - omega[node]))
        parts = inserted + stays
        if supports[node] * (parts ** (-1 / 3) if keeps_density else 1) >= least:
            found[int(node)] = (inserted, parts)
    return found


def _rows(data: ExperimentData, *names: str, cut: str = "through") -> list[Trace]:
    return [c for n in names for c in data.every(name=n, where={"scene.parameters.cut": cut})]


def _narrow(cells: list[Trace]) -> list[Trace]:
    """Supports of 1.6 spacings, less than any reading of the text's rule: there are many splits to judge."""
    return [c for c in cells if float(c.value("scene.parameters.support_ratio")) < 1.9]


ALL = ("as_printed", "kept", "replaced", "anywhere")


@measurement("resampling.count_errors", unit="1", experiment=EXPERIMENT)
def count_errors(data: ExperimentData) -> Measured:
    """Largest number of nodes of a pass that were not split into as many as ⌈10 − Ω⌉ says, or were split without need; Ω counted from
    positions, supports and the plane. Nodes whose parts would be smaller than the smallest support allowed must not be split; nodes
    nearer to the plane or to a face than a thousandth of their support need not be.
    """
    found = {}
    for cell in [*_rows(data, *ALL), *_rows(data, "as_printed", cut="none"), *_rows(data, *ALL[:3], cut="advancing")]:
        worst = 0
        for _, first, before, after in passes(cell):
            wanted = expected(cell, first, before, after)
            made = {int(n): (int(i), int(p)) for n, i, p in after["node_splits"].reshape(-1, 3)}
            may_stay = without_room(cell, before)
            wanted = {n: w for n, w in wanted.items() if n in made or not may_stay[n]}
            grown = len(after["node_supports"]) - len(before["node_supports"])
            worst = max(worst, sum(wanted.get(n) != made.get(n) for n in {*wanted, *made}))
            worst = max(worst, abs(grown - sum(p - 1 for _, p in wanted.values())))
        found[cell] = float(worst)
    return extremes.largest(found)


@measurement("resampling.broken_sums", unit="1", experiment=EXPERIMENT)
def broken_sums(data: ExperimentData) -> Measured:
    """Least number of nodes that one run splits at an Ω that is no whole number, beside a front on its way through
    the block, supports of 1.6 spacings."""
    found = {}
    for cell in _narrow(_rows(data, "as_printed", cut="advancing")):
        count = 0
        for _, _, before, after in passes(cell):
            omega = sums(before, after)
            split = after["node_splits"].reshape(-1, 3)[:, 0]
            count += int((np.abs(omega[split] - np.round(omega[split])) > 1e-6).sum())
        found[cell] = float(count)
    return extremes.least(found)


@measurement("resampling.inserted", unit="1", experiment=EXPERIMENT)
def inserted(data: ExperimentData) -> Measured:
    """Least number of nodes that the first pass inserts into a block that is cut through, supports of 1.6 spacings."""
    found = {}
    for cell in _narrow(_rows(data, *ALL)):
        found[cell] = float(min(a["node_splits"].reshape(-1, 3)[:, 1].sum() for k, _, _, a in passes(cell) if k == 0))
    return extremes.least(found)


@measurement("resampling.splits_uncracked", unit="1", experiment=EXPERIMENT)
def splits_uncracked(data: ExperimentData) -> Measured:
    """Largest number of nodes that one pass splits in a block at rest without a crack, where only nodes that a crack has taken weight
    from may be."""
    cells = _rows(data, "cracks", cut="none")
    return extremes.largest({c: float(max(len(a["node_splits"].reshape(-1, 3)) for *_, a in passes(c))) for c in cells})


@measurement("resampling.few_uncracked", unit="1", experiment=EXPERIMENT)
def few_uncracked(data: ExperimentData) -> Measured:
    """Largest number of nodes with Ω below 10 in a block without a crack, before anything is inserted."""
    cells = _rows(data, "as_printed", cut="none")
    return extremes.largest({c: float(max((sums(m[0]) < LEAST_SUM).sum() for m in nodes.frames(c))) for c in cells})


def _falls(data: ExperimentData, name: str) -> dict[Trace, float]:
    """Largest number of nodes with Ω below 10 behind a pass over that before it, supports of 1.6 spacings."""
    found = {}
    for cell in _narrow(_rows(data, name)):
        ratios = []
        for member in nodes.frames(cell):
            few = [int((sums(frame) < LEAST_SUM).sum()) for frame in member[:3]]
            ratios += [after / before for before, after in zip(few[:-1], few[1:]) if before]
        found[cell] = max(ratios)
    return found


@measurement("resampling.few_ratio_as_printed", unit="1", experiment=EXPERIMENT)
def few_ratio_as_printed(data: ExperimentData) -> Measured:
    """Largest number of nodes with Ω below 10 behind one of the first two passes over that before it; supports of the parts keep
    the density."""
    return extremes.largest(_falls(data, "as_printed"))


@measurement("resampling.few_ratio_kept", unit="1", experiment=EXPERIMENT)
def few_ratio_kept(data: ExperimentData) -> Measured:
    """Largest number of nodes with Ω below 10 behind one of the first two passes over that before it; parts keep the support."""
    return extremes.largest(_falls(data, "kept"))


@measurement("resampling.few_ratio_replaced", unit="1", experiment=EXPERIMENT)
def few_ratio_replaced(data: ExperimentData) -> Measured:
    """Largest number of nodes with Ω below 10 behind one of the first two passes over that before it; the node itself is gone."""
    return extremes.largest(_falls(data, "replaced"))


@measurement("resampling.left_wide", unit="1", experiment=EXPERIMENT)
def left_wide(data: ExperimentData) -> Measured:
    """Largest share of nodes with Ω below 10 after four passes, block cut through, supports of 2√2 spacings and more
    that keep the density."""
    cells = [c for c in _rows(data, "as_printed") if float(c.value("scene.parameters.support_ratio")) > 2.8]
    return extremes.largest({c: max(float((sums(m[-1]) < LEAST_SUM).mean()) for m in nodes.frames(c)) for c in cells})


@measurement("resampling.mass_error", unit="1", experiment=EXPERIMENT)
def mass_error(data: ExperimentData) -> Measured:
    """Largest relative change of the sum of all masses since the start, whatever is inserted and wherever."""
    found = {}
    for cell in _rows(data, *ALL):
        errors = []
        for member in nodes.frames(cell):
            start = float(np.sum(member[0]["node_masses"].astype(np.longdouble)))
            errors += [abs(float(np.sum(m["node_masses"].astype(np.longdouble))) / start - 1) for m in member]
        found[cell] = max(errors)
    return extremes.largest(found)


def _drift(cells: list[Trace], channel: str) -> dict[Trace, float]:
    """Largest change of a vector since the start over its size there."""
    found = {}
    for cell in cells:
        members = cell.series("step", channel).members()
        found[cell] = max(
            float(np.linalg.norm(m.values - m.values[0], axis=1).max() / np.linalg.norm(m.values[0])) for m in members
        )
    return found


@measurement("resampling.momentum_error", unit="1", experiment=EXPERIMENT)
def momentum_error(data: ExperimentData) -> Measured:
    """Largest change of momentum since the start over its size, of blocks that fly and turn."""
    return extremes.largest(_drift(_rows(data, *ALL), "linear_momentum"))


@measurement("resampling.angular_momentum_error", unit="1", experiment=EXPERIMENT)
def angular_momentum_error(data: ExperimentData) -> Measured:
    """Largest change of angular momentum since the start over its size, of blocks that fly and turn; new nodes have their centre at
    the node that is split."""
    return extremes.largest(_drift(_rows(data, "as_printed", "kept", "replaced"), "angular_momentum"))


@measurement("resampling.angular_momentum_error_anywhere", unit="1", experiment=EXPERIMENT)
def angular_momentum_error_anywhere(data: ExperimentData) -> Measured:
    """Least over the runs of the largest change of angular momentum since the start over its size, with new nodes anywhere in the
    support."""
    return extremes.least(_drift(_rows(data, "anywhere"), "angular_momentum"))


def probes(cell: Trace) -> Array:
    """A fixed lattice of points in the inner nine tenths of the block."""
    length, side = (float(cell.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m"))
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


def _changes(data: ExperimentData, name: str, change: Callable[[Trace, Arrays, Arrays], float]) -> dict[Trace, float]:
    """Largest change in the first pass of a member."""
    cells = _rows(data, name)
    return {c: max(change(c, before, after) for k, _, before, after in passes(c) if k == 0) for c in cells}


def _volume_change(_: Trace, before: Arrays, after: Arrays) -> float:
    return abs(float(after["node_volumes"].sum() / before["node_volumes"].sum()) - 1)


def _density_change(cell: Trace, before: Arrays, after: Arrays) -> float:
    points = probes(cell)
    return abs(float(density_at(points, after).mean() / density_at(points, before).mean()) - 1)


@measurement("resampling.volume_change", unit="1", experiment=EXPERIMENT)
def volume_change(data: ExperimentData) -> Measured:
    """Largest relative change of the sum of the nodes' volumes in the first pass, to which the energy of any homogeneous strain is
    proportional; supports keep the density of the parts."""
    return extremes.largest(_changes(data, "as_printed", _volume_change))


@measurement("resampling.volume_change_kept", unit="1", experiment=EXPERIMENT)
def volume_change_kept(data: ExperimentData) -> Measured:
    """Largest relative change of the sum of the nodes' volumes in the first pass; parts keep the support."""
    return extremes.largest(_changes(data, "kept", _volume_change))


@measurement("resampling.density_change", unit="1", experiment=EXPERIMENT)
def density_change(data: ExperimentData) -> Measured:
    """Largest relative change in the first pass of the mean of Σ m w(|x − x_j|, h_j) over a fixed lattice of points in the block;
    supports keep the density of the parts."""
    return extremes.largest(_changes(data, "as_printed", _density_change))


@measurement("resampling.density_change_kept", unit="1", experiment=EXPERIMENT)
def density_change_kept(data: ExperimentData) -> Measured:
    """Largest relative change in the first pass of the mean density Σ m w(|x − x_j|, h_j) over points of the block; parts keep the support."""
    return extremes.largest(_changes(data, "kept", _density_change))


@measurement("resampling.inserted_share", unit="1", experiment=EXPERIMENT)
def inserted_share(data: ExperimentData) -> Measured:
    """Largest number of nodes inserted in the first pass over that before it, supports keeping the density."""
    return extremes.largest(
        _changes(data, "as_printed", lambda _, b, a: len(a["node_supports"]) / len(b["node_supports"]) - 1)
    )


@measurement("resampling.own_density_error", unit="1", experiment=EXPERIMENT)
def own_density_error(data: ExperimentData) -> Measured:
    """Largest relative change of m/h³ of a node or of the parts of one since the start, supports keeping the density."""
    found = {}
    for cell in _rows(data, "as_printed", "replaced"):
        worst = 0.0
        for member in nodes.frames(cell):
            ratio = [m["node_masses"] / m["node_supports"] ** 3 for m in member]
            worst = max(worst, max(float(np.abs(r / ratio[0][m["parents"]] - 1).max()) for r, m in zip(ratio, member)))
        found[cell] = worst
    return extremes.largest(found)

# SPDX-License-Identifier: BSD-3-Clause
"""Surfels for render.py: every splat a polygon, cut where it reaches through a surfel of another sheet,
so that creases are sharp [WTG04].

Which side of a crease is kept is decided at rest: the side on which the surfel's own centre lies. The planes are
those of the deformed surfels. Normals are blended within a sheet."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.arrays import Array
from paper_figures.render import Body

CORNERS = 12  # of a polygon around a splat
ON_PLANE = 1e-6  # radii: a centre nearer to the plane of another sheet has no side of its own


@dataclass(frozen=True)
class Splats:
    """Surfels of all sheets, metres; `rest_…`: at rest."""

    positions: Array  # [n, 3]
    normals: Array  # [n, 3]
    axes: Array  # [n, 2, 3], half axes
    sheets: Array  # [n]
    rest_positions: Array  # [n, 3]
    rest_normals: Array  # [n, 3]
    skin_sheets: int  # sheets below this number are skin, the others faces of cracks

    @property
    def radii(self) -> Array:
        """Lengths of the longer half axes, m."""
        return np.asarray(np.linalg.norm(self.axes, axis=2).max(axis=1))

    @property
    def is_skin(self) -> Array:
        """Whether a surfel belongs to the skin rather than to a crack face, per surfel."""
        return np.asarray(self.sheets < self.skin_sheets)

    @staticmethod
    def of(frame: dict[str, Array]) -> "Splats":
        """Splats of a frame with surfel arrays."""
        return Splats(
            frame["surfel_positions"],
            frame["surfel_normals"],
            frame["surfel_axes"],
            frame["surfel_sheets"],
            frame["surfel_rest_positions"],
            frame["surfel_rest_normals"],
            int(frame["surfel_counts"][0]),
        )


@dataclass(frozen=True)
class Cuts:
    """Surfels that planes of other sheets cut, one row per pair."""

    surfels: Array  # [c]
    planes: Array  # [c], surfels whose planes cut
    sides: Array  # [c], -1: the side behind the plane is kept, +1: that in front


def cuts(splats: Splats) -> Cuts:
    """For every surfel and other sheet, the nearest surfel of that sheet if the splat can reach it at rest; the two
    faces of a crack do not cut each other."""
    found: list[tuple[Array, Array, Array]] = [(np.zeros(0, dtype=int), np.zeros(0, dtype=int), np.zeros(0))]
    radii = splats.radii
    numbers = np.unique(splats.sheets)
    trees = {
        n: (np.flatnonzero(splats.sheets == n), cKDTree(splats.rest_positions[splats.sheets == n])) for n in numbers
    }
    for own in numbers:
        mine = trees[own][0]
        for other in numbers:
            if other == own or _are_faces_of_one_crack(splats, int(own), int(other)):
                continue
            index, tree = trees[other]
            far, near = tree.query(splats.rest_positions[mine], distance_upper_bound=2 * float(radii.max()))
            reached = np.isfinite(far)
            i, j = mine[reached], index[near[reached]]
            kept = far[reached] <= radii[i] + radii[j]
            i, j = i[kept], j[kept]
            apart = splats.rest_positions[i] - splats.rest_positions[j]
            height = np.einsum("ij,ij->i", apart, splats.rest_normals[j])
            usual = -1.0 if height.sum() <= 0 else 1.0
            found.append((i, j, np.where(np.abs(height) > ON_PLANE * radii[i], np.sign(height), usual)))
    return Cuts(*(np.concatenate(column) for column in zip(*found)))


def _are_faces_of_one_crack(splats: Splats, a: int, b: int) -> bool:
    """Faces come in pairs after the sheets of the skin."""
    first = splats.skin_sheets
    return min(a, b) >= first and (a - first) // 2 == (b - first) // 2


@dataclass(frozen=True)
class Polygons:
    """Convex polygons, one per row; the first `counts` of `corners` are valid."""

    surfels: Array  # [k]
    corners: Array  # [k, most, 3]
    counts: Array  # [k]

    def __getitem__(self, rows: Array) -> "Polygons":
        return Polygons(self.surfels[rows], self.corners[rows], self.counts[rows])


def outlines(splats: Splats, chosen: Array) -> Polygons:
    """Polygons of CORNERS corners around whole splats."""
    turn = 2 * np.pi * (np.arange(CORNERS) + 0.5) / CORNERS
    u, v = (splats.axes[chosen, k, None] / np.cos(np.pi / CORNERS) for k in (0, 1))  # the ellipse is inside
    corners = splats.positions[chosen, None] + np.cos(turn)[:, None] * u + np.sin(turn)[:, None] * v
    return Polygons(chosen, corners, np.full(len(chosen), CORNERS))


def clipped(given: Polygons, points: Array, normals: Array) -> Polygons:
    """Part of each convex polygon behind its plane [k, 3], n·(x − point) ≤ 0; may be empty."""
    rows, most = np.arange(len(given.counts))[:, None], given.corners.shape[1]
    place = np.arange(most)
    heights = np.einsum("ikj,ij->ik", given.corners - points[:, None], normals)
    following = (place + 1) % np.maximum(given.counts, 1)[:, None]
    is_own = place < given.counts[:, None]
    is_kept, is_kept_next = heights <= 0, heights[rows, following] <= 0
    with np.errstate(divide="ignore", invalid="ignore"):
        share = heights / (heights - heights[rows, following])
        crossing = given.corners + (given.corners[rows, following] - given.corners) * share[..., None]
    # Each corner, then where the edge that begins at it crosses the plane.
    corners = np.stack([given.corners, crossing], axis=2).reshape(-1, 2 * most, 3)
    has = np.stack([is_own & is_kept, is_own & (is_kept != is_kept_next)], axis=2).reshape(-1, 2 * most)
    first = np.argsort(~has, axis=1, kind="stable")[:, : max(int(has.sum(axis=1).max(initial=0)), 1)]
    return Polygons(given.surfels, corners[rows, first], has.sum(axis=1))


def polygons(splats: Splats, chosen: Array, found: Cuts) -> Polygons:
    """The chosen splats [n] that cuts do not remove entirely.
    Crack surfels that protrude from the skin are omitted."""
    stands_out = ~splats.is_skin[found.surfels] & splats.is_skin[found.planes] & (found.sides > 0)
    keep = np.asarray(chosen, dtype=bool).copy()
    keep[found.surfels[stands_out]] = False
    result = outlines(splats, np.flatnonzero(keep))
    row_of = np.full(len(keep), -1)
    row_of[result.surfels] = np.arange(len(result.surfels))
    order = np.argsort(found.surfels, kind="stable")
    surfels, planes, sides = found.surfels[order], found.planes[order], found.sides[order]
    turn = np.arange(len(surfels)) - np.searchsorted(surfels, surfels)  # which of its surfel's cuts
    for k in range(int(turn.max(initial=-1)) + 1):
        at = np.flatnonzero((turn == k) & (row_of[surfels] >= 0))
        rows, normals = row_of[surfels[at]], -sides[at, None] * splats.normals[planes[at]]
        part = clipped(result[rows], splats.positions[planes[at]], normals)
        most = max(part.corners.shape[1], result.corners.shape[1])
        corners = np.zeros((len(result.counts), most, 3))
        corners[:, : result.corners.shape[1]] = result.corners
        corners[rows, : part.corners.shape[1]] = part.corners
        counts = result.counts.copy()
        counts[rows] = part.counts
        result = Polygons(result.surfels, corners, counts)
    return result[result.counts > 2]


def blended_normals(splats: Splats, points: Array, surfels: Array) -> Array:
    """[k, 3]: weighted means over surfels near each point, on the sheet of its surfel;
    weights vanish at two radii."""
    normals, radii = np.zeros_like(points), splats.radii
    for sheet in np.unique(splats.sheets[surfels]):
        index = np.flatnonzero(splats.sheets == sheet)
        at = splats.sheets[surfels] == sheet
        count = min(12, len(index))
        distance, near = cKDTree(splats.positions[index]).query(points[at], k=count)
        distance, near = distance.reshape(-1, count), near.reshape(-1, count)
        weight = np.maximum(0.0, 1 - (distance / (2 * radii[index[near]])) ** 2) ** 2 + 1e-12
        normals[at] = np.einsum("ij,ijk->ik", weight, splats.normals[index[near]])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(np.where(length > 0, normals / np.maximum(length, 1e-300), splats.normals[surfels]))


def body(splats: Splats, chosen: Array, found: Cuts, colour: str, bump: float = 0.0) -> Body:
    """The chosen splats as triangles with blended normals. `bump`: size of procedural bumps, metres; 0: smooth."""
    made = polygons(splats, chosen, found)
    place = np.arange(made.corners.shape[1])
    points = made.corners[place < made.counts[:, None]]
    normals = blended_normals(splats, points, np.repeat(made.surfels, made.counts))
    # Fans of triangles about the first corner of each polygon.
    fans = made.counts - 2
    first = np.repeat(np.cumsum(made.counts) - made.counts, fans)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(fans) - fans, fans)
    return Body(points, np.stack([first, second, second + 1], axis=1), colour, normals=normals, bump=bump)


def bodies(splats: Splats, skin: str, crack: str, bump: float = 0.0) -> list[Body]:
    """Skin and faces of cracks, each in its colour, bumps on the faces alone."""
    found = cuts(splats)
    made = [body(splats, splats.is_skin, found, skin), body(splats, ~splats.is_skin, found, crack, bump)]
    return [b for b in made if len(b.triangles)]


def turned_body(made: Body, rotation: Array) -> Body:
    """Turned by a 3×3 matrix, normals too."""
    normals = None if made.normals is None else made.normals @ rotation.T
    return replace(made, positions=made.positions @ rotation.T, normals=normals)

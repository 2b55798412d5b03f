# SPDX-License-Identifier: BSD-3-Clause
"""Stored frames of breaking bodies, and queries on a broken mesh: exposed faces, pieces, stars. No measurement
of its own; independent of the methods that are judged."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from deformbench_analysis.vocabulary import Array, MissingData, Trace

CORNERS_OF_FACES = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))


@dataclass(frozen=True)
class Frame:
    """One stored frame of a body whose topology changes."""

    step: int
    time: float
    tetrahedra: Array  # current, [m,4]
    parents: Array  # vertex of the first mesh, one per vertex
    fields: dict[str, Array]

    def field(self, name: str) -> Array:
        """A field of the frame; MissingData when it was not stored."""
        if name not in self.fields:
            raise MissingData(f"no {name} in the frame of step {self.step} (has: {', '.join(self.fields)})")
        return self.fields[name]


def frames(trace: Trace, last: bool = False) -> Iterator[Frame]:
    """Every stored frame in order (or the last alone); those of a run whose mesh never changes have the scene's
    mesh."""
    tetrahedra = trace.scene("tetrahedra")
    parents = np.arange(int(trace.scene("rest_positions").shape[0]))
    for step, time, arrays in trace.frames(last=last):
        yield Frame(step, time, arrays.get("tetrahedra", tetrahedra), arrays.get("parents", parents), arrays)


def require_next(trace: Trace, before: Frame, frame: Frame) -> None:
    """MissingData unless `frame` is one step after `before`."""
    if frame.step != before.step + 1:
        raise trace.missing(f"frames of steps {before.step} and {frame.step}, expected every step")


def frame_at(trace: Trace, step: int) -> Frame:
    """The frame of a step; MissingData when there is none."""
    for frame in frames(trace):
        if frame.step == step:
            return frame
    raise trace.missing(f"no frame of step {step}")


def last_frame(trace: Trace) -> Frame:
    """The last frame of a trace."""
    for frame in frames(trace, last=True):
        return frame
    raise trace.missing("no frames")


def shared_faces(tetrahedra: Array) -> Array:
    """[k,4]: element, corner, element, corner of every face that two elements share;
    the corner is the one opposite."""
    faces = np.sort(tetrahedra[:, CORNERS_OF_FACES], axis=2).reshape(-1, 3)  # row 4 e + opposite corner
    order = np.lexsort(faces.T[::-1])
    same = np.flatnonzero((faces[order[1:]] == faces[order[:-1]]).all(axis=1))
    first, second = order[same], order[same + 1]
    return np.stack([first // 4, first % 4, second // 4, second % 4], axis=1)


def exposed_faces(first: Array, current: Array) -> Array:
    """[k,3] faces, by vertices of the first mesh, that two elements shared but share no longer."""
    faces = np.asarray(CORNERS_OF_FACES)
    a, fa, b, fb = shared_faces(first).T
    one = np.sort(np.take_along_axis(current[a], faces[fa], axis=1), axis=1)
    other = np.sort(np.take_along_axis(current[b], faces[fb], axis=1), axis=1)
    opened = (one != other).any(axis=1)
    return np.asarray(np.take_along_axis(first[a], faces[fa], axis=1)[opened], dtype=int)


def component_labels(tetrahedra: Array) -> Array:
    """Label of the face-connected piece of every element, [m]."""
    pairs = shared_faces(tetrahedra)
    count = len(tetrahedra)
    graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 2])), shape=(count, count))
    return np.asarray(connected_components(graph, directed=False)[1])


def component_sizes(tetrahedra: Array) -> list[int]:
    """Number of elements of every face-connected piece, largest first."""
    return sorted(np.bincount(component_labels(tetrahedra)).tolist(), reverse=True)


def stars(tetrahedra: Array) -> dict[int, list[int]]:
    """Elements round every vertex."""
    found: dict[int, list[int]] = defaultdict(list)
    for element, corners in enumerate(tetrahedra):
        for v in corners:
            found[int(v)].append(element)
    return found


def hinge_vertices(tetrahedra: Array) -> int:
    """Number of vertices at which their elements are not face-connected."""
    return sum(components_at(tetrahedra, star, vertex) > 1 for vertex, star in stars(tetrahedra).items())


def components_at(tetrahedra: Array, star: list[int], vertex: int) -> int:
    """Number of pieces of a star connected through faces at the vertex."""
    faces: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for element in star:
        for local in CORNERS_OF_FACES:
            key = tuple(sorted(int(tetrahedra[element, c]) for c in local))
            if vertex in key:
                faces[key].append(element)
    left, pieces = set(star), 0
    joined: dict[int, set[int]] = defaultdict(set)
    for pair in faces.values():
        if len(pair) == 2:
            joined[pair[0]].add(pair[1])
            joined[pair[1]].add(pair[0])
    while left:
        pieces += 1
        open_ = [left.pop()]
        while open_:
            near = joined[open_.pop()] & left
            left -= near
            open_ += near
    return pieces

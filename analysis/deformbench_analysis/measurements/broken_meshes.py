# SPDX-License-Identifier: BSD-3-Clause
"""Stored frames of bodies that break, and what may be asked of a broken mesh: exposed faces, pieces, stars. No measurement of
its own; nothing here is taken from the methods that it judges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import h5py
import numpy as np

from ..errors import MissingData
from ..trace import Trace

CORNERS_OF_FACES = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))


@dataclass(frozen=True)
class Frame:
    step: int
    time: float
    tetrahedra: np.ndarray  # current, [m,4]
    parents: np.ndarray  # vertex of the first mesh, one a vertex
    fields: dict[str, np.ndarray]

    def field(self, name: str) -> np.ndarray:
        if name not in self.fields:
            raise MissingData(f"no {name} in the frame of step {self.step} (has: {', '.join(self.fields)})")
        return self.fields[name]


def frames(trace: Trace) -> Iterator[Frame]:
    """Every stored frame in order. A run without changes of topology has them on the clock `frame` alone."""
    tetrahedra = trace.scene("tetrahedra")
    vertices = int(trace.scene("rest_positions").shape[0])
    with h5py.File(trace.path, "r") as file:
        series, groups = file.get("series/frame"), file.get("frames")
        if series is None and groups is None:
            raise MissingData(f"{trace.experiment}: {trace.label}: no frames")
        shared = {} if series is None else {int(step): row for row, step in enumerate(series["step"][...])}
        times = {} if series is None else {int(s): float(t) for s, t in zip(series["step"][...], series["time"][...])}
        own = {} if groups is None else {int(groups[k].attrs["step"]): k for k in groups}
        for step in sorted({*shared, *own}):
            fields = {n: series[n][shared[step]] for n in series if n not in ("step", "time")} if step in shared else {}
            current, parents, time = tetrahedra, np.arange(vertices), times.get(step, 0.0)
            if step in own and groups is not None:
                group = groups[own[step]]
                fields.update({n: group[n][...] for n in group if n not in ("tetrahedra", "parents")})
                current = group["tetrahedra"][...] if "tetrahedra" in group else current
                parents = group["parents"][...] if "parents" in group else parents
                time = float(group.attrs.get("time", time))
            yield Frame(step, time, np.asarray(current), np.asarray(parents), fields)


def frame_at(trace: Trace, step: int) -> Frame:
    for frame in frames(trace):
        if frame.step == step:
            return frame
    raise MissingData(f"{trace.experiment}: {trace.label}: no frame of step {step}")


def last_frame(trace: Trace) -> Frame:
    last = None
    for frame in frames(trace):
        last = frame
    if last is None:
        raise MissingData(f"{trace.experiment}: {trace.label}: no frames")
    return last


def shared_faces(tetrahedra: np.ndarray) -> list[tuple[int, int, int, int]]:
    """(element, corner, element, corner) of every face that two elements share; the corner is the one opposite."""
    first: dict[tuple[int, ...], tuple[int, int]] = {}
    found = []
    for element, corners in enumerate(tetrahedra):
        for opposite, local in enumerate(CORNERS_OF_FACES):
            key = tuple(sorted(int(corners[c]) for c in local))
            if key in first:
                found.append((*first.pop(key), element, opposite))
            else:
                first[key] = (element, opposite)
    return found


def exposed_faces(first: np.ndarray, current: np.ndarray) -> np.ndarray:
    """[k,3] vertices of the first mesh of the faces that two elements shared and share no longer."""
    opened = []
    for a, fa, b, fb in shared_faces(first):
        if {int(current[a, c]) for c in CORNERS_OF_FACES[fa]} != {int(current[b, c]) for c in CORNERS_OF_FACES[fb]}:
            opened.append([int(first[a, c]) for c in CORNERS_OF_FACES[fa]])
    return np.array(opened, dtype=int).reshape(-1, 3)


def components(tetrahedra: np.ndarray) -> int:
    """Pieces that hang together through faces."""
    parent = list(range(len(tetrahedra)))

    def root(e: int) -> int:
        while parent[e] != e:
            parent[e] = parent[parent[e]]
            e = parent[e]
        return e

    for a, _, b, _ in shared_faces(tetrahedra):
        parent[root(a)] = root(b)
    return len({root(e) for e in range(len(tetrahedra))})


def stars(tetrahedra: np.ndarray) -> dict[int, list[int]]:
    """Elements round every vertex."""
    found: dict[int, list[int]] = defaultdict(list)
    for element, corners in enumerate(tetrahedra):
        for v in corners:
            found[int(v)].append(element)
    return found


def hinge_vertices(tetrahedra: np.ndarray) -> int:
    """Vertices whose elements hang together in less than faces at that vertex."""
    return sum(components_at(tetrahedra, star, vertex) > 1 for vertex, star in stars(tetrahedra).items())


def components_at(tetrahedra: np.ndarray, star: list[int], vertex: int) -> int:
    """Pieces of a star that are connected through faces that hold the vertex."""
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

# SPDX-License-Identifier: BSD-3-Clause
"""Frames of cloth and rigid bodies as pictures: one colour per side of each piece of cloth, and the bodies
that the frame has."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.mesh_frames import members_of
from deformbench_analysis.trace import Series, Trace
from paper_figures.key_frames import row_at
from paper_figures.render import LOOP_FRAMES, LOOP_SIZE, Body, View, evenly, loop_in_html, render_frames, turned

PIECES = (
    ("#2f6fa8", "#9fc3de"),
    ("#c8553d", "#eab5a5"),
    ("#3f8f6b", "#a9d5c0"),
    ("#8a5aa3", "#cdb3db"),
    ("#b98a1d", "#ecd49b"),
    ("#4c5b6b", "#aab6c2"),
)
KINEMATIC, DYNAMIC = "#9a9da1", "#d9a441"
CREASE_DEG = 35.0
STRAYED = 2.5
GLASS = 0.82  # transparency of the near side of a hollow body


@dataclass(frozen=True)
class Solid:
    """A rigid body's surface in world axes."""

    positions: Array  # [n,3], m
    triangles: Array  # [m,3]
    is_kinematic: bool


@dataclass(frozen=True)
class ClothShot:
    """Cloth and rigid bodies at one time."""

    step: int
    time: float
    positions: Array  # [n,3], m
    triangles: Array  # [m,3]
    pieces: Array  # [n], which piece of the first cloth each vertex belongs to
    solids: list[Solid]
    fields: dict[str, Array]


@dataclass(frozen=True)
class Look:
    """Colours. `solid(index, is_kinematic)` gives a body's colour and transparency (0 to 1), or None to omit it. For
    `hollow` bodies this holds for triangles whose normals face the eye; the others are glass, so that the contents
    are visible."""

    pieces: Sequence[tuple[str, str]] = PIECES  # front, back
    solid: Callable[[int, bool], tuple[str, float] | None] = lambda _, kinematic: (
        KINEMATIC if kinematic else DYNAMIC,
        0.0,
    )
    hollow: Callable[[int], bool] = lambda _: False


def piece_labels(triangles: Array, vertices: int) -> Array:
    """[vertices] index of the connected component, ordered by first vertex."""
    rows, columns = triangles.ravel(), np.roll(triangles, 1, axis=1).ravel()
    _, label = connected_components(
        coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(vertices, vertices)), directed=False
    )
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse])


def solids_at(trace: Trace, fields: dict[str, Array]) -> list[Solid]:
    """The scene's rigid bodies at their poses in a frame; empty if the scene has none."""
    found: list[Solid] = []
    if trace.scene_shape("rigid_0_positions") is None:
        return found
    places, turns = np.asarray(fields["rigid_positions"], dtype=float), np.asarray(
        fields["rigid_orientations"], dtype=float
    ).reshape(-1, 3, 3)
    kinematic = (
        np.asarray(trace.scene("rigid_kinematic")).astype(bool)
        if trace.scene_shape("rigid_kinematic")
        else np.zeros(len(places), dtype=bool)
    )
    for k, (place, turn) in enumerate(zip(places, turns)):
        points = trace.scene(f"rigid_{k}_positions") @ turn.T + place
        found.append(Solid(points, np.asarray(trace.scene(f"rigid_{k}_triangles")), bool(kinematic[k])))
    return found


def cloth_shots(trace: Trace) -> list[ClothShot]:
    """Every stored frame with positions (of an ensemble: first member); MissingData if there is none, or if the scene
    has bodies and a frame lacks their poses."""
    has_bodies = trace.scene_shape("rigid_0_positions") is not None
    first = (
        np.asarray(trace.scene("triangles"))
        if trace.scene_shape("triangles") is not None
        else np.zeros((0, 3), dtype=int)
    )
    labels: Array | None = None
    found: list[ClothShot] = []
    for step, time, fields in trace.frames(members_of(trace)[0]):
        if "positions" not in fields:
            continue
        if has_bodies and not {"rigid_positions", "rigid_orientations"} <= set(fields):
            raise trace.missing(
                "frames without rigid_positions and rigid_orientations, expected " "both on the clock frame"
            )
        positions = np.asarray(fields["positions"], dtype=float)
        triangles = np.asarray(fields.get("triangles", first))
        if labels is None:
            labels = piece_labels(first, int((trace.scene_shape("rest_positions") or (len(positions),))[0]))
        parents = np.asarray(fields.get("parents", np.arange(len(positions))), dtype=int)
        found.append(ClothShot(step, time, positions, triangles, labels[parents], solids_at(trace, fields), fields))
    if not found:
        raise trace.missing(
            "no frame with positions; the declaration needs the clock frame with " "the channel positions"
        )
    return found


def _is_closed(triangles: Array) -> bool:
    edges = np.sort(np.vstack([triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))]), axis=1)
    return bool((np.unique(edges, axis=0, return_counts=True)[1] == 2).all())


def _facing(positions: Array, triangles: Array, towards: Array) -> Array:
    """Which triangles' normals face the eye."""
    corners = positions[triangles]
    return np.asarray(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) @ towards > 0)


def bodies_of(shot: ClothShot, turn_deg: float, look: Look = Look(), elevation_deg: float = 0.0) -> list[Body]:
    """What the renderer draws: one body per piece of cloth and per rigid body.
    Open rigid surfaces are two-sided."""
    towards = np.array([0.0, np.sin(np.radians(elevation_deg)), np.cos(np.radians(elevation_deg))])
    made: list[Body] = []
    of_triangle = shot.pieces[shot.triangles[:, 0]] if len(shot.triangles) else np.zeros(0, dtype=int)
    for piece in np.unique(of_triangle):
        used, inverse = np.unique(shot.triangles[of_triangle == piece], return_inverse=True)
        front, back = look.pieces[int(piece) % len(look.pieces)]
        made.append(Body(turned(shot.positions[used], turn_deg), inverse.reshape(-1, 3), front, back=back))
    for k, solid in enumerate(shot.solids):
        colour = look.solid(k, solid.is_kinematic)
        if colour is not None:
            points = turned(solid.positions, turn_deg)
            is_seen = (
                _facing(points, solid.triangles, towards)
                if look.hollow(k)
                else np.ones(len(solid.triangles), dtype=bool)
            )
            for triangles, transmit in ((solid.triangles[is_seen], colour[1]), (solid.triangles[~is_seen], GLASS)):
                if len(triangles):
                    hue, inner = colour[0], None if _is_closed(triangles) else colour[0]
                    made.append(Body(points, triangles, hue, back=inner, crease_deg=CREASE_DEG, transmit=transmit))
    return made


def view_of(
    shots: Iterable[ClothShot],
    turn_deg: float,
    elevation_deg: float,
    floor: float | None = None,
    *,
    has_floor: bool = True,
    solids: bool = True,
    of_solid: Callable[[int], bool] = lambda _: True,
) -> View:
    """One camera that shows the cloth in all `shots` and, with `solids`, the bodies k with `of_solid(k)`. Points
    farther from the first frame's centre than STRAYED times its size are ignored and may lie outside the
    picture."""
    points: list[Array] = []
    middle, reach = np.zeros(3), np.inf
    for shot in shots:
        own = [shot.positions] + [s.positions for k, s in enumerate(shot.solids) if solids and of_solid(k)]
        every = np.vstack(own)
        if not points:
            middle = (every.min(axis=0) + every.max(axis=0)) / 2
            reach = STRAYED * float(np.ptp(every, axis=0).max())
        points.append(every[np.linalg.norm(every - middle, axis=1) <= reach])
    return View(turned(np.vstack(points), turn_deg), elevation_deg, floor, has_floor)


def render_shots(
    chosen: Sequence[ClothShot],
    stem: Path,
    views: Sequence[View],
    turn_deg: float,
    width: int,
    height: int,
    look: Look = Look(),
) -> tuple[list[Path], str]:
    """One picture per frame and view, `stem`_frame<k>.png, and the renderer's name."""
    scenes = ((bodies_of(s, turn_deg, look, view.elevation_deg), view, ()) for s, view in zip(chosen, views))
    return render_frames(scenes, stem, width, height)


def at_times(found: Sequence[ClothShot], times: Iterable[float]) -> list[ClothShot]:
    """The frames nearest to these times, each once."""
    stored = np.array([s.time for s in found])
    return [found[i] for i in sorted({int(np.abs(stored - t).argmin()) for t in times})]


def recorded(trace: Trace, name: str) -> Series | None:
    """A channel from the densest clock that records it (costly ones use a slower clock);
    None if not recorded."""
    clock = next((c for c in ("step", "operator", "frame") if trace.has(c, name)), None)
    return None if clock is None else trace.series(clock, name)


def channel_at(trace: Trace, name: str, step: int) -> Array | None:
    """A channel at a frame's step (last row not after it; of an ensemble: first member);
    None if not recorded."""
    found = recorded(trace, name)
    if found is None:
        return None
    series = found.members()[0]
    return np.asarray(series.values[row_at(series, step)])


def loop(
    trace: Trace, found: Sequence[ClothShot], stem: Path, view: View, turn_deg: float, look: Look = Look()
) -> list[str]:
    """At tier large: an animated WebP of at most LOOP_FRAMES small frames, as HTML for the report.
    Otherwise nothing."""
    if trace.tier != "large" or len(found) < 2:
        return []
    chosen = evenly(found, min(LOOP_FRAMES, len(found)))
    pictures, _ = render_shots(
        chosen, stem.with_name(stem.name + "_loop"), [view] * len(chosen), turn_deg, *LOOP_SIZE, look
    )
    return [loop_in_html(pictures, stem, f"{trace.experiment}, 0 to {chosen[-1].time:g} s in {len(chosen)} frames")]

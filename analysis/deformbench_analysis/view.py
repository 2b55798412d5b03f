# SPDX-License-Identifier: BSD-3-Clause
"""A page that plays the stored frames of one or two traces: turn, zoom, scrub, colours by a field; two side by side
with one camera, or one on the other, with the distance between them. One file, no network.

Positions are stored with 16 bits in the box of the trace, fields with 8; both as differences from the frame before,
deflated. Frames are shown as they were stored, with nothing made up between them."""

import base64
import io
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from .arrays import Array
from .errors import InputError, MissingData
from .mesh_frames import members_of, rigid_frames, scene_cells, surface_frames
from .output import write_text
from .trace import Trace

MOST_BYTES = 2_000_000  # of a trace in the page
LEVELS, FIELD_LEVELS, NO_VALUE = 65535, 254, 255
MOST_FIELDS = 6
LARGEST_COORDINATE = 1e30  # m, of a frame that is shown: graphics processors calculate with 32 bits
FIELD_OF_VIEW_DEG = 30.0
DISPLACEMENT = "displacement"
BETWEEN = "distance_between_the_two"
YAW, PITCH = 0.6, 0.35  # rad, of the camera at first
PLAIN = (0.62, 0.68, 0.76)  # of a body without a field
LIGHT = (0.25, 0.35, 1.0)  # towards it, from the camera's axes
STILL = (640, 400)  # pixels, of a picture for browsers that cannot draw
TEMPLATES = Path(__file__).with_name("templates") / "view"
_SHAPES = ("skin_", "rigid_", "positions", "tetrahedra", "triangles", "parents")  # no fields to colour by


@dataclass
class Frame:
    """What is seen at one time: vertices of triangles alone, and a number per vertex of each field; NaN: none."""

    step: int
    time: float
    positions: Array  # [n,3], m
    triangles: Array  # [t,3]
    fields: dict[str, Array]  # [n]


@dataclass
class Scene:
    """A trace as the page has it: `about` for its JSON, `data` deflated."""

    about: dict[str, Any]
    data: bytes
    frames: list[Frame] = field(repr=False)

    @property
    def size(self) -> int:
        """Bytes in the page."""
        return len(json.dumps(self.about)) + (len(self.data) + 2) // 3 * 4


# === Frames of a trace


def frames_of(trace: Trace, member: int | None) -> tuple[list[Frame], dict[str, str], int]:
    """Frames whose positions are finite, the unit of each field, and how many are not finite. MissingData."""
    has_body = trace.scene_shape("rest_positions") is not None
    bodies = {f.step: f for f in rigid_frames(trace, member)}
    with np.errstate(invalid="ignore", over="ignore"):  # normals of positions that are not finite
        surfaces = {f.step: f for f in surface_frames(trace, member)} if has_body else {}
    if not surfaces and not bodies:
        raise MissingData(f"{trace.path}: no frame with a surface or rigid bodies to show")
    stored = {step: arrays for step, _, arrays in trace.frames(member)} if has_body else {}
    cells = scene_cells(trace, "tetrahedra", 4), scene_cells(trace, "triangles", 3)
    units = _units(trace)
    found: list[Frame] = []
    broken = 0
    for step in sorted({*surfaces, *bodies}):
        parts = [s[step] for s in (surfaces, bodies) if step in s]
        fields: dict[str, Array] = {}
        if step in surfaces:
            positions = surfaces[step].positions
            rest = _rest_of(trace, stored[step])
            if rest is not None and len(rest) == len(positions):
                fields[DISPLACEMENT] = np.linalg.norm(positions - rest, axis=1)
            fields |= _vertex_fields(stored[step], len(positions), cells)
        frame = _joined(step, parts[0].time, [(p.positions, p.triangles) for p in parts], fields)
        is_sound = np.isfinite(frame.time) and (np.abs(frame.positions) < LARGEST_COORDINATE).all()
        if is_sound and len(frame.positions):
            found.append(frame)
        else:
            broken += 1
    if not found:
        raise MissingData(f"{trace.path}: none of {broken} frames has finite positions")
    return found, {DISPLACEMENT: "m", **units}, broken


def _rest_of(trace: Trace, arrays: Mapping[str, Array]) -> Array | None:
    """Rest positions of the vertices of this frame's surface; None where the trace does not tell."""
    if trace.scene_shape("skin_triangles") is not None:
        if "skin_rest_positions" in arrays:
            return np.asarray(arrays["skin_rest_positions"])
        return None if trace.scene_shape("skin_rest_positions") is None else trace.scene("skin_rest_positions")
    rest = trace.scene("rest_positions")
    return np.asarray(rest[np.asarray(arrays["parents"])]) if "parents" in arrays else rest


def _units(trace: Trace) -> dict[str, str]:
    return {name: trace.series("frame", name).unit for name in trace.clocks().get("frame", [])}


def _vertex_fields(arrays: Mapping[str, Array], vertices: int, cells: tuple[Array, Array]) -> dict[str, Array]:
    """A number per vertex of each stored field: the norm of what a vertex has, or the mean over elements around it.
    Of an embedded surface, whose vertices are others, none but its own."""
    connectivity = [np.asarray(arrays.get(name, given)) for name, given in zip(("tetrahedra", "triangles"), cells)]
    elements = next((c for c in connectivity if len(c)), np.zeros((0, 4), dtype=int))
    if len(arrays.get("positions", ())) != vertices:
        return {}
    found: dict[str, Array] = {}
    for name, values in sorted(arrays.items()):
        data = np.asarray(values)
        if name.startswith(_SHAPES) or data.ndim == 0 or data.dtype.kind not in "fiub" or len(data) == 0:
            continue
        if len(data) not in (vertices, len(elements)):
            continue
        size = (
            np.linalg.norm(data.reshape(len(data), -1).astype(float), axis=1) if data.ndim > 1 else data.astype(float)
        )
        if len(data) != vertices:
            sums, counts = np.zeros(vertices), np.zeros(vertices)
            np.add.at(sums, elements, size[:, None])
            np.add.at(counts, elements, 1.0)
            size = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        found[name] = size
    return dict(list(found.items())[:MOST_FIELDS])


def _joined(step: int, time: float, parts: Sequence[tuple[Array, Array]], fields: Mapping[str, Array]) -> Frame:
    """One surface, without vertices that no triangle has; what the fields do not reach is NaN."""
    offsets = np.cumsum([0, *(len(positions) for positions, _ in parts)])
    triangles = np.concatenate([t + o for (_, t), o in zip(parts, offsets)]).astype(np.int64)
    positions = np.concatenate([p for p, _ in parts])
    used, index = np.unique(triangles, return_inverse=True)
    padded = {n: np.append(v, np.full(len(positions) - len(v), np.nan))[used] for n, v in fields.items()}
    return Frame(step, time, positions[used], index.reshape(-1, 3), padded)


def add_distance(one: Sequence[Frame], two: Sequence[Frame]) -> None:
    """The field of distances to the same vertex of the other, at times that both have with the same triangles."""
    others = {f"{f.time:.9g}": f for f in two}
    for frame in one:
        other = others.get(f"{frame.time:.9g}")
        if other is not None and _same_topology(frame, other):
            distance = np.linalg.norm(frame.positions - other.positions, axis=1)
            frame.fields[BETWEEN] = other.fields[BETWEEN] = distance


# === Encoding


def encode(trace: Trace, member: int | None = None) -> Scene:
    """The trace for the page. InputError, MissingData."""
    return _fitted(trace, member, *frames_of(trace, member))


def _fitted(
    trace: Trace,
    member: int | None,
    frames: list[Frame],
    units: Mapping[str, str],
    broken: int,
    most: int | None = None,
) -> Scene:
    """Every k-th frame and the last where all are too many bytes."""
    every, most = 1, most or MOST_BYTES
    while True:
        kept = frames[::every] + (frames[-1:] if (len(frames) - 1) % every else [])
        scene = _encoded(trace, kept, units)
        notes = [f"every {every}th of {len(frames)} frames, and the last"] if every > 1 else []
        notes += [f"{broken} frames without finite positions are left out"] if broken else []
        scene.about["notes"] = notes + ([f"member {member}"] if member is not None else [])
        if scene.size <= most:
            break
        if every >= len(frames):
            raise InputError(f"{trace.path}: a single frame takes {scene.size} bytes, expected at most {most}")
        every = min(len(frames), max(every + 1, round(every * scene.size / most)))
    return scene


def _encoded(trace: Trace, frames: list[Frame], units: Mapping[str, str]) -> Scene:
    low = np.min([f.positions.min(axis=0) for f in frames], axis=0)
    high = np.max([f.positions.max(axis=0) for f in frames], axis=0)
    names = sorted({name for f in frames for name in f.fields}, key=lambda n: (n != DISPLACEMENT, n))
    fields = []
    for name in names:
        values = np.concatenate([f.fields[name] for f in frames if name in f.fields])
        values = values[np.isfinite(values)]
        if len(values):
            unit = "m" if name == BETWEEN else units.get(name, "")
            fields.append({"name": name, "unit": unit, "low": float(values.min()), "high": float(values.max())})
    segments, pieces = [], []
    first = 0
    while first < len(frames):  # frames of one topology
        last = first
        while last < len(frames) and _same_topology(frames[first], frames[last]):
            last += 1
        run = frames[first:last]
        segments.append({"frames": len(run), "vertices": len(run[0].positions), "triangles": len(run[0].triangles)})
        pieces.append(run[0].triangles.astype("<u4").tobytes())
        pieces += _planes(_quantised(np.stack([f.positions for f in run]), low, high))
        for about in fields:
            pieces.append(_field_bytes(run, about))
        first = last
    title = f"{trace.experiment}: {trace.label}"
    about = {
        "title": title,
        "status": trace.status,
        "reason": trace.status_reason,
        "low": low.tolist(),
        "high": high.tolist(),
        "times": [f.time for f in frames],
        "steps": [f.step for f in frames],
        "fields": fields,
        "segments": segments,
    }
    return Scene(about, zlib.compress(b"".join(pieces), 9), frames)


def _same_topology(a: Frame, b: Frame) -> bool:
    return len(a.positions) == len(b.positions) and np.array_equal(a.triangles, b.triangles)


def _quantised(positions: Array, low: Array, high: Array) -> Array:
    width = np.where(high > low, high - low, 1.0)
    return np.asarray(np.rint((positions - low) / width * LEVELS).astype(np.uint16))


def _planes(levels: Array) -> list[bytes]:
    """Low and high bytes of the differences: along the vertices in the first frame, then from frame to frame."""
    first = np.diff(levels[:1], axis=1, prepend=np.zeros((1, 1, 3), dtype=np.uint16))
    differences = np.concatenate([first, np.diff(levels, axis=0)]).astype("<u2")
    return [(differences & 255).astype(np.uint8).tobytes(), (differences >> 8).astype(np.uint8).tobytes()]


def _field_bytes(run: Sequence[Frame], about: Mapping[str, Any]) -> bytes:
    none = np.full(len(run[0].positions), np.nan)
    values = np.stack([f.fields.get(about["name"], none) for f in run])
    width = about["high"] - about["low"] or 1.0
    with np.errstate(invalid="ignore"):
        levels = np.rint((np.clip(values, about["low"], about["high"]) - about["low"]) / width * FIELD_LEVELS)
    levels = np.where(np.isfinite(values), levels, NO_VALUE).astype(np.uint8)
    return np.diff(levels, axis=0, prepend=np.zeros((1, levels.shape[1]), dtype=np.uint8)).astype(np.uint8).tobytes()


# === The page


def page(scenes: Sequence[Scene]) -> str:
    """The page of one or two scenes."""
    from matplotlib import colormaps  # takes a while, and only who draws needs it

    palette = [[round(float(c), 4) for c in colormaps["viridis"](x)[:3]] for x in np.linspace(0, 1, 16)]
    about = {"scenes": [s.about for s in scenes], "palette": palette, "fieldOfViewDeg": FIELD_OF_VIEW_DEG}
    about |= {"yaw": YAW, "pitch": PITCH, "plain": PLAIN, "light": LIGHT}
    text = (TEMPLATES / "viewer.html.in").read_text(encoding="utf-8")
    data = "\n".join(
        f'<script type="text/plain" id="data{k}">{base64.b64encode(s.data).decode("ascii")}</script>'
        for k, s in enumerate(scenes)
    )
    script = (TEMPLATES / "viewer.js.in").read_text(encoding="utf-8")
    titles = " · ".join(dict.fromkeys(s.about["title"] for s in scenes))
    # `</script>` in a name would end the block; in JSON the bracket may be an escape.
    embedded = json.dumps(about, allow_nan=False).replace("<", "\\u003c")
    stills = "".join(_stills(s, scenes) for s in scenes)
    parts = {"TITLE": escape(titles), "ABOUT": embedded, "DATA": data, "SCRIPT": script, "STILLS": stills}
    return re.sub("@(TITLE|ABOUT|DATA|SCRIPT|STILLS)@", lambda found: parts[found[1]], text)


def _stills(scene: Scene, scenes: Sequence[Scene]) -> str:
    """First, middle and last frame as pictures, for browsers without WebGL 2 or scripts."""
    camera = camera_of([(np.array(s.about["low"]), np.array(s.about["high"])) for s in scenes])
    found = []
    for k in sorted({0, len(scene.frames) // 2, len(scene.frames) - 1}):
        frame = scene.frames[k]
        url = base64.b64encode(still(frame, *camera)).decode("ascii")
        about = escape(f"{scene.about['title']}, step {frame.step}, {frame.time:.4g} s")
        found.append(
            f'<figure><img alt="{about}" src="data:image/png;base64,{url}"><figcaption>{about}</figcaption></figure>'
        )
    return "\n".join(found)


def write(traces: Sequence[Path], out: Path, member: int | None = None, most: int | None = None) -> list[Scene]:
    """Writes the page of one or two traces. `member`: of ensembles (default: the first); `most`: bytes of each.
    InputError, MissingData."""
    if not 1 <= len(traces) <= 2:
        raise InputError(f"view: got {len(traces)} traces, expected one or two")
    read = []
    for path in traces:
        trace = Trace(path)
        known = members_of(trace)
        chosen = known[0] if member is None else member
        if member is not None and known == [None]:
            raise InputError(f"{path}: --member {member}, expected none: the trace is no ensemble")
        if chosen not in known:
            raise InputError(f"{path}: --member {member}, expected one of 0 to {len(known) - 1}")
        read.append((trace, chosen, *frames_of(trace, chosen)))
    if len(read) == 2:
        add_distance(read[0][2], read[1][2])
    scenes = [_fitted(*one, most) for one in read]
    write_text(out, page(scenes))
    return scenes


# === The camera, as the page has it


def camera_of(boxes: Sequence[tuple[Array, Array]]) -> tuple[Array, float]:
    """Point that is looked at, and radius of the ball around it that holds all boxes (lowest and highest corner), m."""
    low = np.min([b[0] for b in boxes], axis=0)
    high = np.max([b[1] for b in boxes], axis=0)
    return np.asarray(0.5 * (low + high)), float(0.5 * np.linalg.norm(high - low)) or 1.0


def projected(points: Array, target: Array, radius: float, yaw: float, pitch: float, aspect: float) -> Array:
    """Points on the screen, [n,2] from −1 to 1, to the right and upwards: a camera that looks at `target` from the
    angles (rad) around and above it, y up, so far away that the ball of `radius` fills the narrower direction."""
    half = np.deg2rad(FIELD_OF_VIEW_DEG) / 2
    x, y, z = _seen(points, target, yaw, pitch).T
    scale = min(aspect, 1.0) / np.tan(half) / (radius / np.sin(half) - z)
    return np.stack([x * scale / aspect, y * scale], axis=1)


def _seen(points: Array, target: Array, yaw: float, pitch: float) -> Array:
    """Points in the axes of the camera: to the right, upwards, towards it."""
    cy, sy, cp, sp = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
    right, backward = np.array([cy, 0, -sy]), np.array([sy * cp, sp, cy * cp])
    return np.asarray((points - target) @ np.stack([right, np.cross(backward, right), backward], axis=1))


def _is_closed(triangles: Array) -> bool:
    """Whether every edge is passed as often in one direction as in the other."""
    edges = np.concatenate([triangles[:, [i, (i + 1) % 3]] for i in range(3)])
    return np.array_equal(edges[np.lexsort(edges.T)], edges[:, ::-1][np.lexsort(edges[:, ::-1].T)])


def still(
    frame: Frame,
    target: Array,
    radius: float,
    yaw: float = YAW,
    pitch: float = PITCH,
    size: tuple[int, int] = STILL,
) -> bytes:
    """A frame without a field as the page draws it, as PNG: faces from back to front."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure

    on_screen = projected(frame.positions, target, radius, yaw, pitch, size[0] / size[1])
    corners = _seen(frame.positions, target, yaw, pitch)[frame.triangles]  # [t,3,3]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    lit = np.abs(normals @ LIGHT) / np.where(lengths > 0, lengths, 1.0) / np.linalg.norm(LIGHT)
    order = np.argsort(corners[:, :, 2].mean(axis=1))
    if _is_closed(
        frame.triangles
    ):  # its far side is never seen, and triangles of any size have no order by their middle
        order = order[normals[order, 2] > 0]
    colours = np.array(PLAIN) * (0.35 + 0.65 * lit[:, None])
    figure = Figure(figsize=(size[0] / 100, size[1] / 100), dpi=100, layout="none")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(-1, 1), ylim=(-1, 1))
    axes.set_axis_off()
    faces = on_screen[frame.triangles][order]
    axes.add_collection(PolyCollection(list(faces), facecolors=colours[order], edgecolors="face", linewidths=0.2))
    buffer = io.BytesIO()
    canvas.print_png(buffer)
    return buffer.getvalue()

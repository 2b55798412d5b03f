# SPDX-License-Identifier: BSD-3-Clause
"""Surfaces rendered with POV-Ray, headless: a few meshes beside each other on a floor, seen from one camera.
Open ones are two-sided.

Debian's POV-Ray reads and writes only below its working directory, which is a temporary folder here. Without POV-Ray
bodies are drawn flat along z by matplotlib; `render` says which it was. A picture whose scene has not changed is
not drawn again: the hash of the scene's text is in a file beside it."""

import base64
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TypeVar

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection
from PIL import Image

from deformbench_analysis.arrays import Array
from deformbench_analysis.output import aside, write_text

# Limits per attempt: POV-Ray may hang at the start of its threads, using no CPU time, on a busy machine.
TIME_LIMITS_S = (60.0, 300.0, 1500.0)
# Layers of a surface behind each other. Surfels of the rendered scenes have up to 90; tangles of 180 took minutes each.
MOST_LAYERS = 120.0
LOOP_FRAMES = 24
LOOP_SIZE = (320, 260)  # pixels
KEY_FRAMES = 4
T = TypeVar("T")


def evenly(found: Sequence[T], count: int = KEY_FRAMES) -> list[T]:
    """Evenly spaced items with first and last."""
    return [found[i] for i in sorted({round(i) for i in np.linspace(0, len(found) - 1, count)})]


@dataclass(frozen=True)
class Body:
    """A surface; y is up, metres. `colour` is #rrggbb, unless `shades` gives each vertex a place in `palette`.
    Triangles that are `cut` have their own vertices and normals, so that rims stay sharp, and `cut_colour`.
    `back` is the colour of the side opposite to the normals (cloth); edges whose faces differ by more than
    `crease_deg` stay sharp (rigid bodies); a transparent body casts no shadow; `normals` exclude `cut` and
    `crease_deg`."""

    positions: Array  # [n, 3]
    triangles: Array  # [m, 3]
    colour: str
    shades: Array | None = None  # [n], 0 to 1
    palette: Sequence[str] = ()
    cut: Array | None = None  # [m], bool
    cut_colour: str = "#D55E00"
    back: str | None = None
    crease_deg: float | None = None
    transmit: float = 0.0  # 0 to 1
    normals: Array | None = None  # [n, 3], in place of those of the triangles
    bump: float = 0.0  # size of procedural bumps, metres


@dataclass(frozen=True)
class Ball:
    """A glowing transparent sphere; it casts no shadow."""

    centre: Array  # [3]
    radius: float
    colour: str


@dataclass(frozen=True)
class View:
    """A camera and floor that several pictures share. All `points` are visible; `floor` is a height, None: that of
    the lowest point; without `has_floor` there is no floor."""

    points: Array  # [k, 3]
    elevation_deg: float = 16.0
    floor: float | None = None
    has_floor: bool = True


def rgb(colour: str) -> tuple[float, float, float]:
    """A colour "#rrggbb" as three numbers from 0 to 1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def vertex_normals(positions: Array, triangles: Array) -> Array:
    """Area-weighted unit normals; (0, 1, 0) where they cancel."""
    corners = positions[triangles]
    face = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(positions)
    np.add.at(normals, triangles.ravel(), np.repeat(face, 3, axis=0))
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 0, normals / np.maximum(length, 1e-300), [0.0, 1.0, 0.0])


def creased(positions: Array, triangles: Array, crease_deg: float) -> tuple[Array, Array, Array]:
    """(positions, normals, triangles) with three vertices of its own for every triangle: a corner's normal is the
    area-weighted one of those triangles around the vertex whose planes differ by at most crease_deg from its own."""
    corners = positions[triangles]
    face = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(face, axis=1, keepdims=True)
    unit = np.where(area > 0, face / np.maximum(area, 1e-300), [0.0, 1.0, 0.0])
    at = triangles.ravel()
    order = np.argsort(at, kind="stable")
    degree = np.bincount(at, minlength=len(positions))
    start = np.concatenate([[0], np.cumsum(degree)[:-1]])
    # every pair (corner, triangle around the corner's vertex)
    count = degree[at]
    own = np.repeat(np.arange(len(at)), count)
    other = order[np.repeat(start[at], count) + np.arange(len(own)) - np.repeat(np.cumsum(count) - count, count)] // 3
    near = np.einsum("ij,ij->i", unit[own // 3], unit[other]) >= np.cos(np.radians(crease_deg))
    normals = np.zeros((len(at), 3))
    np.add.at(normals, own[near], face[other[near]])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(length > 0, normals / np.maximum(length, 1e-300), np.repeat(unit, 3, axis=0))
    return corners.reshape(-1, 3), normals, np.arange(len(at)).reshape(-1, 3)


def turned(points: Array, turn_deg: float) -> Array:
    """Turned about y."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return np.asarray(points @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]).T)


def side_by_side(bodies: Sequence[Body], turn_deg: float = 0.0, gap: float = 0.15) -> list[Body]:
    """The bodies, each turned about y and moved along x so that none overlaps the next, standing on y = 0.
    `gap`: fraction of the mean width."""
    bodies = [replace(b, positions=turned(b.positions, turn_deg)) for b in bodies]
    width = float(np.mean([np.ptp(b.positions[:, 0]) for b in bodies]))
    placed, at = [], 0.0
    for body in bodies:
        low, high = body.positions.min(axis=0), body.positions.max(axis=0)
        placed.append(replace(body, positions=body.positions + [at - low[0], -low[1], -(low[2] + high[2]) / 2]))
        at += high[0] - low[0] + gap * width
    return placed


def _vectors(rows: Array) -> str:
    # POV-Ray's axes are left-handed: z is negated.
    turned_round = np.asarray(rows, dtype=float) * [1.0, 1.0, -1.0]
    return ",".join(["<%.6g,%.6g,%.6g>"] * len(turned_round)) % tuple(turned_round.ravel().tolist())


def _pigment(colour: str, transmit: float = 0.0, bump: float = 0.0) -> str:
    red, green, blue = rgb(colour)
    place = (
        f"srgbt <{red:.3f},{green:.3f},{blue:.3f},{transmit:.3f}>"
        if transmit > 0
        else f"srgb <{red:.3f},{green:.3f},{blue:.3f}>"
    )
    rough = f"normal {{ granite 0.5 scale {bump:.6g} }} " if bump > 0 else ""
    return f"pigment {{ {place} }} {rough}finish {{ ambient 0.25 diffuse 0.75 specular 0.12 roughness 0.05 }}"


def _texture(colour: str, transmit: float = 0.0, bump: float = 0.0) -> str:
    return f"texture {{ {_pigment(colour, transmit, bump)} }}"


def _with_sharp_cuts(body: Body) -> tuple[Array, Array, Array, Array]:
    """(positions, normals, triangles, which of them are cut): cut triangles get three vertices of their own."""
    cut = np.zeros(len(body.triangles), dtype=bool) if body.cut is None else np.asarray(body.cut, dtype=bool)
    skin = body.triangles[~cut]
    own = body.positions[body.triangles[cut]]
    flat = np.cross(own[:, 1] - own[:, 0], own[:, 2] - own[:, 0])
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    flat = np.where(length > 0, flat / np.maximum(length, 1e-300), [0.0, 1.0, 0.0])
    positions = np.vstack([body.positions, own.reshape(-1, 3)])
    normals = np.vstack([vertex_normals(body.positions, skin), np.repeat(flat, 3, axis=0)])
    triangles = np.vstack([skin, len(body.positions) + np.arange(3 * len(own)).reshape(-1, 3)])
    return positions, normals, triangles, np.arange(len(triangles)) >= len(skin)


def _mesh(body: Body) -> str:
    if body.normals is not None:
        positions, normals, triangles = body.positions, body.normals, body.triangles
        cut = np.zeros(len(triangles), dtype=bool)
    elif body.crease_deg is None:
        positions, normals, triangles, cut = _with_sharp_cuts(body)
    else:
        positions, normals, triangles = creased(body.positions, body.triangles, body.crease_deg)
        cut = np.zeros(len(triangles), dtype=bool)
    textures = list(body.palette) if body.shades is not None else [body.colour]
    shade = np.zeros(len(positions), dtype=int)
    if body.shades is not None:
        shade[: len(body.shades)] = np.round(np.clip(body.shades, 0, 1) * (len(textures) - 1)).astype(int)
    if cut.any():
        shade[triangles[cut].ravel()] = len(textures)
        textures.append(body.cut_colour)
    # POV-Ray requires a texture of the whole outside if the inside has one.
    modifiers = (
        ""
        if body.back is None
        else f" {_texture(textures[0], body.transmit)} interior_texture {{ {_pigment(body.back, body.transmit)} }}"
    )
    modifiers += " no_shadow" if body.transmit > 0 else ""
    # Corners of one triangle with different textures are blended by POV-Ray.
    shades = shade[triangles] if body.shades is not None else shade[triangles[:, :1]]
    face = "<%d,%d,%d>" + ",%d" * shades.shape[1]
    faces = ",".join([face] * len(triangles)) % tuple(np.hstack([triangles, shades]).ravel().tolist())
    return (
        f"mesh2 {{ vertex_vectors {{ {len(positions)},{_vectors(positions)} }}\nnormal_vectors {{ "
        f"{len(positions)},{_vectors(normals)} }}\ntexture_list {{ {len(textures)}, "
        f"{' '.join(_texture(t, body.transmit, body.bump) for t in textures)} }}\nface_indices {{ "
        f"{len(triangles)},{faces} }}{modifiers} }}\n"
    )


def _ball(ball: Ball) -> str:
    red, green, blue = rgb(ball.colour)
    return (
        f"sphere {{ {_vectors(ball.centre[None])}, {ball.radius:.6g} texture {{ pigment {{ srgbt "
        f"<{red:.3f},{green:.3f},{blue:.3f},0.45> }} finish {{ emission 0.9 diffuse 0.1 }} }} no_shadow }}\n"
    )


def scene_text(
    bodies: Sequence[Body], aspect: float, elevation_deg: float, view: View | None = None, balls: Sequence[Ball] = ()
) -> str:
    """The POV-Ray scene: camera far away with a narrow angle, two lights, a pale floor."""
    points = np.vstack([b.positions for b in bodies]) if view is None else view.points
    floor = float(points[:, 1].min()) if view is None or view.floor is None else view.floor
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    elevation = np.radians(elevation_deg if view is None else view.elevation_deg)
    towards, right = np.array([0.0, np.sin(elevation), np.cos(elevation)]), np.array([1.0, 0.0, 0.0])
    up = np.cross(towards, right)
    angle = 18.0
    distance = 1.0 / (2 * np.tan(np.radians(angle) / 2))  # of the eye, in widths of the picture
    across, above = (points - centre) @ right, (points - centre) @ up
    extent = 1.12 * max(float(np.ptp(across)), aspect * float(np.ptp(above)))
    offset = right * (across.min() + across.max()) / 2 + up * (above.min() + above.max()) / 2
    if view is not None:  # nearer points look larger: iterate until all are inside
        for _ in range(4):
            seen = points - centre - offset
            nearer = distance * extent / np.maximum(distance * extent - seen @ towards, 0.1 * distance * extent)
            across, above = (seen @ right) * nearer, (seen @ up) * nearer
            offset = offset + right * (across.min() + across.max()) / 2 + up * (above.min() + above.max()) / 2
            extent = 1.06 * max(float(np.ptp(across)), aspect * float(np.ptp(above)))
    centre = centre + offset
    eye = centre + towards * distance * extent
    light = centre + extent * np.array([-1.2, 2.4, 2.0])
    fill = centre + extent * np.array([2.0, 1.0, 1.5])
    return (
        "#version 3.7;\nglobal_settings { assumed_gamma 1.0 }\nbackground { rgb <1,1,1> }\ncamera { location "
        f"{_vectors(eye[None])} right x*{aspect:.6g} look_at {_vectors(centre[None])} angle {angle} }}\nlight_source "
        f"{{ {_vectors(light[None])} rgb 0.85 area_light <{0.3 * extent:.4g},0,0>, <0,0,{0.3 * extent:.4g}>, 5, 5 "
        f"adaptive 0 jitter }}\nlight_source {{ {_vectors(fill[None])} rgb 0.35 shadowless }}\n"
        + (
            f"plane {{ y, {floor - 1e-4 * extent:.6g} texture {{ pigment {{ rgb 0.97 }} finish {{ ambient 0.35 "
            "diffuse 0.65 } } }\n"
            if view is None or view.has_floor
            else ""
        )
        + "".join(_mesh(b) for b in bodies)
        + "".join(_ball(b) for b in balls)
    )


def _run_povray(program: str, folder: Path, width: int, height: int) -> None:
    """scene.pov → scene.png. RuntimeError after the last attempt."""
    command = [program, *"+Iscene.pov +Oscene.png +A0.2 -D +WT1 -GA".split(), f"+W{width}", f"+H{height}"]
    why = ""
    for limit in TIME_LIMITS_S:
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            why = f"did not end in {limit:g} s"
            continue
        if done.returncode == 0 and (folder / "scene.png").exists():
            return
        why = f"ended with {done.returncode}: {done.stderr.strip().splitlines()[-1:] or 'no message'}"
    raise RuntimeError(f"povray {why}")


def layers(body: Body) -> float:
    """Mean number of triangles' boxes behind each other, along the axis with most: 2 to 4 for a closed
    surface, thousands for a tangle or a body that has collapsed into a point."""
    corners = body.positions[body.triangles]
    sizes, whole = np.ptp(corners, axis=1), np.maximum(np.ptp(body.positions, axis=0), 1e-300)
    shares = np.minimum(sizes / whole, 1.0)
    return float(max((shares[:, a] * shares[:, b]).sum() for a, b in ((0, 1), (0, 2), (1, 2))))


def render(
    bodies: Sequence[Body],
    png: Path,
    width: int = 1200,
    height: int = 560,
    elevation_deg: float = 16.0,
    view: View | None = None,
    balls: Sequence[Ball] = (),
) -> str:
    """Writes the PNG unless it is that of this scene already; returns the program that drew it."""
    program = shutil.which("povray")
    name = "POV-Ray" if program else "matplotlib (POV-Ray is not installed)"
    if program and any(layers(body) > MOST_LAYERS for body in bodies):
        program, name = None, "matplotlib (too tangled for POV-Ray)"
    text = scene_text(bodies, width / height, elevation_deg, view, balls)
    key = hashlib.sha256(f"{name} {width} {height} {text}".encode()).hexdigest()
    stamp = png.with_name(png.name + ".sha256")
    if png.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == key:
        return name
    stamp.unlink(missing_ok=True)
    if program is None:
        _flat(bodies, png, width, height, view)
    else:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "scene.pov").write_text(text, encoding="ascii")
            _run_povray(program, Path(folder), width, height)
            with aside(png) as fresh:
                shutil.copyfile(Path(folder) / "scene.png", fresh)
    write_text(stamp, key)
    return name


def render_frames(
    scenes: Iterable[tuple[Sequence[Body], View, Sequence[Ball]]], stem: Path, width: int, height: int
) -> tuple[list[Path], str]:
    """One picture per scene, `stem`_frame<k>.png, and the program that drew them."""
    pictures, program = [], ""
    for index, (bodies, view, balls) in enumerate(scenes):
        pictures.append(stem.with_name(f"{stem.name}_frame{index}.png"))
        program = render(bodies, pictures[-1], width, height, view=view, balls=balls)
    return pictures, program


def loop_in_html(pictures: Sequence[Path], stem: Path, alt: str, milliseconds: int = 90) -> str:
    """Pictures of LOOP_SIZE, 2 to LOOP_FRAMES (else ValueError), as an endless animated WebP with a final pause:
    beside the figure, and as HTML for the report."""
    webp = stem.with_name(stem.name + "_loop.webp")
    if not 2 <= len(pictures) <= LOOP_FRAMES:
        raise ValueError(f"{webp.name}: {len(pictures)} pictures, expected 2 to {LOOP_FRAMES}")
    images = []
    for picture in pictures:
        with Image.open(picture) as image:
            images.append(image.convert("RGB"))
    durations = [milliseconds] * (len(images) - 1) + [8 * milliseconds]
    with aside(webp) as fresh:
        images[0].save(
            fresh, "WEBP", save_all=True, append_images=images[1:], duration=durations, loop=0, quality=70, method=4
        )
    data = base64.b64encode(webp.read_bytes()).decode("ascii")
    return f'<p><img alt="{escape(alt)}" width="{LOOP_SIZE[0]}" src="data:image/webp;base64,{data}"></p>'


def _face_colours(body: Body) -> Array:
    """[m, 3]"""
    colours = np.tile(rgb(body.colour), (len(body.triangles), 1))
    if body.shades is not None:
        place = np.clip(body.shades, 0, 1)[body.triangles].mean(axis=1)
        colours = np.array([rgb(c) for c in body.palette])[np.round(place * (len(body.palette) - 1)).astype(int)]
    if body.cut is not None:
        colours[np.asarray(body.cut, dtype=bool)] = rgb(body.cut_colour)
    return np.asarray(colours)


def _flat(bodies: Sequence[Body], png: Path, width: int, height: int, view: View | None) -> None:
    figure, axes = plt.subplots(figsize=(width / 100, height / 100), dpi=100)
    for body in bodies:
        corners = body.positions[body.triangles]
        order = np.argsort(corners[:, :, 2].mean(axis=1))
        corners = corners[order]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        light = np.clip(normal @ [0.3, 0.6, 0.74] / np.maximum(np.linalg.norm(normal, axis=1), 1e-300), 0.15, 1)
        colours = light[:, None] * _face_colours(body)[order]
        axes.add_collection(PolyCollection(corners[:, :, :2], facecolors=colours, edgecolors="none"))
    axes.set_aspect("equal")
    axes.autoscale_view()
    if view is not None:
        axes.set_xlim(view.points[:, 0].min(), view.points[:, 0].max())
        axes.set_ylim(view.points[:, 1].min(), view.points[:, 1].max())
    axes.axis("off")
    with aside(png) as fresh:
        figure.savefig(fresh)
    plt.close(figure)

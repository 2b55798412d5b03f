# SPDX-License-Identifier: BSD-3-Clause
"""A scene at a few times: stored frames with their surfaces, rendered from one camera, set beside each other,
or as a loop."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_hex
from matplotlib.figure import Figure

from deformbench_analysis.mesh import edge_matrices
from deformbench_analysis.trace import Series, Trace
from paper_figures.figure import Array, Axes, Drawing, MissingData
from paper_figures.render import LOOP_FRAMES, LOOP_SIZE, Ball, Body, View, evenly, loop_in_html, render_frames, turned

STRAIN_MAP = "viridis"
PALETTE = [to_hex(c) for c in colormaps[STRAIN_MAP](np.linspace(0, 1, 48))]
_TENSOR = np.array([1, 1, 1, 2, 2, 2], dtype=float)  # off the diagonal twice


@dataclass(frozen=True)
class Shot:
    """A frame with a surface: its stored fields, triangles, and which of these are crack faces."""

    step: int
    time: float
    positions: Array  # of the surface, [n,3], m
    triangles: Array  # [m,3]
    cracks: Array  # [m], bool
    fields: dict[str, Array]


def shots(trace: Trace) -> list[Shot]:
    """Every stored frame that has a surface; MissingData when there are fewer than two."""
    first = trace.scene("skin_triangles")
    found = []
    for step, time, fields in trace.frames():
        if "skin_positions" not in fields:
            continue
        triangles = np.asarray(fields.get("skin_triangles", first))
        origins = np.asarray(fields.get("skin_origins", np.zeros(len(triangles))))
        found.append(
            Shot(step, time, np.asarray(fields["skin_positions"], dtype=float), triangles, origins < 0, fields)
        )
    if len(found) < 2:
        raise trace.missing(f"{len(found)} frames with a surface, expected two or more")
    return found


def row_at(series: Series, step: int) -> int:
    """The last row of a channel that is not after a frame's step, or the first one."""
    return max(0, int(np.searchsorted(series.step, step, side="right")) - 1)


def stand_in(trace: Trace) -> str:
    """Caption text on a scene's generated body."""
    return (
        f"a generated stand-in of {int((trace.scene_shape('skin_triangles') or (0,))[0]):,} triangles on "
        f"{trace.tetrahedra:,} tetrahedra"
    )


def holding_elements(trace: Trace) -> Array:
    """[n] the element that best contains each vertex of the skin at rest."""
    rest, tets, skin = trace.scene("rest_positions"), trace.scene("tetrahedra"), trace.scene("skin_rest_positions")
    inverse, origin = np.linalg.inv(edge_matrices(rest, tets)), rest[tets[:, 0]]
    held = []
    for chunk in np.array_split(skin, max(1, len(skin) // 500)):
        inner = np.einsum("eij,pej->pei", inverse, chunk[:, None, :] - origin[None])
        held.append(np.minimum(inner.min(axis=2), 1 - inner.sum(axis=2)).argmax(axis=1))
    return np.concatenate(held)


def plastic_norms(shot: Shot) -> Array:
    """Frobenius norm of every element's plastic strain."""
    return np.asarray(np.sqrt((np.asarray(shot.fields["element_plastic_strains"]) ** 2 * _TENSOR).sum(axis=1)))


def view_of(
    found: Iterable[Shot],
    turn_deg: float,
    elevation_deg: float,
    floor: float | None = None,
    also: Array | None = None,
) -> View:
    """One camera that sees the surface at all these times, and the points `also`."""
    points = [turned(s.positions, turn_deg) for s in found] + ([] if also is None else [turned(also, turn_deg)])
    return View(np.vstack(points), elevation_deg, floor)


def render_shots(
    chosen: Sequence[Shot],
    stem: Path,
    body: Callable[[Shot], Body],
    view: View,
    turn_deg: float,
    width: int,
    height: int,
    balls: Callable[[Shot], Sequence[Ball]] = lambda _: (),
) -> tuple[list[Path], str]:
    """One picture per frame, `stem`_frame<k>.png, and the program that drew them.
    `body` and `balls` are in the scene's axes."""

    def scene(shot: Shot) -> tuple[list[Body], View, list[Ball]]:
        made = body(shot)
        lights = [replace(b, centre=turned(b.centre[None], turn_deg)[0]) for b in balls(shot)]
        return [replace(made, positions=turned(made.positions, turn_deg))], view, lights

    return render_frames(map(scene, chosen), stem, width, height)


def set_row(axes: Sequence[Axes], pictures: Sequence[Path], titles: Sequence[str]) -> None:
    """Pictures beside each other, each below its title; axes that are left over are hidden."""
    for axis in axes:
        axis.axis("off")
    for axis, picture, title in zip(axes, pictures, titles):
        axis.imshow(plt.imread(picture))
        axis.set_title(title, fontsize=8.5, loc="center")


def strain_bar(figure: Figure, axes: Axes | Sequence[Axes], largest: float, label: str) -> None:
    """Colour bar of plastic strain, 0 to `largest`."""
    figure.colorbar(
        ScalarMappable(Normalize(0.0, largest), STRAIN_MAP), ax=axes, shrink=0.75, aspect=22, pad=0.01, label=label
    )


def loop(
    trace: Trace,
    found: Sequence[Shot],
    stem: Path,
    body: Callable[[Shot], Body],
    view: View,
    turn_deg: float,
    balls: Callable[[Shot], Sequence[Ball]] = lambda _: (),
) -> list[str]:
    """At tier large: an animated WebP of at most LOOP_FRAMES small frames, as HTML for the report.
    Otherwise nothing."""
    if trace.tier != "large":
        return []
    chosen = evenly(found, min(LOOP_FRAMES, len(found)))
    pictures, _ = render_shots(chosen, stem.with_name(stem.name + "_loop"), body, view, turn_deg, *LOOP_SIZE, balls)
    return [loop_in_html(pictures, stem, f"{trace.experiment}, 0 to {chosen[-1].time:g} s in {len(chosen)} frames")]


def draw_row(
    figure: Drawing,
    trace: Trace,
    found: Sequence[Shot],
    chosen: Sequence[Shot],
    titles: Sequence[str],
    camera: tuple[View, float, int, int],
    body: Callable[[Shot], Body],
    inches: float,
    balls: Callable[[Shot], Sequence[Ball]] = lambda _: (),
) -> str:
    """Draws the chosen frames in a row `inches` high, and the loop of `found` below. `camera`: view, turn (°), width
    and height of a picture (pixels). Returns the renderer's name."""
    view, turn_deg, width, height = camera
    pictures, program = render_shots(chosen, figure.stem, body, view, turn_deg, width, height, balls)
    set_row(figure.axes(1, len(chosen), 9.6, inches), pictures, titles)
    figure.below = loop(trace, found, figure.stem, body, view, turn_deg, balls)
    return program

# SPDX-License-Identifier: BSD-3-Clause
"""Scenes with surfels at a few times, rendered from one camera, and as a loop."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from deformbench_analysis.trace import Trace
from paper_figures.render import LOOP_FRAMES, LOOP_SIZE, Body, View, evenly, loop_in_html, render_frames, turned
from paper_figures.splats import Splats, bodies, turned_body

MOST_SURFELS = 60_000  # of a loop's frame: each splat is a polygon of the renderer's scene


@dataclass(frozen=True)
class Look:
    """Colours of skin and faces of cracks, bumps on the faces (metres), and the camera; y is up."""

    skin: str = "#b9b2a6"
    face: str = "#b5653a"
    bump: float = 0.0
    turn_deg: float = 30.0
    elevation_deg: float = 20.0


@dataclass(frozen=True)
class Shot:
    """A stored state with surfels."""

    time: float
    splats: Splats


def shots(trace: Trace, member: int | None) -> list[Shot]:
    """Every stored state of a member that has surfels; none where the run had none."""
    found = []
    for _, time, arrays in trace.frames(member):
        if len(arrays.get("surfel_positions", ())) > 0:
            found.append(Shot(time, Splats.of(arrays)))
    return found


def surface(shot: Shot, look: Look) -> list[Body]:
    """Skin and faces of a state, as the camera sees them."""
    turn = turned(np.eye(3), look.turn_deg).T
    return [turned_body(b, turn) for b in bodies(shot.splats, look.skin, look.face, look.bump)]


def within(found: Sequence[Shot], look: Look) -> View:
    """A camera that shows all states, except the outermost 1 % of the surfels on every side."""
    kept = []
    for shot in found:
        x = shot.splats.positions
        low, high = np.percentile(x, [1, 99], axis=0)
        margin = 0.05 * (high - low)
        kept.append(np.clip(x, low - margin, high + margin))
    points = np.vstack(kept)
    return View(turned(points, look.turn_deg), look.elevation_deg, has_floor=False)


def render_shots(
    chosen: Sequence[Shot], stem: Path, view: View, look: Look, width: int, height: int
) -> tuple[list[Path], str]:
    """One picture per state, `stem`_frame<k>.png, and the renderer's name."""
    return render_frames(((surface(shot, look), view, ()) for shot in chosen), stem, width, height)


def loop(trace: Trace, found: Sequence[Shot], stem: Path, view: View, look: Look) -> list[str]:
    """An animated WebP of at most LOOP_FRAMES small pictures, as HTML for the report. Empty at tier smoke, or if
    there are too many surfels."""
    if trace.tier == "smoke" or len(found) < 2 or len(found[-1].splats.positions) > MOST_SURFELS:
        return []
    chosen = evenly(found, min(LOOP_FRAMES, len(found)))
    pictures, _ = render_shots(chosen, stem.with_name(stem.name + "_loop"), view, look, *LOOP_SIZE)
    return [loop_in_html(pictures, stem, f"{trace.experiment}, 0 to {chosen[-1].time:g} s in {len(chosen)} frames")]

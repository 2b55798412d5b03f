# SPDX-License-Identifier: BSD-3-Clause
"""A picture of every experiment that was run: the figure that it opens, else a stored frame of it, else a figure that
shows it beside others. Small files, which the page loads as they are scrolled to."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import numpy as np
from markupsafe import Markup
from PIL import Image

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.mesh_frames import SurfaceFrame, members_of, rigid_frames, surface_frames
from deformbench_analysis.output import aside
from deformbench_analysis.parallel import map_in_processes
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from paper_figures.cloth_scenes import CREASE_DEG, PIECES, piece_labels
from paper_figures.entry import Drawn
from paper_figures.render import Body, View, render, turned
from paper_figures.report.content import Content, Judged, notes_of
from paper_figures.report.templating import render as render_page

FOLDER, PAGE = "gallery", "gallery.html"
SIZE = (480, 360)  # pixels; of a figure of several panels twice as wide
MOST_TRIANGLES = 50_000  # of a frame that is rendered
LEAST_COVERED = 0.035  # area of a frame that is rendered, as a part of the square of its diagonal
_TURN_DEG, _ELEVATION_DEG = 25.0, 18.0


@dataclass(frozen=True)
class Shown:
    """An experiment in the gallery; without a picture it is a line. `page` is where the picture leads to."""

    id: str
    doc: str
    picture: str
    width: int  # of the picture, pixels
    page: str
    kind: str  # of the picture, in words
    claims: list[Judged]
    scene: str = ""  # the page that plays it

    @property
    def name(self) -> str:
        """Its id within its paper."""
        return self.id.partition("/")[2]


def figure_of(identifier: str, drawn: Iterable[Drawn]) -> tuple[int, Drawn] | None:
    """The drawn figure in which an experiment comes first, or as early as it does; and its place there."""
    showing = [
        (d.index.experiments.index(identifier), d) for d in drawn if identifier in d.index.experiments and d.entry
    ]
    by_place = sorted(showing, key=lambda found: (found[0], len(found[1].index.experiments)))
    return by_place[0] if by_place else None


def frame_of(cells: Iterable[Trace]) -> SurfaceFrame | None:
    """The last frame of the first completed cell that has one: all bodies as one surface."""
    for cell in cells:
        if cell.status != "completed" or not cell.has_frames:
            continue
        member = members_of(cell)[0]
        try:
            parts = [*surface_frames(cell, member, last=True)]
        except MissingData:  # rigid bodies alone
            parts = []
        parts += rigid_frames(cell, member, last=True)
        if not parts:
            continue
        offsets = np.cumsum([0, *(len(p.positions) for p in parts)])
        points, triangles = (
            np.concatenate(arrays)
            for arrays in ([p.positions for p in parts], [p.triangles + o for p, o in zip(parts, offsets)])
        )
        frame = SurfaceFrame(parts[0].step, parts[0].time, points, triangles, np.zeros_like(points))
        return frame if _can_be_seen(frame) else None
    return None


def _can_be_seen(frame: SurfaceFrame) -> bool:
    """Neither nothing, nor too much to draw, nor dust."""
    corners = frame.positions[frame.triangles]
    if not 0 < len(corners) <= MOST_TRIANGLES or not np.isfinite(corners).all():
        return False
    sides = corners[:, 1:] - corners[:, :1]
    area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1).sum() / 2
    return bool(area > LEAST_COVERED * np.square(np.ptp(corners.reshape(-1, 3), axis=0)).sum())


def _bodies(frame: SurfaceFrame) -> list[Body]:
    """What hangs together has one colour."""
    colours: Array = piece_labels(frame.triangles, len(frame.positions))[frame.triangles[:, 0]] % len(PIECES)
    points = turned(frame.positions, _TURN_DEG)
    return [
        Body(points, frame.triangles[colours == k], front, back=back, crease_deg=CREASE_DEG)
        for k, (front, back) in enumerate(PIECES)
        if (colours == k).any()
    ]


def _small(source: Path, target: Path) -> int:
    """A picture at the size of the gallery, unless it is there already: it has the time of what it shows. Returns the
    width of its place."""
    time = source.stat().st_mtime_ns
    with Image.open(source) as image:
        width = SIZE[0] * (2 if image.width > 2 * image.height else 1)
        if not target.exists() or target.stat().st_mtime_ns != time:
            small = image.convert("RGB")
            small.thumbnail((width, SIZE[1]), Image.LANCZOS)
            with aside(target) as fresh:
                small.save(fresh, "WEBP", quality=80)
                os.utime(fresh, ns=(time, time))
    return width


def _picture(data: ExperimentData, content: Content, target: Path) -> tuple[int, str, str]:
    """The width of the picture, the page that it leads to, and what it is; 0 and empty texts where there is none."""
    found = figure_of(data.id, content.drawn)
    frame = frame_of(data.cells) if found is None or found[0] > 0 else None
    if frame is not None:
        png = target.with_suffix(".png")
        bodies = _bodies(frame)
        target.parent.mkdir(parents=True, exist_ok=True)
        render(bodies, png, *SIZE, view=View(np.vstack([b.positions for b in bodies]), _ELEVATION_DEG))
        return _small(png, target), "", f"at {frame.time:.3g} s" if frame.time > 1e-6 else "at the start"
    if found is None or found[1].entry is None:
        return 0, "", ""
    index = found[1].index
    return _small(found[1].entry.files["png"], target), f"{index.paper}.html#{index.id}", index.number


def _shown(data: ExperimentData, content: Content, out: Path) -> Shown:
    target = out / FOLDER / f"{data.id}.webp"
    width, page, kind = _picture(data, content, target)
    claims = [j for j in content.claims() if data.id in j.claim.experiments and j.claim.id in content.pages()]
    page = page or (claims[0].page if claims else f"{data.id.partition('/')[0]}.html#status")
    declaration = content.results.declarations.get(data.id)
    doc = str(declaration.data.get("doc", "")) if declaration else ""
    picture = quote(target.relative_to(out).as_posix()) if width else ""
    return Shown(data.id, doc, picture, width, page, kind, claims, content.scenes.get(data.id, ""))


def page(content: Content, out: Path) -> Markup:
    """The page; its pictures are written beside it."""
    run = [e for e in content.experiments() if e.cells and e.id.partition("/")[0] in content.papers()]
    # POV-Ray takes no processor time for half of each small picture: a second process per core uses it.
    shown = map_in_processes(
        lambda e: _shown(e, content, out), run, "pictures of the gallery", lambda e: len(e.cells), processes_per_core=2
    )
    papers = [(notes_of(p)["short"], p, [s for s in shown if s.id.startswith(f"{p}/")]) for p in content.papers()]
    return render_page(
        "gallery.html", papers=[p for p in papers if p[2]], count=len(shown), height=SIZE[1], wide=2 * SIZE[0]
    )

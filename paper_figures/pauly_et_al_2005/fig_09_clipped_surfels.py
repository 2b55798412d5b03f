# SPDX-License-Identifier: BSD-3-Clause
"""Figure 9: surfels clipped where the skin and the faces of a crack meet, bumps on the faces; beside it the nodes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from experiments.pauly_et_al_2005.measurements import surfel_detail as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line
from paper_figures.key_frames import set_row
from paper_figures.render import Body, View, render
from paper_figures.splats import Splats, bodies, cuts, polygons, turned_body

WIDTH, HEIGHT = 640, 560
SKIN, FACE, NODE = "#b9b2a6", "#b5653a", "#3aa655"
BUMP = 0.4  # of the surfels' radius
# The crack's mouth at x = 0 towards the eye, a little from the side and from above.
TURN = np.array([[0.80, 0.0, 0.60], [0.0, 1.0, 0.0], [-0.60, 0.0, 0.80]]) @ np.array(
    [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]
)


def _nodes(positions: Array, support: float) -> list[Body]:
    """An octahedron each."""
    corners = 0.06 * support * np.vstack([np.eye(3), -np.eye(3)])
    faces = np.array([[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]])
    points = (positions[:, None] + corners).reshape(-1, 3)
    normals = np.tile(corners / (0.06 * support), (len(positions), 1))
    triangles = (faces[None] + 6 * np.arange(len(positions))[:, None, None]).reshape(-1, 3)
    return [Body(points, triangles, NODE, normals=normals)]


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.EXPERIMENT)
    fine = [c for c in data.some(name=m.ROW) if m.radius(c) > 0]
    if not fine:
        raise MissingData(f"{m.EXPERIMENT} at tier {data.tier}: no cell with surfels")
    cell = min(fine, key=m.radius)
    frame = m.last(cell)
    splats = Splats.of(frame)
    surface = [turned_body(b, TURN) for b in bodies(splats, SKIN, FACE, BUMP * m.radius(cell))]
    points = np.vstack([b.positions for b in surface])
    view = View(points, elevation_deg=22.0)
    stem = out_dir / "fig_09_clipped_surfels"
    pictures = [stem.with_name(f"{stem.name}_surface.png"), stem.with_name(f"{stem.name}_nodes.png")]
    program = render(surface, pictures[0], WIDTH, HEIGHT, view=view)
    ghost = [replace(b, transmit=0.75, bump=0.0) for b in surface if b.colour == FACE]
    drawn = [turned_body(b, TURN) for b in _nodes(frame["positions"], float(frame["node_supports"][0]))]
    render([*drawn, *ghost], pictures[1], WIDTH, HEIGHT, view=view)
    figure, axes = style.new_figure(1, 2, width=8.4, height=3.9)
    set_row(list(np.ravel(axes)), pictures, ["surfels, clipped at creases", "nodes, and the faces of the crack"])
    found = cuts(splats)
    table = Table(
        [
            Column("surfels of the skin", "1"),
            Column("surfels of crack faces", "1"),
            Column("surfels that a plane clips", "1"),
            Column("surfels of which something is left", "1"),
            Column("nodes", "1"),
        ]
    )
    table.add(
        int(splats.is_skin.sum()),
        int((~splats.is_skin).sum()),
        len(np.unique(found.surfels)),
        len(polygons(splats, np.ones(len(splats.positions), dtype=bool), found).counts),
        len(frame["positions"]),
    )
    caption = (
        "The paper shows: surfels that are clipped to sharp creases with fracture surfaces, whose roughness is procedural noise, and the "
        f"simulation nodes. Drawn here by {program} from a run: a block of {len(frame['positions'])} nodes with a crack from one side, stretched by a "
        f"tenth and let go. Each of {len(splats.positions)} splats is a polygon that planes of surfels of "
        "other sheets clip; bumps are a texture of the renderer on faces of the crack and no geometry. A splat of the skin that reaches ahead "
        f"of the front is clipped there too. Fine lines are steps between splats: their tilt follows the nodes' mean gradient, without that of the "
        f"weights. Machine: {machine_line([cell])}."
    )
    return style.finished("Figure 9 — surfels clipped at creases", caption, figure, table, stem, data)

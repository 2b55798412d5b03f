# SPDX-License-Identifier: BSD-3-Clause
"""Figure 9: surfels clipped where the skin and the faces of a crack meet, bumps on the faces; beside it the nodes."""

from dataclasses import replace

import numpy as np

from experiments.pauly_et_al_2005.measurements import surfel_detail as m
from paper_figures.figure import Array, Drawing, MissingData, titled
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


@titled("Figure 9 — surfels clipped at creases")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    fine = [c for c in data.some(name=m.ROW) if m.radius(c) > 0]
    if not fine:
        raise MissingData(f"{m.M.experiment} at tier {data.tier}: no cell with surfels")
    cell = min(fine, key=m.radius)
    frame = m.last(cell)
    splats = Splats.of(frame)
    surface = [turned_body(b, TURN) for b in bodies(splats, SKIN, FACE, BUMP * m.radius(cell))]
    points = np.vstack([b.positions for b in surface])
    view = View(points, elevation_deg=22.0)
    pictures = [figure.part("surface.png"), figure.part("nodes.png")]
    program = render(surface, pictures[0], WIDTH, HEIGHT, view=view)
    ghost = [replace(b, transmit=0.75, bump=0.0) for b in surface if b.colour == FACE]
    drawn = [turned_body(b, TURN) for b in _nodes(frame["positions"], float(frame["node_supports"][0]))]
    render([*drawn, *ghost], pictures[1], WIDTH, HEIGHT, view=view)
    axes = figure.axes(1, 2, 8.4, 3.9)
    set_row(list(np.ravel(axes)), pictures, ["surfels, clipped at creases", "nodes, and the faces of the crack"])
    found = cuts(splats)
    table = figure.table(
        "surfels of the skin; surfels of crack faces; surfels that a plane clips; surfels of which something is "
        "left; nodes"
    )
    left = polygons(splats, np.ones(len(splats.positions), dtype=bool), found)
    numbers = (len(left.counts), len(frame["positions"]))
    table.add(int(splats.is_skin.sum()), int((~splats.is_skin).sum()), len(np.unique(found.surfels)), *numbers)
    return (
        "The paper shows: surfels that are clipped to sharp creases with fracture surfaces, whose roughness is "
        f"procedural noise, and the simulation nodes. Drawn here by {program} from a run: a block of "
        f"{len(frame['positions'])} nodes with a crack from one side, stretched by a tenth and let go. Each of "
        f"{len(splats.positions)} splats is a polygon that planes of surfels of other sheets clip; bumps are a "
        "texture of the renderer on faces of the crack and no geometry. A splat of the skin that reaches ahead of "
        "the front is clipped there too. Fine lines are steps between splats: their tilt follows the nodes' mean "
        "gradient, without that of the weights."
    )

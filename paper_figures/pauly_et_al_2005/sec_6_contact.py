# SPDX-License-Identifier: BSD-3-Clause
"""Section 6: penetration depth of parts of a body, by the stiffness of penalty contacts,
and an impact seen from the side."""

import numpy as np

from experiments.pauly_et_al_2005.measurements import self_contact as m
from experiments.pauly_et_al_2005.measurements.clouds import seeds
from deformbench_analysis.solid_surfaces import inside
from paper_figures.figure import Array, Drawing, Trace, style, titled

ROWS = {m.IMPACT: "fragments hit", m.FOLDED: "arms of a hairpin", m.REST: "fragment at rest"}
LOOKS = {m.IMPACT: "linear", m.FOLDED: "warped", m.REST: "naive"}
GUARANTEE = 0.1  # radii: what the claim calls an intersection


def deepest_frame(trace: Trace) -> tuple[dict[str, Array], dict[str, Array]]:
    """First frame, and the frame of the deepest surfel, of the first member."""
    member = seeds(trace)[0]
    frames = [arrays for _, _, arrays in trace.frames(member)]
    return frames[0], m.looked_at(trace, frames)[int(np.argmax(m.depths(trace)[0]))]


@titled("Section 6 — penalty forces and self-intersection")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    axes = figure.axes(1, 2, 9.8, 4.2)
    table = figure.table("situation; stiffness; member; depth / r")
    for name, label in ROWS.items():
        cells = [(m.stiffness(c), c) for c in m.swept(*data.every(name=name))]
        look = style.method_style(LOOKS[name], label)
        worst = []
        for stiffness, cell in cells:
            depths = m.members(cell)
            worst.append(float(depths.max()))
            style.marks(axes[0], [stiffness] * len(depths), depths, look.marker, look.colour, ms=3)
            for member, depth in enumerate(depths):
                table.add(name, stiffness, member, float(depth))
        axes[0].plot([s for s, _ in cells], worst, color=look.colour, label=label)
    axes[0].axhline(GUARANTEE, color="0.5", ls="--", lw=0.8)
    axes[0].set(xscale="log", yscale="log", xlabel="contact stiffness / (E/h)", ylabel="deepest surfel / r")
    axes[0].legend()
    axes[0].set_title("(a) depth by stiffness")

    cell = m.swept(*data.every(name=m.IMPACT))[0]
    first, deepest = deepest_frame(cell)
    rest, positions = first["node_rest_positions"], deepest["positions"]
    for part, name in zip(m.solids(cell, first), (m.IMPACT, m.FOLDED)):
        points = part.surfels.at(m.positions_of(cell, part.surfels.nodes, positions, rest))
        within = inside(
            points, part.surface.at(m.positions_of(cell, part.surface.nodes, positions, rest))[part.triangles]
        )
        colour = style.method_style(LOOKS[name]).colour
        axes[1].plot(points[~within, 0], points[~within, 1], ".", ms=2, color=colour, alpha=0.5)
        axes[1].plot(points[within, 0], points[within, 1], "x", ms=4, color=colour)
    axes[1].set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes[1].set_title(f"(b) an impact at stiffness {m.stiffness(cell):g}; crosses: inside")
    return (
        "The paper says that penalty forces do not guarantee freedom from self-intersection. Measured here: the "
        "deepest surfel inside of another part, in radii r of a surfel, found from positions of nodes alone by the "
        f"winding number of the part's carried surface; lines: the worst cloud, dashed: {GUARANTEE:g} r. Where "
        f"contacts are stiffest, it is at least {m.impact_depth(data):.2g} r in an impact, "
        f"{m.folded_depth(data):.2g} r where the arms of a hairpin collide, and "
        f"{m.rest_depth(data):.2g} r at rest; without contact {m.open_depth(data):.2g} r "
        "and more. Contacts eight times as stiff diverge with this time step. "
    )

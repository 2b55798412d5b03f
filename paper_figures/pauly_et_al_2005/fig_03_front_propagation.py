# SPDX-License-Identifier: BSD-3-Clause
"""Figure 3: a front that advances, its nodes and the surfels that it leaves, from above and from the side."""

from collections.abc import Callable

import numpy as np
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.patches import Circle

from experiments.pauly_et_al_2005.measurements import front_sampling as m
from experiments.pauly_et_al_2005.measurements.crack_fronts import frames, fronts, last_frame, seeds, surfel_radius
from paper_figures.figure import Drawing, MissingData, Trace, style, titled

SHOWN = 12.0  # surfel radii about the start


def growing(trace: Trace) -> bool:
    """The run of three nodes."""
    return int(trace.value("method.parameters.crack_pennies")[7]) == 3


def turns_along_x(trace: Trace) -> bool:
    """Whether the stress rotates along x."""
    return any(trace.value("method.parameters.crack_turn_rad_m"))


def turning(trace: Trace) -> bool:
    """The run in a stress that rotates, along x or (only at tier smoke) at one time."""
    return turns_along_x(trace) or trace.setting("crack_switch_angle_rad") != 0


def _longest(cells: list[Trace], kind: Callable[[Trace], bool]) -> Trace:
    """The run of one kind with the longest steps. MissingData without one."""
    found = [c for c in cells if kind(c)]
    if not found:
        raise MissingData(f"{m.M.experiment}: no run that is {kind.__name__}")
    return max(found, key=lambda c: (turns_along_x(c), m.advance(c)))


@titled("Figure 3 — a front advances and leaves surfels")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    cells = [c for c in data.some(name="in_parts") if m.advance(c) <= 1 + 1e-9]
    above, beside = (_longest(cells, kind) for kind in (growing, turning))
    longest = m.advance(above)
    axes = figure.axes(1, 2, 9.8, 4.6)
    table = figure.table("view; step; nodes; length of the front [m]")
    front_look, surfel_look = style.method_style("linear", "fronts, step by step"), style.method_style("warped")
    for axis, cell, second, name in ((axes[0], above, 1, "above"), (axes[1], beside, 2, "beside")):
        member, radius = seeds(cell)[0], surfel_radius(cell)
        centre = None
        for step, _, arrays in frames(cell, member):
            for front in fronts(arrays):
                centre = front.nodes.mean(axis=0) if centre is None else centre
                first, following = front.edges
                lines = np.stack([first - centre, following - centre], axis=1)[:, :, [0, second]] / radius
                axis.add_collection(LineCollection(list(lines), colors=front_look.colour, linewidths=0.8))
                nodes = (front.nodes - centre)[:, [0, second]] / radius
                axis.plot(nodes[:, 0], nodes[:, 1], ".", ms=2, color=front_look.colour)
                table.add(name, step, len(front.nodes), float(front.gaps.sum()))
        surfels = last_frame(cell, member)["crack_surfels"]
        places = (surfels[:, :3] - centre)[:, [0, second]] / radius
        if second == 1:
            discs = PatchCollection([Circle((x, y), 1.0) for x, y in places], alpha=0.12, color=surfel_look.colour)
            axis.add_collection(discs)
        else:
            normals = surfels[:, 3:6]
            along = np.stack([normals[:, 2], -normals[:, 0]], axis=1)
            along /= np.maximum(np.linalg.norm(along, axis=1)[:, None], 1e-12)
            pieces = np.stack([places - along, places + along], axis=1)
            axis.add_collection(LineCollection(list(pieces), colors=surfel_look.colour, alpha=0.25))
        reach = SHOWN if second == 1 else 1.4 * SHOWN
        axis.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
        axis.set(xlabel="x / r", ylabel="yz"[second - 1] + " / r")
    axes[0].set_title("(a) from above: three nodes at the start")
    axes[1].set_title(f"(b) from the side, in a stress that turns {'along x' if turns_along_x(beside) else 'once'}")
    return (
        "The paper shows a front from above and a fracture surface from the side, with nodes that are inserted "
        "along the front and surfels that are added as it advances. Drawn from computed runs, in radii r of a "
        f"surfel: the front after every step of {longest:.2g} r, its nodes, and the surfels that it left (discs; "
        "from the side as lines). Of random rays through the swept area "
        f"{100 * m.missed_in_parts(data).value:.2g} % meet no surfel; with every step taken whole "
        f"{100 * m.missed_whole(data).value:.2g} % at the longest step."
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Figure 12: cracks controlled by painted lines, history and a hard box, and uncontrolled cracks."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.patches import Rectangle

from experiments.pauly_et_al_2005.measurements import controlled_fracture as m
from experiments.pauly_et_al_2005.measurements.crack_fronts import last_frame, seeds, surfel_radius, swept
from paper_figures.figure import Drawing, style, titled
from paper_figures.solid_cracks import draw_area, draw_box, frame_view

SHOWN = (("all", "(a) lines, history, hard box"), ("none", "(b) nothing"))
NEAR = 0.5  # of r: crack area nearer to the painted face is its trace


@titled("Figure 12 — controlled fracture")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    design = data.one(name="all")
    lines, (low, high) = m.painted_lines(design), m.hard_box(design)
    plt.rcParams.update(style.PARAMETERS)
    figure.page = plt.figure(figsize=(10.4, 6.4))
    table = figure.table("run; member; trace away [r] .3g; depth in the box [r] .3g")
    colours = {"all": style.method_style("linear").colour, "none": style.method_style("warped").colour}
    for row, (name, title) in enumerate(SHOWN):
        trace = data.one(name=name)
        length, half = (trace.number("length_m"), trace.number("side_m") / 2)
        arrays = last_frame(trace, seeds(trace)[0])
        triangles = swept(arrays)
        colour = plt.matplotlib.colors.to_rgb(colours[name])
        body = figure.page.add_subplot(2, 2, 2 * row + 1, projection="3d")
        draw_box(body, np.array([0, -half, -half]), np.array([length, half, half]))
        if name == "all":
            draw_box(body, np.maximum(low, (0, -half, -half)), np.minimum(high, (length, half, half)), colors="C3")
        draw_area(body, triangles, colour)
        for line in lines:
            body.plot(*line.T, color="black", ls="--" if name == "none" else "-", lw=1.5)
        frame_view(body, np.array([0, -half, -half]), np.array([length, half, half]), 28, -62)
        body.set_title(title)
        face = figure.page.add_subplot(2, 2, 2 * row + 2)
        near = triangles[(triangles[:, :, 2] > half - NEAR * surfel_radius(trace)).any(axis=1)]
        face.add_collection(
            PolyCollection(near[:, :, :2], facecolors=colours[name], edgecolors=colours[name], linewidths=1.5)
        )
        for line in lines:
            face.plot(line[:, 0], line[:, 1], "k--", lw=1.0)
        face.plot(*arrays["crack_starts"][:, :2].T[:, np.abs(arrays["crack_starts"][:, 2] - half) < 1e-6], "k.", ms=4)
        face.add_patch(Rectangle((0, -half), length, 2 * half, fill=False, edgecolor="0.5"))
        style.panel(
            face, "", "x (m)", "y (m)", aspect="equal", xlim=(-0.05, length + 0.05), ylim=(-half - 0.05, half + 0.05)
        )
        face.set_title("painted face: lines (dashed), starts, trace")
        for member in seeds(trace):
            state = last_frame(trace, member)
            table.add(
                name, member, m.away(trace, state, lines), m.depth_in_box(state, low, high) / surfel_radius(trace)
            )
    return (
        "The paper shows a body with cracks guided by painting, propagation history and thresholds. Drawn from a "
        "computed run, in material coordinates: the area that cracks have swept in a block that is pulled, with two "
        "painted lines, history and a box that no crack enters (red), and in the same block with none of them. With "
        f"history the trace is at most {m.trace_away(data):.2g} surfel radii away from the lines; where "
        f"nothing is painted it is at least {m.unpainted_away(data):.2g} away. Cracks reach "
        f"{m.depth_in_hard_box(data):.2g} radii into the hard box, and "
        f"{m.depth_in_soft_box(data):.2g} where it is not hard. Model, pattern and settings of the "
        "paper are not published. "
    )

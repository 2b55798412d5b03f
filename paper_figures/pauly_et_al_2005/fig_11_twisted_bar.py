# SPDX-License-Identifier: BSD-3-Clause
"""Figure 11: cracks in a twisted bar, and fronts that run in from its four sides."""

import matplotlib.pyplot as plt
import numpy as np

from experiments.pauly_et_al_2005.measurements import twisted_bar as m
from experiments.pauly_et_al_2005.measurements.crack_fronts import frames, fronts, last_frame, seeds, swept
from paper_figures.figure import Drawing, style, titled
from paper_figures.solid_cracks import draw_area, draw_box, draw_front, frame_view


@titled("Figure 11 — a twisted bar")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    free = data.one(name="free")
    ringed = {m.twisted(c): c for c in data.every() if c.method_name == "ringed"}
    plt.rcParams.update(style.PARAMETERS)
    figure.page = plt.figure(figsize=(10.4, 6.6))
    table = figure.table("run; member; fronts ever; sources of a circle")
    length, half = free.number("length_m"), free.number("side_m") / 2
    low, high = np.array([0, -half, -half]), np.array([length, half, half])
    arrays = last_frame(free, seeds(free)[0])
    body = figure.page.add_subplot(2, 1, 1, projection="3d")
    draw_box(body, low, high)
    cracks = arrays["crack_triangles"][:, 3]
    draw_area(body, swept(arrays), plt.colormaps["tab20"](cracks % 20))
    for front in fronts(arrays):
        draw_front(body, front.nodes, front.closed)
    frame_view(body, low, high, 22, -68)
    body.set_title(
        f"(a) cracks start anywhere: {len(fronts(arrays))} fronts (black) in {len(set(cracks.tolist()))} cracks "
        "(colours)"
    )
    for k, (is_twisted, title) in enumerate(((True, "(b) ring, twisted"), (False, "(c) ring, pulled alone"))):
        trace = ringed[is_twisted]
        axis = figure.page.add_subplot(2, 2, 3 + k)
        shown = [(time, state) for _, time, state in frames(trace, seeds(trace)[0]) if len(state["front_nodes"])]
        for number, (time, state) in enumerate(shown):
            colour = plt.colormaps["viridis"](number / max(1, len(shown) - 1))
            for position, front in enumerate(fronts(state)):
                line = np.vstack([front.nodes, front.nodes[:1]]) if front.closed else front.nodes
                label = f"{time:.2f} s" if position == 0 and number in (0, len(shown) - 1) else None
                axis.plot(line[:, 1], line[:, 2], color=colour, lw=1.2, label=label)
        axis.add_patch(plt.Rectangle((-half, -half), 2 * half, 2 * half, fill=False, edgecolor="0.5"))
        style.panel(axis, f"{title}: fronts, along the bar", "y (m)", "z (m)", aspect="equal")
        axis.legend(loc="center", fontsize=7)
    for trace in data.every():
        for member in seeds(trace):
            table.add(trace.label, member, int(m.front_total(trace, member)), m.circle_sources(trace, member))
    return (
        "The paper shows 49 fronts in a twisted bar, four of which merge at the centre into a circle. Drawn from "
        "computed runs, in material coordinates: in a bar whose cracks start anywhere there were at least "
        f"{m.front_count(data):.0f} fronts, at most {m.most_at_once(data):.0f} of them at "
        f"a time, and {m.merges(data):.0f} mergings; where they start on a ring about the middle they "
        "run in from four sides. Share of the twisted bars in which merging alone made a circle about the axis of "
        f"four cracks: {100 * m.circles(data).value:.0f} %. Size, rates and thresholds of the paper are not "
        "published."
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Figure 5: fronts that are split and that merge, the step before and the step after each event."""

from typing import Any

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from experiments.pauly_et_al_2005.measurements import event_duality as m
from experiments.pauly_et_al_2005.measurements.crack_fronts import END_RUN, MERGE, SPLIT, Frame, Front, frames, fronts
from experiments.pauly_et_al_2005.measurements.crack_fronts import seeds
from paper_figures.figure import Array, Drawing, Trace, style, titled

REACH = 0.4  # m about the place of the event
LINES = ("linear", "warped", "exact", "reference")  # looks of the fronts of one picture, in the order of their names


def starts_closed(trace: Trace) -> bool:
    """Whether the run starts with a closed front, and not with a surface crack."""
    return len(trace.value("method.parameters.crack_pennies")) > 0


def is_cube(trace: Trace) -> bool:
    """Whether the body is the cube."""
    return bool(trace.value("scene.parameters.shape") == "cube")


def about_event(trace: Trace, kind: int, cause: int | None) -> tuple[int, Array, Frame, Frame]:
    """Step, place, and states before and after,
    of the first step with one event of this kind and no others except end runs."""
    for member in seeds(trace):
        before: Frame | None = None
        known = 0
        for step, _, arrays in frames(trace, member):
            events = np.asarray(arrays["crack_events"])[known:]
            known += len(events)
            kinds = [k for k in events[:, 1].tolist() if k != END_RUN]
            fits = kinds == [kind] and (cause is None or cause in events[events[:, 1] == kind, 6])
            if before is not None and fits:
                place = arrays["crack_event_positions"].reshape(-1, 3)[known - len(events) :][events[:, 1] == kind][0]
                return step, place, before, arrays
            before = arrays
    raise trace.missing("no step with such an event alone")


def draw(axis: Any, arrays: Frame, titled: str) -> list[Front]:
    """The cut area from above, and every front with its ends."""
    vertices, triangles = arrays["crack_vertices"].reshape(-1, 3), np.asarray(arrays["crack_triangles"])[:, :3]
    axis.add_collection(PolyCollection(list(vertices[triangles][:, :, :2]), facecolors="0.88", edgecolors="none"))
    found = fronts(arrays)
    for front in found:
        look = style.method_style(LINES[front.id % len(LINES)])
        first, following = front.edges
        axis.add_collection(
            LineCollection(list(np.stack([first, following], axis=1)[:, :, :2]), colors=look.colour, linewidths=1.4)
        )
        axis.plot(front.nodes[:, 0], front.nodes[:, 1], ".", color=look.colour, ms=3)
        for place, _ in front.ends:
            axis.plot(*place[:2], "o", color=look.colour, ms=7, mfc="none", mew=1.4)
    axis.set_title(titled)
    return found


@titled("Figure 5 — splitting and merging")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    cells = data.some(name="snapping")
    surface = next(c for c in cells if not starts_closed(c))
    cube = next(c for c in cells if is_cube(c))
    rows = (
        ("(a) a front is split at a cavity", surface, SPLIT, 0),
        ("(b) both merge behind it", surface, MERGE, None),
        ("(c) a circle comes through a face", cube, SPLIT, 0),
    )
    axes = figure.axes(len(rows), 2, 8.2, 10.2)
    table = figure.table("event; step; state; fronts; closed; end nodes")
    for row, (title, trace, kind, cause) in enumerate(rows):
        step, place, *states = about_event(trace, kind, cause)
        for column, (name, arrays) in enumerate(zip(("before", "after"), states)):
            axis = axes[row, column]
            found = draw(axis, arrays, f"{title}: before" if column == 0 else f"step {step}: after")
            axis.set(
                xlim=(place[0] - REACH, place[0] + REACH), ylim=(place[1] - REACH, place[1] + REACH), aspect="equal"
            )
            axis.set(xlabel="x (m)", ylabel="y (m)" if column == 0 else "")
            table.add(title, step, name, len(found), sum(f.closed for f in found), sum(len(f.ends) for f in found))
    return (
        "The paper shows, as drawings, how a front that goes through a surface is split, and how two end nodes that "
        "meet merge. Drawn from computed runs, from above, around the event: the cut area (grey; it "
        "reaches a little beyond the surface), the fronts with their nodes (one colour each), and their end nodes "
        "(rings), in the step before the event and in the step after it. A crack in a hollow ball is split at the "
        "cavity and merges behind it; a round crack that reaches a face of a cube becomes a surface crack."
    )

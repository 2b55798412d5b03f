# SPDX-License-Identifier: BSD-3-Clause
"""Shared by figures of cloth by forces, XPBD and PBD: names and looks of rows, distance from the
reference against step and cost."""

from collections.abc import Sequence
from typing import Any

from experiments.cross.measurements.common_times import cost_if_timed
from experiments.cross.measurements.swinging_cloths import row
from paper_figures.cross.precision import effort_axes, timed_curve
from paper_figures.figure import Axes, Drawing, Table, Trace, style

LABELS = {
    "force_cloth": "springs, explicit steps",
    "xpbd_2": "XPBD, 2 iterations",
    "xpbd_20": "XPBD, 20 iterations",
    "pbd_2": "PBD, 2 iterations",
    "pbd_20": "PBD, 20 iterations",
}


def look_of(name: str) -> dict[str, Any]:
    """Colour, marker, line and label of a row; two iterations are dotted."""
    look = style.method_style(name.split("_")[0] if name != "force_cloth" else name, LABELS[name])
    return {**look.line_kwargs(), **({"linestyle": ":"} if name.endswith("_2") else {})}


def steps_of(cell: Trace) -> tuple[float, int]:
    """Δt in seconds, and how many substeps it has."""
    substeps = cell.series("step", "substeps").members()[0].values[-1]
    return cell.number("time_step_s"), int(substeps)


def rows_of(errors: dict[Trace, float]) -> list[tuple[str, list[Trace]]]:
    """Rows with cells, each with its cells by decreasing substep."""
    found = []
    for name in LABELS:
        cells = [c for c in errors if row(c) == name]
        if cells:
            found.append((name, sorted(cells, key=lambda c: -steps_of(c)[0] / steps_of(c)[1])))
    return found


def distance_table(figure: Drawing, distances: str) -> Table:
    """One row per cell: row, step, substeps, columns of distances, cost."""
    return figure.table("row; Δt [s] .6g; substeps", distances, "time of a simulated second [s] .3g")


def draw_distances(axes: Sequence[Axes], errors: dict[Trace, float]) -> None:
    """Distances by step and cost."""
    for name, cells in rows_of(errors):
        found = [errors[c] for c in cells]
        steps = [whole / parts for whole, parts in map(steps_of, cells)]
        axes[0].plot(steps, found, **look_of(name))
        timed_curve(axes[1], [cost_if_timed(c) for c in cells], found, look_of(name))
    effort = ("(sub)step [s]", "(a) by step")
    cost = ("time of a simulated second [s]", "(b) by cost")
    effort_axes(axes, "distance from the reference / side [1]", effort, cost, "best")

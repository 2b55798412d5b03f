# SPDX-License-Identifier: BSD-3-Clause
"""A cloth that swings down onto a slope: error of forces, XPBD and PBD in the motion of its springs, against
cost."""

from experiments.cross.measurements import cloth_curtain as m
from experiments.cross.measurements.common_times import cost_if_timed
from experiments.cross.measurements.swinging_cloths import distances, errors
from paper_figures.cross.swinging_cloths import distance_table, draw_distances, look_of, rows_of, steps_of
from paper_figures.figure import Drawing, style, titled


@titled("Cloth — a curtain on a slope")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    axes = figure.axes(1, 3, 12.6, 3.9)
    table = distance_table(
        figure,
        "largest distance / side .3g; distance at the end / side .3g; sag at the end / side .3g; depth / side .2g",
    )
    worst, reference = errors(data), data.one(name="reference")
    at_end = {c: m.end_error(c, reference) for c in worst}
    for name, cells in rows_of(worst):
        for cell in cells:
            measured = (worst[cell], at_end[cell], m.sag(cell), m.depth(cell))
            table.add(name, *steps_of(cell), *measured, cost_if_timed(cell))
        first = min(cells, key=lambda c: steps_of(c)[0] / steps_of(c)[1])
        times, apart = distances(first, reference)
        axes[2].plot(times, apart, **{**look_of(name), "marker": ""})
    draw_distances(axes[:2], at_end)
    axes[0].set_title("(a) at the end, by step")
    axes[1].set_title("(b) at the end, by cost")
    style.panel(
        axes[2], "(c) on the way, shortest steps", "time [s]", "distance from the reference / side [1]", log="y"
    )
    side = next((int(c.number("vertices_across")) for c in data.cells), 0)
    floor = m.force_cloth_error(data)
    return (
        f"A cloth of {side} × {side} vertices without bending, held at two corners, swings down onto a slope of 40° "
        "with friction 0.3: root mean square distance of its vertices, relative to the side, from small explicit "
        "steps of the same springs (1000 N/m per edge). The cloth wrinkles as the slope and then its corners stop "
        f"it; explicit steps of other sizes differ by up to {floor.value:.2g} sides from the reference there, and "
        "agree with it again at rest. All methods apply contact per vertex; PBD has no material stiffness. "
    )

# SPDX-License-Identifier: BSD-3-Clause
"""A block from a tangled start: inverted elements and distance from the rest shape over time, by family."""

import numpy as np

from experiments.cross.measurements import families as m
from paper_figures.figure import Drawing, style, titled

ROWS = ("linear", "warped", "vertex_warped", "nonlinear", "explicit", "invertible", "xpbd", "meshless")
FLOOR = 1e-6  # of a cell: smaller distances are drawn here


@titled("Tangled start — who comes back")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.TANGLED.experiment)
    cells = [c for name in ROWS for c in data.some(status=None) if c.method_name == name]
    axes = figure.axes(1, 2, 10.5, 4.2)
    table = figure.table(
        "row; ended; inverted at the start .3g; inverted at the end .3g; last step with an inverted element [s]; "
        "distance from rest at the end [cells] .3g; back at rest"
    )
    for place, cell in enumerate(cells):
        look = style.method_style(cell.method_name)
        share, time = m.inverted_share(cell), cell.series("step", "inverted_elements").time
        frames, away = m.off_rest_shape(cell)
        back = m.is_back(cell)
        tangled = np.flatnonzero(share > 0)
        numbers = (float(time[tangled[-1]]) if tangled.size else 0.0, away[-1], "yes" if back else "no")
        table.add(cell.method_name, cell.status, share[0], share[-1], *numbers)
        line = {"color": look.colour, "linestyle": look.line, "linewidth": 1.4}
        every = max(1, len(time) // 10)
        marks = {**line, "marker": look.marker, "markersize": 4.5}
        axes[0].plot(time, share, **marks, markevery=(place * every // len(cells), every), label=look.label)
        every = max(1, len(frames) // 10)
        axes[1].plot(
            frames, np.maximum(away, FLOOR), **marks, markevery=(place * every // len(cells), every), label=look.label
        )
        if not back:
            earlier = sum(1 for c in cells[:place] if not m.is_back(c) and m.off_rest_shape(c)[1][-1] > 1)
            ends = {"marker": "X", "color": style.FAILED, "markersize": 8, "linestyle": "none", "clip_on": False}
            axes[0].plot(time[-1:], share[-1:], **ends, zorder=6)
            axes[1].plot(frames[-1:], np.maximum(away[-1:], FLOOR), **ends, zorder=6)
            style.note(
                axes[1],
                look.label if cell.status == "completed" else f"{look.label}: {cell.status}",
                (frames[-1], max(away[-1], FLOOR)),
                (-8, 6 + 10 * earlier if away[-1] > 1 else -12 if away[-1] > 0.1 else 6),
                "r",
                size=7.5,
                color=style.FAILED,
            )
    style.panel(axes[0], "(a) inverted elements", "time [s]", "share of elements with det F ≤ 0 [1]")
    axes[0].set_ylim(bottom=-0.01)
    axes[1].axhline(m.AT_REST, color=style.GREY, ls=":", lw=1)
    style.panel(axes[1], "(b) return to the rest shape", "time [s]", "distance from the rest shape [cells]", "y")
    axes[1].set_ylim(FLOOR / 2, max(8.0, axes[1].get_ylim()[1]))  # room for the labels
    figure.legend_below(4, axes[0])
    lost = []
    for cell in (c for c in cells if not m.is_back(c)):
        lost.append(
            f"{style.method_style(cell.method_name).label} ({m.off_rest_shape(cell)[1][-1]:.2g} cells, "
            f"{m.inverted_share(cell)[-1]:.0%} inverted)"
        )
    first = cells[0]
    return (
        f"A free block of {len(first.scene('tetrahedra'))} tetrahedra starts with every coordinate of its vertices "
        f"displaced at random (standard deviation {first.number('noise_m'):g} m; cells of "
        f"{first.number('side_m') / first.number('cells_across'):g} m), {m.inverted_share(first)[0]:.0%} of its "
        f"elements inverted, and is damped in proportion to mass; one start, Δt = {first.number('time_step_s'):g} s. "
        "(b): root mean square distance of the vertices from the rest shape after rigid alignment; below "
        f"{m.AT_REST:g} cells (dotted) a block is back, and values below {FLOOR:g} are drawn at {FLOOR:g}. Red "
        f"crosses, not back after {float(first.series('step', 'volume').time[-1]):g} s: {', '.join(lost) or 'none'}. "
        "Linear FEM ends at zero linear strain, as in the rest shape rotated by θ and larger by 1/cos θ across the "
        "axis. Explicit and invertible elements, in explicit steps with St. Venant–Kirchhoff's law, come to rest "
        "crushed or inverted, with energy left. The other rows have laws that push inverted elements back, or linear "
        "ones in rotated frames."
    )

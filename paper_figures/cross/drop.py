# SPDX-License-Identifier: BSD-3-Clause
"""A block dropped on a plane: height, energy, rebound and penetration depth, by family."""

import numpy as np

from experiments.cross.measurements import families as m
from paper_figures.figure import Drawing, style, titled

ROWS = ("linear", "warped", "vertex_warped", "nonlinear", "invertible", "xpbd", "meshless")
ROUNDING = 1e-12  # of the side: less is zero


@titled("Drop — a block on a plane")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.DROP.experiment)
    cells = [c for name in ROWS for c in data.some() if c.method_name == name]
    axes = figure.axes(1, 3, 13.0, 4.0)
    table = figure.table(
        "row; energy at the end, change / m g h; largest rise of energy / m g h .3g; rebound / h; deepest vertex / "
        "side .3g; largest |V / V0 − 1| .3g"
    )
    for place, cell in enumerate(cells):
        look = style.method_style(cell.method_name)
        change, time = m.energy_change(cell), cell.series("step", "volume").time
        table.add(
            cell.method_name, change[-1], change.max(), m.rebound(cell), m.deepest(cell), np.abs(m.growth(cell)).max()
        )
        every = max(1, len(time) // 12)
        marks = {**look.line_kwargs(), "markevery": (place * every // len(cells), every)}
        axes[0].plot(time, m.height(cell), **marks)
        if cell.method_name != "linear":
            axes[1].plot(time, change, **marks)
        axes[2].bar(place, m.rebound(cell), 0.6, color=look.colour)
        text = f"{m.deepest(cell):.1e}" if m.deepest(cell) > ROUNDING else "0"
        style.note(axes[2], text, (place, m.rebound(cell)), (0, 2), "c", size=7.5)
    first, fall = cells[0], cells[0].number("height_m")
    gravity = float(np.linalg.norm(first.value("scene.parameters.gravity_m_s2")))
    until = np.sqrt(2 * fall / gravity)
    falling = np.linspace(0, until, 40)
    values = 1 - gravity * falling**2 / 2 / fall
    style.reference(axes[0], falling, values, zorder=5, label="free fall until the first contact (closed form)")
    axes[1].axhline(0, color=style.GREY, ls=":", lw=1)
    style.panel(axes[0], "(a) height", "time [s]", "(centre of mass − that at contact) / h [1]")
    style.panel(axes[1], "(b) energy", "time [s]", "change of energy / m g h [1]")
    axes[2].set(ylabel="rise after the lowest point / h [1]", title="(c) rebound; numbers: depth / side")
    names = [style.method_style(c.method_name).label for c in cells]
    axes[2].set_xticks(range(len(cells)), names, rotation=30, ha="right", rotation_mode="anchor", fontsize=7.5)
    axes[2].margins(y=0.12)
    figure.legend_below(4, axes[0])
    linear = next((c for c in cells if c.method_name == "linear"), None)
    ghost = f" by {-m.energy_change(linear).min():.0f} m g h" if linear is not None else ""
    rises = {style.method_style(c.method_name).label: float(m.energy_change(c).max()) for c in cells}
    made = [f"{label} {rise:.1%}" for label, rise in rises.items() if rise > 1e-9] or ["none"]
    depths = {style.method_style(c.method_name).label: m.deepest(c) for c in cells}
    deep = [f"{label} {depth:.1e} sides" for label, depth in depths.items() if depth > ROUNDING] or ["none"]
    return (
        f"A cube with sides of {first.number('side_m'):g} m, randomly rotated, falls {fall:g} m on a plane with "
        f"friction {first.number('friction'):g} and no restitution; Δt = "
        f"{first.number('time_step_s'):g} s, no damping. It lands on a corner, then rotates and vibrates, without a "
        "closed form. Two things must hold: energy (kinetic, elastic, gravitational) never rises above "
        "that at the start, as nothing supplies any, and no vertex is behind the plane. Energy rises by "
        f"{', '.join(made)} of m g h: vertex-warped elements meet the plane after a step's solve, an error that "
        "shrinks with the step; the others within it. Energy stored by the penalty forces of the meshless solid in "
        "contact is not counted. Vertices behind the plane at the end of a step: "
        f"{', '.join(deep)}. The energy that is lost is mostly the integrator's. Linear FEM is not in (b): it sees "
        f"the block's rotation as strain, and its energy falls{ghost}."
    )

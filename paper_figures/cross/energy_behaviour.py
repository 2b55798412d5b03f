# SPDX-License-Identifier: BSD-3-Clause
"""Energy of an undamped swinging bar against time and by step."""

from experiments.cross.measurements import energy_behaviour as m
from paper_figures.figure import Drawing, ends_of, style, titled

ROWS = {
    "implicit_euler": ("nonlinear", "implicit Euler"),
    "warped": ("warped", "stiffness warping, implicit Euler"),
    "bdf2": ("bdf2", "BDF2"),
    "implicit_midpoint": ("implicit_midpoint", "implicit midpoint"),
    "symplectic_euler": ("explicit", "symplectic Euler, Δt/20"),
    "leap_frog": ("invertible", "leap-frog, Δt/20"),
    "meshless": ("meshless", "meshless nodes, leap-frog, Δt/20"),
}


@titled("Energy — a bar that swings")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    axes = figure.axes(1, 2, 9.8, 4.0)
    table = figure.table("scheme; Δt [s] .6g; largest change of energy / largest elastic energy .3g")
    (finest,) = m.FINEST.one(data)
    for name, (key, label) in ROWS.items():
        look = style.method_style(key, label)
        cells = sorted((c for c in data.cells if c.status == "completed" and m.scheme(c) == name), key=m.time_step)
        for cell in cells:
            table.add(name, m.time_step(cell), m.deviation(cell, finest))
        if not cells:
            continue
        axes[1].plot(
            [m.time_step(c) for c in cells], [max(m.deviation(c, finest), 1e-16) for c in cells], **look.line_kwargs()
        )
        energy = cells[-1].series("step", "total_energy")
        values = energy.values.reshape(-1)
        axes[0].plot(energy.time, (values - values[0]) / m.scale(finest), color=look.colour, ls=look.line, lw=1.2)
    style.panel(axes[0], "(a) longest step", "time [s]", "change of energy / largest elastic energy [1]")
    style.panel(axes[1], "(b) by step", "Δt [s]", "largest change of energy [1]", log="xy")
    figure.legend_below(3, axes[1])
    figure.failed = ends_of(data.unexpected())
    return (
        "A bar is released under its weight and swings without damping, so its energy should not change. Implicit "
        "Euler damps the swing, with nonlinear and warped elements alike; BDF2 damps it less; the midpoint rule and "
        "the explicit schemes (substeps of Δt/20), with elements or with meshless nodes at their vertices, keep it "
        "bounded. Forward Euler, with the same substeps, diverges. "
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Slide 6: strain of a cloth whose springs are limited in sweeps,
and its longest steps relative to those of plain springs."""

from experiments.cs533d_cloth_lecture.measurements import strain_limit, strain_limit_stability
from paper_figures.figure import Drawing, style, titled

LOOKS = {
    "positions": style.method_style("warped", "positions alone"),
    "velocities": style.method_style("linear", "velocities too"),
    "plain": style.method_style("linear_direct", "plain springs"),
}


@titled("Slide 6 — limits of strain")
def make(figure: Drawing) -> str:
    limits, stability = map(figure.experiment, (strain_limit.M.experiment, strain_limit_stability.EXPERIMENT))
    axes = figure.axes(1, 2, 9.8, 4.2)
    table = figure.table("row; N; sweeps; Δt/Δt_c .3g; worst strain / limit")
    for name in ("positions", "velocities"):
        for cell in limits.every(name=name):
            short = strain_limit.is_short(cell)
            look, sweeps, excess = LOOKS[name], strain_limit.sweeps_per_vertex(cell), strain_limit.excess(cell)
            fill = look.colour if short else "none"
            style.marks(axes[0], [sweeps], [excess], look.marker, look.colour, mfc=fill)
            numbers = [int(cell.number("vertices_across")), int(cell.setting("strain_limit_sweeps"))]
            table.add(name, *numbers, strain_limit.ratio(cell), strain_limit.excess(cell))
    axes[0].axhline(1.2, color=style.REFERENCE, ls="--", lw=1)
    style.panel(
        axes[0], "(a) filled: Δt N √(g/L) ≤ 0.071", "sweeps per step / N² [1]", "worst strain / limit [1]", log="xy"
    )
    strains, steps = strain_limit_stability.plain_steps(stability)
    axes[1].plot(steps, strains, **LOOKS["plain"].line_kwargs())
    for name in ("positions", "velocities"):
        cells = [
            c for c in strain_limit_stability.limited(stability) if c.method_name == name and c.status == "completed"
        ]
        look, worst = LOOKS[name], [strain_limit_stability.worst_strain(c) for c in cells]
        step = [c.number("time_step_s") for c in cells]
        style.marks(axes[1], step, worst, look.marker, look.colour, label=look.label)
    style.panel(axes[1], "(b) jerked", "time step [s]", "worst strain [1]", log="xy")
    handles = axes[1].get_legend_handles_labels()[0]
    figure.legend_below(3, handles=handles)
    return (
        "The slide says: a spring beyond a limit of strain is returned to the closest limit, in sweeps, and its "
        "strain rate goes to zero; there is no stability limit for fairly stiff behaviour. Measured here: (a) the "
        "worst strain of a cloth of N × N vertices that swings down from two corners, relative to the limit 0.1, "
        "dashed: 1.2; (b) that of a cloth whose corners are jerked, against the time step, with 10, 30 and 100 "
        "sweeps, beside plain springs of several stiffnesses at 0.9 of their stable step. With limits that "
        "change velocities too and 30 sweeps, or positions alone and 100, a step may be "
        f"{strain_limit_stability.gain_in_regime(stability).value:.1f} times as long, at least. "
    )

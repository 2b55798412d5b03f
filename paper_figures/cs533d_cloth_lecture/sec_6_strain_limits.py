# SPDX-License-Identifier: BSD-3-Clause
"""Slide 6: how far a cloth strains whose springs are limited in sweeps,
and how much longer the steps may be than those of plain springs."""

from __future__ import annotations

from pathlib import Path

from experiments.cs533d_cloth_lecture.measurements import springs, strain_limit, strain_limit_stability
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

LOOKS = {
    "positions": style.method_style("warped", "positions alone"),
    "velocities": style.method_style("linear", "velocities too"),
    "plain": style.method_style("linear_direct", "plain springs"),
}


def make(results: Results, out_dir: Path) -> FigureEntry:
    limits, stability = map(results.experiment, (strain_limit.M.experiment, strain_limit_stability.EXPERIMENT))
    figure, axes = style.new_figure(1, 2, width=9.8, height=4.2)
    table = Table(
        [
            Column("row"),
            Column("N"),
            Column("sweeps"),
            Column("Δt/Δt_c", "1", ".3g"),
            Column("worst strain / limit", "1", ".4g"),
        ]
    )
    for name in ("positions", "velocities"):
        for cell in limits.every(name=name):
            short = strain_limit.is_short(cell)
            axes[0].plot(
                [strain_limit.sweeps_per_vertex(cell)],
                [strain_limit.excess(cell)],
                color=LOOKS[name].colour,
                marker=LOOKS[name].marker,
                markerfacecolor=LOOKS[name].colour if short else "none",
                linestyle="none",
            )
            numbers = [
                int(springs.number(cell, "vertices_across")),
                int(springs.parameter(cell, "strain_limit_sweeps")),
            ]
            table.add(name, *numbers, strain_limit.ratio(cell), strain_limit.excess(cell))
    axes[0].axhline(1.2, color=style.REFERENCE, linestyle="--", linewidth=1)
    axes[0].set(
        xscale="log",
        yscale="log",
        xlabel="sweeps per step / N² [1]",
        ylabel="worst strain / limit [1]",
        title="(a) filled: Δt N √(g/L) ≤ 0.071",
    )
    strains, steps = strain_limit_stability.plain_steps(stability)
    axes[1].plot(steps, strains, **LOOKS["plain"].line_kwargs())
    for name in ("positions", "velocities"):
        cells = [
            c for c in strain_limit_stability.limited(stability) if c.method_name == name and c.status == "completed"
        ]
        axes[1].plot(
            [springs.number(c, "time_step_s") for c in cells],
            [strain_limit_stability.worst_strain(c) for c in cells],
            color=LOOKS[name].colour,
            marker=LOOKS[name].marker,
            linestyle="none",
            label=LOOKS[name].label,
        )
    axes[1].set(xscale="log", yscale="log", xlabel="time step [s]", ylabel="worst strain [1]", title="(b) jerked")
    handles = axes[1].get_legend_handles_labels()[0]
    figure.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=3, fontsize=8)
    stem = out_dir / "sec_6_strain_limits"
    caption = (
        "The slide says: a spring beyond a limit of strain is returned to the closest limit, in sweeps, and its strain rate goes to zero; "
        "there is no stability limit for fairly stiff behaviour. Measured here: (a) the worst strain of a cloth of N × N vertices that "
        "swings down from two corners over the limit of 0.1, dashed: a fifth beyond it; (b) that of a cloth whose corners are jerked, "
        "over the time step, with 10, 30 and 100 sweeps, beside plain springs of several stiffnesses in 0.9 of their longest stable step. With limits that change "
        "velocities too and 30 sweeps, or positions alone and 100, a step may be "
        f"{strain_limit_stability.gain_in_regime(stability).value:.1f} times as long, at least. "
        f"Machine: {machine_line(limits.cells)}."
    )
    return style.finished("Slide 6 — limits of strain", caption, figure, table, stem, limits, stability)

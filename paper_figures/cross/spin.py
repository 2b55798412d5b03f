# SPDX-License-Identifier: BSD-3-Clause
"""A free block that spins: angular momentum, energy and volume by family, against closed forms."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cross.measurements import families as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

ROWS = ("linear", "warped", "vertex_warped", "nonlinear", "invertible", "xpbd", "meshless")
MARKS = 12  # on a line, in turn: lines that coincide are told by them


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.SPIN.experiment)
    steps = sorted({m.scene_number(c, "time_step_s") for c in data.some()})
    figure, axes = style.new_figure(1, 3, width=13.0, height=4.0)
    table = Table(
        [
            Column("row"),
            Column("time step", "s"),
            Column("L / L0 at the end", "1", ".8g"),
            Column("largest |L / L0 − that of a rigid body under implicit Euler|", "1", ".3g"),
            Column("E / E0 at the end", "1", ".8g"),
            Column("V / V0 − 1 at the end", "1", ".4g"),
            Column("centrifugal V / V0 − 1 at the first rate", "1", ".4g"),
        ]
    )
    shown = data.some(keep=lambda c: m.scene_number(c, "time_step_s") == steps[-1])
    omega = m.spin_rate(shown[0])
    for place, name in enumerate(ROWS):
        look = style.method_style(name)
        for cell in sorted(data.select(name=name), key=lambda c: m.scene_number(c, "time_step_s")):
            table.add(
                name,
                m.scene_number(cell, "time_step_s"),
                m.momentum_kept(cell),
                m.off_rigid_spin(cell),
                float(m.energy_ratio(cell)[-1]),
                float(m.growth(cell)[-1]),
                m.centrifugal_growth(cell),
            )
        for cell in (c for c in shown if c.method_name == name):
            time = cell.series("step", "volume").time
            every = max(1, len(time) // MARKS)
            marks = {**look.line_kwargs(), "markevery": (place * every // len(ROWS), every), "markersize": 5.5}
            axes[0].plot(time, m.momentum_ratio(cell), **marks)
            axes[1].plot(time, m.energy_ratio(cell), **marks)
            grown = m.growth(cell)
            axes[2].plot(time[1:], np.where(grown[1:] > 0, grown[1:], np.nan), **marks)
        if name in m.FULLY_IMPLICIT:  # the shorter steps, thin and without marks
            for cell in (c for c in data.select(name=name) if c not in shown):
                time = cell.series("step", "volume").time
                axes[0].plot(time, m.momentum_ratio(cell), color=look.colour, linewidth=0.8)
                axes[1].plot(time, m.energy_ratio(cell), color=look.colour, linewidth=0.8)
    black = {"color": style.REFERENCE, "linestyle": "--", "linewidth": 1.0, "zorder": 5}
    last = float(shown[0].series("step", "volume").time[-1])
    for step in steps:
        count = round(last / step)
        rigid, time = m.implicit_euler_spin(omega, step, count), np.arange(count + 1) * step
        label = "rigid body, implicit Euler (closed form)" if step == steps[-1] else None
        axes[0].plot(time, rigid.momentum, **black, label=label)
        axes[1].plot(time, rigid.energy, **black)
    for axis in axes[:2]:
        axis.axhline(1, color=style.GREY, linestyle=":", linewidth=1)
        axis.ticklabel_format(axis="y", useOffset=False)
    axes[2].plot(time[1:], (omega * time[1:]) ** 2, **black)
    axes[2].axhline(m.centrifugal_growth(shown[0]), color=style.REFERENCE, linestyle=(0, (1, 2)), linewidth=1)
    axes[2].set_yscale("log")
    axes[2].set_ylim(bottom=1e-5)
    axes[0].set(xlabel="time [s]", ylabel="L / L₀ [1]", title="(a) angular momentum")
    axes[1].set(xlabel="time [s]", ylabel="E / E₀ [1]", title="(b) kinetic and elastic energy")
    axes[2].set(xlabel="time [s]", ylabel="V / V₀ − 1 [1]", title="(c) growth")
    figure.legend(
        *axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=4, fontsize=8
    )
    stem = out_dir / "spin"
    implicit = [c for n in m.FULLY_IMPLICIT for c in data.select(name=n)]
    kept = f", {max(m.off_rigid_spin(c) for c in implicit):.1e} off it at most" if implicit else ""
    others = [c for c in data.some() if c.method_name not in m.FULLY_IMPLICIT]
    momentum, energy = (
        max((float(np.abs(of(c) - 1).max()) for c in others), default=0.0) for of in (m.momentum_ratio, m.energy_ratio)
    )
    shorter = f", thin: {', '.join(f'{s:g}' for s in steps[:-1])} s" if steps[:-1] else ""
    caption = (
        f"A free block of {m.scene_number(shown[0], 'side_m'):g} m starts to spin about its axis with ω = {omega:g} rad/s, without gravity "
        f"and damping; Δt = {steps[-1]:g} s{shorter}. Angular momentum and energy should stay as they are, and the block should grow by the "
        "centrifugal (1 − 2ν) ω² Σ m r²/(E V) (dotted in c). Methods whose forces are those at the end of the step (nonlinear FEM by "
        "implicit Euler, XPBD with 30 iterations) lose momentum as a rigid body under implicit Euler does (dashed): "
        f"tan φ′ = sin φ/(2 − cos φ) for the turn φ of a step{kept}. All other rows change momentum by at most {momentum:.1e} and energy by "
        f"at most {energy:.1e}. In linear FEM every vertex moves on a straight line, V/V₀ = 1 + (ωt)² (dashed in c). Warped elements solve "
        "one linear system in a step, and grow by (ωΔt)² beside the centrifugal strain. Explicit elements ring about it, meshless nodes about less, as they are too stiff; values below 0 "
        f"are not in (c). Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Spin — a free block", caption, figure, table, stem, data)

# SPDX-License-Identifier: BSD-3-Clause
"""A free block that spins: angular momentum, energy and volume by family, against closed forms."""

import numpy as np

from experiments.cross.measurements import families as m
from paper_figures.figure import Drawing, style, titled

ROWS = ("linear", "warped", "vertex_warped", "nonlinear", "invertible", "xpbd", "meshless")
MARKS = 12  # per line, staggered to distinguish coincident lines


@titled("Spin — a free block")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.SPIN.experiment)
    steps = sorted({c.number("time_step_s") for c in data.some()})
    axes = figure.axes(1, 3, 13.0, 4.0)
    table = figure.table(
        "row; time step [s]; L / L0 at the end .8g; largest |L / L0 − that of a rigid body under implicit Euler| "
        ".3g; E / E0 at the end .8g; V / V0 − 1 at the end; centrifugal V / V0 − 1 at the first rate"
    )
    shown = data.some(keep=lambda c: c.number("time_step_s") == steps[-1])
    omega = m.spin_rate(shown[0])
    for place, name in enumerate(ROWS):
        look = style.method_style(name)
        for cell in sorted(data.select(name=name), key=lambda c: c.number("time_step_s")):
            numbers = (m.energy_ratio(cell)[-1], m.growth(cell)[-1], m.centrifugal_growth(cell))
            table.add(name, cell.number("time_step_s"), m.momentum_kept(cell), m.off_rigid_spin(cell), *numbers)
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
                axes[0].plot(time, m.momentum_ratio(cell), color=look.colour, lw=0.8)
                axes[1].plot(time, m.energy_ratio(cell), color=look.colour, lw=0.8)
    black = {"color": style.REFERENCE, "linestyle": "--", "linewidth": 1.0, "zorder": 5}
    last = float(shown[0].series("step", "volume").time[-1])
    for step in steps:
        count = round(last / step)
        rigid, time = m.implicit_euler_spin(omega, step, count), np.arange(count + 1) * step
        label = "rigid body, implicit Euler (closed form)" if step == steps[-1] else None
        axes[0].plot(time, rigid.momentum, **black, label=label)
        axes[1].plot(time, rigid.energy, **black)
    for axis in axes[:2]:
        axis.axhline(1, color=style.GREY, ls=":", lw=1)
        axis.ticklabel_format(axis="y", useOffset=False)
    axes[2].plot(time[1:], (omega * time[1:]) ** 2, **black)
    axes[2].axhline(m.centrifugal_growth(shown[0]), color=style.REFERENCE, ls=(0, (1, 2)), lw=1)
    axes[2].set_yscale("log")
    axes[2].set_ylim(bottom=1e-5)
    style.panel(axes[0], "(a) angular momentum", "time [s]", "L / L₀ [1]")
    style.panel(axes[1], "(b) kinetic and elastic energy", "time [s]", "E / E₀ [1]")
    style.panel(axes[2], "(c) growth", "time [s]", "V / V₀ − 1 [1]")
    figure.legend_below(4, axes[0])
    implicit = [c for n in m.FULLY_IMPLICIT for c in data.select(name=n)]
    kept = f", {max(m.off_rigid_spin(c) for c in implicit):.1e} off it at most" if implicit else ""
    others = [c for c in data.some() if c.method_name not in m.FULLY_IMPLICIT]
    momentum, energy = (
        max((float(np.abs(ratio(c) - 1).max()) for c in others), default=0.0)  # largest change
        for ratio in (m.momentum_ratio, m.energy_ratio)
    )
    shorter = f", thin: {', '.join(f'{s:g}' for s in steps[:-1])} s" if steps[:-1] else ""
    return (
        f"A free block of {shown[0].number('side_m'):g} m starts to spin about its axis with ω = {omega:g} rad/s, "
        f"without gravity and damping; Δt = {steps[-1]:g} s{shorter}. Angular momentum and energy should be "
        "conserved, and the block should grow by the centrifugal (1 − 2ν) ω² Σ m r²/(E V) (dotted in c). Methods "
        "whose forces are those at the end of the step (nonlinear FEM by implicit Euler, XPBD with 30 iterations) "
        "lose momentum as a rigid body under implicit Euler does (dashed): tan φ′ = sin φ/(2 − cos φ) for rotation φ "
        f"per step{kept}. All other rows change momentum by at most {momentum:.1e} and energy by at most "
        f"{energy:.1e}. In linear FEM every vertex moves on a straight line, V/V₀ = 1 + (ωt)² (dashed in c). Warped "
        "elements solve one linear system per step, and grow by (ωΔt)² plus the centrifugal strain. Explicit "
        "elements ring about it; meshless nodes, too stiff, about less; values below 0 are not in (c)."
    )

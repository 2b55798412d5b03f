# SPDX-License-Identifier: BSD-3-Clause
"""Numerical damping of implicit Euler: the dilation mode of one tetrahedron against the exact discrete recursion."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cross.measurements import implicit_euler_damping as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

NAMES = {
    "linear": ("linear FEM", "#D55E00", "s"),
    "linear_mass_damped": ("linear, mass damping", "#E69F00", "D"),
    "linear_stiffness_damped": ("linear, stiffness damping", "#009E73", "^"),
    "warped": ("warped FEM", "#0072B2", "o"),
    "xpbd": ("XPBD, neo-Hookean", "#11846a", "v"),
    "vertex_warped": ("vertex-warped FEM", "#CC79A7", "P"),
    "stable_neo_hookean": ("stable neo-Hookean", "#999933", "X"),
    "invertible_implicit": ("invertible FEM", "#661100", "+"),
}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    steps = sorted({float(c.value("scene.parameters.time_step_s")) for c in data.some()})
    figure, axes = style.new_figure(1, len(steps), width=4.1 * len(steps), height=3.7)
    axes = np.atleast_1d(axes)
    table = Table(
        [
            Column("row"),
            Column("time step", "s"),
            Column("step"),
            Column("dilation / start", "1", ".6g"),
            Column("recursion", "1", ".6g"),
        ]
    )
    for axis, dt in zip(axes, steps):
        for name, (label, colour, marker) in NAMES.items():
            for cell in data.select(name=name, where={"scene.parameters.time_step_s": dt}):
                measured = m.amplitude(cell)
                exact = m.recursion(cell, len(measured) - 1)
                shown = np.arange(0, len(measured), max(1, len(measured) // 25))
                axis.plot(
                    shown, measured[shown], color=colour, marker=marker, markersize=3.5, linestyle="none", label=label
                )
                axis.plot(exact, color=colour, linewidth=0.9)
                for k in shown:
                    table.add(name, dt, int(k), float(measured[k]), float(exact[k]))
        axis.set(
            xlabel="step",
            ylabel="dilation / start [1]",
            title=f"Δt = {dt:g} s, ωΔt = {m.dilation_frequency(data.cells[0]) * dt:.3g}",
        )
    axes[-1].legend(loc="best", fontsize=7.5)
    stem = out_dir / "implicit_euler_damping"
    linear, warped = m.linear_recursion_error(data), m.warped_recursion_error(data)
    caption = (
        "Reference: implicit Euler on a damped oscillator, step by step (lines). Measured here: a regular tetrahedron ringing in its dilation mode (markers). The largest deviation from the "
        f"recursion is {linear.value:.1e} for linear and {warped.value:.1e} for warped FEM: what decays is the integrator, not the material. Machine: {machine_line(data.cells)}."
    )
    return style.finished("Numerical damping of implicit Euler", caption, figure, table, stem, data)

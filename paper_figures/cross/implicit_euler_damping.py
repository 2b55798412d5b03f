# SPDX-License-Identifier: BSD-3-Clause
"""Numerical damping of implicit Euler: the dilation mode of one tetrahedron against the exact discrete recursion."""

import numpy as np

from experiments.cross.measurements import implicit_euler_damping as m
from paper_figures.figure import Drawing, style, titled

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


@titled("Numerical damping of implicit Euler")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    steps = sorted({c.number("time_step_s") for c in data.some()})
    axes = figure.axes(1, len(steps), 4.1 * len(steps), 3.7)
    axes = np.atleast_1d(axes)
    table = figure.table("row; time step [s]; step; dilation / start .6g; recursion .6g")
    for axis, dt in zip(axes, steps):
        for name, (label, colour, marker) in NAMES.items():
            for cell in data.select(name=name, where={"scene.parameters.time_step_s": dt}):
                measured = m.amplitude(cell)
                exact = m.recursion(cell, len(measured) - 1)
                shown = np.arange(0, len(measured), max(1, len(measured) // 25))
                style.marks(axis, shown, measured[shown], marker, colour, ms=3.5, label=label)
                axis.plot(exact, color=colour, lw=0.9)
                for k in shown:
                    table.add(name, dt, int(k), measured[k], exact[k])
        turn = m.dilation_frequency(data.cells[0]) * dt
        style.panel(axis, f"Δt = {dt:g} s, ωΔt = {turn:.3g}", "step", "dilation / start [1]")
    axes[-1].legend(loc="best", fontsize=7.5)
    linear, warped = m.linear_recursion_error(data), m.warped_recursion_error(data)
    return (
        "Reference: implicit Euler on a damped oscillator, step by step (lines). Measured here: a regular "
        "tetrahedron ringing in its dilation mode (markers). The largest deviation from the recursion is "
        f"{linear.value:.1e} for linear and {warped.value:.1e} for warped FEM: the decay is the integrator's, not "
        "material."
    )

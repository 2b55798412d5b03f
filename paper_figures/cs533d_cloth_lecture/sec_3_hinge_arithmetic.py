# SPDX-License-Identifier: BSD-3-Clause
"""Slides 3 and 4: rounding of sin(θ/2), and of the angle's gradient in three ways."""

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import angle_slopes as sl, half_angle_sines as si
from paper_figures.figure import Array, Drawing, style, titled

SINES = {
    "printed": ("#D55E00", "s", "√(½ (1 − n1·n2)), double"),
    "printed_float": ("#CC79A7", "D", "the same in float"),
    "robust": ("#0072B2", "o", "½ |n1 − n2|, double"),
    "robust_float": ("#56B4E9", "v", "the same in float"),
}
WAYS = {"modes": ("#0072B2", "o"), "automatic": ("#009E73", "v"), "cosine": ("#D55E00", "s")}
EDGES = 10.0 ** np.arange(-9, 0.6)


def worst(at: Array, error: Array) -> tuple[Array, Array]:
    """Centre of every decade with samples, and the largest error in it."""
    kept = [(np.sqrt(low * high), (at >= low) & (at < high)) for low, high in zip(EDGES[:-1], EDGES[1:])]
    found = [(middle, float(error[which].max())) for middle, which in kept if which.any()]
    return np.array([m for m, _ in found]), np.array([max(e, 1e-18) for _, e in found])


@titled("Slides 3 and 4 — rounding of hinges")
def make(figure: Drawing) -> str:
    sines, slopes = figure.experiment(si.M.experiment), figure.experiment(sl.M.experiment)
    axes = figure.axes(1, 2, 9.8, 4.4)
    table = figure.table("what; decade .3g; largest relative error")
    for name, (colour, marker, label) in SINES.items():
        angle, error = si.errors(sines.one(name=name))
        at, most = worst(angle, error / np.sin(angle / 2))
        axes[0].plot(at, most, color=colour, marker=marker, label=label)
        for a, e in zip(at, most):
            table.add(f"sine, {name}", a, e)
    for name, (colour, marker) in WAYS.items():
        sine, error = sl.errors(slopes.one(name=name, where={"scene.parameters.angles": sl.BENT}))
        at, most = worst(sine, error)
        axes[1].plot(at, most, color=colour, marker=marker, label=name)
        for a, e in zip(at, most):
            table.add(f"slopes, {name}", a, e)
    axes[1].plot(EDGES, 1e-12 + 20 * sl.EPS / EDGES, color="#888888", lw=1, label="1e-12 + 20 ε/|sin θ|")
    axes[0].axhline(1, color="#888888", lw=1)
    style.panel(axes[0], "(a) sines, worst of a decade", "|θ| [rad]", "relative error of sin(θ/2) [1]")
    style.panel(axes[1], "(b) slopes, worst of a decade", "|sin θ| [1]", "error / largest slope [1]")
    for ax in axes:
        ax.set(xscale="log", yscale="log")
        ax.legend(fontsize=8)
    return (
        "The slides say: sin(θ/2) is the root of ½(1 − n1·n2), and ∂θ/∂x comes from differentiating cos θ = n1·n2, "
        "from automatic differentiation or from bending modes. Measured here: (a) against atan2 in extended "
        "precision from the same positions. The printed root is wrong by half or more up to "
        f"{si.lost_below_double(sines).value:.1e} rad in double and {si.lost_below_float(sines).value:.1e} rad in "
        f"float; half of |n1 − n2| is within {si.robust_error(sines).value:.2g} ε of the sine, and lost only below "
        "some ε. (b) Slopes of hinges down to slivers of a thousandth of the edge, against differences with 60 "
        f"digits: the cosine divides its rounding by sin θ. Modes are within {sl.modes_error(slopes).value:.1e}, "
        "flat hinges included. "
    )

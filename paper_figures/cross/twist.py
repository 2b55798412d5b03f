# SPDX-License-Identifier: BSD-3-Clause
"""A square bar turned between ends that slide: torque and change of length by law, mesh and Poisson's ratio."""

from typing import Any

import numpy as np

from experiments.cross.measurements import laws, twist as m
from paper_figures.figure import Drawing, ExperimentData, MissingData, style, titled

ROWS = ("linear", *m.NONLINEAR, "xpbd")
HOLLOW = ("warped", "xpbd")  # their states are (nearly) another row's
RATE = 0.05 * np.pi  # rad per side length, for the curves in (c), as declared


def _limits(data: ExperimentData, name: str) -> dict[float, m.Limits]:
    try:
        return m.limits(data, name)
    except MissingData:
        return {}


def _words(data: ExperimentData) -> str:
    """Length change by law at the largest ν, in the limit of fine meshes."""
    limits = {law: _limits(data, law) for law in (*laws.LAWS, "xpbd")}
    nu = max((ratio for found in limits.values() for ratio in found), default=0.0)
    parts = [
        f"{style.method_style(law).label} {found[nu].shortening:.3f} (own state {found[nu].exact_shortening:.3f})"
        for law, found in limits.items()
        if nu in found
    ]
    return (
        f"At ν = {nu:g} the limit of fine meshes is {', '.join(parts)} of Wagner's; that of XPBD is taken from two, "
        "four and six cells across, the others' from four, six and eight. "
        if parts
        else ""
    )


@titled("Twist — torque and length, by law")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    cells = data.some()
    axes = figure.axes(1, 3, 13.0, 4.0)
    table = figure.table(
        "row; Poisson's ratio; cells across; torque / St. Venant .6g; own torque / St. Venant .6g; change of length "
        "/ Wagner .6g; own change / Wagner .6g"
    )
    largest = max(m.poisson(c) for c in cells)
    for name in ROWS:
        look = style.method_style(name)
        rows = sorted((c for c in cells if c.method_name == name), key=lambda c: (m.poisson(c), m.cells_across(c)))
        for c in rows:
            torque, strain = (None, 0.0) if name == "linear" else (m.exact_torque(c), m.exact_shortening(c))
            table.add(name, m.poisson(c), m.cells_across(c), m.torque(c), torque, m.shortening(c), strain)
        shown = [c for c in rows if m.poisson(c) == largest]
        if not shown:
            continue
        marks: dict[str, Any] = {
            "color": look.colour,
            "marker": look.marker,
            "markersize": 10 if name in HOLLOW else 5,
            "markerfacecolor": "none" if name in HOLLOW else look.colour,
            "linewidth": 1.0,
            "linestyle": ":" if name in HOLLOW else look.line,
        }
        size = [1 / m.cells_across(c) ** 2 for c in shown]
        if name != "linear":
            axes[0].plot(size, [m.torque(c) for c in shown], **marks)
        axes[1].plot(size, [m.shortening(c) for c in shown], **marks, label=look.label)
        own_length = 0.0 if name == "linear" else m.exact_shortening(shown[0])
        axes[1].plot([0], [own_length], marker="_", ms=14, color=look.colour)
        found = _limits(data, name) if name != "linear" else {}
        if found:
            limits = [at.shortening for at in found.values()]
            axes[2].plot(list(found), limits, **{**marks, "linestyle": "none"})
    ratios = np.linspace(0.0, 0.49, 8)
    for law in laws.ALL_LAWS:
        look = style.method_style("xpbd" if law == laws.TWO_CONSTRAINTS else law)
        own = [laws.twisted(law, float(nu), RATE, 7).strain / (-(RATE**2) / 12) for nu in ratios]
        axes[2].plot(ratios, own, color=look.colour, ls=":" if law == laws.TWO_CONSTRAINTS else look.line, lw=1.4)
    axes[0].axhline(1, color=style.REFERENCE, ls="--", lw=1)
    for axis in axes[1:]:
        axis.axhline(1, color=style.REFERENCE, ls="--", lw=1)
        axis.axhline(0, color=style.GREY, ls=":", lw=1)
    for axis in axes[:2]:
        axis.set_xticks([0, 1 / 36, 1 / 16, 1 / 4], ["0", "1/6²", "1/4²", "1/2²"])
        axis.set_xlim(-0.01, 0.26)
    style.panel(axes[0], f"(a) torque, ν = {largest:g}", "(cells across)⁻² [1]", "torque · L / (G J Θ) [1]")
    style.panel(axes[1], f"(b) length, ν = {largest:g}", "(cells across)⁻² [1]", "change of length / Wagner's [1]")
    style.panel(axes[2], "(c) length, fine meshes", "Poisson's ratio [1]", "change of length / Wagner's [1]")
    figure.legend_below(7, axes[1])
    return (
        "A square bar of 5 sides is turned by 45° between ends that slide along it and warp, static; its length is "
        "measured 1.5 sides from the ends. Dashed: St. Venant's torque and Wagner's shortening −(a²/12)(Θ/L)². Bars "
        "at 0 in (b) and curves in (c): the helical state of each law, by trial displacements of the section. XPBD "
        "has two constraints per tetrahedron, and is compared with their energy's state, μ/2 F:F + (λ + μ)/2 "
        "(det F − 1 − μ/(λ + μ))²: the stable neo-Hookean law, with one more term, agrees to first order only, and "
        "the length change is of second order. Wagner's holds only for St. Venant–Kirchhoff at ν = 0: below 1 a bar "
        f"shortens less, below 0 it lengthens. {_words(data)}Linear FEM keeps the "
        "length. Linear tetrahedra are too stiff in torsion on coarse meshes (a)."
    )

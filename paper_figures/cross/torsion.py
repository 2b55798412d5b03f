# SPDX-License-Identifier: BSD-3-Clause
"""A twisted square bar: volume gained by linear stiffness, and torque relative to St. Venant's."""

import numpy as np

from experiments.cross.measurements import beams as m
from paper_figures.figure import Drawing, Trace, style, titled

LINES = {2: ":", 4: "--", 8: "-"}


def _words(cells: list[Trace]) -> str:
    """Linear FEM's largest growth and torque, and its torque at 180° if that was run."""
    grown, strongest = max(cells, key=m.volume_excess), max(cells, key=m.torque_factor)
    half = [abs(m.torque_factor(c)) for c in cells if c.number("angle_deg") == 180]
    return (
        f"Linear FEM grows by up to {100 * m.volume_excess(grown):.0f} % (at {grown.number('angle_deg'):g}°) and "
        f"needs up to {m.torque_factor(strongest):.3g} times St. Venant's torque (at "
        f"{strongest.number('angle_deg'):g}°)"
        + (f", but none at 180° ({max(half):.0e} times)." if half and max(half) < 1e-3 else ".")
    )


@titled("Torsion of a square bar")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.TORSION.experiment, with_large=True)
    for needed in ("linear", "warped"):  # other rows may lack
        data.some(name=needed)
    axes = figure.axes(1, 2, 9.6, 3.9)
    table = figure.table("row; cells across; end rotation [deg]; V/V0 − 1; torque / St. Venant")
    for name in ("linear", "warped", "xpbd", *m.FAMILIES, m.MESHLESS):
        look = style.method_style(name)
        cells = data.select(name=name)
        for across in sorted({int(c.number("cells_across")) for c in cells}):
            chosen = sorted(
                (c for c in cells if c.number("cells_across") == across), key=lambda c: c.number("angle_deg")
            )
            angle = [c.number("angle_deg") for c in chosen]
            excess, torque = [m.volume_excess(c) for c in chosen], [m.torque_factor(c) for c in chosen]
            line = {
                "color": look.colour,
                "marker": look.marker,
                "linestyle": LINES.get(across, "-"),
                "label": f"{look.label}, {across} cells across",
            }
            axes[0].plot(angle, excess, **line)
            axes[1].plot(angle, torque, **line)
            for row in zip(angle, excess, torque):
                table.add(name, across, *row)
    theta = np.linspace(0, 180, 181)
    style.reference(axes[0], theta, np.sin(np.radians(theta)) ** 2 / 3, label="sin²Θ / 3 (long bar)")
    axes[1].axhline(1, color=style.REFERENCE, ls="--", lw=1, label="St. Venant")
    style.panel(axes[0], "(a) volume gained", "end rotation Θ [deg]", "V / V₀ − 1 [1]")
    style.panel(axes[1], "(b) torque", "end rotation Θ [deg]", "torque · L / (G J Θ) [1]")
    axes[0].set_ylim(top=0.4)
    axes[1].set_yscale("symlog", linthresh=1.0)
    axes[1].set_yticks([0, 1, 10, 100, 1000], ["0", "1", "10", "100", "1000"])
    axes[1].set_ylim(-0.15, 1e3)
    lines = {label: line for axis in axes for line, label in zip(*axis.get_legend_handles_labels())}
    figure.legend_below(3, handles=lines.values(), labels=lines.keys())
    nodes = data.select(name=m.MESHLESS, where={"scene.parameters.angle_deg": 1})
    nodes = sorted(nodes, key=lambda c: c.number("cells_across"))
    stiff = ", ".join(f"{m.torque_factor(c):.1f} ({c.number('cells_across'):.0f} across)" for c in nodes)
    meshless = ""
    if nodes:
        meshless = f" Meshless nodes at the vertices need {stiff} times St. Venant's torque, at all angles alike."
    return (
        "References: St. Venant's torsion of a square bar at small angles; for linear stiffness and finitely "
        "rotated ends V/V₀ ≈ 1 + sin²Θ/3 away from the ends. Measured here: both end faces rotated against each "
        f"other, static. {_words(data.some(name='linear'))} Warped FEM: V/V₀ − 1 within "
        f"{max(abs(m.volume_excess(c)) for c in data.some(name='warped')):.1e}.{meshless} The axis of (b) is linear "
        "below 1."
    )

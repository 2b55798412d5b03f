# SPDX-License-Identifier: BSD-3-Clause
"""A cantilever under a small tip load: mesh convergence to Timoshenko's beam, and locking towards ν = ½."""

import numpy as np

from experiments.cross.measurements import beams as m
from paper_figures.figure import Drawing, Trace, style, titled

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
SPLITS = {"alternating_five": ("five per cube", "o", "-"), "kuhn_six": ("six per cube", "s", "--")}


def _locking(cells: list[Trace]) -> str:
    """Tip factors at the smallest and largest ν on the finest mesh that both have."""
    ratios = sorted({c.number("poisson_ratio") for c in cells})
    if len(ratios) < 2:
        return ""
    parts = []
    for split, (name, _, _) in SPLITS.items():
        tips = {
            (c.number("poisson_ratio"), c.number("cells_across")): m.tip_factor(c)
            for c in cells
            if c.value("scene.parameters.split") == split
        }
        shared = [n for r, n in tips if r == ratios[0] and (ratios[-1], n) in tips]
        if shared:
            n = max(shared)
            parts.append(
                f"{name}, {n:.0f} across: {tips[ratios[0], n]:.2f} at ν = {ratios[0]:g}, {tips[ratios[-1], n]:.2f} "
                f"at ν = {ratios[-1]:g}"
            )
    return f" Towards ν = ½ linear tetrahedra lock ({'; '.join(parts)})." if parts else ""


@titled("Cantilever — mesh convergence and locking")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.CANTILEVER.experiment)
    cells = data.some(name="linear")
    axes = figure.axes(1, 2, 9.6, 3.9)
    table = figure.table("row; split; Poisson's ratio; cells across; tip / Timoshenko .6g")
    ratios = sorted({c.number("poisson_ratio") for c in cells})
    for colour, poisson in zip(COLOURS, ratios):
        for split, (name, marker, line) in SPLITS.items():
            chosen = sorted(
                (
                    c
                    for c in cells
                    if c.number("poisson_ratio") == poisson and c.value("scene.parameters.split") == split
                ),
                key=lambda c: c.number("cells_across"),
            )
            if not chosen:
                continue
            x, y = np.array([c.number("cells_across") for c in chosen]), np.array([m.tip_factor(c) for c in chosen])
            look = {"color": colour, "marker": marker, "linestyle": line, "label": f"ν = {poisson:g}, {name}"}
            axes[0].plot(x, y, **look)
            axes[1].plot(x, np.abs(1 - y), **look)
    rings = {"xpbd": (10, "XPBD, neo-Hookean"), "bullet": (15, "Bullet, neo-Hookean")}
    rings.update({name: (11 + 2 * n, "") for n, name in enumerate(m.FAMILIES)})
    rings[m.MESHLESS] = (7, "")
    for key, (size, label) in rings.items():
        look_of_method = style.method_style(key, label or None)
        for n, c in enumerate(data.select(name=key)):
            across, tip = c.number("cells_across"), m.tip_factor(c)
            ring = {
                "color": look_of_method.colour,
                "marker": look_of_method.marker,
                "markersize": size,
                "markerfacecolor": "none",
                "linestyle": "none",
            }
            axes[0].plot([across], [tip], **ring, label=look_of_method.label if n == 0 else None)
            axes[1].plot([across], [abs(1 - tip)], **ring)
    for name in ("linear", "warped", *rings):
        for c in data.select(name=name):
            numbers = (c.number("poisson_ratio"), c.number("cells_across"), m.tip_factor(c))
            table.add(name, str(c.value("scene.parameters.split")), *numbers)
    slope = np.array([1.0, 8.0])
    style.reference(axes[1], slope, 0.5 * slope**-2.0, ":")
    style.note(axes[1], "order 2", (2.83, 0.5 / 8), (-6, -6), "rt", size=8)
    axes[0].axhline(1, color=style.REFERENCE, ls="--", lw=1)
    style.panel(
        axes[0], "(a) too stiff on coarse meshes", "cells across the section", "tip deflection / Timoshenko [1]", "x"
    )
    axes[0].set(ylim=(0, 1.05))
    style.panel(axes[1], "(b) error", "cells across the section", "|1 − tip deflection / Timoshenko| [1]", log="xy")
    for axis in axes:
        axis.set_xticks([1, 2, 4, 8], ["1", "2", "4", "8"])
        axis.minorticks_off()
    figure.legend_below(3, axes[0])
    positions = m.differences["xpbd"](data).value if data.select(name="xpbd") else None
    projected = f" XPBD, neo-Hookean, at rest, differs by at most {positions:.1e}." if positions is not None else ""
    if data.select(name="bullet"):
        projected += f" Bullet's neo-Hookean body differs by at most {m.differences['bullet'](data).value:.1e}."
    others = [n for n in m.FAMILIES if data.select(name=n)]
    if others:
        largest = max(m.differences[n](data).value for n in others)
        projected += f" Vertex-warped, stable neo-Hookean and invertible elements differ by at most {largest:.1e}."
    if data.select(name=m.MESHLESS):
        volume = m.least_volume_factor(data)
        tips = [m.tip_factor(c) for c in data.some(name=m.MESHLESS)]
        projected += (
            f"Meshless nodes at the same vertices bend {min(tips):.2f} to {max(tips):.2f} as far as the beam, for "
            f"all ν: the volumes of boundary nodes are too large, and the sum is at least {volume.value:.1f} times "
            "the bar's volume."
        )
    order, difference = m.convergence_order(data), m.differences["warped"](data).value
    return (
        "Reference: Timoshenko's beam. Measured here: a bar ten times as long as wide, clamped at one end, with a "
        f"small dead load at the other, static. The error falls with order {order.value:.2f} ({order.note}; "
        f"ν = 0.33, five per cube).{_locking(cells)} Warped FEM differs by at most {difference:.1e} at this load "
        f"(see table).{projected} "
    )

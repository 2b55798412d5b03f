# SPDX-License-Identifier: BSD-3-Clause
"""Option 4: share of tangled starts that return to rest, against the noise amplitude, by law."""

import numpy as np

from experiments.cs6967_assignment_2.measurements import inversion_recovery as m
from paper_figures.figure import Drawing, style, titled

LAWS = {
    "standard": style.MethodStyle("standard St. Venant–Kirchhoff", "#D55E00", "s"),
    "standard_corotational": style.MethodStyle("standard co-rotational", "#E69F00", "v", "--"),
    "invertible": style.MethodStyle("St. Venant–Kirchhoff, continued", "#0072B2", "o"),
    "invertible_corotational": style.MethodStyle("co-rotational, continued", "#009E73", "^", "--"),
    "invertible_neo_hookean": style.MethodStyle("neo-Hookean, continued", "#CC79A7", "D", ":"),
}
OTHERS = {
    (2.0, 2.0, 2.0): "doubled",
    (1.0, 1.0, 0.0): "flat",
    (1.0, 0.0, 0.0): "on a line",
    (0.0, 0.0, 0.0): "on a point",
    (-1.0, 1.0, 1.0): "mirrored",
}


@titled("Option 4 — who comes back")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    axes = figure.axes(1, 2, 10.5, 4.2)
    table = figure.table("row; start; noise [cells] .3g; seeds; back")
    starts: list[str] = []
    drawn = []
    for place, (name, look) in enumerate(LAWS.items()):
        cells = data.select(name=name, status=None)
        drawn += cells
        noises, shares = [], []
        for cell in sorted(cells, key=m.noise):
            back = m.recovered(cell)
            start = "tangled" if m.is_unscaled(cell) else other(cell.value("scene.parameters.initial_scale"))
            table.add(name, start, m.noise(cell), len(back), sum(back))
            if start == "tangled":
                noises.append(m.noise(cell))
                shares.append(float(np.mean(back)))
                continue
            if start not in starts:
                starts.append(start)
            at = starts.index(start) + 0.16 * (place - 2)
            axes[1].bar(at, np.mean(back), 0.14, color=look.colour)
            axes[1].plot(at, np.mean(back), marker=look.marker, color=look.colour)
        axes[0].plot(noises, shares, **look.line_kwargs())
    style.panel(
        axes[0], "", "noise of a coordinate [cells]", "share of seeds that come back", log="x", ylim=(-0.05, 1.05)
    )
    axes[0].set_title("tangled")
    axes[0].legend(loc="upper left", bbox_to_anchor=(-0.1, -0.2), ncol=2)
    axes[1].set_xticks(range(len(starts)), starts)
    axes[1].set(ylim=(-0.05, 1.05), title="other starts")
    axes[1].set_visible(bool(starts))
    return (
        "The text says: invertible elements are somewhat more robust than standard ones. Measured here: the share "
        f"of random starts from which a free block is back at rest after {m.PERIODS} periods of its lowest mode, "
        "without an inverted element and with every edge within 1 per cent of its length, with equal explicit steps "
        "and equal damping. A mirrored block has rest lengths and no force, but is not back."
    )


def other(scale: list[float]) -> str:
    """Name of a scaled start."""
    return OTHERS.get((float(scale[0]), float(scale[1]), float(scale[2])), "scaled")

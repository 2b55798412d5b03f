# SPDX-License-Identifier: BSD-3-Clause
"""Section 2.3, "quality": the tip of a slender cantilever under a dead load against the elastica."""

import numpy as np

from experiments.cross.measurements.elastica import elastica
from experiments.mueller_gross_2004.measurements import large_deflection as m
from paper_figures.figure import Drawing, ExperimentData, style, titled

NAMES = {"linear": "linear", "warped_global": "warped_global", "warped": "warped", "nonlinear": "nonlinear"}
LINES = {2: ":", 4: "-", 6: "--"}
FACES = {
    2: "#ffffff",
    6: "#ffe680",
}  # marker faces by cells across; others have the method's colour


def _heights(data: ExperimentData) -> list[float]:
    """Heights of the crosses of failed cells in (b): stacked above all errors."""
    return [3.0 * 1.9**k for k in range(len(data.failed()))]


@titled("Section 2.3 — large deflection")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    axes = figure.axes(1, 2, 9.8, 4.2)
    table = figure.table(
        "row; cells across; PL²/EI; tip drop / length; tip reach / length; mesh factor; elastica drop at the mesh's "
        "stiffness; elastica reach at the mesh's stiffness; tip error / length .3g"
    )
    loads = np.linspace(0.02, 9, 120)
    style.reference(axes[0], loads, [elastica(a)[0] for a in loads], label="elastica")
    meshes: set[int] = set()
    for name, key in NAMES.items():
        look = style.method_style(key)
        tips = m.tips(data, name) if any(c.method_name == name for c in data.cells) else []
        for cells in sorted({t.cells for t in tips}):
            chosen = [t for t in tips if t.cells == cells]
            line = {
                "color": look.colour,
                "marker": look.marker,
                "linestyle": LINES.get(cells, "-"),
                "markerfacecolor": FACES.get(cells, look.colour),
                "markersize": 6,
            }
            meshes.add(cells)
            axes[0].plot([t.load * t.mesh_factor for t in chosen], [t.drop for t in chosen], **line)
            axes[1].plot([t.load for t in chosen], [max(t.error, 1e-6) for t in chosen], **line)
        for t in tips:
            table.add(name, t.cells, t.load, t.drop, t.reach, t.mesh_factor, t.expected[0], t.expected[1], t.error)
    style.panel(axes[0], "(a) deflection", "P L² / E I × softness of the mesh [1]", "drop of the tip / length [1]")
    axes[0].set(ylim=(0, 1.6))
    style.panel(axes[1], "(b) error", "P L² / E I [1]", "distance from the elastica's tip / length [1]", log="y")
    axes[1].axvline(m.JUDGED_LOAD, color=style.GREY, lw=0.8, ls=":")
    figure.failed = style.draw_failed(
        axes[1], data.failed(), [m.load_parameter(c) for c in data.failed()], _heights(data)
    )
    handles = [*axes[0].get_legend_handles_labels()[0]]
    handles += [
        style.key(look.label, look.colour, marker=look.marker) for look in map(style.method_style, NAMES.values())
    ]
    handles += [
        style.key(f"{n} cells across", style.INK, marker="o", ls=LINES.get(n, "-"), mfc=FACES.get(n, style.INK))
        for n in sorted(meshes)
    ]
    figure.legend_below(4, handles=handles)
    return (
        "The paper says: one rotation for the whole body already helps, a rotation for each element approximates "
        "large deflections better. Measured here: a cantilever with length to side 20 under a dead tip load, "
        "static, against the elastica, with nonlinear elements (St. Venant–Kirchhoff) on the same meshes beside it. "
        "Linear tetrahedra are too stiff in bending; the elastica is taken at the load times the mesh's own "
        "softness (its linear deflection / beam theory's), so that (b) compares the handling of rotations. The "
        "order is judged right of the dotted line, from four cells "
        f"across{'; a cross marks a load at which a run did not come to rest' if figure.failed else ''}. "
    )

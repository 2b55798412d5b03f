# SPDX-License-Identifier: BSD-3-Clause
"""A cantilever under a dead tip load: its tip at rest, by law and mesh,
against the elastica and Reissner's beam."""

from typing import Any

import numpy as np

from experiments.cross.measurements import elastica as m
from paper_figures.figure import Drawing, ExperimentData, MissingData, Trace, style, titled

FACES = {
    2: "#ffffff",
    4: "#c8c8c8",
    6: "#ffe680",
}  # marker faces by cells across; limits have the row's colour


def _fine(cells: list[Trace]) -> m.Bent | None:
    try:
        return m.fine(cells)
    except MissingData:
        return None


def _words(data: ExperimentData) -> str:
    """Distances of the tips from both beams; "" if a limit is missing."""
    try:
        thin, thick = m.largest_tip_error(data), m.largest_beam_error(data)
        coarse, stiff = m.coarse_error(data), m.largest_stiffness_error(data)
    except MissingData:
        return ""
    return (
        f"In the limit of fine meshes all rows are within {thin.value:.3f} of the elastica's tip ({thin.note}) and "
        f"within {thick.value:.3f} of Reissner's ({thick.note}), and their bending stiffness within "
        f"{stiff.value:.1%} of EI; on the coarsest mesh they are at least {coarse.value:.2f} away, for every law. "
    )


@titled("Elastica — large deflection, by law")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment, with_large=True)
    axes = figure.axes(1, 2, 10.4, 4.4)
    table = figure.table(
        "row; PL²/EI; cells across; tip drop / length; tip reach / length; distance from the elastica / length .3g; "
        "distance from Reissner's beam / length .3g"
    )
    curve = np.array([m.elastica(float(a)) for a in np.linspace(0.02, 9, 120)])
    style.reference(axes[0], curve[:, 1], -curve[:, 0])
    own: dict[float, float] = {}
    meshes: set[int] = set()
    for name in ("linear", *m.NONLINEAR):
        look = style.method_style(name)
        big = {"markersize": 9 if name == "warped" else 5}
        limits = []
        for load, cells in m.by_load(data, name).items():
            for c in cells:
                drop, reach = m.tip(c)
                away = np.hypot(*np.subtract((drop, reach), m.stored(c)))
                table.add(name, load, m.cells_across(c), drop, reach, float(away), None)
                meshes.add(m.cells_across(c))
                marks: dict[str, Any] = {"color": look.colour, "marker": look.marker, "linestyle": "none", **big}
                marks["markerfacecolor"] = FACES.get(m.cells_across(c), "#ffffff")
                axes[0].plot([reach], [-drop], **marks)
                axes[1].plot([load], [away], **marks)
            bent = _fine(cells) if name != "linear" else None
            if bent is not None:
                limits.append((load, bent))
                table.add(name, load, None, bent.drop, bent.reach, bent.error, bent.beam_error)
                own[load] = float(np.hypot(*np.subtract(bent.beam, bent.elastica)))
        if limits:
            marks = {"color": look.colour, "marker": look.marker, **big}
            marks["markerfacecolor"] = "none" if name == "warped" else look.colour
            axes[0].plot([b.reach for _, b in limits], [-b.drop for _, b in limits], **marks, ls="none")
            axes[1].plot([a for a, _ in limits], [b.error for _, b in limits], **marks, ls=look.line)
    if own:
        style.reference(axes[1], list(own), list(own.values()), ":", 1.4)
    style.panel(axes[0], "(a) tip at rest", "reach of the tip / length [1]", "−drop of the tip / length [1]")
    axes[0].set(xlim=(0.4, 1.05), ylim=(-1.4, 0.0))
    style.panel(axes[1], "(b) error", "P L² / E I [1]", "distance from the elastica's tip / length [1]", log="xy")
    loads = sorted({load for name in m.NONLINEAR for load in m.by_load(data, name)})
    style.ticks(axes[1].xaxis, loads)
    handles = [
        style.key("elastica", style.REFERENCE, ls="--"),
        style.key("Reissner's beam from the elastica", style.REFERENCE, ls=":"),
    ]
    for name in ("linear", *m.NONLINEAR):
        look = style.method_style(name)
        face = "none" if name == "warped" else look.colour
        handles.append(style.key(look.label, look.colour, marker=look.marker, mfc=face, ls="none"))
    for n in sorted(meshes):
        face = FACES.get(n, "#ffffff")
        handles.append(style.key(f"{n} cells across", style.INK, marker="o", mfc=face, ls="none"))
    handles.append(style.key("limit of fine meshes", style.INK, marker="o", ls="none"))
    figure.legend_below(4, handles=handles)
    return (
        "A cantilever ten times as long as wide under a dead tip load, static, against the elastica. Its tip is "
        "extrapolated to fine meshes (in n⁻²) by its bending stiffness: the load over that at which the elastica has "
        "this drop, or reach. A bar of this thickness also stretches and shears, as does Reissner's beam (dotted in "
        f"(b): its own distance). {_words(data)}Linear FEM follows PL³/3EI off the axes."
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Section 5.2: surfaces torn in many ways stay closed: open edges,
area vector and volume at the events of every run."""

import numpy as np

from experiments.mueller_gross_2004.measurements import watertight_fuzz as m
from paper_figures.figure import Drawing, style, titled

SKINS = {"sphere": ("sphere", "#0072B2", "o"), "torus": ("torus", "#D55E00", "s")}
PANELS = {
    "skin_boundary_edges": ("(a) edges without their opposite", "unmatched edges [1]"),
    "skin_area_vector": ("(b) area vector", "|Σ A n| / Σ A [1]"),
    "skin_volume_error": ("(c) volume of the pieces at rest", "|Σ V / V₀ − 1| [1]"),
}
BOUNDS = {"skin_area_vector": 1e-12, "skin_volume_error": 1e-10}  # of the claims
FLOOR = 1e-18


@titled("Section 5.2 — torn surfaces stay closed")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    cells = data.some()
    axes = figure.axes(1, 3, 12.6, 3.9)
    table = figure.table(
        "surface; seed; splits; pieces of the mesh; pieces of the surface; triangles at the end; largest number of "
        "open edges; largest area vector .3g; largest volume error .3g"
    )
    rows = 0
    for cell in cells:
        skin = str(cell.value("scene.parameters.skin"))
        _, colour, marker = SKINS[skin]
        splits = cell.values("step", "split_count")
        changed = np.append(True, np.diff(splits) > 0)  # the start, and each step with events
        rows += int(changed.sum()) - 1
        values = {n: np.abs(np.asarray(cell.values("step", n), dtype=float)) for n in PANELS}
        for axis, name in zip(axes, PANELS):
            shown = values[name][changed]
            if name != "skin_boundary_edges":
                shown = np.maximum(shown, FLOOR)
            style.marks(axis, splits[changed], shown, marker, colour, ms=2.5, alpha=0.35, rasterized=True)
        last = {n: cell.values("step", n)[-1] for n in ("component_count", "skin_piece_count", "skin_triangle_count")}
        counts = (int(last[n]) for n in ("component_count", "skin_piece_count", "skin_triangle_count"))
        edges, area, volume = (values[f"skin_{n}"].max() for n in ("boundary_edges", "area_vector", "volume_error"))
        table.add(skin, int(cell.number("seed")), int(splits[-1]), *counts, int(edges), area, volume)
    for axis, (name, (title, label)) in zip(axes, PANELS.items()):
        style.panel(axis, title, "vertex splits so far [1]", label)
        if name == "skin_boundary_edges":
            axis.set_ylim(-0.5, max(3.0, 1.2 * axis.dataLim.y1))
            continue
        axis.set(yscale="log", ylim=(FLOOR / 2, 30 * BOUNDS[name]))
        axis.axhline(BOUNDS[name], color=style.REFERENCE, ls="--", lw=1)
        text = "bound of the claim"
        style.note(axis, text, (0.99, BOUNDS[name]), (0, 3), "r", xycoords=axis.get_yaxis_transform(), size=7.5)
        ticks = [10.0**k for k in range(-16, int(np.log10(BOUNDS[name])) + 2, 2)]
        axis.set_yticks([FLOOR, *ticks], ["0", *(style.power(t) for t in ticks)])
    for label, colour, marker in SKINS.values():
        style.marks(axes[0], [], [], marker, colour, label=label)
    axes[0].legend(loc="upper right", fontsize=8)
    edges, area, volume = m.all_open_edges(data).value, m.all_area_vector(data).value, m.all_volume_error(data).value
    return (
        "The paper says: a closed surface mesh inside the tetrahedral mesh breaks with it and stays watertight. "
        f"Measured here: {len(cells)} runs, spheres and tori in blocks that are torn in a different way by every "
        f"seed, {m.splits(data).value:.0f} vertex splits in {rows:,} steps with events, "
        f"{m.crack_triangles(data).value:,.0f} new triangles; every point is the surface after such a step. Open "
        f"edges: {edges:.0f} at most; area vector at most {area:.1e}; the rest volumes of the pieces sum to the "
        f"initial volume within {volume:.1e} of it. Edges are counted by the indices of their vertices, so "
        "that coincident crack faces do not close each other by accident."
    )

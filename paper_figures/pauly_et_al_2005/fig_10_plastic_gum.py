# SPDX-License-Identifier: BSD-3-Clause
"""Figure 10: gum that is pulled far beyond its shape and then splits: surfels that the nodes carry,
and the nodes beside them."""

from typing import Any

import numpy as np
from matplotlib.collections import PolyCollection

from experiments.pauly_et_al_2005.measurements import plastic_gum as m
from experiments.pauly_et_al_2005.measurements.broken_solids import pieces, states
from experiments.pauly_et_al_2005.measurements.clouds import seeds
from paper_figures.figure import Array, Drawing, Trace, titled

LIGHT = np.array([-0.35, -0.8, 0.5]) / np.linalg.norm([-0.35, -0.8, 0.5])
MOST_STRETCH = 3.0
CORNERS = 8  # of a splat as it is drawn


def draw_surfels(axis: Any, arrays: dict[str, Array], skin: int) -> None:
    """The splats that face the viewer at −y, the nearest last; the faces of cracks in another colour."""
    x, axes, sheets = (
        arrays["surfel_positions"],
        arrays["surfel_axes"].reshape(-1, 2, 3),
        arrays["surfel_sheets"].ravel(),
    )
    normals = np.cross(axes[:, 0], axes[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1)[:, None], 1e-300)
    seen = np.flatnonzero(normals[:, 1] < 0.05)
    order = seen[np.argsort(-x[seen, 1])]
    shade = 0.35 + 0.65 * np.clip(normals[order] @ LIGHT, 0, 1)
    base = np.where((sheets[order] < skin)[:, None], [0.93, 0.45, 0.60], [0.45, 0.15, 0.25])
    angles = np.arange(CORNERS) * 2 * np.pi / CORNERS
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    splats = x[order, None, :] + np.einsum("ca,nax->ncx", around, axes[order])
    look = {"facecolors": shade[:, None] * base, "edgecolors": "none", "rasterized": True}
    axis.add_collection(PolyCollection(list(splats[:, :, [0, 2]]), **look))


@titled("Figure 10 — gum")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    trace = data.every(name="plastic")[0]
    found = states(trace, seeds(trace)[0])
    first = found[0][2]
    cracked = next((k for k, (_, _, a) in enumerate(found) if len(a["crack_triangles"])), len(found) - 1)
    shown = (0, cracked // 2, max(cracked - 1, 0), len(found) - 1)
    titles = ("start", "flowing", "before the first crack", "end")
    axes = figure.axes(len(shown), 2, 11.0, 8.4)
    table = figure.table(
        "state; time [s] .3g; median stretch .3g; stretch that would stay .3g; det F .3g; pieces; surfels"
    )
    last = found[-1][2]["positions"]
    reach = (float(last[:, 0].min()) - 0.2, float(last[:, 0].max()) + 0.2)
    image = None
    for row, (k, title) in enumerate(zip(shown, titles)):
        _, time, arrays = found[k]
        flow = m.flow_of(trace, first, arrays)
        draw_surfels(axes[row, 0], arrays, int(first["surfel_counts"].ravel()[0]))
        x = arrays["positions"][: len(first["positions"])]
        order = np.argsort(-x[:, 1])
        c = flow.residual_stretches[order]
        s = max(2.0, min(16.0, 2e4 / len(x)))
        image = axes[row, 1].scatter(
            x[order, 0], x[order, 2], c=c, s=s, vmin=1.0, vmax=MOST_STRETCH, cmap="viridis", linewidths=0
        )
        for axis in axes[row]:
            axis.set(aspect="equal", xlim=reach, ylim=(-0.62, 0.62), title=f"{title}, {time:.3g} s")
            axis.set(xlabel="x (m)" if row == len(shown) - 1 else "")
        axes[row, 0].set_ylabel("z (m)")
        numbers = (np.median(flow.volumes), len(pieces(arrays)), len(arrays["surfel_positions"]))
        table.add(title, time, np.median(flow.stretches), np.median(flow.residual_stretches), *numbers)
    figure.page.colorbar(image, ax=axes, shrink=0.5, label="residual stretch (V_e⁻¹ F, largest of every node)")
    seconds = seconds_a_frame(trace)
    return (
        "The paper shows bubble gum that is deformed beyond recognition before it splits (2.2k to 3.3k nodes, 134k "
        "to 144k surfels, 2.4 s a frame). Drawn from a computed run of a block whose ends are pulled apart and "
        "whose shape repeatedly becomes its reference, from the side: the surfels (left; faces of cracks dark) "
        f"and the nodes (right). There are {len(first['positions'])} nodes at the start and "
        f"{len(found[-1][2]['positions'])} at the end, {len(first['surfel_positions'])} and "
        f"{len(found[-1][2]['surfel_positions'])} surfels{seconds}. Before the first crack the median node is "
        f"stretched {m.stretch(data):.2f} times, {m.residual(data):.2f} times after unloading; node volumes are "
        f"{m.volume(data):.2f} of the initial ones. At the end the gum is in "
        f"{m.piece_count(data):.0f} piece(s). Yield, cap, thresholds and loading of the paper are not "
        "published. "
    )


def seconds_a_frame(trace: Trace) -> str:
    """Computing time of 1/25 s as text; "" if untimed."""
    timing = trace.timing
    if timing is None:
        return ""
    steps = 1 / 25 / trace.number("time_step_s")
    return f", and a frame of 1/25 s takes {steps * float(np.nanmean(timing.step_seconds)):.2g} s"

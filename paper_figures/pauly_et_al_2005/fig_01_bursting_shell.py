# SPDX-License-Identifier: BSD-3-Clause
"""Figure 1: a stiff hollow ball that bursts."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from deformbench_analysis.errors import MissingData
from experiments.pauly_et_al_2005.measurements import bursting_shell as m
from experiments.pauly_et_al_2005.measurements.broken_solids import pieces, states
from experiments.pauly_et_al_2005.measurements.clouds import seeds
from experiments.pauly_et_al_2005.measurements.crack_fronts import swept
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line
from paper_figures.solid_cracks import draw_area, frame_view


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    trace = next((c for c in data.every() if m.bursts(c)), None)
    if trace is None:
        raise MissingData(f"{m.M.experiment}: no run that bursts")
    found = states(trace, seeds(trace)[0])
    reach = 1.05 * float(trace.value("scene.parameters.radius_m"))
    table = Table([Column("time", "s", ".4g"), Column("cracks"), Column("pieces"), Column("nodes of the largest")])
    plt.rcParams.update(style.PARAMETERS)
    figure = plt.figure(figsize=(10.8, 4.4))
    for column, k in enumerate((len(found) // 2, len(found) - 1)):
        _, time, arrays = found[k]
        body = figure.add_subplot(1, 3, 1 + column, projection="3d")
        cracks = arrays["crack_triangles"][:, 3]
        draw_area(body, swept(arrays), plt.colormaps["tab20"](cracks % 20))
        frame_view(body, np.full(3, -reach), np.full(3, reach), 18, -50)
        body.set_title(f"({'ab'[column]}) swept by cracks, {1e3 * time:.3g} ms")
    _, time, arrays = found[-1]
    body = figure.add_subplot(1, 3, 3, projection="3d")
    x, parts = arrays["positions"], pieces(arrays)
    colours = np.full((len(x), 4), 0.6)
    for number, part in enumerate(parts):
        colours[part] = plt.colormaps["tab20"](number % 20)
    body.scatter(*x.T, c=colours, s=7, depthshade=True)
    spread = 1.02 * float(np.abs(np.percentile(x, [1, 99])).max())
    frame_view(body, np.full(3, -spread), np.full(3, spread), 18, -50)
    body.set_title(f"(c) nodes at {1e3 * time:.3g} ms: {len(parts)} pieces")
    for _, at, state in found:
        some = pieces(state)
        table.add(at, len(state["crack_starts"]), len(some), len(some[0]) if some else 0)
    stem = out_dir / "fig_01_bursting_shell"
    caption = (
        "The paper shows a hollow sculpture of stone that forces on its inside burst. Drawn from a computed run of a hollow ball of "
        f"{float(m.nodes(data).value):.0f} nodes that starts with a velocity away from its centre: the area that cracks have swept, in material "
        "coordinates, halfway and at the end, each crack in a colour; and the nodes where they are at the end, each piece in a colour (grey: fewer than four nodes). "
        f"Before the first crack no principal strain is above {100 * float(m.strain_at_first_crack(data).value):.2g} %; "
        f"{100 * float(m.outward(data).value):.0f} % of the pieces move away from the centre. Model, forces and material of the paper are not published. "
        f"Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Figure 1 — a stiff shell bursts", caption, figure, table, stem, data)

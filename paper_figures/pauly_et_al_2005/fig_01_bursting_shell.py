# SPDX-License-Identifier: BSD-3-Clause
"""Figure 1: a stiff hollow ball that bursts."""

import matplotlib.pyplot as plt
import numpy as np

from experiments.pauly_et_al_2005.measurements import bursting_shell as m
from experiments.pauly_et_al_2005.measurements.broken_solids import pieces, states
from experiments.pauly_et_al_2005.measurements.clouds import seeds
from experiments.pauly_et_al_2005.measurements.crack_fronts import swept
from paper_figures.figure import Drawing, MissingData, style, titled
from paper_figures.solid_cracks import draw_area, frame_view


@titled("Figure 1 — a stiff shell bursts")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    trace = next((c for c in data.every() if m.bursts(c)), None)
    if trace is None:
        raise MissingData(f"{m.M.experiment}: no run that bursts")
    found = states(trace, seeds(trace)[0])
    reach = 1.05 * trace.number("radius_m")
    table = figure.table("time [s]; cracks; pieces; nodes of the largest")
    plt.rcParams.update(style.PARAMETERS)
    figure.page = plt.figure(figsize=(10.8, 4.4))
    for column, k in enumerate((len(found) // 2, len(found) - 1)):
        _, time, arrays = found[k]
        body = figure.page.add_subplot(1, 3, 1 + column, projection="3d")
        cracks = arrays["crack_triangles"][:, 3]
        draw_area(body, swept(arrays), plt.colormaps["tab20"](cracks % 20))
        frame_view(body, np.full(3, -reach), np.full(3, reach), 18, -50)
        body.set_title(f"({'ab'[column]}) swept by cracks, {1e3 * time:.3g} ms")
    _, time, arrays = found[-1]
    body = figure.page.add_subplot(1, 3, 3, projection="3d")
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
    return (
        "The paper shows a hollow sculpture of stone that forces on its inside burst. Drawn from a computed run of "
        f"a hollow ball of {m.nodes(data):.0f} nodes that starts with a velocity away from its centre: "
        "the area that cracks have swept, in material coordinates, halfway and at the end, each crack in a colour; "
        "and the nodes where they are at the end, each piece in a colour (grey: fewer than four nodes). Before the "
        f"first crack no principal strain is above {100 * m.strain_at_first_crack(data).value:.2g} %; "
        f"{100 * m.outward(data).value:.0f} % of the pieces move away from the centre. Model, forces and "
        "material of the paper are not published. "
    )

# SPDX-License-Identifier: BSD-3-Clause
"""A sudden end load on a bar: the stress on the wall over time, and how implicit Euler smears the front."""

import numpy as np

from experiments.cross.measurements import beams as m
from paper_figures.figure import Drawing, ExperimentData, style, titled

COLOURS = ("#0072B2", "#009E73", "#D55E00", "#CC79A7")
ROWS_KEPT = 200


def _nodes(data: ExperimentData) -> str:
    """Sentence on the meshless row."""
    if not data.select(name=m.MESHLESS):
        return ""
    peak = m.meshless_peak(data)
    return (
        "Meshless nodes take explicit steps, which damp nothing: they ring about the plateau, up to "
        f"{peak.value:.2f}, and carry waves faster. "
    )


@titled("Step load — a stress wave in a bar")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.WAVE.experiment)
    cells = sorted(data.some(name="linear"), key=lambda c: c.number("time_step_s"))
    axis = figure.axes(width=7.6, height=4.0)
    table = figure.table("time step [s]; time [s] .6g; wall stress / traction .6g")
    for colour, cell in zip(COLOURS, cells):
        time, stress = m.wall_stress(cell)
        dt = cell.number("time_step_s")
        axis.plot(time, stress, color=colour, lw=1.3, label=f"linear FEM, Δt = {dt:g} s, peak {stress.max():.2f}")
        for k in np.unique(np.linspace(0, len(time) - 1, min(ROWS_KEPT, len(time))).astype(int)):
            table.add(dt, time[k], stress[k])
    looks = {c.number("time_step_s"): colour for colour, c in zip(COLOURS, cells)}
    lines = (":", (0, (1, 5)), (0, (5, 5)), (0, (5, 2, 1, 2)), (0, (3, 1)))
    for name, line in zip(("xpbd", *m.FAMILIES, m.MESHLESS), lines, strict=True):
        for cell in sorted(data.select(name=name), key=lambda c: c.number("time_step_s")):
            time, stress = m.wall_stress(cell)
            dt = cell.number("time_step_s")
            label = f"{style.method_style(name).label}, Δt = {dt:g} s, peak {stress.max():.2f}"
            colour = style.method_style(name).colour if name == m.MESHLESS else looks.get(dt, "#11846a")
            axis.plot(time, stress, color=colour, lw=2.4, ls=line, label=label)
    crossing = cells[0].number("length_m") / np.sqrt(
        cells[0].number("young_modulus_pa") / cells[0].number("density_kg_m3")
    )
    end = float(m.wall_stress(cells[0])[0][-1])
    edges = [0.0, *[t for t in (crossing, 3 * crossing, 5 * crossing) if t < end], end]
    levels = [2.0 * (k % 2) for k in range(len(edges) - 1)]
    axis.step(edges, [*levels, levels[-1]], where="post", color=style.REFERENCE, ls="--", lw=1, label="continuum")
    style.panel(axis, "wall stress after a step load", "time [s]", "axial stress on the wall / traction [1]")
    axis.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=8, handlelength=3)
    peak, arrival = m.finest_peak(data), m.arrival_error(data)
    return (
        "Reference: the wave equation; the stress at the wall is zero until L/c and then twice the applied stress "
        "until 3L/c. Measured here: a bar of ν = 0 held at one end and loaded at once at the other. At the smallest "
        f"time step the peak is {peak.value:.2f} and the front arrives within {1e3 * arrival.value:.1f} ms "
        f"({arrival.note}); larger steps damp it away. {_nodes(data)}"
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Sections 3.1, 3.2: whether a cloth a nanometre from rest stays there, by the order of the sweep,
the stiffness of bends and the iterations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from deformbench_analysis.errors import MissingData
from experiments.mueller_et_al_2007.measurements import rest_stability as m
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.trace import Trace
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

ORDERS = {
    "forward": ("forward", "#7f3c8d"),
    "coloured": ("by colours", "#11846a"),
    "random": ("another every sweep", "#b98a1d"),
    "symmetric": ("forward then backward", "#0072B2"),
}
SPREAD = {"forward": -0.27, "coloured": -0.09, "random": 0.09, "symmetric": 0.27}


def case(cell: Trace) -> tuple[float, int]:
    """(k_bend, iterations)"""
    return float(cell.value("method.parameters.bend_stiffness")), int(cell.value("method.parameters.iterations"))


def _over_time(axes: Axes, cells: list[Trace], shown: tuple[float, int]) -> None:
    for cell in (c for c in cells if case(c) == shown and c.method_name in ORDERS):
        name, colour = ORDERS[cell.method_name]
        values = m.deviation(cell)
        axes.plot(
            np.arange(len(values)),
            np.where(np.isfinite(values), np.maximum(values, 1e-12), np.nan),
            color=colour,
            label=name,
        )
    axes.axhline(m.UNSTABLE, color=style.REFERENCE, linewidth=1.0, linestyle=(0, (4, 3)), label="start")
    axes.set(
        yscale="log",
        xlabel="step",
        ylabel="largest distance from rest / start [1]",
        title=f"(a) k_bend = {shown[0]:g}, nₛ = {shown[1]}",
    )
    axes.legend(fontsize=7.5)


def _eigenvalues(data: ExperimentData) -> str:
    """One sentence on the growth of the linearised sweep, or nothing where the traces have no triangles."""
    try:
        factor, error = m.growth_factor_of(data, "forward"), m.growth_error(data)
    except MissingData:
        return ""
    return f"The eigenvalues of the linearised sweep, computed apart, give growth factors of up to {factor.value:.5g} per step ({factor.note}); the fastest mode of every unstable run grows by these to within {error.value:.1g}. "


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.EXPERIMENT)
    cells = [
        c
        for c in data.select(status=None)
        if c.has("step", "max_displacement") and len(c.values("step", "step")) > 1 and c.method_name in ORDERS
    ]
    if not cells:
        raise MissingData(f"{m.EXPERIMENT} at tier {data.tier}: no cell with max_displacement among {len(data.cells)}")
    cases = sorted({case(c) for c in cells})
    table = Table(
        [
            Column("order"),
            Column("k_bend"),
            Column("iterations"),
            Column("largest of the last 100 steps / start", "1", ".4g"),
            Column("largest of the run / start", "1", ".4g"),
            Column("unstable"),
            Column("status"),
        ]
    )
    figure, axes = style.new_figure(1, 2, width=11.0, height=max(4.0, 1.2 + 0.26 * len(cases)))
    unstable: dict[str, list[int]] = {}
    for cell in cells:
        name, colour = ORDERS[cell.method_name]
        values = m.deviation(cell)
        last = float(np.nanmax(values[-100:])) if np.isfinite(values[-100:]).any() else np.inf
        bad = cell.status != "completed" or last > m.UNSTABLE
        count = unstable.setdefault(name, [0, 0])
        count[0] += bad
        count[1] += 1
        place = cases.index(case(cell)) + SPREAD[cell.method_name]
        axes[1].plot(
            [min(max(last, 1e-12), 1e12)],
            [place],
            "X" if bad else "o",
            color=style.FAILED if bad else colour,
            markerfacecolor=style.FAILED if bad else colour,
            markeredgecolor=colour,
            markersize=6,
        )
        table.add(name, *case(cell), last, float(np.nanmax(values)), bad, cell.status)
    worst = max(
        cells,
        key=lambda c: (
            sum(1 for o in cells if case(o) == case(c) and o.method_name != c.method_name),
            float(np.nanmax(m.deviation(c)[-100:])),
        ),
    )
    _over_time(axes[0], cells, case(worst))
    axes[1].axvline(m.UNSTABLE, color=style.REFERENCE, linewidth=1.0, linestyle=(0, (4, 3)))
    axes[1].set(
        xscale="log",
        xlabel="largest distance from rest of the last 100 steps / start [1]",
        ylim=(len(cases) - 0.5, -0.5),
        title="(b) all cases",
    )
    axes[1].set_yticks(range(len(cases)), [f"k_bend = {k:g}, nₛ = {n}" for k, n in cases], fontsize=8)
    for name, colour in ORDERS.values():
        axes[1].plot([], [], "o", color=colour, label=name)
    axes[1].plot([], [], "X", color=style.FAILED, label="unstable")
    axes[1].legend(fontsize=7.5, loc="center left", bbox_to_anchor=(1.0, 0.5))
    stem = out_dir / "sec_3_2_rest_stability"
    vertices = int((cells[0].scene_shape("rest_positions") or (0,))[0])
    caption = (
        "The paper says: the scheme is unconditionally stable, and the order of the constraints should be kept constant. "
        f"Measured here: a flat cloth of {vertices} vertices without gravity that starts a nanometre from rest. A step is x ← S(2x − x_before) with the sweep S, and a sweep in one order may not be a symmetric map: in the order of the list, for stiff bends, "
        f"the cloth drifts away from rest by itself. Farther from rest at the end than at the start: {'; '.join(f'{bad} of {count} ({name})' for name, (bad, count) in unstable.items())}; forward, a vertex gets up to "
        f"{m.largest_departure(data).value:.2g} m away by itself. {_eigenvalues(data)}Machine: {machine_line(cells)}."
    )
    return style.finished("Sections 3.1, 3.2 — stability of rest", caption, figure, table, stem, data)

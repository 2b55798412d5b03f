# SPDX-License-Identifier: BSD-3-Clause
"""Chains at rest, with multipliers kept over the iterations of a step or reset in each."""

import numpy as np

from experiments.macklin_et_al_2016.measurements import stiffness as m
from paper_figures.figure import Axes, Drawing, ExperimentData, Table, style, titled

ROWS = {"kept": ("kept", "#0072B2", "o", 7), "reset": ("set to zero", "#D55E00", "s", 4)}


def _closed_form(axes: Axes, data: ExperimentData) -> None:
    """gΔt² sⁿ/(1 − sⁿ) of one link at the declared time steps, relative to Hooke's."""
    cells = {m.time_step(c): c for c in data.some(name="reset", where={"scene.parameters.links": 1})}
    counts = np.unique(np.logspace(0, 2, 60).astype(int))
    for cell in cells.values():
        style.reference(axes, counts, [m.reset_elongation(cell, int(n)) / m.hooke_elongation(cell) for n in counts])


def _chains(axes: Axes, data: ExperimentData, links: int, table: Table) -> None:
    for name, (label, colour, marker, size) in ROWS.items():
        for cell in data.some(name=name, where={"scene.parameters.links": links}):
            n, found = m.iterations(cell), m.elongation(cell) / m.hooke_elongation(cell)
            style.marks(axes, n, found, marker, colour, ms=size)
            table.add(label, links, m.time_step(cell), n, found)
        axes.plot([], [], marker, color=colour, ms=size, label=f"multipliers {label}")
    style.panel(
        axes,
        "one link" if links == 1 else f"{links} links",
        "iterations per step",
        "elongation / Hooke's [1]",
        log="xy",
    )


@titled("Multipliers kept and set to zero")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.RESET.experiment)
    lengths = sorted({m.links(c) for c in data.cells})
    table = figure.table("multipliers; links; time step s .6g; iterations; elongation over Hooke's .9g")
    for axes, links in zip(np.ravel(figure.axes(1, len(lengths), 4.4 * len(lengths), 4.0)), lengths):
        _chains(axes, data, links, table)
        if links == 1:
            _closed_form(axes, data)
        axes.legend()
    return (
        "Chains of compliant constraints at rest under their weight, at each declared time step: with multipliers "
        "kept over the iterations they reach Hooke's elongation; with multipliers set to zero in each iteration they "
        "stiffen without bound. Dashed: the derived elongation of one link, gΔt²sⁿ/(1 − sⁿ) with "
        "s = α̃/(1/m + α̃)."
    )

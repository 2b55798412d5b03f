# SPDX-License-Identifier: BSD-3-Clause
"""Distance constraints against mechanics: the period of a pendulum, and a chain that hangs between two points."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from scipy.optimize import brentq

from deformbench_analysis.errors import MissingData
from experiments.mueller_et_al_2007.measurements import pendulum_and_chain as m
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

COLOURS = ("#7f3c8d", "#0072B2", "#11846a", "#b98a1d")
MARKERS = ("o", "s", "^", "D")


def _period(axes: Axes, data: ExperimentData, table: Table) -> None:
    for k, (amplitude, cells) in enumerate(sorted(m.by_amplitude(data).items())):
        steps = [m.scene(c, "time_step_s") for c in cells]
        values = [abs(m.period_error(c)) for c in cells]
        axes.plot(
            steps,
            values,
            marker=MARKERS[k % 4],
            color=COLOURS[k % 4],
            markerfacecolor="none",
            label=f"amplitude {amplitude:g}°",
        )
        for cell, step in zip(cells, steps):
            table.add("pendulum: T / exact − 1", amplitude, None, step, m.period_error(cell), None)
        if k == 0:
            axes.plot(
                steps,
                [values[-1] * s / steps[-1] for s in steps],
                color=style.REFERENCE,
                linewidth=1.0,
                linestyle=(0, (4, 3)),
                label="order 1",
            )
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="time step Δt [s]",
        ylabel="|T / T exact − 1| [1]",
        title="(a) period of a pendulum",
    )
    axes.legend()


def _energy(axes: Axes, data: ExperimentData) -> None:
    """Energy over time at the middle time step, one line per amplitude."""
    for k, (amplitude, cells) in enumerate(sorted(m.by_amplitude(data).items())):
        cell = cells[len(cells) // 2]
        steps = np.concatenate([[0.0], np.cumsum(m.energy_steps(cell))])
        axes.plot(
            cell.series("step", "kinetic_energy").time,
            steps,
            color=COLOURS[k % 4],
            label=f"amplitude {amplitude:g}°, Δt = {m.scene(cell, 'time_step_s'):g} s",
        )
    axes.axhline(0, color=style.REFERENCE, linewidth=1.0, linestyle=(0, (4, 3)), label="exact")
    axes.set(xlabel="time [s]", ylabel="(E − E₀) / mgl [1]", title="(b) its energy")
    axes.legend(fontsize=7.5)


def _sag(axes: Axes, data: ExperimentData, table: Table) -> None:
    chains = sorted({int(c.value("scene.parameters.links")) for c in data.select()})
    for k, links in enumerate(chains):
        cells = sorted(
            data.select(where={"scene.parameters.links": links}),
            key=lambda c: int(c.value("method.parameters.iterations")),
        )
        counts = [int(c.value("method.parameters.iterations")) for c in cells]
        length, span = m.scene(cells[0], "length_m"), m.scene(cells[0], "span_m")
        axes.plot(
            counts,
            [abs(m.sag_error(c)) for c in cells],
            marker=MARKERS[k % 4],
            color=COLOURS[k % 4],
            markerfacecolor="none",
            label=f"{links} links",
        )
        for cell, count in zip(cells, counts):
            table.add(
                "chain: sag [m]",
                links,
                count,
                m.scene(cell, "time_step_s"),
                m.sag(cell),
                m.linked_sag(length, span, links),
            )
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="iterations",
        ylabel="|sag − that of straight links| [m]",
        title="(c) sag of a hanging chain",
    )
    axes.legend(fontsize=7.5)


def _shape(axes: Axes, data: ExperimentData) -> None:
    """The chain with the most links, at rest, for every number of iterations, and the catenary."""
    links = max(int(c.value("scene.parameters.links")) for c in data.select())
    cells = sorted(
        data.select(where={"scene.parameters.links": links}), key=lambda c: int(c.value("method.parameters.iterations"))
    )
    for k, cell in enumerate(cells):
        points = cell.values("frame", "positions")[-1]
        axes.plot(
            points[:, 0] - points[:, 0].mean(),
            points[:, 1],
            marker=".",
            markersize=3,
            linewidth=1.0,
            color=COLOURS[k % 4],
            label=f"{int(cell.value('method.parameters.iterations'))} iterations",
        )
    length, span = m.scene(cells[-1], "length_m"), m.scene(cells[-1], "span_m")
    x = np.linspace(-span / 2, span / 2, 200)
    u = brentq(lambda v: np.sinh(v) / v - length / span, 1e-6, 50, xtol=1e-14)
    a = span / (2 * u)
    axes.plot(
        x,
        a * (np.cosh(x / a) - np.cosh(span / (2 * a))),
        color=style.REFERENCE,
        linewidth=1.2,
        linestyle=(0, (4, 3)),
        label="catenary",
    )
    axes.set(xlabel="x [m]", ylabel="y [m]", title=f"(d) its shape, {links} links")
    axes.legend(fontsize=7.5, loc="lower right")


def make(results: Results, out_dir: Path) -> FigureEntry:
    pendulum, chain = results.experiment(m.PENDULUM.experiment), results.experiment(m.CATENARY.experiment)
    if not pendulum.select() and not chain.select():
        raise MissingData(
            f"{m.PENDULUM.experiment}, {m.CATENARY.experiment} at tier {results.tier}: no cell that completed"
        )
    figure, grid = style.new_figure(2, 2, width=10.4, height=7.6)
    axes = grid.ravel()
    table = Table(
        [
            Column("what"),
            Column("amplitude [deg] or links"),
            Column("iterations"),
            Column("time step", "s"),
            Column("measured", "", ".7g"),
            Column("closed form", "", ".7g"),
        ]
    )
    told = []
    if pendulum.select(name="pbd"):
        _period(axes[0], pendulum, table)
        _energy(axes[1], pendulum)
        told.append(
            f"the period of a pendulum is off by at most {100 * m.largest_period_error(pendulum).value:.2g} % at the smallest time step, from amplitudes of 10° to 120°"
        )
    if chain.select():
        _sag(axes[2], chain, table)
        _shape(axes[3], chain)
        told.append(
            f"a chain 1.5 times as long as its span sags by {1e3 * m.few_iterations_sag_error(chain).value:.3g} mm too much with the fewest iterations and differs by {1e3 * m.converged_sag_error(chain).value:.2g} mm "
            "from straight links with the most"
        )
    for axis, have in zip(
        axes, (pendulum.select(name="pbd"), pendulum.select(name="pbd"), chain.select(), chain.select())
    ):
        if not have:
            axis.text(0.5, 0.5, "no trace", transform=axis.transAxes, ha="center", color=style.FAILED)
    stem = out_dir / "sec_3_1_mechanics"
    caption = (
        "The paper says: stiffness rises with the number of iterations, and a constrained system can be made arbitrarily stiff; explicit integration gains energy and this scheme does not. Measured here, with k = 1: "
        f"{'; '.join(told)}. The scheme is of first order and loses energy in steps. Machine: {machine_line([*pendulum.cells, *chain.cells])}."
    )
    return style.finished("Section 3.1 — pendulum and chain", caption, figure, table, stem, pendulum, chain)

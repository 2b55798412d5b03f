# SPDX-License-Identifier: BSD-3-Clause
"""Both sides at equal sweeps: N iterations of one step, and N small steps of one iteration. Chains at rest,
a falling chain, one mode, a cloth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from deformbench_analysis.errors import MissingData
from experiments.macklin_et_al_2019.measurements import equal_sweeps as m
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.trace import Trace
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

SIDES = {m.MANY: "iterations", m.SMALL: "substeps"}
FILLS = ("full", "none", "left", "right")
LINES = ("-", "--", ":", "-.")


def look_of(trace: Trace, count: str = "N") -> style.MethodStyle:
    """Style of one side, with a label like "xpbd, N substeps (Macklin et al. 2019)"."""
    return style.method_style(trace, f"xpbd, {count} {SIDES[trace.method_name]}")


def _curves(
    axes: Axes,
    groups: dict[str, list[Trace]],
    size: Callable[[Trace], float],
    table: Table,
    what: str,
) -> None:
    """A curve over N per side and group; sides by colour, groups by line and fill."""
    for k, (group, cells) in enumerate(groups.items()):
        for name in SIDES:
            row = sorted((c for c in cells if c.method_name == name), key=m.sweeps)
            if not row:
                continue
            look, values = look_of(row[0]), [size(c) for c in row]
            drawn = {"color": look.colour, "marker": look.marker, "fillstyle": FILLS[k % 4], "linestyle": LINES[k % 4]}
            axes.plot([m.sweeps(c) for c in row], values, label=look.label if k == 0 else None, **drawn)
            for cell, value in zip(row, values):
                table.add(what, look.label, group, m.sweeps(cell), value)
    axes.set(xscale="log", yscale="log", xlabel="N, sweeps over the constraints in a time step")
    for k, group in enumerate(groups):
        axes.plot([], [], color=style.GREY, linestyle=LINES[k % 4], label=group)
    axes.legend(fontsize=7, loc="best")


def _hanging(axes: Axes, data: ExperimentData, table: Table) -> None:
    compliances = sorted({m.scene(c, "compliance_m_per_n") for c in data.select()})
    chains: dict[str, list[Trace]] = {}
    for cell in data.select(where={"scene.parameters.listed": "in_turn"}):
        compliance = m.scene(cell, "compliance_m_per_n")
        if compliance == compliances[0] or data.tier == "smoke":
            chains.setdefault(f"{m.links(cell)} links", []).append(cell)
    _curves(axes, dict(sorted(chains.items(), key=lambda e: m.links(e[1][0]))), m.rest_error, table, "(a) rest")
    axes.set(ylabel="excess of length / length [1]", title="(a) chain at rest")


def _falling(way: Axes, energy: Axes, data: ExperimentData, table: Table) -> None:
    converged = {m.chain(c): m.Falling([c]) for c in data.every(name=m.CONVERGED)}
    chains: dict[str, list[Trace]] = {}
    for pair in m.pairs(data):
        compliance = m.scene(pair[0], "compliance_m_per_n")
        chains.setdefault("rigid" if compliance == 0 else f"α = {compliance:g} m/N", []).extend(pair)
    _curves(way, chains, lambda c: converged[m.chain(c)].way_error(c), table, "(b) positions")
    way.set(ylabel="rms error of positions / length [1]", title="(b) falling chain: its way")
    _curves(energy, chains, m.energy_error, table, "(c) energy")
    energy.set(ylabel="largest change of energy / (weight · length) [1]", title="(c) falling chain: its energy")


def _shapes(axes: Axes, data: ExperimentData) -> None:
    """The rigid chain at three instants, both sides with as many sweeps, and the converged run."""
    rigid = [p for p in m.pairs(data) if m.scene(p[0], "compliance_m_per_n") == 0]
    middle = min(rigid, key=lambda p: abs(m.sweeps(p[0]) - 4))
    exact = [c for c in data.every(name=m.CONVERGED) if m.scene(c, "compliance_m_per_n") == 0][0]
    count = len(exact.values("frame", "positions"))
    for k, row in enumerate((count // 3, 2 * count // 3, count - 1)):
        for cell in middle:
            look, points = look_of(cell, str(m.sweeps(cell))), cell.values("frame", "positions")[row]
            axes.plot(
                points[:, 0],
                points[:, 1],
                color=look.colour,
                marker=look.marker,
                markersize=2.5,
                linewidth=1.1,
                label=look.label if k == 0 else None,
            )
        points = exact.values("frame", "positions")[row]
        axes.plot(
            points[:, 0],
            points[:, 1],
            color=style.REFERENCE,
            linewidth=1.0,
            linestyle=(0, (4, 3)),
            label="converged" if k == 0 else None,
        )
        time = exact.series("frame", "positions").time[row]
        axes.annotate(f"{time:.2f} s", points[-1, :2], xytext=(4, 4), textcoords="offset points", fontsize=7)
    axes.set(
        aspect="equal", xlabel="along gravity [m]", ylabel="along the chain at the start [m]", title="(d) rigid chain"
    )
    axes.legend(fontsize=6.5, loc="center left", bbox_to_anchor=(1.0, 0.5))


def _mode(axes: Axes, data: ExperimentData, table: Table) -> None:
    number = np.logspace(-1.1, 2.2, 200)
    counts = sorted({m.sweeps(small) for _, small in m.pairs(data)})
    colours = ("#0072B2", "#11846a", "#b98a1d", "#D55E00")
    for k, n in enumerate(counts):
        found = sorted(
            (m.stiffness_number(s), m.damping_rate(s) / m.damping_rate(b)) for b, s in m.pairs(data) if m.sweeps(s) == n
        )
        axes.plot(*zip(*found), color=colours[k % 4], marker="osD^"[k % 4], linestyle="none", label=f"{n} small steps")
        axes.plot(number, [m.mode_rate(s, n) / m.mode_rate(s, 1) for s in number], color=colours[k % 4], linewidth=0.9)
        for s, ratio in found:
            table.add("(e) damping, small steps / iterations", f"ωΔt = {s:.3g}", "", n, ratio)
    axes.axhline(1, color=style.REFERENCE, linewidth=1.0, linestyle=(0, (4, 3)))
    axes.axvline(m.MODE_LIMIT, color=style.GREY, linewidth=0.8, linestyle=":")
    axes.set(xscale="log", yscale="log", title="(e) one mode; lines: implicit Euler")
    axes.set(xlabel="ωΔt [1]", ylabel="damping of small steps / of as many iterations [1]")
    axes.legend(fontsize=7.5)


def _cloth(axes: Axes, data: ExperimentData, table: Table) -> None:
    """Stretch of a hanging cloth; the time of its steps goes into the table."""
    cloths: dict[str, list[Trace]] = {}
    for pair in m.pairs(data):
        across = int(m.scene(pair[0], "vertices_across"))
        cloths.setdefault(f"{across} × {across} vertices", []).extend(pair)
    _curves(axes, cloths, m.cloth_strain, table, "(f) stretch")
    axes.set(ylabel="rms of length / rest length − 1 [1]", title="(f) cloth: its stretch")
    if all(c.timing for pair in m.pairs(data) for c in pair):
        for pair in m.pairs(data):
            for cell in pair:
                across = int(m.scene(cell, "vertices_across"))
                table.add(
                    "ms per step", look_of(cell).label, f"{across} × {across} vertices", m.sweeps(cell), m.step_ms(cell)
                )


def make(results: Results, out_dir: Path) -> FigureEntry:
    hanging, falling, mode = (
        results.experiment(e) for e in (m.HANGING.experiment, m.FALLING.experiment, m.OSCILLATOR.experiment)
    )
    if not hanging.select() or not falling.select() or not mode.select():
        raise MissingData(
            f"tier {results.tier}: {m.HANGING.experiment}, {m.FALLING.experiment} or {m.OSCILLATOR.experiment} has no cell that completed"
        )
    figure, grid = style.new_figure(2, 3, width=15.0, height=8.2)
    axes = grid.ravel()
    table = Table([Column("panel"), Column("whose"), Column("chain"), Column("N"), Column("size", "1", ".4g")])
    _hanging(axes[0], hanging, table)
    _falling(axes[1], axes[2], falling, table)
    _shapes(axes[3], falling)
    _mode(axes[4], mode, table)
    _cloth(axes[5], results.experiment(m.CLOTH.experiment), table)
    stem = out_dir / "sec_equal_sweeps"
    rest, soft = m.hanging_ratio(hanging), m.damping_ratio_of_soft_modes(mode)
    caption = (
        "The paper says: n small steps of one iteration leave less constraint error and damp less than one step of n iterations. "
        "Both sides are XPBD with sweeps in the same order, time step 1/60 s (e: 0.01 s); N sweeps in a time step either way. "
        "Measured: small steps err less by an order of N until the sweeps converge, at about the square of the number of links; then "
        f"iterations err less, up to {rest.value:.3g} times (the worst pair of all, drawn or not). The motion of the falling chain is nearer to "
        f"the converged one with small steps in all pairs (at most {m.way_ratio(falling).value:.2g} of the other's error). A mode is damped less "
        f"where ωΔt < 2√2 (at most {soft.value:.2g} of the other's rate), and more where it is much stiffer: up to "
        f"{m.damping_ratio(mode).value:.2g} times. Each side is named by who recommends it. Machine: {machine_line(hanging.cells[:1])}."
    )
    return style.finished(
        "Many iterations or many small steps, at equal sweeps", caption, figure, table, stem, hanging, falling, mode
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Section 3: a strain that is held relaxes, step by step as the recursion says;
what the time step does to the rate; the cap."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from experiments.mueller_gross_2004.measurements import creep_relaxation as m
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.trace import Trace
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

RULES = {
    "printed": ("cΔt (as printed)", "#D55E00", "s"),
    "exponential": ("1 − exp(−cΔt)", "#0072B2", "o"),
    "radial_return": ("radial return", "#009E73", "^"),
}
CREEP = 10.0  # 1/s, of the curves in time: neither at once nor too slow to see
RATE_COLOURS = {1.0: "#56B4E9", 10.0: "#0072B2", 100.0: "#D55E00"}


def _uncapped(data: ExperimentData, name: str) -> list[Trace]:
    return data.select(name=name, where={"scene.parameters.strain_kind": "uniaxial"}, keep=lambda c: not m.is_capped(c))


def _times(cell: Trace) -> Array:
    return np.asarray(cell.series("frame", "element_plastic_strains").time)


def _in_time(axes: Axes, data: ExperimentData, step: float) -> None:
    """All rules at one time step, with the recursion of each and the exponential."""
    shown = 0.4
    for name, (label, colour, marker) in RULES.items():
        for cell in _uncapped(data, name):
            if m.parameter(cell, "plastic_creep_per_s") != CREEP or abs(m.time_step(cell) - step) > 1e-12:
                continue
            time, elastic = _times(cell), m.elastic_norm(cell) / m.held(cell)
            keep = time <= shown + 1e-9
            axes.plot(
                time[keep],
                elastic[keep],
                linestyle="none",
                marker=marker,
                color=colour,
                markersize=4,
                markevery=max(1, round(0.01 / step)),
                label=label,
            )
            if name != "radial_return":
                share = m.printed_share(cell) if name == "printed" else -np.expm1(-m.printed_share(cell))
                axes.plot(
                    time[keep],
                    m.stepped(cell, share)[keep] / m.held(cell),
                    color=colour,
                    linewidth=0.9,
                    drawstyle="steps-post",
                )
            yield_share = m.parameter(cell, "plastic_yield") / m.held(cell)
            axes.axhline(yield_share, color=style.GREY, linewidth=0.8, linestyle=":")
    fine = np.linspace(0, shown, 200)
    axes.plot(fine, np.exp(-CREEP * fine), color=style.REFERENCE, linewidth=1, linestyle="--", label="exp(−ct)")
    axes.annotate(
        "yield",
        (shown, yield_share),
        xytext=(0, 2),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=7.5,
        color=style.GREY,
    )
    axes.set(
        xlabel="time [s]",
        ylabel="elastic strain / held strain [1]",
        title=f"(a) c = {CREEP:g}/s, Δt = {step:g} s",
        ylim=(0, 1.05),
    )
    axes.legend(loc="upper right", fontsize=8)


def _rates(axes: Axes, data: ExperimentData, table: Table) -> list[str]:
    """Rate of decay in the first step over c, against cΔt.
    Printed steps that absorb all or more than all have no rate: crosses at the top."""
    without: list[float] = []
    for name, (label, colour, marker) in RULES.items():
        points = []
        for cell in _uncapped(data, name):
            elastic = m.elastic_norm(cell)
            share = m.printed_share(cell)
            has_rate = name != "printed" or share < 1 - 1e-9
            rate = float(-np.log(elastic[1] / elastic[0]) / share) if has_rate else float("nan")
            table.add(
                name,
                m.parameter(cell, "plastic_creep_per_s"),
                m.time_step(cell),
                share,
                float(elastic[1] / elastic[0]),
                rate,
                float(elastic[-1] / m.held(cell)),
            )
            if has_rate:
                points.append((share, rate))
            else:
                without.append(share)
        if name == "radial_return" or not points:
            continue  # it is at the yield after the first step, whatever c is
        axes.plot(
            *np.array(sorted(points)).T,
            linestyle="none",
            marker=marker,
            color=colour,
            label=label,
            markersize=7 if name == "printed" else 4,
            markerfacecolor="none" if name == "printed" else colour,
        )
    for share in sorted(set(without)):
        axes.plot(
            [share],
            [0.96],
            marker="X",
            color=RULES["printed"][1],
            markersize=6,
            transform=axes.get_xaxis_transform(),
            clip_on=False,
        )
    fine = np.append(np.geomspace(1e-3, 0.9, 200), 1 - np.geomspace(0.1, 1e-4, 80))
    axes.plot(fine, -np.log1p(-fine) / fine, color=RULES["printed"][1], linewidth=0.9, label="−ln(1 − cΔt)/(cΔt)")
    axes.axhline(1.0, color=style.REFERENCE, linewidth=1, linestyle="--")
    axes.set(
        xscale="log",
        ylim=(0.8, 3.0),
        xlabel="cΔt [1]",
        ylabel="rate of decay in the first step / c [1]",
        title="(b) what the time step does to the rate",
    )
    axes.legend(loc="upper left", fontsize=8)
    return [f"{share:g}" for share in sorted(set(without))]


def _cap(axes: Axes, data: ExperimentData, step: float) -> None:
    shown = 0.4
    cells = [
        c for c in data.select(name="printed", keep=m.is_capped) if abs(m.time_step(c) - step) < 1e-12 and m.in_range(c)
    ]
    if not cells:
        raise MissingData(f"{m.M.experiment} at tier {data.tier}: no cell with a cap below the held strain")
    for cell in cells:
        time, norm = _times(cell), np.linalg.norm(m.plastic_strain(cell), axis=1)
        keep = time <= shown + 1e-9
        creep = m.parameter(cell, "plastic_creep_per_s")
        if creep not in RATE_COLOURS:
            continue
        axes.plot(time[keep], norm[keep], marker=".", color=RATE_COLOURS[creep], label=f"c = {creep:g}/s")
    axes.axhline(m.parameter(cells[0], "plastic_max"), color=style.REFERENCE, linewidth=1, linestyle="--", label="cap")
    axes.axhline(m.held(cells[0]), color=style.GREY, linewidth=0.8, linestyle=":", label="held strain")
    axes.set(
        xlabel="time [s]", ylabel="plastic strain, 2-norm [1]", title=f"(c) cap below the held strain, Δt = {step:g} s"
    )
    axes.set_ylim(0, 1.08 * m.held(cells[0]))
    axes.legend(loc="center right", bbox_to_anchor=(1.0, 0.72), fontsize=8)


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    steps = sorted({m.time_step(c) for c in data.some(name="printed")})
    step = 0.01 if 0.01 in steps else steps[-1]
    figure, axes = style.new_figure(1, 3, width=12.4, height=3.9)
    table = Table(
        [
            Column("rule"),
            Column("c", "1/s"),
            Column("time step", "s"),
            Column("c dt"),
            Column("elastic strain after one step / held", "1", ".6g"),
            Column("rate in the first step / c", "1", ".6g"),
            Column("elastic strain at the end / held", "1", ".6g"),
        ]
    )
    _in_time(axes[0], data, step)
    without_rate = _rates(axes[1], data, table)
    _cap(axes[2], data, step)
    stem = out_dir / "sec_3_creep"
    printed, exponential = m.printed_recursion_error(data).value, m.exponential_recursion_error(data).value
    crossed = (
        f" (crosses: cΔt = {', '.join(without_rate)}, where a step absorbs the whole elastic strain or more)"
        if without_rate
        else ""
    )
    try:
        growth = m.over_relaxed_growth(data).value
        crossed += f"; beyond cΔt = 2, which the paper excludes, every step makes the elastic strain larger, here up to {growth:.3g} times the held strain, where the cap stops it"
    except MissingData:
        pass  # no such step at this tier
    caption = (
        "The paper says: when the elastic strain exceeds the yield, the share cΔt of it becomes plastic in every step, up to a cap; c ≤ 1/Δt. "
        f"Measured here: one tetrahedron whose strain is held at {m.held(data.cells[0]):g} (2-norm), yield {m.parameter(data.cells[0], 'plastic_yield'):g}. "
        f"(a) Elastic strain in time: markers are measured, thin steps the recursion; the largest deviation from it over all runs is {printed:.1e} of the held strain for the printed rate and {exponential:.1e} for the "
        f"exponential one. Flow stops in the step that passes the yield, so the printed rule may end below it, by {100 * m.printed_undershoot(data).value:.0f} % of it where cΔt is largest (≤ 1). "
        f"(b) The printed rate decays by −ln(1 − cΔt)/Δt, faster than c for every finite step{crossed}. The exponential share decays with c for any step; radial return is at the yield after one step, whatever c is. "
        f"(c) The cap is exceeded by at most {max(m.cap_excess(data).value, 0.0):.1e} of it. Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Section 3 — a held strain relaxes", caption, figure, table, stem, data)

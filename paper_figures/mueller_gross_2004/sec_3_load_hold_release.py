# SPDX-License-Identifier: BSD-3-Clause
"""Section 3: pulled, held and released, with the plastic force as equation 16 has it and with the sign of the
listing."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from experiments.mueller_gross_2004.measurements import load_hold_release as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.trace import Trace
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

ROWS = {
    "resisting": ("sign of eq. 16", "#0072B2", "o"),
    "listing": ("sign of the listing", "#D55E00", "s"),
    "elastic": ("no plasticity", style.GREY, "^"),
}


def _curve(axes: Axes, cell: Trace, values: Array, name: str, table: Table, body: str) -> None:
    label, colour, marker = ROWS[name.removesuffix("_undamped")]
    series = cell.series("step", "tip_displacement")
    axes.plot(
        series.time,
        values,
        color=colour,
        marker=marker,
        markevery=max(1, len(values) // 12),
        markersize=4,
        linewidth=1.2,
        label=label,
    )
    for time, value in zip(series.time[::5], values[::5]):
        table.add(body, name, float(time), float(value))


def _release(axes: Axes, time: float) -> None:
    axes.axvline(time, color=style.GREY, linewidth=0.8, linestyle=":")
    axes.annotate(
        "released",
        (time, 1.0),
        xycoords=axes.get_xaxis_transform(),
        xytext=(3, -2),
        textcoords="offset points",
        va="top",
        fontsize=7.5,
        color=style.GREY,
    )


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    bar = results.experiment(m.BAR.experiment)
    figure, axes = style.new_figure(1, 3, width=12.4, height=3.8)
    table = Table([Column("body"), Column("row"), Column("time", "s"), Column("strain", "1", ".6g")])
    for axis, suffix, title in (
        (axes[0], "", "(a) one degree of freedom, damped"),
        (axes[1], "_undamped", "(b) the same without damping"),
    ):
        for name in [f"{n}{suffix}" for n in ROWS]:
            for cell in data.select(name=name):
                _curve(axis, cell, m.end_position(cell), name, table, "one degree of freedom")
        resisting = data.one(name=f"resisting{suffix}")
        reference = resisting.reference("creeping_bar", "position_m")
        axis.plot(
            resisting.series("step", "tip_displacement").time,
            reference.values,
            color=style.REFERENCE,
            linestyle="--",
            linewidth=0.9,
            label="reference, sign of eq. 16",
        )
        _release(axis, float(resisting.value("scene.parameters.hold_s")))
        axis.set(xlabel="time [s]", ylabel="displacement / height [1]", title=title)
    axes[0].legend(loc="upper right", fontsize=8)
    try:
        for name in ("resisting", "listing"):
            cell = bar.one(name=name)
            _curve(axes[2], cell, m.bar_strain(cell), name, table, "bar")
        cap = float(cell.value("method.parameters.plastic_max"))
        axes[2].axhline(cap, color=style.REFERENCE, linestyle="--", linewidth=0.9, label="cap")
        _release(axes[2], float(cell.value("scene.parameters.hold_s")))
        bar_text = (
            f"(c) A bar of {cell.tetrahedra} tetrahedra keeps {m.bar_strain(bar.one(name='resisting'))[-1]:.4f} (cap {cap:g}) or, with the listing's sign, {m.listing_residual_strain(bar).value:.4f}; "
            f"its nodal forces agree with those of an independent B-matrix to {m.plastic_force_error(bar).value:.1e} of the largest."
        )
    except MissingData as reason:
        bar_text = f"(c) not drawn: {reason}."
    axes[2].set(xlabel="time [s]", ylabel="elongation / length [1]", title="(c) a bar, damped")
    axes[2].legend(loc="center right", fontsize=8)
    whole, damped = data.one(name="elastic"), data.one(name="resisting")
    elastic = float(m.end_position(whole)[m.at_release(whole)])

    def parameter(name: str) -> float:
        return float(damped.value(f"method.parameters.{name}"))

    stem = out_dir / "sec_3_load_hold_release"
    caption = (
        "The paper says: plastic strain is kept, and its forces f = −R K (…) are part of the right-hand side; equation 16 and the listing of section 6 differ in the sign of that force. "
        f"Measured here: a body whose elastic strain under the load is {elastic:.3g}, held and released, yield {parameter('plastic_yield'):g}, creep {parameter('plastic_creep_per_s'):g}/s, "
        f"cap {parameter('plastic_max'):g}. (a) With the sign of equation 16 the strain under load grows to "
        f"{m.held_position(data).value:.3f} and {m.residual(data).value:.4f} stays after release; with the listing's sign it shrinks to {m.listing_held_position(data).value:.3f} under load and {abs(m.listing_residual(data).value):.4f} stays: "
        "the plastic force then works against the load, and what has flowed does not stay. "
        f"(b) Undamped the residual is {m.residual_undamped(data).value:.4f}, as the swings flow back, or {m.listing_residual_undamped(data).value:.4f}. The deviation from the reference is at most "
        f"{m.residual_error(data).value:.1e} m in any step. {bar_text} Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Section 3 — pulled, held, released", caption, figure, table, stem, data, bar)

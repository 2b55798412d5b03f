# SPDX-License-Identifier: BSD-3-Clause
"""Section 3.4: restitution and friction by changing velocities,
as printed and with the velocity before the projection."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from deformbench_analysis.errors import MissingData
from experiments.mueller_et_al_2007.measurements import velocity_updates as m
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

ROWS = {"printed": ("as printed", "#c2410c"), "corrected": ("corrected", "#7f3c8d")}


def _restitution(axes: Axes, data: ExperimentData, table: Table) -> dict[str, tuple[float, float, float]]:
    """Distribution of rebound over approach speed over e; returns (mean, least, largest) by row."""
    told = {}
    for name, (text, colour) in ROWS.items():
        every = []
        for cell in data.select(name=name):
            ratio = np.sort(m.ratio(cell))
            every.append(ratio)
            axes.plot(
                ratio,
                (np.arange(len(ratio)) + 0.5) / len(ratio),
                color=colour,
                linewidth=1.1,
                alpha=0.8,
                label=text if len(every) == 1 else None,
            )
            for share in (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0):
                table.add(
                    "restitution",
                    text,
                    float(cell.value("scene.parameters.restitution")),
                    None,
                    float(cell.value("scene.parameters.time_step_s")),
                    share,
                    float(np.quantile(ratio, share)),
                    None,
                )
        if every:
            whole = np.concatenate(every)
            told[text] = (float(whole.mean()), float(whole.min()), float(whole.max()))
    axes.plot([0, 1], [0, 1], color=style.REFERENCE, linewidth=1.0, linestyle=(0, (4, 3)), label="uniform on 0 … e")
    axes.set(
        xlabel="rebound speed / approach speed / e [1]",
        ylabel="share of the particles below [1]",
        xlim=(-0.03, 1.08),
        ylim=(0, 1),
        title="(a) restitution",
    )
    axes.legend(loc="upper left")
    return told


def _sliding(axes: Axes, data: ExperimentData, table: Table) -> dict[str, float]:
    """Acceleration of particles released at rest against the closed form;
    returns the largest difference (m/s²) by row."""
    worst: dict[str, float] = {}
    for name, (text, colour) in ROWS.items():
        for k, cell in enumerate(
            data.select(name=name, keep=lambda c: float(c.value("scene.parameters.speed_m_s", 0.0)) == 0)
        ):
            slide = m.Slide(cell)
            exact = max(0.0, float(slide.acceleration))
            measured = float(slide.velocity[-1] / slide.time[-1])
            axes.plot(
                [exact],
                [measured],
                marker="s" if name == "printed" else "o",
                color=colour,
                markerfacecolor="none",
                markersize=7 if name == "printed" else 5,
                linestyle="none",
                label=text if k == 0 else None,
            )
            worst[text] = max(worst.get(text, 0.0), abs(measured - exact))
            table.add(
                "from rest on a slope",
                text,
                float(slide.friction),
                float(np.degrees(slide.slope)),
                float(cell.value("scene.parameters.time_step_s")),
                None,
                measured,
                exact,
            )
    low, high = axes.get_xlim()
    axes.plot(
        [0, high],
        [0, high],
        color=style.REFERENCE,
        linewidth=1.0,
        linestyle=(0, (4, 3)),
        label="g(sin α − μ cos α), or 0",
    )
    axes.set(
        xlabel="acceleration by Coulomb's law [m/s²]",
        ylabel="mean acceleration measured [m/s²]",
        title="(b) released on a slope",
    )
    axes.legend(loc="upper left")
    return worst


def _stopping(axes: Axes, data: ExperimentData, table: Table) -> None:
    """Velocity of particles that slide until they stop."""
    for name, (text, colour) in ROWS.items():
        for k, cell in enumerate(
            data.select(name=name, keep=lambda c: float(c.value("scene.parameters.speed_m_s", 0.0)) > 0)
        ):
            slide = m.Slide(cell)
            axes.plot(
                slide.time,
                slide.velocity / slide.speed,
                color=colour,
                linewidth=1.4,
                linestyle="-" if name == "corrected" else "--",
                label=text if k == 0 else None,
            )
            exact = np.maximum(0.0, 1 + slide.acceleration * slide.time / slide.speed)
            axes.plot(
                slide.time,
                exact,
                color=style.REFERENCE,
                linewidth=0.8,
                linestyle=(0, (1, 2)),
                label="Coulomb (closed form)" if k == 0 and name == "printed" else None,
            )
            if slide.acceleration < 0:
                table.add(
                    "way until it stops",
                    text,
                    float(slide.friction),
                    float(np.degrees(slide.slope)),
                    float(cell.value("scene.parameters.time_step_s")),
                    None,
                    float(slide.way[-1]),
                    float(slide.speed**2 / (-2 * slide.acceleration)),
                )
    axes.set(
        xlabel="time [s]",
        ylabel="velocity downhill / at the start [1]",
        xscale="log",
        xlim=(0.01, None),
        title="(c) sliding to a stop",
        ylim=(-0.05, 1.3),
    )
    axes.legend(loc="upper right")


def make(results: Results, out_dir: Path) -> FigureEntry:
    bounce, incline = results.experiment(m.BOUNCE.experiment), results.experiment(m.INCLINE.experiment)
    if not bounce.select() and not incline.select():
        raise MissingData(
            f"{m.BOUNCE.experiment}, {m.INCLINE.experiment} at tier {results.tier}: no cell that completed"
        )
    figure, axes = style.new_figure(1, 3, width=13.0, height=4.0)
    table = Table(
        [
            Column("what"),
            Column("velocity update"),
            Column("coefficient"),
            Column("slope", "deg"),
            Column("time step", "s"),
            Column("quantile"),
            Column("measured", "", ".6g"),
            Column("closed form", "", ".6g"),
        ]
    )
    bounced = _restitution(axes[0], bounce, table)
    slid = _sliding(axes[1], incline, table)
    _stopping(axes[2], incline, table)
    stem = out_dir / "sec_3_4_contacts"
    caption = (
        "The paper says: the velocity of a vertex with a collision constraint is dampened perpendicular to the normal and reflected along it. Reflected after the projection it holds no more than the part of the "
        "step before the contact, and damping is not Coulomb's friction. Measured here: 401 particles dropped from as many heights, for each coefficient e and time step, rebound with "
        + "; ".join(
            f"{t}: {mean:.3g} e in the mean, {low:.2g} e to {high:.4g} e"
            if high - low > 1e-6
            else f"{t}: {mean:.6g} e, all within {high - low:.0e} e"
            for t, (mean, low, high) in bounced.items()
        )
        + ". On slopes, the mean acceleration from rest differs from Coulomb's law by at most "
        + ", ".join(f"{v:.2g} m/s² ({t})" for t, v in slid.items())
        + f". Machine: {machine_line([*bounce.cells, *incline.cells])}."
    )
    return style.finished("Section 3.4 — restitution and friction", caption, figure, table, stem, bounce, incline)

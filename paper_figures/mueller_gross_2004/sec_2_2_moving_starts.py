# SPDX-License-Identifier: BSD-3-Clause
"""Section 2.2: energy gained by blocks on which no force does work,
against the estimate of what the rotation in a step stores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import colormaps

from experiments.mueller_gross_2004.measurements import moving_starts as m
from experiments.mueller_gross_2004.measurements.condition_number import stiffness_number
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

STARTS = {
    "spin": ("#0072B2", "o"),
    "flight and spin": ("#009E73", "s"),
    "thrown at its support": ("#D55E00", "^"),
    "loaded by its weight": ("#CC79A7", "D"),
}
LEAST = 1e-12  # rises below are drawn here: rounding


def start_of(run: m.Run) -> str:
    """What the block begins with."""
    p = run.trace.value("scene.parameters")
    if np.any(p["angular_velocity_rad_s"]):
        return "flight and spin" if np.any(p["velocity_m_s"]) else "spin"
    return "thrown at its support" if np.any(p["velocity_m_s"]) else "loaded by its weight"


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    runs = m.runs(data)
    figure, axes = style.new_figure(1, 2, width=10.4, height=4.2)
    table = Table(
        [
            Column("row"),
            Column("start"),
            Column("time step", "s"),
            Column("E", "Pa"),
            Column("omega dt", "1", ".4g"),
            Column("q", "1", ".4g"),
            Column("dt^2 E/(rho h^2)", "1", ".4g"),
            Column("rise of the energy over the energy put in", "1", ".6g"),
            Column("largest kinetic energy over it", "1", ".6g"),
        ]
    )
    for name, (colour, marker) in STARTS.items():
        for exact in (True, False):
            chosen = [r for r in runs if start_of(r) == name and (r.trace.method_name == m.EXACT) == exact]
            axes[0].plot(
                [r.stored for r in chosen],
                [max(r.rise, LEAST) for r in chosen],
                color=colour,
                marker=marker,
                linestyle="none",
                markerfacecolor=colour if exact else "none",
                label=name if exact else None,
            )
            for r in chosen:
                table.add(
                    r.trace.method_name,
                    name,
                    r.time_step,
                    float(r.trace.value("scene.parameters.young_modulus_pa")),
                    r.turn,
                    r.stored,
                    stiffness_number(r.trace),
                    r.rise,
                    float(r.kinetic.max()),
                )
    line = np.geomspace(1e-9, max(r.stored for r in runs), 30)
    axes[0].plot(line, line, color=style.REFERENCE, linestyle="--", linewidth=1, label="rise = q")
    axes[0].axvline(m.STORED, color=style.GREY, linewidth=0.8, linestyle=":")
    axes[0].set(
        xscale="log",
        yscale="log",
        xlabel="q = (ωΔt)² Δt² (λ + μ) V / I [1]",
        ylabel="rise of the energy / energy put in [1]",
        title="(a) energy gained",
    )
    axes[0].legend(loc="upper left", fontsize=7.5)
    spins = sorted(
        (r for r in runs if start_of(r) == "spin" and r.trace.method_name == m.EXACT), key=lambda r: r.stored
    )
    for k, run in enumerate(spins):
        axes[1].plot(
            np.arange(len(run.total)),
            run.total,
            color=colormaps["viridis"](k / max(1, len(spins) - 1)),
            linewidth=1.2,
            label=f"q = {run.stored:.1g}",
        )
    axes[1].set(
        yscale="log", xlabel="step", ylabel="energy / energy put in [1]", title="(b) blocks that spin, exact solves"
    )
    axes[1].set_ylim(top=1e4 * max(float(r.total.max()) for r in runs))  # room for the legend
    axes[1].legend(loc="upper left", fontsize=7, ncol=3)
    stem = out_dir / "sec_2_2_moving_starts"
    worst, inside, kinetic = m.energy_rise(data), m.energy_rise_in_regime(data), m.kinetic_share(data)
    caption = (
        "The paper says: the method is unconditionally stable. Measured here: blocks that spin, fly and spin, are thrown at their support or are loaded by their weight at once; nothing but gravity, whose "
        f"potential is counted, works on them. Filled: exact solves, hollow: 20 plain iterations; rises below {LEAST:g} are drawn there. A step turns elements with the rotation of its start, and leaves them stretched by (ωΔt)²/2, "
        f"which the next rotation sees: the energy grows by a share q that no work supplies. The largest rise is {worst.value:.3g} times the energy put in; with ωΔt ≤ {m.TURN:g} and q ≤ {m.STORED:g} (dotted) it is {inside.value:.2g}. "
        f"The kinetic energy never exceeds the energy put in (largest share {kinetic.value:.6f}): states stay bounded. Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Section 2.2 — energy of moving blocks", caption, figure, table, stem, data)

# SPDX-License-Identifier: BSD-3-Clause
"""Section 4: what a split leaves alone. A body at the step of its first splits beside the same body without
fracture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.ticker import MaxNLocator

from deformbench_analysis.errors import MissingData
from experiments.mueller_gross_2004.measurements import split_invariants as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

CHANNELS = {
    "volume": "volume",
    "linear_momentum": "linear momentum",
    "angular_momentum": "angular momentum",
    "kinetic_energy": "kinetic energy",
    "elastic_energy": "elastic energy",
}
CRITERIA = {
    "vertex_split": ("stress of the element", "#0072B2", "o"),
    "separation_tensor": ("separation tensor of the vertex", "#D55E00", "s"),
}
FLOOR = 1e-17  # differences of exactly zero are drawn here


def make(results: Results, out_dir: Path) -> FigureEntry:
    data = results.experiment(m.M.experiment)
    found = [(broken, whole, m.first_row(broken)) for (broken, whole), _ in m.PAIRS.units(data)]
    if not found:
        raise MissingData(f"{m.M.experiment} at tier {data.tier}: nothing was split")
    figure, axes = style.new_figure(1, 2, width=10.6, height=3.9)
    table = Table(
        [
            Column("criterion"),
            Column("threshold", "Pa"),
            Column("seed"),
            Column("splits of the step"),
            *(Column(f"change of {label}", "1", ".3g") for label in CHANNELS.values()),
        ]
    )
    worst = dict.fromkeys(CHANNELS, 0.0)
    total = 0
    generator = np.random.default_rng(1)
    for broken, whole, row in found:
        _, colour, marker = CRITERIA[broken.method_name]
        changes = []
        for place, channel in enumerate(CHANNELS):
            after, before = (np.atleast_1d(t.values("step", channel)[row]) for t in (broken, whole))
            change = float(np.linalg.norm(after - before) / np.linalg.norm(before))
            worst[channel] = max(worst[channel], change)
            changes.append(change)
            shift = -0.17 if broken.method_name == "vertex_split" else 0.17
            axes[0].plot(
                [place + shift + 0.1 * (generator.random() - 0.5)],
                [max(change, FLOOR)],
                marker=marker,
                color=colour,
                linestyle="none",
                markersize=4,
                alpha=0.8,
            )
        splits = int(broken.values("step", "split_count")[row])
        total += splits
        axes[1].plot(
            [splits], [max(max(changes), FLOOR)], marker=marker, color=colour, linestyle="none", markersize=5, alpha=0.8
        )
        table.add(
            broken.method_name,
            float(broken.value("method.parameters.fracture_threshold_pa")),
            int(broken.value("scene.parameters.seed", 1)),
            splits,
            *changes,
        )
    for label, colour, marker in CRITERIA.values():
        axes[0].plot([], [], marker=marker, color=colour, linestyle="none", markersize=5, label=label)
    for axis in axes:
        axis.axhline(np.finfo(float).eps, color=style.REFERENCE, linestyle="--", linewidth=0.9)
        axis.set(yscale="log", ylim=(FLOOR / 2, 1e-12))
    axes[0].annotate(
        "rounding of one number",
        (0.995, np.finfo(float).eps),
        xycoords=axes[0].get_yaxis_transform(),
        xytext=(0, 3),
        textcoords="offset points",
        ha="right",
        fontsize=7.5,
    )
    axes[0].set_xticks(range(len(CHANNELS)), [label.replace(" ", "\n") for label in CHANNELS.values()])
    axes[0].set_ylabel("relative change by the splits of one step [1]")
    axes[0].set_title("(a) every quantity, every run")
    axes[0].set_yticks(
        [FLOOR, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12], ["0", *(style.power(10.0**k) for k in (-16, -15, -14, -13, -12))]
    )
    axes[1].set_yticks(
        [FLOOR, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12], ["0", *(style.power(10.0**k) for k in (-16, -15, -14, -13, -12))]
    )
    axes[0].legend(loc="upper left", fontsize=8)
    axes[1].set(
        xlabel="vertices split in the step [1]",
        ylabel="largest change of any quantity [1]",
        title="(b) against the number of splits",
    )
    axes[1].xaxis.set_major_locator(MaxNLocator(integer=True))
    stem = out_dir / "sec_4_invariants"
    listed = ", ".join(f"{label} {worst[c]:.1e}" for c, label in CHANNELS.items())
    try:
        rest = f"Stresses of the elements differ by {m.stress_difference(data).value:.1e} Pa, the forces on the parts of a vertex add up to that on the whole one within {m.merged_force_difference(data).value:.1e} of the largest. "
    except MissingData as reason:
        rest = f"({reason}.) "
    caption = (
        "The paper says: a vertex is split without change of the elements, so that fracture adds no instability. "
        f"Measured here: a spinning, stressed block and the same block without fracture have the same bits up to the first splits; in that step the two differ by the splits alone. {len(found)} runs, {total} splits; "
        f"largest relative changes: {listed}. {rest}"
        f"Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Section 4 — what a split leaves alone", caption, figure, table, stem, data)

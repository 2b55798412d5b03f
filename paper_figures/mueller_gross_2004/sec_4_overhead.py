# SPDX-License-Identifier: BSD-3-Clause
"""Section 4: milliseconds per step while a bar breaks, and the condition number of the step's matrix across the
splits."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from experiments.mueller_gross_2004.measurements import fracture_conditioning as c, fracture_overhead as m
from paper_figures.figure import Axes, Drawing, ExperimentData, MissingData, Table, Trace, style, titled

ROWS = {
    "broken": ("breaks", "#D55E00"),
    "armed": ("tested, does not break", "#0072B2"),
    "whole": ("no fracture", "#6e6e6e"),
}
STEP_COLOURS = ("#56B4E9", "#0072B2", "#009E73", "#E69F00", "#D55E00", "#CC79A7")


def _times(axes: Axes, data: ExperimentData, table: Table) -> None:
    count = m.timed_steps(data)
    top = 0.0
    for name, (label, colour) in ROWS.items():
        cell = data.one(name=name)
        steps = m.first_timed_step(cell) + np.arange(count)
        ms = 1e3 * m.seconds(cell, count)
        top = max(top, float(ms.max()))
        axes.plot(steps, ms, color=colour, lw=1.2, label=label)
        splits = m.splits_of_steps(cell, count) if cell.has("step", "split_count") else np.zeros(count)
        vertices = cell.values("step", "vertex_count")
        for step, value, number in zip(steps, ms, splits):
            numbers = (int(vertices[min(step, len(vertices) - 1)]), None, None)
            table.add("time", name, int(step), float(value), int(number), *numbers)
        if name == "broken":
            other = axes.twinx()
            other.bar(steps, splits, width=1.0, color=colour, alpha=0.22, linewidth=0)
            other.set_ylabel("vertices split in the step [1]", color=style.GREY)
            other.set_ylim(0, 4 * max(1.0, float(splits.max())))
            other.yaxis.set_major_locator(MaxNLocator(integer=True))
            other.grid(False)
            other.spines["right"].set_visible(True)
            axes.set_zorder(other.get_zorder() + 1)
            axes.patch.set_visible(False)
    style.panel(axes, "(a) time per step while a bar breaks", "step [1]", "median time of the step [ms]")
    axes.set_ylim(0, 1.35 * top)
    axes.legend(loc="upper left", fontsize=8)


def _mesh_and_load(cell: Trace) -> tuple[int, float]:
    """Seed of the mesh, and tension on it, Pa."""
    return int(cell.value("scene.parameters.seed", 1)), float(cell.value("scene.parameters.stress_pa", [0.0])[0])


def _conditions(axes: Axes, data: ExperimentData, table: Table) -> None:
    """Curves by time step, of the first mesh under the smaller load."""
    first = min(_mesh_and_load(k) for k in data.some())
    cells = sorted(data.some(keep=lambda k: _mesh_and_load(k) == first), key=lambda k: k.number("time_step_s"))
    for cell, colour in zip(cells, STEP_COLOURS):
        step = cell.series("operator", "condition_number").step
        condition, bound = c.condition(cell), cell.values("operator", "condition_bound")
        label = f"Δt = {float(cell.value('scene.parameters.time_step_s')):g} s"
        axes.plot(step, condition, color=colour, label=label)
        axes.plot(step, bound, color=colour, ls="--", lw=0.9)
        counts = cell.series("step", "split_count")
        splits = np.interp(step, counts.step, counts.values)
        broken = np.flatnonzero(splits > 0)
        if broken.size:
            axes.plot([step[broken[0]]], [condition[broken[0]]], marker="v", color=colour)
        for s, value, limit, number in zip(step, condition, bound, splits):
            table.add("conditioning", label, int(s), None, int(number), None, float(value), float(limit))
    axes.plot([], [], color=style.GREY, ls="--", lw=0.9, label="bound (largest / smallest)")
    style.marks(axes, [], [], "v", style.GREY, label="after the first split")
    style.panel(axes, "(b) conditioning across the splits", "step [1]", "condition number [1]", log="y")
    low, high = axes.get_ylim()
    axes.set_ylim(low, high * (high / low) ** 0.45)
    axes.legend(loc="upper left", fontsize=7.5, ncol=2)


@titled("Section 4 — time per step and conditioning across the fracture")
def make(figure: Drawing) -> str:
    data, conditioning = figure.experiment(m.EXPERIMENT), figure.experiment(c.M.experiment)
    axes = figure.axes(1, 2, 11.0, 4.0)
    table = figure.table("part; row; step; time of the step [ms]; splits; vertices; condition number .5g; bound .5g")
    texts = []
    try:
        _times(axes[0], data, table)
        ratio = m.time_ratio(data)
        try:
            splitting = m.splitting_step_ratio(data)
            while_ = (
                f"a step in which vertices split takes {splitting.value:.2f} times as long as in the unbroken bar "
                f"(median of {splitting.note})"
            )
        except MissingData as reason:
            while_ = str(reason)
        protocol = data.one(name="broken").require_timing()
        texts.append(
            f"(a) A bar of {data.one(name='broken').tetrahedra:,} tetrahedra, 20 iterations per step, median of "
            f"{protocol.step_seconds.shape[0]} repeats: {while_}; afterwards the time relative to the whole bar, "
            f"divided by the ratio of their vertices, is {ratio.value:.2f} ({ratio.note}); the stress test alone "
            f"makes a step {m.test_ratio(data):.2f} times as long."
        )
    except MissingData as reason:
        style.say(axes[0], "not timed")
        texts.append(f"(a) Not drawn: {reason}.")
    try:
        _conditions(axes[1], conditioning, table)
        growth = c.growth_max(conditioning)
        texts.append(
            "(b) While another bar breaks (curves: first mesh, smaller load; numbers: three meshes, two loads, "
            f"{c.splits(conditioning).value:.0f} splits) the condition number grows at most {growth.value:.2f}-fold "
            f"({growth.note}); it stays below the bound from the smallest nodal mass, at most "
            f"{c.bound_ratio_max(conditioning).value:.2f} of it, and this mass falls by a factor of "
            f"{c.mass_ratio_max(conditioning).value:.1f}."
        )
    except MissingData as reason:
        style.say(axes[1], "no trace")
        texts.append(f"(b) Not drawn: {reason}.")
    return (
        "The paper says: fracture costs no more than the vertices that it adds, and does not make the system harder "
        f"to solve. Measured here: {' '.join(texts)}"
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Section 7: effect of a fixed number of conjugate-gradient iterations on free fall,
momentum and a swinging tip."""

import numpy as np

from experiments.mueller_gross_2004.measurements import cg_truncation as m
from paper_figures.figure import Axes, Drawing, ExperimentData, Table, Trace, style, titled

PRECONDITIONERS = {"none": ("plain", "#D55E00"), "jacobi": ("Jacobi", "#E69F00"), "mass": ("mass", "#0072B2")}
STARTS = {"zero": ("0", "v"), "velocity": ("vₙ", "o"), "velocity_plus_force": ("vₙ + Δt M⁻¹f", "D")}
FLOOR = 1e-17


def _errors(axes: Axes, cells: list[Trace], error, table: Table, what: str) -> None:  # type: ignore[no-untyped-def]
    for preconditioner, (name, colour) in PRECONDITIONERS.items():
        for start, (start_name, marker) in STARTS.items():
            chosen = sorted(
                (c for c in cells if m.solver(c)[1:] == (preconditioner, start)), key=lambda c: m.solver(c)[0]
            )
            if not chosen:
                continue
            values = [error(c) for c in chosen]
            line = {"zero": ":", "velocity": "-", "velocity_plus_force": "--"}[start]
            look = {"color": colour, "marker": marker, "ms": 4.5, "lw": 1.2, "label": f"{name}, start {start_name}"}
            axes.plot([m.solver(c)[0] for c in chosen], np.maximum(values, FLOOR), ls=line, **look)
            for cell, value in zip(chosen, values):
                table.add(what, preconditioner, start, m.solver(cell)[0], value)
    axes.axvline(20, color=style.GREY, lw=0.8, ls=":")
    axes.set(yscale="log", xlabel="iterations", ylim=(1e-18, 1e2))
    axes.set_xticks([5, 10, 20, 50])


def _tips(axes: Axes, data: ExperimentData, modulus: float, table: Table) -> None:
    exact_run = data.one(name="exact", where={"scene.parameters.young_modulus_pa": modulus})
    exact = exact_run.series("step", "tip_displacement")
    style.reference(axes, exact.time, exact.values[:, 1], "--", 1.2, label="exact solves", zorder=5)
    for cell in data.select(name="truncated", where={"scene.parameters.young_modulus_pa": modulus}):
        iterations, preconditioner, start = m.solver(cell)
        what = f"swinging tip, E = {modulus:g} Pa"
        table.add(what, preconditioner, start, iterations, m.tip_error(cell, exact_run))
        if iterations == 20:
            name, colour = PRECONDITIONERS[preconditioner]
            tip = cell.series("step", "tip_displacement")
            axes.plot(tip.time, tip.values[:, 1], color=colour, label=f"20 iterations, {name}")
    axes.set(xlabel="time [s]", ylabel="height of the tip [m]")


def _counts(data: ExperimentData) -> str:
    """Iteration counts of the cells with the remedy, in words."""
    counts = sorted({m.solver(c)[0] for c in data.select(keep=m.is_remedy)})
    return "no" if not counts else str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


@titled("Section 7 — truncated conjugate gradients")
def make(figure: Drawing) -> str:
    fall, momentum, swing = (figure.experiment(i.experiment) for i in (m.M, m.MOMENTUM, m.CANTILEVER))
    table = figure.table("experiment; preconditioner; start; iterations; error .3g")
    axes = figure.axes(2, 3, 13.2, 7.8)
    for axis, modulus, letter in ((axes[0][0], m.SOFT, "a"), (axes[0][1], m.STIFF, "b")):
        _errors(
            axis,
            fall.some(where={"scene.parameters.young_modulus_pa": modulus}),
            m.free_fall_error,
            table,
            f"free fall, E = {modulus:g} Pa",
        )
        axis.set(
            title=f"({letter}) free fall, E = {style.power(modulus)} Pa", ylabel="|v − g t| / g t of the centre [1]"
        )
    for axis, weightless, letter in ((axes[1][0], True, "d"), (axes[1][1], False, "e")):
        cells = [c for c in momentum.select() if m.without_gravity(c) == weightless]
        what = "no gravity" if weightless else "gravity"
        _errors(axis, cells, m.momentum_drift, table, f"momentum, {what}, E = {m.STIFF:g} Pa")
        axis.set_title(f"({letter}) momentum, {what}, E = {style.power(m.STIFF)} Pa")
        axis.set_ylabel("|ΔP| / √(2 M E_kin) [1]")
    if swing.select():
        for axis, modulus, letter in ((axes[0][2], m.SOFT, "c"), (axes[1][2], m.STIFF, "f")):
            _tips(axis, swing, modulus, table)
            axis.set_title(f"({letter}) swinging bar, E = {style.power(modulus)} Pa")
            axis.legend(loc="best", fontsize=7.5)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend_below(5, handles=handles, labels=labels)
    paper = m.paper_free_fall_error_stiff(fall).value
    return (
        "The paper says: a fixed time step of 0.01 s and 20 conjugate-gradient iterations suffice; preconditioner "
        "and start vector are not stated. Measured here: a free block of 320 tetrahedra (nodal masses differ by a "
        "factor of 40), 10 steps, and a swinging cantilever. With plain iterations from vₙ the centre of the stiff "
        f"block misses free fall by {100 * paper:.0f} %; the mass preconditioner together with the start vₙ + Δt M⁻¹ "
        f"f keeps momentum to rounding after {_counts(momentum)} iterations. The dotted line marks 20. "
    )

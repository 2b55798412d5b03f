# SPDX-License-Identifier: BSD-3-Clause
"""Sections 3.1, 3.2: whether a cloth a nanometre from rest stays there, by the order of the sweep,
the stiffness of bends and the iterations."""

import numpy as np

from experiments.mueller_et_al_2007.measurements import rest_stability as m
from paper_figures.figure import Axes, Drawing, ExperimentData, MissingData, Trace, style, titled

ORDERS = {
    "forward": ("forward", "#7f3c8d"),
    "coloured": ("by colours", "#11846a"),
    "random": ("another every sweep", "#b98a1d"),
    "symmetric": ("forward then backward", "#0072B2"),
}
SPREAD = {"forward": -0.27, "coloured": -0.09, "random": 0.09, "symmetric": 0.27}


def case(cell: Trace) -> tuple[float, int]:
    """(k_bend, iterations)"""
    return cell.setting("bend_stiffness"), int(cell.setting("iterations"))


def _over_time(axes: Axes, cells: list[Trace], shown: tuple[float, int]) -> None:
    for cell in (c for c in cells if case(c) == shown and c.method_name in ORDERS):
        name, colour = ORDERS[cell.method_name]
        values = m.deviation(cell)
        heights = np.where(np.isfinite(values), np.maximum(values, 1e-12), np.nan)
        axes.plot(np.arange(len(values)), heights, color=colour, label=name)
    axes.axhline(m.UNSTABLE, color=style.REFERENCE, lw=1.0, ls=(0, (4, 3)), label="start")
    style.panel(
        axes, f"(a) k_bend = {shown[0]:g}, nₛ = {shown[1]}", "step", "largest distance from rest / start [1]", log="y"
    )
    axes.legend(fontsize=7.5)


def _eigenvalues(data: ExperimentData) -> str:
    """One sentence on the growth of the linearised sweep, or nothing where the traces have no triangles."""
    try:
        factor, error = m.growth_factor_of(data, "forward"), m.growth_error(data)
    except MissingData:
        return ""
    return (
        f"The eigenvalues of the linearised sweep, computed apart, give growth factors of up to {factor.value:.5g} "
        f"per step ({factor.note}); the fastest mode of every unstable run grows by these to within "
        f"{error.value:.1g}. "
    )


@titled("Sections 3.1, 3.2 — stability of rest")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.EXPERIMENT)
    cells = [
        c
        for c in data.select(status=None)
        if c.has("step", "max_displacement") and len(c.values("step", "step")) > 1 and c.method_name in ORDERS
    ]
    if not cells:
        raise MissingData(f"{m.EXPERIMENT} at tier {data.tier}: no max_displacement among {len(data.cells)} cells")
    cases = sorted({case(c) for c in cells})
    table = figure.table(
        "order; k_bend; iterations; largest of the last 100 steps / start; largest of the run / start; unstable; "
        "status"
    )
    axes = figure.axes(1, 2, 11.0, max(4.0, 1.2 + 0.26 * len(cases)))
    unstable: dict[str, list[int]] = {}
    for cell in cells:
        name, colour = ORDERS[cell.method_name]
        values = m.deviation(cell)
        last = float(np.nanmax(values[-100:])) if np.isfinite(values[-100:]).any() else np.inf
        bad = cell.status != "completed" or last > m.UNSTABLE
        count = unstable.setdefault(name, [0, 0])
        count[0] += bad
        count[1] += 1
        place = cases.index(case(cell)) + SPREAD[cell.method_name]
        (marker, fill), end = ("X", style.FAILED) if bad else ("o", colour), min(max(last, 1e-12), 1e12)
        axes[1].plot([end], [place], marker, color=fill, mfc=fill, markeredgecolor=colour, ms=6)
        table.add(name, *case(cell), last, np.nanmax(values), bad, cell.status)
    worst = max(
        cells,
        key=lambda c: (
            sum(1 for o in cells if case(o) == case(c) and o.method_name != c.method_name),
            float(np.nanmax(m.deviation(c)[-100:])),
        ),
    )
    _over_time(axes[0], cells, case(worst))
    axes[1].axvline(m.UNSTABLE, color=style.REFERENCE, lw=1.0, ls=(0, (4, 3)))
    axes[1].set(
        xscale="log",
        xlabel="largest distance from rest of the last 100 steps / start [1]",
        ylim=(len(cases) - 0.5, -0.5),
        title="(b) all cases",
    )
    axes[1].set_yticks(range(len(cases)), [f"k_bend = {k:g}, nₛ = {n}" for k, n in cases], fontsize=8)
    for name, colour in ORDERS.values():
        axes[1].plot([], [], "o", color=colour, label=name)
    axes[1].plot([], [], "X", color=style.FAILED, label="unstable")
    axes[1].legend(fontsize=7.5, loc="center left", bbox_to_anchor=(1.0, 0.5))
    vertices = int((cells[0].scene_shape("rest_positions") or (0,))[0])
    return (
        "The paper says: the scheme is unconditionally stable, and the order of the constraints should be kept "
        f"constant. Measured here: a flat cloth of {vertices} vertices without gravity that starts a nanometre from "
        "rest. A step is x ← S(2x − x_before) with the sweep S, and a sweep in one order need not be a symmetric "
        "map: in list order, with stiff bends, the cloth drifts away from rest spontaneously. Farther from "
        "rest at the end than at the start: "
        f"{'; '.join(f'{bad} of {count} ({name})' for name, (bad, count) in unstable.items())}; in forward order a "
        f"vertex drifts up to {m.largest_departure(data).value:.2g} m away. {_eigenvalues(data)}"
    )

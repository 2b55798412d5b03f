# SPDX-License-Identifier: BSD-3-Clause
"""Section 3: relaxation of a held strain, as the recursion predicts;
effect of the time step on the rate; the cap."""

import numpy as np

from experiments.mueller_gross_2004.measurements import creep_relaxation as m
from paper_figures.figure import Array, Axes, Drawing, ExperimentData, MissingData, Table, Trace, style, titled

RULES = {
    "printed": ("cΔt (as printed)", "#D55E00", "s"),
    "exponential": ("1 − exp(−cΔt)", "#0072B2", "o"),
    "radial_return": ("radial return", "#009E73", "^"),
}
CREEP = 10.0  # 1/s, of the curves in time: neither too fast nor too slow
RATE_COLOURS = {1.0: "#56B4E9", 10.0: "#0072B2", 100.0: "#D55E00"}


def _uncapped(data: ExperimentData, name: str) -> list[Trace]:
    uniaxial = {"scene.parameters.strain_kind": "uniaxial"}
    return data.select(name=name, where=uniaxial, keep=lambda c: not m.is_capped(c))


def _times(cell: Trace) -> Array:
    return np.asarray(cell.series("frame", "element_plastic_strains").time)


def _in_time(axes: Axes, data: ExperimentData, step: float) -> None:
    """All rules at one time step, with the recursion of each and the exponential."""
    shown = 0.4
    for name, (label, colour, marker) in RULES.items():
        for cell in _uncapped(data, name):
            if cell.setting("plastic_creep_per_s") != CREEP or abs(cell.number("time_step_s") - step) > 1e-12:
                continue
            time, elastic = _times(cell), m.elastic_norm(cell) / m.held(cell)
            keep = time <= shown + 1e-9
            values = elastic[keep]
            style.marks(
                axes, time[keep], values, marker, colour, ms=4, markevery=max(1, round(0.01 / step)), label=label
            )
            if name != "radial_return":
                share = m.printed_share(cell) if name == "printed" else -np.expm1(-m.printed_share(cell))
                heights = m.stepped(cell, share)[keep] / m.held(cell)
                axes.plot(time[keep], heights, color=colour, lw=0.9, drawstyle="steps-post")
            yield_share = cell.setting("plastic_yield") / m.held(cell)
            axes.axhline(yield_share, color=style.GREY, lw=0.8, ls=":")
    fine = np.linspace(0, shown, 200)
    style.reference(axes, fine, np.exp(-CREEP * fine), label="exp(−ct)")
    style.note(axes, "yield", (shown, yield_share), (0, 2), "rb", size=7.5, color=style.GREY)
    style.panel(
        axes, f"(a) c = {CREEP:g}/s, Δt = {step:g} s", "time [s]", "elastic strain / held strain [1]", ylim=(0, 1.05)
    )
    axes.legend(loc="upper right", fontsize=8)


def _rates(axes: Axes, data: ExperimentData, table: Table) -> list[str]:
    """Rate of decay in the first step / c, against cΔt.
    Printed steps that absorb all or more have no rate: crosses at the top."""
    without: list[float] = []
    for name, (label, colour, marker) in RULES.items():
        points = []
        for cell in _uncapped(data, name):
            elastic = m.elastic_norm(cell)
            share = m.printed_share(cell)
            has_rate = name != "printed" or share < 1 - 1e-9
            rate = float(-np.log(elastic[1] / elastic[0]) / share) if has_rate else float("nan")
            numbers = (share, float(elastic[1] / elastic[0]), rate, float(elastic[-1] / m.held(cell)))
            table.add(name, cell.setting("plastic_creep_per_s"), cell.number("time_step_s"), *numbers)
            if has_rate:
                points.append((share, rate))
            else:
                without.append(share)
        if name == "radial_return" or not points:
            continue  # it is at the yield after the first step, whatever c is
        ms = 7 if name == "printed" else 4
        mfc = "none" if name == "printed" else colour
        axes.plot(*np.array(sorted(points)).T, ls="none", marker=marker, color=colour, label=label, ms=ms, mfc=mfc)
    for share in sorted(set(without)):
        color = RULES["printed"][1]
        axes.plot([share], [0.96], marker="X", color=color, ms=6, transform=axes.get_xaxis_transform(), clip_on=False)
    fine = np.append(np.geomspace(1e-3, 0.9, 200), 1 - np.geomspace(0.1, 1e-4, 80))
    axes.plot(fine, -np.log1p(-fine) / fine, color=RULES["printed"][1], lw=0.9, label="−ln(1 − cΔt)/(cΔt)")
    axes.axhline(1.0, color=style.REFERENCE, lw=1, ls="--")
    style.panel(axes, "(b) rate by time step", "cΔt [1]", "rate of decay in the first step / c [1]", "x")
    axes.set(ylim=(0.8, 3.0))
    axes.legend(loc="upper left", fontsize=8)
    return [f"{share:g}" for share in sorted(set(without))]


def _cap(axes: Axes, data: ExperimentData, step: float) -> None:
    shown = 0.4
    cells = [
        c
        for c in data.select(name="printed", keep=m.is_capped)
        if abs(c.number("time_step_s") - step) < 1e-12 and m.in_range(c)
    ]
    if not cells:
        raise MissingData(f"{m.M.experiment} at tier {data.tier}: no cell with a cap below the held strain")
    for cell in cells:
        time, norm = _times(cell), np.linalg.norm(m.plastic_strain(cell), axis=1)
        keep = time <= shown + 1e-9
        creep = cell.setting("plastic_creep_per_s")
        if creep not in RATE_COLOURS:
            continue
        axes.plot(time[keep], norm[keep], marker=".", color=RATE_COLOURS[creep], label=f"c = {creep:g}/s")
    axes.axhline(cells[0].setting("plastic_max"), color=style.REFERENCE, lw=1, ls="--", label="cap")
    axes.axhline(m.held(cells[0]), color=style.GREY, lw=0.8, ls=":", label="held strain")
    style.panel(axes, f"(c) cap below the held strain, Δt = {step:g} s", "time [s]", "plastic strain, 2-norm [1]")
    axes.set_ylim(0, 1.08 * m.held(cells[0]))
    axes.legend(loc="center right", bbox_to_anchor=(1.0, 0.72), fontsize=8)


@titled("Section 3 — a held strain relaxes")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    steps = sorted({c.number("time_step_s") for c in data.some(name="printed")})
    step = 0.01 if 0.01 in steps else steps[-1]
    axes = figure.axes(1, 3, 12.4, 3.9)
    table = figure.table(
        "rule; c [1/s]; time step [s]; c dt; elastic strain after one step / held .6g; rate in the first step / c "
        ".6g; elastic strain at the end / held .6g"
    )
    _in_time(axes[0], data, step)
    without_rate = _rates(axes[1], data, table)
    _cap(axes[2], data, step)
    printed, exponential = m.printed_recursion_error(data).value, m.exponential_recursion_error(data).value
    crossed = (
        f" (crosses: cΔt = {', '.join(without_rate)}, where a step absorbs the whole elastic strain or more)"
        if without_rate
        else ""
    )
    try:
        growth = m.over_relaxed_growth(data).value
        crossed += (
            "; beyond cΔt = 2, which the paper excludes, every step makes the elastic strain larger, here up to "
            f"{growth:.3g} times the held strain, where the cap stops it"
        )
    except MissingData:
        pass  # no such step at this tier
    return (
        "The paper says: when the elastic strain exceeds the yield, the share cΔt of it becomes plastic in every "
        "step, up to a cap; c ≤ 1/Δt. Measured here: one tetrahedron whose strain is held at "
        f"{m.held(data.cells[0]):g} (2-norm), yield {data.cells[0].setting('plastic_yield'):g}. (a) Elastic strain "
        "in time: markers are measured, thin steps the recursion; the largest deviation from it over all runs is "
        f"{printed:.1e} of the held strain for the printed rate and {exponential:.1e} for the exponential one. Flow "
        "stops in the step that passes the yield, so the printed rule may end below it, by "
        f"{100 * m.printed_undershoot(data).value:.0f} % of it where cΔt is largest (≤ 1). (b) The printed rate "
        f"decays by −ln(1 − cΔt)/Δt, faster than c for every finite step{crossed}. The exponential share decays with "
        "c for any step; radial return is at the yield after one step, whatever c is. (c) The cap is exceeded by at "
        f"most {max(m.cap_excess(data).value, 0.0):.1e} of it."
    )

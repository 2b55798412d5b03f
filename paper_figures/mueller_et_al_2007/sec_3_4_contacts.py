# SPDX-License-Identifier: BSD-3-Clause
"""Section 3.4: restitution and friction by changing velocities,
as printed and with the velocity before the projection."""

import numpy as np

from experiments.mueller_et_al_2007.measurements import velocity_updates as m
from paper_figures.figure import Axes, Drawing, ExperimentData, MissingData, Table, style, titled

ROWS = {"printed": ("as printed", "#c2410c"), "corrected": ("corrected", "#7f3c8d")}


def _restitution(axes: Axes, data: ExperimentData, table: Table) -> dict[str, tuple[float, float, float]]:
    """Distribution of rebound / approach speed / e; returns (mean, least, largest) by row."""
    told = {}
    for name, (text, colour) in ROWS.items():
        every = []
        for cell in data.select(name=name):
            ratio = np.sort(m.ratio(cell))
            every.append(ratio)
            label = text if len(every) == 1 else None
            axes.plot(ratio, (np.arange(len(ratio)) + 0.5) / len(ratio), color=colour, lw=1.1, alpha=0.8, label=label)
            for share in (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0):
                numbers = (cell.number("time_step_s"), share, np.quantile(ratio, share), None)
                table.add("restitution", text, cell.number("restitution"), None, *numbers)
        if every:
            whole = np.concatenate(every)
            told[text] = (float(whole.mean()), float(whole.min()), float(whole.max()))
    style.reference(axes, [0, 1], [0, 1], (0, (4, 3)), label="uniform on 0 … e")
    style.panel(axes, "(a) restitution", "rebound speed / approach speed / e [1]", "share of the particles below [1]")
    axes.set(xlim=(-0.03, 1.08), ylim=(0, 1))
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
            ms = 7 if name == "printed" else 5
            label = text if k == 0 else None
            style.marks(
                axes, [exact], [measured], "s" if name == "printed" else "o", colour, mfc="none", ms=ms, label=label
            )
            worst[text] = max(worst.get(text, 0.0), abs(measured - exact))
            numbers = (np.degrees(slide.slope), cell.number("time_step_s"), None, measured, exact)
            table.add("from rest on a slope", text, float(slide.friction), *numbers)
    low, high = axes.get_xlim()
    style.reference(axes, [0, high], [0, high], (0, (4, 3)), label="g(sin α − μ cos α), or 0")
    style.panel(
        axes, "(b) released on a slope", "acceleration by Coulomb's law [m/s²]", "mean acceleration measured [m/s²]"
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
            label = text if k == 0 else None
            values = slide.velocity / slide.speed
            axes.plot(slide.time, values, color=colour, lw=1.4, ls="-" if name == "corrected" else "--", label=label)
            exact = np.maximum(0.0, 1 + slide.acceleration * slide.time / slide.speed)
            label = "Coulomb (closed form)" if k == 0 and name == "printed" else None
            style.reference(axes, slide.time, exact, (0, (1, 2)), 0.8, label=label)
            if slide.acceleration < 0:
                numbers = (
                    cell.number("time_step_s"),
                    None,
                    slide.way[-1],
                    float(slide.speed**2 / (-2 * slide.acceleration)),
                )
                table.add("way until it stops", text, float(slide.friction), np.degrees(slide.slope), *numbers)
    style.panel(axes, "(c) sliding to a stop", "time [s]", "velocity downhill / at the start [1]", "x")
    axes.set(xlim=(0.01, None), ylim=(-0.05, 1.3))
    axes.legend(loc="upper right")


@titled("Section 3.4 — restitution and friction")
def make(figure: Drawing) -> str:
    bounce, incline = figure.experiment(m.BOUNCE.experiment), figure.experiment(m.INCLINE.experiment)
    if not bounce.select() and not incline.select():
        raise MissingData(
            f"{m.BOUNCE.experiment}, {m.INCLINE.experiment} at tier {figure.results.tier}: no cell that completed"
        )
    axes = figure.axes(1, 3, 13.0, 4.0)
    table = figure.table(
        "what; velocity update; coefficient; slope [deg]; time step [s]; quantile; measured .6g; closed form .6g"
    )
    bounced = _restitution(axes[0], bounce, table)
    slid = _sliding(axes[1], incline, table)
    _stopping(axes[2], incline, table)
    return (
        "The paper says: the velocity of a vertex with a collision constraint is dampened perpendicular to the "
        "normal and reflected along it. Reflected after the projection it contains at most the part of the step "
        "before contact, and damping is not Coulomb friction. Measured here: 401 particles dropped from as "
        "many heights, for each coefficient e and time step, rebound with "
        + "; ".join(
            f"{t}: {mean:.3g} e in the mean, {low:.2g} e to {high:.4g} e"
            if high - low > 1e-6
            else f"{t}: {mean:.6g} e, all within {high - low:.0e} e"
            for t, (mean, low, high) in bounced.items()
        )
        + ". On slopes, the mean acceleration from rest differs from Coulomb's law by at most "
        + ", ".join(f"{v:.2g} m/s² ({t})" for t, v in slid.items())
        + "."
    )

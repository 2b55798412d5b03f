# SPDX-License-Identifier: BSD-3-Clause
"""Section 3: pulled, held and released, with the plastic force of equation 16 and with the sign of the
listing."""

from experiments.mueller_gross_2004.measurements import load_hold_release as m
from paper_figures.figure import Array, Axes, Drawing, MissingData, Table, Trace, style, titled

ROWS = {
    "resisting": ("sign of eq. 16", "#0072B2", "o"),
    "listing": ("sign of the listing", "#D55E00", "s"),
    "elastic": ("no plasticity", style.GREY, "^"),
}


def _curve(axes: Axes, cell: Trace, values: Array, name: str, table: Table, body: str) -> None:
    label, colour, marker = ROWS[name.removesuffix("_undamped")]
    series = cell.series("step", "tip_displacement")
    markevery = max(1, len(values) // 12)
    axes.plot(series.time, values, color=colour, marker=marker, markevery=markevery, ms=4, lw=1.2, label=label)
    for time, value in zip(series.time[::5], values[::5]):
        table.add(body, name, float(time), float(value))


def _release(axes: Axes, time: float) -> None:
    axes.axvline(time, color=style.GREY, lw=0.8, ls=":")
    style.note(
        axes, "released", (time, 1.0), (3, -2), "lt", xycoords=axes.get_xaxis_transform(), size=7.5, color=style.GREY
    )


@titled("Section 3 — pulled, held, released")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    bar = figure.experiment(m.BAR.experiment)
    axes = figure.axes(1, 3, 12.4, 3.8)
    table = figure.table("body; row; time [s]; strain .6g")
    for axis, suffix, title in (
        (axes[0], "", "(a) one degree of freedom, damped"),
        (axes[1], "_undamped", "(b) the same without damping"),
    ):
        for name in [f"{n}{suffix}" for n in ROWS]:
            for cell in data.select(name=name):
                _curve(axis, cell, m.end_position(cell), name, table, "one degree of freedom")
        resisting = data.one(name=f"resisting{suffix}")
        reference = resisting.reference("creeping_bar", "position_m")
        label = "reference, sign of eq. 16"
        values = reference.values
        style.reference(axis, resisting.series("step", "tip_displacement").time, values, "--", 0.9, label=label)
        _release(axis, resisting.number("hold_s"))
        style.panel(axis, title, "time [s]", "displacement / height [1]")
    axes[0].legend(loc="upper right", fontsize=8)
    try:
        for name in ("resisting", "listing"):
            cell = bar.one(name=name)
            _curve(axes[2], cell, m.bar_strain(cell), name, table, "bar")
        cap = cell.setting("plastic_max")
        axes[2].axhline(cap, color=style.REFERENCE, ls="--", lw=0.9, label="cap")
        _release(axes[2], cell.number("hold_s"))
        bar_text = (
            f"(c) A bar of {cell.tetrahedra} tetrahedra keeps {m.bar_strain(bar.one(name='resisting'))[-1]:.4f} (cap "
            f"{cap:g}) or, with the listing's sign, {m.listing_residual_strain(bar).value:.4f}; its nodal forces "
            f"agree with those of an independent B-matrix to {m.plastic_force_error(bar).value:.1e} of the largest."
        )
    except MissingData as reason:
        bar_text = f"(c) not drawn: {reason}."
    style.panel(axes[2], "(c) a bar, damped", "time [s]", "elongation / length [1]")
    axes[2].legend(loc="center right", fontsize=8)
    whole, damped = data.one(name="elastic"), data.one(name="resisting")
    elastic = float(m.end_position(whole)[m.at_release(whole)])
    return (
        "The paper says: plastic strain is kept, and its forces f = −R K (…) are part of the right-hand side; "
        "equation 16 and the listing of section 6 differ in the sign of that force. Measured here: a body whose "
        f"elastic strain under the load is {elastic:.3g}, held and released, yield "
        f"{damped.setting('plastic_yield'):g}, creep {damped.setting('plastic_creep_per_s'):g}/s, cap "
        f"{damped.setting('plastic_max'):g}. (a) With the sign of equation 16 the strain under load grows to "
        f"{m.held_position(data).value:.3f} and {m.residual(data).value:.4f} stays after release; with the listing's "
        f"sign it shrinks to {m.listing_held_position(data).value:.3f} under load and "
        f"{abs(m.listing_residual(data).value):.4f} stays: the plastic force then works against the load, and the "
        f"flow does not remain. (b) Undamped the residual is {m.residual_undamped(data).value:.4f}, due to reverse "
        f"flow, or {m.listing_residual_undamped(data).value:.4f}. The deviation from the reference is at "
        f"most {m.residual_error(data).value:.1e} m in any step. {bar_text}"
    )

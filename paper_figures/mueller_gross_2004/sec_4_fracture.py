# SPDX-License-Identifier: BSD-3-Clause
"""Section 4: a bar pulled until it breaks, slowly and at once: load and strain at the first split, and its plane."""

import numpy as np

from deformbench_analysis.vocabulary import parameter
from experiments.mueller_gross_2004.measurements import uniaxial_fracture as m
from experiments.mueller_gross_2004.measurements.split_events import first_split, split_total
from paper_figures.figure import Array, Drawing, MissingData, Trace, style, titled

ROWS = {
    "elastic": ("elastic", "#0072B2", "o"),
    "elastic_printed_frame": ("elastic, normal in the element's frame", "#56B4E9", "D"),
    "plastic": ("creep, stress of the elastic strain", "#009E73", "^"),
    "plastic_total_strain": ("creep, stress of the total strain (as printed)", "#D55E00", "s"),
}

FLOOR_DEG = 1e-7  # angles below are drawn here
_turn = parameter("turn_deg", float, "Angle between the bar and x, degrees.")


def _strain(cell: Trace) -> tuple[Array, Array]:
    """(axial strain, load / threshold) of every row up to the first split."""
    displacement = cell.series("step", "tip_displacement")
    half = cell.number("length_m") / 2
    strain = (displacement.values + np.array([half, 0, 0])) @ m.axis(cell) / half - 1
    load = (
        float(cell.value("scene.parameters.stress_pa")[0])
        * np.minimum(1, displacement.time / cell.number("ramp_s"))
        / m.threshold(cell)
    )
    try:
        before = displacement.step <= first_split(cell).step
    except MissingData:
        before = np.ones(len(load), dtype=bool)
    return strain[before], load[before]


@titled("Section 4 — a bar pulled until it breaks")
def make(figure: Drawing) -> str:
    data, step = figure.experiment(m.M.experiment), figure.experiment(m.STEP.experiment)
    axes = figure.axes(1, 3, 12.8, 4.0)
    table = figure.table(
        "part; row; turn [deg]; load at the first split / threshold .5g; strain at the first split .5g; normal "
        "against the pull [rad] .3g; splits"
    )
    angles: list[tuple[str, float, float]] = []
    reference: float | None = None
    for name, (label, colour, marker) in ROWS.items():
        for cell in sorted(data.select(name=name), key=_turn):
            broken = split_total(cell) > 0
            strain, load = _strain(cell)
            if broken:
                angles.append((name, _turn(cell), m.normal_angle(cell)))
                numbers = (m.breaking_strain(cell), m.normal_angle(cell), split_total(cell))
                table.add("slow", name, _turn(cell), m.breaking_load(cell) / m.threshold(cell), *numbers)
            if _turn(cell) != 0 or name == "elastic_printed_frame":
                continue
            axes[0].plot(strain, load, color=colour, lw=1.2, label=label)
            if broken:
                style.marks(
                    axes[0], [m.breaking_strain(cell)], [m.breaking_load(cell) / m.threshold(cell)], marker, colour
                )
            if name == "plastic":
                reference = float(cell.reference("uniaxial_fracture", "slow_plastic_strain").values)
    elastic_cell = data.some(name="elastic")[0]
    elastic = m.threshold(elastic_cell) / elastic_cell.number("young_modulus_pa")
    for value, label, low in ((elastic, "threshold/E", 0.42), (reference, "slow limit with flow", 0.05)):
        if value is not None:
            axes[0].axvline(value, ymax=0.74, color=style.REFERENCE, lw=0.9, ls="--")
            style.note(axes[0], f"{label} = {value:.4g}", (value, low), (3, 0), "lb", rotation=90, size=7.5)
    axes[0].axhline(1.0, color=style.REFERENCE, lw=0.9, ls=":")
    axes[0].set_xlim(right=1.08 * axes[0].dataLim.x1)
    style.panel(
        axes[0], "(a) pulled slowly, up to the first split", "axial strain [1]", "nominal stress / threshold [1]"
    )
    axes[0].set(ylim=(0, 1.5))
    axes[0].legend(loc="upper left", fontsize=7.5)
    names = [n for n in ROWS if any(a[0] == n for a in angles)]
    for place, name in enumerate(names):
        for _, turn, angle in (a for a in angles if a[0] == name):
            colour = ROWS[name][1]
            marker, fill = ("o", "none") if turn == 0 else ("^", colour)
            style.marks(axes[1], [max(np.degrees(angle), FLOOR_DEG)], [place], marker, colour, ms=7, mfc=fill)
    axes[1].plot([], [], "o", color=style.GREY, mfc="none", label="along x")
    axes[1].plot([], [], "^", color=style.GREY, label=f"turned by {max((a[1] for a in angles), default=0):g}°")
    axes[1].set_yticks(
        range(len(names)), [ROWS[n][0].replace(", ", ",\n").replace(" (", "\n(") for n in names], fontsize=7.5
    )
    axes[1].set(
        xscale="log",
        xlabel="first normal against the pull [deg]",
        title="(b) plane of the first split",
        ylim=(-0.6, len(names) - 0.4),
    )
    axes[1].legend(loc="lower right", fontsize=8)
    sudden = sorted(step.select(), key=lambda c: c.number("traction_pa"))
    text = "(c) not drawn: no trace."
    if sudden:
        for cell in sudden:
            factor = cell.number("traction_pa") / m.threshold(cell)
            peak = float(np.max(cell.values("step", "max_stress_principal"))) / m.threshold(cell)
            broken = split_total(cell) > 0
            style.marks(axes[2], [factor], [peak], "s" if broken else "o", "#D55E00" if broken else "#0072B2")
            table.add("sudden", "broken" if broken else "whole", 0.0, factor, None, None, split_total(cell))
        axes[2].plot([], [], "o", color="#0072B2", label="whole")
        axes[2].plot([], [], "s", color="#D55E00", label="broken")
        axes[2].axhline(1.0, color=style.REFERENCE, lw=0.9, ls=":")
        axes[2].axvline(0.5, color=style.REFERENCE, lw=0.9, ls="--", label="½ (stress doubles)")
        axes[2].legend(loc="lower right", fontsize=8)
        try:
            outcome = m.load_factor(step)
            text = (
                f"(c) A sudden load breaks the bar from {outcome.value:.3f} of the threshold on "
                f"({outcome.note}); a wave doubles the stress, hence ½."
            )
        except MissingData as reason:
            text = f"(c) {reason}."
    axes[2].set_title("(c) sudden load")
    style.labels(axes[2], "sudden load / threshold [1]", "largest principal stress of the run / threshold [1]")
    axes[2].set(xticks=[0.4, 0.45, 0.5, 0.55, 0.6])
    sentences = []
    if data.select(name="plastic"):
        sentences.append(
            f"with the dragon's creep and the stress of the elastic strain at {m.corrected_strain(data).value:.4f} "
            f"(reference {reference:.4f})"
        )
    if data.select(name="plastic_total_strain"):
        sentences.append(
            f"with the stress of the total strain, as printed, at {m.printed_strain(data).value:.4f} and at "
            f"{m.printed_load(data).value:.2f} of the load: a material that flows then breaks by its strain alone"
        )
    return (
        "The paper says: an element breaks where the largest principal stress exceeds the threshold, by the plane "
        "normal to it. Measured here: a free bar pulled at its ends, threshold "
        f"{m.threshold(elastic_cell) / 1e3:g} kPa. (a) Without plasticity the first split comes at a strain of "
        f"{m.elastic_strain(data).value:.4f} (reference {elastic:.4g}) and within "
        f"{100 * m.elastic_load_error(data).value:.2g} % of the threshold; {'; '.join(sentences)}. (b) The normal of "
        f"the first split, without plasticity, is within {np.degrees(m.normal_error_rad(data).value):.1e}° of the "
        "pull; left in the element's frame, as printed, it is off by "
        f"{np.degrees(m.printed_frame_error_rad(data).value):.1f}° in the bar that is turned. {text}"
    )

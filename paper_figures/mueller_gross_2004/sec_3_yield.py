# SPDX-License-Identifier: BSD-3-Clause
"""Section 3: what yields. The shear at which flow begins against the element's orientation,
and residual hydrostatic strain."""

import numpy as np

from experiments.mueller_gross_2004.measurements import hydrostatic_release as h, yield_onset_orientation as m
from paper_figures.figure import Drawing, MissingData, style, titled

NORMS = {
    "engineering": ("6-vector, engineering shear (as printed)", "#D55E00", "s"),
    "frobenius": ("Frobenius norm", "#0072B2", "o"),
}
MEASURES = {"total": ("whole strain (as printed)", "#D55E00"), "deviatoric": ("deviator", "#0072B2")}


@titled("Section 3 — what yields")
def make(figure: Drawing) -> str:
    data, pressed = figure.experiment(m.M.experiment), figure.experiment(h.M.experiment)
    axes = figure.axes(1, 2, 9.6, 3.9)
    table = figure.table("part; row; angle or time [deg or s]; onset shear or V/V0 - 1 .6g")
    fine = np.linspace(0, 45, 91)
    turn = 2 * np.radians(fine)
    for name, (label, colour, marker) in NORMS.items():
        cells = sorted(data.some(name=name), key=lambda c: c.number("orientation_deg"))
        angle = [c.number("orientation_deg") for c in cells]
        shear = [c.number("strain") * m.onset_step(c) / m.steps_of_ramp(c) for c in cells]
        style.marks(axes[0], angle, shear, marker, colour, label=label)
        yield_ = cells[0].setting("plastic_yield")
        # A shear γ, seen at an angle, is ±(γ/2) sin 2θ in the diagonal and γ cos 2θ off it (engineering),
        # half that in the tensor.
        norm = (
            np.sqrt(0.5 * np.sin(turn) ** 2 + np.cos(turn) ** 2)
            if name == "engineering"
            else np.full_like(turn, np.sqrt(0.5))
        )
        axes[0].plot(fine, yield_ / norm, color=colour, ls="--", lw=0.9)
        for a, s in zip(angle, shear):
            table.add("onset", name, a, s)
    axes[0].plot([], [], color=style.GREY, ls="--", lw=0.9, label="closed form")
    axes[0].set_title("(a) onset against orientation")
    style.labels(axes[0], "angle of the element to the shear [deg]", "engineering shear when flow begins [1]")
    axes[0].set(xticks=[0, 15, 30, 45])
    axes[0].set_ylim(0, 1.06 * axes[0].dataLim.y1)
    axes[0].legend(loc="lower right", fontsize=8)
    try:
        for name, (label, colour) in MEASURES.items():
            cell = pressed.one(name=name)
            volume = cell.series("step", "volume")
            change = volume.values / volume.values[0] - 1
            axes[1].plot(volume.time, 100 * change, color=colour, label=label)
            for t, v in zip(volume.time[::5], change[::5]):
                table.add("hydrostatic", name, float(t), float(v))
        hold = cell.number("hold_s")
        axes[1].axvline(hold, color=style.GREY, lw=0.8, ls=":")
        place = (hold, 0.02)
        style.note(
            axes[1], "released", place, (3, 0), xycoords=axes[1].get_xaxis_transform(), size=7.5, color=style.GREY
        )
        cap = cell.setting("plastic_max")
        text = (
            "(b) A block under hydrostatic tension of "
            f"{float(cell.value('scene.parameters.stress_pa')[0]) / 1e3:g} kPa keeps, released, "
            f"{100 * h.total_volume_change(pressed).value:.2f} % volume gain if the whole strain flows (cap {cap:g}) "
            f"and {100 * abs(h.deviatoric_volume_change(pressed).value):.1e} % when its deviator does."
        )
    except MissingData as reason:
        text = f"(b) not drawn: {reason}."
    style.panel(axes[1], "(b) hydrostatic tension, and release", "time [s]", "V/V₀ − 1 [%]")
    axes[1].legend(loc="upper right", fontsize=8)
    return (
        "The paper says: flow begins when the 2-norm of the vector of six strains exceeds the yield. Measured here: "
        "(a) one tetrahedron, turned by an angle, in a growing shear: with the printed norm, in which a shear "
        "counts twice its tensor component, the onset depends on the angle by "
        f"{100 * m.engineering_spread(data).value:.1f} % (closed form: √2 − 1 = 41.4 %), with the Frobenius norm by "
        f"{100 * m.frobenius_spread(data).value:.2g} %; each onset is at most {m.onset_error_steps(data).value:.0f} "
        f"step(s) from the predicted one. {text}"
    )

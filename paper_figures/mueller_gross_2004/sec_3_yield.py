# SPDX-License-Identifier: BSD-3-Clause
"""Section 3: what yields. The shear at which flow begins against the element's orientation,
and what a hydrostatic load leaves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from deformbench_analysis.errors import MissingData
from experiments.mueller_gross_2004.measurements import hydrostatic_release as h
from experiments.mueller_gross_2004.measurements import yield_onset_orientation as m
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

NORMS = {
    "engineering": ("6-vector, engineering shear (as printed)", "#D55E00", "s"),
    "frobenius": ("Frobenius norm", "#0072B2", "o"),
}
MEASURES = {"total": ("whole strain (as printed)", "#D55E00"), "deviatoric": ("deviator", "#0072B2")}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data, pressed = results.experiment(m.M.experiment), results.experiment(h.M.experiment)
    figure, axes = style.new_figure(1, 2, width=9.6, height=3.9)
    table = Table(
        [
            Column("part"),
            Column("row"),
            Column("angle or time", "deg or s"),
            Column("onset shear or V/V0 - 1", "1", ".6g"),
        ]
    )
    fine = np.linspace(0, 45, 91)
    turn = 2 * np.radians(fine)
    for name, (label, colour, marker) in NORMS.items():
        cells = sorted(data.some(name=name), key=lambda c: float(c.value("scene.parameters.orientation_deg")))
        angle = [float(c.value("scene.parameters.orientation_deg")) for c in cells]
        shear = [float(c.value("scene.parameters.strain")) * m.onset_step(c) / m.steps_of_ramp(c) for c in cells]
        axes[0].plot(angle, shear, linestyle="none", marker=marker, color=colour, label=label)
        yield_ = float(cells[0].value("method.parameters.plastic_yield"))
        # A shear γ, seen at an angle, is ±(γ/2) sin 2θ in the diagonal and γ cos 2θ off it (engineering),
        # half that in the tensor.
        norm = (
            np.sqrt(0.5 * np.sin(turn) ** 2 + np.cos(turn) ** 2)
            if name == "engineering"
            else np.full_like(turn, np.sqrt(0.5))
        )
        axes[0].plot(fine, yield_ / norm, color=colour, linestyle="--", linewidth=0.9)
        for a, s in zip(angle, shear):
            table.add("onset", name, a, s)
    axes[0].plot([], [], color=style.GREY, linestyle="--", linewidth=0.9, label="closed form")
    axes[0].set(
        xlabel="angle of the element to the shear [deg]",
        ylabel="engineering shear when flow begins [1]",
        title="(a) onset against orientation",
        xticks=[0, 15, 30, 45],
    )
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
        hold = float(cell.value("scene.parameters.hold_s"))
        axes[1].axvline(hold, color=style.GREY, linewidth=0.8, linestyle=":")
        axes[1].annotate(
            "released",
            (hold, 0.02),
            xycoords=axes[1].get_xaxis_transform(),
            xytext=(3, 0),
            textcoords="offset points",
            fontsize=7.5,
            color=style.GREY,
        )
        cap = float(cell.value("method.parameters.plastic_max"))
        text = (
            f"(b) A block pulled equally on all sides by {float(cell.value('scene.parameters.stress_pa')[0]) / 1e3:g} kPa and released keeps {100 * h.total_volume_change(pressed).value:.2f} % of volume when the whole strain "
            f"flows (cap {cap:g}) and {100 * abs(h.deviatoric_volume_change(pressed).value):.1e} % when its deviator does."
        )
    except MissingData as reason:
        text = f"(b) not drawn: {reason}."
    axes[1].set(xlabel="time [s]", ylabel="V/V₀ − 1 [%]", title="(b) pulled equally on all sides, and released")
    axes[1].legend(loc="upper right", fontsize=8)
    stem = out_dir / "sec_3_yield"
    caption = (
        "The paper says: flow begins when the 2-norm of the vector of six strains exceeds the yield. "
        f"Measured here: (a) one tetrahedron, turned by an angle, in a growing shear: with the printed norm, in which a shear counts twice its tensor component, the onset depends on the angle by "
        f"{100 * m.engineering_spread(data).value:.1f} % (closed form: √2 − 1 = 41.4 %), with the Frobenius norm by {100 * m.frobenius_spread(data).value:.2g} %; each onset is at most {m.onset_error_steps(data).value:.0f} step(s) from the "
        f"predicted one. {text} Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Section 3 — what yields", caption, figure, table, stem, data, pressed)

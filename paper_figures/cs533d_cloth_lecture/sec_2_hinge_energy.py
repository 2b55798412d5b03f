# SPDX-License-Identifier: BSD-3-Clause
"""Slide 2: hinge energy relative to a cylinder's curvature, by mesh and angle; 1 − cos(θ/2) instead of θ²."""

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import curvature_integral as ci, theta_approximation as ta
from paper_figures.figure import Drawing, style, titled

LOOKS = {
    "equilateral": ("#0072B2", "o"),
    "right": ("#D55E00", "s"),
    "jittered": ("#009E73", "D"),
    "delaunay": ("#CC79A7", "v"),
}


@titled("Slide 2 — what hinges measure")
def make(figure: Drawing) -> str:
    curved, folded = figure.experiment(ci.M.experiment), figure.experiment(ta.M.experiment)
    axes = figure.axes(1, 2, 9.8, 4.4)
    table = figure.table("what; angle [deg] .5g; ratio .6g")
    cylinder = curved.every(where={"scene.parameters.surface": ci.CYLINDER})
    finest = min(c.number("spacing_m") for c in cylinder)
    for mesh, (colour, marker) in LOOKS.items():
        cells = [c for c in cylinder if c.value("scene.parameters.mesh") == mesh and c.number("spacing_m") == finest]
        for number, cell in enumerate(cells):
            ratio = ci.ratios(cell)
            angle = 180 * np.arange(len(ratio)) / len(ratio)
            style.marks(axes[0], angle, ratio, marker, colour, label=None if number else mesh)
            for a, r in zip(angle, ratio):
                table.add(mesh, a, r)
    turned = np.linspace(0, 165, 200)
    double = np.sin(2 * np.radians(turned))
    axes[0].plot(turned, 1 + double + double**2, color=LOOKS["right"][0], lw=1, label="1 − S + S², S = −sin 2α")
    axes[0].axhline(1, color="#888888", lw=1)
    style.panel(axes[0], "(a) a bent cylinder", "mesh turned by [deg]", "2W / (B ∫κ²) [1]", ylim=(0, None))
    angle, energy, torque = ta.curves(folded.one(name="half_angle"))
    kept = angle > 1e-2
    shown = {
        "energy": energy[kept] / (angle[kept] ** 2 / 2),
        "force": np.abs(torque[kept] / angle[kept]),
        "energy, 2 (1 − cos θ)": 2 * (1 - np.cos(angle[kept])) / angle[kept] ** 2,
    }
    looks = (("#0072B2", "-"), ("#D55E00", "-"), ("#888888", "--"))
    for (name, values), (colour, dashes) in zip(shown.items(), looks):
        axes[1].plot(np.degrees(angle[kept]), values, color=colour, ls=dashes, label=name)
        for at in (45, 90, 135, 175):
            table.add(name, at, np.interp(at, np.degrees(angle[kept]), values))
    style.panel(axes[1], "(b) 8 (1 − cos(θ/2)) for θ²", "θ [deg]", "relative to θ² [1]", ylim=(0, 1.05))
    for ax in axes:
        ax.legend(fontsize=8)
    return (
        "The slide says: a hinge's share of the integral of squared mean curvature varies as |e|²θ²/(A1 + A2), and "
        "θ² behaves much like 1 − cos(θ/2). Measured here: (a) the energy of cylinder patches with rotated meshes, "
        f"relative to the integral, spacing {1000 * finest:.0f} mm for a radius of 1 m; "
        f"equilateral meshes are within {100 * ci.equilateral_cylinder_error(curved).value:.1f} % of it, right "
        f"triangles between {ci.range_of(curved, 'right')}. On a sphere, where the mean curvature's integral is 4, "
        f"equilateral hinges measure {ci.range_of(curved, 'equilateral', ci.SPHERE)}. (b) Energy and force of single "
        "hinges relative to those of θ², equal at small angles: the energy is "
        f"{100 * ta.energy_error(folded).value:.1f} % off at most, the force "
        f"{100 * ta.force_error_to_quarter(folded).value:.1f} % up to a right angle and "
        f"{100 * ta.force_error(folded).value:.0f} % at π; dashed: cos θ, not cos(θ/2)."
    )

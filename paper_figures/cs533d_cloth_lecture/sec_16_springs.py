# SPDX-License-Identifier: BSD-3-Clause
"""Slide 16: stress against strain of springs that flow, and of springs that break."""

from experiments.cs533d_cloth_lecture.measurements import broken_chain, spring_cycles, spring_fracture, springs
from paper_figures.figure import Drawing, style, titled

LOOKS = {
    "perfect": style.method_style("warped", "no hardening"),
    "hardening": style.method_style("linear", "hardening"),
    "brittle": style.method_style("linear_direct", "brittle"),
    "ductile": style.method_style("linear", "ductile"),
}


@titled("Slide 16 — springs that flow and break")
def make(figure: Drawing) -> str:
    cycles, fracture, chains = (
        figure.experiment(m.M.experiment) for m in (spring_cycles, spring_fracture, broken_chain)
    )
    axes = figure.axes(1, 2, 9.8, 4.0)
    table = figure.table("row; turn; stress / E .6g; closed form .6g")
    for name in ("perfect", "hardening"):
        cell = min(cycles.every(name=name, keep=spring_cycles.is_slow), key=lambda c: c.number("time_step_s"))
        strain, stress = springs.driven_path(cell)
        axes[0].plot(strain, stress, color=LOOKS[name].colour, ls=LOOKS[name].line, label=LOOKS[name].label)
        turns = spring_cycles.turning_points(cell)[1:]
        axes[0].plot(strain[turns], spring_cycles.expected_turns(cell), "o", mfc="none", color=style.REFERENCE)
        for k, (found, exact) in enumerate(zip(stress[turns], spring_cycles.expected_turns(cell))):
            table.add(name, k + 1, float(found), exact)
    for name in ("brittle", "ductile", "perfect"):
        cell = fracture.one(name=name)
        strain, stress = springs.driven_path(cell)
        axes[1].plot(strain, stress, color=LOOKS[name].colour, ls=LOOKS[name].line, label=LOOKS[name].label)
    titles = ("(a) two cycles, circles: closed form", "(b) pulled until it breaks")
    for axis, title in zip(axes, titles):
        style.panel(axis, title, "strain over the original length [1]", "stress / E [1]")
        axis.legend()
    works = [work(fracture).value for work in (spring_fracture.brittle_work, spring_fracture.ductile_work)]
    return (
        "The slide says: the rest length of a spring changes where its stress is too high, in tension and in "
        "compression at stresses that may differ; the yield condition becomes more stringent with the flow; and the "
        "spring breaks where its stress is too high. Measured here: (a) one spring with yield stresses of 0.05 and "
        "0.03 of the modulus between strains of ±0.15; (b) springs that break at a stress of 0.09 of the modulus, "
        f"after work of {works[0]:.0f} J/m³, brittle, and {works[1]:.0f} J/m³, ductile; without hardening the stress "
        f"stays at 0.05, and the spring never breaks. In {int(broken_chain.chains(chains))} chains of either kind "
        f"the thinnest link broke in all but {int(broken_chain.breaks_elsewhere(chains).value)}."
    )

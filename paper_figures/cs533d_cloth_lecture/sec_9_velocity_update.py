# SPDX-License-Identifier: BSD-3-Clause
"""Slides 8 and 9: rebound of a rod by inelastic collisions of its particles,
and effect of a velocity update."""

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import rebound, velocity_smoothing
from paper_figures.figure import Drawing, style, titled

STOPPED = style.method_style("warped", "stopped")
THROWN = style.method_style("linear", "thrown back")
PLAIN = style.method_style("warped", "plain")
CONSTRAINED = style.method_style("linear", "constrained")


@titled("Slides 8 and 9 — collisions and velocity updates")
def make(figure: Drawing) -> str:
    rods, chains = (figure.experiment(m.M.experiment) for m in (rebound, velocity_smoothing))
    axes = figure.axes(1, 3, 12.5, 3.8)
    table = figure.table("row; links or s; value .6g; reference .6g")
    for restitution, look in ((0.0, STOPPED), (1.0, THROWN)):
        cells = rods.every(
            name="elastic", where={"scene.parameters.restitution": restitution}, keep=rebound.starts_on_the_wall
        )
        style_of = {"color": look.colour, "marker": look.marker, "linestyle": "none", "label": look.label}
        axes[0].plot([rebound.links(c) for c in cells], [rebound.rebound(c) for c in cells], **style_of)
    for cell in rods.every(
        name="elastic", where={"scene.parameters.restitution": 0.0}, keep=rebound.starts_on_the_wall
    ):
        links = rebound.links(cell)
        table.add("rebound", links, rebound.rebound(cell), rebound.REFERENCE.get(links, float("nan")))
    reference = sorted(rebound.REFERENCE.items())
    axes[0].plot(*zip(*reference), color=style.REFERENCE, ls="--", lw=1)
    style.panel(axes[0], "(a) rods on a wall", "links of the rod", "speed after / before [1]", log="x")
    axes[0].legend(loc="lower right")
    s = np.geomspace(0.1, 20, 80)
    decay = (1 + 2 * s - np.sqrt(1 + 4 * s)) / (2 * s)
    lines = {"half_step": ((1 - decay) ** 2, 2 * decay), "half_step_constrained": (1 - decay, decay / (1 - decay))}
    for name, look in (("half_step", PLAIN), ("half_step_constrained", CONSTRAINED)):
        cells = chains.every(name=name)
        x = [velocity_smoothing.strength(c) for c in cells]
        rates = [velocity_smoothing.link_rate(c) for c in cells]
        depths = [velocity_smoothing.next_depth(c, False) for c in cells]
        for axis, values, line in zip(axes[1:], (rates, depths), lines[name]):
            axis.plot(s, line, color=look.colour, lw=1)
            style.marks(axis, x, values, look.marker, look.colour, label=look.label)
        for cell, rate in zip(cells, rates):
            power = 2 if name == "half_step" else 1
            numbers = (rate, (1 - velocity_smoothing.decay(cell)) ** power)
            table.add(f"link rate, {name}", velocity_smoothing.strength(cell), *numbers)
    style.panel(axes[1], "(b) after the update", "s = Δt c/2m [1]", "largest link rate / V [1]", log="x")
    style.panel(axes[2], "(c) one step later", "s = Δt c/2m [1]", "depth / VΔt [1]", log="x")
    for axis in axes[1:]:
        axis.legend()
    return (
        "The slides say: inelastic collisions of particles are appropriate, as the body itself provides the "
        "rebound; an implicit update couples the particles that collided with the rest, and is stronger with their "
        "normal velocities constrained. Measured here: (a) the rebound of an undamped rod that starts on the wall, "
        "which stops its end particle or throws it back, with half a link in a step, dashed: an independent "
        "program; (b) rate of the first link after the update, of a chain of dampers whose end was stopped, "
        "lines: closed forms; (c) depth of the end after one more step without collision. With s > 2 the "
        "constrained update leads deeper. "
    )

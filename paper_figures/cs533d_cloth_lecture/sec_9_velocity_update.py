# SPDX-License-Identifier: BSD-3-Clause
"""Slides 8 and 9: what a rod makes of inelastic collisions of its particles,
and what a velocity update makes of one."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import rebound, velocity_smoothing
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

STOPPED = style.method_style("warped", "stopped")
THROWN = style.method_style("linear", "thrown back")
PLAIN = style.method_style("warped", "plain")
CONSTRAINED = style.method_style("linear", "constrained")


def make(results: Results, out_dir: Path) -> FigureEntry:
    rods, chains = (results.experiment(m.M.experiment) for m in (rebound, velocity_smoothing))
    figure, axes = style.new_figure(1, 3, width=12.5, height=3.8)
    table = Table(
        [Column("row"), Column("links or s", "1", ".4g"), Column("value", "1", ".6g"), Column("reference", "1", ".6g")]
    )
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
    axes[0].plot(*zip(*reference), color=style.REFERENCE, linestyle="--", linewidth=1)
    axes[0].set(xscale="log", xlabel="links of the rod", ylabel="speed after / before [1]", title="(a) rods on a wall")
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
            axis.plot(s, line, color=look.colour, linewidth=1)
            axis.plot(x, values, color=look.colour, marker=look.marker, linestyle="none", label=look.label)
        for cell, rate in zip(cells, rates):
            power = 2 if name == "half_step" else 1
            table.add(
                f"link rate, {name}",
                velocity_smoothing.strength(cell),
                rate,
                (1 - velocity_smoothing.decay(cell)) ** power,
            )
    axes[1].set(
        xscale="log", xlabel="s = Δt c/2m [1]", ylabel="largest link rate / V [1]", title="(b) after the update"
    )
    axes[2].set(xscale="log", xlabel="s = Δt c/2m [1]", ylabel="depth / VΔt [1]", title="(c) one step later")
    for axis in axes[1:]:
        axis.legend()
    stem = out_dir / "sec_9_velocity_update"
    caption = (
        "The slides say: inelastic collisions of particles are appropriate, as the body itself provides the rebound; an implicit update "
        "couples the particles that collided with the rest, and is stronger with their normal velocities constrained. Measured here: "
        "(a) the rebound of an undamped rod that starts on the wall, which stops its end particle or throws it back, with half a link in a "
        "step, dashed: an independent program; (b) what "
        "rate the update leaves of the first link of a chain of dampers whose end was stopped, lines: closed forms; (c) how deep the end "
        "would be after one more step without a collision. With s > 2 the constrained update leads deeper. "
        f"Machine: {machine_line(rods.cells)}."
    )
    return style.finished(
        "Slides 8 and 9 — collisions and velocity updates", caption, figure, table, stem, rods, chains
    )

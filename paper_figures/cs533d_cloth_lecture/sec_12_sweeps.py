# SPDX-License-Identifier: BSD-3-Clause
"""Slide 12: sweeps of impulses that folded layers need, and the kinetic energy that rigid zones keep."""

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import affine_zones, folding_stack, impact_zones
from paper_figures.figure import Drawing, style, titled


@titled("Slide 12 — sweeps and impact zones")
def make(figure: Drawing) -> str:
    stack, piles, thick = map(
        figure.experiment, (folding_stack.M.experiment, impact_zones.M.experiment, affine_zones.M.experiment)
    )
    axes = figure.axes(1, 3, 13.2, 4.2)
    table = figure.table("row; layers; load; noise; sweeps; crossings; energy kept .4g; faulty share .4g")
    cells = folding_stack.CAPPED.runs(stack)
    loads = sorted({float(c.value(folding_stack.LOAD)) for c in cells})
    for k, load in enumerate(loads):
        for order, line, marker in (("forward", "-", "o"), ("backward", "--", "s")):
            own = [c for c in cells if c.value(folding_stack.LOAD) == load and c.value(folding_stack.ORDER) == order]
            numbers = [int(c.value(folding_stack.LAYERS)) for c in own]
            sweeps = [folding_stack.count(c, folding_stack.SWEEPS) for c in own]
            what = f"plate {load:g}×" if load else "no plate"
            axes[0].plot(numbers, sweeps, color=f"C{k}", ls=line, marker=marker, label=f"{what}, {order}")
            for cell, n, found in zip(own, numbers, sweeps):
                table.add(order, n, load, "", found, folding_stack.crossings(cell), "", "")
    zones = stack.some(name="zones")
    rounds = [folding_stack.count(c, folding_stack.ROUNDS) for c in zones]
    axes[0].plot(
        [int(c.value(folding_stack.LAYERS)) for c in zones], rounds, "k*", ls="none", label="rigid zones, rounds"
    )
    axes[0].axhline(folding_stack.THOUSAND, color="0.6", lw=0.8)
    for cell, found in zip(zones, rounds):
        layers_here, load_here = int(cell.value(folding_stack.LAYERS)), float(cell.value(folding_stack.LOAD))
        table.add("zones", layers_here, load_here, "", found, folding_stack.crossings(cell), "", "")
    style.panel(axes[0], "(a) sweeps of impulses", "folded layers", "sweeps until nothing crosses", log="xy")
    layers = sorted({int(c.value(folding_stack.LAYERS)) for c in cells})
    style.ticks(axes[0].xaxis, layers)
    axes[0].legend(fontsize=6, loc="upper center", bbox_to_anchor=(0.45, -0.13), ncol=4, columnspacing=1.0)
    labels = {"impulses": "impulses", "rigid": "rigid zones", "affine": "affine zones"}
    for k, (name, label) in enumerate(labels.items()):
        own = piles.some(name=name)
        noises = [c.number("speed_noise") for c in own]
        kept = [impact_zones.kept_energy(c) for c in own]
        faults = [float(np.mean((impact_zones.crossings(c) > 0) | (impact_zones.passed_layers(c) > 0))) for c in own]
        places = np.arange(len(noises)) + 0.2 * (k - 1)
        axes[1].errorbar(
            places,
            [float(np.median(e)) for e in kept],
            yerr=[[float(np.median(e) - e.min()) for e in kept], [float(e.max() - np.median(e)) for e in kept]],
            color=f"C{k + 3}",
            marker="o^v"[k],
            ls="none",
            label=f"{label} (faulty: {100 * max(faults):.0f} %)",
        )
        for noise, energy, fault in zip(noises, kept, faults):
            table.add(name, "", "", noise, "", "", np.median(energy), fault)
        axes[1].set_xticks(range(len(noises)), [f"{n:g}" for n in noises])
    axes[1].set_title("(b) a pile after one step")
    style.labels(axes[1], "random velocities / speed of the fall", "kinetic energy kept [1]", "y")
    axes[1].legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=3)
    for k, (name, label) in enumerate((("rigid", "rigid zones"), ("affine", "affine zones"))):
        own = sorted(thick.some(name=name), key=affine_zones.approach_ratio)
        ratios = [affine_zones.approach_ratio(c) for c in own]
        faults = [float(np.mean(affine_zones.faulty(c))) for c in own]
        axes[2].plot(ratios, faults, color=f"C{k + 4}", marker="^v"[k], ls="-", label=label, clip_on=False)
        for ratio, fault in zip(ratios, faults):
            table.add(f"{name}, approach over height {ratio:.3g}", "", "", "", "", "", "", fault)
    axes[2].axvline(2 / 3, color="0.6", lw=0.8)
    axes[2].set_title("(c) piles of other heights")
    style.labels(axes[2], "approach in the step / height of the pile", "share of faulty piles", "x")
    axes[2].legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=2)
    return (
        "The slide says: situations that need more than a thousand iterations are easy to find, and rigid or affine "
        "zones resolve everything, but overdamped. Measured here: (a) sweeps of impulses after which nothing "
        "crosses within the step, for a folded strip that falls on a floor or onto which a plate of 10 or 100 times "
        "its mass falls, and rounds of rigid zones for the same; (b) kinetic energy about the mean velocity, after / "
        "before the step, medians and ranges over seeds; in faulty piles sheets cross or passed through each other; "
        "(c) their share against the approach of both halves of a pile; line: where an affine fit to many layers "
        "inverts them."
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Section 3: a free block without loads that turns itself while it flows, as plastic forces have a net torque."""

import numpy as np

from experiments.mueller_gross_2004.measurements import plastic_self_spin as m
from paper_figures.figure import Drawing, Trace, style, titled

COLOURS = ("#0072B2", "#E69F00", "#D55E00", "#CC79A7", "#009E73", "#7f3c8d")
POINTS = 61  # rows of a run in the table


def variant(cell: Trace) -> str:
    """What distinguishes the run, for the legend."""
    if cell.method_name == m.ELASTIC:
        return "elastic"
    text = f"creep {float(cell.value('method.parameters.plastic_creep_per_s')):g}/s"
    if cell.method_name == "printed":
        return text + ", as printed"
    return text + (
        f", Δt = {float(cell.value('scene.parameters.time_step_s')):g} s"
        if cell.method_name == "plastic_small_step"
        else ""
    )


@titled("Section 3 — a block that turns itself")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    cells = data.some()
    axes = figure.axes(1, 3, 12.6, 4.0)
    table = figure.table(
        "row; seed number; time [s]; angular momentum [kg m2/s] .6g; kinetic energy [J] .6g; torque over force "
        "times side"
    )
    for cell, colour in zip(cells, COLOURS * (1 + len(cells) // len(COLOURS))):
        name = variant(cell)
        side = cell.number("side_m")
        kinetic, torques, forces = (
            cell.series("step", n).members() for n in ("kinetic_energy", "elastic_torque_sum", "max_elastic_force")
        )
        for k, (time, momentum) in enumerate(m.angular_momentum(cell)):
            label = name if k == 0 else None
            torque = np.linalg.norm(torques[k].values, axis=1) / max(float(forces[k].values.max()) * side, 1e-300)
            look = {"color": colour, "linewidth": 1.2, "alpha": 1.0 if k == 0 else 0.45}
            axes[0].plot(time, momentum, label=label, **look)
            axes[1].plot(time[1:], np.maximum(kinetic[k].values[1:], 1e-12), label=label, **look)
            axes[2].plot(time[1:], np.maximum(torque[1:], 1e-17), label=label, **look)
            for i in np.unique(np.linspace(0, len(time) - 1, POINTS).astype(int)):
                table.add(name, k + 1, time[i], momentum[i], kinetic[k].values[i], torque[i])
    style.panel(axes[0], "(a) angular momentum", "time [s]", "|L| [kg m²/s]")
    style.panel(axes[1], "(b) kinetic energy", "time [s]", "kinetic energy [J]", log="y")
    axes[2].set_title("(c) torque of the internal forces")
    style.labels(axes[2], "time [s]", "|torque| / (largest force of the run × side) [1]", "y")
    axes[2].set(ylim=(1e-17, 100))
    axes[0].legend(loc="upper left", fontsize=7.5)
    gained, still = m.plastic_spin_gained(data), m.elastic_spin_gained(data)
    grown = m.plastic_energy_rise(data)
    return (
        "The paper says: plastic forces are subtracted element by element, and the method is robust. Measured here: "
        "a free block, strained at random by a few per cent and at rest at the start, without gravity or any load; "
        "exact solves, a line per seed. Plastic forces add up to zero, their torques do not (c): the block sets "
        f"itself spinning. It gains up to {100 * gained.value:.0f} % of the largest spin that the initial energy "
        f"allows ({gained.note}), its energy grows again after it had decayed, by {100 * grown.value:.2g} % of the "
        f"initial ({grown.note}); the elastic block gains {100 * still.value:.2g} %, as a step uses the rotations "
        "of its start. Smaller time steps gain less in the same time."
    )

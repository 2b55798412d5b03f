# SPDX-License-Identifier: BSD-3-Clause
"""Slide 5: the first mode of a free, turning sheet and block under damping along the constraints."""

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import damped_motion as dm
from paper_figures.figure import Drawing, style, titled

COLOURS = {"sheet": "#0072B2", "block": "#D55E00"}


@titled("Slide 5 — damping along constraints")
def make(figure: Drawing) -> str:
    data, control = figure.experiment(dm.M.experiment), figure.experiment(dm.CONTROL.experiment)
    axes = figure.axes(1, 2, 9.8, 4.0)
    table = figure.table("body; ω [1/s] .6g; measured ζ .6g; k_d ω/2 .6g")
    for axis, cell in zip(axes, data.every(name="damped")):
        body = str(cell.value("scene.parameters.body"))
        time, q, omega = dm.amplitudes(cell)
        ratio, derived = dm.damping_ratio(cell), dm.derived_ratio(cell)
        size = float(np.abs(q).max())
        envelope = np.exp(-derived * omega * time)
        axis.plot(time, q / size, color=COLOURS[body], marker=".", ms=3)
        axis.plot(time, envelope, color="#888888", lw=1)
        axis.plot(time, -envelope, color="#888888", lw=1)
        style.panel(axis, f"{body}: ζ = {ratio:.5f}, {derived:.5f}", "time [s]", "amplitude / largest [1]")
        table.add(body, dm.fitted(cell)["omega"], ratio, derived)
    return (
        "The slide says: damping acts in the direction of the elastic force and in proportion to ∂C/∂t. Measured "
        "here: the amplitude of the first mode of a sheet with triangles and hinges and of a block of tetrahedra "
        "that float and rotate, without the rigid motion; grey: e^(−ζωt) with ζ = k_d ω/2. The fitted ratios "
        f"are within {100 * dm.ratio_error(data).value:.2f} % of it. The angular momentum changes by "
        f"{dm.angular_momentum_change(data).value:.1e} of its size, and by {dm.braked(control).value:.2f} under "
        "damping of all motion. "
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Slide 5: the first mode of a free, turning sheet and block under damping along the constraints."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.cs533d_cloth_lecture.measurements import damped_motion as dm
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line

COLOURS = {"sheet": "#0072B2", "block": "#D55E00"}


def make(results: Results, out_dir: Path) -> FigureEntry:
    data, control = results.experiment(dm.M.experiment), results.experiment(dm.CONTROL.experiment)
    figure, axes = style.new_figure(1, 2, width=9.8, height=4.0)
    table = Table(
        [Column("body"), Column("ω", "1/s", ".6g"), Column("measured ζ", "1", ".6g"), Column("k_d ω/2", "1", ".6g")]
    )
    for axis, cell in zip(axes, data.every(name="damped")):
        body = str(cell.value("scene.parameters.body"))
        time, q, omega = dm.amplitudes(cell)
        ratio, derived = dm.damping_ratio(cell), dm.derived_ratio(cell)
        size = float(np.abs(q).max())
        envelope = np.exp(-derived * omega * time)
        axis.plot(time, q / size, color=COLOURS[body], marker=".", markersize=3)
        axis.plot(time, envelope, color="#888888", linewidth=1)
        axis.plot(time, -envelope, color="#888888", linewidth=1)
        axis.set(xlabel="time [s]", ylabel="amplitude / its first [1]", title=f"{body}: ζ = {ratio:.5f}, {derived:.5f}")
        table.add(body, dm.fitted(cell)["omega"], ratio, derived)
    stem = out_dir / "sec_5_damping"
    caption = (
        "The slide says: damping acts in the direction of the elastic force and in proportion to ∂C/∂t. Measured here: the amplitude of the "
        "first mode of a sheet with triangles and hinges and of a block of tetrahedra that float and turn, with the rigid motion taken out; grey: "
        f"e^(−ζωt) with ζ = k_d ω/2. The fitted ratios are within {100 * dm.ratio_error(data).value:.2f} % of it. The angular momentum changes by "
        f"{dm.angular_momentum_change(data).value:.1e} of its size, and by {dm.braked(control).value:.2f} under a force against all motion. "
        f"Machine: {machine_line(data.cells[:1])}."
    )
    return style.finished("Slide 5 — damping along constraints", caption, figure, table, stem, data, control)

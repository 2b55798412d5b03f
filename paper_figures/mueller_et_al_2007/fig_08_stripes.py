# SPDX-License-Identifier: BSD-3-Clause
"""Figure 8: three stripes of cloth between static bodies above and dynamic ones below."""

import numpy as np

from paper_figures.cloth_figure import draw_strip, drawable, size_of, solver_of, timed, worst
from paper_figures.cloth_scenes import at_times, cloth_shots, view_of
from paper_figures.figure import Drawing, Trace, titled

EXPERIMENT = "mueller_et_al_2007/stripes"
TURN_DEG, ELEVATION_DEG = -30.0, 14.0
SIZE = 440, 520


def swing(trace: Trace) -> str:
    """The greatest angular velocity of a body; "" where it is not recorded."""
    if not trace.has("step", "rigid_angular_velocities"):
        return ""
    turning = np.linalg.norm(trace.series("step", "rigid_angular_velocities").members()[0].values, axis=-1)
    return f"The bodies below turn at up to {float(turning.max()):.1f} rad/s. "


@titled("Figure 8 — stripes")
def make(figure: Drawing) -> str:
    cells = drawable(figure.experiment(EXPERIMENT))
    cell, shots = cells[0], cloth_shots(cells[0])
    swing_s = 2 * np.pi * np.sqrt(float(cell.value("scene.parameters.length_m", 1.0)) / 9.81)
    # a quarter and a half swing, about
    chosen = at_times(shots, (0.0, 0.25 * swing_s, 0.5 * swing_s, shots[-1].time))
    view = view_of(shots, TURN_DEG, ELEVATION_DEG, 0.0)
    program = draw_strip(figure, cells, chosen, [f"t = {s.time:.2f} s" for s in chosen], view, TURN_DEG, SIZE)
    solids = shots[0].solids
    return (
        "The paper shows: three stripes of cloth that hang from static bodies and carry dynamic ones by two-way "
        "attachments, 6 rigid bodies and 3 cloths, more than 380 frames per second with rendering on a 3 GHz "
        f"Pentium 4. Sizes and masses are not given. Measured here: {len(np.unique(shots[0].pieces))} cloths, "
        f"together {size_of(cell)}, {sum(s.is_kinematic for s in solids)} bodies that do not move (grey) and "
        f"{sum(not s.is_kinematic for s in solids)} that do (ochre); {solver_of(cell)}, {timed(cell)}; drawn by "
        f"{program}. {swing(cell)}{worst(cell)}"
    )

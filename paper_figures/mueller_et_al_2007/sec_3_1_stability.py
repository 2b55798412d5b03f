# SPDX-License-Identifier: BSD-3-Clause
"""Section 3.1: energy of a hanging cloth relative to the supplied energy, by time step, stiffness
and iterations."""

import numpy as np
from matplotlib.colors import TwoSlopeNorm

from experiments.mueller_et_al_2007.measurements import cloth_stability as m
from paper_figures.figure import Drawing, MissingData, style, titled

ROWS = {
    "stretch_symmetric": "stretching alone, forward then backward",
    "stretch_alone": "stretching alone, one order",
    "symmetric": "and bending, forward then backward",
    "corrected": "and bending, one order",
    "printed": "the same, weights as printed",
}
PARAMETERS = ("method.parameters.stretch_stiffness", "method.parameters.iterations", "scene.parameters.time_step_s")
LIMIT = 3.0  # of log10 on the colour scale


@titled("Section 3.1 — stability")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    rows = [name for name in ROWS if data.select(name=name, status=None)]
    if not rows:
        raise MissingData(f"{m.M.experiment}: no cell at tier {data.tier}")
    stiffnesses, iterations, steps = (sorted({float(c.value(p)) for c in data.cells}) for p in PARAMETERS)
    kinds = [(k, n) for k in stiffnesses for n in iterations]
    axes = figure.axes(1, len(rows), 1.6 + 2.9 * len(rows), 1.6 + 0.34 * len(kinds))
    table = figure.table("row; k_stretch; iterations; time step [s]; energy over supply .6g; status")
    notes: list[str] = []
    image = None
    grown: dict[str, tuple[int, int]] = {}
    for axis, name in zip(np.atleast_1d(axes), rows):
        values = np.full((len(kinds), len(steps)), np.nan)
        cells = data.select(name=name, status=None)
        bad = 0
        for cell in cells:
            k, n, dt = (float(cell.value(p)) for p in PARAMETERS)
            i, j = kinds.index((k, n)), steps.index(dt)
            if not cell.has("step", "kinetic_energy") or len(cell.values("step", "step")) < 2:
                notes.append(f"{cell.label}: {cell.status} ({cell.status_reason})")
                axis.plot([j], [i], marker="X", color=style.FAILED)
                bad += 1
                continue
            ratio = m.energy_ratio(cell)
            values[i, j] = np.log10(ratio) if np.isfinite(ratio) else LIMIT
            table.add(name, k, int(n), dt, ratio, cell.status)
            shown = "" if not np.isfinite(ratio) else f"{ratio:.2g}" if 0.01 <= ratio < 1000 else f"{ratio:.0e}"
            dark = abs(float(np.clip(values[i, j], -LIMIT, LIMIT))) > 0.55 * LIMIT
            axis.text(j, i, shown, ha="center", va="center", fontsize=7.5, color="#ffffff" if dark else style.INK)
            bad += int(ratio > 1)
            if cell.status != "completed":
                axis.plot([j], [i], marker="X", color=style.INK, ms=7)
                notes.append(f"{cell.label}: {cell.status} ({cell.status_reason})")
        grown[ROWS[name]] = (bad, len(cells))
        norm = TwoSlopeNorm(0.0, -LIMIT, LIMIT)
        image = axis.imshow(np.clip(values, -LIMIT, LIMIT), origin="lower", cmap="PuOr_r", norm=norm, aspect="auto")
        axis.set_xticks(range(len(steps)), [f"{s:g}" for s in steps])
        axis.set_yticks(range(len(kinds)), [f"{k:g}, {n:g}" for k, n in kinds] if name == rows[0] else [])
        axis.set(xlabel="time step Δt [s]", ylabel="k_stretch, iterations" if name == rows[0] else "")
        axis.set_title(ROWS[name], fontsize=8.5)
        axis.grid(False)
    figure.page.colorbar(image, ax=axes, shrink=0.8, label="log₁₀ energy / supply", aspect=28)
    vertices = int((data.cells[0].scene_shape("rest_positions") or (0,))[0])
    figure.failed = notes
    return (
        "The paper says: the scheme is unconditionally stable; stability does not depend on the time step but on "
        f"the shape of the constraints. Measured here: a cloth of {vertices} vertices hung by two corners swings and "
        "comes to rest; the number in a field is the largest kinetic energy relative to the work of gravity so far "
        "plus the initial energy: at most 1 without energy gain; a cross marks an incomplete run, an empty field a "
        "missing trace. Above 1, or incomplete: "
        + "; ".join(f"{text}: {bad} of {count}" for text, (bad, count) in grown.items())
        + "."
    )

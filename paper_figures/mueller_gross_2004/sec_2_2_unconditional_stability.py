# SPDX-License-Identifier: BSD-3-Clause
"""Section 2.2: energy / initial energy from a tangled start, by time step and stiffness;
exact solves and 20 iterations."""

import numpy as np
from matplotlib.colors import TwoSlopeNorm

from experiments.mueller_gross_2004.measurements import unconditional_stability as m
from paper_figures.figure import Drawing, MissingData, style, titled

ROWS = {
    "warped_exact": "warped, exact solves",
    "warped_cg20_plain": "warped, 20 plain iterations",
    "warped_cg20_mass": "warped, 20 iterations, mass preconditioner",
    "linear_exact": "linear, exact solves",
}
FLOOR, CEILING = -8.0, 8.0  # of log10 on the colour scale


@titled("Section 2.2 — stability from a tangled start")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    rows = [name for name in ROWS if data.select(name=name, status=None)]
    if not rows:
        raise MissingData(f"{m.M.experiment}: no cell at tier {data.tier}")
    steps = sorted({c.number("time_step_s") for c in data.cells})
    moduli = sorted({c.number("young_modulus_pa") for c in data.cells})
    axes = figure.axes(2, 2, 9.8, 2.2 + 1.1 * len(moduli))
    table = figure.table(
        "row; time step [s]; E [Pa]; largest energy over start .6g; members; members not finite; status"
    )
    notes: list[str] = []
    image = None
    for axis, name in zip(axes.ravel(), rows):
        values = np.full((len(moduli), len(steps)), np.nan)
        for cell in data.select(name=name, status=None):
            i = moduli.index(cell.number("young_modulus_pa"))
            j = steps.index(cell.number("time_step_s"))
            if not cell.has("step", "total_energy"):
                notes.append(f"{cell.label}: {cell.status} ({cell.status_reason})")
                axis.plot([j], [i], marker="X", color=style.FAILED)
                continue
            energies = m.energies(cell)
            finite = [float(e[np.isfinite(e)][1:].max(initial=0.0)) for e in energies]
            bad = sum(1 for e in energies if not np.all(np.isfinite(e)))
            # Step 0 is the start itself, whose ratio is 1: what follows decides between growth and decay.
            values[i, j] = np.log10(max(max(finite), 1e-300))
            table.add(name, steps[j], moduli[i], max(finite), len(energies), bad, cell.status)
            shown = f"{max(finite):.2g}" if max(finite) >= 0.01 else f"{max(finite):.0e}"
            dark = abs(np.clip(values[i, j], FLOOR, CEILING)) > 4
            axis.text(j, i, shown, ha="center", va="center", fontsize=7.5, color="#ffffff" if dark else style.INK)
            if cell.status != "completed":
                axis.plot([j + 0.33], [i - 0.33], marker="X", color=style.FAILED, ms=7)
                notes.append(f"{cell.label}: {cell.status} ({cell.status_reason})")
        norm = TwoSlopeNorm(0.0, FLOOR, CEILING)
        image = axis.imshow(np.clip(values, FLOOR, CEILING), origin="lower", cmap="PuOr_r", norm=norm, aspect="auto")
        axis.set_xticks(range(len(steps)), [f"{s:g}" for s in steps])
        axis.set_yticks(
            range(len(moduli)),
            [f"$10^{{{np.log10(e):.0f}}}$" if float(np.log10(e)).is_integer() else f"{e:g}" for e in moduli],
        )
        style.panel(axis, ROWS[name], "time step Δt [s]", "E [Pa]")
        axis.grid(False)
    for axis in axes.ravel()[len(rows) :]:
        axis.set_visible(False)
    figure.page.colorbar(image, ax=axes, shrink=0.7, label="log₁₀ (largest energy / start)")
    figure.failed = notes
    return (
        "The paper says: the method is unconditionally stable. Measured here: a free block with about half of its "
        "tetrahedra inverted at the start (random, several seeds per field), 300 steps at every combination of time "
        "step and stiffness; the number in a field is the largest total energy from step 1 on relative to the start, "
        "worst seed. Values above 1 (warm colours) are growth; a cross marks a run that did not "
        "complete. Solved exactly, and with the 20 plain conjugate-gradient iterations that the paper uses. "
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Share of the problems that each acceleration of projective dynamics solves, by rounds and by work."""

import numpy as np

from deformbench_analysis import profiles
from deformbench_analysis.vocabulary import rows
from experiments.projective_dynamics.measurements import accelerations, one_step
from paper_figures.figure import Axes, Drawing, ExperimentData, Table, style, titled
from paper_figures.projective_dynamics.sec_one_matrix import ROWS

LEVELS = (1e-2, 1e-6)
COUNTS = {"iteration": "rounds or iterations", "work_gradients": "passes over the elements"}
BUDGETS = np.geomspace(1, 1e3, 61).tolist()


def costs(data: ExperimentData, level: float, channel: str) -> dict[str, list[float]]:
    """Cost of each row until its gap is at most `level`, inf if never, problem by problem."""
    found: dict[str, list[float]] = {}
    for name in ROWS:
        chosen = rows(name).however_ended(one_step.UNREACHED)
        needed = [
            one_step.needed(trace, reference, level, channel)
            / (1.0 if channel == "iteration" else float(trace.tetrahedra or 0))
            for (trace, reference), _ in chosen.beside(one_step.REFERENCE, *one_step.SAME).units(data)
        ]
        found[name] = [max(count, 1.0) for count in needed]  # a profile's least budget
    return found


def _panel(axes: Axes, data: ExperimentData, level: float, channel: str, table: Table) -> None:
    found = profiles.data(costs(data, level, channel), BUDGETS)
    for name, profile in found.items():
        label, colour, line = ROWS[name]
        style.profile(axes, profile, style.MethodStyle(label, colour, "", line))
        for budget in (10, 100, 1000):
            at = int(np.searchsorted(BUDGETS, budget))
            table.add(
                f"gap {level:g}, {COUNTS[channel]}", label, budget, *(s[at] for s in (profile.share, profile.low))
            )
    style.panel(axes, f"gap of {level:g}", COUNTS[channel], "share of the problems solved [1]", log="x")


@titled("Accelerations of projective dynamics: shares of problems solved")
def make(figure: Drawing) -> str:
    data = figure.experiment(accelerations.M.experiment)
    panels = figure.axes(2, 2, 10.4, 7.2)
    table = figure.table("panel; row; budget; share .3g; lower end of its band .3g")
    for axes, (channel, level) in zip(panels.ravel(), [(c, level) for c in COUNTS for level in LEVELS]):
        _panel(axes, data, level, channel, table)
    panels[0, 0].legend(fontsize=8)
    count = len(data.select(name="plain", status=None))
    return (
        f"Data profiles (Moré and Wild): share of {count} problems whose gap to the minimum is small enough within a "
        "budget; bands: 95 % of resampled problems. They only illustrate: verdicts use paired ratios."
    )

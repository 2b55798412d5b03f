# SPDX-License-Identifier: BSD-3-Clause
"""Which share of many problems of one step each solver solves, against work and against time."""

import numpy as np

from deformbench_analysis import profiles
from experiments.cross.measurements import solver_profiles as m
from paper_figures.figure import Axes, Drawing, ExperimentData, Table, style, titled

ROWS = {
    "clamped": ("Newton, clamped", "#D55E00", "-"),
    "absolute": ("Newton, absolute", "#E69F00", "--"),
    "on_demand": ("Newton, projected on demand", "#CC79A7", "-."),
    "descent": ("vertex block descent", "#0072B2", "-"),
    "accelerated": ("the same, Chebyshev", "#56B4E9", "--"),
    "l_bfgs": ("L-BFGS, 5 changes", "#009E73", ":"),
}
PAIR = ("descent", "clamped")
LEVELS = (1e-2, 1e-4, m.LEVEL)
UNITS = {m.WORK: "gradients of all elements", m.TIME: "wall time [ms]"}
BUDGETS = {m.WORK: np.geomspace(10, 1e5, 81).tolist(), m.TIME: np.geomspace(0.1, 1e4, 101).tolist()}
FACTORS = np.geomspace(1, 100, 61).tolist()


def costs(data: ExperimentData, name: str, level: float, unit: str) -> list[float]:
    """Needed to this gap, by problem."""
    return [m.needed(run, reference, level, unit) for (run, reference), _ in m.problems(name).units(data)]


def _draw(axes: Axes, found: dict[str, profiles.Profile], panel: str, table: Table) -> None:
    for name, profile in found.items():
        label, colour, line = ROWS[name]
        style.profile(axes, profile, style.MethodStyle(label, colour, "", line))
        for at in np.linspace(0, len(profile.at) - 1, 5).astype(int):
            table.add(panel, label, *(values[at] for values in (profile.at, profile.share, profile.low, profile.high)))


def _panels(row: list[Axes], data: ExperimentData, unit: str, table: Table) -> None:
    for axes, level in zip(row, LEVELS):
        found = profiles.data({name: costs(data, name, level, unit) for name in ROWS}, BUDGETS[unit])
        _draw(axes, found, f"gap {level:g}, {unit}", table)
        style.panel(axes, f"gap of {level:g}", UNITS[unit], "share of the problems solved [1]", log="x")
    first, second = (costs(data, name, m.LEVEL, unit) for name in PAIR)
    pair = profiles.performance(first, second, FACTORS)
    _draw(row[-1], dict(zip(PAIR, pair)), f"pair, {unit}", table)
    style.panel(row[-1], f"two alone, gap of {m.LEVEL:g}", f"{unit} relative to the lower [1]", "share [1]", log="x")


@titled("Solvers of one step: shares of problems solved")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    panels = figure.axes(2, 4, 14.4, 6.6)
    table = figure.table("panel; row; abscissa .3g; share .3g; lower end of its band .3g; upper end .3g")
    for row, unit in zip(panels, UNITS):
        _panels(list(row), data, unit, table)
    panels[0, 0].legend(fontsize=7)
    return (
        f"Share of {len(data.select(name='clamped', status=None))} problems (meshes × stiffness × Poisson's ratio × "
        "start, one law) whose objective comes this close to its minimum, relative to its drop: data profiles (Moré "
        "and Wild), and on the right performance profiles (Dolan and Moré) of two solvers alone. Above: work, in "
        "gradients of all elements; a Hessian costs 10, an energy or a product with the matrix 0.5, the block of a "
        "corner 1, a solve with the factor 0.5; factorisations are not counted. Below: wall time of the step, without "
        "observation and set-up (the factorisation of L-BFGS), beside other runs on the same machine. Bands: 95 % of "
        "resampled problems. No solver is tuned. They illustrate: verdicts are those of paired ratios."
    )

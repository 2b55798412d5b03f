# SPDX-License-Identifier: BSD-3-Clause
"""Gap of a step's objective against iterations and time, by solver."""

from collections.abc import Callable
from typing import Any

import numpy as np

from experiments.cross.measurements import cloth_convergence as cloth, convergence as m
from deformbench_analysis.step_iterations import Iterations, first_below
from paper_figures.figure import Array, Drawing, ExperimentData, MissingData, Trace, ends_of, style, titled

LEVELS = (1e-2, 1e-4, 1e-6)
FLOOR = 1e-15  # below, E − E* is rounding
LAWS = {"corotational": "#0072B2", "stable_neo_hookean": "#332288", "invertible_st_venant_kirchhoff": "#999933"}
LAW_NAMES = {"corotational": "corotational", "stable_neo_hookean": "stable neo-Hookean"}
MODELS = {"linear": "#D55E00", "warped": "#0072B2"}
ORDERS = {"symmetric": "#0072B2", "forward": "#D55E00", "coloured": "#009E73", "jacobi": "#CC79A7"}
OUTSIDE = {
    m.DESCENT: ("vertex block descent", {"color": "#332288", "linestyle": "-"}),
    m.PROJECTIVE: ("projective dynamics", {"color": "#CC79A7", "linestyle": "-"}),
}
OUTSIDE_ROW, CLOTH = 2, 3  # of the figure
COMPLIANCE = 1e-4  # m/N: drawn of the cloth, as the others look alike


def _newton_look(cell: Trace) -> tuple[str, dict[str, Any]]:
    if cell.method_id == "bullet_fem":
        look = style.method_style("bullet")
        return "Bullet, neo-Hookean", {"color": look.colour, "linestyle": look.line, "marker": look.marker}
    law, hessian = m.law(cell), str(cell.value("method.parameters.hessian"))
    label = f"{LAW_NAMES.get(law, 'continued St. Venant')}, {hessian}"
    line = "-" if hessian == "exact" else "--"
    return label, {"color": LAWS.get(law, style.GREY), "linestyle": line, "marker": "o"}


def _cg_look(cell: Trace) -> tuple[str, dict[str, Any]]:
    preconditioner = str(cell.value("method.parameters.cg_preconditioner"))
    line = {"none": ":", "mass": "--", "jacobi": "-"}[preconditioner]
    name = {"none": "none", "mass": "mass", "jacobi": "diagonal"}[preconditioner]
    return f"{cell.method_name}, {name}", {"color": MODELS[cell.method_name], "linestyle": line}


def _outside_look(cell: Trace) -> tuple[str, dict[str, Any]]:
    return OUTSIDE[cell.method_name]


def _cloth_look(cell: Trace) -> tuple[str, dict[str, Any]]:
    order = cloth.order(cell)
    return order if order != "jacobi" else "Jacobi, ω = 0.2", {"color": ORDERS.get(order, style.GREY)}


def _end(sheet: ExperimentData) -> str:
    """Where the projections converge, if known."""
    try:
        return (
            f"XPBD does not end there but, with a compliance of 0.01 m/N, at {cloth.end_left(sheet).value:.2g} of "
            "the drop"
        )
    except MissingData:
        return "the last iterations shown are not the end of XPBD"


def _draw_newton_beside(axes: Any, fem: ExperimentData, are_there: bool) -> None:
    """The potential of vertex block descent, by Newton's method; else a note that there is none."""
    if not are_there:
        style.say(axes[0], "not built or not run", style.FAILED)
        return
    for cell in fem.select(name="newton", where={"method.parameters.hessian": "projected"}):
        if m.law(cell) == "stable_neo_hookean":
            shown = np.maximum(m.errors_in(fem, cell), FLOOR)
            for column, x in enumerate((np.arange(len(shown)), 1e3 * Iterations.of(cell).seconds)):
                label = "Newton, stable neo-Hookean"
                axes[column].plot(x, shown, color=style.GREY, lw=1.0, ls="--", label=label)


@titled("Convergence — a step, iteration by iteration")
def make(figure: Drawing) -> str:
    fem, sheet = figure.experiment(m.M.experiment), figure.experiment(cloth.M.experiment)
    axes = figure.axes(4, 2, 11.0, 12.6)
    table = figure.table(
        "solver; row",
        *(f"iterations to {level:g} of the drop .0f" for level in LEVELS),
        "least (E − E*)/(E0 − E*) .2g; time of all iterations [s] .3g",
    )
    solved = [c for c in fem.select() if not m.is_reference(c)]
    Row = tuple[str, list[Trace], Callable[[Trace], tuple[str, dict[str, Any]]], Callable[[Trace], Array]]
    cloths = sheet.select(keep=lambda c: c.method_name != cloth.LONG)
    parts: list[Row] = [
        ("Newton", [c for c in solved if m.law(c)], _newton_look, lambda c: m.errors_in(fem, c)),
        (
            "conjugate gradients",
            [c for c in solved if not m.law(c) and not m.is_from_outside(c)],
            _cg_look,
            lambda c: m.errors_in(fem, c),
        ),
        (
            "methods from outside",
            [c for c in solved if m.is_from_outside(c)],
            _outside_look,
            lambda c: m.errors_in(fem, c),
        ),
        ("compliant projections", cloths, _cloth_look, cloth.errors),
    ]
    for row, (name, cells, look_of, errors_of) in enumerate(parts):
        for cell in cells:
            label, look = look_of(cell)
            errors, seconds = errors_of(cell), Iterations.of(cell).seconds
            full = label if row < CLOTH else f"{label}, α = {cloth.compliance(cell):g} m/N"
            table.add(name, full, *(first_below(errors, level) for level in LEVELS), errors.min(), seconds[-1])
            if row == CLOTH and cloth.compliance(cell) != COMPLIANCE:
                continue
            shown = np.maximum(errors, FLOOR)
            for column, x in enumerate((np.arange(len(errors)), 1e3 * seconds)):
                axes[row, column].plot(x, shown, ms=3, lw=1.3, label=label, **look)
        if row == OUTSIDE_ROW:
            _draw_newton_beside(axes[row], fem, bool(cells))
        style.panel(axes[row, 0], f"({'aceg'[row]}) {name}", "iteration", "(E − E*) / (E0 − E*) [1]", log="y")
        style.panel(axes[row, 1], f"({'bdfh'[row]})", "time since the step began [ms]", "", log="xy")
        if axes[row, 1].get_legend_handles_labels()[0]:
            axes[row, 1].legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=8)
    bad = {c.cell_id: c for c in [*fem.unexpected(), *fem.failed(), *sheet.unexpected()]}
    figure.failed = ends_of(bad.values())
    return (
        "The gap E − E* of the objective that a step minimises, relative to the initial gap, after every iteration "
        "of the first step. E is the incremental potential of implicit Euler (a, b), the quadratic of one "
        "linear solve (c, d), or inertia and compliant energies (g, h): different problems. (a–f): a bar is twisted "
        "and released, and E* is from a cell solved to rounding. Newton's method converges quadratically with exact "
        "Hessians, linearly with projected ones. (e, f): the example plug-in and "
        "the example program of docs/add_a_method.md. Vertex block descent minimises the stable neo-Hookean "
        "potential, as does Newton's method beside it, with Newton's E*; projective dynamics has its own energy, "
        "with E* from an independent minimisation, and is timed as a Python program. (g, h): a shaken cloth falls; "
        f"E* is from an independent minimisation; {_end(sheet)}. Times are of one run, without the recording of "
        "iterations; a plateau in a line is other load on the machine. "
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Error of a swinging bar against cost, for all methods and steps."""

from experiments.cross.measurements import work_precision as m
from experiments.cross.measurements.common_times import cost_if_timed
from deformbench_analysis import extremes
from deformbench_analysis.timing_marks import marks
from paper_figures import joined
from paper_figures.cross.precision import UNTIMED, timed_curve
from paper_figures.entry import ON_REQUEST
from paper_figures.figure import Drawing, ExperimentData, MissingData, Trace, ends_of, style, titled

SHOWS_JOINED = ON_REQUEST
BESIDE = ("reference", "linear")  # rows without which there is no figure
ROWS = {
    "linear": ("linear", "linear, implicit Euler"),
    "warped": ("warped", "warped, implicit Euler"),
    "implicit_euler": ("nonlinear", "nonlinear, implicit Euler"),
    "implicit_midpoint": ("implicit_midpoint", "nonlinear, implicit midpoint"),
    "bdf2": ("bdf2", "nonlinear, BDF2"),
    "explicit": ("explicit", "nonlinear, explicit"),
    "invertible": ("invertible", "nonlinear, continued, explicit"),
    "meshless": ("meshless", "meshless nodes, explicit"),
    "bullet": ("bullet", "Bullet, neo-Hookean, implicit Euler"),
    "descent_20": ("descent", "vertex block descent, 20 sweeps"),
    "descent_100": ("descent_100", "vertex block descent, 100 sweeps"),
    "projective": ("projective", "projective dynamics, 20 iterations (Python)"),
}


def _errors_of_joined(row: joined.JoinedRow, data: ExperimentData) -> tuple[dict[Trace, float], list[str]]:
    """Errors of the row's completed cells, and lines on cells without an error or timing."""
    found, why = {}, []
    reference = data.one(name="reference")
    for cell in (c for c in row.cells if c.status == "completed"):
        try:
            found[cell] = m.error(cell, reference)
        except MissingData as reason:
            why.append(f"{row.label}: {reason}")
    why += [f"{row.label}: {c.label}: {UNTIMED}" for c in found if cost_if_timed(c) is None]
    return found, why


@titled("Work and precision — a swinging bar")
def make(figure: Drawing) -> str:
    data, joined_rows = joined.shown(figure.results, m.M.experiment)
    figure.machine_cells = data.cells
    axes = figure.axes(1, 1, 7.6, 5.0)
    table = figure.table(
        "row; Δt [s] .6g; largest distance of the tip / length .3g; time of a simulated second [s] .3g"
    )
    errors = m.errors(data)
    floor = extremes.least({c: e for c, e in errors.items() if m.row(c) == "linear"}).value
    drawn = {
        name: (style.method_style(key, label + marks(of)), of)
        for name, (key, label) in ROWS.items()
        for of in [[c for c in errors if m.row(c) == name]]
    }
    figure.failed = ends_of(data.failed())
    for row in joined_rows:
        found, why = _errors_of_joined(row, data)
        errors |= found
        drawn[row.label] = (row.look, list(found))
        figure.failed += [*row.failed(), *why]
    for name, (look, of) in drawn.items():
        cells = sorted(of, key=lambda c: -errors[c])
        costs = [cost_if_timed(c) for c in cells]
        for cell, cost in zip(cells, costs):
            table.add(name, cell.number("time_step_s"), errors[cell], cost)
        timed_curve(axes, costs, [errors[c] for c in cells], look.line_kwargs())
    axes.axhline(m.PRECISION, color=style.GREY, lw=0.8, ls=":")
    style.labels(
        axes, "time of a simulated second [s]", "largest distance of the tip from the reference / length [1]", "xy"
    )
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=8)
    nodes = ""
    if data.select(name="meshless"):
        off = m.meshless_least_error(data).value
        nodes = (
            f"Meshless nodes at the vertices are too stiff, and stay {100 * off:.2g} % of the length away whatever "
            "the substep. "
        )
    tetrahedra = next(iter(errors)).tetrahedra or 0
    caption = (
        f"A bar of {tetrahedra:,} tetrahedra swings under its weight for 0.75 s; its tip falls by about a sixth of "
        "its length. The reference is the same mesh of St. Venant–Kirchhoff elements with explicit steps of 1/50 of "
        "the stable step. Down and left is better. Bullet's elements are neo-Hookean, with the same small-strain "
        f"limit. {nodes}Linear elements stay {100 * floor:.2g} % of the length away whatever the step: "
        "that is the error of the model. Costs at 1 % are compared in the claims on speed."
    )
    return joined.noted(caption, bool(joined_rows), [c for _, of in drawn.values() for c in of])

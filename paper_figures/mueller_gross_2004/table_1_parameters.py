# SPDX-License-Identifier: BSD-3-Clause
"""Table 1: the printed parameters beside what was run, with time per step and condition number,
and the models themselves."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from experiments.mueller_gross_2004.measurements import table_1 as m
from paper_figures.figure import Array, Axes, Drawing, Table, Trace, style, titled
from paper_figures.solids import View, plain, shaded

STAND_INS = ("snake", "quadruped", "dragon")
# Row of the table, unit, factor on the SI value, parameter of the run.
PARAMETERS = [
    ("tetrahedra", "", 1.0, None),
    ("triangles", "", 1.0, None),
    ("young_modulus_pa", "kPa", 1e-3, "scene.parameters.young_modulus_pa"),
    ("poisson_ratio", "", 1.0, "scene.parameters.poisson_ratio"),
    ("density_kg_m3", "kg/m³", 1.0, "scene.parameters.density_kg_m3"),
    ("yield_stress_pa", "kPa", 1e-3, "method.parameters.fracture_threshold_pa"),
    ("plastic_yield", "", 1.0, "method.parameters.plastic_yield"),
    ("plastic_creep_1_s", "1/s", 1.0, "method.parameters.plastic_creep_per_s"),
    ("plastic_max", "", 1.0, "method.parameters.plastic_max"),
]
NAMES = {
    "young_modulus_pa": "Young's modulus",
    "poisson_ratio": "Poisson's ratio",
    "density_kg_m3": "density",
    "yield_stress_pa": "yield stress (fracture threshold)",
    "plastic_yield": "plastic yield",
    "plastic_creep_1_s": "plastic creep",
    "plastic_max": "plastic max",
}
COLOURS = {"snake": "#009E73", "cow": "#CC79A7", "dragon": "#E69F00"}


def source(trace: Trace) -> str:
    """Which model it is: generated here, or a file that the user has."""
    model = str(trace.value("scene.parameters.model"))
    return f"{model}, generated stand-in" if model in STAND_INS else f"{model.rsplit('/', 1)[-1]}, file"


def headed(column: str, trace: Trace) -> str:
    """The table's name of a model and what stands for it."""
    return f"{column}: {source(trace).removeprefix(column + ', ')}"


def as_run(trace: Trace, name: str, path: str | None) -> float | None:
    """A parameter of the table as the run had it; None where it has none."""
    if name == "tetrahedra":
        return int(trace.tetrahedra or 0)
    if name == "triangles":
        return m.skin_triangles(trace)
    if name == "yield_stress_pa" and trace.value("method.parameters.fracture", "none") == "none":
        return None
    value = trace.value(str(path))
    return None if value is None else float(value)


def as_printed(column: str, name: str) -> float | None:
    """A parameter of the table as printed; None where it is left empty."""
    value = m.table()["columns"][column][m.table()["rows"].index(name)]
    return None if value is None else float(value)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.6g}" if abs(value) < 1e6 else f"{value:.3g}"


def parameter_table(runs: dict[str, Trace], missing: dict[str, str]) -> Table:
    """Rows as printed, two columns per model: printed and run; then what was measured. `missing`:
    models without a completed run, and why."""
    columns = list(m.table()["columns"])
    table = Table.of("quantity; unit", *(f"{c}, {what}" for c in columns for what in ("printed", "run")))

    def line(name: str, unit: str, pairs: dict[str, tuple[str, str]]) -> None:
        table.add(name, unit, *[text for c in columns for text in pairs[c]])

    sources = {c: source(runs[c]) if c in runs else missing.get(c, "not run") for c in columns}
    line("model", "", {c: ("the authors'", sources[c]) for c in columns})
    for name, unit, scale, path in PARAMETERS:
        pairs = {}
        for c in columns:
            printed, run = as_printed(c, name), as_run(runs[c], name, path) if c in runs else None
            pairs[c] = (
                _number(None if printed is None else printed * scale),
                _number(None if run is None else run * scale),
            )
        line(NAMES.get(name, name), unit, pairs)

    def measured(name: str, unit: str, value: Any) -> None:
        line(name, unit, {c: ("–", value(runs[c]) if c in runs else "–") for c in columns})

    measured("time per step, median", "ms", lambda t: f"{t.timing.median_ms:.3g}" if t.timing else "not timed")
    measured(
        "time per step, quartiles",
        "ms",
        lambda t: "{:.3g} … {:.3g}".format(*t.timing.quartiles_ms) if t.timing else "not timed",
    )
    measured(
        "condition number, at start and largest", "", lambda t: f"{conditions(t)[0]:.4g}, {conditions(t).max():.4g}"
    )
    measured(
        "plastic strain at the end, largest",
        "",
        lambda t: f"{t.values('step', 'plastic_strain_max')[-1]:.3g}" if t.has("step", "plastic_strain_max") else "–",
    )
    measured(
        "vertices split",
        "",
        lambda t: f"{int(t.values('step', 'split_count')[-1])}" if t.has("step", "split_count") else "0",
    )
    return table


def conditions(trace: Trace) -> Array:
    """Condition numbers over the run."""
    return np.asarray(trace.values("operator", "condition_number"))


def _portrait(axes: Axes, trace: Trace, colour: str, title: str) -> None:
    points, triangles = trace.scene("skin_rest_positions"), trace.scene("skin_triangles")
    corners = points[triangles]
    view = View.towards((0.45, 0.35, 1.0))
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facing = corners[normals @ view.axes[2] > 0]
    shaded(axes, view, facing, [colour] * len(facing), edge="face", width=0.2)
    axes.collections[-1].set_rasterized(True)
    flat = view.flat(points)
    axes.set(xlim=(flat[:, 0].min(), flat[:, 0].max()), ylim=(flat[:, 1].min(), flat[:, 1].max()))
    axes.set_title(title, fontsize=9.5, loc="center")
    plain(axes)


@titled("Table 1 — parameters, printed and run")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    runs = m.models(data)
    columns = [c for c in m.table()["columns"] if c in runs]
    missing = {m.column(c): f"{c.status}: {c.status_reason}" for c in data.failed()}
    rows = figure.axes(2, 3, 12.4, 6.2)
    grid = rows[0, 0].get_gridspec()
    for axis in rows.ravel():
        axis.remove()
    grid.set_height_ratios([1.25, 1.0])
    _draw(figure.page, grid, runs, columns)
    table = figure.numbers = parameter_table(runs, missing)
    table.caption = "Table 1: printed, and run. A dash: nothing printed, or without meaning for the run."
    timed = {c: runs[c].timing.median_ms for c in columns if runs[c].timing}  # type: ignore[union-attr]
    steps = {c: int(runs[c].value("schedule.steps", 0)) for c in columns}
    told = "; ".join(f"{c} {t:.3g} ms per step" for c, t in timed.items()) + ". " if timed else "Not timed. "
    step = float(runs[columns[0]].value("scene.parameters.time_step_s"))
    figure.below = [f"<div class=scroll>{table.html('table1')}</div>"]
    sizes = [
        f"{headed(c, runs[c])}, {int(runs[c].tetrahedra or 0)} tetrahedra, {m.skin_triangles(runs[c]):,} triangles"
        for c in columns
    ]
    return (
        "The paper shows: element counts and materials of its three animations, as a table; its models are not "
        f"public, and it prints no time for them. Measured here: {'; '.join(sizes)}; the printed materials, "
        f"{max(steps.values())} steps of {step:g} s standing on the ground, 20 iterations of plain conjugate "
        f"gradients. {told}The printed yield stress is taken as the fracture threshold."
    )


def _draw(figure: Figure, grid: Any, runs: dict[str, Trace], columns: list[str]) -> None:
    for k, c in enumerate(columns):
        _portrait(
            figure.add_subplot(grid[0, k]),
            runs[c],
            COLOURS[c],
            f"{headed(c, runs[c])}\n{int(runs[c].tetrahedra or 0)} tetrahedra, {m.skin_triangles(runs[c]):,} "
            "triangles",
        )
    times, numbers, phases = (figure.add_subplot(grid[1, k]) for k in range(3))
    places = np.arange(len(columns))
    for k, c in enumerate(columns):
        timing = runs[c].timing
        if timing:
            low, high = timing.quartiles_ms
            times.barh(k, timing.median_ms, color=COLOURS[c], height=0.6)
            times.plot([low, high], [k, k], color=style.INK, lw=1.6)
            place = (max(timing.median_ms, high), k)
            style.note(times, f"{timing.median_ms:.3g} ms", place, (5, 0), "lc", size=8.5)
            if timing.phase_names and timing.phase_seconds.size:
                left = 0.0
                for name in timing.phase_names:
                    share = 100 * timing.phase_share(name)
                    colour = style.PHASES[name][1] if name in style.PHASES else "#b39ddb"
                    label = (style.PHASES[name][0] if name in style.PHASES else name) if k == 0 else None
                    phases.barh(k, share, left=left, color=colour, height=0.6, label=label)
                    left += share
        values = conditions(runs[c])
        numbers.barh(k, float(values.max()), color=COLOURS[c], height=0.6)
        style.note(numbers, f"{values.max():.4g}", (float(values.max()), k), (5, 0), "lc", size=8.5)
    for axis, title, unit in (
        (times, "(a) time per step", "median, with quartiles [ms]"),
        (numbers, "(b) largest condition number of a step", "λ_max / λ_min"),
        (phases, "(c) parts of a step", "share of the step, median [%]"),
    ):
        axis.set_title(title)
        axis.set(xlabel=unit, yticks=places, yticklabels=columns, ylim=(len(columns) - 0.4, -0.6))
        axis.margins(x=0.18)
        axis.grid(axis="y", visible=False)
        if not axis.patches:
            axis.set_xticks([])
            style.say(axis, "not timed")
    phases.set_xlim(0, 105)
    if phases.patches:
        phases.legend(
            loc="upper center", bbox_to_anchor=(0.5, -0.24), ncol=5, fontsize=8, columnspacing=1.0, handlelength=1.2
        )

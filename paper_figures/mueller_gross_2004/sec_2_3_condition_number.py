# SPDX-License-Identifier: BSD-3-Clause
"""Section 2.3: the condition number of the step's matrix in bent and twisted poses,
the 25 per cent claim and its limit."""

from experiments.mueller_gross_2004.measurements import condition_number as m
from paper_figures.figure import Axes, Drawing, ExperimentData, Table, Trace, style, titled

FIELDS = {"bend": ("#0072B2", "-"), "twist": ("#D55E00", "-")}
SPLITS = {"alternating_five": ("five tetrahedra per cube", "o"), "kuhn_six": ("six tetrahedra per cube", "s")}
PAPER_STEP = 0.01  # s


def _label(cell: Trace) -> tuple[str, str, str]:
    return (
        str(cell.value("schedule.poses.field")),
        str(cell.value("scene.parameters.split")),
        f"{float(cell.value('scene.parameters.time_step_s')):g}",
    )


def _band(axes: Axes) -> None:
    axes.axhspan(-25, 25, color="#009E73", alpha=0.10, linewidth=0)
    axes.axhline(0, color=style.GREY, lw=0.8)


def _poses(axes: Axes, cells: list[Trace]) -> None:
    for cell in cells:
        field, split, _ = _label(cell)
        name, marker = SPLITS.get(split, (split, "^"))
        colour, line = FIELDS[field]
        value, _condition = m.poses(cell)
        label = f"{field}, {name}"
        axes.plot(value, 100 * m.changes(cell), color=colour, ls=line, marker=marker, ms=3.5, label=label)
    _band(axes)
    axes.set_title(f"(a) the paper's setting: Δt = {PAPER_STEP:g} s, E = 10⁵ Pa")
    style.labels(axes, "bend or twist [deg]", "change of the condition number [%]")
    axes.set(ylim=(-40, 40))
    xycoords = ("axes fraction", "data")
    axes.annotate(
        "the paper's ± 25 %", (0.99, 25), xycoords=xycoords, ha="right", va="top", fontsize=7.5, color="#00664b"
    )
    axes.legend(loc="lower left", fontsize=8)


def _regime(axes: Axes, cells: list[Trace]) -> None:
    for field, (colour, _line) in FIELDS.items():
        for split, (name, marker) in SPLITS.items():
            chosen = sorted((c for c in cells if _label(c)[:2] == (field, split)), key=m.stiffness_number)
            if not chosen:
                continue
            x = [m.stiffness_number(c) for c in chosen]
            change = [m.changes(c) for c in chosen]
            axes.plot(x, [100 * v.min() for v in change], color=colour, marker=marker, label=f"{field}, {name}")
            axes.plot(x, [100 * v.max() for v in change], color=colour, marker=marker, ls=":")
    _band(axes)
    axes.axvline(m.REGIME, color=style.GREY, lw=0.8, ls=":")
    style.panel(axes, "(b) limit of the claim", "Δt² E / (ρ h²) [1]", "largest fall (—) and rise (···) [%]", "x")
    axes.legend(loc="lower left", fontsize=8)


def _bounds(axes: Axes, cells: list[Trace]) -> None:
    for split, (name, marker) in SPLITS.items():
        chosen = sorted((c for c in cells if _label(c)[1] == split), key=m.stiffness_number)
        if not chosen:
            continue
        by_number: dict[float, list[Trace]] = {}
        for cell in chosen:
            by_number.setdefault(m.stiffness_number(cell), []).append(cell)
        x = sorted(by_number)
        low = [min(float(m.poses(c)[1].min()) for c in by_number[n]) for n in x]
        high = [max(float(m.poses(c)[1].max()) for c in by_number[n]) for n in x]
        bound = [max(float(c.values("operator", "condition_bound").max()) for c in by_number[n]) for n in x]
        colour = "#0072B2" if marker == "o" else "#D55E00"
        axes.fill_between(x, low, high, color=colour, alpha=0.25, linewidth=0, label=f"all poses, {name}")
        style.marks(axes, x, high, marker, colour, ms=4)
        axes.plot(x, bound, color=colour, ls="--", lw=1, label=f"bound for every pose, {name}")
    style.panel(axes, "(c) bounded for every pose", "Δt² E / (ρ h²) [1]", "condition number [1]", log="xy")
    axes.legend(loc="upper left", fontsize=8)


def _sizes(axes: Axes, data: ExperimentData, table: Table) -> None:
    for modulus, colour in zip(
        sorted({c.number("young_modulus_pa") for c in data.cells}), ("#0072B2", "#D55E00", "#009E73")
    ):
        equal = data.some(where={"scene.parameters.young_modulus_pa": modulus})
        cells = sorted(equal, key=lambda c: c.tetrahedra or 0)
        sizes = [c.tetrahedra for c in cells]
        rest, worst = [float(m.poses(c)[1][0]) for c in cells], [float(m.poses(c)[1].max()) for c in cells]
        axes.plot(sizes, rest, color=colour, marker="o", label=f"E = {style.power(modulus)} Pa, at rest")
        axes.plot(
            sizes, worst, color=colour, marker="^", ls=":", label=f"E = {style.power(modulus)} Pa, largest over bends"
        )
        for cell in cells:
            for value, condition in zip(*m.poses(cell)):
                table.add(
                    f"sizes, {cell.tetrahedra} tetrahedra, E = {modulus:g} Pa",
                    "bend",
                    "",
                    cell.number("time_step_s"),
                    float(value),
                    float(condition),
                    float(condition / m.poses(cell)[1][0] - 1),
                )
    style.panel(axes, "(d) the bar of Figure 7, Δt = 0.01 s", "tetrahedra", "condition number [1]", log="xy")
    axes.legend(loc="best", fontsize=8)


def _mesh(trace: Trace) -> str:
    across, along = (int(trace.value(f"scene.parameters.{n}", 0)) for n in ("cells_across", "cells_along"))
    return (
        f"{along} × {across} × {across} cubes"
        if along and across
        else f"{trace.tetrahedra:,} tetrahedra"
        if trace.tetrahedra
        else "tetrahedra"
    )


@titled("Section 2.3 — condition number")
def make(figure: Drawing) -> str:
    data, sizes = figure.experiment(m.M.experiment), figure.experiment(m.SIZES.experiment)
    smooth = data.some(keep=m.is_smooth)
    axes = figure.axes(2, 2, 10.2, 7.8)
    table = figure.table("experiment; field; split; time step [s]; pose; condition number .6g; change from rest")
    for cell in smooth:
        field, split, _ = _label(cell)
        for value, condition, change in zip(*m.poses(cell), m.changes(cell)):
            numbers = (float(value), float(condition), float(change))
            table.add("poses", field, split, cell.number("time_step_s"), *numbers)
    _poses(axes[0][0], [c for c in smooth if c.number("time_step_s") == PAPER_STEP])
    _regime(axes[0][1], smooth)
    _bounds(axes[1][0], data.select())
    if sizes.select():
        _sizes(axes[1][1], sizes, table)
    else:
        axes[1][1].axis("off")
        style.say(axes[1][1], f"{m.SIZES.experiment} was not run", fontsize=8)
    inside = m.change_in_regime(data)
    everywhere = m.change_max(data)
    return (
        "The paper says: in all its examples the global condition number never changed by more than 25 per cent. "
        f"Measured here: the matrix M + Δt C + Δt² K′ of a clamped beam of {_mesh(smooth[0])} at bends and twists of "
        f"up to {max(float(m.poses(c)[0].max()) for c in smooth):g}°, extreme eigenvalues by Lanczos and "
        f"shift-invert, held vertices removed. Where masses dominate (Δt²E/(ρh²) ≤ {m.REGIME:g}, h the edge of a "
        f"cell) the largest change is {100 * inside.value:.1f} % ({inside.note}); over all time steps it is "
        f"{100 * everywhere.value:.1f} % ({everywhere.note}), the largest rise "
        f"{100 * (m.growth_max(data).value - 1):.1f} %, random poses included. The bound in (c) holds for every pose "
        "because rotation leaves an element's eigenvalues unchanged."
    )

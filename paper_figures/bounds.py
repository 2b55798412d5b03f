# SPDX-License-Identifier: BSD-3-Clause
"""Measured deviations beside the bounds by which claims are judged, one row each, on a logarithmic axis."""

from collections.abc import Mapping
from dataclasses import dataclass

from deformbench_analysis.claims import Claim, all_claims
from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.predicates import leaves_of
from deformbench_analysis.verdicts import Outcome, compare
from paper_figures.entry import load_index
from paper_figures.figure import Axes, Drawing, MissingData, style

LEAST, MOST = 1e-19, 1e3


@dataclass(frozen=True)
class Row:
    """One comparison of a claim as the chart shows it."""

    claim: Claim
    op: str
    bound: float
    value: Value
    outcome: Outcome
    definition: str

    @property
    def is_inside(self) -> bool:
        """Whether the measured value keeps the bound."""
        return self.outcome is Outcome.TRUE


@dataclass(frozen=True)
class Chart:
    """Text of a figure of bounds: caption (`says`, `measured`), labels of measurements, and per claim the same
    measure where the statement does not apply (measurement, label, style key)."""

    says: str
    measured: str
    labels: Mapping[str, str]
    contrasts: Mapping[str, tuple[str, str, str]]
    look: str  # style key of the method
    unit_of_axis: str = "measured deviation, relative [1]"
    labelled_alone: bool = False  # omit comparisons without a label: sample sizes, controls


def rows_of(claims: list[Claim], measurer: Measurer) -> list[Row]:
    """Each comparison in the claims' predicates with its measured value."""
    found = []
    for claim in claims:
        for leaf in leaves_of(claim.predicate or {}):
            value = measurer(leaf["measurement"])
            definition = measurer.registry[value.name].definition if value.name in measurer.registry else ""
            if isinstance(leaf["value"], (int, float)):
                found.append(
                    Row(claim, leaf["op"], float(leaf["value"]), value, compare(leaf, value, False), definition)
                )
    return found


def draw_bounds(figure: Drawing, chart: Chart) -> str:
    """Draws the chart of all comparisons of the figure's claims; returns the caption. MissingData when none was
    measured."""
    index, results = next(i for i in load_index() if i.id == figure.stem.name), figure.results
    for experiment in index.experiments:
        figure.experiment(experiment)
    claims = [c for c in all_claims().get(index.paper, []) if c.id in index.claims]
    measurer = Measurer(results, results.tier)
    rows = [r for r in rows_of(claims, measurer) if not chart.labelled_alone or r.value.name in chart.labels]
    measured = [r for r in rows if r.value.value is not None]
    if not measured:
        raise MissingData("none of the identities was measured: " + "; ".join(sorted({r.value.note for r in rows})))

    def label(row: Row) -> str:
        return chart.labels.get(row.value.name, row.value.name.replace("_", " ").replace(".", ": "))

    table = figure.table("claim; what; measured .2e; relation; bound .2g; inside; definition")
    axes = figure.axes(width=9.4, height=1.3 + 0.27 * len(rows))
    previous = ""
    for place, row in enumerate(rows):
        rest = (None if row.value.value is None else row.is_inside, row.definition)
        table.add(row.claim.id, label(row), row.value.value, row.op, row.bound, *rest)
        if row.claim.id != previous and place:
            axes.axhline(place - 0.5, color="#d0d0d0", lw=0.8)
        if row.claim.id != previous:
            contrast = chart.contrasts.get(row.claim.id)
            if contrast and (other := measurer(contrast[0])).value is not None:
                look = style.method_style(contrast[2])
                style.marks(axes, [other.value], [place], look.marker, look.colour, mfc="none", ms=6)
                style.note(axes, contrast[1], (other.value, place), (-7, 0), "rc", size=7.5, color=look.colour)
                what, definition = f"contrast: {contrast[1]}", measurer.registry[contrast[0]].definition
                table.add(row.claim.id, what, other.value, "", None, None, definition)
        previous = row.claim.id
        _draw(axes, place, row, style.METHODS[chart.look].colour)
    axes.set(xscale="log", xlim=(LEAST, MOST), ylim=(len(rows) - 0.4, -0.6), xlabel=chart.unit_of_axis)
    axes.set_yticks(range(len(rows)), [f"{label(r)}   {r.claim.id}" for r in rows], fontsize=8)
    axes.set_xticks([10.0**e for e in range(-18, 3, 2)])
    axes.grid(axis="y", visible=False)
    handles = [
        axes.plot([], [], "o", color=style.METHODS[chart.look].colour, label="measured")[0],
        axes.plot(
            [], [], "|", color=style.INK, ms=11, mew=1.8, label="bound; the arrow points to where the claim holds"
        )[0],
    ]
    if chart.contrasts:
        handles.append(
            axes.plot([], [], "o", color=style.GREY, mfc="none", label="contrast: statement not applicable")[0]
        )
    axes.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.35, 1.0), ncol=3, fontsize=8)
    outside = [f"{r.claim.id}, {label(r)}" for r in measured if not r.is_inside]
    missing = [f"{r.claim.id}, {label(r)} ({r.value.note})" for r in rows if r.value.value is None]
    return (
        f"{chart.says} Measured here: {chart.measured}, {len(measured) - len(outside)} of {len(measured)} inside "
        "their "
        f"bounds{'; outside: ' + '; '.join(outside) if outside else ''}"
        f"{'; not measured: ' + '; '.join(missing) if missing else ''}. "
        "Exact zeros are drawn at the left edge. Bounds and their origins are listed with the claims. "
        "Deviations are relative; each row's definition is in the numbers."
    )


def _draw(axes: Axes, place: int, row: Row, colour: str) -> None:
    """Marker, bound and number of one row; a count (==) is written out, as it has no place on a logarithmic axis."""
    value = row.value.value
    if value is None:
        axes.text(LEAST * 2, place, "not measured", fontsize=7.5, va="center", color=style.FAILED)
        return
    colour = colour if row.is_inside else style.FAILED
    if row.op == "==":
        said = f"{value:g}, as it must be" if row.is_inside else f"{value:g} instead of {row.bound:g}"
        axes.text(LEAST * 2, place, said, fontsize=7.5, va="center", color=colour)
        return
    drawn = max(value, LEAST)
    axes.plot([drawn], [place], "o" if row.is_inside else "X", color=colour, clip_on=False, zorder=4)
    style.marks(axes, [row.bound], [place], "|", style.INK, ms=11, mew=1.8)
    towards = -1 if row.op in ("<", "<=") else 1
    arrowprops = {"arrowstyle": "->", "color": style.INK, "linewidth": 0.8}
    axes.annotate("", xytext=(row.bound, place), xy=(row.bound * 10 ** (0.6 * towards), place), arrowprops=arrowprops)
    # On the side away from the bound; an exact zero stands at the edge.
    side = (7, "left") if value == 0 or towards > 0 else (-7, "right")
    text = "0" if value == 0 else f"{value:.2g}" if value >= 0.01 else f"{value:.1e}"
    style.note(axes, text, (drawn, place), (side[0], 0), ha=side[1], va="center", fontsize=7, color=colour)

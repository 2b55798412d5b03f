# SPDX-License-Identifier: BSD-3-Clause
"""Figures of a comparison: ratios with their intervals, errors by point and against time.
Failures are drawn with the reason."""

import textwrap
from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, NullFormatter, StrMethodFormatter

from deformbench_analysis.comparison.pairs import Compared, Pair, is_static
from deformbench_analysis.comparison.sides import Side
from deformbench_analysis.comparison.tables import main_error
from deformbench_analysis.timing_marks import marks
from deformbench_analysis.trace import Trace
from paper_figures import style

ROWS = 36  # of a figure of ratios; the table has all
_LEAST_ERROR = 1e-16  # drawn for an error of zero
_COLOURS = ("#1c1c1c", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#8a6100", "#56B4E9", "#7f3c8d")
_MARKERS = ("o", "s", "^", "D", "v", "P", "<", ">")


def look(side: int) -> tuple[str, str]:
    """Colour and marker of a side, the same in all figures of a page."""
    return _COLOURS[side % len(_COLOURS)], _MARKERS[side % len(_MARKERS)]


def _why_not_drawn(pair: Pair) -> str:
    """Text in place of the ratio."""
    ended = [c for c in (pair.baseline, pair.other) if c.status != "completed"]
    return "; ".join(_end(c) for c in ended) or pair.why_not or pair.why_untimed


def _end(cell: Trace) -> str:
    return f"{cell.method_name} {cell.status}: {cell.status_reason or 'no reason recorded'}"


def ratios(one: Compared, sides: Sequence[Side], stem: Path) -> dict[str, Path] | None:
    """Ratios to the baseline's step time, one row per pair; None if there is no ratio or failure to draw."""
    shown = [p for p in one.pairs if p.ratio is not None or p.why_not][:ROWS]
    if not shown:
        return None
    figure, axes = style.new_figure(1, 1, width=10.2, height=1.1 + 0.3 * len(shown))
    values = [v for p in shown if p.ratio for v in (p.ratio.low, p.ratio.high)]
    low, high = min([0.8, *values]), max([1.25, *values])
    axes.set(xscale="log", xlim=(low / 1.15, high * 1.15), ylim=(len(shown) - 0.4, -0.6))
    axes.axvline(1.0, color=style.GREY, lw=1.0)
    for row, pair in enumerate(shown):
        colour, marker = look(pair.side)
        if pair.ratio is None:
            axes.plot([0.012], [row], "X", color=style.FAILED, transform=axes.get_yaxis_transform())
            why = textwrap.shorten(_why_not_drawn(pair), 110, placeholder=" …")
            transform = axes.get_yaxis_transform()
            bbox = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
            axes.text(0.03, row, why, color=style.FAILED, fontsize=7, va="center", transform=transform, bbox=bbox)
            continue
        face = colour if pair.ratio.shows_difference else "white"
        axes.plot([pair.ratio.low, pair.ratio.high], [row, row], color=colour, lw=1.8, solid_capstyle="butt")
        axes.plot([pair.ratio.value], [row], marker, color=colour, mfc=face)
    labels = [f"{one.marked(p.other)} / {one.marked(p.baseline)}\n{one.point(p.baseline)}" for p in shown]
    axes.set_yticks(range(len(shown)), labels, fontsize=6.5)
    axes.set_xlabel(
        f"{quantity(one)} over the baseline's [1], median of the pairs and 95 % interval; hollow: no difference shown"
    )
    _plain_ticks(axes.xaxis, low, high)
    return style.save(figure, stem)


def _plain_ticks(axis: Axis, low: float, high: float) -> None:
    """Plain numbers at powers of ten; if these are few, also at 2, 3, 5 (or all digits) between them."""
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    shown = "123456789" if high < 3 * low else "235"
    between = FuncFormatter(lambda value, _: f"{value:.3g}" if f"{value:e}"[0] in shown else "")
    axis.set_minor_formatter(between if _has_few_powers(low, high) else NullFormatter())


def _has_few_powers(low: float, high: float) -> bool:
    return 0 < low < high < 20 * low


def quantity(one: Compared) -> str:
    """The quantity whose ratios are shown."""
    static = any(is_static(c) for of in one.cells for c in of)
    return "time to the static limit" if static else "time of a step"


def errors(one: Compared, sides: Sequence[Side], stem: Path) -> dict[str, Path] | None:
    """Errors by point, and against the time of the whole run; None where no cell has an error."""
    if not any(main_error(e) for e in one.errors.values()):
        return None
    points = list(dict.fromkeys(one.point(c) for of in one.cells for c in of))
    figure, (left, right) = style.new_figure(1, 2, width=10.6, height=4.4)
    for index, side in enumerate(sides):
        labels = list(dict.fromkeys(one.label(c) for c in one.cells[index]))
        for variant, label in enumerate(labels):
            at, timed = [], []
            for cell in one.cells[index]:
                error = main_error(one.errors.get(cell.cell_id, []))
                if one.label(cell) != label or error is None or error.value is None:
                    continue
                height = max(error.value, _LEAST_ERROR)
                at.append((points.index(one.point(cell)) + 0.14 * (index - (len(sides) - 1) / 2), height))
                if cell.cell_id in one.costs:
                    timed.append((one.costs[cell.cell_id], height))
            name = (side.text if len(labels) == 1 else label) + marks(
                c for c in one.cells[index] if one.label(c) == label
            )
            fill = ("none", look(index)[0], "#d8d8d8")[variant % 3]
            kwargs = {"color": look(index)[0], "marker": look(index)[1], "linestyle": "none", "markerfacecolor": fill}
            left.plot([x for x, _ in at], [y for _, y in at], label=name, **kwargs)
            right.plot([x for x, _ in timed], [y for _, y in timed], **kwargs)
    left.set(yscale="log", ylabel="relative error [1]", xlim=(-0.6, len(points) - 0.4))
    _draw_failed(left, one, points, len(sides))
    names = [textwrap.fill(p, 26) for p in points] if len(points) <= 6 else [str(i + 1) for i in range(len(points))]
    left.set_xticks(range(len(points)), names, fontsize=6.5)
    left.set_title("error by point", pad=24)
    right.set(xscale="log", yscale="log", xlabel="time of the whole run [s]")
    right.set_title("error against time", pad=24)
    untimed = sum(1 for c in one.errors if c not in one.costs)
    failed = len({c.cell_id for c in one.ended_badly()})
    lines = [f"{untimed} with an error, but no time"] * bool(untimed)
    lines += [f"✕ {failed} did not complete (left)"] * bool(failed)
    text = "\n".join(lines)
    right.text(0.99, 0.01, text, transform=right.transAxes, ha="right", va="bottom", fontsize=7, color=style.FAILED)
    right.set_ylim(left.get_ylim())
    for axis, (low, high) in [
        (left.yaxis, left.get_ylim()),
        (right.yaxis, left.get_ylim()),
        (right.xaxis, right.get_xlim()),
    ]:
        if _has_few_powers(low, high):
            _plain_ticks(axis, low, high)
        else:
            axis.set_minor_formatter(NullFormatter())
    handles, names = left.get_legend_handles_labels()
    figure.legend(handles, names, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2, fontsize=7.5)
    return style.save(figure, stem)


def _draw_failed(axes: Axes, one: Compared, points: Sequence[str], sides: int) -> None:
    """Crosses above the axes, in the colour of failures, with status and the marker of the side beside them."""
    for index, of in enumerate(one.cells):
        for cell in of:
            if cell.status == "completed":
                continue
            x = points.index(one.point(cell)) + 0.14 * (index - (sides - 1) / 2)
            transform = axes.get_xaxis_transform()
            axes.plot([x], [1.02], "X", color=style.FAILED, transform=transform, clip_on=False)
            axes.plot([x], [0.965], look(index)[1], color=look(index)[0], transform=transform, ms=4)
            words = {"size": 6, "color": style.FAILED, "annotation_clip": False, "rotation": 25}
            style.note(axes, cell.status, (x, 1.02), (0, 5), "c", xycoords=transform, **words)

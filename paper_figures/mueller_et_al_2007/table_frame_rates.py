# SPDX-License-Identifier: BSD-3-Clause
"""Frame rates printed in the paper and step times measured here: simulation only, another machine,
no verdict."""

from dataclasses import dataclass

import numpy as np

from paper_figures.cloth_figure import solver_of
from paper_figures.figure import Axes, Drawing, MissingData, Results, Trace, style, titled

PAPER_MACHINE = "3 GHz Pentium 4, with rendering"


@dataclass(frozen=True)
class Published:
    """One published rate: figure, scene, numbers."""

    figure: str
    what: str
    experiment: str
    frames_per_second: float | None  # None: only words
    is_bound: bool = False  # "more than"
    vertices: int | None = None
    triangles: int | None = None


ROWS = (
    Published("Figure 6", "folded cloth", "mueller_et_al_2007/folded_cloth", 30.0, False, 1364, 2562),
    Published("Figure 8", "three stripes, six bodies", "mueller_et_al_2007/stripes", 380.0, True),
    Published("Figure 10", "torn cloth", "mueller_et_al_2007/tearing", 47.0, False, 4264, 8262),
    Published("Figure 12", "cloths in a level", "mueller_et_al_2007/level", None),
)


def _sizes(trace: Trace) -> tuple[int, int]:
    vertices, triangles = (int((trace.scene_shape(n) or (0,))[0]) for n in ("rest_positions", "triangles"))
    return vertices, triangles


def _bars(axes: Axes, cells: list[tuple[Published, Trace | None]]) -> None:
    unnamed = True  # only the first measured point gets a label
    for k, (row, cell) in enumerate(cells):
        if row.frames_per_second is None:
            text = "published: interactive speed"
            axes.text(
                0.02, k - 0.16, text, transform=axes.get_yaxis_transform(), fontsize=8, color=style.GREY, va="center"
            )
        frame = 1e3 / (row.frames_per_second or np.nan)
        label = f"published: a frame, {PAPER_MACHINE}" if k == 0 else None
        style.marks(axes, [frame], [k - 0.16], "<" if row.is_bound else "D", style.GREY, ms=7, label=label)
        if row.frames_per_second is not None:
            said = f"{'< ' if row.is_bound else ''}{frame:.3g} ms per frame"
            style.note(axes, said, (frame, k - 0.16), (8, 0), "lc", size=8, color=style.GREY)
        if cell is None or cell.timing is None:
            said, place = "not timed" if cell else "no trace", axes.get_yaxis_transform()
            axes.text(0.02, k + 0.16, said, transform=place, color=style.FAILED, fontsize=8.5, va="center")
            continue
        timing = cell.timing
        low, high = timing.quartiles_ms
        look = style.method_style(cell)
        axes.plot([low, high], [k + 0.16] * 2, color=style.INK, lw=1.6)
        label = "measured: a step of the simulation, without rendering" if unnamed else None
        style.marks(axes, [timing.median_ms], [k + 0.16], look.marker, look.colour, ms=8, label=label)
        unnamed = False
        said = f"{timing.median_ms:.3g} ms per step of {1e3 * cell.number('time_step_s'):.3g} ms"
        style.note(axes, said, (high, k + 0.16), (8, 0), "lc", size=8)
    yticklabels = [f"{r.figure}\n{r.what}" for r, _ in cells]
    ylim = (len(cells) - 0.45, -0.75)
    axes.set(xscale="log", xlabel="time [ms]", yticks=range(len(cells)), yticklabels=yticklabels, ylim=ylim)
    axes.grid(axis="y", visible=False)
    low, high = axes.get_xlim()
    axes.set_xlim(low / 1.3, high * 6)  # room for the labels at the right
    axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.16), ncol=1, fontsize=8)


def _phases(axes: Axes, cells: list[tuple[Published, Trace | None]]) -> None:
    named: set[str] = set()
    for k, (_, cell) in enumerate(cells):
        timing = cell.timing if cell else None
        if timing is None or not timing.phase_names or not timing.phase_seconds.size:
            continue
        left = 0.0
        for name in timing.phase_names:
            text, colour = style.PHASES.get(name, (name, "#b39ddb"))
            share = 100 * timing.phase_share(name)
            axes.barh(k, share, left=left, color=colour, height=0.5, label=None if name in named else text)
            named.add(name)
            left += share
    axes.set_yticks(range(len(cells)), [r.figure for r, _ in cells])
    axes.set(xlabel="share of the step, median [%]", ylim=(len(cells) - 0.45, -0.75), xlim=(0, 105))
    axes.grid(axis="y", visible=False)
    if named:
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=2, fontsize=8)


def chosen(results: Results, experiment: str) -> Trace | None:
    """The timed cell of method pbd with the paper's size, else any timed one, else the first;
    None without a trace."""
    cells = results.experiment(experiment).select(status=None)
    if not cells:
        return None
    largest = max(_sizes(c)[0] for c in cells)
    return min(cells, key=lambda c: (c.timing is None, c.method_id != "pbd", _sizes(c)[0] != largest))


@titled("Published frame rates")
def make(figure: Drawing) -> str:
    cells = [(row, chosen(figure.results, row.experiment)) for row in ROWS]
    have = [c for _, c in cells if c is not None]
    if not have:
        raise MissingData(f"no trace of {', '.join(r.experiment for r in ROWS)} at tier {figure.results.tier}")
    axes = figure.axes(1, 2, 11.0, 4.1)
    _bars(axes[0], cells)
    axes[0].set_title("(a) a frame there, a step here")
    _phases(axes[1], cells)
    axes[1].set_title("(b) parts of a step here")
    table = figure.table(
        "figure; scene; vertices, printed; triangles, printed; vertices, run; triangles, run; frames per second, "
        "printed (with rendering); time per frame, printed [ms]; median step, here [ms]; quartiles [ms]; step of "
        "the simulation [ms]; iterations; method"
    )
    for row, cell in cells:
        timing = cell.timing if cell else None
        sizes = _sizes(cell) if cell else (None, None)
        table.add(
            row.figure,
            row.what,
            row.vertices,
            row.triangles,
            *sizes,
            f"{'> ' if row.is_bound else ''}{row.frames_per_second:g}" if row.frames_per_second else "interactive",
            1e3 / row.frames_per_second if row.frames_per_second else None,
            timing.median_ms if timing else None,
            "{:.3g} … {:.3g}".format(*timing.quartiles_ms) if timing else None,
            1e3 * cell.number("time_step_s") if cell else None,
            int(cell.value("method.parameters.iterations", 0)) if cell else None,
            cell.method_name if cell else None,
        )
    runs = "; ".join(f"{row.figure}: {solver_of(cell)}" for row, cell in cells if cell)
    threads = int(np.max([c.value("threads", 1) for c in have]))
    figure.failed = [
        f"{row.experiment}: {c.label}: {c.status} ({c.status_reason})"
        for row, _ in cells
        for c in figure.experiment(row.experiment).failed()
    ]
    figure.below = [f"<div class=scroll>{table.html('table1')}</div>"]
    return (
        "The paper shows: 30 frames per second in Figure 6, more than 380 in Figure 8, 47 in Figure 10, interactive "
        "speed in Figure 12, on a 3 GHz Pentium 4 and with rendering; neither time step nor iterations nor steps "
        f"per frame are given. Measured here: the time of one step of the simulation alone, on {threads} "
        f"thread{'s' if threads > 1 else ''} of another machine ({runs}); median, with quartiles. The two columns "
        "are no comparison of methods, and no verdict rests on them: PBD-37 to 40 are not testable."
    )

# SPDX-License-Identifier: BSD-3-Clause
"""A figure as its script states it: the experiments it shows, its panels, its numbers, and its caption. The machine,
the cells that ended badly and the files follow from these.

    @titled("Section 2.2 — a hanging block")
    def make(figure: Drawing) -> str:  # the caption
        data = figure.experiment(m.M.experiment)
        axes = figure.axes(1, 2, 9.6, 3.9)
        table = figure.table("row; E [Pa] .6g; elongation [m]")
        …
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.tables import Table
from deformbench_analysis.trace import Trace
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line, write_table

# including re-exports for scripts
__all__ = ["Array", "Axes", "Drawing", "ExperimentData", "MissingData", "Results", "Table", "Trace"]
__all__ += ["ends_of", "style", "titled"]


def ends_of(cells: Iterable[Trace]) -> list[str]:
    """Label, status and reason of each cell."""
    return [f"{c.label}: {c.status} ({c.status_reason})" for c in cells]


@dataclass
class Drawing:
    """A figure that is being drawn."""

    results: Results
    stem: Path  # of its files, without suffix
    page: Figure = field(init=False)
    numbers: Table = field(init=False)
    shown: list[ExperimentData] = field(default_factory=list)
    failed: list[str] | None = None  # lines on cells that ended badly; None: all of `shown` that did not complete
    below: Sequence[str] = ()  # HTML that follows the figure
    machine_cells: Sequence[Trace] | None = None  # whose machine the caption names; None: those of all cells shown

    @property
    def tiers(self) -> tuple[str, ...]:
        """The tier, and `large` too unless it is smoke."""
        return (self.results.tier,) if self.results.tier == "smoke" else ("paper", "large")

    def experiment(self, identifier: str, with_large: bool = False) -> ExperimentData:
        """The cells of an experiment, which the figure shows from here on."""
        found = (
            self.results.experiment_at(identifier, self.tiers) if with_large else self.results.experiment(identifier)
        )
        self.shown.append(found)
        return found

    def part(self, name: object) -> Path:
        """A further file beside the figure's, or the stem of several."""
        return self.stem.with_name(f"{self.stem.name}_{name}")

    def axes(self, rows: int = 1, columns: int = 1, width: float | None = None, height: float | None = None) -> Any:
        """Empty panels, as `style.new_figure` has them; sizes in inches."""
        self.page, axes = style.new_figure(rows, columns, width, height)
        return axes

    def table(self, *columns: str) -> Table:
        """The figure's numbers, with columns as in `Table.of`."""
        self.numbers = Table.of(*columns)
        return self.numbers

    def legend_below(
        self, columns: int, axes: Any = None, fontsize: float = 8, middle: float = 0.5, **more: Any
    ) -> None:
        """One legend for all panels, from `axes` or `handles`; `middle`: its centre / page width."""
        entries = () if axes is None else axes.get_legend_handles_labels()
        place = {"loc": "upper center", "bbox_to_anchor": (middle, 0.0)}
        self.page.legend(*entries, **place, ncol=columns, fontsize=fontsize, **more)

    def finished(self, title: str, caption: str) -> FigureEntry:
        """Saves picture and numbers."""
        cells = [c for data in self.shown for c in data.cells] if self.machine_cells is None else self.machine_cells
        failed = ends_of(c for data in self.shown for c in data.failed()) if self.failed is None else self.failed
        return FigureEntry(
            title,
            f"{caption.rstrip()} Machine: {machine_line(cells)}.",
            style.save(self.page, self.stem),
            write_table(self.numbers, self.stem),
            failed,
            list(self.below),
        )


def titled(title: str) -> Callable[[Callable[[Drawing], str]], Callable[[Results, Path], FigureEntry]]:
    """Turns a function that draws and returns the caption into a script's `make`. Files get the script's name."""

    def of(draw: Callable[[Drawing], str]) -> Callable[[Results, Path], FigureEntry]:
        name = draw.__module__.rpartition(".")[2]

        def make(results: Results, out_dir: Path) -> FigureEntry:
            drawing = Drawing(results, out_dir / name)
            return drawing.finished(title, draw(drawing))

        return make

    return of

# SPDX-License-Identifier: BSD-3-Clause
"""Results as tables of pandas and plots of matplotlib."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from deformbench_analysis import papers as lookup
from deformbench_analysis.claims import all_claims
from deformbench_analysis.compare import comparison, row_labels
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measurer
from deformbench_analysis.records import read_record
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Table
from deformbench_analysis.verdicts import judge_all

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def load(folder: str | Path, *, tier: str = "paper", papers: Iterable[str | Path] = ()) -> Results:
    """The traces below a folder, as `deformbench run --out FOLDER` leaves them. `tier` is the one that the other
    functions look at; `papers` are folders of papers outside the tree, whose declarations, claims and measurements
    are then known too."""
    named = tuple(Path(p).absolute() for p in papers)
    with lookup.also(named):
        results = Results(folder, tier)
    results.paper_folders = named
    return results


def compare(results: Results, experiment: str, channels: Iterable[str] | None = None) -> pd.DataFrame:
    """One row per cell of the experiment: method, what was swept, how the cell ended, the last value of each channel
    (norm of a vector, mean of an ensemble), and milliseconds per step where they were measured. Columns have their
    unit in brackets. Without `channels` the first eight are shown."""
    table = comparison(results.with_joined(results.named(experiment)), None if channels is None else list(channels))
    return _frame(table)


def measurements(results: Results, experiment: str | None = None) -> pd.DataFrame:
    """Every measurement of the known papers, or of one experiment: name, value (NaN where there is none), unit, note
    (how it came about, or why there is none), experiment, definition, and whether the function itself failed
    (`broken`)."""
    with lookup.also(results.paper_folders):
        only = None if experiment is None else results.named(experiment)
        measurer = Measurer(results, results.tier)
        names = [n for n, entry in measurer.registry.items() if only is None or entry.experiment == only]
        measurer.measure_all(names)
        rows = []
        for name in names:
            value, entry = measurer(name), measurer.registry[name]
            number = np.nan if value.value is None else value.value
            rows.append((name, number, value.unit, value.note, entry.experiment, entry.definition, value.broken))
    columns = ["measurement", "value", "unit", "note", "experiment", "definition", "broken"]
    return _frame_of(rows, columns)


def verdicts(results: Results, *, papers: Iterable[str] | None = None, timing: bool = False) -> pd.DataFrame:
    """The claims of the known papers, or of those named, judged by these results: claim, paper, verdict, what the
    record says, statement, and what decided. Claims that the results' tier is too small for are left out, and those
    of speed without `timing`."""
    with lookup.also(results.paper_folders):
        chosen = None if papers is None else {lookup.named(name).name for name in papers}
        claims = [c for paper, of in all_claims().items() if chosen is None or paper in chosen for c in of]
        judgement = judge_all(results, claims, results.tier, timing)
        records = {paper: read_record(lookup.named(paper).verdicts) for paper in {c.paper for c in claims}}
    rows = []
    for v in judgement.verdicts:
        recorded = records[v.claim.paper].get(v.claim.id, {}).get("verdict", "")
        decided = "; ".join(c.text() for c in v.comparisons) or v.reason
        rows.append((v.claim.id, v.claim.paper, v.verdict, recorded, v.claim.statement, decided))
    return _frame_of(rows, ["claim", "paper", "verdict", "recorded", "statement", "measured"])


def plot(
    results: Results,
    experiment: str,
    channel: str,
    *,
    clock: str = "step",
    methods: Iterable[str] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draws a channel of every cell of the experiment over time: the norm of a vector, each member of an ensemble.
    `methods` are labels of the declaration; every row has a label of its own, of what it differs by. A cell that
    ended badly is drawn as far as it came, with a cross. MissingData when no cell has the channel."""
    import matplotlib.pyplot as plt  # only who draws needs it

    data = results.with_joined(results.named(experiment))
    wanted = None if methods is None else set(methods)
    cells = [c for c in data.cells if (wanted is None or c.method_name in wanted) and c.has(clock, channel)]
    if not cells:
        raise MissingData(f"{data.id} at tier {data.tier}: no cell has {clock}/{channel}")
    if axes is None:
        axes = plt.subplots()[1]
    unit = ""
    for cell, label in zip(cells, row_labels(data, cells)):
        series = cell.series(clock, channel)
        unit = series.unit
        members = series.members() if series.is_ensemble else [series]
        colour: Any = None
        for member in members:
            values = np.asarray(member.values)
            values = values if values.ndim == 1 else np.linalg.norm(values.reshape(len(values), -1), axis=1)
            (line,) = axes.plot(member.time, values, color=colour, label=None if colour else label)
            colour = line.get_color()
            if cell.status != "completed" and len(values):
                axes.plot(member.time[-1:], values[-1:], marker="x", color=colour, linestyle="none")
    axes.set(xlabel="time [s]", ylabel=f"{channel} [{unit}]", title=data.id)
    axes.legend()
    return axes


def _frame_of(rows: Sequence[Any], columns: list[str]) -> pd.DataFrame:
    import pandas as pd  # takes a second; a method in Python needs none of it

    return pd.DataFrame(rows, columns=columns)


def _frame(table: Table) -> pd.DataFrame:
    return _frame_of(list(table.rows), [c.heading for c in table.columns])

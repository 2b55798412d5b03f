# SPDX-License-Identifier: BSD-3-Clause
"""One table of all methods of an experiment: how each cell ended, its last values, its time per step."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .errors import MissingData, NothingSelected
from .nearest_names import suggestion
from .results import NOT_IDENTITY, ExperimentData
from .tables import Column, Table
from .trace import Trace, attributed

_MAX_CHANNELS = 8


def _last(trace: Trace, clock: str, channel: str) -> tuple[float | None, str]:
    """Last value (norm of a vector, mean over the members of an ensemble) and unit."""
    try:
        series = trace.series(clock, channel)
    except MissingData:
        return None, ""
    values = series.values
    if values.ndim > (3 if series.is_ensemble else 2) or values.size == 0:
        return None, series.unit
    last = values[:, -1].mean(axis=0) if series.is_ensemble else values[-1]
    return float(np.linalg.norm(last)) if np.ndim(last) else float(last), series.unit


def settings_text(settings: Mapping[str, Any]) -> str:
    """What --set gave to a joined cell, short."""
    return ", ".join(f"{path.rsplit('.', 1)[-1]}={value}" for path, value in settings.items())


def row_labels(data: ExperimentData, cells: Sequence[Trace]) -> list[str]:
    """A label for each cell, no two alike: method and coordinates, and where these are the same what was set, or else
    differs in their specs."""
    own = [dict(_leaves(cell.spec)) | data.settings.get(cell.cell_id, {}) for cell in cells]
    labels = [cell.label for cell in cells]
    told: list[dict[str, Any]] = [{} for _ in cells]
    for label in [label for label, count in Counter(labels).items() if count > 1]:
        alike = [i for i, other in enumerate(labels) if other == label]
        set_first = [path for i in alike for path in data.settings.get(cells[i].cell_id, {})]
        for path in dict.fromkeys([*set_first, *(path for i in alike for path in own[i])]):
            finer = [{**told[i], **({path: own[i][path]} if path in own[i] else {})} for i in alike]
            if len(set(map(settings_text, finer))) > len({settings_text(told[i]) for i in alike}):
                for i, more in zip(alike, finer):
                    told[i] = more
    return [label + (f", {settings_text(more)}" if more else "") for label, more in zip(labels, told)]


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted paths and values of what makes a spec another run."""
    for key, value in tree.items():
        if prefix or key not in NOT_IDENTITY:
            yield from _leaves(value, f"{prefix}{key}.") if isinstance(value, Mapping) else [(prefix + key, value)]


def comparison(data: ExperimentData, channels: list[str] | None = None) -> Table:
    """Rows: cells. Columns: method, the coordinates that differ, status, last value of each channel, ms per step."""
    if not data.cells:
        raise NothingSelected(data.why_empty)
    coordinates = list(dict.fromkeys(path for cell in data.cells for path in cell.coordinates))
    available = list(
        dict.fromkeys(
            (clock, name)
            for cell in data.cells
            for clock, names in cell.clocks().items()
            if clock != "frame"
            for name in names
        )
    )
    shown = [c for c in available if channels is None or c[1] in channels or "/".join(c) in channels]
    if channels and not shown:
        raise NothingSelected(
            f"{data.id}: no channel {', '.join(channels)}"
            + suggestion(channels[0], ("/".join(c) for c in available), "deformbench list channels")
        )
    scalar = [
        (clock, name) for clock, name in shown if any(_last(cell, clock, name)[0] is not None for cell in data.cells)
    ]
    scalar = scalar if channels else scalar[:_MAX_CHANNELS]
    units = {c: next((u for cell in data.cells for v, u in [_last(cell, *c)] if v is not None), "") for c in scalar}
    timed = any(cell.timing for cell in data.cells)
    is_set = any(data.settings.get(cell.cell_id) for cell in data.cells)
    table = Table(
        [Column("method")]
        + ([Column("set")] if is_set else [])
        + [Column(c.rsplit(".", 1)[-1]) for c in coordinates]
        + [Column("status")]
        + [Column(name if clock == "step" else f"{clock}/{name}", units[clock, name]) for clock, name in scalar]
        + (
            [Column("median", "ms/step"), Column("lower quartile", "ms/step"), Column("upper quartile", "ms/step")]
            if timed
            else []
        ),
        caption=f"{data.id}, tier {data.tier}: last values",
    )
    for cell in data.cells:
        status = cell.status if cell.status == "completed" else f"{cell.status}: {cell.status_reason}"
        row = [
            attributed(cell.method_name, cell.claimed_by),
            *([settings_text(data.settings.get(cell.cell_id, {}))] if is_set else []),
            *(cell.coordinates.get(c) for c in coordinates),
            status,
            *(_last(cell, *c)[0] for c in scalar),
        ]
        if timed:
            row += [cell.timing.median_ms, *cell.timing.quartiles_ms] if cell.timing else [None] * 3
        table.add(*row)
    for name, missing in data.missing:
        table.add(
            name,
            *([""] if is_set else []),
            *(missing.get(c) for c in coordinates),
            "no trace",
            *([None] * (len(table.columns) - len(coordinates) - 2 - is_set)),
        )
    return table

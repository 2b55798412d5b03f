# SPDX-License-Identifier: BSD-3-Clause
"""Series and cells as tables of pandas and data sets of xarray. Neither package is needed elsewhere."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array
from .errors import InputError, MissingData

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from .results import ExperimentData
    from .trace import Series, Trace

LARGEST_ROW = 9  # numbers of a channel per row that get a column each: vectors, 3×3 matrices


def required(package: str, asked: str) -> Any:
    """The module. InputError where it is not installed."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise InputError(f"{asked}: needs the Python package {package}, which is not installed ({error})") from error


def component_names(name: str, width: int) -> list[str]:
    """Columns of a channel with `width` numbers per row: its name, with _x, _y, _z for three, else _0, _1, …"""
    if width == 1:
        return [name]
    return [f"{name}_{'xyz'[k] if width == 3 else k}" for k in range(width)]


def series_frame(series: Series) -> pd.DataFrame:
    """Series.to_frame."""
    frame = required("pandas", "Series.to_frame").DataFrame(_columns([series]))
    frame.attrs["unit"] = series.unit
    return frame


def _columns(channels: Sequence[Series]) -> dict[str, Array]:
    """member (of an ensemble), step, time and components, one entry per row that was reached."""
    first = channels[0]
    reached = first.step.ravel() >= 0
    found: dict[str, Array] = {}
    if first.is_ensemble:
        found["member"] = np.repeat(np.arange(first.step.shape[0]), first.step.shape[1])[reached]
    found |= {"step": first.step.ravel()[reached], "time": first.time.ravel()[reached]}
    for series in channels:
        rows = series.values.reshape(first.step.size, -1)[reached]
        found |= {name: rows[:, k] for k, name in enumerate(component_names(series.name, rows.shape[1]))}
    return found


def trace_dataset(trace: Trace, clock: str) -> xr.Dataset:
    """Trace.to_xarray."""
    xarray = required("xarray", "Trace.to_xarray")
    names = _channels_of(trace, clock)
    coordinates: dict[str, Any] = {}
    variables: dict[str, Any] = {}
    for name in names:
        series = trace.series(clock, name)
        rows = ("member", "row") if series.is_ensemble else ("time",)
        if not coordinates:
            coordinates = {"time": (rows, series.time, {"units": "s"}), "step": (rows, series.step)}
        more = tuple(f"{name}_{k}" for k in range(1, series.values.ndim - len(rows) + 1))
        about = {"units": series.unit, "long_name": series.description, "quantity": series.quantity}
        variables[name] = ((*rows, *more), series.values, {**about, "source": series.source})
    facts = {
        "experiment": trace.experiment,
        "cell_id": trace.cell_id,
        "method": trace.method_id,
        "row": trace.method_name,
        "status": trace.status,
        "status_reason": trace.status_reason,
        "clock": clock,
        "git_commit": str(trace.provenance.get("git_commit", "unknown")),
    }
    dataset: xr.Dataset = xarray.Dataset(variables, coordinates, facts)
    return dataset


def _channels_of(trace: Trace, clock: str) -> list[str]:
    names = sorted(trace.clocks().get(clock, []))
    if not names:
        raise MissingData(f"{trace.path}: no channel on the clock {clock} (has: {', '.join(trace.clocks()) or 'none'})")
    return names


def results_frame(data: ExperimentData, clock: str, channels: Iterable[str] | None) -> pd.DataFrame:
    """Results.frame."""
    pandas = required("pandas", "Results.frame")
    parts = []
    for cell in data.cells:
        recorded = cell.clocks().get(clock, [])
        wanted = sorted(recorded) if channels is None else [n for n in channels if n in recorded]
        found = [cell.series(clock, name) for name in wanted]
        found = [s for s in found if np.prod(s.values.shape[s.step.ndim :], dtype=int) <= LARGEST_ROW]
        if not found:
            continue
        about = {"cell_id": cell.cell_id, "method": cell.method_name, "claimed_by": cell.claimed_by}
        about |= {path: _plain(value) for path, value in cell.coordinates.items()} | {"status": cell.status}
        columns = _columns(found)
        repeated: dict[str, Any] = {k: [v] * len(columns["step"]) for k, v in about.items()}
        parts.append(pandas.DataFrame(repeated | columns))
    if not parts:
        asked = ", ".join(channels) if channels is not None else "a channel that a column can hold"
        why = data.why_empty if not data.cells else f"no cell has {asked} on the clock {clock}"
        raise MissingData(f"{data.id} at tier {data.tier}: {why}")
    return pandas.concat(parts, ignore_index=True)


def _plain(value: Any) -> Any:
    """A coordinate that a column can group by."""
    return str(value) if isinstance(value, (list, dict)) else value

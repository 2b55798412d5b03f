# SPDX-License-Identifier: BSD-3-Clause
"""One trace (docs/trace_format.md): attributes, series, frames, events, references, and the timing beside it.

Files are opened read-only for the length of one call, so that thousands of traces need no thousand handles."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")  # reading needs no lock, and NFS may refuse one

import h5py
import numpy as np

from . import tidy
from .arrays import Array
from .contained import require_harmless
from .errors import InputError, MissingData
from .intact import require_intact, require_promised

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

FORMAT = "deformbench-trace"
FORMAT_VERSION = 1


def _plain(value: Any) -> Any:
    """An HDF5 attribute as a Python value."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, str):  # h5py hides bytes that are no UTF-8 in characters that cannot be printed
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, np.ndarray):
        return [_plain(v) for v in value.tolist()] if value.ndim else _plain(value.item())
    if isinstance(value, np.generic):
        return _plain(value.item())
    return value


UNREADABLE = (OSError, KeyError, RuntimeError, TypeError, ValueError)  # what h5py and numpy raise on damaged content


@contextmanager
def opened(path: Path) -> Iterator[h5py.File]:
    """The file for reading; InputError when what is asked of it cannot be read."""
    try:
        with h5py.File(path, "r") as file:
            yield file
    except UNREADABLE as error:
        what = "not a readable HDF5 file" if isinstance(error, OSError) else "does not hold what a trace holds"
        raise InputError(f"{path}: {what} ({' '.join(str(error).split())})") from error


def _attributes(node: h5py.HLObject) -> dict[str, Any]:
    return {name: _plain(value) for name, value in node.attrs.items()}


def _short(value: Any) -> str:
    """A coordinate for a label: numbers without trailing digits, long lists cut, of a text its first line."""
    if isinstance(value, float):
        return f"{value:g}"
    text = "[" + ", ".join(_short(v) for v in value) + "]" if isinstance(value, list) else str(value)
    first = text.splitlines()[0] if text else text
    return text if text == first and len(text) <= 40 else first[:37] + "…"


def look_up(tree: Any, path: str, default: Any = None) -> Any:
    """The value at a dotted path of nested dictionaries; `default` when any part is missing."""
    for part in path.split("."):
        if not isinstance(tree, Mapping) or part not in tree:
            return default
        tree = tree[part]
    return tree


def attributed(label: str, claimed_by: str) -> str:
    """A method's label, and in parentheses who recommends its settings, where somebody does."""
    return f"{label} ({claimed_by})" if claimed_by else label


@dataclass(frozen=True)
class Series:
    """One channel on one clock. `values` is [row, …], or [member, row, …] in an ensemble, as are step and time."""

    name: str
    clock: str
    unit: str
    quantity: str
    description: str
    source: str
    values: Array
    step: Array
    time: Array

    @property
    def is_ensemble(self) -> bool:
        """Whether there is a row of values for each member."""
        return self.step.ndim == 2

    def member(self, index: int) -> "Series":
        """One member's rows; rows that the member did not reach (step −1) are cut off."""
        if not self.is_ensemble:
            raise InputError(f"channel {self.clock}/{self.name} is not an ensemble")
        keep = self.step[index] >= 0
        return Series(
            self.name,
            self.clock,
            self.unit,
            self.quantity,
            self.description,
            self.source,
            self.values[index][keep],
            self.step[index][keep],
            self.time[index][keep],
        )

    def members(self) -> list["Series"]:
        """All members; the series itself when it is no ensemble."""
        return [self.member(i) for i in range(self.step.shape[0])] if self.is_ensemble else [self]

    def to_frame(self) -> pd.DataFrame:
        """A row per row of the clock: member (of an ensemble), step, time, and a column per component (name, name_x,
        name_0 …); `attrs["unit"]` is its unit. InputError without pandas."""
        return tidy.series_frame(self)


@dataclass(frozen=True)
class Reference:
    """A reference's values on the rows of a clock, or scalars, with where they come from and how good they are."""

    id: str
    channel: str
    values: Array
    unit: str
    clock: str
    kind: str
    citation: str
    uncertainty: float
    validity: str


@dataclass(frozen=True)
class Timing:
    """Raw samples of the timing pass, in seconds; NaN where a repeat has fewer steps."""

    path: Path
    step_seconds: Array  # [repeat, step]
    phase_seconds: Array  # [repeat, step, phase], or empty
    phase_names: list[str]
    protocol: dict[str, Any]
    provenance: dict[str, Any]
    peak_rss_bytes: float | None = None
    warmup_seconds: Array = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def median_ms(self) -> float:
        """Median over all steps of all repeats, ms."""
        return 1e3 * float(np.nanmedian(self.step_seconds))

    @property
    def minimum_ms(self) -> float:
        """Fastest step, ms."""
        return 1e3 * float(np.nanmin(self.step_seconds))

    @property
    def quartiles_ms(self) -> tuple[float, float]:
        """Lower and upper quartile, ms."""
        low, high = np.nanpercentile(self.step_seconds, [25, 75])
        return 1e3 * float(low), 1e3 * float(high)

    def phase_share(self, *names: str) -> float:
        """Median over all samples of the named phases' part of their own step:
        steadier on a busy machine than a ratio of medians."""
        return float(np.nanmedian(self._phases(names) / self.step_seconds))

    def phase_ratio(self, above: list[str], below: list[str]) -> float:
        """Median over all samples of the ratio of two sums of phases of the same step."""
        return float(np.nanmedian(self._phases(above) / self._phases(below)))

    def phase_ms(self, *names: str) -> float:
        """Median over all samples of the summed time of the named phases."""
        return 1e3 * float(np.nanmedian(self._phases(names)))

    def undisturbed_phase_ms(self, *names: str) -> float:
        """As phase_ms, but the lower quartile: what else runs on the machine can only add time."""
        return 1e3 * float(np.nanpercentile(self._phases(names), 25))

    def _phases(self, names: Sequence[str]) -> Array:
        """Summed seconds of the named phases, [repeat, step]."""
        unknown = [n for n in names if n not in self.phase_names]
        if unknown or self.phase_seconds.size == 0:
            raise MissingData(
                f"{self.path.name}: no phase {', '.join(unknown) or 'times'} (has: {', '.join(self.phase_names)})"
            )
        columns = [self.phase_names.index(n) for n in names]
        return np.asarray(self.phase_seconds[:, :, columns].sum(axis=2))


class Trace:
    """A finished trace. Raises InputError when the file is not one, or not as its digest says."""

    def __init__(self, path: Path | str):
        self.path = Path(path)
        carries_digest = require_intact(self.path)
        if not carries_digest:
            require_harmless(self.path)
        with opened(self.path) as file:
            root = _attributes(file)
            if root.get("format") != FORMAT:
                raise InputError(f"{self.path}: attribute format is {root.get('format')!r}, expected {FORMAT!r}")
            if int(root.get("format_version", -1)) != FORMAT_VERSION:
                raise InputError(
                    f"{self.path}: format_version {root.get('format_version')}, this reader knows {FORMAT_VERSION}"
                )
            if "provenance" not in file:
                raise InputError(f"{self.path}: no group /provenance, which must hold the attribute spec")
            self.provenance = _attributes(file["provenance"])
            require_promised(self.path, carries_digest, self.provenance)
        try:
            self.spec: dict[str, Any] = json.loads(self.provenance.pop("spec"))
        except (KeyError, TypeError, json.JSONDecodeError, RecursionError) as error:
            raise InputError(f"{self.path}: /provenance attribute spec must be JSON ({error})") from error
        if not isinstance(self.spec, dict):
            raise InputError(f"{self.path}: /provenance attribute spec must be a JSON object")
        self.experiment = str(root.get("experiment", ""))
        self.cell_id = str(root.get("cell_id", self.path.stem))
        self.method_id = str(root.get("method", look_up(self.spec, "method.id", "")))
        self.status = str(root.get("status", "failed"))
        self.status_reason = str(root.get("status_reason", ""))
        self.claimed_by = str(look_up(self.spec, "method.claimed_by", ""))  # the list of cells may know better
        self.wanted: dict[str, str] = {}  # fingerprints in /provenance that the trace and its timing must have to count

    def __repr__(self) -> str:
        return f"Trace({self.label}, {self.status})"

    # what it is -----------------------------------------------------------------------------------------------
    @property
    def tier(self) -> str:
        """The tier that it was run at first."""
        return str(self.spec.get("tier", ""))

    @property
    def coordinates(self) -> dict[str, Any]:
        """Swept values by dotted path."""
        return dict(self.spec.get("coordinates", {}))

    @property
    def method_name(self) -> str:
        """The label of the method's row in the declaration."""
        return str(look_up(self.spec, "method.name", self.method_id))

    def value(self, path: str, default: Any = None) -> Any:
        """A value of the resolved spec by dotted path, e.g. `scene.parameters.angle_deg`."""
        if path in self.coordinates:
            return self.coordinates[path]
        return look_up(self.spec, path, default)

    def number(self, name: str) -> float:
        """A number among the scene's parameters."""
        return float(self.value("scene.parameters." + name))

    def setting(self, name: str) -> float:
        """A number among the method's parameters."""
        return float(self.value("method.parameters." + name))

    @property
    def label(self) -> str:
        """Method and coordinates in one line, for messages and tables."""
        shown = ", ".join(
            f"{key.rsplit('.', 1)[-1]}={_short(value)}"
            for key, value in self.coordinates.items()
            if not key.startswith("schedule.poses.") or key.endswith(".field")
        )
        return attributed(f"{self.method_name} ({shown})" if shown else self.method_name, self.claimed_by)

    def missing(self, what: str) -> MissingData:
        """What to raise where the run lacks something: it names experiment and run."""
        return MissingData(f"{self.experiment}: {self.label}: {what}")

    def fits(self, provenance: Mapping[str, Any]) -> bool:
        """Whether a file with this provenance is of the sources that are wanted."""
        return all(str(provenance.get(key, "")) == value for key, value in self.wanted.items())

    @property
    def machine(self) -> tuple[str, str]:
        """Host and processor that it was run on."""
        about = self.provenance
        return str(about.get("host") or "unknown host"), str(about.get("cpu") or "unknown CPU")

    @property
    def stored_expectation(self) -> str:
        """The end that was declared when the trace was written; the declaration of today may say otherwise."""
        return str(look_up(self.spec, "expect.status", "completed"))

    # what it holds --------------------------------------------------------------------------------------------
    def clocks(self) -> dict[str, list[str]]:
        """Clock → its channels."""
        with opened(self.path) as file:
            if "series" not in file:
                return {}
            return {clock: [n for n in group if n not in ("step", "time")] for clock, group in file["series"].items()}

    def has(self, clock: str, channel: str) -> bool:
        """Whether a channel was recorded on this clock."""
        with opened(self.path) as file:
            return f"series/{clock}/{channel}" in file

    def series(self, clock: str, channel: str) -> Series:
        """A channel with its unit and abscissae. MissingData when the trace does not hold it."""
        with opened(self.path) as file:
            group = file.get(f"series/{clock}")
            if group is None or channel not in group:
                raise self.missing(f"no channel {clock}/{channel}")
            data = group[channel]
            about = _attributes(data)
            return Series(
                channel,
                clock,
                str(about.get("unit", "")),
                str(about.get("quantity", "")),
                str(about.get("description", "")),
                str(about.get("source", "")),
                data[...],
                group["step"][...],
                group["time"][...],
            )

    def values(self, clock: str, channel: str) -> Array:
        """Values of a channel without units and times."""
        return self.series(clock, channel).values

    def to_xarray(self, clock: str = "step") -> xr.Dataset:
        """The channels of a clock, with units and the cell's facts as attributes. The dimension is time, or in an
        ensemble member and row; further ones are <channel>_1, …. MissingData without a channel; InputError without
        xarray."""
        return tidy.trace_dataset(self, clock)

    def scene(self, name: str) -> Array:
        """An array of /scene; MissingData when it is not there."""
        with opened(self.path) as file:
            if f"scene/{name}" not in file:
                raise self.missing(f"no array /scene/{name}")
            return np.asarray(file[f"scene/{name}"][...])

    def scene_shape(self, name: str) -> tuple[int, ...] | None:
        """Shape of an array of /scene without reading it; None when it is not there."""
        with opened(self.path) as file:
            return tuple(file[f"scene/{name}"].shape) if f"scene/{name}" in file else None

    @cached_property
    def tetrahedra(self) -> int | None:
        """Number of tetrahedra of the scene."""
        shape = self.scene_shape("tetrahedra")
        return None if shape is None else int(shape[0])

    @cached_property
    def _frame_groups(self) -> dict[int, dict[int, str]]:
        """Groups of /frames by member and step."""
        found: dict[int, dict[int, str]] = {}
        with opened(self.path) as file:
            groups = file.get("frames", {})
            for name in sorted(groups, key=int):
                about = groups[name].attrs
                found.setdefault(int(about.get("member", 0)), {})[int(about["step"])] = name
        return found

    def frames(
        self, member: int | None = None, last: bool = False, names: Sequence[str] | None = None
    ) -> Iterator[tuple[int, float, dict[str, Array]]]:
        """(step, time, arrays) of every stored frame, one at a time: the rows of the clock `frame`, and the groups of
        /frames, whose arrays (positions, tetrahedra, parents, …) have another length every time. `member`: of an
        ensemble. `last`: the last one alone. `names`: of the arrays that are read; None: all."""
        with opened(self.path) as file:
            series, groups = file.get("series/frame"), file.get("frames", {})
            is_ensemble = series is not None and series["step"].ndim != 1
            if is_ensemble and member is None:
                raise InputError(f"{self.path}: frames of an ensemble, expected a member")
            own = self._frame_groups.get(member or 0, {})
            rows: dict[int, int] = {}
            channels: dict[str, h5py.Dataset] = {}  # open for all rows, so that a chunk is decompressed once
            if series is not None:
                at = (member,) if is_ensemble else ()
                rows = {int(step): row for row, step in enumerate(series["step"][at]) if step >= 0}
                times = series["time"][at]
                wanted = [n for n in series if n not in ("step", "time") and (names is None or n in names)]
                channels = {n: series[n] for n in wanted}
            for step in sorted({*own, *rows})[-1 if last else 0 :]:
                arrays: dict[str, Array] = {}
                time = 0.0
                if step in rows:
                    time = float(times[rows[step]])
                    arrays = {n: data[(*at, rows[step])] for n, data in channels.items()}
                if step in own:
                    group = groups[own[step]]
                    time = float(group.attrs["time"])
                    arrays.update({n: group[n][...] for n in group if names is None or n in names})
                yield step, time, arrays

    @property
    def has_frames(self) -> bool:
        """Whether any frame is stored."""
        with opened(self.path) as file:
            return len(file.get("frames", ())) > 0 or (
                "series/frame/step" in file and file["series/frame/step"].size > 0
            )

    def events(self) -> pd.DataFrame:
        """Events by step: time, kind, code, detail."""
        import pandas as pd  # takes a second, and few need it

        columns = ["step", "time", "kind", "code", "detail"]
        with opened(self.path) as file:
            group = file.get("events")
            if group is None:
                return pd.DataFrame(columns=columns)
            return pd.DataFrame({c: [_plain(v) for v in group[c][...]] for c in columns if c in group}, columns=columns)

    def references(self) -> list[Reference]:
        """Closed forms that the run evaluated."""
        found: list[Reference] = []
        with opened(self.path) as file:
            for identifier, group in file.get("reference", {}).items():
                for channel, data in group.items():
                    about = _attributes(data)
                    found.append(
                        Reference(
                            identifier,
                            channel,
                            np.asarray(data[...]),
                            str(about.get("unit", "")),
                            str(about.get("clock", "")),
                            str(about.get("kind", "")),
                            str(about.get("citation", "")),
                            float(about.get("uncertainty", 0.0) or 0.0),
                            str(about.get("validity", "")),
                        )
                    )
        return found

    def reference(self, identifier: str, channel: str | None = None) -> Reference:
        """One reference channel (the only one, when `channel` is left out). MissingData when it is not there."""
        found = [r for r in self.references() if r.id == identifier and channel in (None, r.channel)]
        if len(found) != 1:
            raise self.missing(f"{len(found)} references {identifier}/{channel or '*'}, expected one")
        return found[0]

    # how long it took -----------------------------------------------------------------------------------------
    @property
    def timing_path(self) -> Path:
        """The file with timings beside the trace; it may not exist."""
        return self.path.with_name(self.path.stem + ".timing.h5")

    @cached_property
    def timing(self) -> Timing | None:
        """The timing pass beside the trace, or None when it was not run, gave no sample or is of other sources than
        wanted."""
        if not self.timing_path.exists():
            return None
        carries_digest = require_intact(self.timing_path)
        if not carries_digest:
            require_harmless(self.timing_path)
        with opened(self.timing_path) as file:
            provenance = _attributes(file["provenance"]) if "provenance" in file else {}
            require_promised(self.timing_path, carries_digest, provenance)
            cell = _plain(file.attrs.get("cell_id", self.cell_id))
            if cell != self.cell_id:
                raise InputError(
                    f"{self.timing_path}: is the timing of cell {cell}, expected that of {self.cell_id}; `deformbench time` makes it again"
                )
            if not self.fits(provenance):
                return None
            group = file.get("timing")
            if group is None or "step_seconds" not in group:
                return None
            if group["step_seconds"].size == 0:
                return None  # the timing pass ended unsupported, or diverged before the first whole repeat
            names = group.attrs.get("phase_names")
            protocol = group.attrs.get("protocol")
            rss = group.attrs.get("peak_rss_bytes")
            if rss is None and "peak_rss_bytes" in group:
                rss = np.max(group["peak_rss_bytes"][...])
            return Timing(
                self.timing_path,
                np.atleast_2d(group["step_seconds"][...]),
                group["phase_seconds"][...] if "phase_seconds" in group else np.zeros((0, 0, 0)),
                _json_or(names, []),
                _json_or(protocol, {}),
                provenance,
                None if rss is None else float(rss),
                np.atleast_2d(group["warmup_seconds"][...]) if "warmup_seconds" in group else np.zeros((0, 0)),
            )

    def require_timing(self) -> Timing:
        """The timing; MissingData when the cell was not timed."""
        if self.timing is None:
            raise self.missing(f"no timing; run `deformbench time {self.experiment}`")
        return self.timing


def _json_or(text: Any, default: Any) -> Any:
    if text is None:
        return default
    return json.loads(_plain(text))

# SPDX-License-Identifier: BSD-3-Clause
"""The cells of two or more sides, paired where they ran the same scene on the same schedule,
experiment by experiment."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..compare import settings_text
from ..errors import MissingData, NothingSelected
from ..measurement import load_all
from ..progress import in_progress
from ..results import NOT_IDENTITY, ExperimentData, Results
from ..timing_marks import marks
from ..trace import Trace, opened
from . import accuracy, ratios
from .sides import Side, once_each

_SHARED = ("schedule", "threads", "seed", "ensemble")


def point_key(cell: Trace) -> str:
    """What two cells share that are paired: scene, schedule, threads, seed and members, but no method."""
    scene = {k: v for k, v in dict(cell.spec.get("scene", {})).items() if k != "file"}
    return json.dumps([scene, *(cell.spec.get(k) for k in _SHARED)], sort_keys=True)


@dataclass(frozen=True)
class Pair:
    """A cell of the baseline and one of another side on the same point. `why_not` says why they are not compared at
    all, `why_untimed` why there is no ratio."""

    baseline: Trace
    other: Trace
    side: int  # which of the sides the other is of
    why_not: str = ""
    why_untimed: str = ""
    ratio: ratios.Ratio | None = None
    apart: accuracy.Error | None = None


@dataclass
class Compared:
    """One experiment: all cells of each side, with errors and costs, and the pairs."""

    data: ExperimentData
    cells: list[list[Trace]]  # by side
    pairs: list[Pair] = field(default_factory=list)
    alone: list[Trace] = field(default_factory=list)  # completed, without a counterpart
    errors: dict[str, list[accuracy.Error]] = field(default_factory=dict)  # by cell id
    costs: dict[str, float] = field(default_factory=dict)  # by cell id, seconds of the whole run
    missing: list[tuple[str, dict[str, Any]]] = field(default_factory=list)  # declared or joined, without a trace

    @property
    def id(self) -> str:
        """Identifier of the experiment."""
        return self.data.id

    def label(self, cell: Trace) -> str:
        """Entry, the parameters that it sweeps, and what was set where it joined;
        not what changes nothing of this cell."""
        settings = {
            k: v
            for k, v in {**cell.coordinates, **self.data.settings.get(cell.cell_id, {})}.items()
            if k.startswith("method.") and cell.value(k) is not None
        }
        return cell.method_name + (f" ({settings_text(settings)})" if settings else "")

    def marked(self, cell: Trace) -> str:
        """The label, for beside a time."""
        return self.label(cell) + marks([cell])

    def ended_badly(self) -> list[Trace]:
        """Cells of all sides that did not complete."""
        return [c for of in self.cells for c in of if c.status != "completed"]

    def without_error(self) -> list[str]:
        """Lines on the cells that have no error though the experiment has a reference: the reason, and the cells."""
        lines: dict[str, dict[str, None]] = {}
        for cell in (c for of in self.cells for c in of):
            for error in self.errors.get(cell.cell_id, []):
                if error.value is None:
                    lines.setdefault(error.reason, {})[f"{self.label(cell)} ({self.point(cell)})"] = None
        return [f"no error of {'; '.join(cells)}: {reason}" for reason, cells in lines.items()]

    def point(self, cell: Trace) -> str:
        """What tells the points apart: of all that is swept or set, but for the methods' own parameters,
        the values that differ."""
        kept = {path: cell.value(path) for path in self._varying()}
        return settings_text(kept) or "–"

    def _varying(self) -> list[str]:
        cells = [c for of in self.cells for c in of]
        swept = dict.fromkeys(p for c in cells for p in {**c.coordinates, **self.data.settings.get(c.cell_id, {})})
        paths = [p for p in swept if not p.startswith("method.") and p not in NOT_IDENTITY]
        return [p for p in paths if len({json.dumps(c.value(p), sort_keys=True) for c in cells}) > 1]


@dataclass
class Comparison:
    """Comparison of all sides on all experiments in which the baseline and another side have cells.

    `lacking`: by experiment, the sides without cells where another side has some;
    `run EXPERIMENT --method SIDE` adds them."""

    sides: list[Side]
    tier: str
    experiments: list[Compared]
    lacking: dict[str, list[str]]


def compare_sides(results: Results, sides: Sequence[Side], tier: str, chosen: Iterable[str]) -> Comparison:
    """The sides on the chosen experiments. NothingSelected where the baseline and another have no experiment in
    common."""
    load_all()  # the modules that register errors of cells
    compared: list[Compared] = []
    lacking: dict[str, list[str]] = {}
    for identifier in in_progress("experiments compared", list(chosen)):
        data = results.with_joined(identifier, tier)
        every = [_once(data, side.cells(data)) for side in sides]
        cells = once_each(sides, every)
        absent = [_absent(side, sides, of) for side, of, own in zip(sides, every, cells) if not own]
        if len(absent) == len(sides):
            continue
        if absent:
            lacking[identifier] = absent
        if cells[0] and any(cells[1:]):
            compared.append(_compared(data, sides, cells))
    if not compared:
        raise NothingSelected(
            f"compare: no experiment at tier {tier} has cells of {sides[0].text} and of another; "
            f"deformbench run EXPERIMENT --tier {tier} --method {' '.join(s.name for s in sides)}"
        )
    return Comparison(list(sides), tier, compared, lacking)


def _absent(side: Side, sides: Sequence[Side], of: Sequence[Trace]) -> str:
    """A side without cells of its own; where other sides have all of its cells, these are named."""
    others = [s.text for s in sides if s is not side and any(s.matches(c) for c in of)]
    return side.text + (f" other than {', '.join(others)}" if others else "")


def _once(data: ExperimentData, cells: Sequence[Trace]) -> list[Trace]:
    """Without joined cells that ran what another cell of the side did, under the name of another entry."""
    known: set[str] = set()
    kept: set[str] = set()
    for cell in sorted(cells, key=lambda c: c.cell_id in data.settings):  # what is declared comes first
        run = json.dumps([dict(cell.spec.get("method", {}), name=""), point_key(cell)], sort_keys=True)
        if run not in known or cell.cell_id not in data.settings:
            kept.add(cell.cell_id)
        known.add(run)
    return [c for c in cells if c.cell_id in kept]


def _compared(data: ExperimentData, sides: Sequence[Side], cells: list[list[Trace]]) -> Compared:
    one = Compared(data, cells)
    names = {s.name for s in sides} | {c.method_name for of in cells for c in of}
    one.missing = [m for m in data.missing if m[0] in names]
    for cell in {c.cell_id: c for of in cells for c in of}.values():
        if cell.status != "completed":
            continue
        found = accuracy.errors(cell, data)
        if found:
            one.errors[cell.cell_id] = found
        cost = run_seconds(cell)
        if cost is not None:
            one.costs[cell.cell_id] = cost
    paired: Counter[str] = Counter()
    for index, of in enumerate(cells[1:], start=1):
        for baseline in cells[0]:
            for other in of:
                if other.cell_id != baseline.cell_id and point_key(other) == point_key(baseline):
                    one.pairs.append(_pair(baseline, other, index))
                    paired.update([baseline.cell_id, other.cell_id])
    one.alone = [c for of in cells for c in of if not paired[c.cell_id]]
    return one


def _pair(baseline: Trace, other: Trace, side: int) -> Pair:
    ends = [f"{c.method_name} {c.status}" for c in (baseline, other) if c.status != "completed"]
    why = "; ".join(ends) or ratios.not_comparable(baseline, other)
    if why:
        return Pair(baseline, other, side, why)
    apart = accuracy.apart(baseline, other)
    untimed = "; ".join(f"{c.method_name} {why}" for c in (baseline, other) if (why := _why_untimed(c)))
    untimed = untimed or ratios.why_not_paired(baseline.timing, other.timing)
    if untimed or baseline.timing is None or other.timing is None:
        return Pair(baseline, other, side, "", untimed or "not timed", None, apart)
    if is_static(baseline):
        counts = (steps_of(baseline), steps_of(other))
        found = ratios.ratio_of(ratios.run_ratios(baseline.timing, other.timing, counts))
        lacks = f"reached the static limit after {counts[0]} and {counts[1]} steps, more than were timed"
        return Pair(baseline, other, side, "", "" if found else lacks, found, apart)
    found = ratios.ratio_of(ratios.pair_ratios(baseline.timing.step_seconds, other.timing.step_seconds))
    return Pair(baseline, other, side, "", "" if found else "no repeat in which both have a step", found, apart)


def is_static(cell: Trace) -> bool:
    """Whether the run ends at the static limit. Its steps differ, and those that `time` takes after it find nothing
    left to do: what is compared is the time of all steps up to the limit."""
    return cell.value("schedule.until_static") is not None


def _why_untimed(cell: Trace) -> str:
    if cell.timing is not None:
        return ""
    if not cell.timing_path.exists():
        return "is not timed"
    with opened(cell.timing_path) as file:
        status = str(file.attrs.get("status", "without a sample"))
    return f"has no time: the timing pass ended {status}"


def steps_of(cell: Trace) -> int:
    """Number of steps that the run took; 0 where the trace does not say."""
    try:
        names = cell.clocks().get("step", [])
        steps = cell.series("step", names[0]).step if names else np.array([])
    except MissingData:
        steps = np.array([])
    return int(np.max(steps)) if np.size(steps) else int(cell.value("schedule.steps", 0) or 0)


def run_seconds(cell: Trace) -> float | None:
    """Time of the whole run, s: its steps times the median of a step's time, or to the static limit the median over
    the repeats of the time of all steps; None where it was not timed."""
    count = steps_of(cell)
    if cell.timing is None or not count:
        return None
    if is_static(cell):
        seconds = ratios.first_steps(cell.timing, count)
        return None if seconds is None else float(np.median(seconds))
    return float(np.nanmedian(cell.timing.step_seconds)) * count

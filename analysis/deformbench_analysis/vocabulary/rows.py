# SPDX-License-Identifier: BSD-3-Clause
"""Which runs of a declaration a measurement counts. str(rows) is a phrase.

`where` reads declared values, so that it can select failed runs; `having` reads results, of
runs that ended as declared. The rest turns runs into pairs or groups, passed to a quantity as several arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import InputError, MissingData
from ..results import ExperimentData
from ..trace import Trace
from .quantities import first_sentence

Unit = tuple[tuple[Trace, ...], Any]  # a quantity's arguments, and their note label
Predicate = Callable[..., Any]  # true or false
KINDS = ("scene.parameters.", "method.parameters.")  # where a parameter without a dot is looked for


@dataclass(frozen=True)
class Step:
    """A transformation of the selected runs."""

    kind: str
    function: Callable[..., Any]
    other: Rows | None = None
    each: tuple[Any, ...] = ()  # required groups: MissingData if absent


@dataclass(frozen=True)
class Rows:
    """Runs by the names of their rows (none: all), by declared values and predicates, and by how they ended."""

    names: tuple[str, ...] = ()
    method: str | None = None
    values: tuple[tuple[str, Any], ...] = ()
    predicates: tuple[Predicate, ...] = ()
    steps: tuple[Step, ...] = ()
    missing: str = ""  # why some may be missing
    any_end: str = ""  # why it does not matter how they ended
    says: str = ""
    added: tuple[str, ...] = ()  # phrases of the conditions
    note: Callable[..., str] | None = None

    def __str__(self) -> str:
        named = " and ".join(self.names or ((self.method,) if self.method else ())).replace("_", " ")
        return ", ".join((self.says or (f"{named} runs" if named else "all runs"), *self.added))

    # which --------------------------------------------------------------------------------------------------------
    def where(self, *conditions: Predicate | Mapping[str, Any], says: str | None = None, **parameters: Any) -> Rows:
        """Those with these parameters (of scene or method, or by dotted path) that all predicates keep. `says`
        replaces the composed phrases; empty: no phrase."""
        given = [c for c in conditions if isinstance(c, Mapping)]
        predicates = tuple(c for c in conditions if not isinstance(c, Mapping))
        values = {k: v for mapping in (*given, parameters) for k, v in mapping.items()}
        if says is None:
            phrases = [f"{k.rsplit('.', 1)[-1].replace('_', ' ')} = {v}" for k, v in values.items()]
            phrases += [first_sentence(p, "condition") for p in predicates]
        else:
            phrases = [says] if says else []
        return replace(
            self,
            values=(*self.values, *values.items()),
            predicates=(*self.predicates, *predicates),
            added=(*self.added, *phrases),
        )

    def may_be_missing(self, reason: str) -> Rows:
        """Runs that did not complete are skipped; the report names them."""
        return replace(self, missing=_reason(reason))

    def however_ended(self, reason: str) -> Rows:
        """Runs count whatever their status."""
        return replace(self, any_end=_reason(reason))

    # what becomes of them -----------------------------------------------------------------------------------------
    def _then(self, kind: str, function: Callable[..., Any], says: str, other: Rows | None = None) -> Rows:
        added = (*self.added, says) if says else self.added
        return replace(self, steps=(*self.steps, Step(kind, function, other)), added=added)

    def having(self, predicate: Predicate, says: str | None = None) -> Rows:
        """Those whose results satisfy the predicate."""
        return self._then("having", predicate, first_sentence(predicate, "condition") if says is None else says)

    def at_largest(self, by: Callable[[Trace], float], says: str | None = None) -> Rows:
        """Those whose `by` is the largest there is."""
        return self._then("largest", by, f"largest {first_sentence(by, 'by')}" if says is None else says)

    def beside(self, other: Rows, *same: str | Callable[[Trace], Mapping[str, Any]], says: str | None = None) -> Rows:
        """Each with its partner, the one run of `other` with the same parameters: those named,
        or those that a function returns."""
        alike = ", ".join(name.rsplit(".", 1)[-1].replace("_", " ") for name in same if isinstance(name, str))
        phrase = f"against {other}" + (f" of the same {alike}" if alike else "")

        def shared(trace: Trace) -> dict[str, Any]:
            found: dict[str, Any] = {}
            for name in same:
                found |= name(trace) if callable(name) else {(path := _path(name, [trace])): trace.value(path)}
            return found

        return self._then("beside", shared, phrase if says is None else says, other)

    def neighbours(self, by: Callable[[Trace], float], least: int = 2, says: str = "neighbouring runs") -> Rows:
        """Each with the next one in order of `by`; MissingData for fewer than `least` runs."""

        def ordered(units: list[Unit]) -> list[Unit]:
            if len(units) < least:
                raise MissingData(f"{self}: {len(units)} runs, expected {least} at least")
            return sorted(units, key=lambda unit: float(by(*unit[0])))

        return self._then("neighbours", ordered, says)

    def grouped(self, by: Callable[[Trace], Any], says: str | None = None, each: Sequence[Any] = ()) -> Rows:
        """Groups of equal `by`, the groups' label in notes.
        MissingData if a key in `each` has no run."""
        found = self._then("grouped", by, f"runs of equal {first_sentence(by, 'by')}" if says is None else says)
        return replace(found, steps=(*self.steps, replace(found.steps[-1], each=tuple(each))))

    def by_row(self) -> Rows:
        """One group per row of the declaration."""
        return self.grouped(lambda trace: trace.method_name, says="")

    def noted(self, note: Callable[..., str]) -> Rows:
        """Labels of runs, pairs or groups in notes, in place of the default ones."""
        return replace(self, note=note)

    # found --------------------------------------------------------------------------------------------------------
    def runs(self, data: ExperimentData) -> list[Trace]:
        """Ordered by name, then as in the data. MissingData where a name has none,
        or one did not end as declared."""
        criteria: dict[str, Any] = {"method": self.method} if self.method else {}
        if self.values:
            criteria["where"] = {_path(name, data.cells): value for name, value in self.values}
        if self.predicates:
            criteria["keep"] = lambda trace: all(p(trace) for p in self.predicates)
        status: dict[str, Any] = {"status": None} if self.any_end else {}
        named: list[dict[str, Any]] = [{"name": name, **status, **criteria} for name in self.names] or [
            {**status, **criteria}
        ]
        # A row may lack a fitting run if another has one, but must have been run.
        fitting = [
            c for c in named if data.select(**{**c, "status": None}) or not data.select(name=c.get("name"), status=None)
        ]
        take = data.some if self.any_end or self.missing else data.every
        return [trace for asked in fitting or named[:1] for trace in take(**asked)]

    def units(self, data: ExperimentData) -> list[Unit]:
        """Argument tuples of a quantity, with their labels."""
        found: list[Unit] = [((trace,), trace) for trace in self.runs(data)]
        for step in self.steps:
            found = _APPLY[step.kind](found, step, data)
        return [(traces, self.note(*traces)) for traces, _ in found] if self.note else found

    def one(self, data: ExperimentData) -> tuple[Trace, ...]:
        """The only one; MissingData otherwise."""
        found = self.units(data)
        if len(found) != 1:
            raise MissingData(
                f"{data.id} at tier {data.tier}: {len(found)} cells where one was expected: "
                + "; ".join(str(getattr(name, "label", name)) for _, name in found[:4])
            )
        return found[0][0]


def rows(*names: str, method: str | None = None, says: str = "") -> Rows:
    """Runs of these rows of the declaration, or of one method by its id; `says`: a plural
    noun phrase for them."""
    return Rows(names=names, method=method, says=says)


EVERY_RUN = Rows()


def _reason(reason: str) -> str:
    if not reason.strip():
        raise InputError("rows: expected a reason why runs may be missing, or end anyhow")
    return reason


def _path(name: str, traces: Sequence[Trace]) -> str:
    """Dotted path of a parameter: as given, or in the scene or method that has it."""
    if "." in name:
        return name
    paths = [kind + name for kind in KINDS if any(t.value(kind + name) is not None for t in traces)]
    if len(paths) > 1:
        raise InputError(f"parameter {name}: of the scene and of the method, expected one; give its dotted path")
    return paths[0] if paths else KINDS[0] + name


def _having(units: list[Unit], step: Step, data: ExperimentData) -> list[Unit]:
    return [u for u in units if step.function(*u[0])]


def _at_largest(units: list[Unit], step: Step, data: ExperimentData) -> list[Unit]:
    by = [step.function(*traces) for traces, _ in units]
    return [u for u, value in zip(units, by) if value == max(by)]


def _beside(units: list[Unit], step: Step, data: ExperimentData) -> list[Unit]:
    assert step.other is not None
    return [((*traces, *step.other.where(step.function(traces[0])).one(data)), name) for traces, name in units]


def _neighbours(units: list[Unit], step: Step, data: ExperimentData) -> list[Unit]:
    ordered = step.function(units)
    return [((*a, *b), f"{name.label}, {other.label}") for (a, name), (b, other) in zip(ordered[:-1], ordered[1:])]


def _grouped(units: list[Unit], step: Step, data: ExperimentData) -> list[Unit]:
    groups: dict[Any, tuple[Trace, ...]] = {}
    for traces, _ in units:
        key = step.function(*traces)
        groups[key] = (*groups.get(key, ()), *traces)
    if absent := [key for key in step.each if key not in groups]:
        raise MissingData(f"{data.id} at tier {data.tier}: no runs {', '.join(map(str, absent))}")
    return [(traces, str(key)) for key, traces in groups.items()]


_APPLY: dict[str, Callable[[list[Unit], Step, ExperimentData], list[Unit]]] = {
    "having": _having,
    "largest": _at_largest,
    "beside": _beside,
    "neighbours": _neighbours,
    "grouped": _grouped,
}

# SPDX-License-Identifier: BSD-3-Clause
"""A folder of traces, `results/<machine>` or any other, seen as experiments with their cells."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from .declarations import Declaration, all_declarations, same
from .errors import InputError, MissingData, NothingSelected
from .trace import Trace

_NOT_IDENTITY = ("experiment", "tier", "expect", "timing", "time_limit_s", "coordinates")


def spec_key(spec: Mapping[str, Any]) -> str:
    """What makes two cells the same run, whatever the tier that asked for them."""
    kept = {k: v for k, v in spec.items() if k not in _NOT_IDENTITY}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


@dataclass
class ExperimentData:
    """The current cells of one experiment at one tier, and those declared that have no trace."""

    id: str
    tier: str
    cells: list[Trace]
    declaration: Declaration | None = None
    missing: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    superseded: int = 0  # older traces of the same spec, left aside

    def select(
        self,
        *,
        method: str | None = None,
        name: str | None = None,
        status: str | None = "completed",
        where: Mapping[str, Any] | None = None,
        keep: Callable[[Trace], bool] | None = None,
    ) -> list[Trace]:
        """Cells by the method's id, its label in the declaration, status (None: any) and values of the spec by dotted path."""
        return [
            c
            for c in self.cells
            if (method is None or c.method_id == method)
            and (name is None or c.method_name == name)
            and (status is None or c.status == status)
            and all(same(c.value(path), value) for path, value in (where or {}).items())
            and (keep is None or keep(c))
        ]

    def some(self, **criteria: Any) -> list[Trace]:
        """As select, but an empty selection is MissingData."""
        found = self.select(**criteria)
        if not found:
            asked = ", ".join(f"{k}={v}" for k, v in criteria.items() if not callable(v))
            raise MissingData(
                f"{self.id} at tier {self.tier}: no cell with {asked or 'what is asked for'} among {len(self.cells)}"
            )
        return found

    def every(self, **criteria: Any) -> list[Trace]:
        """As some, but MissingData when a cell that fits ended otherwise than declared: the worst of the others is not the worst of all."""
        cut_off = [
            c
            for c in self.select(**{**criteria, "status": None})
            if c.status != "completed" and not self.ended_as_declared(c)
        ]
        if cut_off:
            raise MissingData(
                f"{self.id} at tier {self.tier}: {len(cut_off)} cells did not complete, such as {cut_off[0].label}: {cut_off[0].status}"
            )
        return self.some(**criteria)

    def one(self, **criteria: Any) -> Trace:
        """The only cell that fits; MissingData otherwise."""
        found = self.some(**criteria)
        if len(found) > 1:
            raise MissingData(
                f"{self.id} at tier {self.tier}: {len(found)} cells where one was expected: "
                + "; ".join(c.label for c in found[:4])
            )
        return found[0]

    def table(self) -> pd.DataFrame:
        """One row per cell: method, coordinates (one column each), status, reason, and the trace itself."""
        rows = [
            {"method": c.method_name, **c.coordinates, "status": c.status, "reason": c.status_reason, "trace": c}
            for c in self.cells
        ]
        return pd.DataFrame(rows)

    def expected_status(self, cell: Trace) -> str:
        """How the cell should end: as today's declaration says, or without one as the trace was told."""
        return (
            cell.stored_expectation if self.declaration is None else self.declaration.expected_status(cell, self.tier)
        )

    def ended_as_declared(self, cell: Trace) -> bool:
        return cell.status == self.expected_status(cell)

    def unexpected(self) -> list[Trace]:
        return [c for c in self.cells if not self.ended_as_declared(c)]

    def failed(self) -> list[Trace]:
        return [c for c in self.cells if c.status != "completed"]


class Results:
    """All traces below a folder. `tier` is the default of `experiment`."""

    def __init__(self, folder: Path | str, tier: str = "paper", declarations: Mapping[str, Declaration] | None = None):
        self.folder = Path(folder)
        self.tier = tier
        if not self.folder.is_dir():
            raise InputError(f"{self.folder}: no such folder of results; `deformbench run` makes one")
        self.declarations = dict(declarations) if declarations is not None else all_declarations()
        self._paths: dict[str, list[Path]] = {}
        machines: set[Path] = set()
        for path in sorted(self.folder.rglob("*.h5")):
            if path.name.endswith(".timing.h5"):
                continue
            self._paths.setdefault("/".join(path.parent.parts[-2:]), []).append(path)
            machines.add(path.parent.parent.parent)
        if len(machines) > 1:
            names = ", ".join(sorted(str(m) for m in machines))
            raise InputError(f"{self.folder}: results of several machines ({names}); name one of these folders")
        self.measured: dict[str, dict[str, Any]] = {}  # by tier and name: what measurers have found
        self._experiments: dict[tuple[str, str], ExperimentData] = {}
        self._traces: dict[Path, Trace] = {}

    def experiments(self) -> list[str]:
        """Ids of the experiments that have traces."""
        return sorted(self._paths)

    def _trace(self, path: Path) -> Trace:
        if path not in self._traces:
            self._traces[path] = Trace(path)
        return self._traces[path]

    def experiment(self, identifier: str, tier: str | None = None) -> ExperimentData:
        """The cells of one experiment at a tier. Newest trace of each spec wins; none at all is an empty list."""
        tier = tier or self.tier
        key = (identifier, tier)
        if key not in self._experiments:
            self._experiments[key] = self._load(identifier, tier)
        return self._experiments[key]

    def experiment_at(self, identifier: str, tiers: Iterable[str]) -> ExperimentData:
        """The union of the cells of several tiers (a figure shows `large` when it was run)."""
        parts = [self.experiment(identifier, t) for t in tiers]
        cells = {c.path: c for part in parts for c in part.cells}
        return ExperimentData(
            identifier, "+".join(p.tier for p in parts), list(cells.values()), parts[0].declaration, parts[0].missing
        )

    def _load(self, identifier: str, tier: str) -> ExperimentData:
        declaration = self.declarations.get(identifier)
        newest: dict[str, Trace] = {}
        superseded = 0
        listed = self._listed(identifier, tier)
        for path in self._paths.get(identifier, []):
            trace = self._trace(path)
            if declaration is not None and not declaration.matches(trace, tier):
                continue
            if listed is not None and trace.cell_id not in listed:
                superseded += 1  # of another tier that says the same and more, or of other sources
                continue
            name = spec_key(trace.spec)
            older = newest.get(name)
            if older is not None:
                superseded += 1
                if _age(older) >= _age(trace):
                    continue
            newest[name] = trace
        outgrown = _outgrown(newest)
        superseded += len(outgrown)
        cells = sorted(
            (trace for name, trace in newest.items() if name not in outgrown),
            key=lambda c: (c.method_name, [_sortable(v) for v in c.coordinates.values()]),
        )
        missing: list[tuple[str, dict[str, Any]]] = []
        if declaration is not None:
            known: dict[str, set[str]] = {}
            for cell in cells:
                known.setdefault(cell.method_name, set()).update(cell.value("method.parameters", {}))
            for name, coordinates in declaration.expected_points(tier, known):
                if not any(
                    c.method_name == name and all(same(c.value(p), v) for p, v in coordinates.items()) for c in cells
                ):
                    missing.append((name, coordinates))
        return ExperimentData(identifier, tier, cells, declaration, missing, superseded)

    def _listed(self, identifier: str, tier: str) -> set[str] | None:
        """Ids of the tier's cells as `run` last wrote them; None where it has not (traces of other programs)."""
        for folder in dict.fromkeys(path.parent for path in self._paths.get(identifier, [])):
            path = folder / f"{tier}.cells.json"
            if path.exists():
                try:
                    return {str(cell["cell_id"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]}
                except (OSError, ValueError, KeyError, TypeError) as error:
                    raise InputError(
                        f"{path}: cannot be read as a list of cells ({error}); `run` writes it anew"
                    ) from error
        return None

    def require_any(self) -> None:
        if not self._paths:
            raise NothingSelected(f"{self.folder}: no trace (*.h5) below this folder")


def _outgrown(cells: Mapping[str, Trace]) -> set[str]:
    """Specs of which another says the same and more: of before the method or the scene had a parameter added."""
    values = {name: dict(_leaves(json.loads(name))) for name in cells}
    by_label: dict[str, list[str]] = {}
    for name, trace in cells.items():
        by_label.setdefault(trace.label, []).append(name)
    return {
        old
        for alike in by_label.values()
        for old in alike
        for new in alike
        if len(values[old]) < len(values[new]) and values[old].items() <= values[new].items()
    }


def _leaves(value: Any, path: str = "") -> Iterable[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}/{key}")
    else:
        yield path, json.dumps(value, sort_keys=True)


def _age(trace: Trace) -> tuple[str, float]:
    return str(trace.provenance.get("finished", "")), trace.path.stat().st_mtime


def _sortable(value: Any) -> tuple[int, float, str]:
    return (0, float(value), "") if isinstance(value, (int, float)) else (1, 0.0, str(value))

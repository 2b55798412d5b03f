# SPDX-License-Identifier: BSD-3-Clause
"""A folder of traces, `results/<machine>` or any other, seen as experiments with their cells."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import tidy
from .declarations import TIERS, Declaration, all_declarations
from .errors import InputError, MissingData, NothingSelected
from .nearest_names import suggestion
from .trace import Trace, attributed, look_up

if TYPE_CHECKING:
    import pandas as pd

_JOINED = ".joined-"  # in the names of the lists of joined cells (docs/declarations.md)
BUILD = "DEFORMBENCH_BUILD"  # the fingerprints of the command that hands over to Python, as JSON
NOT_IDENTITY = ("experiment", "tier", "expect", "timing", "time_limit_s", "coordinates")


def same(left: Any, right: Any) -> bool:
    """Equality in which 1 and 1.0 agree, and a number read from JSON agrees with itself printed and parsed."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return math.isclose(left, right, rel_tol=1e-12, abs_tol=0.0)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right))
    return bool(left == right)


def spec_key(spec: Mapping[str, Any]) -> str:
    """What makes two cells the same run, whatever the tier that asked for them."""
    kept = {k: v for k, v in spec.items() if k not in NOT_IDENTITY}
    if isinstance(kept.get("method"), Mapping):
        kept["method"] = {k: v for k, v in kept["method"].items() if k != "claimed_by"}
    if isinstance(kept.get("scene"), Mapping):  # of one scene file the newest content counts
        kept["scene"] = {k: v for k, v in kept["scene"].items() if k != "content"}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


@dataclass
class ExperimentData:
    """The cells of one experiment at one tier as `run` listed them, and those of the list that have no trace."""

    id: str
    tier: str
    cells: list[Trace]
    expected: dict[str, str] = field(default_factory=dict)  # by cell id: the end that is declared
    missing: list[tuple[str, dict[str, Any]]] = field(default_factory=list)  # method's label, coordinates
    reason: str = ""  # why there is no list to go by
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)  # by cell id: what --set gave to a joined cell
    stale: int = 0  # traces of other sources than those of the present build
    left_out: dict[str, str] = field(default_factory=dict)  # label → end of cells that selections passed over

    @property
    def why_empty(self) -> str:
        """For messages about an experiment without cells."""
        return f"no declared cell of {self.id} at tier {self.tier}" + (f": {self.reason}" if self.reason else "")

    def select(
        self,
        *,
        method: str | None = None,
        name: str | None = None,
        status: str | None = "completed",
        where: Mapping[str, Any] | None = None,
        keep: Callable[[Trace], bool] | None = None,
    ) -> list[Trace]:
        """Cells by the method's id, its label in the declaration, status (None: any) and values of the spec by dotted
        path. Cells that fit and did not complete are noted in `left_out` where completed ones are asked for."""
        fitting = [
            c
            for c in self.cells
            if (method is None or c.method_id == method)
            and (name is None or c.method_name == name)
            and all(same(c.value(path), value) for path, value in (where or {}).items())
            and (keep is None or (c.status != status and status is not None) or keep(c))
        ]
        if status == "completed":
            passed_over = [c for c in fitting if c.status != status and (keep is None or _would_keep(keep, c))]
            self.left_out.update({c.label: c.status for c in passed_over})
        return [c for c in fitting if status is None or c.status == status]

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
        """As some, but MissingData when a cell that fits ended otherwise than declared:
        the worst of the others is not the worst of all."""
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
        """One row per cell: method, coordinates (one column each), status, reason, the trace itself,
        and by whom it is claimed."""
        import pandas as pd  # takes a second, and few need it

        rows = [
            {"method": c.method_name, **c.coordinates, "status": c.status, "reason": c.status_reason, "trace": c}
            | ({"claimed_by": c.claimed_by} if c.claimed_by else {})
            for c in self.cells
        ]
        return pd.DataFrame(rows)

    def expected_status(self, cell: Trace) -> str:
        """How the cell should end: as the list of cells says, or without one as the trace was told."""
        return self.expected.get(cell.cell_id, cell.stored_expectation)

    def ended_as_declared(self, cell: Trace) -> bool:
        """Whether the cell ended as the list says it should."""
        expected = self.expected_status(cell)
        return cell.status in (("completed", "diverged") if expected == "completed_or_diverged" else (expected,))

    def unexpected(self) -> list[Trace]:
        """Cells that ended otherwise than declared."""
        return [c for c in self.cells if not self.ended_as_declared(c)]

    def failed(self) -> list[Trace]:
        """Cells that did not complete, declared or not."""
        return [c for c in self.cells if c.status != "completed"]


def _why_stale(stale: int, listed: int) -> str:
    return (
        f"{stale} of {listed} traces are stale, made by other sources or another build than the present one; "
        "`deformbench run` makes them again, --stale takes them as they are"
    )


def _would_keep(keep: Callable[[Trace], bool], cell: Trace) -> bool:
    """Whether a cell that broke off fits; it does where it lacks what is asked of it."""
    try:
        return keep(cell)
    except (MissingData, IndexError, ValueError):
        return True


class Results:
    """All traces below a folder. `tier` is the default of `experiment`. With `stale` traces count that another build
    made."""

    def __init__(
        self,
        folder: Path | str,
        tier: str = "paper",
        declarations: Mapping[str, Declaration] | None = None,
        stale: bool = False,
    ):
        self.folder = Path(folder)
        self.tier = tier
        self.stale = stale
        self._build: dict[str, Any] = json.loads(os.environ.get(BUILD) or "{}")
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
        self._lists: dict[tuple[str, str], Path] = {}
        self._joined: dict[tuple[str, str], list[Path]] = {}
        for path in sorted(self.folder.rglob("*.cells.json")):
            tier_of, _, joined = path.name.removesuffix(".cells.json").partition(_JOINED)
            key = ("/".join(path.parent.parts[-2:]), tier_of)
            if joined:
                self._joined.setdefault(key, []).append(path)
            else:
                self._lists[key] = path
        if len(machines) > 1:
            names = ", ".join(sorted(str(m) for m in machines))
            raise InputError(f"{self.folder}: results of several machines ({names}); name one of these folders")
        self.measured: dict[str, dict[str, Any]] = {}  # by tier and name: what measurers have found
        self.draws_joined = False  # whether figures that can show cells that joined are to
        self.paper_folders: tuple[Path, ...] = ()  # outside the tree, of whoever loaded these results
        self._experiments: dict[tuple[str, str], ExperimentData] = {}
        self._traces: dict[Path, Trace] = {}

    def experiments(self) -> list[str]:
        """Ids of the experiments that have traces."""
        return sorted(self._paths)

    def named(self, name: str) -> str:
        """Id of the experiment, declared or with traces, that has this id or short name.
        InputError where none has, or several have."""
        known = sorted({*self._paths, *self.declarations})
        found = [i for i in known if name in (i, i.rsplit("/", 1)[-1])]
        if len(found) != 1:
            near = suggestion(name, known, "deformbench list experiments")
            raise InputError(
                f"experiment {name}: " + (f"ambiguous: {', '.join(found)}" if found else f"no such one{near}")
            )
        return found[0]

    def files_of(self, identifier: str) -> list[Path]:
        """The experiment's traces, timings and lists of cells, as they are now."""
        lists = [[path] for (name, _), path in self._lists.items() if name == identifier]
        lists += [paths for (name, _), paths in self._joined.items() if name == identifier]
        folders = {path.parent for paths in [self._paths.get(identifier, []), *lists] for path in paths}
        return [p for folder in folders for kind in ("*.h5", "*.cells.json") for p in folder.glob(kind)]

    def bytes_of(self, identifiers: Iterable[str]) -> float:
        """Size of the experiments' traces and a megabyte: about as large is the work to read and judge them."""
        paths = {path for identifier in identifiers for path in self.files_of(identifier)}
        return 1e6 + sum(path.stat().st_size for path in paths if path.exists())

    def _trace(self, path: Path, entry: Mapping[str, Any] | None = None) -> Trace:
        """The trace; InputError when it is of another cell than its name or its line in the list says."""
        if path not in self._traces:
            self._traces[path] = Trace(path)
        trace = self._traces[path]
        if entry is not None or re.fullmatch("[0-9a-f]{32}", path.stem):
            require_cell(trace, "/".join(path.parent.parts[-2:]), entry)
        return trace

    def experiment(self, identifier: str, tier: str | None = None) -> ExperimentData:
        """The cells of one experiment at a tier; none at all is an empty list with a reason."""
        tier = tier or self.tier
        key = (identifier, tier)
        if key not in self._experiments:
            self._experiments[key] = self._load(identifier, tier)
        return self._experiments[key]

    def with_joined(self, identifier: str, tier: str | None = None) -> ExperimentData:
        """As experiment, and the cells of methods that joined by `run --method`, `--program` or `--set`. For
        comparisons alone: what somebody ran beside a declaration must not change what its claims are judged from."""
        tier = tier or self.tier
        declared = self.experiment(identifier, tier)
        declaration = self.declarations.get(identifier)
        if declaration is None:  # all of its traces are there already
            return declared
        known = {c.cell_id for c in declared.cells}
        files = {path.stem: path for path in self._paths.get(identifier, [])}
        joined: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}  # by cell id: its entry, and what was set
        lists = [read_list(path) for path in self._joined.get((identifier, tier), [])]
        for of in sorted(lists, key=lambda of: len(of.settings)):
            if not of.outdated_by(declaration):
                for entry in of.cells:
                    joined.setdefault(entry["cell_id"], (entry, of.settings))
        joined = {k: v for k, v in joined.items() if k not in known and k not in declared.expected}
        if not joined:
            return declared
        cells, stale = self._of_present_build(files, [entry for entry, _ in joined.values()])
        return ExperimentData(
            identifier,
            tier,
            _in_order([*declared.cells, *cells]),
            {**declared.expected, **{k: entry["status"] for k, (entry, _) in joined.items()}},
            declared.missing
            + [(e["method"], {**e["coordinates"], **of}) for k, (e, of) in joined.items() if k not in files],
            "" if cells else _why_stale(stale, len(joined)) if stale else declared.reason,
            {k: settings for k, (_, settings) in joined.items() if settings},
            declared.stale + stale,
        )

    def frame(
        self, experiment: str, clock: str = "step", channels: Iterable[str] | None = None, tier: str | None = None
    ) -> pd.DataFrame:
        """A tidy table of an experiment (id or short name), one row per row of the clock in every cell, also of joined
        ones: cell_id, method, claimed_by, a column per swept path, status, member (of ensembles), step, time, and a
        column per component of the channels (default: all of at most nine numbers). MissingData without any."""
        data = self.with_joined(self.named(experiment), tier)
        return tidy.results_frame(data, clock, None if channels is None else list(channels))

    def experiment_at(self, identifier: str, tiers: Iterable[str]) -> ExperimentData:
        """The union of the cells of several tiers (a figure shows `large` when it was run)."""
        parts = [self.experiment(identifier, t) for t in tiers]
        cells = {c.path: c for part in parts for c in part.cells}
        return ExperimentData(
            identifier,
            "+".join(p.tier for p in parts),
            list(cells.values()),
            {k: v for part in reversed(parts) for k, v in part.expected.items()},
            parts[0].missing,
            parts[0].reason,
            stale=sum(part.stale for part in parts),
        )

    def _load(self, identifier: str, tier: str) -> ExperimentData:
        declaration = self.declarations.get(identifier)
        if declaration is None:
            return ExperimentData(identifier, tier, _in_order(self._newest_of_each_spec(identifier)))
        listed, reason = self._listed(declaration, tier)
        files = {path.stem: path for path in self._paths.get(identifier, [])}
        cells, stale = self._of_present_build(files, listed)
        if stale and not self.stale:
            reason, cells, files = _why_stale(stale, len(listed)), [], {}
        return ExperimentData(
            identifier,
            tier,
            _in_order(cells),
            {entry["cell_id"]: entry["status"] for entry in listed},
            [
                (attributed(entry["method"], entry["claimed_by"]), entry["coordinates"])
                for entry in listed
                if entry["cell_id"] not in files
            ],
            reason,
            stale=stale,
        )

    def _of_present_build(
        self, files: Mapping[str, Path], listed: Iterable[Mapping[str, Any]]
    ) -> tuple[list[Trace], int]:
        """The traces of the listed cells that there are, and how many are stale: left out,
        unless stale ones count."""
        found: list[Trace] = []
        stale = 0
        for entry in listed:
            if entry["cell_id"] in files:
                trace = self._trace(files[entry["cell_id"]], entry)
                trace.claimed_by = entry["claimed_by"]  # a trace from before somebody was named
                trace.wanted = self._wanted(entry, trace.method_id)
                is_stale = not trace.fits(trace.provenance)
                stale += is_stale
                if self.stale:
                    trace.wanted = {}
                if self.stale or not is_stale:
                    found.append(trace)
        return found, stale

    def _wanted(self, entry: Mapping[str, Any], method: str) -> dict[str, str]:
        """Fingerprints of the present build where the command says them, or of the one that wrote the list."""
        known = {
            "harness_fingerprint": self._build.get("harness") or entry["harness_fingerprint"],
            "method_fingerprint": dict(self._build.get("methods", [])).get(method) or entry["method_fingerprint"],
        }
        return {key: value for key, value in known.items() if value}

    def of_present_build(self, identifier: str) -> list[tuple[bool, bool]]:
        """Whether harness and method are those of the present build, per listed cell; enters digests."""
        methods = set(dict(self._build.get("methods", [])).values())
        return [
            (entry["harness_fingerprint"] == self._build.get("harness"), entry["method_fingerprint"] in methods)
            for (name, _), path in sorted(self._lists.items())
            if name == identifier
            for entry in read_list(path).cells
        ]

    def _listed(self, declaration: Declaration, tier: str) -> tuple[list[dict[str, Any]], str]:
        """The tier's cells as `run` last wrote them; none, with the reason,
        where it has not or the declaration has changed since."""
        path = self._lists.get((declaration.id, tier))
        if path is None:
            return [], self._why_unlisted(declaration.id, tier)
        of = read_list(path)
        if changed := of.outdated_by(declaration):
            return [], f"{changed} has changed since it was run at tier {tier}"
        return of.cells, ""

    def _why_unlisted(self, identifier: str, tier: str) -> str:
        """Why no list has declared cells, as `deformbench run` writes it: never that nothing was run where traces are
        there."""
        command = f"`deformbench run {identifier} --tier {tier}` runs or lists the declared ones"
        if (identifier, tier) in self._joined:
            return f"all that was run there joined (--method, --program, --plugin, --set); {command}"
        others = [t for t in TIERS if {(identifier, t)} & {*self._lists, *self._joined}]
        if others:
            return f"run at tier {', '.join(others)} only"
        traces = len(self._paths.get(identifier, []))
        return f"no list names its {traces} traces; {command}" if traces else f"not run at tier {tier}"

    def _newest_of_each_spec(self, identifier: str) -> Iterable[Trace]:
        """Newest trace per spec, among traces that no declaration of the tree asked for."""
        newest: dict[str, Trace] = {}
        for trace in map(self._trace, self._paths.get(identifier, [])):
            older = newest.get(spec_key(trace.spec))
            if older is None or _age(older) < _age(trace):
                newest[spec_key(trace.spec)] = trace
        return newest.values()

    def require_any(self) -> None:
        """NothingSelected when there is no trace at all."""
        if not self._paths:
            raise NothingSelected(f"{self.folder}: no trace (*.h5) below this folder")


@dataclass(frozen=True)
class CellList:
    """Cells of a list that `run` wrote, the declaration and the files that they follow from,
    and what was set beside it."""

    cells: list[dict[str, Any]]
    declaration: Any
    scene_files: list[tuple[str, str]]  # path from the declaration's folder, SHA-256
    settings: dict[str, Any]

    def outdated_by(self, declaration: Declaration) -> str:
        """What is no longer as it was when the list was written; empty where nothing is."""
        if self.declaration != declaration.cells_depend_on():
            return "the declaration"
        for name, digest in self.scene_files:
            path = declaration.path.parent / name
            if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                return f"the scene ({name})"
        return ""


def read_list(path: Path) -> CellList:
    """A list of cells as `run` writes it. InputError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        cells = [
            {
                "cell_id": str(c["cell_id"]),
                "method": str(c["method"]),
                "coordinates": dict(c["coordinates"]),
                "status": str(c["expect"]["status"]),
                "claimed_by": str(c.get("claimed_by", "")),
                "method_fingerprint": str(c.get("method_fingerprint", "")),  # lists of before have none
                "harness_fingerprint": str(data.get("harness_fingerprint", "")),
            }
            for c in data["cells"]
        ]
        scene_files = [(str(file["path"]), str(file["sha256"])) for file in data.get("scene_files", [])]
        return CellList(cells, data.get("declaration"), scene_files, dict(data.get("set", {})))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read as a list of cells ({error}); `run` writes it anew") from error


def require_cell(trace: Trace, experiment: str, entry: Mapping[str, Any] | None) -> None:
    """InputError unless the trace is of the cell that its path names, and that its line in the list describes."""
    facts: list[tuple[str, Any, Any]] = [
        ("cell_id", trace.cell_id, trace.path.stem),
        ("experiment", trace.experiment, experiment),
        ("experiment of its spec", look_up(trace.spec, "experiment"), experiment),
    ]
    if entry is not None:
        facts += [
            ("method", trace.method_name, entry["method"]),
            ("coordinates", _identifying(trace.coordinates), _identifying(entry["coordinates"])),
        ]
    for what, found, expected in facts:
        if not same(found, expected):
            raise InputError(
                f"{trace.path}: is the trace of another cell: {what} {str(found)[:80]}, expected {str(expected)[:80]}; `deformbench run` makes it again"
            )


def _identifying(coordinates: Mapping[str, Any]) -> dict[str, Any]:
    """Without the path of a scene file: its content is what identifies a cell."""
    return {path: value for path, value in coordinates.items() if path != "scene.file"}


def _in_order(cells: Iterable[Trace]) -> list[Trace]:
    """By method, then by coordinates."""
    return sorted(cells, key=lambda c: (c.method_name, [_sortable(v) for v in c.coordinates.values()]))


def _age(trace: Trace) -> tuple[str, float]:
    return str(trace.provenance.get("finished", "")), trace.path.stat().st_mtime


def _sortable(value: Any) -> tuple[int, float, str]:
    return (0, float(value), "") if isinstance(value, (int, float)) else (1, 0.0, str(value))

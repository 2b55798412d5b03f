# SPDX-License-Identifier: BSD-3-Clause
"""Folders of results of several machines or shards, joined into one.

What travels is what `run` listed (<tier>.cells.json), and every trace of an experiment without a list. Cells of two
folders with equal results are kept once, from the folder that is named first; where results differ, nothing is
written."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from .errors import InputError, NothingSelected
from .pack import sha256_of
from .paths import cleaned_machine_name
from .progress import in_progress
from .results import CellList, read_list, require_cell, spec_key
from .trace import Trace, opened

# Attributes of /provenance that say what was computed, as `deformbench diff` takes them; others say where and when.
COMPUTED = ("seed", "threads", "method_fingerprint", "harness_fingerprint")
MEASURED_TIME = "series/iteration/elapsed_seconds"
SCALES = ("DIMENSION_LIST", "REFERENCE_LIST")  # refer to objects of their own file
FINGERPRINTS = ("harness_fingerprint", "method_fingerprint")


@dataclass
class Merged:
    """What became of the folders."""

    cells: int = 0
    timings: int = 0
    repeated: int = 0  # files that several folders have
    unlisted: int = 0  # traces that no list of their experiment names
    stale: int = 0  # files of other sources than their list
    unfinished: int = 0  # *.part
    missing: list[str] = field(default_factory=list)  # listed cells without a trace
    machines: set[tuple[str, str]] = field(default_factory=set)  # host and processor of the traces


@dataclass(frozen=True)
class _File:
    """A file that travels, and its place in the merged folder."""

    source: Path
    place: str
    sha256: str


class Conflicts(InputError):
    """Folders that cannot be one; `lines` names every conflict."""

    def __init__(self, lines: Sequence[str]):
        more = f" (and {len(lines) - 1} more conflicts)" if len(lines) > 1 else ""
        super().__init__(f"merge: {lines[0]}{more}; nothing was written")
        self.lines = list(lines)


def merge(folders: Sequence[Path], out: Path, by_machine: bool = False, stale: bool = False) -> Merged:
    """Makes the folder `out`, which may not exist or is empty. `by_machine`: with a folder for each kind of
    processor. `stale`: joins results of several builds, too. InputError, Conflicts, NothingSelected."""
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder of results")
        if out.resolve().is_relative_to(folder.resolve()):
            raise InputError(f"--out {out}: is within {folder}, expected a folder beside what is joined")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"--out {out}: exists, expected a new or empty folder")
    out.absolute().parent.mkdir(parents=True, exist_ok=True)
    # Beside `out`, so that the whole folder gets its name at once.
    staging = Path(tempfile.mkdtemp(dir=out.absolute().parent, prefix=f".{out.name}."))
    try:
        merging = _Merging(staging, by_machine, stale)
        for folder in folders:
            merging.add(folder)
        merging.finish()
        staging.chmod(0o777 & ~_umask())
        os.replace(staging, out)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return merging.merged


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class _Merging:
    def __init__(self, staging: Path, by_machine: bool, stale: bool):
        self.merged = Merged()
        self._staging, self._by_machine, self._takes_stale = staging, by_machine, stale
        self._files: dict[str, _File] = {}  # by place
        self._lists: dict[str, tuple[Path, dict[str, Any]]] = {}  # by place
        self._listed: dict[str, set[str]] = {}  # place of an experiment → its cells
        self._builds: dict[str, dict[str, Path]] = {}  # what has a fingerprint → fingerprint → where
        self._timed_on: dict[str, dict[str, Path]] = {}  # place of an experiment → machine → where
        self._conflicts: list[str] = []
        self._hint = "" if by_machine else " (--by-machine keeps machines apart)"

    def add(self, folder: Path) -> None:
        """Copies what is not there yet, and notes conflicts with what is."""
        experiments = sorted({p.parent for kind in ("*.h5", "*.cells.json") for p in folder.rglob(kind)})
        for path in sorted(p for experiment in experiments for p in experiment.iterdir()):
            if path.name.endswith((".h5", ".cells.json")) and not path.is_file():
                raise InputError(f"{path}: is no file, expected traces and lists of cells")
        for experiment in in_progress(f"experiments of {folder} merged", experiments):
            if len(experiment.relative_to(folder).parts) not in (2, 3):
                raise InputError(
                    f"{experiment}: holds results, expected them in {folder}/[<machine>/]<paper>/<experiment>"
                )
            self._add_experiment(folder, experiment)
        self.merged.unfinished += sum(1 for _ in folder.rglob("*.h5.part"))

    def finish(self) -> None:
        """Conflicts, if there are any; else writes the lists and says which cells are missing."""
        for what, builds in sorted(self._builds.items()):
            if len(builds) > 1 and not self._takes_stale:
                (one, first), (two, second) = sorted(builds.items())[:2]
                self._conflicts.append(
                    f"{what}: fingerprint {one[:12]}… in {first}, {two[:12]}… in {second}; expected results of one build "
                    "(--stale joins several)"
                )
        for place, machines in sorted(self._timed_on.items()):
            if len(machines) > 1:
                names = ", ".join(f"{name} ({where})" for name, where in sorted(machines.items()))
                self._conflicts.append(
                    f"{place}: timings of several machines: {names}; expected those of one (--by-machine keeps them apart)"
                )
        if self._conflicts:
            raise Conflicts(self._conflicts)
        if not self._files:
            raise NothingSelected("merge: no trace that a list names, and none of an experiment without a list")
        for place, (_, document) in self._lists.items():
            path = self._staging / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        for place, cells in sorted(self._listed.items()):
            self.merged.missing += [f"{place}/{c}" for c in sorted(cells) if f"{place}/{c}.h5" not in self._files]

    # === One experiment of one folder

    def _add_experiment(self, folder: Path, experiment: Path) -> None:
        lists = {path: read_list(path) for path in sorted(experiment.glob("*.cells.json"))}
        entries = {entry["cell_id"]: entry for of in lists.values() for entry in of.cells}
        traces = [p for p in sorted(experiment.glob("*.h5")) if not p.name.endswith(".timing.h5")]
        machines = set()
        for path in traces:
            entry = entries.get(path.stem)
            if lists and entry is None:
                self.merged.unlisted += 1
                continue
            trace = Trace(path)
            require_cell(trace, "/".join(experiment.parts[-2:]), entry)
            trace.wanted = {key: entry[key] for key in FINGERPRINTS if entry and entry[key]}
            if not trace.fits(trace.provenance):
                self.merged.stale += 1
                continue
            machine = self._machine(folder, experiment, trace.provenance)
            machines.add(machine)
            self._add_trace(trace, self._place(experiment, machine))
            self._note_builds(trace, f" on {machine}" if self._by_machine else "")
        for machine in machines if self._by_machine else {""}:
            self._add_lists(experiment, lists, self._place(experiment, machine))

    def _machine(self, folder: Path, experiment: Path, provenance: Mapping[str, Any]) -> str:
        """The machine of results below several folders of machines, else as `run` calls the processor."""
        parts = experiment.relative_to(folder).parts
        if len(parts) == 3:
            return parts[0]
        return _machine_of(provenance)

    def _place(self, experiment: Path, machine: str) -> str:
        parts = experiment.parts[-2:]
        return "/".join((machine, *parts) if self._by_machine else parts)

    def _note_builds(self, trace: Trace, where: str) -> None:
        for key, what in (("harness_fingerprint", "the harness"), ("method_fingerprint", f"method {trace.method_id}")):
            fingerprint = str(trace.provenance.get(key, ""))
            if fingerprint:
                self._builds.setdefault(what + where, {}).setdefault(fingerprint, trace.path.parent)

    def _add_lists(self, experiment: Path, lists: Mapping[Path, CellList], place: str) -> None:
        identifier = "/".join(experiment.parts[-2:])
        for path, of in lists.items():
            document = json.loads(path.read_text(encoding="utf-8"))
            if document.get("experiment", identifier) != identifier:
                raise InputError(f"{path}: is a list of {document['experiment']}, expected one of {identifier}")
            name = f"{place}/{path.name}"
            first, known = self._lists.setdefault(name, (path, document))
            changed = sorted(k for k in {*document, *known} if document.get(k) != known.get(k))
            if changed:
                self._conflicts.append(
                    f"{path}: {', '.join(changed)} not as in {first}, expected lists of one build and declaration"
                    + self._hint
                )
            self._listed.setdefault(place, set()).update(entry["cell_id"] for entry in of.cells)

    # === One file

    def _add_trace(self, trace: Trace, place: str) -> None:
        found = _File(trace.path, f"{place}/{trace.path.name}", sha256_of(trace.path))
        known = self._files.get(found.place)
        if known is None:
            self._copy(found)
            self.merged.cells += 1
            self.merged.machines.add(trace.machine)
        elif known.sha256 == found.sha256 or not (difference := first_difference(known.source, trace.path)):
            self.merged.repeated += 1
        else:
            self._conflicts.append(
                f"{trace.path}: {difference} not as in {known.source}, expected equal results of one cell" + self._hint
            )
        self._add_timing(trace, place)

    def _add_timing(self, trace: Trace, place: str) -> None:
        if not trace.timing_path.exists():
            return
        _ = trace.timing  # checks digest and cell
        with opened(trace.timing_path) as file:
            provenance = {k: str(v) for k, v in file["provenance"].attrs.items()} if "provenance" in file else {}
        if not trace.fits(provenance):
            self.merged.stale += 1
            return
        found = _File(trace.timing_path, f"{place}/{trace.timing_path.name}", sha256_of(trace.timing_path))
        known = self._files.get(found.place)
        if known is None:
            self._copy(found)
            self.merged.timings += 1
            self._timed_on.setdefault(place, {}).setdefault(_machine_of(provenance), found.source)
        elif known.sha256 == found.sha256:
            self.merged.repeated += 1
        else:
            self._conflicts.append(
                f"{found.source}: another timing than {known.source}, expected one per cell" + self._hint
            )

    def _copy(self, file: _File) -> None:
        """InputError where the copy is not what was checked."""
        path = self._staging / file.place
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file.source, path)
        if sha256_of(path) != file.sha256:
            raise InputError(f"{file.source}: changed while it was copied, expected results that no run is writing")
        self._files[file.place] = file


def _machine_of(provenance: Mapping[str, Any]) -> str:
    return cleaned_machine_name([str(provenance.get(key, "")) for key in ("cpu", "host")])


# === Results of one cell


def first_difference(one: Path, two: Path) -> str:
    """The first object of two traces that differs; empty where their results are equal. Who computed them, when,
    where and how fast is no result."""
    with opened(one) as a, opened(two) as b:
        left, right = dict(results_in(a)), dict(results_in(b))
        for name in sorted({*left, *right}):
            if name not in left or name not in right:
                return name
            if not is_equal(left[name], right[name]):
                return name
    return ""


def digest_of_results(path: Path) -> str:
    """Equal where `first_difference` finds none, but for the build that computed them."""
    with opened(path) as file:
        digest = hashlib.sha256()
        for name, value in sorted(results_in(file), key=lambda pair: pair[0]):
            if name.removeprefix("provenance attribute ") in FINGERPRINTS:
                continue
            array = np.asarray(value)
            content = repr(array.tolist()).encode() if array.dtype == object else array.tobytes()
            digest.update(repr((name, array.shape, str(array.dtype), len(content))).encode() + content)
    return digest.hexdigest()


def results_in(file: h5py.File) -> Iterator[tuple[str, Any]]:
    """Name and value of each result: attributes, datasets, and what was asked for; not when or how fast."""
    for name, value in file.attrs.items():
        yield f"attribute {name}", value
    about = file["provenance"].attrs
    for name in COMPUTED:
        yield f"provenance attribute {name}", about.get(name, "")
    yield "spec", spec_key(json.loads(about["spec"]))
    names: list[str] = []
    file.visit(lambda name: names.append(name))  # visits an object with two names once
    for top in file.get("frames", {}):
        names += [f"frames/{top}/{name}" for name in file["frames"][top]]
    for name in dict.fromkeys(names):
        node = file[name]
        if name == "provenance" or name == MEASURED_TIME:
            continue
        for key, value in node.attrs.items():
            if key not in SCALES:
                yield f"{name} attribute {key}", value
        if isinstance(node, h5py.Dataset):
            yield name, node[...]


def is_equal(a: Any, b: Any) -> bool:
    """Same shape and type, same bits of numbers, same texts."""
    left, right = np.asarray(a), np.asarray(b)
    if left.shape != right.shape or left.dtype != right.dtype:
        return False
    return bool(left.tolist() == right.tolist() if left.dtype == object else left.tobytes() == right.tobytes())

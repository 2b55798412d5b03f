# SPDX-License-Identifier: BSD-3-Clause
"""Checks an archive of results (pack.py) as a stranger gets it: whether it holds what it says, and all that was
declared.

Digests show damage, not authorship: who rewrites trace, CSV, manifest and checksums alike has made other results,
which only running the specs again tells apart."""

import csv
import json
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .contained import read_foreign, require_harmless
from .declarations import TIERS, all_declarations
from .errors import InputError
from .pack import csv_lines, manifest_entry
from .paths import command
from .progress import in_progress
from .results import read_list, require_cell, same
from .safe_tar import unpack
from .scene_files import scene_file_of
from .trace import Trace

LARGEST_JSON = 256 << 20  # bytes
_TEXTS = ("file", "experiment", "method", "status", "status_reason", "git_commit", "sha256")
_ADDED = ("git_state", "method_fingerprint", "harness_fingerprint")  # archives of earlier versions have none


@dataclass
class Checked:
    """What an intact archive holds."""

    results: Path | None  # its traces and lists as a folder of results; None: without traces
    cells: int = 0
    listed: int = 0  # cells that its lists declare
    missing: list[str] = field(default_factory=list)  # those without a trace
    stale: list[str] = field(default_factory=list)  # those of other sources than their list
    tiers: set[str] = field(default_factory=set)
    experiments: set[str] = field(default_factory=set)
    builds: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # commit, state, harness → traces
    unchecked: list[str] = field(default_factory=list)  # what could not be checked here


def check(archive: Path, folder: Path) -> Checked:
    """Unpacks into `folder`, which is empty, and checks everything but the verdicts. InputError for the first thing
    that is not as the archive says."""
    digests = unpack(archive, folder)
    try:
        return _Check(folder, digests).run()
    except InputError as error:
        raise InputError(f"{archive}: {str(error).replace(f'{folder}/', '')}") from error


class _Check:
    def __init__(self, folder: Path, digests: Mapping[str, str]):
        self._folder, self._digests = folder, digests
        self._accounted = {"manifest.json", "SHA256SUMS"}
        self._made_by: dict[str, Mapping[str, Any]] = {}  # fingerprints by file: those of the trace where there is one
        try:
            self._program = str(command())
        except InputError:
            self._program = ""

    def run(self) -> Checked:
        self._checksums()
        entries = self._manifest()
        with_traces = {f"traces/{e['file']}" for e in entries} & set(self._digests)
        if with_traces and len(with_traces) < len(entries):
            raise InputError(f"holds {len(with_traces)} of {len(entries)} traces, expected all of them or none")
        for name in in_progress("traces of the archive read", sorted(with_traces)):
            require_harmless(self._folder / name, read=read_foreign)  # whatever its digest says
        if with_traces and self._program:
            self._conform(sorted(with_traces))
        checked = Checked(self._folder / "traces" if with_traces else None, len(entries))
        for entry in in_progress("cells of the archive checked", entries):
            self._entry(entry, bool(with_traces), checked)
        self._lists(entries, checked)
        if foreign := sorted(set(self._digests) - self._accounted):
            raise InputError(f"{foreign[0]}: belongs to no trace of manifest.json")
        if not self._program:
            checked.unchecked.append("the format of traces and scene files: no command deformbench was found")
        if not with_traces:
            checked.unchecked.append("CSV against traces, and verdicts: the archive holds no traces (pack --traces)")
        return checked

    def _text(self, name: str) -> str:
        if name not in self._digests:
            raise InputError(f"{name}: is missing")
        path = self._folder / name
        if path.stat().st_size > LARGEST_JSON:
            raise InputError(f"{name}: {path.stat().st_size} bytes, expected at most {LARGEST_JSON}")
        try:
            return path.read_bytes().decode("utf-8")  # with its ends of lines as they are
        except UnicodeDecodeError as error:
            raise InputError(f"{name}: is not UTF-8 ({error})") from error

    def _json(self, name: str) -> dict[str, Any]:
        try:
            value = json.loads(self._text(name))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name}: is not JSON ({error})") from error
        if not isinstance(value, dict):
            raise InputError(f"{name}: expected a JSON object")
        return value

    def _checksums(self) -> None:
        promised: dict[str, str] = {}
        for number, line in enumerate(self._text("SHA256SUMS").splitlines(), start=1):
            digest, separator, name = line.partition("  ")
            if not separator or name in promised:
                raise InputError(f"SHA256SUMS:{number}: expected a digest, two blanks and a name that comes once")
            promised[name] = digest
        found = set(self._digests) - {"SHA256SUMS"}
        for name in sorted(found ^ set(promised)):
            raise InputError(f"{name}: is missing" if name in promised else f"{name}: is not in SHA256SUMS")
        for name, digest in promised.items():
            if self._digests[name] != digest:
                raise InputError(
                    f"{name}: found content of SHA-256 {self._digests[name][:16]}…, expected {digest[:16]}… as in SHA256SUMS"
                )

    def _manifest(self) -> list[dict[str, Any]]:
        about = self._json("manifest.json")
        if about.get("format") != "deformbench-archive" or about.get("format_version") != 1:
            raise InputError('manifest.json: expected "format": "deformbench-archive", "format_version": 1')
        entries = about.get("traces")
        if not isinstance(entries, list) or not entries:
            raise InputError("manifest.json: /traces: expected a list of traces")
        for k, entry in enumerate(entries):
            if not isinstance(entry, dict) or not all(isinstance(entry.get(key), str) for key in _TEXTS):
                raise InputError(f"manifest.json: /traces/{k}: expected texts {', '.join(_TEXTS)}")
            if not all(isinstance(entry.get(key, ""), str) for key in _ADDED):
                raise InputError(f"manifest.json: /traces/{k}: expected texts {', '.join(_ADDED)}, where there are any")
            if not isinstance(entry.get("scene_file"), (str, type(None))) or not entry["file"].endswith(".h5"):
                raise InputError(f"manifest.json: /traces/{k}: expected a file (.h5), and a scene file or null")
        names = [entry["file"] for entry in entries]
        if len(set(names)) < len(names):
            raise InputError(f"manifest.json: {Counter(names).most_common(1)[0][0]}: comes twice")
        return entries

    # === One trace

    def _entry(self, entry: Mapping[str, Any], with_trace: bool, checked: Checked) -> None:
        name = entry["file"].removesuffix(".h5")
        spec = self._json(f"specs/{name}.json")
        self._accounted |= {f"specs/{name}.json", f"traces/{name}.h5"}
        said = "/".join(name.split("/")[-3:-1])  # less where a folder below the experiments' was archived
        for what, found, expected in (
            ("experiment of its spec", spec.get("experiment"), entry["experiment"]),
            ("folder", said, entry["experiment"]),
            ("method of its spec", _method_of(spec), entry["method"]),
        ):
            if found != expected and not (what == "folder" and f"/{expected}".endswith(f"/{found}".rstrip("/"))):
                raise InputError(f"{entry['file']}: {what} {str(found)[:80]}, expected {expected[:80]}")
        self._scene(entry, spec)
        tables = {n for n in self._digests if n.startswith(f"csv/{name}/")}
        self._accounted |= tables
        if with_trace:
            self._trace(entry, spec, name, tables, checked)
        else:
            for table in sorted(tables):
                _require_table(table, self._text(table))
            checked.builds[(entry["git_commit"], entry.get("git_state", ""), entry.get("harness_fingerprint", ""))] += 1
        checked.experiments.add(entry["experiment"])

    def _scene(self, entry: Mapping[str, Any], spec: Mapping[str, Any]) -> None:
        """The scene file is there and has the content that the spec names, as far as the command can tell."""
        name = entry["scene_file"]
        if name is None:
            return
        content = str(spec["scene"].get("content")) if isinstance(spec.get("scene"), dict) else ""
        if not name.startswith(f"scenes/{content}/") or name not in self._digests:
            raise InputError(f"{entry['file']}: scene file {name[:80]}, expected one below scenes/{content[:80]}/")
        self._accounted |= {n for n in self._digests if n.startswith(f"scenes/{content}/")}
        if not self._program:
            return
        found = json.loads(self._answer(["describe", "--json", str(self._folder / name)]) or "{}")
        if found.get("content") != content:
            raise InputError(f"{name}: content {found.get('content', 'unreadable')}, expected {content}")

    def _trace(
        self, entry: Mapping[str, Any], spec: Mapping[str, Any], name: str, tables: set[str], checked: Checked
    ) -> None:
        trace = Trace(self._folder / f"traces/{name}.h5")
        own = manifest_entry(trace, name, entry["scene_file"])
        for key in (*_TEXTS, *(k for k in _ADDED if k in entry)):
            if entry[key] != own[key]:
                raise InputError(
                    f"{entry['file']}: {key} {str(entry[key])[:80]} in manifest.json, {own[key][:80]} found"
                )
        if not same(_portable(spec), _portable(trace.spec)):
            raise InputError(f"specs/{name}.json: is not the spec of its trace")
        clocks = trace.clocks()
        if tables != {f"csv/{name}/{clock}.csv" for clock in clocks}:
            raise InputError(f"csv/{name}: holds {len(tables)} clocks, expected the {len(clocks)} of its trace")
        for clock, channels in clocks.items():
            expected = "".join(csv_lines(trace, clock, channels)).encode("utf-8", "backslashreplace")
            if (self._folder / f"csv/{name}/{clock}.csv").read_bytes() != expected:
                raise InputError(f"csv/{name}/{clock}.csv: is not what its trace holds")
        self._made_by[entry["file"]] = own
        checked.builds[(own["git_commit"], own["git_state"], own["harness_fingerprint"])] += 1

    def _conform(self, traces: list[str]) -> None:
        """As `deformbench validate` has it: format, and the cell that spec and name are of."""
        for first in range(0, len(traces), 200):
            words = [self._program, "validate", *(str(self._folder / t) for t in traces[first : first + 200])]
            done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
            if done.returncode != 0:
                raise InputError((done.stderr.splitlines() or ["validate refused a trace"])[0])

    def _answer(self, words: list[str]) -> str | None:
        """Standard output of the command; None where there is none, or where it refuses."""
        if not self._program:
            return None
        words = [self._program, *words]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        return done.stdout if done.returncode == 0 else None

    # === What was declared

    def _lists(self, entries: Iterable[Mapping[str, Any]], checked: Checked) -> None:
        by_name = {entry["file"]: entry for entry in entries}
        names = sorted(n for n in self._digests if n.startswith("lists/"))
        declared: set[str] = set()
        for name in names:
            self._text(name)
            of = read_list(self._folder / name)
            place, _, file = name.removeprefix("lists/").rpartition("/")
            of_place = {e["experiment"] for n, e in by_name.items() if n.rpartition("/")[0] == place}
            if len(of_place) != 1:
                raise InputError(f"{name}: is of no experiment of manifest.json")
            (experiment,) = of_place
            tier = file.removesuffix(".cells.json").partition(".joined-")[0]
            if tier not in TIERS or not file.endswith(".cells.json"):
                raise InputError(f"{name}: expected a list <tier>.cells.json, of tier {', '.join(TIERS)}")
            if ".joined-" not in file:
                checked.tiers.add(tier)
                declared.add(experiment)
                self._as_declared(name, experiment, tier, checked)
            for cell in of.cells:
                checked.listed += 1
                entry = by_name.get(f"{place}/{cell['cell_id']}.h5".lstrip("/"))
                if entry is None:
                    checked.missing.append(f"{experiment}/{cell['cell_id']}")
                    continue
                made_by = self._made_by.get(entry["file"], entry)
                if any(cell[key] and made_by.get(key, cell[key]) != cell[key] for key in _ADDED[1:]):
                    checked.stale.append(f"{experiment}/{cell['cell_id']}")
                if checked.results is not None:
                    require_cell(Trace(self._folder / f"traces/{entry['file']}"), experiment, cell)
            self._accounted.add(name)
            if checked.results is not None:  # beside the traces, as in a folder of results
                (self._folder / name).rename(checked.results / name.removeprefix("lists/"))
        known = all_declarations()
        for experiment in sorted(checked.experiments - declared):
            if experiment in known:
                checked.missing.append(f"{experiment}/<tier>.cells.json")
            else:
                checked.unchecked.append(f"whether all cells of {experiment} are there: it is not declared here")

    def _as_declared(self, name: str, experiment: str, tier: str, checked: Checked) -> None:
        """A list holds the cells of the declaration that it names, where that is the one of this version."""
        of = read_list(self._folder / name)
        declaration = all_declarations().get(experiment)
        if declaration is None or of.outdated_by(declaration):
            checked.unchecked.append(f"the list of {experiment} at tier {tier}: declared otherwise in this version")
            return
        answer = self._answer(["run", str(declaration.path), "--tier", tier, "--dry-run", "--json"])
        if answer is None:
            checked.unchecked.append(f"the list of {experiment} at tier {tier}: its cells cannot be expanded here")
            return
        specs = [cell["spec"] for cell in json.loads(answer)]
        declared = Counter(_cell(spec["method"].get("name"), spec["coordinates"]) for spec in specs)
        listed = Counter(_cell(cell["method"], cell["coordinates"]) for cell in of.cells)
        if declared != listed:
            lacking = sum((declared - listed).values()), sum((listed - declared).values())
            raise InputError(f"{name}: lacks {lacking[0]} declared cells, and names {lacking[1]} that are not declared")


def findings(checked: Checked, present: str) -> list[str]:
    """Lines for the terminal. `present`: fingerprint of the harness of this build, "" where it is not known."""
    lines = [f"{checked.cells} cells of {len(checked.experiments)} experiments, content as the checksums say"]
    if checked.listed:
        there = checked.listed - sum(not name.endswith(".cells.json") for name in checked.missing)
        lines.append(
            f"{there} of {checked.listed} declared cells are there, at tier {', '.join(sorted(checked.tiers))}"
        )
    for what, cells in (("missing", checked.missing), ("of other sources than their list", checked.stale)):
        if cells:
            lines.append(f"{len(cells)} declared cells or lists {what}, such as {cells[0]}")
    for (commit, state, harness), count in checked.builds.most_common():
        whose = ", of this build's harness" if harness and harness == present else ""
        lines.append(f"{count} cells made at commit {commit or 'unknown'}{f' ({state})' if state else ''}{whose}")
    return lines + [f"not checked: {what}" for what in checked.unchecked]


def _cell(method: Any, coordinates: Mapping[str, Any]) -> str:
    return json.dumps([method, {k: v for k, v in coordinates.items() if k != "scene.file"}], sort_keys=True)


def _method_of(spec: Mapping[str, Any]) -> Any:
    method = spec.get("method")
    return method.get("id") if isinstance(method, dict) else None


def _portable(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Without the path of its scene file, which the archive replaces."""
    if scene_file_of(spec) is None:
        return dict(spec)
    return {**spec, "scene": {k: v for k, v in spec["scene"].items() if k != "file"}}


def _require_table(name: str, text: str) -> None:
    """InputError unless the text is a heading, and rows of as many numbers."""
    lines = text.splitlines()
    if not lines or not lines[0].startswith(("step,time_s", "member,step,time_s")):
        raise InputError(f"{name}: expected a heading that begins with step,time_s")
    width = len(next(csv.reader(lines[:1])))
    if any(line.count(",") + 1 != width for line in lines[1:]):
        raise InputError(f"{name}: a row that has not the {width} numbers of its heading")
    try:
        for line in lines[1:]:
            for number in line.split(","):
                float(number)
    except ValueError as error:
        raise InputError(f"{name}: {error}") from error

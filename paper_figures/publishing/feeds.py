# SPDX-License-Identifier: BSD-3-Clause
"""The feed of a published report: its verdicts with the numbers behind them, as JSON (docs/results.md). Feeds that
stand in a site already may be anybody's, and are read as such."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from deformbench_analysis import registration, schemas
from deformbench_analysis.claims import VERDICTS
from deformbench_analysis.declarations import TIERS, Declaration
from deformbench_analysis.errors import InputError
from deformbench_analysis.json_files import read_object
from deformbench_analysis.merge import digest_of_results
from deformbench_analysis.paths import cleaned_machine_name
from deformbench_analysis.progress import in_progress
from deformbench_analysis.results import spec_key
from deformbench_analysis.safe_tar import require_name
from deformbench_analysis.trace import Trace
from deformbench_analysis.verdicts import Verdict
from paper_figures.report.content import claim_page

FILE, ARCHIVE, FRONT = "verdicts.json", "results.tar.gz", "report.html"
BESIDE = (FRONT, FILE, ARCHIVE, "measurements.csv", "provenance.json")  # what every report has
MORE = {
    "gallery.html": "Gallery",
    "guides/tutorial.html": "Tutorial",
    "guides/index.html": "Guides",
}  # what it may have
LARGEST = 16 << 20  # bytes
ABOUT = ("name", "commit", "state", "tier", "machine", "processor", "date")

_TEXT: dict[str, Any] = {"type": "string", "maxLength": 1000, "expected": "a text of at most 1000 characters"}
_NUMBER: dict[str, Any] = {"type": ["number", "string", "null"]}  # JSON has no infinity, which is then a text
_ROW: dict[str, Any] = {
    "type": "object",
    "required": ["measurement", "value", "unit", "op", "bound", "outcome"],
    "properties": {
        **{key: _TEXT for key in ("measurement", "unit", "op", "outcome")},
        "value": _NUMBER,
        "bound": {"type": ["number", "array"], "items": {"type": "number"}, "expected": "a number, or two"},
    },
}
_ROWS: dict[str, Any] = {"type": "array", "maxItems": 1000, "items": _ROW}
_VERDICT: dict[str, Any] = {
    "type": "object",
    "required": ["claim", "paper", "verdict", "judged", "page", "comparisons", "regime_comparisons"],
    "properties": {
        **{key: _TEXT for key in ("claim", "paper", "judged", "page")},
        "verdict": {"enum": [*VERDICTS]},
        "comparisons": _ROWS,
        "regime_comparisons": _ROWS,
    },
}
_RUN: dict[str, Any] = {
    "type": "object",
    "required": ["run", "experiment", "label", "threads", "bits", "ms_per_step"],
    "properties": {
        **{key: _TEXT for key in ("run", "experiment", "label", "bits")},
        "threads": {"type": "integer"},
        "ms_per_step": {"type": ["number", "null"]},
    },
}
_OVER_THREADS: dict[str, Any] = {
    "type": "object",
    "required": ["experiment", "label", "threads", "same_bits", "spread", "where"],
    "properties": {
        **{key: _TEXT for key in ("experiment", "label", "where")},
        "threads": {"type": "array", "minItems": 2, "maxItems": 64, "items": {"type": "integer"}},
        "same_bits": {"type": "boolean"},
        "spread": {"type": ["number", "null"]},
    },
}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["format", "format_version", *ABOUT, "verdicts"],
    "properties": {
        "format": {"enum": ["deformbench-feed"]},
        "format_version": {"enum": [1]},
        **{key: _TEXT for key in ABOUT},
        "tier": {"enum": [*TIERS]},
        "verdicts": {"type": "array", "maxItems": 10_000, "items": _VERDICT},
        "runs": {"type": "array", "maxItems": 100_000, "items": _RUN},
        "over_threads": {"type": "array", "maxItems": 100_000, "items": _OVER_THREADS},
    },
}


@dataclass(frozen=True)
class Published:
    """A report of a site by its feed; `data` is as the schema has it, `more` what of MORE is there."""

    data: Mapping[str, Any]
    more: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Its folder."""
        return str(self.data["name"])

    @property
    def machine(self) -> str:
        """As the report's folder names it."""
        return str(self.data["machine"])

    @property
    def verdicts(self) -> Sequence[Mapping[str, Any]]:
        """One per claim."""
        return list(self.data["verdicts"])

    @property
    def runs(self) -> Sequence[Mapping[str, Any]]:
        """One per cell; feeds of earlier versions have none."""
        return list(self.data.get("runs", []))

    @property
    def over_threads(self) -> Sequence[Mapping[str, Any]]:
        """One per cell that was run with several numbers of threads."""
        return list(self.data.get("over_threads", []))

    def counts(self) -> list[tuple[str, int]]:
        """Verdicts with their numbers, in the order of VERDICTS, none that is not there."""
        counted = Counter(v["verdict"] for v in self.verdicts)
        return [(k, counted[k]) for k in VERDICTS if counted[k]]

    def has(self, file: str) -> bool:
        """Whether one of BESIDE or MORE is there."""
        return file in self.more or file in BESIDE

    def link(self, file: str) -> str:
        """One of its files as a link from the index."""
        return quote(f"{self.name}/{file}")


def about_of(traces: Sequence[Trace], tier: str, machine: str) -> dict[str, str]:
    """What names a report: commit and date are those of the newest trace, `machine` is the publisher's word, else
    made from the processor. InputError where several processors have no name together."""
    newest = max(traces, key=lambda t: str(t.provenance.get("finished", "")))
    commit, state = (str(newest.provenance.get(key) or "unknown") for key in ("git_commit", "git_state"))
    processors = sorted({processor for _, processor in (t.machine for t in traces)})
    if len(processors) > 1 and not machine:
        raise InputError(f"publish: results of {'; '.join(processors)}, expected one processor, or --machine NAME")
    named = cleaned_machine_name([machine or processors[0]])
    name = "_".join([commit[:12] + ("-dirty" if state == "dirty" else ""), tier, named])
    date = str(newest.provenance.get("finished", "unknown"))
    return dict(zip(ABOUT, (name, commit, state, tier, named, "; ".join(processors), date)))


def feed(
    about: Mapping[str, str],
    verdicts: Sequence[Verdict],
    declarations: Mapping[str, Declaration],
    files: set[str],
    traces: Sequence[Trace],
) -> dict[str, Any]:
    """The feed of a report that holds `files`: of the verdicts those that these results give."""
    entries = [
        _entry(v, declarations) for v in verdicts if v.verdict != "not_measured" and claim_page(v.claim) in files
    ]
    runs = [_run(trace) for trace in in_progress("cells of the feed", traces)]
    return {"format": "deformbench-feed", "format_version": 1, **about, "verdicts": entries, "runs": runs}


def _run(trace: Trace) -> dict[str, Any]:
    """`run` is the same for the same spec, `bits` for the same results."""
    spec = hashlib.sha256(spec_key(trace.spec).encode()).hexdigest()
    return {
        "run": spec[:32],
        "experiment": trace.experiment,
        "label": trace.label[:1000],
        "threads": int(trace.value("threads", 1)),
        "bits": digest_of_results(trace.path)[:32],
        "ms_per_step": trace.timing.median_ms if trace.timing else None,
    }


def _entry(verdict: Verdict, declarations: Mapping[str, Declaration]) -> dict[str, Any]:
    """`judged` is a digest of what of the claim is judged: verdicts are comparable where it is the same."""
    claim, full = verdict.claim, verdict.full()
    judged = registration.digest(registration.seal(claim, declarations).data())
    known = {"claim": claim.id, "paper": claim.paper, "statement": claim.statement, "verdict": verdict.verdict}
    rows = {key: [_portable(row) for row in full[key]] for key in ("comparisons", "regime_comparisons")}
    return {**known, "judged": judged, "page": claim_page(claim), **rows}


def _portable(row: Mapping[str, Any]) -> dict[str, Any]:
    value = row["value"]
    return {**row, "value": value if value is None or math.isfinite(value) else str(value)}


def read(folder: Path) -> Published:
    """The feed of a folder of the site. InputError where it is not as a feed is, or names what is not there."""
    path = folder / FILE
    if (size := path.stat().st_size) > LARGEST:
        raise InputError(f"{path}: {size} bytes, expected at most {LARGEST}")
    data = read_object(path)
    schemas.check(data, _SCHEMA, f"{path}: ")
    found = Published(data, frozenset(name for name in MORE if (folder / name).is_file()))
    if found.name != folder.name:
        raise InputError(f"{path}: /name: got {found.name!r}, expected {folder.name!r}, as its folder is called")
    shown = [(key, data[key]) for key in ABOUT]
    shown += [(f"verdicts/{k}/{key}", v[key]) for k, v in enumerate(found.verdicts) for key in ("claim", "paper")]
    for name, of in (("runs", found.runs), ("over_threads", found.over_threads)):
        shown += [(f"{name}/{k}/{key}", r[key]) for k, r in enumerate(of) for key in ("experiment", "label")]
    for key, text in shown:
        if not text.isprintable():
            raise InputError(f"{path}: /{key}: got {ascii(text)}, expected characters that can be printed")
    claims = Counter(v["claim"] for v in found.verdicts)
    if claims and claims.most_common(1)[0][1] > 1:
        raise InputError(f"{path}: /verdicts: {claims.most_common(1)[0][0]} stands twice, expected every claim once")
    for name in (*BESIDE, *(v["page"] for v in found.verdicts)):
        require_name(name, f"{path}: page")
        if not (folder / name).is_file():
            raise InputError(f"{path}: {name} is not in its folder, expected a whole report")
    return found

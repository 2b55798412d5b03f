# SPDX-License-Identifier: BSD-3-Clause
"""The record of verdicts that later runs are compared with, and whether it still fits the claims
(docs/claims_format.md)."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import papers, registration
from .claims import Claim
from .declarations import TIERS, Declaration
from .errors import InputError
from .json_files import read_object
from .json_format import layout
from .output import write_text
from .results import Results
from .verdicts import Verdict

UNRECORDED = "(none)"
TO_BE_JUDGED = "(amended, to be judged)"


@dataclass(frozen=True)
class Change:
    """A verdict that is not the recorded one, or rests on fewer cells."""

    claim: str
    recorded: str
    now: str
    fails: bool  # an unclear timing does not


def read_record(path: Path) -> dict[str, Any]:
    """Recorded verdicts of one paper by claim; empty when there is no file."""
    if not path.exists():
        return {}
    recorded = read_object(path).get("claims")
    if not isinstance(recorded, dict) or not all(isinstance(e, dict) and "verdict" in e for e in recorded.values()):
        raise InputError(
            f'{path}: /claims: expected {{"<claim>": {{"verdict": …}}, …}}, as `verify --record` writes it'
        )
    return recorded


def as_amended(
    record: Mapping[str, Mapping[str, Any]], registered: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """A record in which claims that were amended since have the verdict after the amendment, or TO_BE_JUDGED."""
    found: dict[str, dict[str, Any]] = {}
    for claim, entry in record.items():
        seal = registered.get(claim, {})
        made = registration.amendments(seal)
        is_old = entry.get("claim") != seal.get("claim") or entry.get("declarations") != seal.get("declarations")
        amended = is_old and made and "before" in made[-1]
        found[claim] = {**entry, **({"verdict": made[-1].get("after", TO_BE_JUDGED), "cells": {}} if amended else {})}
    return found


def changes(verdicts: Iterable[Verdict], records: Mapping[str, Mapping[str, Any]]) -> list[Change]:
    """Verdicts that differ from the record (paper → claim → entry), that rest on fewer completed cells than it says
    of this tier, or on cells that ended otherwise than declared. Timing that fell into its dead band never fails."""
    found: list[Change] = []
    for verdict in verdicts:
        entry = records.get(verdict.claim.paper, {}).get(verdict.claim.id)
        recorded = UNRECORDED if entry is None else str(entry["verdict"])
        if recorded not in (verdict.verdict, TO_BE_JUDGED):
            unclear = verdict.claim.kind == "timing" and "inconclusive" in (recorded, verdict.verdict)
            found.append(Change(verdict.claim.id, recorded, verdict.verdict, not unclear))
        before = entry.get("cells", {}) if entry is not None and entry.get("tier") == verdict.tier else {}
        for identifier, now in verdict.cells.items() if verdict.verdict != "not_measured" else ():
            if _completed(now) < _completed(before.get(identifier, "0")):
                found.append(Change(verdict.claim.id, f"{identifier}: {before[identifier]}", now, True))
        for identifier, what in verdict.otherwise.items():
            found.append(Change(verdict.claim.id, f"{identifier}: every cell as declared", what, True))
    return found


def _completed(cells: str) -> int:
    """The first number of "17 of 18 completed"."""
    return int(cells.split()[0])


def require_registered(claims: Iterable[Claim], tier: str, declarations: Mapping[str, Declaration]) -> None:
    """InputError unless each claim is registered in its present form,
    and the tier is one at which it may be recorded."""
    entries: dict[str, dict[str, dict[str, Any]]] = {}
    for claim in claims:
        if claim.paper not in entries:
            entries[claim.paper] = registration.read(papers.named(claim.paper))
        entry = entries[claim.paper].get(claim.id)
        if entry is None:
            raise InputError(f"claim {claim.id}: is not registered, expected `deformbench register {claim.id}` first")
        if changed := registration.seal(claim, declarations).differences(entry):
            raise InputError(
                f"claim {claim.id}: {', '.join(changed)} changed since it was registered; "
                f"expected `deformbench register {claim.id} --why …` first"
            )
        if (wanted := registration.required_tier(claim, declarations)) != tier and TIERS.index(tier) < TIERS.index(
            wanted
        ):
            raise InputError(f"claim {claim.id}: cannot be recorded at tier {tier}, expected {wanted}")


def explain_changes(verdicts: Iterable[Verdict], records: Mapping[str, Mapping[str, Any]], why: str) -> None:
    """Completes an amendment that had no traces to be judged on. Adds one where a verdict to be recorded is neither
    the recorded one nor what the last amendment led to: code or data changed it. InputError without a reason."""
    for verdict in verdicts:
        claim = verdict.claim
        paper = papers.named(claim.paper)
        entries = registration.read(paper)
        made = registration.amendments(entries[claim.id])
        before = str(records.get(claim.paper, {}).get(claim.id, {}).get("verdict", verdict.verdict))
        if made and "before" in made[-1] and "after" not in made[-1]:
            made[-1] = {**made[-1], "after": verdict.verdict}
            registration.write(paper, {**entries, claim.id: {**entries[claim.id], "amendments": made}})
            continue
        if verdict.verdict in (before, made[-1].get("after") if made else before):
            continue
        if not why:
            raise InputError(
                f"claim {claim.id}: recorded {before}, now {verdict.verdict}, and nothing that is judged has changed; "
                "expected --why with the reason"
            )
        change = {"date": registration.today(), "changed": [registration.CODE], "why": why}
        made.append({**change, "before": before, "after": verdict.verdict})
        registration.write(paper, {**entries, claim.id: {**entries[claim.id], "amendments": made}})


def stale(
    claims: Iterable[Claim], records: Mapping[str, Mapping[str, Any]], declarations: Mapping[str, Declaration]
) -> dict[str, str]:
    """Claims whose recorded verdict does not fit them, with the reason."""
    found: dict[str, str] = {}
    for claim in claims:
        entry = records.get(claim.paper, {}).get(claim.id)
        if entry is not None and (why := registration.staleness(entry, claim, declarations)):
            found[claim.id] = why
    return found


def _sources(verdict: Verdict, results: Results) -> tuple[str, set[str]]:
    """A digest of the fingerprints of the code that made the traces behind a verdict, and the kinds of processor."""
    traces = [t for i in verdict.claim.experiments for t in results.experiment(i, verdict.tier).cells]
    prints = {str(t.provenance.get(k, "")) for t in traces for k in ("method_fingerprint", "harness_fingerprint")}
    return hashlib.sha256("".join(sorted(prints)).encode()).hexdigest()[:12], {
        str(t.provenance.get("cpu", "unknown")) for t in traces
    }


def entry_of(verdict: Verdict, results: Results) -> dict[str, Any]:
    """What the record keeps of a verdict: no measured number, so that the file is stable."""
    code, processors = _sources(verdict, results)
    machines = [{"processor": p, "date": registration.today()} for p in sorted(processors)]
    seal = registration.seal(verdict.claim, results.declarations)
    return {**verdict.record(), **seal.data(), "code": code, "machines": machines}


def write_record(path: Path, paper: str, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Replaces the named claims' entries and leaves the others as they were. Other processors that a replaced entry
    names stay while verdict and seal are the same."""
    record = read_record(path)
    for claim, entry in entries.items():
        old = record.get(claim, {})
        same = all(old.get(k) == entry.get(k) for k in ("verdict", "tier", "claim", "declarations"))
        new = {m["processor"] for m in entry.get("machines", [])}
        kept = [m for m in (old.get("machines") or []) if same and m["processor"] not in new]
        record[claim] = {**entry, **({"machines": kept + list(entry["machines"])} if new else {})}
    write_text(path, layout({"paper": paper, "claims": {k: record[k] for k in sorted(record)}}))

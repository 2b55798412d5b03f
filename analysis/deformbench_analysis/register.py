# SPDX-License-Identifier: BSD-3-Clause
"""The verb register: seals what of a claim is judged, or writes an amendment with the verdicts before and after
it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import errors, papers, registration
from .claims import Claim, all_claims
from .declarations import all_declarations
from .errors import InputError, NothingSelected
from .measurement import Measurer
from .records import read_record
from .registration import Seal
from .results import Results
from .verdicts import judge_all


def _verdict(claim: Claim, measurer: Measurer) -> str:
    """The verdict on a claim in this form from the traces at hand. InputError where they do not suffice."""
    judged = judge_all(measurer.results, [claim], measurer.tier, True, measurer)
    if not judged.verdicts:
        raise InputError(f"claim {claim.id}: {judged.skipped[0][1]}, expected --tier to say so")
    verdict = judged.verdicts[0]
    if verdict.verdict == "not_measured":
        raise InputError(
            f"claim {claim.id}: cannot be judged before and after its amendment ({verdict.reason}); "
            "expected traces of its experiments"
        )
    return verdict.verdict


def _amendment(
    paper: papers.Paper,
    claim: Claim,
    entry: Mapping[str, Any],
    now: Seal,
    why: str,
    before: str,
    results: Results | None,
) -> dict[str, Any]:
    """What changed since the registration, why, and the verdicts on the same traces (`results`); none where none was
    recorded."""
    different = now.differences(entry)
    changed, old = [d for d in different if d != "claim"], claim
    if "claim" in different:
        old = registration.committed_claim(paper, claim.id, str(entry["claim"]))
        changed = registration.changed_keys(old, claim) + changed
    amendment: dict[str, Any] = {
        "date": registration.today(),
        "changed": changed,
        "why": why,
    }
    if results is None:
        return amendment
    measurer = Measurer(results, results.tier)
    after = _verdict(claim, measurer)
    return {**amendment, "before": before if old is claim else _verdict(old, measurer), "after": after}


def register_claims(
    named: Sequence[str],
    of_papers: Sequence[str],
    why: str,
    results_of: Callable[[], Results],
    record_of: Callable[[str], Path],
) -> int:
    """Registers the named claims, or all of the named papers; the exit code. `results_of` gives the traces that a
    recorded claim is judged from when it is amended."""
    chosen = [c for of in all_claims().values() for c in of if c.id in named or (not named and c.paper in of_papers)]
    missing = sorted(set(named) - {c.id for c in chosen})
    if missing:
        raise InputError(f"claim {missing[0]}: no such one; `deformbench list claims` names them")
    if not chosen:
        raise NothingSelected("register: no claim named, expected claims, or --paper NAME for all of a paper's")
    declarations = all_declarations()
    for name in dict.fromkeys(c.paper for c in chosen):
        paper = papers.named(name)
        entries, record = registration.read(paper), read_record(record_of(name))
        before = json.dumps(entries)
        for claim in (c for c in chosen if c.paper == name):
            now, entry = registration.seal(claim, declarations), entries.get(claim.id)
            if entry is None:
                entries[claim.id] = {"registered": registration.today(), **now.data()}
                print(f"{claim.id}: registered")
            elif not now.differences(entry):
                print(f"{claim.id}: is registered as it is")
            elif not why:
                raise InputError(
                    f"claim {claim.id}: {', '.join(now.differences(entry))} changed since it was registered; "
                    "expected --why with the reason of the amendment"
                )
            else:
                recorded = str(record.get(claim.id, {}).get("verdict", ""))
                results = results_of() if recorded else None
                amendment = _amendment(paper, claim, entry, now, why, recorded, results)
                entries[claim.id] = {**entry, **now.data(), "amendments": [*entry.get("amendments", []), amendment]}
                verdicts = f": {amendment['before']}, now {amendment['after']}" if recorded else ""
                print(f"{claim.id}: amended, {', '.join(amendment['changed'])}{verdicts}")
        if json.dumps(entries) != before:
            registration.write(paper, entries)
    return errors.EXIT_OK

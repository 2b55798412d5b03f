# SPDX-License-Identifier: BSD-3-Clause
"""Registrations: what of a claim is judged, sealed by digest and date before the run that counts, and every later
amendment.

A registration file (docs/claims_format.md) holds per claim the digests of its judged content and of the declarations of its
experiments, and the amendments in order of date, each with the verdict before and after it.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import papers
from .claims import Claim, claim_from
from .declarations import TIERS, Declaration
from .errors import InputError
from .json_files import read_object
from .json_format import layout
from .output import write_text

JUDGED = (
    "statement",
    "kind",
    "variant",
    "experiments",
    "predicate",
    "holds_in_regime",
    "min_tier",
    "verdict",
    "best",
)
_DESCRIBING = ("origin", "note")  # keys of a comparison that say why, not what
KINDNESS = {
    "does_not_hold": 0,
    "inconclusive": 1,
    "not_testable": 1,
    "holds_in_regime": 2,
    "holds": 3,
}


def _without_describing(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _without_describing(v) for k, v in value.items() if k not in _DESCRIBING}
    return [_without_describing(v) for v in value] if isinstance(value, list) else value


def judged_content(claim: Claim) -> dict[str, Any]:
    """The keys of a claim that decide its verdict, bounds among them, without origins and notes."""
    return {k: _without_describing(claim.data[k]) for k in JUDGED if claim.data.get(k) not in (None, "", [], {})}


def digest(value: Any) -> str:
    """The first 80 bits of SHA-256 of the canonical JSON, in hexadecimal."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:20]


@dataclass(frozen=True)
class Seal:
    """Digests of a claim's judged content and of the declarations of its experiments."""

    claim: str
    declarations: str

    def data(self) -> dict[str, str]:
        """As files hold it."""
        return {"claim": self.claim, "declarations": self.declarations}

    def differences(self, stored: Mapping[str, Any]) -> list[str]:
        """Which of the two a stored seal has otherwise."""
        return [what for what, value in self.data().items() if stored.get(what) != value]


def seal(claim: Claim, declarations: Mapping[str, Declaration]) -> Seal:
    """The present seal of a claim. InputError where an experiment is not declared."""
    for identifier in claim.experiments:
        if identifier not in declarations:
            raise InputError(f"claim {claim.id}: /experiments: {identifier} is not declared")
    judged = {i: declarations[i].cells_depend_on() for i in claim.experiments}
    return Seal(digest(judged_content(claim)), digest(judged))


def read(paper: papers.Paper) -> dict[str, dict[str, Any]]:
    """Registrations by claim; empty where there is no file. InputError where one lacks its date or digests."""
    if not paper.registrations.exists():
        return {}
    entries = read_object(paper.registrations).get("claims")
    needed = {"registered", "claim", "declarations"}
    if not isinstance(entries, dict) or not all(isinstance(e, dict) and needed <= set(e) for e in entries.values()):
        raise InputError(
            f"{paper.registrations}: /claims: expected registered, claim and declarations for each claim, "
            "as `deformbench register` writes them"
        )
    return entries


def write(paper: papers.Paper, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Replaces the file."""
    ordered = {"paper": paper.name, "claims": {k: entries[k] for k in sorted(entries)}}
    write_text(paper.registrations, layout(ordered))


def today() -> str:
    """The date in UTC."""
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def amendments(entry: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The amendments that were made after a verdict, in order of date."""
    return [a for a in (entry or {}).get("amendments", []) if a.get("before")]


def became_kinder(amendment: Mapping[str, Any]) -> bool:
    """Whether the verdict after the amendment says more for the paper than the one before."""
    return KINDNESS.get(amendment.get("after") or "", -1) > KINDNESS.get(amendment["before"], 1)


def tally(entries: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Numbers of claims that were amended after a verdict, and of those whose verdict became kinder by an
    amendment."""
    amended = [found for entry in entries if (found := amendments(entry))]
    return len(amended), sum(any(map(became_kinder, found)) for found in amended)


def committed_claim(paper: papers.Paper, identifier: str, wanted: str) -> Claim:
    """The claim as the last commit has it. InputError where its digest is not the registered one."""
    folder = paper.claims.parent
    shown = subprocess.run(
        ["git", "-C", str(folder), "show", f"HEAD:./{paper.claims.name}"],
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(shown.stdout).get("claims", []) if shown.returncode == 0 else []
    for entry in found:
        claim = claim_from(paper.name, entry, str(paper.claims))
        if claim.id == identifier and digest(judged_content(claim)) == wanted:
            return claim
    raise InputError(
        f"claim {identifier}: the last commit of {paper.claims} does not have it as it is registered; "
        "expected the amendment to be registered before it is committed"
    )


def staleness(entry: Mapping[str, Any], claim: Claim, declarations: Mapping[str, Declaration]) -> str:
    """Why a recorded verdict does not fit its claim any more; empty where it does."""
    if "claim" not in entry:
        return "recorded without the digest of what was judged"
    tier = str(entry.get("tier", ""))
    now = seal(claim, declarations)
    reasons = [("the claim" if what == "claim" else what) + " has changed" for what in now.differences(entry)]
    full = any("paper" in declarations[i].data["tiers"] for i in claim.experiments)
    wanted = max([claim.min_tier, *(["paper"] if full else [])], key=TIERS.index)
    if tier not in TIERS or TIERS.index(tier) < TIERS.index(wanted):
        reasons.append(f"recorded at tier {tier}, expected {wanted}")
    return ", ".join(reasons)


def changed_keys(before: Claim, after: Claim) -> list[str]:
    """The judged keys in which two forms of a claim differ."""
    old, new = judged_content(before), judged_content(after)
    return [k for k in JUDGED if old.get(k) != new.get(k)]

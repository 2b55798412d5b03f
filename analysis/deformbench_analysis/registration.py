# SPDX-License-Identifier: BSD-3-Clause
"""Registrations: what of a claim is judged, sealed by digest and date before the run that counts, and every later
amendment.

A registration file (docs/claims_format.md) holds per claim the digests of its judged content and of the declarations
of its experiments, and the amendments in order of date, each with the verdict before and after it. A reason that many
claims share stands once in the file, as a change that the amendments name."""

import datetime
import hashlib
import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import papers, schemas
from .claims import Claim, claim_from
from .declarations import TIERS, Declaration
from .errors import InputError
from .json_files import read_object
from .json_format import layout
from .output import write_text
from .predicates import is_control

FORMAT = 2
FORMATS = (1, FORMAT)  # that are read: in the first, every amendment has its date and reason itself
JUDGED = "statement kind variant experiments predicate holds_in_regime min_tier verdict best missing".split()
_DESCRIBING = ("origin", "note")  # keys of a comparison that say why, not what
KINDNESS = {"does_not_hold": 0, "inconclusive": 1, "not_testable": 1, "holds_in_regime": 2, "holds": 3}
CODE = "code or data"  # what changed where a verdict differs and nothing that is judged does

_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
_VERDICT: dict[str, Any] = {"enum": [*KINDNESS, "not_measured"]}
_AMENDMENT: dict[str, Any] = {
    "type": "object",
    "required": ["changed"],
    "properties": {
        **{"change": _TEXT, "date": _TEXT, "why": _TEXT, "before": _VERDICT, "after": _VERDICT},
        "changed": {"type": "array", "items": _TEXT, "minItems": 1},
    },
    "additionalProperties": False,
    "if": {"required": ["change"]},
    "else": {"required": ["date", "why"]},
}
_ENTRY: dict[str, Any] = {
    "type": "object",
    "required": ["registered", "claim", "declarations"],
    "properties": {
        **{key: _TEXT for key in ("registered", "claim", "controls", "declarations", "retired")},
        "amendments": {"type": "array", "items": _AMENDMENT},
    },
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["paper", "format", "claims"],
    "properties": {
        "paper": _TEXT,
        "format": {"enum": [*FORMATS]},
        "changes": {"type": "object", "additionalProperties": _TEXT},
        "claims": {"type": "object", "additionalProperties": _ENTRY},
    },
}


def _canonical(value: Any) -> Any:
    """Without describing keys; a number is the same however it is written."""
    if isinstance(value, Mapping):
        return {k: _canonical(v) for k, v in value.items() if k not in _DESCRIBING}
    if isinstance(value, list):
        return [_canonical(v) for v in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def judged_content(claim: Claim) -> dict[str, Any]:
    """The keys of a claim that decide its verdict, bounds among them, without origins and notes."""
    data = {**claim.data, "variant": claim.variant}
    return {k: _canonical(data[k]) for k in JUDGED if data.get(k) not in (None, "", [], {})}


def digest(value: Any) -> str:
    """The first 128 bits of SHA-256 of the canonical JSON, in hexadecimal."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Seal:
    """Digests of a claim's judged content, of which of its rows are controls, and of the declarations of its
    experiments."""

    claim: str
    controls: str  # empty without a control
    declarations: str

    def data(self) -> dict[str, str]:
        """As registrations hold it."""
        controls = {"controls": self.controls} if self.controls else {}
        return {"claim": self.claim, **controls, "declarations": self.declarations}

    def differences(self, stored: Mapping[str, Any]) -> list[str]:
        """Which of them a registration, or the record of a verdict, has otherwise; records hold no controls."""
        of_record = [] if "registered" in stored else ["controls"]
        every = {"claim": self.claim, "controls": self.controls, "declarations": self.declarations}
        return [what for what, value in every.items() if what not in of_record and stored.get(what, "") != value]


def controls_of(claim: Claim) -> str:
    """The digest of the rows that are controls: where they alone fail, the verdict is another."""
    rows = [[leaf[k] for k in ("measurement", "op", "value")] for leaf in claim.leaves() if is_control(leaf)]
    return digest(_canonical(rows)) if rows else ""


def seal(claim: Claim, declarations: Mapping[str, Declaration]) -> Seal:
    """The present seal of a claim. InputError where an experiment is not declared."""
    for identifier in claim.experiments:
        if identifier not in declarations:
            raise InputError(f"claim {claim.id}: /experiments: {identifier} is not declared")
    judged = {i: _canonical(declarations[i].cells_depend_on()) for i in claim.experiments}
    return Seal(digest(judged_content(claim)), controls_of(claim), digest(judged))


def read(paper: papers.Paper) -> dict[str, dict[str, Any]]:
    """Registrations by claim; empty where there is no file. InputError where it is not as `register` writes it."""
    if not paper.registrations.exists():
        return {}
    data = read_object(paper.registrations)
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], "paper": {"const": paper.name}}}
    schemas.check(data, schema, str(paper.registrations) + ": ")
    return entries_of(data, str(paper.registrations))


def entries_of(data: Mapping[str, Any], where: str = "") -> dict[str, dict[str, Any]]:
    """The entries of a file, every amendment with its date and reason.
    InputError where it names a change that is not there."""
    changes = data.get("changes", {})

    def whole(made: dict[str, Any], claim: str) -> dict[str, Any]:
        if "change" not in made:
            return made
        if (change := made["change"]) not in changes:
            raise InputError(f"{where}: /claims/{claim}/amendments: {change!r} is none of /changes")
        rest = {k: v for k, v in made.items() if k != "change"}
        return {"date": change.split(".")[0], "why": changes[change], **rest}

    return {
        claim: entry | ({"amendments": [whole(a, claim) for a in entry["amendments"]]} if "amendments" in entry else {})
        for claim, entry in data["claims"].items()
    }


def write(paper: papers.Paper, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Replaces the file. A change is called after its date, and numbered within it."""
    names: dict[tuple[str, str], str] = {}

    def short(made: Mapping[str, Any]) -> dict[str, Any]:
        date, why = made["date"], made["why"]
        number = 1 + sum(day == date for day, _ in names)
        change = names.setdefault((date, why), f"{date}.{number}")
        return {"change": change} | {k: v for k, v in made.items() if k not in ("date", "why")}

    claims = {
        k: {**entries[k], "amendments": [short(a) for a in made]} if (made := amendments(entries[k])) else entries[k]
        for k in sorted(entries)
    }
    changes = {names[key]: key[1] for key in sorted(names, key=lambda key: key[0])}
    ordered = {"paper": paper.name, "format": FORMAT, **({"changes": changes} if changes else {}), "claims": claims}
    write_text(paper.registrations, layout(ordered))


def today() -> str:
    """The date in UTC."""
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def amendments(entry: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """All amendments in order of date; one that was made after a verdict has `before`."""
    return list((entry or {}).get("amendments", []))


def pending(entries: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Claims that were amended after a verdict, and whose verdict has not been recorded since."""
    last = {claim: (amendments(entry) or [{}])[-1] for claim, entry in entries.items()}
    return {claim for claim, made in last.items() if "before" in made and "after" not in made}


def became_kinder(amendment: Mapping[str, Any]) -> bool:
    """Whether the verdict after the amendment says more for the paper than the one before."""
    return "before" in amendment and KINDNESS.get(amendment.get("after", ""), -1) > KINDNESS.get(amendment["before"], 1)


def tally(entries: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Numbers of claims that were amended after a verdict, and of those whose verdict became kinder by an
    amendment."""
    amended = [found for entry in entries if (found := [a for a in amendments(entry) if "before" in a])]
    return len(amended), sum(any(map(became_kinder, found)) for found in amended)


def versions_of(path: Path) -> Iterator[tuple[str, str]]:
    """Commits that changed a file, the last first, with what it held then, under whatever name;
    none without a repository."""

    def git(*words: str) -> str:
        words = ("git", "-C", str(path.parent), "-c", "core.quotePath=false", *words)
        return subprocess.run(words, capture_output=True, text=True, check=False).stdout

    name = f"./{path.name}"
    for entry in git("log", "--follow", "--format=%x00%H", "--name-only", "--", path.name).split("\0")[1:]:
        commit, *names = filter(None, entry.split("\n"))
        name = names[0] if names else name  # a merge lists none
        yield commit, git("show", f"{commit}:{name}")


def registered_form(paper: papers.Paper, identifier: str, wanted: Mapping[str, Any]) -> Claim | None:
    """The claim as it was when it had the digests of the registration `wanted`, from the history of the repository;
    None where that has no such form, or there is no repository."""
    for commit, text in versions_of(paper.claims):
        try:
            entries = json.loads(text)["claims"]
            claim = claim_from(paper.name, next(e for e in entries if e["id"] == identifier), commit)
        except (ValueError, KeyError, TypeError, StopIteration, InputError):
            continue
        if (digest(judged_content(claim)), controls_of(claim)) == (wanted["claim"], wanted.get("controls", "")):
            return claim
    return None


def required_tier(claim: Claim, declarations: Mapping[str, Declaration]) -> str:
    """The lowest tier at which a verdict may be recorded: paper, where the experiments have it,
    or the claim's own."""
    full = any("paper" in declarations[i].data["tiers"] for i in claim.experiments)
    return max([claim.min_tier, *(["paper"] if full else [])], key=TIERS.index)


def staleness(entry: Mapping[str, Any], claim: Claim, declarations: Mapping[str, Declaration]) -> str:
    """Why a recorded verdict does not fit its claim any more; empty where it does."""
    if "claim" not in entry:
        return "recorded without the digest of what was judged"
    tier, wanted = str(entry.get("tier", "")), required_tier(claim, declarations)
    reasons = [
        ("the claim" if w == "claim" else "a declaration") + " has changed"
        for w in seal(claim, declarations).differences(entry)
    ]
    if tier not in TIERS or TIERS.index(tier) < TIERS.index(wanted):
        reasons.append(f"recorded at tier {tier}, expected {wanted}")
    return ", ".join(reasons)


def changed_keys(before: Claim, after: Claim) -> list[str]:
    """The judged keys in which two forms of a claim differ."""
    old, new = judged_content(before), judged_content(after)
    changed = [k for k in JUDGED if old.get(k) != new.get(k)]
    return changed or (["controls"] if controls_of(before) != controls_of(after) else [])

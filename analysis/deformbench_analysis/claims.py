# SPDX-License-Identifier: BSD-3-Clause
"""The claims files (docs/claims_format.md): loading, checking, and walking their predicates."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import papers
from .declarations import TIERS, Declaration
from .errors import InputError
from .json_files import read_object

KINDS = ("quantitative", "ordinal", "qualitative", "scope", "timing")
OPERATORS = ("<", "<=", ">", ">=", "==", "in")
VERDICTS = (
    "holds",
    "holds_in_regime",
    "does_not_hold",
    "inconclusive",
    "not_testable",
    "not_measured",
)
UNDECIDABLE = ("inconclusive", "not_testable")

_CLAIM_KEYS = {
    "id",
    "where",
    "statement",
    "kind",
    "experiments",
    "variant",
    "predicate",
    "holds_in_regime",
    "min_tier",
    "deviations",
    "missing",
    "verdict",
    "best",
    "why_no_experiment",
    "why_no_mutant",
    "runs_left_out",
    "waits_for",
    "note",
}
_LEAF_KEYS = {"measurement", "op", "value", "origin", "dead_band", "spread", "note"}


@dataclass(frozen=True)
class Claim:
    """One statement of a paper and how it is judged."""

    paper: str
    id: str
    where: str
    statement: str
    kind: str
    experiments: list[str]
    variant: str
    predicate: dict[str, Any] | None
    regime_predicate: dict[str, Any] | None
    regime: str
    min_tier: str
    deviations: list[str] = field(default_factory=list)
    missing: str = ""  # the datum that the paper did not publish
    fixed_verdict: str = ""  # inconclusive or not_testable: no predicate can decide
    best: list[str] = field(default_factory=list)  # measurements that come nearest, for an undecidable claim
    why_no_experiment: str = ""
    why_no_mutant: str = ""  # why no mistake in our sources could change the verdict
    waits_for: str = ""  # what has to be built before the claim can be judged
    runs_left_out: str = ""  # why its measurements may pass over runs that did not complete, as declared
    data: dict[str, Any] = field(default_factory=dict)  # as the file has it

    def leaves(self) -> list[dict[str, Any]]:
        """Every comparison of both predicates."""
        return [leaf for tree in (self.predicate, self.regime_predicate) if tree for leaf in leaves_of(tree)]

    def measurements(self) -> list[str]:
        """Names of all measurements that the claim uses, each once, in the order of appearance."""
        judged = [leaf[key] for leaf in self.leaves() for key in ("measurement", "spread") if key in leaf]
        return list(dict.fromkeys(judged + self.best))


def leaves_of(predicate: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every comparison of a predicate, however deep it stands."""
    if "measurement" in predicate:
        yield dict(predicate)
    for key in ("all", "any"):
        for part in predicate.get(key, []):
            yield from leaves_of(part)
    if "not" in predicate:
        yield from leaves_of(predicate["not"])


def _check_predicate(predicate: Any, where: str) -> None:
    if not isinstance(predicate, Mapping):
        raise InputError(f"{where}: expected an object, found {predicate!r}")
    forms = [k for k in ("all", "any", "not", "measurement") if k in predicate]
    if len(forms) != 1:
        raise InputError(f"{where}: expected exactly one of all, any, not, measurement; found {sorted(predicate)}")
    form = forms[0]
    if form in ("all", "any"):
        if not isinstance(predicate[form], list) or not predicate[form]:
            raise InputError(f"{where}/{form}: expected a list with at least one comparison")
        for index, part in enumerate(predicate[form]):
            _check_predicate(part, f"{where}/{form}/{index}")
    elif form == "not":
        _check_predicate(predicate["not"], f"{where}/not")
    else:
        _check_leaf(predicate, where)


def _check_leaf(leaf: Mapping[str, Any], where: str) -> None:
    unknown = set(leaf) - _LEAF_KEYS
    if unknown:
        raise InputError(f"{where}: unknown key {sorted(unknown)}; expected {sorted(_LEAF_KEYS)}")
    if leaf.get("op") not in OPERATORS:
        raise InputError(f"{where}/op: {leaf.get('op')!r}, expected one of {', '.join(OPERATORS)}")
    value = leaf.get("value")
    if leaf["op"] == "in":
        if not (isinstance(value, list) and len(value) == 2 and value[0] < value[1]):
            raise InputError(f"{where}/value: {value!r}, expected [low, high]")
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"{where}/value: {value!r}, expected a number")
    if not str(leaf.get("origin", "")).strip():
        raise InputError(f"{where}/origin: missing; a tolerance says where it comes from")


def claim_from(paper: str, data: Mapping[str, Any], where: str) -> Claim:
    """The claim of a paper from its entry; InputError names `where`, the key and what was expected."""
    unknown = set(data) - _CLAIM_KEYS
    if unknown:
        raise InputError(f"{where}: unknown key {sorted(unknown)}; expected some of {sorted(_CLAIM_KEYS)}")
    for key in ("id", "where", "statement", "kind", "experiments", "min_tier"):
        if key not in data:
            raise InputError(f"{where}: key {key} is missing")
    if data["kind"] not in KINDS:
        raise InputError(f"{where}/kind: {data['kind']!r}, expected one of {', '.join(KINDS)}")
    if data["min_tier"] not in TIERS:
        raise InputError(f"{where}/min_tier: {data['min_tier']!r}, expected one of {', '.join(TIERS)}")
    regime = dict(data.get("holds_in_regime") or {})
    regime_text = str(regime.pop("regime", ""))
    predicate = data.get("predicate")
    for tree, name in ((predicate, "predicate"), (regime or None, "holds_in_regime")):
        if tree is not None:
            _check_predicate(tree, f"{where}/{name}")
    if regime and not regime_text:
        raise InputError(f"{where}/holds_in_regime/regime: missing; say in words where the claim holds")
    verdict = str(data.get("verdict", ""))
    if verdict and verdict not in UNDECIDABLE:
        raise InputError(
            f"{where}/verdict: {verdict!r}; only {' or '.join(UNDECIDABLE)} can be written down, the others are measured"
        )
    waits_for = str(data.get("waits_for", ""))
    if waits_for:
        if predicate is not None or verdict or regime or data["experiments"]:
            raise InputError(
                f"{where}: a claim that waits has no predicate, verdict, regime or experiments yet; found some beside waits_for"
            )
    elif (predicate is None) == (verdict == ""):
        raise InputError(f"{where}: expected either a predicate, or a verdict of {' or '.join(UNDECIDABLE)}")
    if verdict and not (data.get("missing") and data.get("best")):
        raise InputError(
            f"{where}: verdict {verdict} needs `missing` (the datum not published) and `best` (the nearest measurements)"
        )
    if not data["experiments"] and not data.get("why_no_experiment") and not waits_for:
        raise InputError(f"{where}/experiments: empty, and no why_no_experiment")
    return Claim(
        paper,
        str(data["id"]),
        str(data["where"]),
        str(data["statement"]),
        str(data["kind"]),
        list(data["experiments"]),
        str(data.get("variant", "corrected")),
        predicate,
        regime or None,
        regime_text,
        str(data["min_tier"]),
        list(data.get("deviations", [])),
        str(data.get("missing", "")),
        verdict,
        list(data.get("best", [])),
        str(data.get("why_no_experiment", "")),
        str(data.get("why_no_mutant", "")),
        waits_for,
        str(data.get("runs_left_out", "")),
        dict(data),
    )


def load_claims(path: Path, paper: str | None = None) -> list[Claim]:
    """The claims of one paper, by default the one that the file is called after; InputError names file, JSON pointer and what
    was expected."""
    data = read_object(path)
    expected = paper or path.stem
    if data.get("paper") != expected:
        raise InputError(f"{path}: /paper is {data.get('paper')!r}, expected {expected!r}, the name of the paper")
    entries = data.get("claims", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(f"{path}: /claims: expected a list of objects")
    claims = [claim_from(expected, entry, f"{path.name}: /claims/{index}") for index, entry in enumerate(entries)]
    names = [c.id for c in claims]
    doubles = sorted({n for n in names if names.count(n) > 1})
    if doubles:
        raise InputError(f"{path}: claim {', '.join(doubles)} appears twice")
    return claims


def claims_by_experiment() -> dict[str, list[str]]:
    """Experiment → ids of the claims that name it: the claims files alone hold these links."""
    naming: dict[str, list[str]] = {}
    for claims in all_claims().values():
        for claim in claims:
            for experiment in claim.experiments:
                naming.setdefault(experiment, []).append(claim.id)
    return naming


def experiments_of(names: Collection[str], declarations: Mapping[str, Declaration]) -> set[str]:
    """The experiments that declare themselves to be of these papers, and those that the papers' claims name."""
    naming = {
        i for paper, claims in all_claims().items() if paper in names for claim in claims for i in claim.experiments
    }
    return naming | {i for i, declaration in declarations.items() if declaration.paper in names}


def all_claims() -> dict[str, list[Claim]]:
    """Paper → its claims, for every paper that has some. InputError where two papers have a claim of one id."""
    found: dict[str, list[Claim]] = {}
    where: dict[str, Path] = {}
    for paper in papers.known():
        if not paper.claims.exists():
            continue
        found[paper.name] = load_claims(paper.claims, paper.name)
        for claim in found[paper.name]:
            if where.setdefault(claim.id, paper.claims) != paper.claims:
                raise InputError(
                    f"claim {claim.id}: is in {where[claim.id]} and in {paper.claims}, expected every claim to have an id of its own"
                )
    return found

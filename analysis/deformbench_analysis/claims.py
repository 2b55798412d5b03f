# SPDX-License-Identifier: BSD-3-Clause
"""The claims files (docs/claims_format.md): loading and checking."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import papers
from .declarations import Declaration
from .errors import InputError
from .json_files import read_object
from .predicates import DIFFERENCES, in_regime, leaves_of, written_out
from .schemas import check_claims

VERDICTS = ("holds", "holds_in_regime", "does_not_hold", "inconclusive", "not_testable", "not_measured")


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

    @property
    def source_said(self) -> str:
        """What a reader must know of a claim that was not read in its paper; empty for others."""
        source = str(self.data.get("reported_by", "")).rstrip(".")
        return f"As reported by {source}; the printed place was not checked." if source else ""

    def leaves(self) -> list[dict[str, Any]]:
        """Every comparison of both predicates."""
        return [leaf for tree in (self.predicate, self.regime_predicate) if tree for leaf in leaves_of(tree)]

    def measurements(self) -> list[str]:
        """Names of all measurements that the claim uses, each once, in the order of appearance."""
        judged = [leaf[key] for leaf in self.leaves() for key in ("measurement", "spread") if key in leaf]
        ratio = [str(self.data["edge"]["ratio"])] if "ratio" in self.data.get("edge", {}) else []
        return list(dict.fromkeys(judged + self.best + ratio))


def claim_from(paper: str, written: Mapping[str, Any], where: str) -> Claim:
    """The claim of a paper from its entry; InputError names `where`, the key and what was expected."""
    data: dict[str, Any] = {"variant": "corrected"} | {k: v for k, v in written.items() if v is not None}
    check_claims(data, where, "claim")
    predicate: dict[str, Any] | None = None
    if "predicate" in data:
        predicate = data["predicate"] = written_out(data["predicate"], f"{where}/predicate")
    regime = dict(data.get("holds_in_regime", {}))
    regime_text = str(regime.pop("regime", ""))
    if regime:
        regime = _regime_predicate(regime, predicate or {}, f"{where}/holds_in_regime")
        data["holds_in_regime"] = {"regime": regime_text, **regime}
    return Claim(
        paper,
        str(data["id"]),
        str(data["where"]),
        str(data["statement"]),
        str(data["kind"]),
        list(data["experiments"]),
        str(data["variant"]),
        predicate,
        regime or None,
        regime_text,
        str(data["min_tier"]),
        list(data.get("deviations", [])),
        str(data.get("missing", "")),
        str(data.get("verdict", "")),
        list(data.get("best", [])),
        str(data.get("why_no_experiment", "")),
        str(data.get("why_no_mutant", "")),
        str(data.get("waits_for", "")),
        str(data.get("runs_left_out", "")),
        data,
    )


def _regime_predicate(written: Mapping[str, Any], predicate: Mapping[str, Any], where: str) -> dict[str, Any]:
    if any(key in written for key in DIFFERENCES):
        return in_regime(written, predicate, where)
    check_claims(written, where, "predicate")
    return written_out(written, where)


def load_claims(path: Path, paper: str) -> list[Claim]:
    """The claims of one paper; InputError names file, JSON pointer and what was expected."""
    data = read_object(path)
    if data.get("paper") != paper:
        raise InputError(f"{path}: /paper is {data.get('paper')!r}, expected {paper!r}, the name of the paper")
    entries = data.get("claims", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(f"{path}: /claims: expected a list of objects")
    claims = [claim_from(paper, entry, f"{path.name}: /claims/{index}") for index, entry in enumerate(entries)]
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

# SPDX-License-Identifier: BSD-3-Clause
"""Judges claims from measurements.

A comparison is true, false, undecided (inside the dead band of a timing, or nearer to its bound than the spread over
samples), or missing (no trace). `all`, `any` and `not` combine these as Kleene's logic does; missing outranks
undecided, so that a verdict never rests on absent data. Nor does it where a declared cell of the claim's experiments
has no trace or ended otherwise than declared: the claim is then not_measured.

A row whose origin begins with "control:" or "counter:" asks whether the experiment can tell: where such rows alone
fail, the claim is inconclusive, as nothing has been measured against it."""

import enum
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .claims import Claim
from .declarations import TIERS
from .measurement import Measurer, Value
from .predicates import is_control
from .progress import in_progress
from .results import Results


class Outcome(enum.Enum):
    """What becomes of a comparison or of a whole predicate."""

    TRUE = "true"
    FALSE = "false"
    UNDECIDED = "undecided"
    MISSING = "missing"


@dataclass(frozen=True)
class Comparison:
    """One comparison of a predicate with what was measured."""

    value: Value
    op: str
    bound: Any
    outcome: Outcome
    origin: str
    is_control: bool = False

    def text(self) -> str:
        """Name, number and bound in one line."""
        bound = f"[{self.bound[0]:.7g}, {self.bound[1]:.7g}]" if self.op == "in" else f"{self.bound:.7g}"
        unit = "" if self.value.unit in ("", "1") else f" {self.value.unit}"
        measured = "not measured" if self.value.value is None else f"{self.value.value:.4g}{unit}"
        return f"{self.value.name} = {measured} ({self.op} {bound}{unit})"


@dataclass
class Verdict:
    """What became of one claim."""

    claim: Claim
    verdict: str
    tier: str
    comparisons: list[Comparison] = field(default_factory=list)
    regime_comparisons: list[Comparison] = field(default_factory=list)
    best: list[Value] = field(default_factory=list)
    cells: dict[str, str] = field(default_factory=dict)  # experiment → "completed of declared"
    otherwise: dict[str, str] = field(default_factory=dict)  # experiment → cells that ended otherwise than declared
    stale: dict[str, int] = field(default_factory=dict)  # experiment → traces of other sources that were judged
    left_out: dict[str, tuple[str, ...]] = field(default_factory=dict)  # measurement → runs that it passes over
    reason: str = ""

    def record(self) -> dict[str, Any]:
        """The part that does not change from run to run or machine to machine."""
        return {"verdict": self.verdict, "variant": self.claim.variant, "tier": self.tier, "cells": self.cells}

    def cells_text(self) -> str:
        """Experiments with what became of their cells, and what to bear in mind."""
        return "; ".join(
            [
                f"{k}: {n}"
                + (f", {self.otherwise[k]}" if k in self.otherwise else "")
                + (f", {self.stale[k]} stale" if k in self.stale else "")
                for k, n in self.cells.items()
            ]
            + [f"{_without(k, runs)}: {self.claim.runs_left_out}" for k, runs in self.left_out.items()]
        )

    def full(self) -> dict[str, Any]:
        """All numbers behind the verdict, for JSON."""

        def row(c: Comparison) -> dict[str, Any]:
            return {
                "measurement": c.value.name,
                "value": c.value.value,
                "unit": c.value.unit,
                "op": c.op,
                "bound": c.bound,
                "outcome": c.outcome.value,
                "origin": c.origin,
                "note": c.value.note,
            }

        return {
            **self.record(),
            "statement": self.claim.statement,
            "where": self.claim.where,
            "kind": self.claim.kind,
            "reason": self.reason,
            "otherwise": self.otherwise,
            "stale": self.stale,
            "left_out": {k: list(runs) for k, runs in self.left_out.items()},
            "regime": self.claim.regime if self.verdict == "holds_in_regime" else "",
            "missing": self.claim.missing,
            "comparisons": [row(c) for c in self.comparisons],
            "regime_comparisons": [row(c) for c in self.regime_comparisons],
            "best": [{"measurement": v.name, "value": v.value, "unit": v.unit, "note": v.note} for v in self.best],
        }


Lookup = Callable[[str], Value]


_ORDER: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}


def compare(leaf: Mapping[str, Any], value: Value, timing: bool, spread: Value | None = None) -> Outcome:
    """One comparison. The dead band (relative to the bound) counts for claims of kind timing only; the spread over
    samples has the unit of the measurement."""
    if value.value is None or (spread is not None and spread.value is None):
        return Outcome.MISSING
    measured, op, bound = value.value, leaf["op"], leaf["value"]
    band = float(leaf.get("dead_band", 0.0)) if timing else 0.0
    limits = bound if op == "in" else [bound]
    if band > 0 and any(abs(measured - limit) <= band * abs(limit) for limit in limits):
        return Outcome.UNDECIDED
    if spread is not None and any(abs(measured - limit) < float(spread.value or 0) for limit in limits):
        return Outcome.UNDECIDED
    truth = bound[0] <= measured <= bound[1] if op == "in" else _ORDER[op](measured, bound)
    return Outcome.TRUE if truth else Outcome.FALSE


def evaluate(
    predicate: Mapping[str, Any], look: Lookup, timing: bool, comparisons: list[Comparison], waive: bool = False
) -> Outcome:
    """The predicate's outcome, or what it would be if controls that failed had not (`waive`); appends every
    comparison to `comparisons`."""
    if "measurement" in predicate:
        value = look(predicate["measurement"])
        outcome = compare(predicate, value, timing, look(predicate["spread"]) if "spread" in predicate else None)
        said = str(predicate.get("origin", ""))
        row = Comparison(value, predicate["op"], predicate["value"], outcome, said, is_control(predicate))
        comparisons.append(row)
        return Outcome.TRUE if waive and row.is_control and outcome is Outcome.FALSE else outcome
    if "not" in predicate:
        outcome = evaluate(predicate["not"], look, timing, comparisons, waive)
        return {Outcome.TRUE: Outcome.FALSE, Outcome.FALSE: Outcome.TRUE}.get(outcome, outcome)
    key, decisive, otherwise = (
        ("all", Outcome.FALSE, Outcome.TRUE) if "all" in predicate else ("any", Outcome.TRUE, Outcome.FALSE)
    )
    outcomes = [evaluate(part, look, timing, comparisons, waive) for part in predicate[key]]
    for outcome in (decisive, Outcome.MISSING, Outcome.UNDECIDED):
        if outcome in outcomes:
            return outcome
    return otherwise


def judge(claim: Claim, look: Lookup, tier: str) -> Verdict:
    """The verdict on one claim from looked-up measurements."""
    timing = claim.kind == "timing"
    verdict = Verdict(claim, "not_measured", tier, best=[look(name) for name in claim.best])
    if claim.predicate is None:
        absent = [v for v in verdict.best if v.is_missing]
        verdict.verdict = "not_measured" if absent else claim.fixed_verdict
        verdict.reason = _reasons(absent) if absent else claim.missing
        return verdict
    outcome = evaluate(claim.predicate, look, timing, verdict.comparisons)
    regime = None
    if claim.regime_predicate is not None:
        regime = evaluate(claim.regime_predicate, look, timing, verdict.regime_comparisons)
    if outcome is Outcome.TRUE:
        verdict.verdict = "holds"
    elif outcome is Outcome.MISSING or (outcome is Outcome.FALSE and regime is Outcome.MISSING):
        verdict.reason = _reasons(
            c.value for c in verdict.comparisons + verdict.regime_comparisons if c.value.is_missing
        )
    elif outcome is Outcome.UNDECIDED or regime is Outcome.UNDECIDED:
        verdict.verdict = "inconclusive"
        verdict.reason = "too near to the bound: " + "; ".join(
            c.text() for c in verdict.comparisons + verdict.regime_comparisons if c.outcome is Outcome.UNDECIDED
        )
    elif regime is Outcome.TRUE:
        verdict.verdict = "holds_in_regime"
        verdict.reason = claim.regime
    elif any(
        evaluate(predicate, look, timing, [], waive=True) in (Outcome.TRUE, Outcome.UNDECIDED)
        for predicate in (claim.predicate, claim.regime_predicate)
        if predicate is not None
    ):
        verdict.verdict = "inconclusive"
        verdict.reason = "nothing but controls failed: " + "; ".join(
            c.text()
            for c in verdict.comparisons + verdict.regime_comparisons
            if c.is_control and c.outcome is Outcome.FALSE
        )
    else:
        verdict.verdict = "does_not_hold"
        verdict.reason = "; ".join(c.text() for c in verdict.comparisons if c.outcome is Outcome.FALSE)
    return verdict


def _without(name: str, runs: tuple[str, ...]) -> str:
    return f"{name} passes over {len(runs)} runs, such as {runs[0]}"


def _reasons(values: Iterable[Value]) -> str:
    return "; ".join(dict.fromkeys(f"{v.name}: {v.note}" for v in values))


@dataclass
class Judgement:
    """All verdicts of a run, and what was left out with the reason."""

    tier: str
    verdicts: list[Verdict]
    skipped: list[tuple[Claim, str]]
    machines: dict[tuple[str, str], int] = field(default_factory=dict)  # host, processor → traces that were judged

    def remarks(self) -> list[str]:
        """What to bear in mind: traces of several machines, or of other sources. Pages are published: no host is
        named."""
        lines = []
        if len(self.machines) > 1:
            named = "; ".join(f"{processor}: {count}" for (_, processor), count in sorted(self.machines.items()))
            lines.append(f"traces of {len(self.machines)} machines: {named}")
        stale = {k: n for v in self.verdicts for k, n in v.stale.items()}
        if stale:
            lines.append("stale traces judged (--stale): " + "; ".join(f"{k}: {n}" for k, n in stale.items()))
        return lines


def judge_all(
    results: Results, claims: Iterable[Claim], tier: str, with_timing: bool, measurer: Measurer | None = None
) -> Judgement:
    """Judges the claims whose min_tier is reached; claims of kind timing only when asked for."""
    look = measurer or Measurer(results, tier)
    judged: list[Claim] = []
    skipped: list[tuple[Claim, str]] = []
    for claim in claims:
        if claim.waits_for:
            skipped.append((claim, f"waits for {claim.waits_for}"))
        elif TIERS.index(claim.min_tier) > TIERS.index(tier):
            skipped.append((claim, f"needs tier {claim.min_tier}"))
        elif claim.kind == "timing" and not with_timing:
            skipped.append((claim, "timing is judged with --timing only"))
        else:
            judged.append(claim)
    look.measure_all(name for claim in judged for name in claim.measurements())
    verdicts: list[Verdict] = []
    machine_of: dict[Path, tuple[str, str]] = {}
    for claim in in_progress("claims judged", judged):
        verdict = judge(claim, look, tier)
        absent = []
        for identifier in claim.experiments:
            data = results.experiment(identifier, tier)
            total = len(data.cells) + len(data.missing)
            verdict.cells[identifier] = f"{len(data.select())} of {total} completed"
            machine_of.update({c.path: c.machine for c in data.cells})
            if unexpected := data.unexpected():
                such = f"{unexpected[0].label}: {unexpected[0].status}"
                verdict.otherwise[identifier] = f"{len(unexpected)} ended otherwise than declared, such as {such}"
                absent.append(f"{identifier}: {verdict.otherwise[identifier]}")
            if data.stale and data.cells:
                verdict.stale[identifier] = data.stale
            if data.stale and not data.cells:
                absent.append(f"{identifier}: {data.reason}")
            elif data.missing:
                absent.append(f"{identifier}: {len(data.missing)} of {total} cells have no trace")
        judged_by = (c.value for c in verdict.comparisons + verdict.regime_comparisons)
        verdict.left_out = {v.name: v.left_out for v in judged_by if v.left_out}
        if not claim.runs_left_out:
            absent += [
                f"{_without(k, runs)}, and runs_left_out does not say why" for k, runs in verdict.left_out.items()
            ]
        if absent:  # the worst of what is there is not the worst of all
            verdict.verdict, verdict.reason = "not_measured", "; ".join(absent)
        verdicts.append(verdict)
    return Judgement(tier, verdicts, skipped, dict(Counter(machine_of.values())))

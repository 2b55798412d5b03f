# SPDX-License-Identifier: BSD-3-Clause
"""Every predicate of every claim is fed synthetic measurements: it can hold, it can fail,
and each comparison matters."""

import itertools
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from deformbench_analysis.claims import Claim, all_claims
from deformbench_analysis.measurement import Value
from deformbench_analysis.predicates import leaves_of
from deformbench_analysis.verdicts import Verdict, judge

CLAIMS = [c for paper in all_claims().values() for c in paper]
DECIDABLE = [c for c in CLAIMS if c.predicate is not None]


def candidates(claim: Claim, name: str) -> list[float]:
    """Values on both sides of every bound on a measurement, well outside any dead band."""
    bounds = sorted(
        {
            float(b)
            for leaf in claim.leaves()
            if leaf["measurement"] == name
            for b in (leaf["value"] if leaf["op"] == "in" else [leaf["value"]])
        }
    )
    margin = 1.0 + abs(bounds[0]) + abs(bounds[-1])
    between = [(a + b) / 2 for a, b in zip(bounds, bounds[1:])]
    return [*bounds, *between, bounds[0] - margin, bounds[-1] + margin]


def judged(claim: Claim, values: Mapping[str, float]) -> Verdict:
    return judge(claim, lambda name: Value(name, "1", values.get(name, 0.0)), claim.min_tier)


def assignments(claim: Claim) -> Iterator[dict[str, float]]:
    """One value per measurement. All combinations when few; else every measurement at its k-th value,
    then one changed at a time."""
    names = list(dict.fromkeys(leaf["measurement"] for leaf in claim.leaves()))
    values = {n: candidates(claim, n) for n in names}
    combinations = 1
    for n in names:
        combinations *= len(values[n])
    if combinations <= 50_000:
        for chosen in itertools.product(*values.values()):
            yield dict(zip(names, chosen))
        return
    base = {n: satisfying(claim, n, values[n]) for n in names}
    yield base
    yield {n: falsifying(claim, n, values[n]) for n in names}
    for n in names:
        for value in values[n]:
            yield {**base, n: value}


@cache
def first_of_each_verdict(identifier: str) -> dict[str, dict[str, float]]:
    """The first assignment of measurements that gives each verdict, until all that are asked about are found."""
    (claim,) = [c for c in CLAIMS if c.id == identifier]
    asked = {"holds", "does_not_hold", *(["holds_in_regime"] if claim.regime_predicate else [])}
    found: dict[str, dict[str, float]] = {}
    for values in assignments(claim):
        found.setdefault(judged(claim, values).verdict, values)
        if asked <= found.keys():
            break
    return found


def _leaf_truth(claim: Claim, name: str, value: float) -> list[bool]:
    from deformbench_analysis.verdicts import Outcome, compare

    return [
        compare(leaf, Value(name, "1", value), claim.kind == "timing") is Outcome.TRUE
        for leaf in claim.leaves()
        if leaf["measurement"] == name
    ]


def satisfying(claim: Claim, name: str, values: list[float]) -> float:
    return max(values, key=lambda v: sum(_leaf_truth(claim, name, v)))


def falsifying(claim: Claim, name: str, values: list[float]) -> float:
    return min(values, key=lambda v: sum(_leaf_truth(claim, name, v)))


def test_there_are_claims() -> None:
    assert len(DECIDABLE) >= 20


@pytest.mark.parametrize("claim", DECIDABLE, ids=lambda c: c.id)
def test_a_claim_can_hold(claim: Claim) -> None:
    assert "holds" in first_of_each_verdict(claim.id)


@pytest.mark.parametrize("claim", DECIDABLE, ids=lambda c: c.id)
def test_falsifying_measurements_give_does_not_hold(claim: Claim) -> None:
    found = first_of_each_verdict(claim.id).get("does_not_hold")
    assert found is not None, "no measurement whatever makes this claim fail"
    assert judged(claim, found).reason, "the reason names the comparison that failed"


@pytest.mark.parametrize("claim", DECIDABLE, ids=lambda c: c.id)
def test_each_measurement_of_the_predicate_can_decide_it(claim: Claim) -> None:
    good = first_of_each_verdict(claim.id)["holds"]
    leaves: list[dict[str, Any]] = [leaf for leaf in claim.leaves() if claim.predicate and leaf["measurement"] in good]
    for name in dict.fromkeys(leaf["measurement"] for leaf in leaves_of(claim.predicate or {})):
        changed = [judged(claim, {**good, name: value}).verdict for value in candidates(claim, name)]
        alone = "any" in (claim.predicate or {}) and len(leaves) > 1
        assert alone or any(v != "holds" for v in changed), f"{name} makes no difference"


@pytest.mark.parametrize("claim", [c for c in DECIDABLE if c.regime_predicate], ids=lambda c: c.id)
def test_a_regime_can_be_all_that_is_left(claim: Claim) -> None:
    assert "holds_in_regime" in first_of_each_verdict(claim.id)


@pytest.mark.parametrize("claim", [c for c in CLAIMS if not c.waits_for], ids=lambda c: c.id)
def test_without_traces_a_claim_is_not_measured(claim: Claim) -> None:
    nothing = judge(claim, lambda name: Value(name, "1", None, "no trace"), claim.min_tier)
    assert nothing.verdict == "not_measured" and "no trace" in nothing.reason


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.id)
def test_absolute_milliseconds_are_never_a_predicate(claim: Claim) -> None:
    assert [
        leaf["measurement"]
        for leaf in claim.leaves()
        if leaf["measurement"].endswith(("_ms", "_seconds", "_s_per_step"))
    ] == []

# SPDX-License-Identifier: BSD-3-Clause
"""The logic of verdicts, the record, and what counts as a change."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_up_traces import write_trace

from deformbench_analysis.claims import Claim, load_claims
from deformbench_analysis.errors import InputError
from deformbench_analysis.measurement import Value
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from deformbench_analysis.records import changes, read_record, write_record
from deformbench_analysis.verdicts import judge, judge_all


def claim(
    predicate: dict[str, Any] | None, *, kind: str = "quantitative", regime: dict[str, Any] | None = None, **more: Any
) -> Claim:
    return Claim(
        "p",
        more.pop("id", "P-01"),
        "§1",
        "statement",
        kind,
        ["a/b"],
        "corrected",
        predicate,
        regime,
        "small" if regime else "",
        "smoke",
        **more,
    )


def leaf(op: str, value: Any, name: str = "b.x", **more: Any) -> dict[str, Any]:
    return {"measurement": name, "op": op, "value": value, "origin": "test", **more}


def with_values(**values: float | None) -> Any:
    return lambda name: Value(
        name, "1", values.get(name.split(".")[1]), "no trace" if values.get(name.split(".")[1]) is None else ""
    )


@pytest.mark.parametrize(
    "op,bound,inside,outside",
    [
        ("<", 1, 0.5, 1),
        ("<=", 1, 1, 1.1),
        (">", 1, 1.5, 1),
        (">=", 1, 1, 0.9),
        ("==", 1, 1, 2),
        ("in", [1, 2], 1, 2.1),
        ("in", [1, 2], 2, 0.9),
    ],
)
def test_each_operator_decides(op: str, bound: Any, inside: float, outside: float) -> None:
    assert judge(claim(leaf(op, bound)), with_values(x=inside), "smoke").verdict == "holds"
    assert judge(claim(leaf(op, bound)), with_values(x=outside), "smoke").verdict == "does_not_hold"


def test_all_any_and_not_combine() -> None:
    predicate = {"all": [leaf("<", 1), {"any": [leaf(">", 5, "b.y"), {"not": leaf(">", 0, "b.y")}]}]}
    assert judge(claim(predicate), with_values(x=0, y=6), "smoke").verdict == "holds"
    assert judge(claim(predicate), with_values(x=0, y=-1), "smoke").verdict == "holds"
    assert judge(claim(predicate), with_values(x=0, y=3), "smoke").verdict == "does_not_hold"


def test_a_claim_of_which_controls_alone_fail_is_inconclusive() -> None:
    control = leaf(">", 1, "b.y", origin="control: without it there is an effect")
    counter = leaf(">=", 5, "b.z", origin="counter: enough runs")
    predicate = {"all": [leaf("<", 1), control, counter]}
    for values in ({"y": 0, "z": 5}, {"y": 2, "z": 4}):
        failed = judge(claim(predicate), with_values(x=0, **values), "smoke")
        assert failed.verdict == "inconclusive" and "nothing but controls failed: b." in failed.reason
    assert judge(claim(predicate), with_values(x=2, y=0, z=4), "smoke").verdict == "does_not_hold"
    near = {"all": [leaf("<", 1, spread="b.s"), control]}
    assert judge(claim(near), with_values(x=1.1, y=0, s=0.2), "smoke").verdict == "inconclusive"
    assert judge(claim(near), with_values(x=1.1, y=0, s=0.05), "smoke").verdict == "does_not_hold"
    assert judge(claim(predicate), with_values(x=0, y=2, z=5), "smoke").verdict == "holds"
    assert judge(claim(predicate, regime={"all": [leaf("<", 1)]}), with_values(x=0, y=0, z=5), "smoke").verdict == (
        "holds_in_regime"
    )
    of_regime = {"all": [leaf("<", 3), control]}
    assert judge(claim(predicate, regime=of_regime), with_values(x=2, y=0, z=5), "smoke").verdict == "inconclusive"


def test_a_missing_trace_is_not_measured_but_a_false_comparison_decides_all_the_same() -> None:
    predicate = {"all": [leaf("<", 1), leaf("<", 1, "b.y")]}
    missing = judge(claim(predicate), with_values(x=0, y=None), "smoke")
    assert missing.verdict == "not_measured" and "b.y: no trace" in missing.reason
    assert judge(claim(predicate), with_values(x=2, y=None), "smoke").verdict == "does_not_hold"


class OneExperiment:
    """Results of one experiment, of which some cells may have no trace."""

    def __init__(self, *missing: tuple[str, dict[str, Any]]):
        self.data = ExperimentData("a/b", "smoke", [], missing=list(missing))

    def experiment(self, identifier: str, tier: str) -> ExperimentData:
        assert (identifier, tier) == ("a/b", "smoke")
        return self.data


class Measured:
    """A measurer that finds 0 for everything, from runs of which some are left out."""

    def __init__(self, left_out: tuple[str, ...] = ()) -> None:
        self.left_out = left_out

    def measure_all(self, names: Any) -> None:
        assert list(names) == ["b.x"]

    def __call__(self, name: str) -> Value:
        return Value(name, "1", 0.0, left_out=self.left_out)


def test_no_claim_is_judged_while_a_declared_cell_has_no_trace() -> None:
    def judged(*missing: tuple[str, dict[str, Any]]) -> Any:
        results: Any = OneExperiment(*missing)
        measurer: Any = Measured()
        return judge_all(results, [claim(leaf("<", 1))], "smoke", False, measurer).verdicts[0]

    assert judged().verdict == "holds"
    partial = judged(("linear", {"n": 4}))
    assert partial.verdict == "not_measured" and partial.reason == "a/b: 1 of 1 cells have no trace"


@pytest.mark.parametrize("status,tier", [("completed", "paper"), ("timeout", "paper"), ("timeout", "smoke")])
def test_a_cell_that_timed_out_leaves_no_verdict(tmp_path: Path, status: str, tier: str) -> None:
    """The record is of tier smoke or paper, the run of paper."""
    traces = [
        Trace(write_trace(tmp_path, "a/b m", parameters={"n": n}, status=status if n else "completed", cpu=f"CPU {n}"))
        for n in (0, 1)
    ]
    data = ExperimentData("a/b", "paper", traces, {t.cell_id: "completed" for t in traces}, stale=1)
    results: Any = type("Results", (), {"experiment": lambda self, identifier, tier: data})()
    measurer: Any = Measured()
    judgement = judge_all(results, [claim(leaf("<", 1))], "paper", False, measurer)
    (verdict,) = judgement.verdicts
    assert verdict.verdict == ("holds" if status == "completed" else "not_measured")
    entry = {"verdict": "holds", "tier": tier, "cells": {"a/b": "2 of 2 completed"}}
    found = changes([verdict], {"p": {"P-01": entry}})
    assert all(c.claim == "P-01" and c.fails for c in found)
    otherwise = ("a/b: every cell as declared", "1 ended otherwise than declared, such as m: timeout")
    expected = [("holds", "not_measured"), otherwise] if status != "completed" else []
    assert [(c.recorded, c.now) for c in found] == expected
    assert ("1 ended otherwise than declared" in verdict.cells_text()) == (status != "completed")
    assert verdict.cells_text().endswith(", 1 stale")
    assert judgement.remarks() == [
        "traces of 2 machines: CPU 0: 1; CPU 1: 1",
        "stale traces judged (--stale): a/b: 1",
    ]


@pytest.mark.parametrize(
    "why,verdict,said",
    [
        ("Explicit Euler diverges by design.", "holds", "b.x passes over 1 runs, such as m: diverged: Explicit Euler"),
        ("", "not_measured", "b.x passes over 1 runs, such as m: diverged, and runs_left_out does not say why"),
    ],
)
def test_runs_that_diverged_as_declared_are_passed_over_with_a_reason_only(why: str, verdict: str, said: str) -> None:
    results: Any = OneExperiment()
    measurer: Any = Measured(("m: diverged",))
    judged = judge_all(results, [claim(leaf("<", 1), runs_left_out=why)], "smoke", False, measurer).verdicts[0]
    assert judged.verdict == verdict and said in (judged.cells_text() if why else judged.reason)


def test_no_claim_is_judged_by_stale_traces() -> None:
    results: Any = OneExperiment(("linear", {}))
    results.data.stale, results.data.reason = 1, "1 of 1 traces are stale"
    measurer: Any = Measured()
    (verdict,) = judge_all(results, [claim(leaf("<", 1))], "smoke", False, measurer).verdicts
    assert (verdict.verdict, verdict.reason) == ("not_measured", "a/b: 1 of 1 traces are stale")


def test_the_negation_of_missing_data_stays_missing() -> None:
    assert judge(claim({"not": leaf("<", 1)}), with_values(x=None), "smoke").verdict == "not_measured"


def test_a_regime_is_reported_only_when_the_general_statement_fails() -> None:
    c = claim(leaf("<", 1), regime=leaf("<", 1, "b.y"))
    assert judge(c, with_values(x=2, y=0), "smoke").verdict == "holds_in_regime"
    assert judge(c, with_values(x=0, y=0), "smoke").verdict == "holds"
    assert judge(c, with_values(x=2, y=2), "smoke").verdict == "does_not_hold"
    assert judge(c, with_values(x=2, y=None), "smoke").verdict == "not_measured"


def test_a_timing_inside_its_dead_band_is_inconclusive_and_no_other_kind_has_one() -> None:
    predicate = leaf("<=", 1.5, dead_band=0.05)
    assert judge(claim(predicate, kind="timing"), with_values(x=1.55), "smoke").verdict == "inconclusive"
    assert judge(claim(predicate, kind="timing"), with_values(x=1.6), "smoke").verdict == "does_not_hold"
    assert judge(claim(predicate), with_values(x=1.55), "smoke").verdict == "does_not_hold"
    regime = claim(leaf("<", 1, dead_band=0.05), kind="timing", regime=leaf("<", 1, "b.y", dead_band=0.05))
    assert judge(regime, with_values(x=2, y=1.01), "smoke").verdict == "inconclusive"


@pytest.mark.parametrize(
    "x,spread,verdict",
    [
        (0.8, 0.1, "holds"),
        (0.95, 0.1, "inconclusive"),
        (1.05, 0.1, "inconclusive"),
        (1.2, 0.1, "does_not_hold"),
        (0.5, None, "not_measured"),
    ],
)
def test_a_margin_smaller_than_the_spread_is_inconclusive(x: float, spread: float | None, verdict: str) -> None:
    judged = claim(leaf("<", 1, spread="b.s"))
    assert judged.measurements() == ["b.x", "b.s"]
    assert judge(judged, with_values(x=x, s=spread), "smoke").verdict == verdict


def test_missing_outranks_undecided() -> None:
    predicate = {"all": [leaf("<", 1, spread="b.s"), leaf("<", 1, "b.y")]}
    assert judge(claim(predicate), with_values(x=1, s=0.1, y=None), "smoke").verdict == "not_measured"


def test_an_undecidable_claim_needs_its_best_number() -> None:
    c = claim(None, fixed_verdict="not_testable", missing="the mesh", best=["b.x"])
    assert judge(c, with_values(x=3), "smoke").verdict == "not_testable"
    assert judge(c, with_values(x=None), "smoke").verdict == "not_measured"


def test_the_record_keeps_verdicts_and_neither_numbers_nor_unjudged_claims_are_lost(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    for name, value, tier in (("P-02", 0.123456, "paper"), ("P-01", 5, "smoke")):
        write_record(path, "p", {name: judge(claim(leaf("<", 1), id=name), with_values(x=value), tier).record()})
    record = read_record(path)
    assert {k: v["verdict"] for k, v in record.items()} == {"P-01": "does_not_hold", "P-02": "holds"}
    assert set(record["P-02"]) == {"verdict", "variant", "tier", "cells"} and "0.123456" not in path.read_text()


def test_a_changed_verdict_fails_and_a_negative_one_does_not() -> None:
    now = judge(claim(leaf("<", 1)), with_values(x=5), "smoke")
    assert [c.fails for c in changes([now], {"p": {"P-01": {"verdict": "holds"}}})] == [True]
    assert changes([now], {"p": {"P-01": {"verdict": "does_not_hold"}}}) == []
    assert [c.recorded for c in changes([now], {})] == ["(none)"]
    assert [c.fails for c in changes([now], {"p": {"P-01": {"verdict": "inconclusive"}}})] == [True]


def test_a_timing_that_became_unclear_is_named_but_does_not_fail() -> None:
    now = judge(claim(leaf("<=", 1.5, dead_band=0.05), kind="timing"), with_values(x=1.5), "paper")
    assert [c.fails for c in changes([now], {"p": {"P-01": {"verdict": "holds"}}})] == [False]


GOOD = {
    "id": "P-01",
    "where": "§1",
    "statement": "s",
    "kind": "quantitative",
    "experiments": ["a/b"],
    "min_tier": "smoke",
    "predicate": leaf("<", 1),
}


@pytest.mark.parametrize(
    "change,message",
    [
        ({"kind": "guess"}, "/claims/0/kind: 'guess', expected one of"),
        ({"surprise": 1}, "/claims/0: unknown key 'surprise'"),
        ({"predicate": {"all": []}}, r"/claims/0/predicate/all: \[\], expected a list with at least one"),
        ({"predicate": {"all": [leaf("~", 1)]}}, "/claims/0/predicate/all/0/op: '~', expected one of"),
        ({"predicate": leaf("in", [2, 1])}, r"value: \[2, 1\], expected \[low, high\]"),
        (
            {"predicate": {k: v for k, v in leaf("<", 1).items() if k != "origin"}},
            "predicate: key origin is missing, expected .*where the bound comes from",
        ),
        ({"predicate": None}, "expected either a predicate, or a verdict"),
        (
            {"predicate": None, "verdict": "holds"},
            "/verdict: 'holds', expected inconclusive or not_testable, as the others are measured",
        ),
        ({"experiments": []}, "key why_no_experiment is missing, expected a reason where experiments is empty"),
        ({"min_tier": "huge"}, "/claims/0/min_tier: 'huge', expected one of smoke, paper, large"),
        ({"variant": "improved"}, "/claims/0/variant: 'improved', expected one of as_printed, corrected"),
        ({"where": 3}, "/claims/0/where: 3, expected a text"),
        ({"experiment": ["a/b"]}, "/claims/0: unknown key 'experiment'; did you mean .*experiments"),
        ({"id": None}, "/claims/0: key id is missing"),
        ({"predicate": 3}, "/claims/0/predicate: 3, expected an object"),
        ({"predicate": {"all": [leaf("<", 1)], "any": [leaf("<", 1)]}}, "predicate: .*, expected one of all, any, not"),
        ({"predicate": leaf("<", 1, dead_band=2)}, "predicate/dead_band: 2, expected a share of the bound"),
        ({"predicate": leaf("<", "1")}, "predicate/value: '1', expected a number"),
        ({"predicate": leaf("in", [1])}, r"predicate/value: \[1\], expected \[low, high\]"),
        ({"holds_in_regime": leaf("<", 1)}, "holds_in_regime: key regime is missing, expected a text"),
        ({"holds_in_regime": {"regime": "r"}}, "holds_in_regime: .*, expected regime, and one of all, any, not"),
        ({"predicate": None, "verdict": "inconclusive"}, "key missing is missing, expected `missing` .* and `best`"),
        ({"predicate": None, "waits_for": "w"}, "experiments: .*, expected none for a claim that waits"),
        ({"waits_for": "w"}, "/claims/0: .*, expected either a predicate, or a verdict"),
    ],
)
def test_a_bad_claim_is_refused_with_its_place(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"paper": "p", "claims": [{**GOOD, **change}]}))
    with pytest.raises(InputError, match=message):
        load_claims(path, "p")


def test_a_claim_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"paper": "p", "claims": [GOOD, GOOD]}))
    with pytest.raises(InputError, match="P-01 appears twice"):
        load_claims(path, "p")

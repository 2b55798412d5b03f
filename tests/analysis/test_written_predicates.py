# SPDX-License-Identifier: BSD-3-Clause
"""Rows and regimes by difference stand for the comparisons that they abbreviate, and for no others."""

import json
from pathlib import Path
from typing import Any

import pytest

from deformbench_analysis.claims import Claim, claim_from
from deformbench_analysis.errors import InputError
from deformbench_analysis.json_files import read_object
from deformbench_analysis.registration import digest, judged_content

COMPARISONS: list[dict[str, Any]] = [
    {"measurement": "e.count", "op": "==", "value": 3, "origin": "counter"},
    {"measurement": "e.worst", "op": "<", "value": 1e-6, "origin": "rounding", "note": "of all cells"},
    {"measurement": "e.order", "op": "in", "value": [0.9, 1.1], "origin": "first order", "dead_band": 0.05},
    {"measurement": "e.control", "op": ">=", "value": -2.5, "origin": "control", "spread": "e.seeds"},
]
ROWS: dict[str, Any] = {
    "e.count == 3": "counter",
    "e.worst < 1e-6": "rounding",
    "note on e.worst": "of all cells",
    "e.order in [0.9, 1.1]": {"origin": "first order", "dead_band": 0.05},
    "e.control >= -2.5": {"origin": "control", "spread": "e.seeds"},
}
COUNT, WORST, ORDER, CONTROL = COMPARISONS
IN_REGIME = {"measurement": "e.worst_in_regime", "op": "<", "value": 0.1, "origin": "a tenth"}


def claim(predicate: Any, regime: Any = None) -> Claim:
    about: dict[str, Any] = {"id": "X-01", "where": "§1", "statement": "s", "kind": "timing", "min_tier": "smoke"}
    more: dict[str, Any] = {"holds_in_regime": {"regime": "small", **regime}} if regime else {}
    return claim_from("p", {**about, "experiments": ["a/b"], "predicate": predicate, **more}, "p: /claims/0")


@pytest.mark.parametrize(
    "short,long",
    [
        (ROWS, {"all": COMPARISONS}),
        ({"all": ROWS}, {"all": COMPARISONS}),
        ({"any": ROWS}, {"any": COMPARISONS}),
        ({"not": ROWS}, {"not": {"all": COMPARISONS}}),
        ({"any": [{"e.count == 3": "counter"}, ORDER]}, {"any": [{"all": [COUNT]}, ORDER]}),
        ({"e.worst >= 1": "low", "e.worst < 2": "high", "note on e.worst": "n"}, {
            "all": [
                {"measurement": "e.worst", "op": ">=", "value": 1, "origin": "low", "note": "n"},
                {"measurement": "e.worst", "op": "<", "value": 2, "origin": "high", "note": "n"},
            ]
        }),
    ],
)  # fmt: skip
def test_rows_stand_for_comparisons_in_their_order(short: Any, long: Any) -> None:
    assert claim(short).predicate == claim(long).predicate == long
    assert claim(short).data == claim(long).data


@pytest.mark.parametrize(
    "difference,expected",
    [
        ({"without": ["e.worst"]}, [COUNT, ORDER, CONTROL]),
        ({"without": ["e.control", "e.count"]}, [WORST, ORDER]),
        ({"also": {"e.worst_in_regime < 0.1": "a tenth"}}, [*COMPARISONS, IN_REGIME]),
        ({"instead_of": {"e.worst": {"e.worst_in_regime < 0.1": "a tenth"}}}, [COUNT, IN_REGIME, ORDER, CONTROL]),
        (
            {
                "without": ["e.count"],
                "instead_of": {"e.order": {"e.order == 3": "counter", "e.worst_in_regime < 0.1": "a tenth"}},
                "also": {"e.cells >= 3": "counter"},
            },
            [WORST, {**COUNT, "measurement": "e.order"}, IN_REGIME, CONTROL]
            + [{"measurement": "e.cells", "op": ">=", "value": 3, "origin": "counter"}],
        ),
    ],
)
def test_a_regime_by_difference_is_sealed_as_if_it_were_written_out(difference: Any, expected: Any) -> None:
    short, long = claim(ROWS, difference), claim({"all": COMPARISONS}, {"all": expected})
    assert short.regime_predicate == {"all": expected} and short.regime == "small"
    assert digest(judged_content(short)) == digest(judged_content(long))
    assert digest(judged_content(short)) != digest(judged_content(claim(ROWS, {"without": ["e.order"]})))


def test_a_measurement_that_is_compared_twice_is_left_out_or_replaced_as_a_whole() -> None:
    twice = {"e.count == 3": "o", "e.worst >= 1": "o", "e.worst < 2": "o"}
    count: dict[str, Any] = {**COUNT, "origin": "o"}
    assert claim(twice, {"without": ["e.worst"]}).regime_predicate == {"all": [count]}
    instead = {"instead_of": {"e.worst": {"e.worst_in_regime < 0.1": "a tenth"}}}
    assert claim(twice, instead).regime_predicate == {"all": [count, IN_REGIME]}


@pytest.mark.parametrize(
    "predicate,message",
    [
        ({"e.worst ~ 3": "o"}, r"/predicate: unknown key 'e.worst ~ 3', expected rows \"<measurement> <op> <bound>\""),
        ({"e.worst <3": "o"}, "/predicate: unknown key 'e.worst <3', expected rows"),
        ({"worst < 3": "o"}, "/predicate: unknown key 'worst < 3', expected rows"),
        ({"al": [COUNT]}, "/predicate: unknown key 'al', expected rows"),
        ({}, "/predicate: {}, expected rows"),
        ({"e.worst < 1.2.3": "o"}, "/predicate/e.worst < 1.2.3: '1.2.3', expected a number"),
        ({"e.worst < 3": ""}, "/predicate/e.worst < 3: '', expected a text that says where the bound comes from"),
        ({"e.worst < 3": 4}, "/predicate/e.worst < 3: 4, expected a text that says where the bound comes from"),
        ({"e.worst < 3": {"dead_band": 0.1}}, "/predicate/e.worst < 3: key origin is missing"),
        ({"e.worst < 3": {"origin": "o", "note": "n"}}, "/predicate/e.worst < 3: unknown key 'note'"),
        ({"e.order in [2, 1]": "o"}, r"/predicate/e.order in \[2, 1\]/value: \[2, 1\], expected \[low, high\]"),
        ({"e.order in 2": "o"}, "/predicate: unknown key 'e.order in 2', expected rows"),
        ({"any": {"e.worst ~ 3": "o"}}, "/predicate/any: unknown key 'e.worst ~ 3', expected rows"),
        ({"e.worst < 3": "o", "note on e.best": "n"}, "/predicate/note on e.best: no row has this measurement"),
    ],
)
def test_a_bad_row_is_refused_with_its_place(predicate: Any, message: str) -> None:
    with pytest.raises(InputError, match="p: /claims/0" + message):
        claim(predicate)


@pytest.mark.parametrize(
    "difference,message",
    [
        ({"without": ["e.wrost"]}, "'e.wrost' is no measurement of the predicate; did you mean \"e.worst\""),
        ({"without": []}, r"/without: \[\], expected a list with at least one measurement"),
        ({"without": "e.worst"}, "/without: 'e.worst', expected a list with at least one measurement"),
        ({"without": ["e.worst", "e.worst"]}, "'e.worst' is left out twice"),
        ({"without": ["e.worst"], "instead_of": {"e.worst": {"e.b < 1": "o"}}}, "'e.worst' is left out twice"),
        ({"instead_of": {"e.b": {"e.b < 1": "o"}}}, "'e.b' is no measurement of the predicate"),
        ({"instead_of": {"e.worst": {}}}, "/instead_of/e.worst: {}, expected rows"),
        ({"also": {"e.b": "o"}}, "/also: unknown key 'e.b', expected rows"),
        ({"without": ["e.worst"], "all": ROWS}, ": unknown key 'all', expected regime, without, instead_of, also"),
        ({"but": {"e.b < 1": "o"}, "also": {"e.b < 1": "o"}}, ": unknown key 'but', expected regime, without"),
        ({"e.b < 1": "o"}, ": unknown key 'e.b < 1', expected regime, and one of all, any, not, or of without"),
    ],
)
def test_a_bad_difference_is_refused_with_its_place(difference: Any, message: str) -> None:
    with pytest.raises(InputError, match="p: /claims/0/holds_in_regime.*" + message):
        claim(ROWS, difference)


def test_a_difference_needs_a_predicate_of_which_all_must_hold() -> None:
    for predicate in ({"any": ROWS}, COUNT, {"all": [COUNT, {"any": ROWS}]}):
        with pytest.raises(InputError, match="/holds_in_regime: refers to the predicate, expected one that is a table"):
            claim(predicate, {"without": ["e.count"]})


def test_a_row_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "claims.json"
    path.write_text(json.dumps({"predicate": {"a.b < 1": "o"}}).replace('"a.b', '"a.b < 1": "p", "a.b'))
    with pytest.raises(InputError, match="claims.json: not a readable JSON file .'a.b < 1' stands twice in an object"):
        read_object(path)

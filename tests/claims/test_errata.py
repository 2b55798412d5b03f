# SPDX-License-Identifier: BSD-3-Clause
"""The ledgers of errata: every entry is measured or is notation, never both, and what it names is there."""

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from deformbench_analysis.claims import all_claims
from deformbench_analysis.declarations import all_declarations
from deformbench_analysis.errata import Erratum, Size, broken_bounds
from deformbench_analysis.measurement import Value, load_all
from deformbench_analysis.paths import experiments_dir

SCHEMA = json.loads((experiments_dir() / "harness/schema/errata.schema.json").read_text(encoding="utf-8"))
FILES = sorted(experiments_dir().glob("*/errata.json"))
ERRATA = [e for path in FILES for e in json.loads(path.read_text(encoding="utf-8"))["errata"]]
DECLARATIONS = all_declarations()
MEASUREMENTS = load_all()
# How many each paper has: numbers 1 to n, and those with a letter.
EXPECTED = {
    "mueller_gross_2004": [f"B-IVM-{n}" for n in (*range(1, 9), "8b", *range(9, 20))],
    "mueller_et_al_2007": [f"B-PBD-{n}" for n in range(1, 16)],
    "macklin_et_al_2019": ["B-MSL-1", "B-MSL-2"],
    "macklin_et_al_2016": [],
    "macklin_mueller_2021": ["B-CSN-1"],
    "projective_dynamics": [],
    "newton_filters": [],
    "chen_et_al_2024": [],
    "li_et_al_2020": [],
    "cs6967_assignment_2": [f"B-ASG-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9)],
    "cs533d_cloth_lecture": [f"B-LEC-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8)],
    "pauly_et_al_2005": [f"B-PAU-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)],
}

by_id = pytest.mark.parametrize("erratum", ERRATA, ids=lambda e: e["id"])


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.parent.name)
def test_a_ledger_obeys_its_schema_and_holds_every_erratum_once(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(document, SCHEMA)
    assert document["paper"] == path.parent.name
    assert [e["id"] for e in document["errata"]] == EXPECTED[path.parent.name]


@by_id
def test_every_erratum_is_measured_or_is_notation(erratum: dict[str, Any]) -> None:
    assert ("measured_by" in erratum) != ("notation" in erratum)
    assert "measured_by" in erratum or erratum["tag"] in (
        "A",
        "O",
    ), "an error, or a statement that is true in a regime only, has a size"


@by_id
def test_a_measured_erratum_names_measurements_and_experiments_that_exist(erratum: dict[str, Any]) -> None:
    for size in erratum.get("measured_by", []):
        assert size["experiment"] in DECLARATIONS
        assert size["measurement"] in MEASUREMENTS
        assert MEASUREMENTS[size["measurement"]].experiment == size["experiment"]


def values_of(declared: Any, parameter: str) -> set[str]:
    """What a method's parameter is set to, wherever rows, sweeps or tiers name it: alone,
    or as the end of a dotted path."""
    if isinstance(declared, list):
        return {value for part in declared for value in values_of(part, parameter)}
    if not isinstance(declared, dict):
        return set()
    found = set()
    for key, value in declared.items():
        if key in (parameter, f"method.parameters.{parameter}"):
            found |= {str(v) for v in (value if isinstance(value, list) else [value])}
        else:
            found |= values_of(value, parameter)
    return found


@pytest.mark.parametrize("erratum", [e for e in ERRATA if "switch" in e and "measured_by" in e], ids=lambda e: e["id"])
def test_a_switch_is_thrown_in_the_experiments_that_measure_it(erratum: dict[str, Any]) -> None:
    switch = erratum["switch"]
    thrown = set().union(
        *(values_of(DECLARATIONS[s["experiment"]].data, switch["parameter"]) for s in erratum["measured_by"])
    )
    assert switch["as_printed"] in thrown, f"no run sets {switch['parameter']} to {switch['as_printed']}"


def test_broken_ledgers_are_refused() -> None:
    good = {"paper": "any", "errata": [next(e for e in ERRATA if "switch" in e)]}
    breaks = {
        "in both lists": lambda e: e.update(
            notation="A sentence.", measured_by=[{"measurement": "a.b", "experiment": "a/b"}]
        ),
        "in no list": lambda e: [e.pop(k, None) for k in ("notation", "measured_by")],
        "unknown tag": lambda e: e.update(tag="X"),
        "size without an experiment": lambda e: e.update(measured_by=[{"measurement": "a.b"}]),
        "switch without its printed value": lambda e: e["switch"].pop("as_printed"),
        "unknown key": lambda e: e.update(surprise=1),
    }
    for name, damage in breaks.items():
        bad = copy.deepcopy(good)
        damage(bad["errata"][0])
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, SCHEMA)
        assert name


BOUNDED = {leaf["measurement"] for claims in all_claims().values() for c in claims for leaf in c.leaves()} | {
    s["measurement"] for e in ERRATA for s in e.get("measured_by", []) if "bound" in s
}


@pytest.mark.parametrize(
    "name",
    sorted({s["measurement"] for e in ERRATA for s in e.get("measured_by", []) if "corrected" in s["measurement"]}),
)
def test_a_number_that_is_called_corrected_has_a_bound(name: str) -> None:
    assert name in BOUNDED, "neither a claim's predicate nor a `bound` of an erratum judges it"


def test_a_bound_that_does_not_hold_is_named_and_one_without_a_trace_is_not() -> None:
    bound = {"op": "<", "value": 1.0, "origin": "made up"}
    entry = Erratum(
        "B-XYZ-1",
        "E",
        "eq. 1",
        "a",
        {},
        [Size("x.measured", "a/x", bound), Size("x.absent", "a/x", bound), Size("x.free", "a/x")],
        "",
    )
    values = {"x.measured": 2.0, "x.free": 5.0}
    lines = broken_bounds([entry], lambda name: Value(name, "1", values.get(name), "no trace"))
    assert lines == ["erratum B-XYZ-1: x.measured = 2 (< 1)"]

# SPDX-License-Identifier: BSD-3-Clause
"""Numbers in what claims say beside their predicates: each is a bound, a declared parameter, a threshold in the
definition of a measurement, or the paper's; none is a result.

A result in a note is right until the next run, and nothing notices; results are in the measurements under `best`,
which a note names in backquotes."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from deformbench_analysis.claims import all_claims
from deformbench_analysis.declarations import all_declarations
from deformbench_analysis.measurement import load_all

CLAIMS = [claim.data for paper in all_claims().values() for claim in paper]
MEASUREMENTS = load_all()
# Numbers that no declaration has, with what they are.
EXCEPTIONS: dict[str, dict[float, str]] = {
    "IPC-06": {4: "0.2 m/s · 20 µs, in µm", 5: "d̂ of the thinnest, in µm"},
    "ASG-03": {3.3: "Euler's strain of a bar five widths long, π²/12 / 5²"},
    "ASG-05": {320: "4³ cells of five tetrahedra", 0.9: "1.05 · 0.001584154 / 0.00184818, from the time steps"},
    "ASG-07": {
        **{1e-3: "the measurement's threshold of strain", 1e-6: "the measurement's threshold of kinetic energy"},
        0.05: "half of 0.1, time steps of 0.00055 and 0.00111 s",
    },
    "ASG-08": {40: "2³ cells of five tetrahedra"},
    "ASG-09": {0.7: "7/10, the regime's frame number over ten steps a frame"},
    "ASG-12": {
        0.66: "60/s over the lowest frequency of 40 elements",
        0.97: "the same of 135 elements",
        0.022: "a hundredth of the scene's time step over 2/ω of the mesh",
    },
    "ASG-16": {540: "3 · 3 · 12 cells of five tetrahedra"},
    "ASG-18": {540: "3 · 3 · 12 cells of five tetrahedra"},
    "CSN-10": {1e-3: "the measurement's threshold: 10πωδ of the swing is 3 %, below the bound"},
    "IVM-07": {4e4: "Δt²E/(ρh²) of Δt = 1 s, h = 5 cm"},
    "IVM-34": {45: "the angle whose tangent is 1"},
    "IVM-39": {40: "Δt²E/(ρh²) of E = 1e6 Pa, h = 5 cm"},
    "IVM-45": {2004: "the paper's year", 1.8: "the paper's processor"},
    "LEC-02": {
        **{5: "8 (1 − cos π/4) / (π/2)² is 0.95", 10: "sin(π/4) / (π/4) is 0.90", 29: "cos π/4 is 0.71"},
        **{19: "8/π² is 0.81", 36: "2/π is 0.64"},
    },
    "LEC-04": {1.5e-6: "100 √ε in double", 0.035: "100 √ε in float"},
    "LEC-10": {0.25: "the regime's N²/4"},
    "LEC-15": {4000: "a plate of 100 times the mass of 40 layers"},
    "LEC-22": {0.7: "(2/3)(1 + 1/20)", 1.5: "the derived slope, the inverse of 2/3"},
    "PAU-08": {0.22: "a result of another program, said to be one", 0.004: "the same"},
    "PAU-22": {33.5: "4/3 π 2³", 174: "4/3 π (2√3)³"},
    "PAU-31": {250: "5 · 5 · 10 nodes, from length and nodes across"},
    "PBD-03": {2e-6: "g Δt² over the edge, Δt = 0.1 ms and 19 edges to a metre", 2e4: "the same, Δt = 10 s"},
    "PBD-08": {
        **{18: "1 − 1/√(1 + 2 · 100 · 0.05²)", 89: "1 − 1/√(1 + 2 · 1000 · 0.2²)"},
        0.2: "20 rad/s, time steps of 0.01 s",
    },
    "PBD-10": {3: "4 / (1 + 1/3), over the centroid of a held triangle"},
    "PBD-37": {3: "the paper's processor"},
    "PBD-38": {3: "the paper's processor"},
    "VBD-12": {1e6: "100³: no vertex is lighter than ρa³/100"},
    "XPB-02": {0.006: "Δt²E/(ρh²) of the shortest time step, h the median edge", 0.16: "the same of the longest"},
    "XPB-03": {0.16: "Δt²E/(ρh²) of the longest time step, h the median edge", 3.7: "a result, said to be one"},
}
PLACES = re.compile(
    r"\b(?:[A-Z]+-)+\d+|\[\w+\]"
    r"|(?:[Ss]ections?|§|[Ss]lides?|Figs?\.|Figure|eqs?\.|Table) ?\d+(?:\.\d+)*(?: and \d+)?"
    r"|\(\w+ et al\. \d{4}\)|Pentium 4|`[^`]*`|(?<!\w)[A-Za-zΩωρ]\w*\d|[²³⁴⁵⁶⁷⁸⁹]"
)
POWER = re.compile(r"(?:(\d+(?:\.\d+)?) ?· ?)?\b10(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
NUMBER = re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(e[-+]?\d+)?( ?(?:%|per cent))?")


def numbers(text: str) -> Iterator[tuple[str, list[float]]]:
    """As written, and the values that it may stand for."""
    text = POWER.sub(lambda found: f"{found[1] or 1}e{found[2].translate(RAISED)}", text)
    for found in NUMBER.finditer(PLACES.sub(" ", text)):
        value = float(found[1].replace(",", "") + (found[2] or ""))
        yield found[0], [value, value / 100] if found[3] else [value]


def leaves(value: Any) -> Iterator[float]:
    """All numbers of a document, those in its strings too."""
    if isinstance(value, dict):
        for own in value.values():
            yield from leaves(own)
    elif isinstance(value, list):
        for own in value:
            yield from leaves(own)
    elif isinstance(value, str):
        for _, values in numbers(value):
            yield from values
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield abs(float(value))


def names(value: Any) -> Iterator[str]:
    """All measurements that a document names in its rows."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for own in value:
            yield from names(own)
    elif isinstance(value, str) and value in MEASUREMENTS:
        yield value


def known(claim: dict[str, Any]) -> set[float]:
    """Bounds, the statement's numbers, the parameters of its experiments, and the thresholds of its measurements."""
    judged = [claim.get("predicate"), claim.get("holds_in_regime", {}).get("all"), claim.get("best")]
    found = set(leaves([claim.get("statement"), judged, [MEASUREMENTS[n].definition for n in names(judged)]]))
    for experiment in claim["experiments"]:
        found |= set(leaves(all_declarations()[experiment].data))
    return found


def texts(claim: dict[str, Any]) -> dict[str, str]:
    found = {k: claim[k] for k in ("note", "missing") if k in claim}
    if "regime" in claim.get("holds_in_regime", {}):
        found["regime"] = claim["holds_in_regime"]["regime"]
    return found


def same(value: float, other: float) -> bool:
    return abs(value - other) <= 1e-9 * max(value, other)


def unknown(claim: dict[str, Any]) -> list[str]:
    """Numbers that are neither known nor excepted, with where they are."""
    allowed = known(claim) | set(EXCEPTIONS.get(claim["id"], {}))
    return [
        f"{place}: {written}"
        for place, text in texts(claim).items()
        for written, values in numbers(text)
        if not any(same(v, a) for v in values for a in allowed)
    ]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c["id"])
def test_no_number_is_a_result(claim: dict[str, Any]) -> None:
    assert unknown(claim) == [], "a bound, a parameter or an exception; results are shown by `best`"


def test_exceptions_are_needed() -> None:
    by_id = {c["id"]: c for c in CLAIMS}
    for name, excepted in EXCEPTIONS.items():
        written = {v for text in texts(by_id[name]).values() for _, values in numbers(text) for v in values}
        assert set(excepted) <= written, name
        assert not [v for v in excepted if any(same(v, a) for a in known(by_id[name]))], name


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c["id"])
def test_names_in_backquotes_are_measurements(claim: dict[str, Any]) -> None:
    """Those of the claim's experiments, whose name may be left out, and the experiments themselves."""
    short = [identifier.split("/")[1] for identifier in claim["experiments"]]
    for name in [n for text in texts(claim).values() for n in re.findall(r"`([^`]*)`", text)]:
        whole = [name] if "." in name else [f"{experiment}.{name}" for experiment in short]
        assert name in short or any(n in MEASUREMENTS and n.split(".")[0] in short for n in whole), name


def test_what_counts_as_a_number() -> None:
    found = dict(numbers("5 % of 1,728 nodes, 1e-9 h, section 3.3, slide 3, B-PAU-1, eq. 2, `a_3`, h³, PAU-24, 0.5"))
    assert found == {"5 %": [5, 0.05], "1,728": [1728], "1e-9": [1e-9], "0.5": [0.5]}
    assert dict(numbers("2·10⁻⁵ m, 10⁴ N, 1/n²")) == {"2e-5": [2e-5], "1e4": [1e4], "1": [1]}


@pytest.mark.parametrize("result", [1.43, 5e-13, 0.0143])
def test_a_result_in_a_note_is_seen(result: float) -> None:
    claim = {
        "id": "X",
        "experiments": [],
        "statement": "",
        "note": f"It grows by {result}, less than 2, but for 1e-12.",
        "predicate": {"measurement": "x.y", "value": 2, "origin": "1e-12 of rounding"},
    }
    assert unknown(claim) == [f"note: {result}"]

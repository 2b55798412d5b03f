# SPDX-License-Identifier: BSD-3-Clause
"""Claims, experiments, measurements, figures and the record name each other, and nobody is left over."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from deformbench_analysis import papers, registration
from deformbench_analysis.claims import VERDICTS, Claim, all_claims, claims_by_experiment
from deformbench_analysis.declarations import TIERS, all_declarations
from deformbench_analysis.measurement import load_all
from deformbench_analysis.paths import experiments_dir, figures_dir

CLAIMS = {c.id: c for paper in all_claims().values() for c in paper}
DECLARATIONS = all_declarations()
MEASUREMENTS = load_all()
NAMING = claims_by_experiment()
RECORDS = {
    paper.name: json.loads(paper.verdicts.read_text(encoding="utf-8"))["claims"]
    for paper in papers.known()
    if paper.verdicts.exists()
}
PENDING = {c for paper in papers.known() for c in registration.pending(registration.read(paper))}

FIGURES = [
    {"paper": path.parent.name, **line}
    for path in sorted(figures_dir().glob("*/figures.json"))
    for line in json.loads(path.read_text(encoding="utf-8"))["figures"]
]


@pytest.mark.parametrize("paper", [p for p in papers.known() if p.claims.exists()], ids=lambda p: p.name)
def test_claims_files_obey_their_schema(paper: papers.Paper) -> None:
    schema = json.loads((experiments_dir() / "harness/schema/claims.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(paper.claims.read_text(encoding="utf-8")), schema)


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda c: c.id)
def test_every_claim_names_experiments_that_exist_or_says_why_not(claim: Claim) -> None:
    assert claim.experiments or claim.why_no_experiment or claim.waits_for
    assert [i for i in claim.experiments if i not in DECLARATIONS] == []


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda c: c.id)
def test_every_measurement_of_a_claim_is_registered_for_one_of_its_experiments(claim: Claim) -> None:
    assert [n for n in claim.measurements() if n not in MEASUREMENTS] == []
    assert [n for n in claim.measurements() if MEASUREMENTS[n].experiment not in claim.experiments] == []


@pytest.mark.parametrize("identifier", DECLARATIONS)
def test_a_claim_names_the_experiment_or_it_says_exploratory(identifier: str) -> None:
    assert bool(NAMING.get(identifier)) != DECLARATIONS[identifier].exploratory


@pytest.mark.parametrize("identifier", DECLARATIONS)
def test_no_declaration_repeats_the_claims_that_name_it(identifier: str) -> None:
    assert "claims" not in DECLARATIONS[identifier].data


@pytest.mark.parametrize("readme", sorted(experiments_dir().glob("*/README.md")), ids=lambda p: p.parent.name)
def test_no_readme_of_experiments_repeats_them(readme: Path) -> None:
    assert [c for c in CLAIMS if c in readme.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("identifier", DECLARATIONS)
def test_every_experiment_is_measured_or_drawn(identifier: str) -> None:
    measured = [n for n, entry in MEASUREMENTS.items() if entry.experiment == identifier]
    assert measured or [f["id"] for f in FIGURES if identifier in f["experiments"]]
    assert measured or DECLARATIONS[identifier].exploratory


@pytest.mark.parametrize("claim", [c for c in CLAIMS.values() if c.kind == "timing"], ids=lambda c: c.id)
def test_only_timing_claims_use_clocks_and_they_all_have_a_dead_band(claim: Claim) -> None:
    assert [leaf["measurement"] for leaf in claim.leaves() if not leaf.get("dead_band")] == []


def test_no_other_claim_rests_on_a_clock() -> None:
    assert [
        (c.id, n)
        for c in CLAIMS.values()
        if c.kind != "timing"
        for n in c.measurements()
        if n in MEASUREMENTS and MEASUREMENTS[n].timing
    ] == []


def test_a_claim_that_waits_has_no_verdict() -> None:
    assert [c.id for c in CLAIMS.values() if c.waits_for and c.id in RECORDS.get(c.paper, {})] == []


@pytest.mark.parametrize("claim", [c for c in CLAIMS.values() if not c.waits_for], ids=lambda c: c.id)
def test_every_claim_has_a_recorded_verdict_at_its_tier_or_above(claim: Claim) -> None:
    entry = RECORDS.get(claim.paper, {}).get(claim.id)
    assert entry is not None, "run `deformbench verify --record`"
    assert entry["verdict"] in VERDICTS and entry["verdict"] != "not_measured"
    assert TIERS.index(entry["tier"]) >= TIERS.index(claim.min_tier)
    assert entry["variant"] == claim.variant or claim.id in PENDING


def test_the_record_holds_no_claim_that_is_gone() -> None:
    assert [k for record in RECORDS.values() for k in record if k not in CLAIMS] == []


@pytest.mark.parametrize("line", FIGURES, ids=lambda f: f"{f['paper']}/{f['id']}")
def test_a_figure_names_experiments_that_exist(line: dict[str, Any]) -> None:
    assert [i for i in line["experiments"] if i not in DECLARATIONS] == []


@pytest.mark.parametrize("line", [f for f in FIGURES if "claims" in f], ids=lambda f: f"{f['paper']}/{f['id']}")
def test_a_figure_names_claims_only_where_they_are_not_those_of_its_experiments(line: dict[str, Any]) -> None:
    assert [c for c in line["claims"] if c not in CLAIMS] == []
    assert set(line["claims"]) != {c for i in line["experiments"] for c in NAMING.get(i, [])}


def test_files_that_rows_start_are_there() -> None:
    """A declared program is started from the folder of its declaration."""
    for name, declaration in DECLARATIONS.items():
        tiers = [tier for tier in declaration.data["tiers"].values() if "methods" in tier]
        for row in [row for part in (declaration.data, *tiers) for row in part.get("methods", [])]:
            for word in row.get("program", "").split():
                if word.endswith(".py"):
                    assert (declaration.path.parent / word).is_file(), f"{name}: {row['name']}: {word}"

# SPDX-License-Identifier: BSD-3-Clause
"""`deformbench dispute`: a question on which papers disagree, the experiments that decide it, one figure, and the
answer in five lines.

A paper's `disputes.json` lists them. In a line of the answer `{name:format}` is the value of a measurement, and
`{claim ID}` the verdict of a claim in these runs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deformbench.running import start
from deformbench_analysis import papers, schemas
from deformbench_analysis.claims import Claim, all_claims
from deformbench_analysis.errors import InputError
from deformbench_analysis.json_files import read_object
from deformbench_analysis.measurement import Measurer, Value, load_all
from deformbench_analysis.nearest_names import suggestion
from deformbench_analysis.results import Results
from deformbench_analysis.verdicts import judge_all
from paper_figures.entry import Drawn, draw_all, load_index
from paper_figures.report.findings import filled, names_in
from paper_figures.report.templating import WORDS

FILE = "disputes.json"
LINES = 5
_CLAIM = re.compile(r"\{claim ([A-Z][A-Z0-9]*-[0-9]+)\}")
_TEXT: dict[str, Any] = {"type": "string", "minLength": 1, "expected": "a text"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT, "uniqueItems": True}
_DISPUTE: dict[str, Any] = {
    "type": "object",
    "required": ["id", "question", "claims", "experiments", "figure", "answer"],
    "additionalProperties": False,
    "properties": {
        **{"id": {**_TEXT, "pattern": "^[a-z][a-z0-9_]*$"}, "question": _TEXT, "figure": _TEXT, "claims": _TEXTS},
        "experiments": {**_TEXTS, "minItems": 1, "expected": "a list of one experiment or more"},
        "answer": {**_TEXTS, "minItems": LINES, "maxItems": LINES, "expected": "five lines"},
    },
}
_SCHEMA = {
    "type": "object",
    "required": ["disputes"],
    "additionalProperties": False,
    "properties": {"disputes": {"type": "array", "items": _DISPUTE}},
}


@dataclass(frozen=True)
class Dispute:
    """One entry of a file."""

    id: str
    question: str
    claims: list[str]
    experiments: list[str]
    figure: str
    answer: list[str]


@dataclass(frozen=True)
class Answer:
    """The lines, the drawn figure, and why a number of the lines is not there, a reason each."""

    lines: list[str]
    figure: Drawn
    absent: list[str]


def load() -> dict[str, Dispute]:
    """Those of the known papers by id. InputError where a file is none, or two have one id."""
    found: dict[str, Dispute] = {}
    for path in (paper.folder / FILE for paper in papers.known()):
        if not path.exists():
            continue
        data = read_object(path)
        schemas.check(data, _SCHEMA, f"{path}: ")
        for entry in data["disputes"]:
            if entry["id"] in found:
                raise InputError(f"{path}: dispute {entry['id']}: appears twice")
            found[entry["id"]] = Dispute(**entry)
    return found


def named(identifier: str) -> Dispute:
    """The one of this id, written with hyphens or underscores. InputError where there is none."""
    known, id_of = load(), identifier.replace("-", "_")
    if id_of not in known:
        raise InputError(f"dispute {identifier}: no such one{suggestion(id_of, known, 'deformbench dispute')}")
    return known[id_of]


def _claims_of(dispute: Dispute) -> Mapping[str, Claim]:
    known = {claim.id: claim for claims in all_claims().values() for claim in claims}
    asked = [*dispute.claims, *(claim for line in dispute.answer for claim in _CLAIM.findall(line))]
    for name in asked:
        if name not in known:
            raise InputError(f"dispute {dispute.id}: claim {name}: no such one{suggestion(name, known)}")
    return {name: known[name] for name in asked}


def lines(dispute: Dispute, measurer: Measurer, verdicts: Mapping[str, str]) -> list[str]:
    """The answer, filled in from measurements and verdicts by claim."""

    def told(line: str) -> str:
        text = "".join(text for text, _ in filled(line, measurer))
        return _CLAIM.sub(lambda found: f"{found[1]} {WORDS[verdicts.get(found[1], 'not_measured')]}", text)

    return [told(line) for line in dispute.answer]


def settle(dispute: Dispute, tier: str, traces: Path, out: Path) -> Answer:
    """Runs what is not done yet, draws the figure and fills in the answer. InputError before anything runs where the
    entry names what does not exist."""
    claims, figures = _claims_of(dispute), [index.id for index in load_index()]
    if dispute.figure not in figures:
        raise InputError(f"dispute {dispute.id}: /figure: {dispute.figure}{suggestion(dispute.figure, figures)}")
    known = load_all()
    for name in (name for line in dispute.answer for name in names_in(line)):
        if name not in known:
            raise InputError(f"dispute {dispute.id}: /answer: {name}{suggestion(name, known)}")
    start(["run", *dispute.experiments, "--tier", tier, "--out", str(traces), "--quiet"])
    results = Results(traces, tier)
    measurer = Measurer(results, tier)
    verdicts = {v.claim.id: v.verdict for v in judge_all(results, claims.values(), tier, True).verdicts}
    (figure,) = draw_all(results, out, [dispute.figure])
    absent: dict[str, Value] = {}
    for line in dispute.answer:
        absent |= {name: measurer(name) for name in names_in(line) if measurer(name).is_missing}
    return Answer(
        lines(dispute, measurer, verdicts), figure, [f"{name}: {value.note}" for name, value in absent.items()]
    )

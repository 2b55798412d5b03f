# SPDX-License-Identifier: BSD-3-Clause
"""Claims, their verdicts, and the numbers that decided, as the pages show them: every rule of it is here once."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deformbench_analysis import registration
from deformbench_analysis.claims import VERDICTS, Claim
from deformbench_analysis.errata import of_paper
from deformbench_analysis.measurement import Value
from deformbench_analysis.tables import Table
from deformbench_analysis.verdicts import Comparison, Outcome
from paper_figures.report.content import Content, Judged, notes_of
from paper_figures.report.templating import WORDS, size

_GROUPS = {"all": "all of", "any": "at least one of", "not": "the contrary of"}
_OPERATORS = {"<=": "≤", ">=": "≥", "==": "=", "in": "in"}


def margin(c: Comparison) -> tuple[float, str]:
    """How far a number is inside its bound (positive) or beyond it (negative), as a part of the bound, and in words:
    a factor where it is tenfold or more, the distance itself where the bound is zero. NaN and "" without a number."""
    v = c.value.value
    if v is None:
        return math.nan, ""
    low, high = c.bound if c.op == "in" else (c.bound, c.bound)
    limit = low if abs(v - low) < abs(v - high) else high
    inside = low <= v <= high if c.op in ("in", "==") else v <= limit if c.op[0] == "<" else v >= limit
    gap, word = abs(v - limit), "inside" if inside else "beyond"
    part = gap / (abs(limit) or 1.0)
    small, large = sorted((abs(v), abs(limit)))
    if gap == 0:
        text = "equal"
    elif limit == 0 or not math.isfinite(gap):
        text = f"{size(gap, c.value.unit, 2)} {word}"
    elif large >= 10 * small > 0 and v * limit > 0:
        factor = large / small
        text = f"{float(f'{factor:.2g}'):,.0f} times {word}" if factor < 1e5 else f"over 100,000 times {word}"
    else:
        text = f"{100 * part:.0f} % {word}" if part >= 1 else f"{100 * part:.2g} % {word}"
    return part if inside else -part, text


@dataclass(frozen=True)
class Row:
    """One line of a predicate: a comparison, or the word that joins those below it."""

    depth: int
    group: str = ""
    compared: Comparison | None = None

    @property
    def bound(self) -> str:
        """Operator and bound."""
        c = self.compared
        assert c is not None
        number = f"[{c.bound[0]:.7g}, {c.bound[1]:.7g}]" if c.op == "in" else f"{c.bound:.7g}"
        return f"{_OPERATORS.get(c.op, c.op)} {number}" + ("" if c.value.unit in ("", "1") else f" {c.value.unit}")

    @property
    def margin(self) -> tuple[float, str]:
        """As `margin` has it."""
        assert self.compared is not None
        return margin(self.compared)


def _rows(tree: Mapping[str, Any], compared: Iterator[Comparison], depth: int = 0) -> Iterator[Row]:
    """The predicate's lines. Its comparisons come in the order in which `evaluate` makes them."""
    if "measurement" in tree:
        yield Row(depth, compared=next(compared))
        return
    key = next(k for k in _GROUPS if k in tree)
    if depth or key != "all":  # that all must be true goes without saying
        yield Row(depth, _GROUPS[key])
        depth += 1
    for part in [tree[key]] if key == "not" else tree[key]:
        yield from _rows(part, compared, depth)


def predicate_rows(tree: Mapping[str, Any] | None, compared: Sequence[Comparison], content: Content) -> list[Row]:
    """A predicate with what was measured; without a number where nothing was compared."""
    if tree is None:
        return []

    def unmeasured(part: Mapping[str, Any]) -> Iterator[Comparison]:
        if "measurement" in part:
            entry = content.measurer.registry.get(part["measurement"])
            value = Value(part["measurement"], entry.unit if entry else "", None)
            yield Comparison(value, part["op"], part["value"], Outcome.MISSING, part.get("origin", ""))
            return
        key = next(k for k in _GROUPS if k in part)
        for one in [part[key]] if key == "not" else part[key]:
            yield from unmeasured(one)

    return list(_rows(tree, iter(compared or list(unmeasured(tree)))))


def decisive(j: Judged) -> list[Row]:
    """The comparisons that a reader of the verdict needs first: of a claim that holds, or holds in a regime, the nearest
    to its bound; of others those that are not true, two at most."""
    if j.judged is None:
        return []
    compared = j.judged.regime_comparisons if j.verdict == "holds_in_regime" else j.judged.comparisons
    made = [Row(0, compared=c) for c in compared]
    untrue = [row for row in made if row.compared and row.compared.outcome is not Outcome.TRUE]
    nearest = sorted((row for row in made if row not in untrue), key=lambda row: row.margin[0])[:1]
    return nearest if j.verdict in ("holds", "holds_in_regime") else untrue[:2] or nearest


def amendments(entry: Mapping[str, Any]) -> list[str]:
    """What was changed after registration, each in a sentence with the verdicts before and after."""
    lines = []
    for made in registration.amendments(entry):
        became = f", is {WORDS[made['after']]}" if "after" in made else ""
        verdict = f" The verdict was {WORDS[made['before']]}{became}." if "before" in made else ""
        changed = ", ".join(made["changed"]).replace("_", " ")
        lines.append(f"Amended {made['date']} ({changed}): {made['why'].rstrip('.')}.{verdict}")
    return lines


def qualified(j: Judged, content: Content) -> str:
    """How many deviations and amendments stand on the claim's page."""
    amended = sum("before" in made for made in registration.amendments(content.registration(j.claim)))
    told = len(j.claim.deviations)
    parts = [f"{told} deviation{'s' * (told > 1)}"] if told else []
    parts += [f"amended {'once' if amended == 1 else f'{amended} times'} after a verdict"] if amended else []
    return ", ".join(parts)


def amendments_line(content: Content) -> str:
    """How many claims were amended after a verdict, and in how many of them the verdict became kinder."""
    entries = [entry for paper in content.papers() for entry in content.registrations(paper).values()]
    amended, kinder = registration.tally(entries)
    return (
        f"{amended} of {len(entries)} claims were amended after a verdict; an amendment made the verdict kinder in "
        f"{kinder} of them. Each is shown on the page of its claim."
        if entries
        else ""
    )


def changes_line(content: Content, paper: str = "") -> str:
    """Verdicts that differ from the record, of one paper or ("") of all."""
    changes = content.differing(paper)
    told = [f"{c.claim} was {c.recorded}, is {c.now}" for c in changes if c.now != "not_measured"]
    parts = [f"Different from the record: {'; '.join(told)}."] if told else []
    if absent := len(changes) - len(told):
        parts.append(f"{absent} verdict{'s' if absent > 1 else ''} of the record not measured here.")
    return " ".join(parts)


def recorded_line(content: Content) -> str:
    """How many verdicts are those on record, and of which processors the record is."""
    judged = [(j, content.records.get(j.claim.paper, {}).get(j.claim.id)) for j in content.claims() if j.is_run]
    known = [(j, record) for j, record in judged if record]
    kinds = sorted({machine["processor"] for _, record in known for machine in record.get("machines", [])})
    if not kinds:
        return ""
    same = sum(j.verdict == record["verdict"] for j, record in known)
    return f"{same} of {len(known)} verdicts are those on record, which were found on {'; '.join(kinds)}."


def tally(claims: Sequence[Judged]) -> list[tuple[str, int]]:
    """Verdicts with their numbers, in the order of VERDICTS, none that is not there."""
    counted = Counter(j.verdict for j in claims)
    return [(k, counted[k]) for k in VERDICTS if counted[k]]


def listed(claims: Sequence[Judged], content: Content) -> dict[str, Any]:
    """What the table of claims needs of them."""
    changed = {c.claim for c in content.differing()}
    return {
        "run": [
            (j, decisive(j), content.figures(j.claim), qualified(j, content), j.claim.id in changed)
            for j in claims
            if j.is_run
        ],
        "not_run": [j for j in claims if not j.is_run],
        "content": content,
        "short": {p: notes_of(p)["short"] for p in {j.claim.paper for j in claims}},
    }


def matrix(content: Content) -> list[dict[str, Any]]:
    """Per paper its names, the number of errata of its text, and the claims by verdict."""
    found = []
    for paper in content.papers():
        claims = content.claims(paper)
        if claims:
            by_verdict = {verdict: [j for j in claims if j.verdict == verdict] for verdict in VERDICTS}
            found.append({"paper": paper, **notes_of(paper), "errata": len(of_paper(paper)), "by_verdict": by_verdict})
    return found


def summary_table(content: Content, paper: str) -> Table:
    """The verdicts as a table for a paper of one's own."""
    table = Table.of("claim; where; statement; verdict; variant; tier; measured")
    for v in content.judgement.verdicts:
        if v.claim.paper == paper:
            measured = "; ".join(c.text() for c in v.comparisons) or v.reason
            table.add(v.claim.id, v.claim.where, v.claim.statement, WORDS[v.verdict], v.claim.variant, v.tier, measured)
    return table

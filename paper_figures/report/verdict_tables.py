# SPDX-License-Identifier: BSD-3-Clause
"""Claims, their verdicts, and the numbers that decided, as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from deformbench_analysis import registration
from deformbench_analysis.claims import VERDICTS, Claim
from deformbench_analysis.errata import of_paper
from deformbench_analysis.measurement import Value
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.records import UNRECORDED
from deformbench_analysis.verdicts import Comparison, Outcome, Verdict
from paper_figures.report.content import Content, notes_of

WORDS = {
    "holds": "holds",
    "holds_in_regime": "holds in a regime",
    "does_not_hold": "does not hold",
    "inconclusive": "inconclusive",
    "not_testable": "not testable",
    "not_measured": "not measured",
}


def _number(value: float, unit: str) -> str:
    text = f"{value:,.0f}" if 10_000 <= abs(value) < 1e7 else f"{value:.4g}"
    if text == "1" and value != 1:
        text = f"1 {'+' if value > 1 else '−'} {abs(value - 1):.1e}"
    return text if unit in ("", "1") else f"{text} {escape(unit)}"


def _sentence(name: str, definitions: Mapping[str, str]) -> str:
    """What a measurement is, in a sentence; its name only where it has none."""
    return escape(definitions.get(name, name).rstrip("."))


def _comparison(c: Comparison, definitions: Mapping[str, str]) -> str:
    op = {"<=": "≤", ">=": "≥", "==": "=", "in": "in"}.get(c.op, c.op)
    bound = f"[{c.bound[0]:.7g}, {c.bound[1]:.7g}]" if c.op == "in" else f"{c.bound:.7g}"
    measured = "not measured" if c.value.value is None else _number(c.value.value, c.value.unit)
    note = f" <span class=why>{escape(c.value.note)}</span>" if c.value.note else ""
    css = "m false" if c.outcome is Outcome.FALSE else "m"
    return (
        f'<div class="{css}" title="{escape(c.origin)}">{_sentence(c.value.name, definitions)}: <span class=v>{measured}</span> '
        f"<span class=b>({escape(op)} {bound})</span>{note} <code class=name>{escape(c.value.name)}</code></div>"
    )


def _best(value: Value, definitions: Mapping[str, str]) -> str:
    measured = "not measured" if value.value is None else _number(value.value, value.unit)
    note = f" <span class=why>{escape(value.note)}</span>" if value.note else ""
    return (
        f"<div class=m>{_sentence(value.name, definitions)}: <span class=v>{measured}</span>{note} "
        f"<code class=name>{escape(value.name)}</code></div>"
    )


def _qualifications(claim: Claim, entry: Mapping[str, Any] | None) -> list[str]:
    """What a reader of the verdict must know: note, deviations, and amendments made after a verdict."""
    lines = [str(claim.data[k]) for k in ("note",) if claim.data.get(k)]
    lines += [f"Deviation: {deviation}" for deviation in claim.deviations]
    for made in registration.amendments(entry):
        became = f", is {WORDS[made['after']]}" if "after" in made else ""
        verdict = f" The verdict was {WORDS[made['before']]}{became}." if "before" in made else ""
        changed = ", ".join(made["changed"]).replace("_", " ")
        lines.append(f"Amended {made['date']} ({changed}): {made['why'].rstrip('.')}.{verdict}")
    return [f"<div class=why>{escape(line)}</div>" for line in lines]


def amendments_line(content: Content) -> str:
    """How many claims were amended after a verdict, and in how many of them the verdict became kinder."""
    entries = [entry for paper in content.papers() for entry in content.registrations(paper).values()]
    amended, kinder = registration.tally(entries)
    return (
        f"<p>{amended} of {len(entries)} claims were amended after a verdict; an amendment made the verdict kinder in "
        f"{kinder} of them. Each is shown beside its claim.</p>"
        if entries
        else ""
    )


def _verdict_row(v: Verdict, content: Content, changed: Iterable[str]) -> str:
    definitions, drawn = content.definitions(), content.drawn
    parts = [_comparison(c, definitions) for c in v.comparisons]
    if v.verdict == "holds_in_regime":
        parts.append(f"<div class=why>In the regime: {escape(v.claim.regime)}</div>")
    if v.regime_comparisons and v.verdict != "holds":
        known = {(c.value.name, c.op, str(c.bound)) for c in v.comparisons}
        parts += [
            _comparison(c, definitions) for c in v.regime_comparisons if (c.value.name, c.op, str(c.bound)) not in known
        ]
    if v.best:
        parts.append("<div class=why>Beside it, not judged:</div>" if v.comparisons else "")
        parts += [_best(b, definitions) for b in v.best]
    if v.verdict in ("inconclusive", "not_testable") and v.reason:
        parts.append(f"<div class=why>{escape(v.reason)}</div>")
    if v.otherwise or v.stale:
        parts.append(f"<div class=why>{escape(v.cells_text())}</div>")
    parts += _qualifications(v.claim, content.registrations(v.claim.paper).get(v.claim.id))
    figures = [d for d in drawn if v.claim.id in d.index.claims and d.entry]
    links = (
        "<br>".join(
            f'<a class=nb href="{"" if d.index.paper == v.claim.paper else f"{d.index.paper}.html"}#{escape(d.index.id)}">{escape(d.index.number)}</a>'
            for d in figures
        )
        or "–"
    )
    css = " class=changed" if v.claim.id in changed else ""
    return (
        f'<tr{css} id="{escape(v.claim.id)}"><td><span class=id>{escape(v.claim.id)}</span><br><span class=where>{escape(v.claim.where)}</span></td>'
        f'<td>{escape(v.claim.statement)}</td><td><span class="verdict {v.verdict}">{WORDS[v.verdict]}</span>'
        f"<br><span class=where>{escape(v.claim.variant.replace('_', ' '))}</span></td><td>{''.join(parts)}</td><td>{escape(v.tier)}</td><td>{links}</td></tr>"
    )


def _skipped_row(claim: Claim, why: str, content: Content) -> str:
    """A claim that this run does not judge, with the reason."""
    known = "".join(_qualifications(claim, content.registrations(claim.paper).get(claim.id)))
    return (
        f'<tr id="{escape(claim.id)}"><td><span class=id>{escape(claim.id)}</span><br><span class=where>{escape(claim.where)}</span></td>'
        f'<td>{escape(claim.statement)}</td><td><span class="verdict not_measured">{"waiting" if claim.waits_for else "not judged"}</span><br><span class=where>{escape(claim.variant.replace("_", " "))}</span></td>'
        f"<td><div class=why>{escape(why)}</div>{known}</td><td>–</td><td>–</td></tr>"
    )


def verdict_table(content: Content, paper: str) -> str:
    """The paper's claims, a row each."""
    verdicts = [v for v in content.judgement.verdicts if v.claim.paper == paper]
    changed = {c.claim for c in content.changes if c.recorded != UNRECORDED}
    every = [(v.claim.id, _verdict_row(v, content, changed)) for v in verdicts]
    every += [(c.id, _skipped_row(c, why, content)) for c, why in content.judgement.skipped if c.paper == paper]
    rows = "".join(row for _, row in sorted(every))
    table = (
        (
            "<table class=verdicts><thead><tr><th>claim</th><th>the claim as it is judged, in our words</th><th>verdict</th><th>measured, and bound</th>"
            f"<th>tier</th><th>figure</th></tr></thead><tbody>{rows}</tbody></table>"
        )
        if every
        else "<p>There is no claim.</p>"
    )
    return table + changes_line(content, paper)


def changes_line(content: Content, paper: str = "") -> str:
    """Verdicts that differ from the record, of one paper or ("") of all."""
    papers = {v.claim.id: v.claim.paper for v in content.judgement.verdicts}
    own = [c for c in content.changes if c.recorded != UNRECORDED and paper in ("", papers.get(c.claim))]
    words = "; ".join(f"{escape(c.claim)} was {escape(c.recorded)}, is {escape(c.now)}" for c in own)
    return f"<p>Different from the record: {words}.</p>" if own else ""


def matrix(content: Content) -> str:
    """A row per paper, a cell per claim: its verdict by colour and shape,
    with a link to its row on the paper's page."""
    judged = [(v.claim, v.verdict) for v in content.judgement.verdicts]
    judged += [(claim, "not_measured") for claim, _ in content.judgement.skipped]
    rows = []
    for paper in filter(content.has_claims, content.papers()):
        own = sorted((claim.id, verdict) for claim, verdict in judged if claim.paper == paper)
        cells = "".join(
            f'<a class="verdict {verdict}" href="{paper}.html#{escape(claim)}" title="{escape(claim)}: {WORDS[verdict]}">'
            f"{escape(claim.rpartition('-')[2])}</a>"
            for claim, verdict in own
        )
        counted = Counter(verdict for _, verdict in own)
        counts = ", ".join(f"{n} {WORDS[verdict]}" for verdict in WORDS if (n := counted[verdict]))
        listed = len(of_paper(paper))
        errata = f'; <a href="{paper}.html#errata">{listed} errata of its text</a>' if listed else ""
        about = notes_of(paper)
        rows.append(
            f'<h3><a href="{paper}.html">{escape(about["short"])}</a></h3><p class=lede>{escape(about["citation"])}</p>'
            f"<div class=matrix>{cells}</div><p class=lede>{counts}{errata}.</p>"
        )
    return "".join(rows)


def counts_line(verdicts: Iterable[Verdict], waiting: int = 0) -> str:
    """How many claims got each verdict, as HTML."""
    counted = Counter(v.verdict for v in verdicts)
    spans = [f'<span class="{k}"><b>{counted[k]}</b>{WORDS[k]}</span>' for k in VERDICTS if counted[k]]
    spans += [f'<span class="not_measured"><b>{waiting}</b>waiting</span>'] if waiting else []
    return f"<div class=counts>{''.join(spans)}</div>"


def summary_table(content: Content, paper: str) -> Table:
    """The verdicts as a table for a paper of one's own."""
    table = Table(
        [
            Column("claim"),
            Column("where"),
            Column("statement"),
            Column("verdict"),
            Column("variant"),
            Column("tier"),
            Column("measured"),
        ]
    )
    for v in content.judgement.verdicts:
        if v.claim.paper == paper:
            table.add(
                v.claim.id,
                v.claim.where,
                v.claim.statement,
                WORDS[v.verdict],
                v.claim.variant,
                v.tier,
                "; ".join(c.text() for c in v.comparisons) or v.reason,
            )
    return table

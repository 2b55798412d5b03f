# SPDX-License-Identifier: BSD-3-Clause
"""The ledger of a paper's errata (`errata.json`): what the text gets wrong or leaves open, the switch between the
readings, and how much it matters as measured in these runs."""

from __future__ import annotations

from collections import Counter
from html import escape

from deformbench_analysis.errata import Erratum
from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.tables import Column, Table

TAGS = {"E": "error of the text", "F": "true in a regime only", "A": "left open", "O": "damage in copying"}
PLURALS = {"E": "errors of the text", "F": "true in a regime only", "A": "left open", "O": "damage in copying"}


def size(value: Value) -> str:
    """A measured number with its unit, or why there is none."""
    if value.value is None:
        return f"not measured ({value.note})" if value.note else "not measured"
    return f"{value.value:.4g}" + ("" if value.unit in ("", "1") else f" {value.unit}")


def table(entries: list[Erratum], measurer: Measurer) -> Table:
    """For a paper of one's own: one row per measurement, or one with the sentence on notation."""
    out = Table(
        [
            Column("erratum"),
            Column("kind"),
            Column("where"),
            Column("what is meant"),
            Column("switch"),
            Column("measurement"),
            Column("value"),
            Column("unit"),
        ]
    )
    for e in entries:
        about = (e.id, TAGS.get(e.tag, e.tag), e.where, e.meant, e.switch_text())
        if not e.measured_by:
            out.add(*about, "", e.notation, "")
        for name in e.measured_by:
            value = measurer(name)
            out.add(
                *about,
                name,
                size(value) if value.value is None else f"{value.value:.6g}",
                "" if value.value is None else value.unit,
            )
    return out


def _measured(e: Erratum, measurer: Measurer) -> str:
    if not e.measured_by:
        return f"<div class=why>Notation: {escape(e.notation)}</div>"
    parts = []
    for s in e.sizes:
        value = measurer(s.measurement)
        entry = measurer.registry.get(s.measurement)
        what = escape(entry.definition.rstrip(".")) if entry else ""
        shown = (
            f"<span class=v>{escape(size(value))}</span>"
            if value.value is not None
            else f"<span class=why>{escape(size(value))}</span>"
        )
        limit = (
            f" <span class=b>(must be {escape(s.bound['op'])} {escape(str(s.bound['value']))})</span>"
            if s.bound
            else ""
        )
        parts.append(f"<div class=m>{what}: {shown}{limit} <code class=name>{escape(s.measurement)}</code></div>")
    return "".join(parts)


def _switch(e: Erratum) -> str:
    s = e.switch
    if not s:
        return "–"
    return (
        f"<code>{escape(s['parameter'])}</code> of {escape(s['method'])}<br><span class=where>as printed: <code>{escape(s['as_printed'])}</code><br>"
        f"corrected: <code>{escape(s['corrected'])}</code></span>"
    )


def ledger(entries: list[Erratum], measurer: Measurer) -> str:
    """The ledger as HTML: the sentence of each measurement, its value, its bound where it has one, its name."""
    if not entries:
        return "<p>None recorded.</p>"
    counted = Counter(e.tag for e in entries)
    kinds = "; ".join(
        f"{n} {(PLURALS if n > 1 else TAGS).get(tag, tag)} ({tag})" for tag, n in ((t, counted[t]) for t in TAGS) if n
    )
    measured = sum(1 for e in entries if e.measured_by and all(measurer(m).value is not None for m in e.measured_by))
    rows = "".join(
        f'<tr id="{escape(e.id)}"><td><span class=id>{escape(e.id)}</span><br><span class=where>{escape(e.where)}</span></td>'
        f'<td><span class="tag tag-{escape(e.tag)}" title="{escape(TAGS.get(e.tag, e.tag))}">{escape(e.tag)}</span></td>'
        f"<td>{escape(e.meant)}</td><td>{_switch(e)}</td><td>{_measured(e, measurer)}</td></tr>"
        for e in entries
    )
    return (
        f"<p class=lede>{len(entries)} entries: {kinds}. Of {sum(1 for e in entries if e.measured_by)} that change what is computed, {measured} are measured in these runs; "
        "for the others a sentence says why nothing depends on them.</p>"
        "<table class=errata><thead><tr><th>erratum</th><th>kind</th><th>what is meant</th><th>switch</th><th>measured size, or why there is none</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )

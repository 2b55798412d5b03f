# SPDX-License-Identifier: BSD-3-Clause
"""The ledger of a paper's errata (`errata.json`): what the text gets wrong or leaves open, the switch between the
readings, and how much it matters as measured in these runs."""

from collections import Counter

from markupsafe import Markup

from deformbench_analysis.errata import Erratum
from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.tables import Table
from paper_figures.report.templating import part, size

TAGS = {"E": "error of the text", "F": "true in a regime only", "A": "left open", "O": "damage in copying"}
PLURALS = {"E": "errors of the text", "F": "true in a regime only", "A": "left open", "O": "damage in copying"}


def shown(value: Value) -> str:
    """A measured number with its unit, or why there is none."""
    if value.value is None:
        return f"not measured ({value.note})" if value.note else "not measured"
    return size(value.value, value.unit)


def first(entries: list[Erratum]) -> list[tuple[Erratum, str]]:
    """Errors of the text that change what is computed, each with what is meant in a sentence."""
    return [(e, e.meant.split(". ")[0].rstrip(".") + ".") for e in entries if e.tag == "E" and e.measured_by]


def table(entries: list[Erratum], measurer: Measurer) -> Table:
    """For a paper of one's own: one row per measurement, or one with the sentence on notation."""
    out = Table.of("erratum; kind; where; what is meant; switch; measurement; value; unit")
    for e in entries:
        about = (e.id, TAGS.get(e.tag, e.tag), e.where, e.meant, e.switch_text())
        if not e.measured_by:
            out.add(*about, "", e.notation, "")
        for name in e.measured_by:
            value = measurer(name)
            out.add(
                *about,
                name,
                shown(value) if value.value is None else f"{value.value:.6g}",
                "" if value.value is None else value.unit,
            )
    return out


def ledger(entries: list[Erratum], measurer: Measurer) -> Markup:
    """The ledger as HTML: the sentence of each measurement, its value, its bound where it has one, its name."""
    counted = Counter(e.tag for e in entries)
    kinds = [f"{counted[t]} {(PLURALS if counted[t] > 1 else TAGS).get(t, t)} ({t})" for t in TAGS if counted[t]]
    measured = sum(1 for e in entries if e.measured_by and all(measurer(m).value is not None for m in e.measured_by))
    return part("errata", entries, measurer, "; ".join(kinds), measured, TAGS, shown)

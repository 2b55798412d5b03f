# SPDX-License-Identifier: BSD-3-Clause
"""The findings that open the report: what is surprising and true, a sentence each, with its numbers taken from these runs.

`findings.json` holds the sentences. `{name:format}` in a sentence is the value of a measurement; `when` is a predicate as claims
have it: a sentence whose predicate does not hold in these runs is not shown as true, but named as not confirmed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from deformbench_analysis.claims import leaves_of
from deformbench_analysis.errors import InputError
from deformbench_analysis.measurement import Measurer
from deformbench_analysis.verdicts import Comparison, Outcome, evaluate
from paper_figures.entry import Drawn

_PLACE = re.compile(r"\{([a-z][a-z0-9_]*\.[a-z][a-z0-9_]*)(?::([^}]*))?\}")


@dataclass(frozen=True)
class Finding:
    """One sentence; `behind` are the claims and errata that it follows from, `figure` shows it ("" where none does)."""

    id: str
    sentence: str
    when: dict[str, Any]
    figure: str
    behind: list[str]

    def measurements(self) -> list[str]:
        """Names of all measurements in sentence and predicate, each once."""
        return list(
            dict.fromkeys(
                [m.group(1) for m in _PLACE.finditer(self.sentence)]
                + [leaf["measurement"] for leaf in leaves_of(self.when)]
            )
        )


def load(path: Path | None = None) -> list[Finding]:
    """In the order of the file."""
    path = path or Path(__file__).with_name("findings.json")
    try:
        return [Finding(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))["findings"]]
    except (OSError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise InputError(
            f'{path}: expected {{"findings": [{{id, sentence, when, figure, behind}}, …]}} ({error})'
        ) from error


def _filled(finding: Finding, measurer: Measurer) -> Iterator[str]:
    """The sentence as HTML, numbers in their places."""
    end = 0
    for place in _PLACE.finditer(finding.sentence):
        yield escape(finding.sentence[end : place.start()])
        value = measurer(place.group(1)).value
        assert value is not None  # the predicate was decided, and every place is among the measurements asked for
        yield f"<span class=v>{escape(format(value, place.group(2) or '.3g'))}</span>"
        end = place.end()
    yield escape(finding.sentence[end:])


def _sources(finding: Finding, drawn: Sequence[Drawn]) -> str:
    papers = {c: d.index.paper for d in drawn for c in d.index.claims}
    figure = next((d for d in drawn if d.index.id == finding.figure), None)
    links = (
        [f'<a href="{figure.index.paper}.html#{figure.index.id}">{escape(figure.index.number)}</a>'] if figure else []
    )
    links += [f'<a href="{papers[b]}.html#{b}">{b}</a>' if b in papers else escape(b) for b in finding.behind]
    return f" <span class=lede>({', '.join(links)})</span>"


def page(measurer: Measurer, drawn: Sequence[Drawn]) -> str:
    """The list; below it what these runs do not confirm, or cannot, with the reason."""
    told: list[str] = []
    untold: list[str] = []
    for finding in load():
        absent = [measurer(n) for n in finding.measurements() if measurer(n).value is None]
        comparisons: list[Comparison] = []
        if absent:
            untold.append(
                f"<li>{escape(finding.id)}: not measured in these runs ({escape(absent[0].name)}: {escape(absent[0].note)})</li>"
            )
        elif evaluate(finding.when, measurer, False, comparisons) is Outcome.TRUE:
            told.append(
                f'<li id="finding-{escape(finding.id)}">{"".join(_filled(finding, measurer))}{_sources(finding, drawn)}</li>'
            )
        else:
            why = "; ".join(c.text() for c in comparisons if c.outcome is Outcome.FALSE)
            untold.append(f"<li class=failed>{escape(finding.id)}: not confirmed in these runs ({escape(why)})</li>")
    text = f"<ol class=findings>{''.join(told)}</ol>" if told else "<p>These runs measure none of them.</p>"
    return text + (
        f"<details><summary>{len(untold)} more that these runs do not show</summary><ul>{''.join(untold)}</ul></details>"
        if untold
        else ""
    )

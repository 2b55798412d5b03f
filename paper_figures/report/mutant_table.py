# SPDX-License-Identifier: BSD-3-Clause
"""The table of mutants: mistakes put into our own sources, and who noticed, as `tests/mutants/replay` stored it."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from deformbench_analysis.claims import all_claims
from deformbench_analysis.paths import project_root

LEDE = (
    "A predicate is useful only if a mistake makes it fail. Each row is a realistic mistake, applied to a copy of the sources, built and run: "
    "the claims named must get another verdict than the recorded one, and a test should turn red."
)


def outcomes() -> dict[str, Any]:
    """Stored outcomes of the mutants by name; empty when there are none."""
    path = project_root() / "tests" / "mutants" / "outcomes.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))["mutants"]) if path.exists() else {}


def _claims_cell(claims: dict[str, dict[str, str]]) -> str:
    if not claims:
        return "–"
    parts = []
    for claim, v in claims.items():
        css = ' class="survived"' if v["mutated"] == v["recorded"] else ""
        parts.append(
            f"<div><span class=id>{escape(claim)}</span>: {escape(v['recorded'].replace('_', ' '))} → <span{css}>{escape(v['mutated'].replace('_', ' '))}</span></div>"
        )
    return "".join(parts)


def _tests_cell(tests: dict[str, bool]) -> str:
    return (
        "".join(
            f"<div><code>{escape(t)}</code>: {'red' if red else '<span class=survived>green</span>'}</div>"
            for t, red in tests.items()
        )
        or "–"
    )


def line() -> str:
    """How many there are and how many were noticed, with the link."""
    stored = outcomes()
    if not stored:
        return ""
    by_test = sum(1 for o in stored.values() if any(o["tests"].values()))
    owned = [o for o in stored.values() if o["claims"]]
    by_verdict = sum(1 for o in owned if all(v["mutated"] != v["recorded"] for v in o["claims"].values()))
    return (
        f'<p class=lede>{len(stored)} <a href="mutants.html">mutants</a>, mistakes put into our own sources on purpose: a test noticed {by_test}; '
        f"of {len(owned)} that claims own, the verdicts noticed {by_verdict}.</p>"
    )


def page() -> str:
    """The table, then the claims that no mutant can touch, each with the reason."""
    stored = outcomes()
    rows = "".join(
        f'<tr id="{escape(name)}"><td>{escape(o["mistake"])}<br><code class=name>{escape(", ".join(o["files"]))}</code></td>'
        f"<td>{_claims_cell(o['claims'])}</td><td>{_tests_cell(o['tests'])}</td></tr>"
        for name, o in sorted(stored.items())
    )
    table = (
        (
            "<table class=mutants><thead><tr><th>mistake</th><th>claim: recorded → with the mistake</th><th>tests</th></tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )
        if rows
        else "<p>No mutant has been replayed.</p>"
    )
    without = [c for claims in all_claims().values() for c in claims if c.why_no_mutant]
    reasons = "".join(f"<li>{escape(c.id)}: {escape(c.why_no_mutant)}</li>" for c in without)
    return (
        f'<section id="mutants">{line()}{table}'
        + (f"<h2>Claims that no mistake of ours can change</h2><ul>{reasons}</ul>" if reasons else "")
        + "</section>"
    )

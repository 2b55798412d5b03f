# SPDX-License-Identifier: BSD-3-Clause
"""The table of mutants: mistakes put into our own sources, and who noticed, as `tests/mutants/replay` stored it."""

import json
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from deformbench_analysis.claims import all_claims
from deformbench_analysis.paths import project_root
from paper_figures.report.templating import part

LEDE = (
    "A predicate is useful only if a mistake makes it fail. Each row is a realistic mistake, applied to a copy of "
    "the sources, built and run: "
    "the claims named must get another verdict than the recorded one, and a test should turn red."
)


def outcomes() -> dict[str, Any]:
    """Stored outcomes of the mutants by name; empty when there are none."""
    path = project_root() / "tests" / "mutants" / "outcomes.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))["mutants"]) if path.exists() else {}


def of_claim(claim: str) -> dict[str, tuple[dict[str, Any], dict[str, str]]]:
    """Mutants that a claim owns: name → stored outcome, and the claim's verdicts in it."""
    return {name: (o, o["claims"][claim]) for name, o in sorted(outcomes().items()) if claim in o["claims"]}


def line() -> str:
    """How many there are and how many were noticed."""
    stored = outcomes()
    if not stored:
        return ""
    by_test = sum(1 for o in stored.values() if any(o["tests"].values()))
    owned = [o for o in stored.values() if o["claims"]]
    by_verdict = sum(1 for o in owned if all(v["mutated"] != v["recorded"] for v in o["claims"].values()))
    return (
        f"{len(stored)} mutants, mistakes put into our own sources on purpose: a test noticed {by_test}; "
        f"of {len(owned)} that claims own, the verdicts noticed {by_verdict}."
    )


def page(pages: Mapping[str, str] | None = None) -> Markup:
    """The table, then the claims that no mutant can touch, each with the reason. `pages` are those of claims."""
    without = [c for claims in all_claims().values() for c in claims if c.why_no_mutant]
    return part("mutants", line(), sorted(outcomes().items()), without, pages or {})

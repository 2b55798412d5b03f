# SPDX-License-Identifier: BSD-3-Clause
"""The comparisons that every report has: standing.json lists sides, the baseline first, and experiments. Pages are as
from `deformbench compare`; sides without a cell in the results are omitted, and the page says so."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deformbench_analysis.comparison.pairs import compare_sides
from deformbench_analysis.comparison.sides import Side, parse_all
from deformbench_analysis.results import Results
from paper_figures.comparison import page

LIST = Path(__file__).with_name("standing.json")


def _sides(entry: dict[str, Any], results: Results, tier: str) -> tuple[list[Side], list[Side]]:
    """Sides with cells in an experiment, and the others."""
    data = [results.with_joined(i, tier) for i in entry["experiments"]]
    sides = parse_all(entry["sides"])
    there = [s for s in sides if any(s.cells(d) for d in data)]
    return there, [s for s in sides if s not in there]


def write_all(results: Results, tier: str, out: Path, entries: Sequence[dict[str, Any]] | None = None) -> list[Path]:
    """Writes pages whose baseline and another side have cells; returns paths."""
    listed: Sequence[dict[str, Any]] = json.loads(LIST.read_text(encoding="utf-8")) if entries is None else entries
    written = []
    for entry in listed:
        there, absent = _sides(entry, results, tier)
        if len(there) < 2 or there[0].text != entry["sides"][0]:
            continue
        comparison = compare_sides(results, there, tier, entry["experiments"])
        name = page.PREFIX + "_".join(entry["title"].lower().split())
        written.append(page.write(comparison, results, out, name, entry["title"], absent))
    return written

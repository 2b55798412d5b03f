# SPDX-License-Identifier: BSD-3-Clause
"""Claims that one method beats another: `edges.json`, and the page with a matrix of methods per dimension.

An edge says nothing that the predicate of its claim does not (docs/claims_format.md)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from deformbench_analysis.errors import InputError
from paper_figures.report import disputes
from paper_figures.report.content import Content, Judged
from paper_figures.report.templating import render, size
from paper_figures.report.verdict_tables import listed

FILE, PAGE = "edges.json", "edges.html"
DIMENSIONS = ("convergence", "cost", "timing", "robustness", "quality", "generality", "structure")
_HOLDS = ("holds", "holds_in_regime")


@dataclass(frozen=True)
class Edge:
    """The edge of a claim, and its ratio as measured: a number, a reason, or None without a measurement."""

    j: Judged
    ratio: dict[str, Any] | None

    @property
    def declared(self) -> Mapping[str, Any]:
        """As the claim has it."""
        edge: Mapping[str, Any] = self.j.claim.data["edge"]
        return edge

    def says(self) -> str:
        """For the cell of the matrix."""
        claim, ratio = self.j.claim, self.ratio
        number = f"; ratio {size(ratio['value'])} {ratio['note']}".rstrip() if ratio and ratio["value"] else ""
        regime = f"; {claim.regime}" if self.j.verdict == "holds_in_regime" else ""
        return f"{claim.id}: {claim.statement} ({self.declared['unit']}{number}{regime})"

    def data(self) -> dict[str, Any]:
        """For edges.json."""
        claim, cells = self.j.claim, self.j.judged.cells if self.j.judged else {}
        kept = {k: v for k, v in self.declared.items() if k != "ratio"}
        words = {"regime_in_words": claim.regime} if claim.regime else {}
        about = {"claim": claim.id, "paper": claim.paper, "statement": claim.statement, "where": claim.where}
        read = {"text_checked": not claim.source_said}
        return {**about, **kept, **words, **read, "verdict": self.j.verdict, "ratio": self.ratio, "cells": cells}


def of(content: Content) -> list[Edge]:
    """The edges of all claims shown, by claim."""

    def ratio(j: Judged) -> dict[str, Any] | None:
        name = j.claim.data["edge"].get("ratio")
        if name is None:
            return None
        found = content.measurer(name)
        value = found.value if found.value is None or math.isfinite(found.value) else str(found.value)
        return {"measurement": name, "value": value, "note": found.note}

    shown = content.papers()
    return [Edge(j, ratio(j)) for j in content.claims() if "edge" in j.claim.data and j.claim.paper in shown]


def _meet(one: Any, other: Any) -> bool:
    """Whether two ranges of numbers, or two lists of texts, have something in common."""
    if all(isinstance(n, (int, float)) for n in (*one, *other)):
        return bool(max(one[0], other[0]) <= min(one[1], other[1]))
    return not {*one}.isdisjoint(other)


def require_consistent(edges: Sequence[Edge]) -> None:
    """InputError where two opposite edges of one dimension and unit both hold and their regimes overlap."""
    for one, other in combinations([e for e in edges if e.j.verdict in _HOLDS], 2):
        a, b = one.declared, other.declared
        if (a["from"], a["to"], a["dimension"], a["unit"]) != (b["to"], b["from"], b["dimension"], b["unit"]):
            continue
        regimes = a.get("regime", {}), b.get("regime", {})
        if all(_meet(regimes[0][key], regimes[1][key]) for key in regimes[0].keys() & regimes[1].keys()):
            raise InputError(
                f"claims {one.j.claim.id} and {other.j.claim.id}: /edge: {a['from']} and {a['to']} both hold to beat "
                f"each other in {a['unit']}, expected regimes that exclude each other"
            )


def _answered(content: Content) -> list[tuple[disputes.Dispute, list[str], str]]:
    """Disputes whose experiments were run, with the lines of the answer and the page of the figure."""
    run = {data.id for data in content.experiments() if data.cells}
    pages = {d.index.id: f"{d.index.paper}.html#{d.index.id}" for d in content.drawn if d.entry}
    verdicts = {j.claim.id: j.verdict for j in content.claims()}
    return [
        (one, disputes.lines(one, content.measurer, verdicts), pages.get(one.figure, ""))
        for one in disputes.load().values()
        if run.issuperset(one.experiments)
    ]


def page(edges: Sequence[Edge], content: Content) -> str:
    """One matrix per dimension; rows are said to beat columns. Below, the disputes that these runs answer."""
    matrices = []
    for dimension in DIMENSIONS:
        own = [e for e in edges if e.declared["dimension"] == dimension]
        rows, columns = (sorted({str(e.declared[side]) for e in own}) for side in ("from", "to"))
        cells: dict[tuple[str, str], list[Edge]] = {}
        for e in own:
            cells.setdefault((e.declared["from"], e.declared["to"]), []).append(e)
        if own:
            matrices.append((dimension, rows, columns, cells))
    about = {"matrices": matrices, "disputes": _answered(content)}
    return render("edges.html", content=content, table=listed([e.j for e in edges], content), **about)

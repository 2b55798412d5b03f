# SPDX-License-Identifier: BSD-3-Clause
"""All that the pages show, and what stands about a paper beside its figures."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from deformbench_analysis.claims import Claim
from deformbench_analysis.measurement import Measurer
from deformbench_analysis.paths import figures_dir
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.trace import Trace
from deformbench_analysis.verdicts import Change, Judgement
from paper_figures.entry import Drawn


@dataclass
class Content:
    """All that the pages show."""

    results: Results
    tier: str
    judgement: Judgement
    drawn: list[Drawn]
    measurer: Measurer
    changes: list[Change] = field(default_factory=list)

    def experiments(self) -> list[ExperimentData]:
        """All experiments of the tree and of the results, at the report's tier."""
        known = sorted(set(self.results.declarations) | set(self.results.experiments()))
        return [self.results.experiment(i, self.tier) for i in known]

    def traces(self) -> list[Trace]:
        """All cells."""
        return [c for e in self.experiments() for c in e.cells]

    def definitions(self) -> dict[str, str]:
        """Measurement → its defining sentence."""
        return {name: entry.definition for name, entry in self.measurer.registry.items()}

    def waiting(self) -> list[Claim]:
        """Claims that nothing here can judge yet."""
        return [claim for claim, _ in self.judgement.skipped if claim.waits_for]

    def has_claims(self, paper: str) -> bool:
        """Whether claims of the paper were judged or skipped."""
        return any(
            c.paper == paper
            for c in [v.claim for v in self.judgement.verdicts] + [c for c, _ in self.judgement.skipped]
        )

    def papers(self) -> list[str]:
        """Papers with claims or figures, each once."""
        named = (
            [v.claim.paper for v in self.judgement.verdicts]
            + [c.paper for c, _ in self.judgement.skipped]
            + [d.index.paper for d in self.drawn]
        )
        return list(dict.fromkeys(named))


def notes_of(paper: str) -> dict[str, Any]:
    """Citation and limitations of a paper."""
    path = figures_dir() / paper / "notes.json"
    if not path.exists():
        return {"short": paper, "citation": paper, "limitations": []}
    return dict(json.loads(path.read_text(encoding="utf-8")))

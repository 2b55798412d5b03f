# SPDX-License-Identifier: BSD-3-Clause
"""All that the pages show, and what stands about a paper beside its figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from deformbench_analysis import papers, registration
from deformbench_analysis.claims import Claim
from deformbench_analysis.errors import InputError
from deformbench_analysis.json_files import read_object
from deformbench_analysis.measurement import Measurer
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.trace import Trace
from deformbench_analysis.records import Change
from deformbench_analysis.verdicts import Judgement
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
    only: frozenset[str] | None = None  # experiments, where the report is of some papers; None for all
    _registrations: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)

    def experiments(self) -> list[ExperimentData]:
        """All experiments of the tree and of the results, at the report's tier."""
        known = sorted(set(self.results.declarations) | set(self.results.experiments()))
        known = [i for i in known if self.only is None or i in self.only]
        return [self.results.experiment(i, self.tier) for i in known]

    def traces(self) -> list[Trace]:
        """All cells."""
        return [c for e in self.experiments() for c in e.cells]

    def definitions(self) -> dict[str, str]:
        """Measurement → its defining sentence."""
        return {name: entry.definition for name, entry in self.measurer.registry.items()}

    def registrations(self, paper: str) -> dict[str, dict[str, Any]]:
        """Registrations and amendments of a paper's claims."""
        if paper not in self._registrations:
            known = papers.find(paper)
            self._registrations[paper] = registration.read(known) if known is not None else {}
        return self._registrations[paper]

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
    """Short name, citation and limitations of a paper."""
    of = papers.find(paper)
    notes = read_object(of.about) if of is not None and of.about.exists() else {}
    notes = {"short": paper, "citation": paper, "limitations": [], **notes}
    if not all(isinstance(notes[k], str) for k in ("short", "citation")) or not isinstance(notes["limitations"], list):
        raise InputError(f"{of and of.about}: expected texts short and citation, and a list of limitations")
    return notes

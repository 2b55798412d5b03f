# SPDX-License-Identifier: BSD-3-Clause
"""All that the pages show, what stands about a paper beside its figures, and where the page of a claim is."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from deformbench_analysis import papers, registration
from deformbench_analysis.claims import Claim
from deformbench_analysis.errors import InputError
from deformbench_analysis.json_files import read_object
from deformbench_analysis.measurement import Measurer
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.trace import Trace
from deformbench_analysis.records import UNRECORDED, Change
from deformbench_analysis.verdicts import Judgement, Verdict
from paper_figures.entry import Drawn


def file_name(identifier: str) -> str:
    """An id as far as the name of a file can hold it."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", identifier)[:60]
    return name if name == identifier else f"{name}_{hashlib.sha256(identifier.encode()).hexdigest()[:8]}"


def claim_page(claim: Claim) -> str:
    """Path of a claim's page from the folder of the report."""
    return f"{claim.paper}/claims/{file_name(claim.id)}.html"


@dataclass(frozen=True)
class Judged:
    """A claim with its verdict, or with the reason why it was not judged."""

    claim: Claim
    judged: Verdict | None
    why_not: str = ""

    @property
    def verdict(self) -> str:
        """One of VERDICTS."""
        return self.judged.verdict if self.judged else "not_measured"

    @property
    def is_run(self) -> bool:
        """Whether these runs judge it."""
        return self.verdict != "not_measured"

    @property
    def reason(self) -> str:
        """Why there is no verdict, or none that decides."""
        return self.judged.reason if self.judged else self.why_not

    @property
    def page(self) -> str:
        """Path of its page from the folder of the report."""
        return claim_page(self.claim)


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
    records: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # paper → claim → recorded verdict
    scenes: Mapping[str, str] = field(default_factory=dict)  # experiment → path of the page that plays it
    _registrations: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)

    def experiments(self) -> list[ExperimentData]:
        """All experiments of the tree and of the results, at the report's tier."""
        known = sorted(set(self.results.declarations) | set(self.results.experiments()))
        known = [i for i in known if self.only is None or i in self.only]
        return [self.results.experiment(i, self.tier) for i in known]

    def traces(self) -> list[Trace]:
        """All cells."""
        return [c for e in self.experiments() for c in e.cells]

    def definition(self, name: str) -> str:
        """A measurement in a sentence; its name where it has none."""
        entry = self.measurer.registry.get(name)
        return entry.definition.rstrip(".") if entry else name

    def registration(self, claim: Claim) -> dict[str, Any]:
        """Registration and amendments of a claim."""
        return self.registrations(claim.paper).get(claim.id, {})

    def registrations(self, paper: str) -> dict[str, dict[str, Any]]:
        """Registrations and amendments of a paper's claims."""
        if paper not in self._registrations:
            known = papers.find(paper)
            self._registrations[paper] = registration.read(known) if known is not None else {}
        return self._registrations[paper]

    @cached_property
    def _claims(self) -> list[Judged]:
        found = [Judged(v.claim, v) for v in self.judgement.verdicts]
        found += [Judged(claim, None, why) for claim, why in self.judgement.skipped]
        return sorted(found, key=lambda j: j.claim.id)

    def claims(self, paper: str = "") -> list[Judged]:
        """The claims of one paper, or of all, judged or not, by id."""
        return [j for j in self._claims if paper in ("", j.claim.paper)]

    def pages(self) -> dict[str, str]:
        """Claim → path of its page, for the claims that have one."""
        return {j.claim.id: j.page for j in self._claims if j.claim.paper in self._shown}

    def differing(self, paper: str = "") -> list[Change]:
        """Verdicts that differ from the record, of one paper or of all."""
        own = {j.claim.id for j in self.claims(paper)}
        return [c for c in self.changes if c.recorded != UNRECORDED and c.claim in own]

    def methods(self, claim: Claim) -> list[str]:
        """Ids of the methods that its experiments declare."""
        declared = [self.results.declarations[i].data for i in claim.experiments if i in self.results.declarations]
        parts = [part for data in declared for part in (data, *data["tiers"].values())]
        return sorted({str(row["method"]) for part in parts for row in part.get("methods", []) if "method" in row})

    def figures(self, claim: Claim) -> list[Drawn]:
        """Drawn figures that show it."""
        return [d for d in self.drawn if claim.id in d.index.claims and d.entry]

    @cached_property
    def _papers(self) -> list[str]:
        named = [v.claim for v in self.judgement.verdicts] + [c for c, _ in self.judgement.skipped]
        return list(dict.fromkeys([c.paper for c in named] + [d.index.paper for d in self.drawn]))

    @cached_property
    def _shown(self) -> list[str]:
        return [p for p in self._papers if self._is_shown(p)]

    def papers(self) -> list[str]:
        """Papers with claims or figures, each once, of which these runs show something."""
        return self._shown

    def papers_not_run(self) -> list[str]:
        """The others."""
        return [p for p in self._papers if p not in self._shown]

    def _is_shown(self, paper: str) -> bool:
        def is_run(experiments: Iterable[str]) -> bool:
            return any(self.results.experiment(i, self.tier).cells for i in experiments)

        own = [d for d in self.drawn if d.index.paper == paper]
        return (
            self.only is not None
            or is_run(i for i, d in self.results.declarations.items() if d.paper == paper)
            or any(j.is_run and is_run(j.claim.experiments) for j in self.claims(paper))
            or any(d.entry or d.broken or d.refused for d in own)
        )


def notes_of(paper: str) -> dict[str, Any]:
    """Short name, citation and limitations of a paper."""
    of = papers.find(paper)
    notes = read_object(of.about) if of is not None and of.about.exists() else {}
    notes = {"short": paper, "citation": paper, "limitations": [], **notes}
    texts = all(isinstance(notes[k], str) for k in ("short", "citation"))
    if not texts or not isinstance(notes["limitations"], list):
        raise InputError(f"{of and of.about}: expected texts short and citation, and a list of limitations")
    return notes

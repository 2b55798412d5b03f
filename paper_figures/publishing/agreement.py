# SPDX-License-Identifier: BSD-3-Clause
"""Which verdicts of several reports are the same. Compared is what is judged alike: one claim in one form, at one
tier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from deformbench_analysis.claims import VERDICTS
from deformbench_analysis.declarations import TIERS
from paper_figures.publishing.feeds import Published

_NOT_RUN = ("not_testable", "not_measured")  # said of a claim, not found by a run


@dataclass
class Row:
    """A claim in one form at one tier: the verdicts, each with its reports and the claim's page in them."""

    claim: str
    tier: str
    by_verdict: dict[str, list[tuple[Published, str]]] = field(default_factory=dict)

    @property
    def differs(self) -> bool:
        """Whether two reports have different verdicts."""
        return len(self.by_verdict) > 1

    @property
    def machines(self) -> dict[str, str]:
        """Machine → its kind of processor."""
        return {r.machine: str(r.data["processor"]) for of in self.by_verdict.values() for r, _ in of}


def rows(reports: Sequence[Published]) -> list[Row]:
    """All claims that a run has judged: those that differ first, then by name and tier."""
    found: dict[tuple[str, ...], Row] = {}
    for report in reports:
        tier = str(report.data["tier"])
        for v in report.verdicts:
            if v["verdict"] not in _NOT_RUN:
                row = found.setdefault((v["claim"], tier, v["judged"]), Row(v["claim"], tier))
                row.by_verdict.setdefault(v["verdict"], []).append((report, v["page"]))
    for row in found.values():
        row.by_verdict = {k: row.by_verdict[k] for k in VERDICTS if k in row.by_verdict}
    return sorted(found.values(), key=lambda row: (not row.differs, row.claim, TIERS.index(row.tier)))


def sentences(found: Iterable[Row]) -> list[str]:
    """For each tier, what machines agree on: of the claims that two of them or more have judged."""
    lines = []
    by_tier = {tier: [row for row in found if row.tier == tier] for found in [list(found)] for tier in TIERS}
    for tier, of in by_tier.items():
        compared = [row for row in of if len(row.machines) > 1]
        machines = {machine: kind for row in compared for machine, kind in row.machines.items()}
        kinds = len(set(machines.values()))
        where = f"{len(machines)} machines of {'one kind' if kinds == 1 else f'{kinds} kinds'} of processor"
        both = f"{len(compared)} claim{'s' * (len(compared) > 1)} that at least two of them judged"
        differing = [row.claim for row in compared if row.differs]
        if compared and not differing:
            lines.append(f"At tier {tier}: the same verdicts on {where} ({both}).")
        elif compared:
            same = len(compared) - len(differing)
            named = ", ".join(differing[:20]) + (" …" if len(differing) > 20 else "")
            lines.append(f"At tier {tier}: one verdict on {where} for {same} of {both}; these differ: {named}.")
        elif of:
            lines.append(f"At tier {tier} no claim was judged on two machines yet.")
    return lines

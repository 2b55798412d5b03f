# SPDX-License-Identifier: BSD-3-Clause
"""Which verdicts and bits of several reports are the same. Verdicts are compared where they are judged alike: one
claim in one form, at one tier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deformbench_analysis.declarations import TIERS
from paper_figures.publishing.feeds import Published

_NOT_RUN = ("not_testable", "not_measured")  # said of a claim, not found by a run


@dataclass
class Row:
    """A claim in one form at one tier, with its entry in every report that judged it, the newest first."""

    claim: str
    tier: str
    found: list[tuple[Published, Mapping[str, Any]]] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        """Whether two reports have different verdicts."""
        return len({entry["verdict"] for _, entry in self.found}) > 1

    @property
    def machines(self) -> dict[str, str]:
        """Machine → its kind of processor."""
        return {report.machine: str(report.data["processor"]) for report, _ in self.found}

    def history(self, machine: str) -> list[tuple[Published, Mapping[str, Any]]]:
        """The reports of a machine with their entries, the oldest first."""
        return [pair for pair in reversed(self.found) if pair[0].machine == machine]

    @property
    def spread(self) -> tuple[float, str]:
        """Largest difference of a measurement between the newest reports of all machines, relative to its largest
        absolute value, and which measurement; 0 and "" where none differs."""
        values: dict[str, list[float]] = {}
        for machine in self.machines:
            _, newest = self.history(machine)[-1]
            for row in [*newest.get("comparisons", []), *newest.get("regime_comparisons", [])]:
                if isinstance(row["value"], (int, float)):
                    values.setdefault(row["measurement"], []).append(float(row["value"]))
        sizes = {name: (max(of) - min(of)) / (max(abs(value) for value in of) or 1.0) for name, of in values.items()}
        largest = max(sizes, key=lambda name: sizes[name], default="")
        return (sizes[largest], largest) if largest and sizes[largest] else (0.0, "")


def rows(reports: Sequence[Published]) -> list[Row]:
    """All claims that a run has judged, of reports with the newest first: those that differ first, then by name and
    tier."""
    found: dict[tuple[str, ...], Row] = {}
    for report in reports:
        tier = str(report.data["tier"])
        for v in report.verdicts:
            if v["verdict"] not in _NOT_RUN:
                row = found.setdefault((v["claim"], tier, v["judged"]), Row(v["claim"], tier))
                row.found.append((report, v))
    return sorted(found.values(), key=lambda row: (not row.differs, row.claim, TIERS.index(row.tier)))


def bits(reports: Sequence[Published]) -> list[str]:
    """For each commit and tier that several machines ran, whether the same cells have the same bits. The newest report
    of each machine counts, and cells that at least two have."""
    lines = []
    groups: dict[tuple[str, str], dict[str, Published]] = {}
    for report in reports:
        groups.setdefault((str(report.data["commit"]), str(report.data["tier"])), {}).setdefault(report.machine, report)
    for (commit, tier), of in groups.items():
        by_run: dict[str, dict[str, Mapping[str, Any]]] = {}  # → machine; one run may be a cell of two experiments
        for report in of.values():
            for run in report.runs:
                by_run.setdefault(run["run"], {}).setdefault(report.machine, run)
        common = [list(runs.values()) for runs in by_run.values() if len(runs) > 1]
        other = Counter(runs[0]["experiment"] for runs in common if len({run["bits"] for run in runs}) > 1)
        named = ", ".join(f"{name} ({n})" for name, n in other.most_common(8)) + (" …" if len(other) > 8 else "")
        if common:
            lines.append(
                f"At tier {tier}, commit {commit[:12]}: {len(common) - other.total()} of {len(common)} cells that at "
                f"least two machines ran have the same bits" + (f"; others are in {named}." if other else ".")
            )
    return lines


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

# SPDX-License-Identifier: BSD-3-Clause
"""What became of the time per step of every timed cell, machine by machine, from report to report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from paper_figures.publishing.feeds import Published

WIDTH, HEIGHT = 72, 18  # of a curve, in pixels


@dataclass
class Trend:
    """A timed cell; per machine its reports and entries, the oldest first."""

    experiment: str
    label: str
    threads: int
    tier: str
    by_machine: dict[str, list[tuple[Published, Mapping[str, Any]]]] = field(default_factory=dict)

    def values(self, machine: str) -> list[float]:
        """Milliseconds per step, the oldest first."""
        return [entry["ms_per_step"] for _, entry in self.by_machine.get(machine, [])]

    def change(self, machine: str) -> str:
        """The newest relative to the one before it."""
        values = self.values(machine)
        return f"{100 * (values[-1] / values[-2] - 1):+.0f} %".replace("-", "−") if len(values) > 1 else ""

    def curve(self, machine: str) -> str:
        """Points of a polyline from 0 to the largest value; empty for fewer than two."""
        values = self.values(machine)
        if len(values) < 2:
            return ""
        step, top = (WIDTH - 4) / (len(values) - 1), max(values)
        return " ".join(f"{2 + k * step:.1f},{HEIGHT - 2 - (HEIGHT - 4) * v / top:.1f}" for k, v in enumerate(values))


def trends(reports: Sequence[Published]) -> list[Trend]:
    """All timed cells of reports with the newest first, by experiment and name."""
    found: dict[tuple[str, str, str], Trend] = {}
    for report in reversed(reports):
        tier = str(report.data["tier"])
        for run in report.runs:
            if (run["ms_per_step"] or 0) > 0:
                new = Trend(run["experiment"], run["label"], run["threads"], tier)
                one = found.setdefault((run["run"], run["experiment"], tier), new)
                one.by_machine.setdefault(report.machine, []).append((report, run))
    return sorted(found.values(), key=lambda t: (t.experiment, t.label, t.threads, t.tier))

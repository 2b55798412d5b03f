# SPDX-License-Identifier: BSD-3-Clause
"""Cells that were run with several numbers of threads: whether their results have the same bits, else how far apart
they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from deformbench_analysis.merge import is_equal, results_in
from deformbench_analysis.progress import in_progress
from deformbench_analysis.results import spec_key
from deformbench_analysis.trace import Trace, opened
from paper_figures.publishing.feeds import Published

_OTHERWISE = ("attribute cell_id", "provenance attribute threads", "spec")  # of cells that differ in threads alone


def compared(traces: Iterable[Trace]) -> list[dict[str, Any]]:
    """For a feed: each cell that was run with several numbers of threads, against the run with the fewest."""
    groups: dict[tuple[str, ...], dict[int, Trace]] = {}
    for trace in traces:
        spec = {k: v for k, v in trace.spec.items() if k != "threads"}
        made_by = (str(trace.provenance.get(key)) for key in ("method_fingerprint", "harness_fingerprint"))
        key = (trace.experiment, spec_key(spec), *made_by)
        groups.setdefault(key, {}).setdefault(int(trace.value("threads", 1)), trace)
    several = [[of[n] for n in sorted(of)] for of in groups.values() if len(of) > 1]
    return [_entry(of) for of in in_progress("cells compared over threads", several)]


def _entry(of: Sequence[Trace]) -> dict[str, Any]:
    found = [difference(of[0].path, other.path) for other in of[1:]]
    spread, where = max(found, key=lambda one: np.inf if one[0] is None else one[0])
    return {
        "experiment": of[0].experiment,
        "label": of[0].label[:1000],
        "threads": [int(trace.value("threads", 1)) for trace in of],
        "same_bits": all(name == "" for _, name in found),
        "spread": spread,
        "where": where,
    }


def difference(one: Path, two: Path) -> tuple[float | None, str]:
    """Largest difference of a number relative to the largest finite one of its array, and which array; None where the
    results have other shapes, texts or states; 0 and "" for the same bits."""
    with opened(one) as a, opened(two) as b:
        left, right = ({n: v for n, v in results_in(file) if n not in _OTHERWISE} for file in (a, b))
        found = [(_apart(left.get(n), right.get(n)), n) for n in sorted({*left, *right})]
    apart = [pair for pair in found if pair[0] != -1.0]
    return max(apart, key=lambda pair: np.inf if pair[0] is None else pair[0], default=(0.0, ""))


def _apart(one: Any, two: Any) -> float | None:
    """−1 for the same bits."""
    a, b = np.asarray(one), np.asarray(two)
    if is_equal(a, b):
        return -1.0
    if a.shape != b.shape or a.dtype != b.dtype or a.dtype.kind not in "fiu":
        return None
    a, b = a.astype(float), b.astype(float)
    if not np.array_equal(np.isfinite(a), np.isfinite(b)):
        return None
    finite = np.isfinite(a)
    size = max(np.abs(a[finite]).max(initial=0.0), np.abs(b[finite]).max(initial=0.0))
    return float(np.abs(a - b)[finite].max(initial=0.0) / size) if size else 0.0


def sentences(reports: Sequence[Published]) -> list[str]:
    """For each machine's newest report that has such cells, how many have the same bits."""
    lines = []
    for machine in dict.fromkeys(report.machine for report in reports):
        report = next((r for r in reports if r.machine == machine and r.over_threads), None)
        if report is None:
            continue
        of = report.over_threads
        counts = " and ".join(map(str, sorted({n for entry in of for n in entry["threads"]})))
        same = sum(entry["same_bits"] for entry in of)
        line = f"On {machine}, {same} of {len(of)} cells that ran with {counts} threads have the same bits"
        other = Counter(entry["experiment"] for entry in of if not entry["same_bits"])
        named = ", ".join(f"{name} ({n})" for name, n in other.most_common(8)) + (" …" if len(other) > 8 else "")
        lines.append(line + (f"; others are in {named}." if other else "."))
    return lines

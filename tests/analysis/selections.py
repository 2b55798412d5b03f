# SPDX-License-Identifier: BSD-3-Clause
"""Which of the declared runs each measurement of the vocabulary counts, found by plain loops,
and its line in the record.

`python3 tests/analysis/selections.py` records them anew, in tests/experiments/<paper>/selections.txt: a line for each
measurement with its reduction, the runs by the names of their rows, and a digest of what identifies them. A change of
it is read, and committed on purpose."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from declared_runs import TIERS, data_of

from deformbench_analysis import measurement
from deformbench_analysis.results import ExperimentData, same
from deformbench_analysis.trace import Trace
from deformbench_analysis.vocabulary import Measure, Rows

RECORDS = Path(__file__).parents[1] / "experiments"


def measures() -> dict[str, tuple[str, Measure]]:
    """Experiment and measure by name, of the papers of the tree."""
    found = measurement.load_all()
    return {n: (m.experiment, m.function) for n, m in found.items() if isinstance(m.function, Measure)}


def has_value(trace: Trace, name: str, value: Any) -> bool:
    """Whether a parameter, by its path or by its name alone, is this one."""
    paths = [name] if "." in name else [f"{kind}.parameters.{name}" for kind in ("scene", "method")]
    return any(same(trace.value(path), value) for path in paths)


def chosen(rows: Rows, cells: list[Trace]) -> list[Trace]:
    """Declared runs that the rows are about, before `having` and what makes pairs and groups of them."""
    return [
        c
        for name in rows.names or (c.method_name for c in cells[:1])
        for c in cells
        if (not rows.names or c.method_name == name)
        and rows.method in (None, c.method_id)
        and all(has_value(c, *wanted) for wanted in rows.values)
        and all(keep(c) for keep in rows.predicates)
        and (rows.any_end or c.status == "completed")
    ]


def first_tier(experiment: str, measure: Measure) -> ExperimentData:
    """The declared runs at the first tier at which the measure counts any."""
    for tier in TIERS:
        data = data_of(experiment, tier)
        if chosen(measure.rows, data.cells):
            return data
    raise AssertionError(f"{measure.name}: none of the declared runs is one of {measure.rows} at any tier")


def _parts(rows: Rows, cells: list[Trace]) -> Iterator[str]:
    found = chosen(rows, cells)
    counts = Counter(c.method_name for c in found)
    identity = sorted(json.dumps([c.method_name, c.coordinates], sort_keys=True) for c in found)
    digest = hashlib.sha256("\n".join(identity).encode()).hexdigest()[:8]
    yield f"{', '.join(f'{n} {k}' for k, n in sorted(counts.items()))} of {len(cells)} ({digest})"
    for step in rows.steps:
        name = getattr(step.function, "__name__", "")
        yield step.kind + (f" {name.strip('_')}" if name.isidentifier() and step.kind != "beside" else "")
        if step.other is not None:
            yield from _parts(step.other, cells)
    yield from ["some may be missing"] * bool(rows.missing) + ["however they ended"] * bool(rows.any_end)


def line(experiment: str, measure: Measure) -> str:
    """Its line in the record."""
    data = first_tier(experiment, measure)
    return f"{measure.name}: {measure.reduction} of {', '.join(_parts(measure.rows, data.cells))}"


def lines() -> dict[str, list[str]]:
    """By paper."""
    found: dict[str, list[str]] = {}
    for experiment, measure in measures().values():
        found.setdefault(experiment.split("/")[0], []).append(line(experiment, measure))
    return found


if __name__ == "__main__":
    for paper, found in lines().items():
        (RECORDS / paper / "selections.txt").write_text("\n".join(found) + "\n", encoding="utf-8")

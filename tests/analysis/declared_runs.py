# SPDX-License-Identifier: BSD-3-Clause
"""Traces of all declared runs without a number in them: what `run --dry-run` lists,
for tests of which runs a measurement counts."""

import json
import os
import subprocess
from functools import lru_cache
from typing import Any

from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

COMMAND = os.environ.get("DEFORMBENCH", "")
TIERS = ("paper", "smoke", "large")  # in the order in which a tier is taken for an experiment


@lru_cache(maxsize=None)
def _listed(tier: str) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """By experiment."""
    words = [COMMAND, "run", "all", "--tier", tier, "--dry-run", "--json"]
    found: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for cell in json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout):
        found.setdefault(cell["spec"]["experiment"], []).append((cell["cell_id"], cell["spec"]))
    return found


def specs(experiment: str, tier: str) -> list[tuple[str, dict[str, Any]]]:
    """Cell id and resolved spec of every declared run; none where the tier is not declared."""
    return _listed(tier).get(experiment, [])


def declared_run(cell_id: str, spec: dict[str, Any]) -> Trace:
    """A trace that ended as declared, and holds nothing."""
    trace = Trace.__new__(Trace)
    trace.spec, trace.experiment, trace.cell_id = spec, spec["experiment"], cell_id
    trace.method_id, trace.claimed_by, trace.wanted = spec["method"]["id"], "", {}
    expected = spec["expect"]["status"]
    trace.status, trace.status_reason = "completed" if expected.startswith("completed") else expected, ""
    return trace


def data_of(experiment: str, tier: str) -> ExperimentData:
    """All declared runs of an experiment at a tier."""
    listed = specs(experiment, tier)
    expected = {cell_id: spec["expect"]["status"] for cell_id, spec in listed}
    return ExperimentData(experiment, tier, [declared_run(*cell) for cell in listed], expected)

# SPDX-License-Identifier: BSD-3-Clause
"""What Python takes for a tier's cells is what the command expands: every declaration, every tier. DEFORMBENCH names the command."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import write_trace

from deformbench_analysis.declarations import TIERS, all_declarations
from deformbench_analysis.paths import machine_name
from deformbench_analysis.trace import Trace

COMMAND = os.environ.get("DEFORMBENCH", "")
DECLARATIONS = all_declarations()


def expanded(identifier: str, tier: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [COMMAND, "run", identifier, "--tier", tier, "--dry-run", "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    return [cell.get("spec", cell) for cell in (data if isinstance(data, list) else data["cells"])]


def as_trace(folder: Path, spec: dict[str, Any]) -> Trace:
    trace = Trace(write_trace(folder, spec["experiment"], spec["method"]["id"]))
    trace.spec = spec
    return trace


@pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
@pytest.mark.parametrize(
    "identifier,tier", [(i, t) for i, d in DECLARATIONS.items() for t in TIERS if d.at_tier(t) is not None]
)
def test_the_cells_of_a_tier_are_the_commands(tmp_path: Path, identifier: str, tier: str) -> None:
    declaration, specs = DECLARATIONS[identifier], expanded(identifier, tier)
    traces = [as_trace(tmp_path, spec) for spec in specs]
    assert [t.label for t in traces if not declaration.matches(t, tier)] == []
    known: dict[str, set[str]] = {}
    for trace in traces:
        known.setdefault(trace.method_name, set()).update(trace.spec["method"]["parameters"])
    assert len(declaration.expected_points(tier, known)) == len(specs)
    assert [declaration.expected_status(t, tier) for t in traces] == [spec["expect"]["status"] for spec in specs]


@pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
def test_the_machine_has_the_same_name_in_both_halves(tmp_path: Path) -> None:
    done = subprocess.run(
        [COMMAND, "status", "cross/ms_per_step"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert f"results/{machine_name()}" in done.stdout + done.stderr

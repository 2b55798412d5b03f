# SPDX-License-Identifier: BSD-3-Clause
"""Runs of methods from outside, as rows of a declaration. DEFORMBENCH names the command."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deformbench_analysis.results import Results
from deformbench_analysis.trace import Trace

COMMAND = os.environ.get("DEFORMBENCH", "")
EXAMPLES = Path(__file__).resolve().parents[2] / "experiments/add_a_method"


def run(folder: Path, scene: Mapping[str, Any], rows: list[dict[str, Any]], **more: Any) -> dict[str, Trace]:
    """The traces of the rows on a scene; every cell must complete."""
    declaration = {
        "id": "outside/law",
        "doc": "A law that methods owe.",
        "scene": scene,
        "methods": rows,
        "channels": {"step": {"names": ["positions", "velocities"]}},
        "tiers": {"smoke": {}, "paper": {}},
        "schedule": {"steps": 40},
        **more,
    }
    folder.mkdir(exist_ok=True)
    file = folder / "law.json"
    file.write_text(json.dumps(declaration), encoding="utf-8")
    words = [COMMAND, "run", str(file), "--tier", "smoke", "--out", str(folder / "out"), "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    traces = {c.method_name: c for c in Results(folder / "out", "smoke").experiment("outside/law").cells}
    assert {t.status for t in traces.values()} == {"completed"}, [t.status_reason for t in traces.values()]
    return traces

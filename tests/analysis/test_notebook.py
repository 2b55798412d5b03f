# SPDX-License-Identifier: BSD-3-Clause
"""The notebook of the examples: its cells run in order, and what they compare with is right."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "analysis" / "examples" / "compare_with_a_table.ipynb"
needs_command = pytest.mark.skipif(not os.environ.get("DEFORMBENCH"), reason="DEFORMBENCH names no command")


def test_it_is_a_notebook_without_outputs() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert [c for c in notebook["cells"] if c.get("outputs") or c.get("execution_count")] == []
    pytest.importorskip("nbformat").validate(notebook)


@needs_command
def test_its_cells_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    names: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(NOTEBOOK), "exec"), names)  # as a kernel does
    printed, errors = names["printed"].set_index("load")["deflection"], names["errors"]
    cells = names["results"].experiment("cross/elastica").cells
    exact = {
        c.value("scene.parameters.tip_force_n")[1]: c.reference("elastica_tip_load", "drop_over_length") for c in cells
    }
    assert {load: float(r.values) for load, r in exact.items()} == pytest.approx(
        printed[list(exact)].to_dict(), abs=6e-6
    )
    assert list(errors.index) == [1, 4] and "corotational" in capsys.readouterr().out
    others = errors.drop(columns="linear")
    assert errors["linear"][4] > 0.3 and others.max().max() < 0
    assert (others.max(axis=1) - others.min(axis=1)).max() < 0.01  # the mesh's error, not theirs
    assert (tmp_path / "table_results" / "errors.png").stat().st_size > 1000

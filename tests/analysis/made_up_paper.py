# SPDX-License-Identifier: BSD-3-Clause
"""A paper outside the tree with one of everything, and traces of its experiment."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import list_cells, write_trace

MEASURING = '''"""Measurements of the made-up paper."""
from deformbench_analysis.measurement import measurement

@measurement("{short}.largest", unit="1", experiment="{name}/{short}")
def largest(data):
    """The largest volume of all cells."""
    return max(cell.values("step", "volume").max() for cell in data.some())
'''
DRAWING = '''"""A figure of the made-up paper."""
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, machine_line, write_table
from ..measurements.{short} import largest

def make(results, out_dir):
    data = results.experiment("{name}/{short}")
    table = Table([Column("largest", "1")])
    table.add(largest(data))
    figure, axes = style.new_figure()
    axes.plot([0, largest(data)])
    return FigureEntry("Volume", f"Machine: {{machine_line(data.cells)}}", style.save(figure, out_dir / "fig_1_{short}"),
                       write_table(table, out_dir / "fig_1_{short}"))
'''


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def declaration(name: str, short: str) -> dict[str, Any]:
    return {"id": f"{name}/{short}", "doc": "Made up.", "tiers": {"smoke": {}, "paper": {}}}


def write_paper(folder: Path, name: str = "made_up", short: str = "swelling", claim: str = "MADE-01") -> Path:
    """A whole paper: the claim holds where no volume is above 2."""
    predicate = {"measurement": f"{short}.largest", "op": "<", "value": 2, "origin": "made up"}
    about = {"id": claim, "where": "Fig. 1", "statement": "It stays small.", "kind": "quantitative"}
    write(folder / "paper.json", {"paper": name, "short": "Somebody 2030", "citation": "S. Somebody: Made up."})
    write(
        folder / "claims.json",
        {
            "paper": name,
            "claims": [{**about, "experiments": [f"{name}/{short}"], "min_tier": "smoke", "predicate": predicate}],
        },
    )
    write(folder / "declarations" / f"{short}.json", declaration(name, short))
    write(folder / "measurements" / f"{short}.py", MEASURING.format(name=name, short=short))
    line = {"id": f"fig_1_{short}", "number": "Figure 1", "title": "Volume", "experiments": [f"{name}/{short}"]}
    write(folder / "figures" / "figures.json", {"figures": [line]})
    write(folder / "figures" / f"fig_1_{short}.py", DRAWING.format(name=name, short=short))
    return folder


def write_results(
    folder: Path,
    largest: float = 1.5,
    name: str = "made_up",
    short: str = "swelling",
    declared: dict[str, Any] | None = None,
) -> Path:
    series = {"step": {"volume": np.array([1.0, largest, 1.0])}}
    write_trace(folder, f"{name}/{short} linear_fem linear", series=series)
    list_cells(folder, f"{name}/{short}", declared or declaration(name, short))
    return folder

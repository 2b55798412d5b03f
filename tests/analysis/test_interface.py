# SPDX-License-Identifier: BSD-3-Clause
"""The package `deformbench`: what its functions give, on made-up traces and on runs of the command."""

import os
import re
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from made_up_traces import ms_per_step_folder, write_trace
from made_up_paper import write_paper, write_results

import deformbench
from deformbench_analysis import cli, paths

matplotlib.use("Agg")
COMMAND = os.environ.get("DEFORMBENCH", "")
needs_command = pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
FALL: dict[str, Any] = {
    "id": "own/fall",
    "doc": "A tetrahedron on its own.",
    "scene": {"name": "single_tetrahedron"},
    "methods": [{"name": "linear", "method": "linear_fem"}],
    "schedule": {"steps": 3},
    "channels": {"step": {"names": ["volume", "linear_momentum"]}},
    "tiers": {"smoke": {}, "paper": {"schedule": {"steps": 5}}},
}


def test_everything_that_is_exported_is_documented() -> None:
    for name in deformbench.__all__:
        assert getattr(deformbench, name).__doc__, name


def test_compare_has_a_row_for_every_cell_and_units_in_its_columns(tmp_path: Path) -> None:
    results = deformbench.load(ms_per_step_folder(tmp_path, sizes=(2, 3), fail_direct_at=3))
    table = deformbench.compare(results, "ms_per_step", ["solver_residual"])
    assert list(table.columns[:3]) == ["method", "cells_across", "status"] and "median [ms/step]" in table.columns
    assert len(table) == 35 and (table["status"] == "no trace").sum() == 25
    warped = table[(table["method"] == "warped") & (table["cells_across"] == 3)].iloc[0]
    assert warped["solver_residual"] == pytest.approx(3e-6)
    assert table["status"].str.startswith("unsupported: the factor").sum() == 1


def test_measurements_and_verdicts_know_papers_outside_the_tree(tmp_path: Path) -> None:
    write_paper(tmp_path / "paper")
    folder = write_results(tmp_path / "results", largest=1.75)
    results = deformbench.load(folder, papers=[tmp_path / "paper"])
    table = deformbench.measurements(results, "swelling")
    assert table[["measurement", "value", "unit", "broken"]].values.tolist() == [["swelling.largest", 1.75, "1", False]]
    judged = deformbench.verdicts(results, papers=["made_up"])
    assert judged[["claim", "verdict", "recorded"]].values.tolist() == [["MADE-01", "holds", ""]]
    assert "1.75" in judged["measured"][0]
    everything = deformbench.measurements(results)
    assert len(everything) > 500
    assert np.isnan(everything.set_index("measurement")["value"]["ms_per_step.warped_exponent"])
    assert "DEFORMBENCH_PAPERS" not in os.environ
    with pytest.raises(deformbench.InputError, match="made_up: no such one"):
        deformbench.verdicts(deformbench.load(folder), papers=["made_up"])


def test_plot_draws_the_norm_of_every_cell_and_crosses_where_it_ended(tmp_path: Path) -> None:
    speeds = np.array([[3.0, 4.0, 0.0], [6.0, 8.0, 0.0]])
    for name, status in (("good", "completed"), ("bad", "diverged")):
        units = {"linear_momentum": "N s"}
        write_trace(tmp_path, f"x/y linear_fem {name}", status=status, step={"linear_momentum": speeds}, units=units)
    results = deformbench.load(tmp_path)
    axes = deformbench.plot(results, "y", "linear_momentum")
    curves = [line for line in axes.get_lines() if len(line.get_xdata()) == 2]
    assert [list(line.get_ydata()) for line in curves] == [[5.0, 10.0], [5.0, 10.0]]
    assert [line.get_marker() for line in axes.get_lines() if len(line.get_xdata()) == 1] == ["x"]
    assert axes.get_ylabel() == "linear_momentum [N s]"
    assert len(deformbench.plot(results, "y", "linear_momentum", methods=["good"]).get_lines()) == 1
    with pytest.raises(deformbench.MissingData, match="no cell has step/volume"):
        deformbench.plot(results, "y", "volume")
    with pytest.raises(deformbench.InputError, match="experiment z: no such one"):
        deformbench.compare(results, "z")


def test_plot_tells_rows_of_one_label_by_what_they_differ_in(tmp_path: Path) -> None:
    series = {"step": {"volume": np.ones(2)}}
    for law, sweeps in (("x", 5), ("y", 5), ("y", 9)):
        write_trace(tmp_path, "x/y fem", parameters={"law": law, "sweeps": sweeps, "same": 1}, series=series)
    write_trace(tmp_path, "x/y other", series=series)
    axes = deformbench.plot(deformbench.load(tmp_path), "y", "volume")
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert sorted(labels) == ["fem, law=x, sweeps=5", "fem, law=y, sweeps=5", "fem, law=y, sweeps=9", "other"]


def test_what_a_method_in_python_is_given_and_has_is_in_its_guide() -> None:
    text = (paths.project_root() / "docs" / "python.md").read_text(encoding="utf-8")
    tables = "\n".join(re.findall(r"^\| `.*", text, flags=re.M))
    for part in (deformbench.Scene, deformbench.Method):
        public = {*part.__annotations__, *vars(part)}
        missing = [n for n in sorted(public) if not n.startswith("_") and not re.search(rf"`{n}[`(]", tables)]
        assert not missing, f"docs/python.md does not list {part.__name__}: {missing}"


@needs_command
def test_run_takes_ids_files_and_declarations_and_leaves_traces(tmp_path: Path) -> None:
    results = deformbench.run(FALL, out=tmp_path, tier="smoke", methods=["linear", "warped_fem"])
    cells = results.experiment("own/fall").cells
    assert [c.method_id for c in cells] == ["linear_fem", "warped_fem"]
    assert len(cells[0].values("step", "volume")) == 4
    moved = deformbench.run(FALL, out=tmp_path / "paper", set={"scene.parameters.density_kg_m3": 500}, time=True)
    (cell,) = moved.experiment("own/fall").cells
    assert cell.value("scene.parameters.density_kg_m3") == 500 and len(cell.values("step", "volume")) == 6
    assert deformbench.compare(moved, "fall")["median [ms/step]"][0] > 0


@needs_command
def test_what_the_command_refuses_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(deformbench.InputError, match='^unknown experiment "no_such_one"'):
        deformbench.run("no_such_one", out=tmp_path)
    with pytest.raises(deformbench.InputError, match="/scene/name"):
        deformbench.run({**FALL, "scene": {"name": "no_scene"}}, out=tmp_path)
    with pytest.raises(deformbench.InputError, match="/id: got 'fall'"):
        deformbench.run({**FALL, "id": "fall"}, out=tmp_path)


def test_without_a_command_the_line_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEFORMBENCH", str(tmp_path / "nowhere"))
    with pytest.raises(deformbench.InputError, match="nowhere: cannot be started"):
        deformbench.run("ms_per_step", out=tmp_path)


def test_an_installed_package_finds_the_data_beside_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, data = tmp_path / "prefix/bin/deformbench", tmp_path / "prefix/share/deformbench"
    for folder in (program.parent, data / "experiments" / "harness" / "schema"):
        folder.mkdir(parents=True)
    program.touch()
    monkeypatch.delenv("DEFORMBENCH_DATA", raising=False)
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "site-packages/deformbench_analysis/paths.py"))
    monkeypatch.setenv("DEFORMBENCH", str(program))
    assert paths.project_root() == data and paths.command() == program
    (data / "paper_figures").mkdir()  # which may be written into, as in a prefix of one's own
    (data / "results" / "other").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert paths.default_out().resolve() == tmp_path / "paper_figures" / "out"
    with pytest.raises(deformbench.InputError, match="^results: expected one folder of results, found 0"):
        cli.results_folder(None)
    monkeypatch.setenv("DEFORMBENCH", str(tmp_path / "nowhere"))
    with pytest.raises(deformbench.InputError, match="put the command deformbench on the PATH"):
        paths.project_root()

# SPDX-License-Identifier: BSD-3-Clause
"""Cells of methods that joined an experiment: comparisons know them, verdicts do not."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import deformbench
import h5py
import numpy as np
import pytest
from made_up_traces import list_cells, ms_per_step_folder, write_timing, write_trace

from deformbench_analysis.claims import all_claims
from deformbench_analysis.declarations import all_declarations
from deformbench_analysis.results import Results
from deformbench_analysis.verdicts import judge_all
from paper_figures import style, verbs

EXPERIMENT = "cross/ms_per_step"
PRECISION = "cross/work_precision"


def join(
    folder: Path,
    method: str,
    settings: Mapping[str, Any] | None = None,
    declared: Mapping[str, Any] | None = None,
    experiment: str = EXPERIMENT,
    **more: Any,
) -> Path:
    """A trace of a method that the declaration does not know, and its list as `run` writes it."""
    series = {"step": {"solves": np.full(41, 7.0), "solver_residual": np.full(41, 0.5)}}
    scene = {"cells_across": 4, "young_modulus_pa": 1e5}
    coordinates = more.pop("coordinates", {"scene.parameters.cells_across": 4})
    name = str(more.pop("name", method))
    path = write_trace(
        folder,
        f"{experiment} {method} {name}",
        **{"scene": scene, "coordinates": coordinates, "schedule": {"steps": 40}, "series": series, **more},
    )
    declaration = all_declarations()[experiment].cells_depend_on() if declared is None else declared
    entry = {"cell_id": path.stem, "method": name, "coordinates": coordinates, "expect": {"status": "completed"}}
    listed = {"declaration": declaration, "set": dict(settings or {}), "cells": [entry]}
    file = f"paper.joined-{method}{len(settings or {})}.cells.json"
    (path.parent / file).write_text(json.dumps(listed), encoding="utf-8")
    return path


def test_comparisons_show_a_method_that_joined(tmp_path: Path) -> None:
    ms_per_step_folder(tmp_path)
    assert "mine" not in set(deformbench.compare(deformbench.load(tmp_path), "ms_per_step")["method"])
    join(tmp_path, "mine")
    table = deformbench.compare(deformbench.load(tmp_path), "ms_per_step", ["solver_residual"])
    row = table[table["method"] == "mine"]
    assert len(row) == 1 and row["solver_residual"].item() == 0.5
    assert "set" not in table.columns


def test_what_was_set_tells_two_joined_cells_of_a_method_apart(tmp_path: Path) -> None:
    ms_per_step_folder(tmp_path)
    join(tmp_path, "mine")
    join(tmp_path, "mine", {"method.parameters.law": "theirs"}, parameters={"law": "theirs"})
    table = deformbench.compare(deformbench.load(tmp_path), "ms_per_step", ["solver_residual"])
    assert sorted(table[table["method"] == "mine"]["set"]) == ["", "law=theirs"]


def test_verdicts_do_not_see_joined_cells(tmp_path: Path) -> None:
    """A joined method whose numbers would turn claims: the made-up one solves seven times per step and leaves half
    the residual."""
    ms_per_step_folder(tmp_path)

    def judged() -> dict[str, Any]:
        results = Results(tmp_path)
        results.with_joined(EXPERIMENT)  # looking at a comparison first must not leak into the verdicts
        claims = [c for of in all_claims().values() for c in of if EXPERIMENT in c.experiments]
        judgement = judge_all(results, claims, "paper", True)
        return {v.claim.id: v.full() for v in judgement.verdicts}

    before = judged()
    assert before
    join(tmp_path, "linear_fem")  # by the name of a method that claims are about
    join(tmp_path, "warped", status="failed", reason="made up")
    assert (
        len(Results(tmp_path).with_joined(EXPERIMENT).cells) == len(Results(tmp_path).experiment(EXPERIMENT).cells) + 2
    )
    assert judged() == before
    list_cells(tmp_path, EXPERIMENT)  # the same cells, declared: this would have been noticed
    assert judged() != before


def test_joined_cells_of_an_earlier_declaration_are_left_out(tmp_path: Path) -> None:
    ms_per_step_folder(tmp_path)
    join(tmp_path, "mine", declared={"id": EXPERIMENT, "tiers": {}})
    assert "mine" not in set(deformbench.compare(deformbench.load(tmp_path), "ms_per_step")["method"])


def test_joined_cells_of_another_build_are_left_out_unless_stale_ones_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = join(tmp_path, "mine").with_name("paper.joined-mine0.cells.json")
    listed = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**listed, "harness_fingerprint": "of another build"}), encoding="utf-8")
    data = Results(tmp_path).with_joined(EXPERIMENT)
    assert (data.cells, data.stale) == ([], 1) and "1 of 1 traces are stale" in data.reason
    assert len(Results(tmp_path, stale=True).with_joined(EXPERIMENT).cells) == 1
    assert verbs.main(["compare", str(tmp_path)]) == 5
    assert "compare: no declared cell" in capsys.readouterr().err


def test_a_joined_cell_that_has_no_trace_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ms_per_step_folder(tmp_path)
    join(tmp_path, "mine").unlink()
    assert verbs.main(["compare", str(tmp_path), "--experiment", "ms_per_step", "--format", "csv"]) == 0
    assert any(line.startswith("mine,4,no trace") for line in capsys.readouterr().out.splitlines())


def test_without_a_declared_list_the_joined_cells_are_compared_all_the_same(tmp_path: Path) -> None:
    join(tmp_path, "mine")
    results = deformbench.load(tmp_path)
    assert list(deformbench.compare(results, "ms_per_step")["method"]) == ["mine"]
    assert not results.experiment(EXPERIMENT).cells


def figure(folder: Path, name: str, *flags: str) -> list[dict[str, str]]:
    """The numbers of a figure as the command draws it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(style, "FORMATS", ("svg",))
        code = verbs.main(["figures", str(folder), "--only", name, "--report-out", str(folder / "out"), *flags])
    found = list((folder / "out").rglob(f"{name}.csv"))
    if code or not found:
        return []
    with found[0].open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def timed_of_mine(folder: Path) -> None:
    """Two joined rows: as it is, and with something set; a third that is not timed."""
    for settings, seconds in (({}, 1e-3), ({"method.parameters.law": "theirs"}, 2e-3)):
        path = join(
            folder, "mine", settings, parameters={"law": settings.get("method.parameters.law", "")}, tetrahedra=1280
        )
        timing = write_timing(path, np.full((5, 40), seconds))
    with h5py.File(timing, "r+") as file:
        file["provenance"].attrs.update({"load_1min": 4.0, "cores": 2})
    with h5py.File(path, "r+") as file:
        file["provenance"].attrs["program"] = "python3 mine.py"
    join(folder, "slow", tetrahedra=1280)


def test_figure_7_shows_joined_rows_on_request_and_calls_them_so(tmp_path: Path) -> None:
    ms_per_step_folder(tmp_path, sizes=(2, 3, 4))
    timed_of_mine(tmp_path)
    plain = figure(tmp_path, "fig_07_ms_per_step")
    assert plain and not [r for r in plain if "mine" in r["row"]]
    rows = figure(tmp_path, "fig_07_ms_per_step", "--with-joined")
    assert [r for r in rows if "joined" not in r["row"]] == plain
    mine = {r["row"]: float(r["median [ms/step]"]) for r in rows if "joined" in r["row"]}
    assert mine == {"mine, joined": 1.0, "mine (law=theirs), joined": 2.0}
    stamp = json.loads((tmp_path / "out/mueller_gross_2004/fig_07_ms_per_step.json").read_text(encoding="utf-8"))
    assert "no verdict rests on them" in stamp["caption"]
    assert "† an interpreter runs it (python3)" in stamp["caption"]
    assert "‡ timed while more was running" in stamp["caption"]
    drawn = (tmp_path / "out/mueller_gross_2004/fig_07_ms_per_step.svg").read_text(encoding="utf-8")
    assert "mine (law=theirs), joined†‡" in drawn and "mine, joined†" not in drawn
    assert [line for line in stamp["failed"] if "no timed cell of row slow, joined" in line]
    assert figure(tmp_path, "fig_07_ms_per_step") == plain  # and back again


def test_a_figure_whose_cells_all_joined_is_not_said_not_to_be_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    timed_of_mine(tmp_path)
    assert not figure(tmp_path, "fig_07_ms_per_step")
    said = capsys.readouterr().out
    assert "all that was run there joined" in said and "`--with-joined` draws" in said and "not run at" not in said
    for n, factor in ((2, 1.0), (3, 2.0)):  # as `run --method linear_fem --method warped_fem` leaves the declared rows
        for name in ("linear", "warped"):
            parameters = {"solver": "cg", "cg_iterations": 20}
            at = {"scene": {"cells_across": n}, "coordinates": {"scene.parameters.cells_across": n}}
            path = join(tmp_path, f"{name}_fem", name=name, parameters=parameters, tetrahedra=20 * n**3, **at)
            write_timing(path, np.full((5, 40), factor * 1e-3))
    rows = {r["row"] for r in figure(tmp_path, "fig_07_ms_per_step", "--with-joined")}
    assert rows == {"linear", "warped", "mine, joined", "mine (law=theirs), joined"}


def test_work_precision_shows_joined_rows_on_request(tmp_path: Path) -> None:
    for name, off in (("reference", 0.0), ("linear", 0.2), ("warped", 0.1)):
        swing(tmp_path, name, off)
    list_cells(tmp_path, PRECISION)
    join(tmp_path, "mine", experiment=PRECISION, **swinging(0.05))
    join(tmp_path, "late", experiment=PRECISION, **swinging(0.05, rows=10))
    plain = figure(tmp_path, "work_precision")
    assert plain and not [r for r in plain if "joined" in r["row"]]
    rows = figure(tmp_path, "work_precision", "--with-joined")
    assert [r for r in rows if "joined" not in r["row"]] == plain
    (mine,) = [r for r in rows if "joined" in r["row"]]
    assert mine["row"] == "mine, joined"
    assert float(mine["largest distance of the tip / length"]) == pytest.approx(0.05)
    failed = json.loads((tmp_path / "out/cross/work_precision.json").read_text(encoding="utf-8"))["failed"]
    assert [line for line in failed if "late, joined" in line and "does not end when the reference does" in line]
    assert [line for line in failed if "mine, joined" in line and "not timed" in line]


def swinging(off: float, rows: int = 16) -> dict[str, Any]:
    """A tip that is `off` too low, every 0.05 s."""
    tip = np.linspace(0.0, 1.0, rows)[:, None] * [0.0, -1.0, 0.0] - [0.0, off, 0.0]
    return {
        "scene": {"length_m": 1.0, "time_step_s": 0.05},
        "coordinates": {},
        "dt": 0.05,
        "series": {"step": {"tip_displacement": tip}},
    }


def swing(folder: Path, name: str, off: float) -> None:
    write_trace(folder, f"{PRECISION} {name}_fem {name}", **swinging(off))


def test_the_scorecard_has_a_row_of_whatever_ones_own_method_was_run_on(tmp_path: Path) -> None:
    rest = np.eye(4, 3)
    more: dict[str, Any] = {"schedule": {"steps": 3}, "arrays": {"rest_positions": rest}, "coordinates": {}}
    series = {"step": {"positions": np.tile(rest, (4, 1, 1))}}
    join(tmp_path, "mine", experiment="cross/scorecard_turned", series=series, **more)
    join(tmp_path, "other", experiment="cross/tangled_start", status="diverged", reason="made up", **more)
    rows = figure(tmp_path, "scorecard")
    by = {(r["method"], r["invariant"]): r for r in rows}
    assert {r["method"] for r in rows} == {"mine", "other"}
    assert by["mine", "rotation"]["kept"] == "True" and by["other", "recovery"]["kept"] == "False"
    assert by["mine", "rest"]["reason"] == "not run in cross/scorecard_rest"
    stamp = json.loads((tmp_path / "out/cross/scorecard.json").read_text(encoding="utf-8"))
    assert "<code>mine, joined</code>" in stamp["tables"][0]
    assert stamp["tables"][0].count("<td>not run</td>") > 10


def test_a_report_with_joined_rows_judges_as_one_without(tmp_path: Path) -> None:
    ms_per_step_folder(tmp_path, sizes=(2, 3))
    timed_of_mine(tmp_path)
    judged = []
    for flags in ([], ["--with-joined"]):
        words = [
            "report",
            str(tmp_path),
            "--paper",
            "mueller_gross_2004",
            "--report-out",
            str(tmp_path / "out"),
            *flags,
        ]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(style, "FORMATS", ("svg", "png"))
            assert verbs.main(words) in (4, 6)
        judged.append(json.loads((tmp_path / "out/verdicts.json").read_text(encoding="utf-8")))
    assert judged[0] == judged[1] and judged[0]["verdicts"]
    assert "mine (law=theirs), joined" in (tmp_path / "out/report.html").read_text(encoding="utf-8")

# SPDX-License-Identifier: BSD-3-Clause
"""The verbs, their exit codes, and where they write."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up_traces import ms_per_step_folder, write_trace

from paper_figures import verbs
from deformbench_analysis import papers, registration, measurement as registry
from deformbench_analysis.claims import load_claims
from deformbench_analysis.declarations import all_declarations
from deformbench_analysis.measurement import Measurement, load_all


DRAWING = """
from deformbench_analysis.tables import Column, Table
from paper_figures import style
from paper_figures.entry import FigureEntry, write_table

def make(results, out_dir):
    stem = out_dir / "fig_1_line"
    return FigureEntry("Line", "A line.", style.save(style.new_figure()[0], stem), write_table(Table([Column("n")]), stem))
"""


@pytest.fixture
def claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Claims and a figure of one paper in place of the tree's."""
    folder = tmp_path / "p"
    (folder / "figures").mkdir(parents=True)
    line = {"id": "fig_1_line", "number": "Figure 1", "title": "Line", "experiments": ["cross/ms_per_step"]}
    (folder / "figures" / "figures.json").write_text(json.dumps({"figures": [line]}))
    (folder / "figures" / "fig_1_line.py").write_text(DRAWING)
    entry = {"where": "Fig. 7", "statement": "s", "experiments": ["cross/ms_per_step"], "min_tier": "smoke"}
    write = {
        "paper": "p",
        "claims": [
            {
                **entry,
                "id": "P-01",
                "kind": "quantitative",
                "predicate": {"measurement": "ms_per_step.solves_per_step", "op": "==", "value": 1, "origin": "t"},
            },
            {
                **entry,
                "id": "P-02",
                "kind": "timing",
                "predicate": {
                    "measurement": "ms_per_step.warped_exponent",
                    "op": "in",
                    "value": [0.9, 1.1],
                    "origin": "t",
                },
            },
            {
                **entry,
                "id": "P-03",
                "kind": "quantitative",
                "min_tier": "large",
                "predicate": {"measurement": "ms_per_step.solves_per_step", "op": "==", "value": 1, "origin": "t"},
            },
        ],
    }
    (folder / "claims.json").write_text(json.dumps(write))
    (folder / "paper.json").write_text(json.dumps({"paper": "p"}))
    nothing = tmp_path / "nothing"
    with papers.also([folder]):
        known = [
            p if p.is_outside else replace(p, claims=nothing, errata=nothing, figure_index=nothing)
            for p in papers.known()
        ]
    monkeypatch.setattr(papers, "known", lambda: known)
    declared, paper = all_declarations(), papers.named("p")
    seals = {c.id: registration.seal(c, declared).data() for c in load_claims(paper.claims, "p")}
    registration.write(paper, {k: {"registered": "2026-01-01", **seal} for k, seal in seals.items()})
    return folder


def run(*arguments: object) -> int:
    return verbs.main([str(a) for a in arguments])


def test_measure_prints_names_values_and_units_as_json(ms_per_step: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("measure", ms_per_step, "--experiment", "ms_per_step", "--format", "json") == 0
    rows = {r["measurement"]: r for r in json.loads(capsys.readouterr().out)}
    assert rows["ms_per_step.warped_over_linear_at_5000"]["value"] == pytest.approx(1.3)
    assert rows["ms_per_step.warped_over_linear_at_5000"]["definition"]


def test_nothing_to_measure_is_not_a_success(
    tmp_path: Path, ms_per_step: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert run("measure", tmp_path / "empty") == 5
    assert run("measure", ms_per_step, "--experiment", "no_such") == 5
    assert "no measurement of no_such" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (("measure", "--experiment", "ms_per_stepp"), "cross/ms_per_step"),
        (("compare", "--experiment", "ms_per_stepp"), "cross/ms_per_step"),
        (("verify", "--claim", "IVM01"), "IVM-01"),
        (("measure", "--experiment", "§"), ""),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest_ones(
    ms_per_step: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], nearest: str
) -> None:
    assert run(*words, "--out", ms_per_step) in (2, 5)
    line = capsys.readouterr().err
    assert len(line) < 300 and line.count("\n") == 1 and "deformbench list " in line
    assert f'did you mean "{nearest}"' in line if nearest else "did you mean" not in line


@pytest.mark.parametrize("verb", ["measure", "verify", "compare", "figures", "report"])
def test_two_folders_of_results_are_refused(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert verbs.main([verb, "one", "--out", "two"]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1 and f"{verb}: got one and --out two, expected one folder" in line


def test_json_is_a_format_of_measure_and_compare(ms_per_step: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("measure", ms_per_step, "--experiment", "ms_per_step", "--json") == 0
    assert {"measurement", "value", "unit"} <= set(json.loads(capsys.readouterr().out)[0])
    assert run("compare", ms_per_step, "--experiment", "ms_per_step", "--json") == 0
    assert json.loads(capsys.readouterr().out)["experiment"] == "cross/ms_per_step"


def test_a_folder_that_does_not_exist_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("measure", tmp_path / "nowhere") == 2
    assert "no such folder of results" in capsys.readouterr().err


def test_verify_records_compares_and_fails_on_a_changed_verdict(
    tmp_path: Path, ms_per_step: Path, claims: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--records", tmp_path / "records", "--report-out", tmp_path / "out")
    assert run("verify", ms_per_step, *options) == 6  # nothing recorded yet
    assert run("verify", ms_per_step, *options, "--record") == 0
    assert run("verify", ms_per_step, *options) == 0
    record = tmp_path / "records" / "p.json"
    record.write_text(record.read_text().replace('"holds"', '"does_not_hold"'))
    assert run("verify", ms_per_step, *options) == 6
    assert "P-01: recorded does_not_hold, now holds" in capsys.readouterr().out
    assert json.loads((tmp_path / "out" / "verdicts.json").read_text())["skipped"] == {
        "P-02": "timing is judged with --timing only",
        "P-03": "needs tier large",
    }


def test_verify_prints_json_alone(tmp_path: Path, ms_per_step: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--claim", "IVM-40", "--timing", "--records", tmp_path, "--report-out", tmp_path / "report", "--json")
    assert run("verify", ms_per_step, *options) == 6
    printed = capsys.readouterr()
    verdicts = json.loads(printed.out)["verdicts"]
    assert list(verdicts) == ["IVM-40"] and verdicts["IVM-40"]["comparisons"]
    assert "1 claims judged at tier" in printed.err


def test_verify_fails_where_a_cell_ended_otherwise_than_declared(
    tmp_path: Path, claims: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--records", tmp_path / "records", "--report-out", tmp_path / "out")
    assert run("verify", ms_per_step_folder(tmp_path / "whole"), *options, "--record") == 0
    folder = ms_per_step_folder(tmp_path / "cut", fail_direct_at=3)
    capsys.readouterr()
    assert run("verify", folder, *options) == 6
    said = capsys.readouterr().out
    assert "P-01: recorded holds, now not_measured" in said
    assert "1 ended otherwise than declared, such as linear_factorised (cells_across=3): unsupported" in said
    assert run("verify", folder, *options, "--record") == 6
    assert run("verify", folder, *options, "--record", "--stale") == 2


def test_verify_without_record_leaves_the_record_alone(tmp_path: Path, ms_per_step: Path, claims: Path) -> None:
    run("verify", ms_per_step, "--records", tmp_path / "records", "--report-out", tmp_path / "out")
    assert not (tmp_path / "records").exists()


def test_timing_claims_are_judged_when_asked_for(tmp_path: Path, ms_per_step: Path, claims: Path) -> None:
    run("verify", ms_per_step, "--timing", "--records", tmp_path / "records", "--report-out", tmp_path / "out")
    assert json.loads((tmp_path / "out" / "verdicts.json").read_text())["verdicts"]["P-02"]["verdict"] == "holds"


def test_a_broken_measurement_fails_the_run_and_is_named(
    tmp_path: Path, ms_per_step: Path, claims: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    load_all()
    name = "ms_per_step.solves_per_step"
    broken = Measurement(name, "1", "cross/ms_per_step", "d", False, lambda data: [][1])
    monkeypatch.setitem(registry._registry, name, broken)
    assert run("verify", ms_per_step, "--records", tmp_path / "records", "--report-out", tmp_path / "out") == 1
    assert f"measurement {name} is broken: IndexError" in capsys.readouterr().err


def test_an_unknown_claim_is_bad_input(ms_per_step: Path, claims: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", ms_per_step, "--claim", "P-99") == 2
    assert "P-99: no such claim" in capsys.readouterr().err


def test_compare_shows_every_cell_with_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ms_per_step_folder(tmp_path, sizes=(2, 3), fail_direct_at=3)
    assert run("compare", folder, "--experiment", "ms_per_step", "--format", "csv", "--channel", "solver_residual") == 0
    lines = capsys.readouterr().out.strip().splitlines()
    assert lines[0].startswith("method,cells_across,status,solver_residual,median [ms/step]")
    assert any("linear_factorised,3,unsupported: the factor does not fit" in line for line in lines)
    assert (
        sum(line.endswith("no trace" + "," * 4) for line in lines) == 25
    )  # five declared sizes of five rows were not run


def test_compare_of_an_unknown_channel_names_those_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_trace(tmp_path, "x/y m")
    folder = ms_per_step_folder(tmp_path, sizes=(2,))
    assert run("compare", folder, "--experiment", "ms_per_step", "--channel", "colour") == 5
    assert "step/solver_residual" in capsys.readouterr().err


def test_a_report_that_is_up_to_date_is_not_made_again(
    tmp_path: Path, claims: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ms_per_step_folder(tmp_path / "r", sizes=(2, 3))
    options = ("--records", tmp_path / "records", "--report-out", tmp_path / "out")

    def again(*more: object, draws: bool = True) -> tuple[int, bool]:
        code = run("report", folder, *options, *more)
        said = capsys.readouterr().out
        kept = "report: up to date" in said
        assert ("p/fig_1_line: drawn" in said) == (draws and not kept), said
        return code, kept

    code, kept = again()
    assert not kept
    assert again() == (code, True)
    assert again("--force") == (code, False)
    (tmp_path / "records").mkdir(exist_ok=True)
    (tmp_path / "records" / "p.json").write_text('{"paper": "p", "claims": {"P-01": {"verdict": "holds"}}}')
    assert not again(draws=False)[1]  # other records, on which no figure depends
    assert again()[1]
    (tmp_path / "out" / "report.html").unlink()
    assert not again(draws=False)[1]  # a page is gone
    trace = next(p for p in folder.rglob("*.h5") if not p.name.endswith(".timing.h5"))
    trace.touch()
    assert again()[1]  # the same content
    before, content = trace.stat(), bytearray(trace.read_bytes())
    content[content.index(np.float64(20).tobytes())] ^= 1
    trace.write_bytes(content)
    os.utime(trace, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not again()[1]  # a bit has flipped

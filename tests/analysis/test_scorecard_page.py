# SPDX-License-Identifier: BSD-3-Clause
"""`deformbench scorecard`: what it runs, and that page, badge, JUnit file and exit code say what the entries say."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from made_up_traces import write_trace

from deformbench import running
from deformbench_analysis.declarations import Declaration, all_declarations
from deformbench_analysis.errors import NothingSelected
from deformbench_analysis.results import Results
from experiments.cross.measurements import scorecard as m
from paper_figures import style, verbs
from paper_figures.entry import Drawn
from paper_figures.scorecard import page, runs

needs_command = pytest.mark.skipif(not os.environ.get("DEFORMBENCH"), reason="DEFORMBENCH names no command")
PROGRAM = f"{sys.executable} {Path(__file__).with_name('scorecard_program.py')}"
KEPT = m.Entry(0.5, 1.0, True)
BROKEN = m.Entry(3.0, 1.0, False)
OFF = m.Entry(None, reason="no <such> energy\x01")
SKIPPED = m.Entry(None, reason="not run: it has none")
LACKING = m.Entry(None, reason="5 rows, expected 21", lacks=True)


def card(*entries: m.Entry) -> page.Scorecard:
    lines = [page.Line(i, e, "") for i, e in zip(m.INVARIANTS, [*entries, *[KEPT] * len(m.INVARIANTS)])]
    return page.Scorecard("mine", "smoke", lines)


@pytest.mark.parametrize(
    "entries, code, short",
    [
        ((), 0, "15/15 invariants"),
        ((OFF, SKIPPED), 0, "13/15 invariants"),
        ((BROKEN, OFF), 6, "13/15 invariants, 1 failed"),
        ((LACKING,), 4, "14/15 invariants"),
        ((LACKING, BROKEN), 6, "13/15 invariants, 1 failed"),
        ((m.Entry(None, None, False, "diverged: not finite"),), 6, "14/15 invariants, 1 failed"),
    ],
)
def test_the_exit_code_and_the_badge_are_of_the_worst_entry(
    entries: tuple[m.Entry, ...], code: int, short: str
) -> None:
    made = card(*entries)
    assert (page.exit_code(made, []), made.short) == (code, short)
    svg = ElementTree.fromstring(page.badge(made))
    title, *_, right = [e.text for e in svg.iter() if e.text and e.text.strip()]
    assert right == short and title == svg.get("aria-label") == made.sentence and svg.get("role") == "img"
    assert (page.COLOURS[m.FAILED] in page.badge(made)) == (code == 6)


def test_what_stands_on_the_page_is_said_as_json() -> None:
    facts = json.loads(json.dumps(card(BROKEN, OFF).facts()))
    assert facts["states"] == {"passed": 13, "failed": 1, "not applicable": 1}
    first, second, *_ = facts["invariants"]
    assert (first["invariant"], first["state"], first["value"], first["bound"]) == ("rest", "failed", 3.0, 1.0)
    assert second["value"] is None and "no <such> energy" in second["why"]


def test_a_figure_that_is_not_drawn_is_missing() -> None:
    (index, *_) = runs.figures()
    assert page.exit_code(card(), [Drawn(index, None, "no cells")]) == 4
    assert page.exit_code(card(BROKEN), [Drawn(index, None, "no cells")]) == 6
    assert page.exit_code(card(BROKEN), [Drawn(index, None, "its script failed", broken=True)]) == 1


def test_of_two_bodies_the_worse_counts() -> None:
    one = card(KEPT, KEPT, OFF)
    both = replace(one, lines=[*one.lines, *card(KEPT, BROKEN, KEPT).lines])
    assert (both.states[m.PASSED], both.states[m.FAILED], both.states.total()) == (14, 1, 15)


def test_junit_has_a_case_for_each_invariant() -> None:
    (suite,) = ElementTree.fromstring(page.junit(card(BROKEN, OFF, SKIPPED, LACKING)))
    assert [suite.get(k) for k in ("tests", "failures", "errors", "skipped")] == ["15", "1", "1", "2"]
    cases = {case.get("name"): case for case in suite}
    assert len(cases) == 15 and list(cases)[:2] == ["rest", "free fall"]
    (failure,) = cases["rest"]
    assert failure.tag == "failure" and "measured 3, bound ≤ 1: 1e-10: default residual" in str(failure.get("message"))
    assert [(e.tag, e.get("message")) for name in list(cases)[1:4] for e in cases[name]] == [
        ("skipped", "not applicable: no <such> energy\\x01"),
        ("skipped", "not run: it has none"),
        ("error", "5 rows, expected 21"),
    ]


def rest_of(folder: Path, off: float, rows: int = 4, **more: Any) -> None:
    """A body at rest of which one vertex moves once."""
    x = np.tile(np.eye(4, 3), (rows, 1, 1))
    x[2, 1, 0] += off
    arrays = {"rest_positions": np.eye(4, 3)}
    write_trace(
        folder, "cross/scorecard_rest mine", schedule={"steps": 3}, step={"positions": x}, arrays=arrays, **more
    )


@pytest.mark.parametrize(
    "off, rows, state, lacks", [(0.0, 4, m.PASSED, False), (1e-6, 4, m.FAILED, False), (0.0, 3, m.NOT_RUN, True)]
)
def test_entries_are_those_of_the_traces(tmp_path: Path, off: float, rows: int, state: str, lacks: bool) -> None:
    rest_of(tmp_path, off, rows)
    made = page.scorecard_of(Results(tmp_path, "paper", {}), "mine")
    assert len(made.lines) == len(m.INVARIANTS)
    assert (made.lines[0].entry.state, made.lines[0].entry.lacks) == (state, lacks)
    assert made.lines[1].entry.state == m.NOT_RUN and made.lines[1].entry.lacks  # free fall: nobody ran it


def test_a_method_that_runs_nothing_is_nothing_selected(tmp_path: Path) -> None:
    rest_of(tmp_path, 0.0, status="unsupported", reason="knows no tetrahedra")
    with pytest.raises(NothingSelected, match="knows no tetrahedra"):
        page.scorecard_of(Results(tmp_path, "paper", {}), "mine")
    with pytest.raises(NothingSelected, match="no trace"):
        page.scorecard_of(Results(tmp_path, "paper", {}), "other")


def test_a_body_that_is_refused_has_no_row_beside_one_that_is_not(tmp_path: Path) -> None:
    rest_of(tmp_path, 0.0)
    write_trace(tmp_path, "cross/scorecard_cloth_rest mine", status="unsupported", reason="takes no cloth")
    assert [row.cloth for row in m.rows(Results(tmp_path, "paper", {}))] == [False]


def test_what_a_method_runs_follows_from_the_declarations() -> None:
    declarations = all_declarations()
    of = {i.key: i for i in m.INVARIANTS}

    def runs_of(method: str, key: str) -> list[str]:
        return m.runs_of(method, of[key], False, declarations)

    assert runs_of("mine", "rest") == ["cross/scorecard_rest"]
    assert runs_of("mine", "order") == ["cross/scorecard_order"]  # all rows of the other one set their substeps
    assert runs_of("explicit_fem", "order") == ["cross/scorecard_order_explicit"]
    assert runs_of("mine", "recovery") == [] and runs_of("warped_fem", "recovery") == ["cross/tangled_start"]
    assert runs_of("pbd", "order") == []  # the scorecard says why
    tangled = declarations["cross/tangled_start"]
    data = json.loads(json.dumps(tangled.data))
    del data["methods"][0]["parameters"]["mass_damping_1_s"]
    declarations["cross/tangled_start"] = Declaration(tangled.path, data)
    assert runs_of("mine", "recovery") == ["cross/tangled_start"]


def test_the_plan_joins_every_experiment_and_times_what_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[list[str]] = []
    monkeypatch.setattr(runs, "start", lambda words: checked.append(words) or "")
    made = runs.plan(runs.Own("mine", ["--program", "python3 mine.py"], []), [], "smoke", Path("traces"))
    assert made.compared == ["mine", "warped_fem", "implicit_fem:law=stable_neo_hookean", "xpbd", "bullet_fem"]
    assert all("python3 mine.py" in call and "smoke" in call for call in made.calls)
    first, *rest = made.calls
    assert {e for i in m.INVARIANTS for e in i.experiments} - set(first) == {
        "cross/tangled_start",
        "cross/scorecard_order_explicit",
    }
    timed = [call for call in rest if call[0] == "time"]
    assert len(timed) == 4 and len(rest) == 8 and not any("reference" in call for call in timed)
    assert checked and checked[0][-1] == "--dry-run"
    other = runs.plan(runs.Own("pbd", [], ["pbd"]), ["xpbd", "pbd"], "paper", Path("traces"))
    assert other.compared == ["pbd", "xpbd"]


def test_cells_of_an_earlier_program_of_the_same_name_are_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(runs, "start", called.append)
    kept, old = (tmp_path / "made_up/x" / f"smoke.{name}cells.json" for name in ("", "joined-1."))
    kept.parent.mkdir(parents=True)
    for file in (kept, old):
        file.write_text("{}")
    assert runs.run(runs.Plan(["mine", "pbd"], [], [["run", "made_up/x"]]), tmp_path) == []
    assert called == [["run", "made_up/x"]] and kept.exists() and not old.exists()


@needs_command
@pytest.mark.parametrize(
    "words, said",
    [
        ([], "expected --program COMMAND"),
        (["--plugin", "mine.so"], "or --plugin FILE --method NAME"),
        (["--program", "python3 mine.py", "--method", "pbd"], "expected --program COMMAND"),
        (["--method", "warped_femm"], "warped_fem"),
        (["--program", "no_such_program"], "cannot be started"),
        (["--method", "pbd", "--against", "no_such_method"], "no_such_method"),
        (["--method", "pbd", "--against", "pbd"], "expected two methods or more"),
        (["--method", "pbd", "--out", "x"], "expected --report-out x; --out is the folder of results"),
    ],
)
def test_bad_input_is_one_line_before_anything_is_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert verbs.main(["scorecard", *words, "--report-out", str(tmp_path / "out")]) == 2
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 1 and said in lines[0], lines
    assert not list(tmp_path.rglob("*.h5"))


@pytest.fixture
def analysis_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the program."""
    monkeypatch.setenv("PYTHONPATH", str(Path(running.__file__).parents[1]))


@needs_command
def test_a_program_that_keeps_what_it_owes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, analysis_on_the_path: None
) -> None:
    monkeypatch.setattr(style, "FORMATS", ("svg", "png"))
    words = ["scorecard", "--program", PROGRAM, "--against", "warped_fem", "--report-out", str(tmp_path)]
    assert verbs.main(words) == 0, capsys.readouterr()
    assert "elements: of 15 invariants 10 passed; 4 not applicable; 1 not run" in capsys.readouterr().out
    text = (tmp_path / "scorecard.html").read_text(encoding="utf-8")
    assert "elements: 10/15 invariants" in text and "elements, joined" in text and "Compared with warped_fem" in text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    links = re.findall(r'<a class=v href="([^"]+)"', text)
    assert len(links) == 14 and all((tmp_path / link).is_file() for link in links)
    sections = re.findall(r'<section id="([^"]+)"><h2>', text)
    assert text.count("<figure>") == 6 and text.count("<h2>") == len(set(sections)) == len(sections)
    (suite,) = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "5")
    traces = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.h5")}
    capsys.readouterr()
    assert verbs.main([*words, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["states"]["passed"] == 10 and str(tmp_path / "badge.svg") in facts["files"]
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.h5")} == traces


@needs_command
@pytest.mark.parametrize(
    "wrong, failed",
    [
        ("momentum", {"linear momentum", "angular momentum", "free fall"}),
        ("energy", {"linear momentum", "angular momentum", "free fall", "kinetic energy made"}),
    ],
)
def test_a_program_that_is_wrong_fails(
    tmp_path: Path, wrong: str, failed: set[str], analysis_on_the_path: None
) -> None:
    own = runs.own_method(f"{PROGRAM} {wrong}", None, None, "smoke")
    where = ["--tier", "smoke", "--out", str(tmp_path), "--quiet"]
    running.start(["run", "cross/scorecard_momenta", "cross/scorecard_free_fall", *where, *own.words()])
    result = page.scorecard_of(Results(tmp_path, "smoke"), own.id)
    assert failed <= {line.name for line in result.failed}, [line.text() for line in result.lines]
    assert page.exit_code(result, []) == 6

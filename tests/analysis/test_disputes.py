# SPDX-License-Identifier: BSD-3-Clause
"""`deformbench dispute`: lists, refuses, runs, draws and answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_up_paper import write, write_paper, write_results

from deformbench_analysis import papers
from deformbench_analysis.measurement import load_all
from paper_figures import style, verbs
from paper_figures.entry import load_index
from paper_figures.report import disputes

DISPUTE: dict[str, Any] = {
    "id": "small_or_large",
    "question": "Is it small?",
    "claims": ["MADE-01"],
    "experiments": ["made_up/swelling"],
    "figure": "fig_1_swelling",
    "answer": ["One.", "It is {swelling.largest:.2f} large.", "{claim MADE-01}.", "Four.", "Five."],
}


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A paper with a dispute; instead of the command, traces are made up."""
    folder = write_paper(tmp_path / "paper")
    monkeypatch.setattr(style, "FORMATS", ("svg",))
    monkeypatch.setattr(disputes, "start", lambda words: write_results(Path(words[words.index("--out") + 1]), 1.5))
    with papers.also([folder]):
        yield folder


def told(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], str]:
    places = ["--out", str(folder.parent / "traces"), "--report-out", str(folder.parent / "out")]
    code = verbs.main(["dispute", *words, *places, "--tier", "paper"])
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err


def test_a_dispute_is_run_drawn_and_answered_in_five_lines(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(paper / "disputes.json", {"disputes": [DISPUTE]})
    code, lines, err = told(paper, capsys, "small_or_large")
    picture = paper.parent / "out/made_up/fig_1_swelling.svg"
    answer = ["One.", "It is 1.50 large.", "MADE-01 holds.", "Four.", "Five."]
    assert (code, err) == (0, "") and picture.is_file()
    assert lines == ["Is it small?", *answer, "made_up/fig_1_swelling: drawn", str(picture)]


def test_disputes_are_listed_ours_first(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(paper / "disputes.json", {"disputes": [DISPUTE]})
    code, lines, _ = told(paper, capsys)
    ours = [line.split(": ")[0] for line in lines[:-1]]
    assert code == 0 and lines[-1] == "small_or_large: Is it small?" and "newton_against_descent" in ours


def test_an_id_may_be_written_with_hyphens(paper: Path) -> None:
    write(paper / "disputes.json", {"disputes": [DISPUTE]})
    assert disputes.named("small-or-large").id == "small_or_large"


def test_a_number_that_is_not_there_is_told(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(paper / "disputes.json", {"disputes": [{**DISPUTE, "figure": "fig_1_swelling"}]})
    measuring = paper / "measurements/swelling.py"
    measuring.write_text(
        measuring.read_text(encoding="utf-8").replace("    return max", "    return data.some(name='absent') and max"),
        encoding="utf-8",
    )
    code, lines, err = told(paper, capsys, "small_or_large")
    assert code == 4 and "It is not measured large." in lines and "MADE-01 not measured." in lines
    assert "not measured: swelling.largest: " in err


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"id": "small_or_larger"}, 'dispute small_or_large: no such one; did you mean "small_or_larger"?'),
        ({"figure": "fig_1_swellings"}, '/figure: fig_1_swellings; did you mean "fig_1_swelling",'),
        ({"claims": ["MADE-10"]}, 'claim MADE-10: no such one; did you mean "MADE-01"'),
        ({"answer": ["{claim MADE-9}", "b", "c", "d", "e"]}, "claim MADE-9: no such one"),
        ({"answer": ["{swelling.larges}", "b", "c", "d", "e"]}, '/answer: swelling.larges; did you mean "swelling.l'),
        ({"answer": ["a", "b", "c", "d"]}, '/disputes/0/answer: ["a", "b", "c", "d"], expected five lines'),
        ({"experiments": []}, "expected a list of one experiment or more"),
        ({"more": 1}, "more"),
    ],
)
def test_what_is_no_dispute_is_refused_in_a_line(
    paper: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, Any],
    said: str,
) -> None:
    monkeypatch.setattr(disputes, "start", lambda words: pytest.fail("runs"))
    write(paper / "disputes.json", {"disputes": [DISPUTE | changes]})
    code, lines, err = told(paper, capsys, "small_or_large")
    assert (code, lines) == (2, []) and said in err and err.count("\n") == 1


def test_our_disputes_name_what_there_is() -> None:
    found, measurements, figures = disputes.load(), load_all(), {index.id: index for index in load_index()}
    assert found
    for one in found.values():
        disputes._claims_of(one)
        assert set(one.experiments) >= set(figures[one.figure].experiments)
        names = [name for line in one.answer for name in disputes.names_in(line)]
        assert names and {measurements[name].experiment for name in names} <= set(one.experiments)
    assert json.loads((papers.named("cross").folder / disputes.FILE).read_text(encoding="utf-8"))["disputes"]

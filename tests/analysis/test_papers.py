# SPDX-License-Identifier: BSD-3-Clause
"""Papers outside the tree: found, judged, drawn and reported as ours are;
what is wrong in one is said in one line."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from made_up_paper import write, write_paper, write_results

from deformbench_analysis import papers
from deformbench_analysis.claims import all_claims
from deformbench_analysis.declarations import all_declarations
from deformbench_analysis.errors import InputError
from deformbench_analysis.measurement import broken_modules, load_all
from deformbench_analysis.paths import project_root
from paper_figures import verbs
from paper_figures.entry import load_index


def run(*arguments: object) -> int:
    return verbs.main([str(a) for a in arguments])


def test_a_paper_outside_is_measured_judged_recorded_drawn_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper, results = write_paper(tmp_path / "paper"), write_results(tmp_path / "results")
    options = ("--papers", tmp_path / "paper", "--paper", "made_up", "--report-out", tmp_path / "out")
    assert run("measure", results, *options, "--format", "json") == 0
    assert [(v["measurement"], v["value"]) for v in json.loads(capsys.readouterr().out)] == [("swelling.largest", 1.5)]
    assert run("verify", results, *options) == 6  # nothing is recorded
    assert run("verify", results, *options, "--record") == 2  # nothing is registered
    assert run("register", "MADE-01", *options[:4]) == 0
    assert run("verify", results, *options, "--record") == 0
    assert json.loads((paper / "verdicts.json").read_text())["claims"]["MADE-01"]["verdict"] == "holds"
    assert run("verify", results, *options) == 0
    assert run("compare", results, *options, "--format", "csv") == 0
    assert run("figures", results, *options) == 0
    assert (tmp_path / "out" / "made_up" / "fig_1_swelling.svg").exists()
    assert run("report", results, *options) == 0
    front, own = ((tmp_path / "out" / f"{p}.html").read_text() for p in ("report", "made_up"))
    for page in (front, own):
        assert "Somebody 2030" in page and "MADE-01" in page and "holds" in page and "fig_1_swelling" in page
    assert "rotation_artefact" not in front and "IVM-01" not in front
    write_results(results, largest=2.5)
    assert run("verify", results, *options) == 6
    assert "MADE-01: recorded holds, now does_not_hold" in capsys.readouterr().out
    assert run("report", results, *options) == 6  # not the stored one


def test_errata_and_limitations_of_a_paper_outside_are_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, results = write_paper(tmp_path / "paper"), write_results(tmp_path / "results")
    size = {"measurement": "swelling.largest", "experiment": "made_up/swelling"}
    bound = {"op": "<", "value": 1, "origin": "made up"}
    entry = {"id": "B-MADE-1", "tag": "E", "where": "eq. 1", "meant": "The other sign."}
    write(
        folder / "errata.json", {"paper": "made_up", "errata": [{**entry, "measured_by": [{**size, "bound": bound}]}]}
    )
    about = {"paper": "made_up", "short": "S 2030", "citation": "S.", "limitations": ["Only made-up traces."]}
    write(folder / "paper.json", about)
    options = ("--papers", folder, "--paper", "made_up", "--report-out", tmp_path / "out")
    assert run("register", "MADE-01", *options[:4]) == 0
    assert run("verify", results, *options, "--record") == 6
    assert "erratum B-MADE-1: swelling.largest = 1.5 (< 1)" in capsys.readouterr().out
    assert run("report", results, *options) == 6
    page = (tmp_path / "out" / "made_up.html").read_text(encoding="utf-8")
    assert "The other sign." in page and "Only made-up traces." in page


def test_findings_of_a_paper_outside_open_its_report(tmp_path: Path) -> None:
    folder, results = write_paper(tmp_path / "paper"), write_results(tmp_path / "results")
    sentence = "It swells to {swelling.largest:.2f} times its volume."
    when = {"measurement": "swelling.largest", "op": ">", "value": 1, "origin": "made up"}
    finding = {"id": "it_swells", "sentence": sentence, "when": when, "figure": "fig_1_swelling", "behind": ["MADE-01"]}
    write(folder / "findings.json", {"findings": [finding]})
    options = ("--papers", folder, "--paper", "made_up", "--report-out", tmp_path / "out")
    run("report", results, *options)
    front = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "It swells to <span class=v>1.50</span> times its volume." in front and front.count('id="finding-') == 1


def test_declarations_in_a_folder_called_experiments_are_found_too(tmp_path: Path) -> None:
    folder, results = write_paper(tmp_path / "paper"), write_results(tmp_path / "results")
    options = ("--papers", folder, "--paper", "made_up", "--report-out", tmp_path / "out")
    with papers.also([folder]):
        before = all_declarations()["made_up/swelling"]
        (folder / "declarations").rename(folder / "experiments")
        after = all_declarations()["made_up/swelling"]
        assert after.data == before.data and after.path == folder / "experiments" / "swelling.json"
        assert after.path in papers.named("made_up").sources()
    assert run("register", "MADE-01", *options[:4]) == 0 and run("verify", results, *options, "--record") == 0


def test_a_folder_of_papers_and_the_environment_name_them_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_paper(tmp_path / "all" / "one", "one_paper", "shrinking", "ONE-01")
    write_paper(tmp_path / "all" / "two", "two_paper", "growing", "TWO-01")
    before = {p.name for p in papers.known()}
    monkeypatch.setenv("DEFORMBENCH_PAPERS", f"{tmp_path / 'all'}:{tmp_path / 'all' / 'one'}")  # one of them twice
    assert {p.name for p in papers.known()} - before == {"one_paper", "two_paper"}
    assert {"one_paper/shrinking", "two_paper/growing"} <= set(all_declarations())
    assert {"shrinking.largest", "growing.largest"} <= set(load_all())
    assert {"fig_1_shrinking", "fig_1_growing"} <= {i.id for i in load_index()}
    monkeypatch.delenv("DEFORMBENCH_PAPERS")
    assert not {"shrinking.largest", "growing.largest"} & set(load_all())


def test_the_option_does_not_outlast_the_command(tmp_path: Path) -> None:
    write_paper(tmp_path / "paper")
    run("measure", write_results(tmp_path / "results"), "--papers", tmp_path / "paper", "--paper", "made_up")
    assert "DEFORMBENCH_PAPERS" not in os.environ


def test_a_paper_that_moved_is_read_where_it_is(tmp_path: Path) -> None:
    for place, value in (("here", "1"), ("there", "2")):
        folder = write_paper(tmp_path / place)
        module = folder / "measurements" / "swelling.py"
        module.write_text(module.read_text().replace("return max(", f"return {value} * max("))
        with papers.also([folder]):
            trace = write_results(tmp_path / f"results_{place}")
            assert run("measure", trace, "--paper", "made_up") == 0
            assert f"/{place}/" in str(load_all()["swelling.largest"].function.__code__.co_filename)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"name": "cross"}, "paper cross: is in "),
        ({"claim": "IVM-01"}, "claim IVM-01: is in "),
        ({"short": "rotation_artefact"}, ""),  # an experiment's short name may be that of another paper
    ],
)
def test_names_that_are_taken_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, str], words: str
) -> None:
    write_paper(tmp_path / "paper", **change)
    results = write_results(tmp_path / "results", **{k: v for k, v in change.items() if k != "claim"})  # type: ignore[arg-type]
    code = run("verify", results, "--papers", tmp_path / "paper", "--report-out", tmp_path / "out")
    err = capsys.readouterr().err
    if words:
        assert code == 2 and words in err and err.count("\n") == 1
    else:
        assert code == 6


@pytest.mark.parametrize(
    "what, old, new, words",
    [
        ("measurements/swelling.py", "swelling.largest", "ms_per_step.own", "must start with the short name"),
        ("figures/figures.json", "fig_1_swelling", "fig_07_ms_per_step", "no script"),
        ("figures/figures.json", '"number"', '"numero"', "expected {"),
        ("claims.json", '"op": "<"', '"op": "<<"', "claims.json: /claims/0/predicate/op"),
        ("claims.json", "made_up", "other", "/paper is 'other', expected 'made_up'"),
        ("claims.json", "{", "{{", "not a readable JSON file"),
        ("paper.json", "made_up", "Made Up", "/paper: got 'Made Up'"),
        ("declarations/swelling.json", "made_up/", "other/", 'expected "made_up/swelling"'),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, old: str, new: str, words: str
) -> None:
    file = write_paper(tmp_path / "paper") / what
    file.write_text(file.read_text().replace(old, new))
    results = write_results(tmp_path / "results")
    options = ("--papers", tmp_path / "paper", "--paper", "made_up", "--report-out", tmp_path / "out")
    assert run("report", results, *options) == 2
    err = capsys.readouterr().err
    assert words in err and err.count("\n") == 1, err


@pytest.mark.parametrize(
    "change, words",
    [
        ({"tag": "X"}, "errata.json: /errata/0/tag: 'X', expected one of E, F, A, O"),
        ({"size": "large"}, "errata.json: /errata/0: unknown key 'size'"),
        ({"meant": 3}, "errata.json: /errata/0/meant: 3, expected a text"),
        ({"measured_by": [{"measurement": "swelling.largest"}]}, "/measured_by/0: key experiment is missing"),
        ({"notation": None}, ", expected either measured_by or notation"),
    ],
)
def test_what_is_wrong_in_a_ledger_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], words: str
) -> None:
    entry = {"id": "B-1", "tag": "A", "where": "w", "meant": "m", "notation": "n", **change}
    write(write_paper(tmp_path / "paper") / "errata.json", {"errata": [{k: v for k, v in entry.items() if v}]})
    results = write_results(tmp_path / "results")
    options = ("--papers", tmp_path / "paper", "--paper", "made_up", "--report-out", tmp_path / "out")
    assert run("report", results, *options) == 2
    err = capsys.readouterr().err
    assert words in err and err.count("\n") == 1, err


def test_a_figure_of_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    folder = write_paper(tmp_path / "paper")
    index = folder / "figures" / "figures.json"
    index.write_text(index.read_text().replace("fig_1_swelling", "fig_07_ms_per_step"))
    (folder / "figures" / "fig_1_swelling.py").rename(folder / "figures" / "fig_07_ms_per_step.py")
    with papers.also([folder]), pytest.raises(InputError, match="fig_07_ms_per_step: is of .* and of made_up"):
        load_index()


def test_measurements_of_one_name_are_refused(tmp_path: Path) -> None:
    one, two = (write_paper(tmp_path / n, f"{n}_paper", "swelling", n.upper()) for n in ("one", "two"))
    with papers.also([one, two]), pytest.raises(InputError, match="swelling.largest: is in .*one_paper.*two_paper"):
        load_all()


@pytest.mark.parametrize(
    "folder, words", [("nowhere", "no such folder"), (".", "none, expected a paper"), ("a:b", "colon")]
)
def test_a_folder_without_papers_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_results(tmp_path / "results")
    assert run("measure", "results", "--papers", folder) == 2
    assert words in capsys.readouterr().err


def test_a_measurement_and_a_figure_that_throw_are_named_by_line_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, results = write_paper(tmp_path / "paper"), write_results(tmp_path / "results")
    good = (folder / "measurements" / "swelling.py").read_text()
    lines = good.count("\n")
    more = (
        good[good.index("@") :]
        .replace("largest", "failing")
        .replace("return max(", "import numpy\n    numpy.stack([])\n    return max(")
    )
    (folder / "measurements" / "swelling.py").write_text(good + more)
    (folder / "measurements" / "unfinished.py").write_text('"""Half of a file."""\n\ndef half(:\n')
    (folder / "measurements" / "leaving.py").write_text('"""Ends the program."""\nimport sys\nsys.exit("bye\\nbye")\n')
    index = json.loads((folder / "figures" / "figures.json").read_text())
    index["figures"].append({**index["figures"][0], "id": "fig_2_wrong"})
    write(folder / "figures" / "figures.json", index)
    write(folder / "figures" / "fig_2_wrong.py", '"""Fails."""\ndef make(results, out_dir):\n    return 1 / 0\n')
    options = ("--papers", folder, "--paper", "made_up", "--report-out", tmp_path / "out")
    assert run("measure", results, *options) == 1
    shown = capsys.readouterr()
    assert "1.5" in shown.out
    assert (
        f"measurement swelling.failing is broken: ValueError: need at least one array to stack (swelling.py:{lines + 5})"
        in shown.err
    )
    assert "measurements of made_up are broken: SyntaxError: " in shown.err and "(unfinished.py:3)" in shown.err
    assert "measurements of made_up are broken: SystemExit: bye bye (leaving.py:3)" in shown.err
    assert shown.err.count("\n") == 3
    assert run("figures", results, *options) == 1
    shown = capsys.readouterr()
    assert "made_up/fig_1_swelling: drawn" in shown.out
    assert "made_up/fig_2_wrong: not drawn: ZeroDivisionError: division by zero (fig_2_wrong.py:3)" in shown.err
    assert run("verify", results, *options) == 1
    assert "1 claims judged at tier paper: 1 holds" in capsys.readouterr().out


def test_a_measurement_that_kills_its_process_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)  # processes of their own, on any machine
    folder, results = write_paper(tmp_path / "paper"), write_results(tmp_path / "results")
    write_paper(tmp_path / "more", "more", "growing", "MORE-01")
    module = folder / "measurements" / "swelling.py"
    module.write_text(
        module.read_text().replace("return max(", "import os\n    os.kill(os.getpid(), 9)\n    return max(")
    )
    options = ("--papers", folder, "--papers", tmp_path / "more", "--paper", "made_up", "--paper", "more")
    assert run("measure", results, *options) == 1
    err = capsys.readouterr().err
    assert "a process that measured or drew ended before it had an answer" in err and err.count("\n") == 1


def test_no_module_of_the_tree_is_broken() -> None:
    load_all()
    assert broken_modules() == []


def test_ours_are_found_by_the_same_lookup() -> None:
    for paper in papers.known():
        assert not paper.is_outside and paper.folder.name == paper.name
        assert paper.declarations.is_dir() and papers.measuring_modules(paper)
        assert paper.about.exists() and paper.figure_index.exists() and paper.scripts.is_dir()
    assert set(all_claims()) == {p.name for p in papers.known() if p.claims.exists()}


@pytest.mark.parametrize("own", [(), ("experiments",), ("experiments", "experiments/__init__.py")])
def test_ours_are_measured_in_a_script_beside_other_experiments(tmp_path: Path, own: tuple[str, ...]) -> None:
    for name in own:
        (tmp_path / name).touch() if name.endswith(".py") else (tmp_path / name).mkdir()
    script = "import deformbench_analysis.measurement as m; assert len(m.load_all()) > 1000 and not m.broken_modules()"
    environment = {**os.environ, "PYTHONPATH": str(project_root() / "analysis")}
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, check=True)


def test_an_unknown_paper_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", write_results(tmp_path / "results"), "--paper", "nobody_2031") == 2
    assert "paper nobody_2031: no such one" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("thrown", "code"),
    [
        ('FileNotFoundError(2, "No such file or directory", "deck.inp")', 1),
        ('ValueError("no deck")', 1),
        ('deformbench_analysis.errors.InputError("deck.inp: damaged")', 2),
    ],
)
@pytest.mark.parametrize("verb", ["measure", "verify", "figures", "report"])
def test_a_measurement_that_throws_is_named_and_the_others_are_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], thrown: str, code: int, verb: str
) -> None:
    folder, out = write_paper(tmp_path / "paper"), tmp_path / "out"
    module = folder / "measurements" / "swelling.py"
    text = module.read_text(encoding="utf-8")
    other = text[text.index("@measurement") :].replace("largest", "other").replace("over all", "of")
    module.write_text(
        "import deformbench_analysis.errors\n"
        + text.replace("    return max", f"    raise {thrown}\n    return max")
        + other,
        encoding="utf-8",
    )
    words = [str(write_results(tmp_path / "results")), "--papers", str(folder), "--paper", "made_up"]
    assert verbs.main([verb, *words, "--report-out", str(out)]) == code
    said = capsys.readouterr()
    name = "made_up/fig_1_swelling" if verb == "figures" else "swelling.largest" if code == 1 else "deck.inp: damaged"
    assert name in said.out + said.err and "deck" in said.out + said.err
    assert code == 1 or verb == "figures" or said.err.splitlines().count("deformbench: deck.inp: damaged") == 1
    if verb == "measure":
        assert "swelling.other" in said.out and "1.5" in said.out
    if verb == "report":
        page = (out / "made_up.html").read_text(encoding="utf-8")
        assert "not measured" in page and "Not drawn" in page and "<td>1.5</td>" in page

# SPDX-License-Identifier: BSD-3-Clause
"""`deformbench new`: what it makes runs as it is, from an empty folder outside the tree;
what is there is not touched."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from deformbench_analysis import starting
from deformbench_analysis.claims import load_claims
from deformbench_analysis.errors import InputError

COMMAND = os.environ.get("DEFORMBENCH", "")
needs_command = pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")


def run(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    hidden = ("DEFORMBENCH_DATA", "PYTHONPATH", "DEFORMBENCH_PAPERS")
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=3600)


@needs_command
def test_a_new_paper_runs_is_judged_and_reported_outside_the_tree(tmp_path: Path) -> None:
    made = run(tmp_path, COMMAND, "new", "paper", "Short 2031")
    assert made.returncode == 0, made.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["Short 2031"]
    paper = tmp_path / "Short 2031"
    recorded = json.loads((paper / "verdicts.json").read_text())["claims"]["SHORT2031-01"]
    named = ("--papers", "Short 2031", "--paper", "short_2031")
    ran = run(tmp_path, COMMAND, "run", *named, "--tier", "smoke", "--out", "smoke")
    assert ran.returncode == 0, ran.stderr
    verified = run(tmp_path, COMMAND, "verify", "smoke", *named, "--tier", "smoke", "--report-out", "pages")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    done = run(paper, "./reproduce")
    assert done.returncode == 0, done.stdout + done.stderr
    page = (paper / "report" / "short_2031.html").read_text(encoding="utf-8")
    assert "SHORT2031-01" in page and "Short 2031" in page
    assert {"fig_1_short_2031.svg", "fig_1_short_2031.csv"} <= {p.name for p in (paper / "report/short_2031").iterdir()}
    again = run(paper, COMMAND, "verify", "results", "--papers", ".", "--record", "--paper", "short_2031")
    now = json.loads((paper / "verdicts.json").read_text())["claims"]["SHORT2031-01"]
    assert again.returncode == 0 and {k: now[k] for k in recorded} == recorded and now["machines"]


@needs_command
def test_its_predicate_can_fail(tmp_path: Path) -> None:
    assert run(tmp_path, COMMAND, "new", "paper", "other").returncode == 0
    declared = tmp_path / "other" / "declarations" / "other_own_weight.json"
    declared.write_text(declared.read_text().replace('"poisson_ratio": 0.0', '"poisson_ratio": 0.45'))
    named = ("--papers", "other", "--paper", "other", "--tier", "smoke")
    assert run(tmp_path, COMMAND, "run", *named, "--out", "results").returncode == 0
    verified = run(tmp_path, COMMAND, "verify", "results", *named, "--report-out", "pages")
    assert verified.returncode == 6 and "recorded holds, now does_not_hold" in verified.stdout
    done = run(tmp_path / "other", "./reproduce")
    assert done.returncode == 6, done.stdout + done.stderr
    page = (tmp_path / "other" / "report" / "other.html").read_text(encoding="utf-8")
    assert "Different from the record: OTHER-01 was holds, is does_not_hold" in page


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    (tmp_path / "file").write_text("not a folder")
    for name in ("mine", "file"):
        with pytest.raises(InputError, match="exists already, expected a folder that does not, or an empty one"):
            starting.make_new("paper", tmp_path / name)
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["thesis.tex"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "mine"]


@pytest.mark.parametrize("kind", starting.KINDS)
def test_every_place_of_a_template_is_filled(tmp_path: Path, kind: str) -> None:
    folder = starting.make_new(kind, tmp_path / "Two Words")
    files = [p for p in folder.rglob("*") if p.is_file()]
    made = {"paper": 1, "method": 0}[kind]  # the registrations, which depend on the paper's name
    assert len(files) - made == len(list((starting.TEMPLATES / kind).rglob("*.in"))) > 4
    for file in files:
        assert "%%" not in file.read_text(encoding="utf-8") and kind.upper() not in file.name
    assert [p.name for p in files if os.access(p, os.X_OK)] == [{"paper": "reproduce", "method": "try"}[kind]]
    for file in (p for p in files if p.suffix == ".json"):
        json.loads(file.read_text(encoding="utf-8"))


def test_a_new_method_has_jobs_that_keep_its_scorecard(tmp_path: Path) -> None:
    folder = starting.make_new("method", tmp_path / "Two Words")
    for name in (".github/workflows/scorecard.yml", ".gitlab-ci.yml"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "build/two_words_bench scorecard --method two_words --report-out scorecard" in text
        assert all(f"scorecard/{kept}" in text for kept in ("scorecard.html", "badge.svg", "junit.xml"))
        assert "scorecard" in pytest.importorskip("yaml").safe_load(text).get("jobs", ["scorecard"])


def test_a_new_paper_has_jobs_that_replicate_it_and_keep_the_report(tmp_path: Path) -> None:
    folder = starting.make_new("paper", tmp_path / "Two Words")
    yaml = pytest.importorskip("yaml")
    github, gitlab = (
        yaml.safe_load((folder / name).read_text(encoding="utf-8"))
        for name in (".github/workflows/reproduce.yml", ".gitlab-ci.yml")
    )
    steps = github["jobs"]["reproduce"]["steps"]
    scripts = [step["run"] for step in steps if "run" in step], gitlab["reproduce"]["before_script"] + gitlab[
        "reproduce"
    ]["script"]
    for script in scripts:
        assert script[-1] == 'DEFORMBENCH="$HOME/deformbench/bin/deformbench" ./reproduce'
        assert script[-2] == '$HOME/deformbench_source/install "$HOME/deformbench"'
    assert (folder / "reproduce").stat().st_mode & 0o111
    assert steps[-1]["with"]["path"] == "report" and gitlab["reproduce"]["artifacts"]["paths"] == ["report"]


def test_an_empty_folder_is_filled_and_stays_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    starting.make_new("paper", ".")
    assert json.loads(Path("paper.json").read_text(encoding="utf-8"))["paper"] == "empty"
    assert [p.name for p in tmp_path.iterdir()] == ["empty"]
    assert load_claims(Path("claims.json"), "empty")


def test_what_fails_half_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Path] = []

    def fill(template: Path, target: Path, words: object) -> None:
        if written:
            raise OSError(28, "No space left on device", str(target))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("half")
        written.append(target)

    monkeypatch.setattr(starting, "_fill", fill)
    with pytest.raises(OSError, match="No space left"):
        starting.make_new("paper", tmp_path / "paper")
    assert written and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["2031", "_", "…"])
def test_a_folder_that_gives_no_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="begins with a letter"):
        starting.make_new("paper", tmp_path / name)
    assert list(tmp_path.iterdir()) == []

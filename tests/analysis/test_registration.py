# SPDX-License-Identifier: BSD-3-Clause
"""Claims are sealed before the run that counts: what is a change, who may record, and what an amendment keeps."""

import itertools
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_up_paper import write_paper, write_results

from deformbench_analysis import json_format, papers, registration
from deformbench_analysis.claims import all_claims
from deformbench_analysis.cli import main
from deformbench_analysis.declarations import all_declarations
from deformbench_analysis.paths import project_root

Edit = Callable[[dict[str, Any]], None]


def edit(path: Path, change: Edit) -> None:
    """Changes the only claim of a paper, or the declaration of an experiment."""
    data = json.loads(path.read_text())
    change(data["claims"][0] if "claims" in data else data)
    path.write_text(json.dumps(data))


def bound(value: float) -> Edit:
    return lambda claim: claim["predicate"].update(value=value)


class Paper:
    """A made-up paper in a repository, with traces; `run` is a verb on it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.results = write_paper(folder / "paper"), write_results(folder / "results")
        self.claims, self.registrations = self.folder / "claims.json", self.folder / "registrations.json"
        self.git("init", "-q")
        self.commit()

    def git(self, *words: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@x")
        subprocess.run(["git", *who, *words], cwd=self.folder, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "x")

    def run(self, verb: str, *words: str) -> int:
        out = str(self.folder.parent / "out")
        own = {"verify": (str(self.results), "--report-out", out), "register": ("MADE-01", "--out", str(self.results))}[
            verb
        ]
        return main([verb, *own, "--papers", str(self.folder), "--paper", "made_up", *words])

    def registered(self) -> dict[str, Any]:
        return registration.entries_of(json.loads(self.registrations.read_text()))["MADE-01"]

    def recorded(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "verdicts.json").read_text())["claims"]["MADE-01"])


@pytest.fixture
def paper(tmp_path: Path) -> Paper:
    return Paper(tmp_path)


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("claim", bound(20)),
        ("claim", lambda c: c["predicate"].update(op="<=")),
        ("claim", lambda c: c.update(statement="It stays smaller.")),
        ("claim", lambda c: c.update(min_tier="paper")),
        ("", lambda c: c["predicate"].update(value=2.0)),
        ("", lambda c: c.update(variant="corrected")),
        ("claim", lambda c: c.update(holds_in_regime={"regime": "below 3", **c["predicate"], "value": 3})),
        ("", lambda c: c["predicate"].update(origin="said better", note="why")),
        ("controls", lambda c: c["predicate"].update(origin="control: it can tell")),
        ("", lambda c: c.update(note="A note.", deviations=["hardware"])),
    ],
)
def test_what_decides_a_verdict_is_sealed_and_words_about_it_are_not(
    paper: Paper, what: str, change: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paper.run("register") == 0
    edit(paper.claims, change)
    capsys.readouterr()
    assert paper.run("register") == (2 if what else 0)
    said = capsys.readouterr()
    assert f"MADE-01: {what} changed" in said.err if what else "registered as it is" in said.out


def test_the_last_control_of_a_claim_can_go(paper: Paper, capsys: pytest.CaptureFixture[str]) -> None:
    edit(paper.claims, lambda c: c["predicate"].update(origin="counter: enough runs"))
    assert paper.run("register") == 0 and "controls" in paper.registered()
    edit(paper.claims, lambda c: c["predicate"].update(origin="what the claim says"))
    assert paper.run("register", "--why", "It is no counter.") == 0 and "controls" not in paper.registered()
    capsys.readouterr()
    assert paper.run("register") == 0
    assert "is registered as it is" in capsys.readouterr().out


def test_a_changed_declaration_breaks_the_seal_and_its_doc_does_not(paper: Paper) -> None:
    assert paper.run("register") == 0
    declaration = paper.folder / "declarations" / "swelling.json"
    edit(declaration, lambda d: d.update(doc="Said better."))
    assert paper.run("register") == 0
    edit(declaration, lambda d: d.update(seed=2))
    assert paper.run("register") == 2


def test_only_registered_claims_are_recorded_and_the_record_carries_the_seal(
    paper: Paper, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paper.run("verify", "--record") == 2
    assert "MADE-01: is not registered" in capsys.readouterr().err and not (paper.folder / "verdicts.json").exists()
    assert paper.run("register") == 0 and paper.run("verify", "--record") == 0
    assert paper.recorded()["claim"] == paper.registered()["claim"]
    assert paper.recorded()["machines"][0]["processor"] == "Test CPU"
    assert paper.run("verify") == 0
    trace = next(paper.results.rglob("*.h5"))
    kept = trace.rename(trace.with_suffix(".gone"))
    assert paper.run("verify", "--record") == 6 and paper.recorded()["verdict"] == "holds"  # not measured, not recorded
    kept.rename(trace)
    edit(paper.claims, bound(20))  # the verdict stays, and its record fits no more
    capsys.readouterr()
    assert paper.run("verify") == 6
    assert "MADE-01: stale record: the claim has changed" in capsys.readouterr().out
    assert paper.run("verify", "--record") == 2
    assert "changed since it was registered" in capsys.readouterr().err


def test_an_amendment_keeps_both_verdicts_on_the_same_traces(paper: Paper, capsys: pytest.CaptureFixture[str]) -> None:
    edit(paper.claims, bound(1.2))
    assert paper.run("register") == 0 and paper.run("verify", "--record") == 0
    paper.commit()
    edit(paper.claims, bound(2))
    assert paper.run("register", "--why", "the text says two") == 0
    assert "MADE-01: amended, predicate: does_not_hold, now holds" in capsys.readouterr().out
    amended = paper.registered()
    assert [(a["why"], a["changed"], a["before"], a["after"]) for a in amended["amendments"]] == [
        ("the text says two", ["predicate"], "does_not_hold", "holds")
    ]
    assert registration.tally([amended]) == (1, 1)
    paper.commit()
    edit(paper.claims, bound(1.1))
    assert paper.run("register", "--why", "stricter") == 0
    assert [a["after"] for a in paper.registered()["amendments"]] == ["holds", "does_not_hold"]  # kept for ever


def test_a_verdict_that_the_last_of_several_amendments_led_to_is_recorded_without_a_reason(paper: Paper) -> None:
    edit(paper.claims, bound(1.2))
    assert paper.run("register") == 0 and paper.run("verify", "--record") == 0
    for stated, led_to in ((1.1, "does_not_hold"), (2, "holds")):
        paper.commit()
        edit(paper.claims, bound(stated))
        assert paper.run("register", "--why", "as the text says") == 0
        assert paper.registered()["amendments"][-1]["after"] == led_to
    assert paper.run("verify", "--record") == 0


@pytest.mark.parametrize("has_history", [True, False])
def test_the_registered_form_comes_from_the_history_or_the_record_speaks_for_it(
    paper: Paper, has_history: bool
) -> None:
    assert paper.run("register") == 0 and paper.run("verify", "--record") == 0
    edit(paper.claims, bound(1.1))
    if has_history:
        paper.commit()
        edit(paper.claims, bound(1.0))
    else:
        (paper.folder / ".git").rename(paper.folder / "gone")
    assert paper.run("register", "--why", "stricter") == 0
    made = paper.registered()["amendments"][0]
    assert (made["changed"], made["before"], made["after"]) == (
        ["predicate"] if has_history else ["claim"],
        "holds",
        "does_not_hold",
    )


def test_the_registered_form_is_found_under_an_earlier_name(paper: Paper) -> None:
    assert paper.run("register") == 0
    paper.git("mv", "claims.json", "ledger.json")
    paper.git("commit", "-q", "--amend", "-m", "x")
    paper.git("mv", "ledger.json", "claims.json")
    edit(paper.claims, bound(1.1))
    paper.commit()
    assert paper.run("register", "--why", "stricter") == 0
    assert paper.registered()["amendments"][0]["changed"] == ["predicate"]


def test_without_traces_and_record_an_amendment_has_no_verdict_and_is_kept(paper: Paper) -> None:
    assert paper.run("register") == 0
    edit(paper.claims, bound(3))
    next(paper.results.rglob("*.h5")).unlink()
    assert paper.run("register", "--why", "a slip") == 0
    assert [a["why"] for a in paper.registered()["amendments"]] == ["a slip"]
    assert registration.tally([paper.registered()]) == (0, 0)


@pytest.mark.parametrize(
    ("spoil", "words", "said"),
    [
        (lambda p: next(p.results.rglob("*.h5")).unlink(), (), "expected traces of its experiments"),
        (lambda p: write_results(p.results, largest=2.5), (), "these traces give does_not_hold before the amendment"),
        (lambda p: None, ("--tier", "smoke"), "is recorded at tier paper"),
        (lambda p: None, ("--stale",), "got --stale"),
    ],
)
def test_an_amendment_of_a_recorded_claim_is_judged_on_the_traces_of_its_record(
    paper: Paper, spoil: Callable[[Paper], Any], words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paper.run("register") == 0 and paper.run("verify", "--record") == 0
    paper.commit()
    edit(paper.claims, bound(3))
    spoil(paper)
    capsys.readouterr()
    assert paper.run("register", "--why", "w", *words) == 2
    assert said in capsys.readouterr().err and "amendments" not in paper.registered()


def test_a_verdict_that_code_has_changed_is_recorded_as_an_amendment_only(
    paper: Paper, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paper.run("register") == 0 and paper.run("verify", "--record") == 0
    write_results(paper.results, largest=2.5)
    assert paper.run("verify", "--record") == 2
    assert "recorded holds, now does_not_hold, and nothing that is judged has changed" in capsys.readouterr().err
    assert paper.recorded()["verdict"] == "holds"
    assert paper.run("verify", "--record", "--why", "cells were counted once") == 0
    assert [(a["changed"], a["before"], a["after"]) for a in paper.registered()["amendments"]] == [
        (["code or data"], "holds", "does_not_hold")
    ]


def test_an_amendment_that_needs_new_runs_is_completed_when_it_is_recorded(
    paper: Paper, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paper.run("register") == 0 and paper.run("verify", "--record") == 0
    paper.commit()
    edit(paper.claims, bound(1.1))
    declaration = paper.folder / "declarations" / "swelling.json"
    edit(declaration, lambda d: d.update(seed=2))
    assert paper.run("register", "--why", "longer runs") == 0
    assert [(a["before"], a.get("after")) for a in paper.registered()["amendments"]] == [("holds", None)]
    write_results(paper.results, declared=json.loads(declaration.read_text()))
    assert registration.pending({"MADE-01": paper.registered()}) == {"MADE-01"}
    capsys.readouterr()
    assert paper.run("verify") == 6
    said = capsys.readouterr().out
    assert "stale record" in said and "recorded holds" not in said  # there is no verdict on this form to compare with
    assert paper.run("verify", "--record") == 0
    assert [(a["before"], a["after"]) for a in paper.registered()["amendments"]] == [("holds", "does_not_hold")]


def test_a_low_tier_is_not_recorded_and_an_experiment_that_is_not_named_does_not_judge(
    paper: Paper, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paper.run("register") == 0
    assert paper.run("verify", "--record", "--tier", "smoke") == 2
    assert "cannot be recorded at tier smoke, expected paper" in capsys.readouterr().err
    edit(paper.claims, lambda c: c.update(experiments=[], why_no_experiment="no reason"))
    assert paper.run("register", "--why", "w") == 2
    assert "/experiments: lacks made_up/swelling" in capsys.readouterr().err


@pytest.mark.parametrize(
    "entry",
    [{}, {"amendments": "x"}, {"amendments": [{"date": "d"}]}, {"amendments": [{"why": None}]}, {"claim": 3}, []]
    + [{"amendments": [{"change": "2026-01-01.1", "changed": ["predicate"]}]}],
)
def test_a_registration_by_hand_is_refused_in_one_line(
    paper: Paper, entry: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paper.run("register") == 0
    whole = paper.registered()
    spoiled = entry if not isinstance(entry, dict) else ({**whole, **entry} if entry else {"claim": "x"})
    claims = {"paper": "made_up", "format": 1, "claims": {"MADE-01": spoiled}}
    paper.registrations.write_text(json.dumps(claims))
    capsys.readouterr()
    assert paper.run("register") == 2
    err = capsys.readouterr().err
    assert err.startswith("deformbench: ") and "registrations.json: /claims/MADE-01" in err and err.count("\n") == 1


def test_a_reason_that_claims_share_stands_once_and_files_of_both_formats_say_the_same(paper: Paper) -> None:
    seal: dict[str, Any] = {"registered": "2026-01-01", "claim": "c", "declarations": "d"}

    def made(date: str, why: str, **verdicts: str) -> dict[str, Any]:
        return {"date": date, "why": why, "changed": ["predicate"], **verdicts}

    entries: dict[str, dict[str, Any]] = {
        "MADE-01": {**seal, "amendments": [made("2026-01-03", "slip"), made("2026-01-03", "longer", before="holds")]},
        "MADE-02": {**seal, "amendments": [made("2026-01-02", "slip"), made("2026-01-03", "slip", before="holds")]},
        "MADE-03": {**seal, "retired": "2026-01-04"},
    }
    with papers.also([paper.folder]):
        of = papers.named("made_up")
        registration.write(of, entries)
        text = paper.registrations.read_text()
        assert registration.read(of) == entries
        registration.write(of, registration.read(of))
        assert paper.registrations.read_text() == text
        paper.registrations.write_text(json.dumps({"paper": "made_up", "format": 1, "claims": entries}))
        assert registration.read(of) == entries
    changes = {"2026-01-02.1": "slip", "2026-01-03.1": "slip", "2026-01-03.2": "longer"}
    assert list(json.loads(text)["changes"].items()) == list(changes.items())
    assert '"why"' not in text and '"date"' not in text


def test_no_registration_and_no_amendment_of_the_tree_is_ever_taken_back() -> None:
    git = ("git", "-C", str(project_root()))
    if subprocess.run([*git, "rev-parse"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no repository")
    for paper in map(papers.named, all_claims()):
        entries = registration.read(paper)
        for _, text in itertools.islice(registration.versions_of(paper.registrations), 40):
            before = json.loads(text)
            readable = before.get("format") in registration.FORMATS
            for claim, old in registration.entries_of(before).items() if readable else ():
                new, made = entries[claim], registration.amendments(old)
                kept = registration.amendments(new)[: len(made)]
                if made and "after" not in made[-1]:  # what was still to be judged may have been
                    kept = [*kept[:-1], {k: v for k, v in kept[-1].items() if k != "after"}]
                assert new["registered"] == old["registered"] and kept == made, claim
                sealed = [k for k in ("claim", "controls", "declarations") if k in old and k in new]
                same = [new.get(k) for k in sealed] == [old[k] for k in sealed]
                assert same or len(registration.amendments(new)) > len(made), claim


def test_every_claim_of_the_tree_is_registered_as_it_is() -> None:
    declared, wrong = all_declarations(), []
    for name, claims in all_claims().items():
        entries = registration.read(papers.named(name))
        assert {k for k, e in entries.items() if "retired" not in e} <= {c.id for c in claims}
        wrong += [
            c.id for c in claims if c.id not in entries or registration.seal(c, declared).differences(entries[c.id])
        ]
    assert not wrong, f"`deformbench register {' '.join(wrong)} --why …` before the change is committed"


@pytest.mark.parametrize("value", [{}, [], {"a": [1, 2.5, "ü"]}, {"long": ["x" * 50] * 9, "deep": [{"k": "y" * 120}]}])
def test_the_layout_of_json_keeps_the_value_and_the_width(value: Any) -> None:
    text = json_format.layout(value)
    assert json.loads(text) == value and json_format.layout(json.loads(text)) == text
    assert all(len(line) <= json_format.WIDTH or line.count('"') <= 4 for line in text.splitlines())


def test_the_report_shows_amendments_notes_and_deviations_beside_the_verdict(paper: Paper) -> None:
    from paper_figures import verbs

    edit(paper.claims, lambda c: c.update(note="One <size> only.", deviations=["other hardware"]))
    edit(paper.claims, bound(1.2))
    assert paper.run("register") == 0 and paper.run("verify", "--record") == 0
    paper.commit()
    edit(paper.claims, bound(2))
    assert paper.run("register", "--why", "the text says two") == 0
    out = paper.folder.parent / "out"
    words = ("--papers", str(paper.folder), "--paper", "made_up", "--report-out", str(out))
    assert verbs.main(["report", str(paper.results), *words]) == 0  # the verdict is that after the amendment
    names = ("made_up.html", "made_up/claims/MADE-01.html", "report.html")
    page, claim, front = ((out / name).read_text() for name in names)
    assert "One &lt;size&gt; only." in page and "1 deviation, amended once after a verdict" in page
    assert "One &lt;size&gt; only." in claim and "other hardware" in claim
    assert "(predicate): the text says two. The verdict was does not hold, is holds." in claim
    assert "1 of 1 claims were amended after a verdict; an amendment made the verdict kinder in 1" in front

# SPDX-License-Identifier: BSD-3-Clause
"""Reports on a web server: what a site holds, what a second report adds, and what leaves it as it was."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import tarfile
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
from made_up_paper import declaration, write, write_paper
from made_up_traces import list_cells, write_trace
from test_pages import TOO_WIDE, Page, in_browser, needs_browser

from deformbench_analysis import pack_check
from deformbench_analysis.errors import InputError
from deformbench_analysis.safe_tar import unpack
from paper_figures import style, verbs
from paper_figures.publishing import agreement, feeds, site as publishing, trends
from paper_figures.report import guides

FIRST, SECOND = "abc_paper_test_cpu", "abc_paper_other_cpu_2_ghz"
HOST = "testhost"  # of made_up_traces.py
NO_GUIDES = guides.lacking()
JSON = dict[str, Any]


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of two kinds, no command to ask, and no guides, which take two seconds."""

    def none() -> Path:
        raise InputError("no command")

    monkeypatch.setattr(pack_check, "command", none)
    monkeypatch.setattr(style, "FORMATS", ("svg", "png"))
    monkeypatch.setattr(guides, "lacking", lambda: "none in this test")


def results_of(folder: Path, cpu: str = "Test CPU", largest: float = 1.5) -> Path:
    series = {"step": {"volume": np.array([1.0, largest, 1.0])}}
    write_trace(folder, "made_up/swelling linear_fem linear", series=series, cpu=cpu)
    list_cells(folder, "made_up/swelling", declaration("made_up", "swelling"))
    return folder


def command(results: Path, site: Path, *more: str) -> list[str]:
    """Everything is below the folder of the results; the papers and their reports stay there."""
    paper = results.parent / "paper"
    if not paper.exists():
        write_paper(paper)
    about = [
        "--papers",
        str(paper),
        "--paper",
        "made_up",
        "--report-out",
        str(results.with_name(f"{results.name}_out")),
    ]
    return ["publish", str(results), *about, "--site", str(site), *more]


def publish(results: Path, site: Path, *more: str) -> int:
    return verbs.main(command(results, site, *more))


def refused(capsys: pytest.CaptureFixture[str], *words: Any) -> str:
    capsys.readouterr()
    assert publish(*words) == 2
    err = capsys.readouterr().err.removeprefix("report: without the guides: none in this test\n")
    assert err.count("\n") == 1, err
    return err


def state(site: Path) -> dict[str, tuple[bytes, int]]:
    """Every file with its content and when it was written; hidden ones too."""
    files = (p for p in site.rglob("*") if p.is_file())
    return {p.relative_to(site).as_posix(): (p.read_bytes(), p.stat().st_mtime_ns) for p in files}


@pytest.fixture(scope="module", name="published")
def one_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a site of one report, for tests that change a copy."""
    folder = tmp_path_factory.mktemp("publish")
    with pytest.MonkeyPatch.context() as patch:
        _alone.__wrapped__(patch)  # type: ignore[attr-defined]
        assert publish(results_of(folder / "one"), folder / "site") == 0
    return folder


@pytest.fixture(name="folder")
def copied(published: Path, tmp_path: Path) -> Path:
    shutil.copytree(published, tmp_path / "copy")
    return tmp_path / "copy"


def index(site: Path) -> str:
    return (site / "index.html").read_text(encoding="utf-8")


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<(style|script).*?</\1>|<[^>]+>", " ", html, flags=re.S)).split())


def feed_of(folder: Path) -> JSON:
    found: JSON = json.loads((folder / feeds.FILE).read_text(encoding="utf-8"))
    return found


# ---- What a site holds


def test_a_report_is_there_with_archive_measurements_feed_and_provenance(published: Path) -> None:
    report = published / "site" / FIRST
    feed = feed_of(report)
    assert {k: feed[k] for k in ("name", "commit", "state", "tier", "machine", "processor", "date")} == {
        "name": FIRST, "commit": "abc", "state": "clean", "tier": "paper", "machine": "test_cpu",
        "processor": "Test CPU", "date": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    (verdict,) = feed["verdicts"]
    assert (verdict["claim"], verdict["paper"], verdict["verdict"]) == ("MADE-01", "made_up", "holds")
    (row,) = verdict["comparisons"]
    assert (row["measurement"], row["value"], row["op"], row["bound"]) == ("swelling.largest", 1.5, "<", 2)
    assert (report / verdict["page"]).is_file() and (report / "made_up" / "fig_1_swelling.svg").is_file()
    rows = list(csv.DictReader((report / "measurements.csv").open(encoding="utf-8")))
    assert [(r["measurement"], r["value"]) for r in rows] == [("swelling.largest", "1.5")] and rows[0]["definition"]
    provenance = json.loads((report / "provenance.json").read_text(encoding="utf-8"))
    assert provenance["commit"] == "abc" and provenance["CPU"] == "Test CPU"
    assert any("1 cells of 1 experiments" in line for line in provenance["archive"])


def test_the_archive_is_one_of_pack_with_traces_where_asked(
    published: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with tarfile.open(published / "site" / FIRST / "results.tar.gz") as tar:
        assert not [n for n in tar.getnames() if n.endswith(".h5")]
    assert publish(folder / "one", folder / "with", "--traces") == 0
    assert "name their hosts" in capsys.readouterr().err
    assert pack_check.check(folder / "with" / FIRST / "results.tar.gz", folder).results is not None


def test_every_link_leads_to_a_file_of_the_site_guides_included(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guides, "lacking", lambda: NO_GUIDES)
    assert publish(results_of(folder / "two", "Other CPU @ 2 GHz"), folder / "site") == 0
    more = {"Gallery": "gallery.html"}
    if not NO_GUIDES:
        more |= {"Tutorial": "guides/tutorial.html", "Guides": "guides/index.html"}
    shown = dict(re.findall(r'<a href="([^"]*)">(\w+)</a>', index(folder / "site")))
    for text, file in more.items():
        assert (folder / "site" / SECOND / file).is_file() and shown[f"{SECOND}/{file}"] in (text, text.lower())
    assert f"{FIRST}/guides/index.html" not in shown and f"{FIRST}/gallery.html" in shown
    count = 0
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in (folder / "site").rglob("*.html")}
    for path, page in pages.items():
        for target in (about[key] for _, about in page.elements for key in ("href", "src") if key in about):
            file, _, anchor = unquote(target).partition("#")
            if target.startswith("data:") or (path.parent.name == "guides" and target.startswith("https://")):
                continue
            assert not re.match(r"[a-z]+:|/", file), f"{path}: {target}"
            found = (path.parent / file).resolve() if file else path
            assert found.is_file() and found.is_relative_to(folder / "site"), f"{path}: {target}"
            assert not anchor or anchor in pages[found].ids(), f"{path}: {target}"
            count += 1
    assert count > 20


def test_links_to_traces_beside_the_report_are_text_and_no_other_may_leave_it(tmp_path: Path) -> None:
    front = tmp_path / "out" / "report.html"
    front.parent.mkdir()
    front.write_text('<a href="../results/cross/a.h5" title="cell a">1.5</a>', encoding="utf-8")
    assert publishing.copy_report(front.parent, tmp_path / "copy") == {"report.html"}
    assert (tmp_path / "copy" / "report.html").read_text(encoding="utf-8") == '<a title="cell a">1.5</a>'
    front.write_text('<a href="../results/cross/a.json">1.5</a>', encoding="utf-8")
    with pytest.raises(InputError, match="links to ../results/cross/a.json"):
        publishing.copy_report(front.parent, tmp_path / "copy")


def test_no_host_and_no_path_is_told(published: Path, tmp_path: Path) -> None:
    for archive in (published / "site").rglob("*.tar.gz"):
        unpack(archive, tmp_path / "archive")
    files = [p for root in (published / "site", tmp_path / "archive") for p in root.rglob("*") if p.is_file()]
    secrets = [HOST.encode(), str(published).encode(), str(Path.home()).encode() + b"/"]
    assert len(files) > 10
    assert [(p, s) for p in files for s in secrets if s in p.read_bytes()] == []


def test_a_path_in_the_results_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = state(folder / "site")
    write_trace(folder / "one", "made_up/other m", scene={"mesh": str(Path.home() / "secret.obj")})
    said = refused(capsys, folder / "one", folder / "site", "--replace")
    assert "specs/made_up/other/" in said and str(Path.home()) in said and state(folder / "site") == before


def test_what_was_published_is_said_as_json_and_out_is_no_site(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = command(folder / "one", folder / "site", "--json")
    assert verbs.main(words) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["report"], facts["is_new"]) == (str(folder / "site" / FIRST), False)
    assert (facts["verdicts"], facts["cells"]) == ({"holds": 1}, 1)
    before = [word.replace("--site", "--out") for word in words]
    assert verbs.main(before) == 2
    assert "expected one folder of results; --site names that of the site\n" in capsys.readouterr().err
    assert verbs.main([before[0], *before[2:]]) == 2
    assert "publish: expected --site SITE, the folder of the site; --out is the folder" in capsys.readouterr().err


# ---- A second report


def test_a_second_machine_is_added_and_agrees(folder: Path) -> None:
    first = state(folder / "site" / FIRST)
    assert publish(results_of(folder / "two", "Other CPU @ 2 GHz"), folder / "site") == 0
    assert state(folder / "site" / FIRST) == first
    page = text_of(index(folder / "site"))
    assert "the same verdicts on 2 machines of 2 kinds of processor" in page
    assert "1 claim with one verdict" in page
    for name in (FIRST, SECOND):
        for file in ("report.html", feeds.FILE, "results.tar.gz", "measurements.csv", "provenance.json"):
            assert f'href="{name}/{file}"' in index(folder / "site")


def test_machines_that_differ_are_named_first(folder: Path) -> None:
    assert publish(results_of(folder / "two", "Other CPU @ 2 GHz", largest=2.5), folder / "site") == 0
    page = text_of(index(folder / "site"))
    assert "0 of 1 claim" in page and "differ: MADE-01" in page and "the same verdicts" not in page
    assert f"{SECOND}/made_up/claims/MADE-01.html" in index(folder / "site")


def test_the_machine_may_be_named(folder: Path) -> None:
    assert publish(results_of(folder / "two", largest=1.25), folder / "site", "--machine", "Lab 2") == 0
    assert feed_of(folder / "site" / "abc_paper_lab_2")["machine"] == "lab_2"
    assert "the same verdicts on 2 machines of one kind of processor" in text_of(index(folder / "site"))


def test_the_same_report_again_changes_nothing(folder: Path) -> None:
    before = state(folder / "site")
    assert publish(folder / "one", folder / "site") == 0
    assert publish(folder / "one", folder / "site", "--replace") == 0
    assert state(folder / "site") == before


def test_other_content_under_the_same_name_is_refused_unless_it_is_to_be_replaced(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state(folder / "site")
    other = results_of(folder / "two", largest=1.25)
    said = refused(capsys, other, folder / "site")
    assert FIRST in said and "--replace" in said and state(folder / "site") == before
    assert publish(other, folder / "site", "--replace") == 0
    assert feed_of(folder / "site" / FIRST)["verdicts"][0]["comparisons"][0]["value"] == 1.25
    assert sorted(os.listdir(folder / "site")) == [FIRST, "index.html"]


# ---- All or nothing


@pytest.mark.parametrize("ends", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["disk", "key"])
def test_a_publish_that_ends_in_its_last_step_leaves_the_site_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch, ends: BaseException
) -> None:
    before = state(folder / "site")
    second, changed = results_of(folder / "two", "Other CPU"), results_of(folder / "three", largest=1.25)

    def fails(*_: Any) -> None:
        raise ends

    monkeypatch.setattr(publishing, "write_text", fails)
    for results, site, more in ((second, "site", ()), (changed, "site", ("--replace",)), (second, "new", ())):
        if isinstance(ends, OSError):
            assert publish(results, folder / site, *more) == 2
        else:
            with pytest.raises(KeyboardInterrupt):
                publish(results, folder / site, *more)
        assert state(folder / "site") == before
        assert {p.name for p in (folder / "site").iterdir()} == {FIRST, "index.html"}
        assert not (folder / "new").exists()


def test_what_a_killed_publish_left_is_removed_and_what_it_placed_is_listed(folder: Path) -> None:
    assert publish(results_of(folder / "two", "Other CPU @ 2 GHz"), folder / "elsewhere") == 0
    write(folder / "site" / publishing.STAGING / "half", "written")
    shutil.move(folder / "elsewhere" / SECOND, folder / "site")
    assert publish(folder / "one", folder / "site") == 0
    assert sorted(os.listdir(folder / "site")) == sorted([FIRST, SECOND, "index.html"])
    assert "on 2 machines" in index(folder / "site")


def test_a_folder_of_others_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "web" / "index.html", "<p>mine")
    assert "index.html" in refused(capsys, folder / "one", folder / "web")
    write(folder / "file", "a file")
    assert "file" in refused(capsys, folder / "one", folder / "file")
    assert "within" in refused(capsys, folder / "one", folder / "one" / "site")
    assert "within" in refused(capsys, folder / "one", folder / "one_out")
    assert sorted(os.listdir(folder / "web")) == ["index.html"] and not (folder / "one" / "site").exists()


def test_other_files_of_a_site_stay(folder: Path) -> None:
    write(folder / "web" / "robots.txt", "all")
    assert publish(folder / "one", folder / "web") == 0
    assert sorted(os.listdir(folder / "web")) == [FIRST, "index.html", "robots.txt"]


def test_results_without_a_verdict_or_of_several_processors_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish(folder / "one", folder / "new", "--tier", "smoke") == 5
    series = {"step": {"volume": np.array([1.0, 1.5, 1.0])}}
    write_trace(folder / "one", "made_up/swelling warped_fem", series=series, cpu="Other CPU")
    list_cells(folder / "one", "made_up/swelling", declaration("made_up", "swelling"))
    assert "--machine" in refused(capsys, folder / "one", folder / "new") and not (folder / "new").exists()
    assert publish(folder / "one", folder / "new", "--machine", "both") == 0
    assert feed_of(folder / "new" / "abc_paper_both")["processor"] == "Other CPU; Test CPU"


# ---- Feeds of others


def set_in(*path: Any) -> Callable[[JSON], None]:
    *above, key, value = path

    def change(feed: JSON) -> None:
        at: Any = feed
        for part in above:
            at = at[part]
        at[key] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (set_in("format", "other"), "/format"),
        (set_in("format_version", 2), "/format_version"),
        (set_in("name", "another"), "name"),
        (set_in("tier", "huge"), "/tier"),
        (set_in("machine", ["m"]), "/machine"),
        (set_in("processor", "x" * 1001), "/processor"),
        (set_in("processor", "a\u202eb"), "processor"),
        (set_in("verdicts", 0, "claim", "\ud800"), "claim"),
        (set_in("verdicts", {}), "/verdicts"),
        (set_in("verdicts", 0, "verdict", "great"), "/verdicts/0/verdict"),
        (set_in("verdicts", 0, "page", "../../outside.html"), "../../outside.html"),
        (set_in("verdicts", 0, "page", "made_up/none.html"), "made_up/none.html"),
        (set_in("verdicts", 0, "page", "javascript:alert(1)"), "javascript:alert(1)"),
        (set_in("verdicts", 0, "comparisons", 0, "value", {}), "/verdicts/0/comparisons/0/value"),
        (set_in("runs", 0, "ms_per_step", "fast"), "/runs/0/ms_per_step"),
        (set_in("runs", 0, "label", "a\u202eb"), "runs/0/label"),
        (lambda feed: feed["verdicts"].append(feed["verdicts"][0]), "twice"),
        (lambda feed: feed.pop("date"), "date"),
    ],
)
def test_a_feed_that_is_none_is_refused_with_its_file(
    folder: Path, capsys: pytest.CaptureFixture[str], change: Callable[[JSON], None], said: str
) -> None:
    foreign = folder / "site" / "foreign"
    shutil.copytree(folder / "site" / FIRST, foreign)
    feed = {**feed_of(foreign), "name": "foreign"}
    change(feed)
    write(foreign / feeds.FILE, feed)
    before = state(folder / "site")
    err = refused(capsys, results_of(folder / "two", "Other CPU"), folder / "site")
    assert f"foreign/{feeds.FILE}" in err and said in err and state(folder / "site") == before


@pytest.mark.parametrize("content", ["", "[]", "{" * 100_000, '{"a": 1, "a": 2}', " " * (feeds.LARGEST + 1)])
def test_a_feed_that_cannot_be_read_is_refused_with_its_file(
    folder: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    write(folder / "site" / "foreign" / feeds.FILE, content)
    assert f"foreign/{feeds.FILE}" in refused(capsys, folder / "one", folder / "site")


def test_what_a_foreign_feed_says_is_text(folder: Path) -> None:
    script = "<script>alert('&')</script>"
    name = 'fore\'ign & "co" #1'
    foreign = folder / "site" / name
    shutil.copytree(folder / "site" / FIRST, foreign)
    feed = {**feed_of(foreign), "name": name, "processor": script, "machine": script, "commit": script}
    feed["verdicts"][0] |= {"claim": script, "paper": script}
    feed["runs"][0] |= {"experiment": script, "label": script, "ms_per_step": 1.5}
    write(foreign / feeds.FILE, feed)
    assert publish(folder / "one", folder / "site") == 0
    assert script not in index(folder / "site") and script in text_of(index(folder / "site"))
    links = [about["href"] for about in Page(index(folder / "site")).all("a")]
    own = [link for link in links if link.startswith("fore")]
    assert own and all((folder / "site" / unquote(link)).is_file() for link in own)


# ---- Agreement


def report(name: str, machine: str, verdicts: dict[str, str], **more: Any) -> feeds.Published:
    entries = [
        {"claim": c, "paper": "p", "verdict": v, "judged": more.get("judged", "j"), "page": f"{c}.html"}
        for c, v in verdicts.items()
    ]
    about = {"commit": "c", "state": "clean", "tier": more.get("tier", "paper"), "date": "2026"}
    return feeds.Published(
        {"name": name, "machine": machine, "processor": f"CPU {machine[0]}", **about, "verdicts": entries}
    )


def said_of(*reports: feeds.Published) -> list[str]:
    return agreement.sentences(agreement.rows(reports))


def test_only_what_two_machines_judged_at_one_tier_is_compared() -> None:
    one = report("1", "a1", {"A": "holds", "B": "holds", "C": "not_testable"})
    two = report("2", "a2", {"A": "holds", "D": "does_not_hold", "C": "not_testable"})
    three = report("3", "b1", {"A": "does_not_hold", "B": "does_not_hold"}, tier="smoke")
    four = report("4", "c1", {"D": "does_not_hold"})
    assert said_of(one, two, three)[1] == (
        "At tier paper: the same verdicts on 2 machines of one kind of processor (1 claim that at least two of them judged)."
    )
    assert said_of(one, two, four)[0] == (
        "At tier paper: the same verdicts on 3 machines of 2 kinds of processor (2 claims that at least two of them judged)."
    )
    assert said_of(one, two, three)[0] == "At tier smoke no claim was judged on two machines yet."
    assert said_of() == []


def test_two_reports_of_one_machine_are_no_second_machine() -> None:
    assert "no claim was judged on two machines" in said_of(
        report("1", "a", {"A": "holds"}), report("2", "a", {"A": "does_not_hold"})
    )[0]  # fmt: skip
    (row,) = agreement.rows([report("1", "a", {"A": "holds"}), report("2", "a", {"A": "does_not_hold"})])
    assert row.differs and [(r.name, e["verdict"]) for r, e in row.history("a")] == [
        ("2", "does_not_hold"),
        ("1", "holds"),
    ]


def test_a_claim_that_was_amended_is_another() -> None:
    found = agreement.rows([report("1", "a", {"A": "holds"}), report("2", "b", {"A": "does_not_hold"}, judged="k")])
    assert [row.differs for row in found] == [False, False]
    assert "no claim was judged on two machines" in agreement.sentences(found)[0]


def test_those_that_differ_come_first_and_are_counted() -> None:
    found = agreement.rows(
        [report("1", "a", {"A": "holds", "B": "holds"}), report("2", "b", {"A": "holds", "B": "inconclusive"})]
    )
    assert [(row.claim, row.differs) for row in found] == [("B", True), ("A", False)]
    assert agreement.sentences(found) == [
        "At tier paper: one verdict on 2 machines of 2 kinds of processor for 1 of 2 claims that at least two of them judged; these differ: B."
    ]


# ---- The page


def test_the_index_has_landmarks_and_described_tables(published: Path) -> None:
    page = Page(index(published / "site"))
    for tag in ("html", "title", "header", "main", "footer", "h1"):
        assert len(page.all(tag)) == 1
    assert [about for about in page.all("th") if about.get("scope") not in ("col", "row")] == []
    assert not re.findall(r"""(?:src|href)=["']?(?:https?:)?//""", index(published / "site"))


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_index_is_no_wider_than_the_window(folder: Path, width: int) -> None:
    for name, largest in (("two", 1.25), ("three", 2.5)):
        cpu = f"{name.title()} Processor with a long name @ 2.10GHz"
        assert publish(results_of(folder / name, cpu, largest), folder / "site") == 0
    ((shown, whole, wide),) = in_browser(folder, {folder / "site" / "index.html": TOO_WIDE}, width).values()
    assert (shown, wide) == (width, []) and whole <= width


def test_the_spread_is_the_largest_relative_difference_between_machines_now() -> None:
    def valued(name: str, machine: str, value: Any, other: float) -> feeds.Published:
        one = report(name, machine, {"A": "holds"})
        compared = [{"measurement": m, "value": v} for m, v in (("m.one", value), ("m.two", other))]
        one.verdicts[0].update({"comparisons": compared[:1], "regime_comparisons": compared[1:]})  # type: ignore[attr-defined]
        return one

    newest, other, old = valued("3", "a", 2.0, 5.0), valued("2", "b", 2.5, 5.0), valued("1", "b", 100.0, 5.0)
    (row,) = agreement.rows([newest, other, old])
    assert row.spread == (pytest.approx(0.2), "m.one")
    (row,) = agreement.rows([valued("2", "a", "inf", 5.0), valued("1", "b", "inf", 5.0)])
    assert row.spread == (0.0, "")


def ran(name: str, machine: str, runs: dict[str, tuple[str, float | None]], **more: Any) -> feeds.Published:
    one = report(name, machine, {})
    entries = [
        {"run": run, "experiment": "p/e", "label": run, "threads": 1, "bits": bits, "ms_per_step": ms}
        for run, (bits, ms) in runs.items()
    ]
    return feeds.Published({**one.data, "runs": entries, **more})


def test_bits_are_compared_of_cells_that_two_machines_ran_from_one_commit() -> None:
    one = ran("3", "a", {"x": ("1", None), "y": ("1", None), "z": ("1", None)})
    two = ran("2", "b", {"x": ("1", None), "y": ("2", None)})
    assert agreement.bits(
        [one, two, ran("1", "a", {"x": ("7", None)}), ran("0", "c", {"x": ("9", None)}, commit="d")]
    ) == [
        "At tier paper, commit c: 1 of 2 cells that at least two machines ran have the same bits; others are in p/e (1)."
    ]
    twice = feeds.Published({**one.data, "runs": [*one.runs, *one.runs]})
    assert agreement.bits([one]) == agreement.bits([twice]) == []


def test_bits_over_threads_are_compared_and_the_spread_is_said(folder: Path, tmp_path: Path) -> None:
    def run(value: float, count: int, row: str, rows: int = 3) -> Path:
        series = {"step": {"volume": np.full(rows, value)}}
        return write_trace(folder / "one", f"made_up/swelling linear_fem {row}", series=series, threads=count)

    for row, other in (("alike", 1.0), ("apart", 1.0 - 2**-10)):
        run(1.0, 1, row), run(other, 2, row)
    run(1.0, 1, "shorter"), run(1.0, 4, "shorter", 2)
    list_cells(folder / "one", "made_up/swelling", declaration("made_up", "swelling"))
    assert publish(folder / "one", folder / "site", "--replace") == 0
    found = {entry["label"]: entry for entry in feed_of(folder / "site" / FIRST)["over_threads"]}
    assert {k: (e["threads"], e["same_bits"], e["spread"]) for k, e in found.items()} == {
        "alike": ([1, 2], True, 0.0), "apart": ([1, 2], False, 2**-10), "shorter": ([1, 4], False, None),
    }  # fmt: skip
    assert found["apart"]["where"] == "series/step/volume"
    said = text_of(index(folder / "site"))
    assert "On test_cpu, 1 of 3 cells that ran with 1 and 2 and 4 threads have the same bits" in said
    assert "others are in made_up/swelling (2)" in said and "9.8e-04" in said and "other shapes or ends" in said


def test_times_are_followed_per_machine_from_the_oldest_report_on() -> None:
    reports = [ran("3", "a", {"x": ("1", 8.0)}), ran("2", "b", {"x": ("1", 3.0)}), ran("1", "a", {"x": ("1", 10.0)})]
    (one,) = trends.trends([*reports, ran("0", "a", {"y": ("1", None)})])
    assert one.values("a") == [10.0, 8.0] and one.change("a") == "−20 %" and one.values("b") == [3.0]
    assert one.curve("a") == "2.0,2.0 70.0,4.8" and one.curve("b") == one.change("b") == one.curve("c") == ""


def test_the_index_has_a_column_per_machine_and_the_times_of_both(folder: Path) -> None:
    feed = feed_of(folder / "site" / FIRST)
    assert [run["experiment"] for run in feed["runs"]] == ["made_up/swelling"]
    feed["runs"][0]["ms_per_step"] = 4.0
    write(folder / "site" / FIRST / feeds.FILE, feed)
    assert publish(results_of(folder / "two", "Other CPU @ 2 GHz"), folder / "site") == 0
    heads = re.findall('<th scope="col">(.*?)</th>', index(folder / "site"))
    assert heads[:5] == ["claim", "tier", "other_cpu_2_ghz", "test_cpu", "values differ by"]
    said = text_of(index(folder / "site"))
    assert "1 of 1 cells that at least two machines ran have the same bits" in said and "4 ms" in said

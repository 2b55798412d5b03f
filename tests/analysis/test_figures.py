# SPDX-License-Identifier: BSD-3-Clause
"""Figures and pages from synthetic traces: files, numbers, failed cells, sizes, nothing from outside the page."""

import csv
import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made_up_traces import ms_per_step_folder

from deformbench_analysis.claims import all_claims
from deformbench_analysis.errata import Erratum, Size, of_paper
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.results import Results
from deformbench_analysis.verdicts import judge_all
from paper_figures import style
from paper_figures.report import errata, figure_blocks, pages
from paper_figures.report.content import Content, claim_page, notes_of
from paper_figures.entry import FigureEntry, draw, load_index
from paper_figures.mueller_gross_2004 import fig_07_ms_per_step as fig_07


def index_of(name: str):  # type: ignore[no-untyped-def]
    return next(i for i in load_index() if i.id == name)


@pytest.fixture(scope="module")
def complete(ms_per_step: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Content, Path]:
    """Everything that the report shows of a complete run, and the folder it is drawn into."""
    out = tmp_path_factory.mktemp("report")
    return content(ms_per_step, out), out


@pytest.fixture(scope="module")
def figure_7(complete: tuple[Content, Path]) -> FigureEntry:
    (entry,) = [d.entry for d in complete[0].drawn if d.index.id == "fig_07_ms_per_step"]
    assert entry is not None
    return entry


@pytest.fixture
def svg_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what is drawn, and when; all formats are in `complete`."""
    monkeypatch.setattr(style, "FORMATS", ("svg",))


def content(folder: Path, out: Path) -> Content:
    results = Results(folder, "paper")
    measurer = Measurer(results, "paper")
    claims = [c for paper in all_claims().values() for c in paper]
    judgement = judge_all(results, claims, "paper", True, measurer)
    return Content(results, "paper", judgement, [draw(i, results, out, shared="") for i in load_index()], measurer)


def test_every_line_of_the_index_has_a_script_and_every_script_a_line() -> None:
    lines = load_index()
    assert [i.id for i in lines if not i.script.exists()] == []
    scripts = {
        p.stem for i in lines for p in i.script.parent.glob("*.py") if "def make(" in p.read_text(encoding="utf-8")
    }
    assert scripts == {i.id for i in lines}


def test_figure_7_is_written_as_svg_pdf_png_with_its_numbers(figure_7: FigureEntry) -> None:
    entry = figure_7
    assert sorted(entry.files) == ["pdf", "png", "svg"] and all(p.stat().st_size > 10_000 for p in entry.files.values())
    rows = list(csv.DictReader(entry.csv.open(encoding="utf-8")))
    assert len(rows) == 35
    warped = {int(r["tetrahedra"]): float(r["median [ms/step]"]) for r in rows if r["row"] == "warped"}
    assert warped[20000] == pytest.approx(1.3 * 2.0, rel=0.01)


def test_figure_7_says_paper_measured_and_machine(figure_7: FigureEntry) -> None:
    caption = figure_7.caption
    for part in (
        "The paper shows",
        "Measured here",
        "1.30 times",
        "Machine: Test CPU, 1 thread",
        "residual of at most 1.0e-05",
    ):
        assert part in caption


def test_a_failed_cell_is_drawn_and_named_with_its_reason(tmp_path: Path, svg_alone: None) -> None:
    entry = fig_07.make(Results(ms_per_step_folder(tmp_path / "r", fail_direct_at=7), "paper"), tmp_path)
    assert entry.failed == ["linear_factorised (cells_across=7): unsupported (the factor does not fit)"]


def test_without_timings_figure_7_is_refused_with_the_reason(tmp_path: Path) -> None:
    folder = ms_per_step_folder(tmp_path / "r", sizes=(2,), timed=False)
    with pytest.raises(MissingData, match="no timed cell of row linear"):
        fig_07.make(Results(folder, "paper"), tmp_path)


def test_a_figure_is_drawn_again_only_when_its_traces_changed(tmp_path: Path, svg_alone: None) -> None:
    ms_per_step = ms_per_step_folder(tmp_path / "r", sizes=(2, 3, 4))
    index = index_of("fig_07_ms_per_step")
    assert draw(index, Results(ms_per_step, "paper"), tmp_path).redrawn
    assert not draw(index, Results(ms_per_step, "paper"), tmp_path).redrawn
    for path in ms_per_step.rglob("*.timing.h5"):
        path.unlink()
    after = draw(index, Results(ms_per_step, "paper"), tmp_path)
    assert after.entry is None and "no timed cell" in after.reason
    assert not (tmp_path / index.paper / f"{index.id}.json").exists()


class Sources(HTMLParser):
    """Collects what a page would fetch, and checks that tags close."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        self.fetched += [about[k] or "" for k in ("src", "srcset", "data") if k in about]
        self.fetched += [about["href"] or ""] if tag == "link" else []
        self.ids += [about["id"] or ""] if "id" in about else []
        if tag not in ("meta", "img", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes <{self.open[-1] if self.open else ''}>"
        self.open.pop()


def test_the_pages_are_self_contained_well_formed_and_within_their_limits(complete: tuple[Content, Path]) -> None:
    written = pages.write(*complete)
    assert written[0].name == "report.html" and written[0].stat().st_size <= pages.FRONT_LIMIT
    for page in written:
        parser = Sources()
        text = page.read_text(encoding="utf-8")
        parser.feed(text)
        assert parser.open == [] and text.count("<script") == 1
        beside = [s for s in parser.fetched if not s.startswith("data:")]  # files of the report, but for the front page
        assert [s for s in beside if page == written[0] or re.match("[a-z]+:|/", s)] == []
        assert len(parser.ids) == len(set(parser.ids))
        assert set(re.findall(r'href="#([^"]+)"', text)) <= set(parser.ids)


def test_the_report_names_what_failed_and_what_was_not_run(tmp_path: Path, svg_alone: None) -> None:
    folder = ms_per_step_folder(tmp_path / "r", sizes=(2, 3, 4, 5, 6, 7), fail_direct_at=7)
    text = pages.paper_page(content(folder, tmp_path), "mueller_gross_2004")
    assert "linear_factorised (cells_across=7): unsupported" in text and "the factor does not fit" in text
    assert "cross/ms_per_step: warped (cells_across=10): not run" in text


def test_every_figure_stands_on_its_paper_s_page_with_its_csv_or_its_reason(complete: tuple[Content, Path]) -> None:
    everything, out = complete
    front = pages.front_page(everything)
    assert front.count("<img ") == sum(d.entry is not None and d.index.opens > 0 for d in everything.drawn)
    page = {paper: pages.paper_page(everything, paper) for paper in everything.papers()}
    assert "mueller_gross_2004" in page
    assert {d.index.paper for d in everything.drawn if d.entry} <= set(page)
    for d in everything.drawn:
        if d.index.paper not in page:  # nothing of it was run: a line on the front page
            assert f"{notes_of(d.index.paper)['short']}: " in html.unescape(front)
            continue
        text = page[d.index.paper]
        assert f'href="{d.index.paper}.html#{d.index.id}"' in front
        assert f'id="{d.index.id}"' in text
        assert (f'download="{d.entry.csv.name}"' in text) if d.entry else ("Not drawn: " in text)
    assert (
        json.loads((out / "mueller_gross_2004" / "fig_07_ms_per_step.json").read_text())["csv"]
        == "fig_07_ms_per_step.csv"
    )


def test_the_page_of_the_paper_lists_every_claim_and_every_erratum(complete: tuple[Content, Path]) -> None:
    everything, out = complete
    page = pages.paper_page(everything, "mueller_gross_2004")
    front = pages.front_page(everything)
    for claim in all_claims()["mueller_gross_2004"]:
        for text in (front, page):
            assert text.count(f'<tr id="{claim.id}"') == 1 and f'href="{claim_page(claim)}"' in text
    listed = of_paper("mueller_gross_2004")
    assert len(listed) >= 18 and {e.tag for e in listed} <= set(errata.TAGS)
    for entry in listed:
        assert f'<tr id="{entry.id}">' in page
        assert (
            (entry.notation in html.unescape(page))
            if entry.notation
            else all(f">{m}</code>" in page for m in entry.measured_by)
        )
    pages.write(everything, out)
    rows = list(csv.DictReader((out / "mueller_gross_2004" / "errata.csv").open(encoding="utf-8")))
    assert [r["erratum"] for r in rows if r["measurement"]] == [e.id for e in listed for _ in e.measured_by]


def test_every_measurement_that_an_erratum_names_is_defined(complete: tuple[Content, Path]) -> None:
    registry = complete[0].measurer.registry
    for entry in of_paper("mueller_gross_2004"):
        for name, experiment in zip(entry.measured_by, entry.experiments):
            assert registry[name].experiment == experiment, entry.id


class Fixed:
    """A measurer with given values."""

    registry: dict[str, object] = {}

    def __call__(self, name: str) -> Value:
        return Value(name, "rad", 0.5) if name == "a.known" else Value(name, "1", None, "no trace of x/a")


def test_an_erratum_shows_its_size_or_why_there_is_none() -> None:
    measured = Erratum(
        "B-XYZ-1",
        "E",
        "eq. 1",
        "a < b",
        {"method": "m", "parameter": "p", "as_printed": "old", "corrected": "new"},
        [Size("a.known", "x/a", {"op": "<", "value": 2, "origin": "made up"}), Size("a.other", "x/a")],
        "",
    )
    spoken = Erratum("B-XYZ-2", "O", "eq. 2", "a line break", {}, [], "Nothing depends on it.")
    text = errata.ledger([measured, spoken], Fixed())  # type: ignore[arg-type]
    parts = ["a &lt; b", "0.5 rad", "not measured (no trace of x/a)", "<code>old</code>", "<code>new</code>"]
    parts += ["Notation: Nothing depends on it.", "1 error of the text (E)", "Of 1 that change"]
    assert [part for part in parts if part not in text] == []
    rows = errata.table([measured, spoken], Fixed()).rows  # type: ignore[arg-type]
    assert [r[0] for r in rows] == ["B-XYZ-1", "B-XYZ-1", "B-XYZ-2"]
    assert rows[0][6:] == ("0.5", "rad")
    assert rows[2][6] == "Nothing depends on it."


def test_pictures_become_narrower_until_they_fit(complete: tuple[Content, Path]) -> None:
    drawn = complete[0].drawn
    sizes = {
        budget: {n: len(u) for n, u in figure_blocks.pictures(drawn, budget).items()}
        for budget in (10**9, 150_000, 1)
    }
    assert all(u.startswith("data:image/svg") for u in figure_blocks.pictures(drawn, 10**9).values())
    totals = [sum(sizes[b].values()) for b in (10**9, 150_000, 1)]
    assert totals[0] > totals[1] >= totals[2] and all(s > 1000 for s in sizes[1].values())


def test_long_tables_of_numbers_stand_on_the_page_of_the_paper_only(tmp_path: Path) -> None:
    long = tmp_path / "long.csv"
    long.write_text("x\n" + "1.25\n" * figure_blocks.FRONT_CSV, encoding="utf-8")
    assert (
        figure_blocks.csv_block(long, "p.html#f")
        == '<p class=lede>Numbers of this figure: <a href="p.html#f">long.csv</a>, on the page of its paper.</p>'
    )
    assert "data:text/csv" in figure_blocks.csv_block(long)

# SPDX-License-Identifier: BSD-3-Clause
"""The pages as readers use them: structure, links, contrast, widths, filter and sorting, and what a claim's page
says."""

import itertools
import json
import re
import shutil
import subprocess
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
from made_up_paper import write, write_paper, write_results
from made_up_traces import write_trace

from deformbench_analysis import cli, papers
from deformbench_analysis.claims import all_claims, claim_from
from deformbench_analysis.declarations import all_declarations
from deformbench_analysis.errors import InputError
from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.records import Change
from deformbench_analysis.results import Results
from deformbench_analysis.verdicts import Comparison, Judgement, Outcome, Verdict, judge_all
from paper_figures import style, verbs
from paper_figures.entry import draw, load_index
from paper_figures.report import claim_pages, edges, guides, method_pages, pages, templating
from paper_figures.report.content import Content, Judged
from paper_figures.report.verdict_tables import changes_line, margin, predicate_rows, recorded_line

CSS = Path(templating.__file__).with_name("page.css").read_text(encoding="utf-8")
SCRIPT = Path(templating.__file__).with_name("page.js").read_text(encoding="utf-8")
VOID = ("meta", "img", "br", "wbr", "input")
JUDGED: list[tuple[Results, Judgement, Measurer]] = []  # what the pages of `out` are made of
CLAIMS = ["MADE-01", "MADE-02", "MADE-03", "MADE-04", "MADE-05"]


class Page(HTMLParser):
    """The elements of a page, in order, and which are open around each."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.inside: list[list[str]] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {k: v or "" for k, v in attrs}))
        self.inside.append([*self.open])
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"

    def all(self, *tags: str) -> list[dict[str, str]]:
        return [about for tag, about in self.elements if tag in tags]

    def ids(self) -> list[str]:
        return [about["id"] for _, about in self.elements if "id" in about]


def edge(one: str, other: str, omega: list[float]) -> dict[str, Any]:
    about = {"from": one, "to": other, "dimension": "cost", "unit": "sweeps", "source": "here", "asserted_by": "others"}
    return {**about, "regime": {"omega": omega, "law": ["core"]}}


def several_claims(folder: Path) -> None:
    """Every kind of verdict, errata, findings, and a long word."""
    claims = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    (claim,) = claims["claims"]
    leaf = claim["predicate"]
    regime = {"regime": "small strains", **leaf}
    either = {"any": [{**leaf, "value": 1}, {"not": {**leaf, "op": ">", "value": 1.75}}]}
    claims["claims"] += [
        {**claim, "id": "MADE-02", "variant": "as_printed", "deviations": ["other hardware"], "note": "One size only.",
         "reported_by": "its <code>, read in 2031.", "edge": edge("warped", "linear", [1, 2]), "predicate": {"all": [leaf, {**leaf, "value": 1}]}},
        {**claim, "id": "MADE-03", "kind": "ordinal", "predicate": {**leaf, "value": 1}, "holds_in_regime": regime,
         "edge": {**edge("linear", "warped", [2, 4]), "ratio": "swelling.largest"}},
        {**claim, "id": "MADE-04", "kind": "timing", "predicate": either},
        {**claim, "id": "MADE-05", "predicate": None, "experiments": [], "waits_for": "w" * 200},
    ]  # fmt: skip
    write(folder / "claims.json", claims)
    size = {"measurement": "swelling.largest", "experiment": "made_up/swelling"}
    write(
        folder / "errata.json",
        {"errata": [{"id": "B-1", "tag": "E", "where": "w", "meant": "x_" * 90, "measured_by": [size]}]},
    )
    when = {"measurement": "swelling.largest", "op": ">", "value": 0, "origin": "o"}
    finding = {"id": "f", "sentence": "It grows {swelling.largest:.1f} times.", "figure": "fig_1_swelling"}
    write(folder / "findings.json", {"findings": [{**finding, "when": when, "behind": ["MADE-01", "B-1"]}]})
    asked = {"id": "is_it_small", "question": "Is it small?", "claims": [], "experiments": ["made_up/swelling"]}
    answer = ["It is {swelling.largest:.2f} large.", "{claim MADE-02}.", "<Three>.", "Four.", "Five."]
    write(folder / "disputes.json", {"disputes": [{**asked, "figure": "fig_1_swelling", "answer": answer}]})


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of all papers, of which one was run."""
    folder = tmp_path_factory.mktemp("pages")
    several_claims(write_paper(folder / "paper"))
    series = {"step": {"volume": np.array([1.0, 1.5, 1.0])}}
    write_trace(folder / "results", "made_up/swelling warped_fem warped", series=series)
    results = write_results(folder / "results")
    with pytest.MonkeyPatch.context() as patch, papers.also([folder / "paper"]):
        patch.setattr(style, "FORMATS", ("svg", "png"))
        found = Results(results, "paper")
        measurer = Measurer(found, "paper")
        judgement = judge_all(found, itertools.chain(*all_claims().values()), "paper", True, measurer)
        JUDGED[:] = [(found, judgement, measurer)]
        drawn = [draw(i, found, folder / "out") for i in load_index()]
        pages.write(Content(found, "paper", judgement, drawn, measurer), folder / "out")
        compared = ["compare", "linear", "warped", "--out", str(results), "--report-out", str(folder / "out")]
        assert verbs.main(compared) == 0
    return folder / "out"


@pytest.fixture(scope="module")
def parsed(out: Path) -> dict[Path, Page]:
    found = [
        *out.glob("*.html"),
        *(path for of in ("*/claims", "methods", "guides") for path in out.glob(f"{of}/*.html")),
    ]
    return {path: Page(path.read_text(encoding="utf-8")) for path in found}


def test_there_is_a_page_for_all_each_paper_claim_and_method_the_mutants_the_gallery_and_each_guide(
    parsed: dict[Path, Page], out: Path
) -> None:
    names = {str(path.relative_to(out)) for path in parsed}
    (comparison,) = [name for name in names if name.startswith("comparison_")]
    claims = {f"made_up/claims/{claim}.html" for claim in CLAIMS}
    methods = {"methods/linear_fem.html", "methods/warped_fem.html"}
    read = set() if guides.lacking() else {f"guides/{guide.page}" for guide in guides.load()}
    single = {"report.html", "made_up.html", "mutants.html", "gallery.html", "edges.html", comparison}
    assert names == single | claims | methods | read


def test_every_page_has_landmarks_and_its_tables_and_pictures_are_described(parsed: dict[Path, Page]) -> None:
    for path, page in parsed.items():
        for tag in ("html", "title", "header", "main", "footer", "h1"):
            assert len(page.all(tag)) == 1, f"{path}: {tag}"
        assert page.all("html")[0]["lang"] == "en" and page.all("a")[0]["href"] == "#content"
        assert page.all("main")[0]["id"] == "content" and page.all("nav")
        assert all(about.get("aria-label") for about in page.all("nav", "form"))
        assert [about for about in page.all("th") if about.get("scope") not in ("col", "row", "rowgroup")] == [], path
        assert all(about.get("alt") for about in page.all("img"))
        ids = page.ids()
        assert len(ids) == len(set(ids)), path
        levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
        assert all(b - a <= 1 for a, b in itertools.pairwise(levels)), path
        controls = [inside for (tag, _), inside in zip(page.elements, page.inside) if tag in ("input", "select")]
        assert all("label" in inside for inside in controls)
        scrolled = [about for about in page.all("div") if about.get("class") == "scroll"]
        assert all(about.get("tabindex") == "0" for about in scrolled), path  # reached by the keyboard


def test_no_link_is_dead_and_nothing_comes_from_elsewhere(parsed: dict[Path, Page]) -> None:
    count = 0
    for path, page in parsed.items():
        targets = [(key, about[key]) for _, about in page.elements for key in ("href", "src", "action") if key in about]
        for key, target in targets:
            is_guide, is_web = path.parent.name == "guides", target.startswith("https://")
            if target.startswith("data:") or (key == "href" and is_guide and is_web):  # a reader's own step
                continue
            name, _, part = target.partition("#")
            to = (path.parent / unquote(name)).resolve() if name else path
            assert ":" not in name and to.is_file(), f"{path}: {target}"
            if part:
                assert unquote(part) in parsed[to].ids(), f"{path}: {target}"
                count += 1
    assert count > 50


def test_every_cell_of_the_matrix_and_every_row_leads_to_the_page_of_its_claim(
    parsed: dict[Path, Page], out: Path
) -> None:
    for name in ("report.html", "made_up.html"):
        links = [about["href"] for about in parsed[out / name].all("a") if about.get("class") == "id"]
        assert links == [f"made_up/claims/{claim}.html" for claim in CLAIMS]
    tiles = [about for about in parsed[out / "report.html"].all("a") if "tile" in about.get("class", "")]
    assert {about["data-claim"]: about["href"] for about in tiles} == {c: f"made_up/claims/{c}.html" for c in CLAIMS}
    assert all(about["aria-label"].startswith(about["data-claim"]) for about in tiles)
    for before, after in itertools.pairwise(CLAIMS):
        links = [about["href"] for about in parsed[out / "made_up" / "claims" / f"{before}.html"].all("a")]
        assert f"../../made_up/claims/{after}.html" in links and "../../made_up.html" in links


def test_papers_and_claims_that_were_not_run_are_folded_lines_with_a_count(out: Path) -> None:
    front, paper = ((out / name).read_text(encoding="utf-8") for name in ("report.html", "made_up.html"))
    others = all_claims()
    assert re.search(
        rf"<details class=folded><summary>{len(others) + 1} papers of which nothing was run</summary>", front
    )
    assert f"{len(others['mueller_gross_2004'])} claims" in front and "IVM-01" not in front
    for text in (front, paper):
        assert "<summary>1 claim that these runs do not judge</summary>" in text and "waits for www" in text


def test_a_claim_s_page_says_what_was_judged_and_how_to_run_it(out: Path) -> None:
    claim, regime, timed = (
        (out / "made_up" / "claims" / f"{name}.html").read_text(encoding="utf-8") for name in CLAIMS[1:4]
    )
    said = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", claim)))
    parts = ("MADE-02: does not hold", "It stays small.", "Fig. 1", "One size only.", "other hardware", "as printed")
    assert [part for part in parts if part not in said] == []
    assert "The largest volume of all cells swelling.largest 1.5 < 2 25 % inside made up" in said
    assert "swelling.largest 1.5 < 1 50 % beyond made up" in said
    assert "made_up/swelling Made up. 2 of 2 completed" in said and 'src="../../made_up/fig_1_swelling.svg"' in claim
    assert "deformbench run made_up/swelling --tier paper --papers paper\n" in claim
    assert "deformbench verify --tier paper --claim MADE-02 --papers paper" in claim
    assert "small strains" in regime and "MADE-03: holds in a regime" in regime
    assert "at least one of" in timed and "the contrary of" in timed and "--claim MADE-04 --timing" in timed


def test_a_claim_that_was_not_read_in_its_paper_says_so_and_is_counted_apart(out: Path) -> None:
    said = "As reported by its &lt;code&gt;, read in 2031; the printed place was not checked."
    own, other = ((out / f"made_up/claims/MADE-0{n}.html").read_text(encoding="utf-8") for n in (2, 1))
    front, paper = ((out / f"{name}.html").read_text(encoding="utf-8") for name in ("report", "made_up"))
    assert said in own and said in paper and "at the place named" not in own
    assert "As reported" not in other and "at the place named" in other
    counts = [re.findall("<b>([0-9]+)</b>", part) for part in front.split("<div class=counts>")[1:]]
    assert counts == [["2", "1", "1"], ["1"]]  # holds twice, in a regime, not measured; does not hold


def test_claims_between_methods_are_a_matrix_and_a_file(parsed: dict[Path, Page], out: Path) -> None:
    tiles = [about for about in parsed[out / "edges.html"].all("a") if "tile" in about.get("class", "")]
    assert [about["data-claim"] for about in tiles] == ["MADE-03", "MADE-02"]  # in the row of linear, of warped
    assert tiles[0]["title"] == "MADE-03: It stays small. (sweeps; ratio 1.5; small strains)"
    assert 'id="cost"' in (out / "edges.html").read_text(encoding="utf-8")
    answered = (out / "edges.html").read_text(encoding="utf-8").split('<h3 id="is_it_small">Is it small?</h3>')[1]
    assert re.findall("<li>(.*)</li>", answered)[:3] == [
        "It is 1.50 large.",
        "MADE-02 does not hold.",
        "&lt;Three&gt;.",
    ]
    assert 'href="made_up.html#fig_1_swelling"' in answered and "<h3 id=" not in answered  # no others were run
    first, second = json.loads((out / "edges.json").read_text(encoding="utf-8"))
    assert {k: first[k] for k in ("claim", "from", "to", "verdict", "text_checked", "ratio")} == {
        "claim": "MADE-02", "from": "warped", "to": "linear", "verdict": "does_not_hold", "text_checked": False,
        "ratio": None,
    }  # fmt: skip
    assert second["ratio"] == {"measurement": "swelling.largest", "value": 1.5, "note": ""}
    assert second["regime_in_words"] == "small strains" and second["cells"] == {"made_up/swelling": "2 of 2 completed"}


@pytest.mark.parametrize(
    "changes, refused",
    [
        ({}, True),
        ({"regime": {"poisson": [0, 0.4]}}, True),
        ({"regime": {"omega": [3.0, 9], "law": ["log"]}}, False),
        ({"regime": {"omega": [4.5, 9], "law": ["core"]}}, False),
        ({"unit": "passes"}, False),
        ({"dimension": "timing"}, False),
        ({"to": "linear", "from": "warped"}, False),
        ({"verdict": "inconclusive"}, False),
    ],
)
def test_two_that_beat_each_other_in_one_regime_are_refused(changes: dict[str, Any], refused: bool) -> None:
    def made(name: str, declared: dict[str, Any]) -> edges.Edge:
        verdict = declared.pop("verdict", "holds")
        data = {"id": name, "where": "w", "statement": "s", "kind": "ordinal", "experiments": [], "min_tier": "smoke"}
        claim = claim_from("p", {**data, "waits_for": "w", "edge": declared}, "here")
        return edges.Edge(Judged(claim, Verdict(claim, verdict, "paper")), None)

    pair = [made("A-01", edge("warped", "linear", [1, 4])), made("B-01", edge("linear", "warped", [3, 9]) | changes)]
    if not refused:
        return edges.require_consistent(pair)
    with pytest.raises(InputError, match="claims A-01 and B-01: /edge: warped and linear both hold to beat each other"):
        edges.require_consistent(pair)


@pytest.mark.parametrize("wrong", [{"omega": [1]}, {"omega": [1, 2, 3]}, {"law": []}, {"omega": 3}, {"a": [1, "b"]}])
def test_a_regime_of_an_edge_is_a_range_or_a_list_of_texts(wrong: dict[str, Any]) -> None:
    data = {"id": "A-01", "where": "w", "statement": "s", "kind": "ordinal", "experiments": [], "min_tier": "smoke"}
    about = {**edge("a", "b", [1, 2]), "regime": wrong}
    with pytest.raises(InputError, match="/edge/regime/.*, expected ."):
        claim_from("p", {**data, "waits_for": "w", "edge": about}, "here")


def test_a_predicate_s_lines_are_its_comparisons_in_order() -> None:
    leaf = {"measurement": "a.b", "op": "<", "value": 1}
    tree = {"any": [{"all": [leaf, {**leaf, "value": 2}]}, {"not": {**leaf, "value": 3}}]}
    compared = [Comparison(Value("a.b", "m", 0.5), "<", n, Outcome.TRUE, "") for n in (1, 2, 3)]
    rows = predicate_rows(tree, compared, None)  # type: ignore[arg-type]
    assert [(r.depth, r.group or r.bound) for r in rows] == [
        (0, "at least one of"), (1, "all of"), (2, "< 1 m"), (2, "< 2 m"), (1, "the contrary of"), (2, "< 3 m"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("op", "bound", "value", "part", "text"),
    [
        ("<=", 1.0, 0.75, 0.25, "25 % inside"),
        ("<", 1.0, 1.5, -0.5, "50 % beyond"),
        ("<", 1e-6, 1e-9, 0.999, "1,000 times inside"),
        ("<", 1e-6, 1e-15, 1 - 1e-9, "over 100,000 times inside"),
        (">=", 2.0, 40.0, 19.0, "20 times inside"),
        (">", 2.0, 0.1, -0.95, "20 times beyond"),
        ("<", 1.0, -3.0, 4.0, "400 % inside"),
        ("in", [1.0, 2.0], 1.9, 0.05, "5 % inside"),
        ("in", [1.0, 2.0], 2.5, -0.25, "25 % beyond"),
        ("in", [1.0, 2.0], 0.5, -0.5, "50 % beyond"),
        (">=", 0.0, 0.01, 0.01, "0.01 m inside"),
        ("==", 3.0, 3.0, 0.0, "equal"),
        ("==", 2.0, 3.0, -0.5, "50 % beyond"),
        ("<", 1.0, float("inf"), -float("inf"), "inf m beyond"),
    ],
)
def test_a_margin_is_a_part_of_the_bound(op: str, bound: Any, value: float, part: float, text: str) -> None:
    found = margin(Comparison(Value("a.b", "m", value), op, bound, Outcome.TRUE, ""))
    assert found == (pytest.approx(part, rel=1e-9), text)


def test_the_commands_of_every_claim_name_what_there_is(tmp_path: Path) -> None:
    results = Results(write_results(tmp_path), "smoke")
    content = Content(results, "smoke", Judgement("smoke", [], []), [], Measurer(results, "smoke"))
    known = all_declarations()
    for claim in itertools.chain(*all_claims().values()):
        *running, judging = [words.split()[1:] for words in claim_pages.commands(claim, content)]
        args = cli._parser(verbs.add_verbs).parse_args(judging)
        assert args.claim == [claim.id] and args.timing == (claim.kind == "timing") and args.tier == claim.min_tier
        for verb, *rest in running:
            at = rest.index("--tier")
            assert verb in ("run", "time") and rest[at:] == ["--tier", claim.min_tier]
            assert rest[:at] and all(name in known for name in rest[:at])


def test_the_front_page_names_errors_of_the_texts_and_the_record(out: Path, parsed: dict[Path, Page]) -> None:
    front = (out / "report.html").read_text(encoding="utf-8")
    said = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", front[front.index('id="errors"') :])))
    assert f"w: {'x_' * 90}. B-1" in said
    assert "made_up.html#B-1" in [about.get("href") for about in parsed[out / "report.html"].all("a")]
    ((found, judgement, measurer),) = JUDGED
    machines = [{"processor": "CPU Z", "date": "2026-01-01"}]
    records = {"made_up": {c: {"verdict": "holds", "machines": machines} for c in CLAIMS[:2]}}
    content = Content(found, "paper", judgement, [], measurer, records=records)
    assert recorded_line(content) == "1 of 2 verdicts are those on record, which were found on CPU Z."
    assert recorded_line(Content(found, "paper", judgement, [], measurer)) == ""
    changes = [Change("MADE-02", "holds", "does_not_hold", True), Change("MADE-05", "holds", "not_measured", True)]
    assert changes_line(Content(found, "paper", judgement, [], measurer, changes)) == (
        "Different from the record: MADE-02 was holds, is does_not_hold. 1 verdict of the record not measured here."
    )


def test_a_method_s_page_has_its_parameters_its_claims_and_its_runs(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (out / "methods" / "warped_fem.html").read_text(encoding="utf-8")
    said = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", text)))
    for words in (
        "Made up. 1 completed",
        "none of the scorecard",
        "deformbench scorecard --method warped_fem --tier paper",
    ):
        assert words in said, words
    parameter = {"name": "solver", "default": "cg", "unit": "1", "expected": "one of cg", "doc": "Linear <solver>"}
    about = {"paper": {"text": "A paper"}, "parameters": [parameter], "known_violations": []}
    monkeypatch.setattr(method_pages, "described", lambda: {"warped_fem": about})
    found = Results(out.parent / "results", "paper")
    content = Content(found, "paper", Judgement("paper", [], []), [], Measurer(found, "paper"))
    made = method_pages.pages(content)["methods/warped_fem.html"]
    assert "A paper" in made and "Linear &lt;solver&gt;" in made and "None." in made
    monkeypatch.undo()
    monkeypatch.setenv("DEFORMBENCH", str(out / "no such command"))
    assert method_pages.described() == {}


def test_a_method_s_claims_are_those_that_its_runs_decide(parsed: dict[Path, Page], out: Path) -> None:
    links = [
        about["href"] for about in parsed[out / "methods" / "linear_fem.html"].all("a") if about.get("class") == "id"
    ]
    assert links == [f"../made_up/claims/{claim}.html" for claim in CLAIMS[:4]]


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_text_has_contrast_aa_on_every_surface(theme: int) -> None:
    """WCAG 2.1, 1.4.3: 4.5 for text."""
    pairs = re.findall(r"(--[a-z]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", CSS)
    colours = {name: (light, dark)[theme] for name, light, dark in pairs}
    texts = set(re.findall(r"[{; ]color: var\((--[a-z]+)\)", CSS))
    surfaces = set(re.findall(r"background: var\((--[a-z]+)\)", CSS)) - {"--white"}  # below pictures alone
    assert len(texts) >= 6 and {"--paper", "--wash", "--changed"} == surfaces
    for text, surface in itertools.product(texts, surfaces):
        low, high = sorted(luminance(colours[c]) for c in (text, surface))
        assert (high + 0.05) / (low + 0.05) >= 4.5, f"{text} on {surface}"


def test_colours_are_named_once() -> None:
    names = set(re.findall(r"(--[a-z]+): (?:light-dark|#)", CSS))
    rules = CSS[CSS.index("box-sizing") :]
    used = re.findall(r"(?<![-\w])(?:color|background): ([^;}]+)", rules)
    assert len(used) > 30 and not re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", rules)
    assert set(used) <= {f"var({name})" for name in names} | {"none", "inherit", "currentColor"}


def test_the_script_is_short_ours_and_fetches_nothing(parsed: dict[Path, Page]) -> None:
    assert len(SCRIPT.splitlines()) <= 300
    assert not re.findall(
        r"fetch|XMLHttp|import|https?:|eval|innerHTML|insertAdjacent|document\.write",
        SCRIPT.replace("Nothing is fetched", ""),
    )
    assert all(page.all("script") == [{}] for page in parsed.values())


def test_pages_are_small_and_a_paper_s_pictures_are_beside_it(
    parsed: dict[Path, Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in parsed:
        assert path.stat().st_size <= pages.TEXT_LIMIT == pages.PAPER_LIMIT == pages.FRONT_LIMIT
    paper = next(page for path, page in parsed.items() if path.name == "made_up.html")
    assert "made_up/fig_1_swelling.svg" in [about["src"] for about in paper.all("img")]
    with pytest.raises(RuntimeError, match="1.6 MB without pictures, more than 1.5 MB"):
        pages._with_pictures(lambda urls: "x" * 1_600_000, [], 10**9, 10**9)


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: widths and the script are not tried")


def in_browser(folder: Path, probes: dict[Path, str], width: int) -> dict[str, Any]:
    """What the probes (JavaScript expressions) give on their pages, each in a frame of the given width."""
    frames = []
    for number, (path, probe) in enumerate(probes.items()):
        copy = path.with_name(f"probed_{number}.html")
        said = f"parent.postMessage([{json.dumps(path.name)}, {probe}], '*')"
        text = path.read_text(encoding="utf-8")
        copy.write_text(text.replace("</body>", f"<script>addEventListener('load', () => {said})</script></body>"))
        frames.append(f'<iframe src="{copy.as_uri()}" style="width:{width}px;height:800px;border:0"></iframe>')
    listen = "addEventListener('message', (e) => { document.getElementById('said').append(JSON.stringify(e.data) + '\\n'); });"
    outer = folder / "frames.html"
    outer.write_text(f"<body><pre id=said></pre><script>{listen}</script>{''.join(frames)}", encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command = [str(CHROMIUM), *options, "--virtual-time-budget=8000", "--dump-dom", outer.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
    for copy in {path.with_name(f"probed_{number}.html") for number, path in enumerate(probes)}:
        copy.unlink()
    match = re.search(r"<pre id=\"said\">(.*?)</pre>", shown, re.DOTALL)
    assert match
    return dict(json.loads(unescape(line)) for line in match.group(1).split("\n") if line)


TOO_WIDE = """(() => {
  document.querySelectorAll("details").forEach((d) => { d.open = true; });
  const scrolls = (e) => ["auto", "scroll"].includes(getComputedStyle(e).overflowX) && e.getBoundingClientRect().right <= innerWidth + 1;
  const isScrolled = (e) => { for (let at = e.parentElement; at; at = at.parentElement) if (at.matches(".scroll") && scrolls(at)) return true; return false; };
  const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !isScrolled(e));
  return [innerWidth, document.documentElement.scrollWidth, wide.slice(0, 5).map((e) => e.outerHTML.slice(0, 120))];
})()"""


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_no_element_is_wider_than_the_window(out: Path, parsed: dict[Path, Page], tmp_path: Path, width: int) -> None:
    said = in_browser(tmp_path, {path: TOO_WIDE for path in parsed}, width)
    assert {name: (shown, wide) for name, (shown, _, wide) in said.items()} == {p.name: (width, []) for p in parsed}
    assert all(whole <= width for _, whole, _ in said.values())  # less a scroll bar


FILTERED = """(() => {
  const form = document.querySelector("form.filter"), shown = () => [...document.querySelectorAll("tr.claim")].filter((r) => !r.hidden).map((r) => r.dataset.claim);
  const set = (name, value) => { form.elements[name].value = value; form.dispatchEvent(new Event("input", { bubbles: true })); return shown(); };
  const found = { options: [...form.elements.kind.options].map((o) => o.value), kind: set("kind", "ordinal") };
  set("kind", "");
  found.text = set("text", "made -03");
  found.said = form.querySelector("output").textContent;
  found.dimmed = document.querySelectorAll("a.tile.dimmed").length;
  found.all = set("text", "");
  const head = document.querySelector("table.verdicts thead th"), ids = () => [...document.querySelectorAll("table.verdicts")[0].querySelectorAll("tr.claim")].map((r) => r.dataset.claim);
  head.querySelector("button").click(); head.querySelector("button").click();
  return { ...found, sorted: ids(), aria: head.getAttribute("aria-sort"), hidden: form.hidden };
})()"""


@needs_browser
def test_claims_are_filtered_and_sorted(out: Path, tmp_path: Path) -> None:
    (found,) = in_browser(tmp_path, {out / "report.html": FILTERED}, 1280).values()
    assert found == {
        "options": ["", "ordinal", "quantitative", "timing"], "kind": ["MADE-03"], "text": ["MADE-03"], "dimmed": 4,
        "said": "1 of 5 claims", "all": CLAIMS, "sorted": CLAIMS[3::-1], "aria": "descending", "hidden": False,
    }  # fmt: skip

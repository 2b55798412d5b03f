# SPDX-License-Identifier: BSD-3-Clause
"""Guides as pages: what their links become, what the search finds, and that none is left out."""

from pathlib import Path

import pytest
from test_pages import Page, in_browser, needs_browser

from deformbench_analysis.paths import project_root
from paper_figures.report import guides
from paper_figures.report.guides import Guide

pytestmark = pytest.mark.skipif(bool(guides.lacking()), reason=guides.lacking())
OTHER = "methods/fem/README.md"


def body(text: str, path: str = "docs/one.md", pages: tuple[str, ...] = ("docs/one.md", OTHER)) -> str:
    return str(Guide(path, "# One\n\n" + text).html(pages)).strip()


def test_every_guide_stands_in_the_table_of_contents() -> None:
    root = project_root()
    found = {p.relative_to(root).as_posix() for kind in ("docs/*.md", "*/*/README.md") for p in root.glob(kind)}
    listed = {guide.path for guide in guides.load()}
    assert found - listed == set() and len({guide.page for guide in guides.load()}) == len(listed)


@pytest.mark.parametrize(
    ("link", "html"),
    [
        ("[fem](../methods/fem/README.md#laws)", '<a href="methods_fem.html#laws">fem</a>'),
        ("[here](#one)", '<a href="#one">here</a>'),
        ("[peer](https://pybullet.org)", '<a href="https://pybullet.org">peer</a>'),
        ("[the file](../methods/a.hpp)", "the file<wbr> (<code>methods/a.hpp</code>)"),
        ("[a_b/c](../a_b/c)", "a_<wbr>b/<wbr>c<wbr>"),
        ("[`fem/a.hpp`](../methods/fem/a.hpp), b", "<code>fem/a.hpp</code>, b"),
        ("[pbd](../methods/pbd/README.md)", "pbd<wbr> (<code>methods/pbd/README.md</code>)"),
        ("![A tip](tip.png)", '<img src="tip.png" alt="A tip" loading="lazy">'),
    ],
)
def test_links_lead_to_pages_and_other_files_are_told(link: str, html: str) -> None:
    assert body(link) == f"<p>{html}</p>"


def test_html_is_text_but_line_breaks_and_comments_are_left_out() -> None:
    assert body("a<br>b <script>c</script>\n\n<!-- d -->") == "<p>a<br>b &lt;script&gt;c&lt;/script&gt;</p>"
    assert "<b" not in body("<b>whole</b>\n\n```html\n<b>&</b>\n```")


def test_a_cell_of_a_table_says_its_column_but_the_first() -> None:
    page = Page(body("| key | is | unit |\n|---|---|---|\n| `h` | a *step* | s |\n| m | | kg |"))
    assert [about.get("data-label") for about in page.all("td")] == [None, "is", "unit"] * 2
    assert page.all("th") == [{"scope": "col"}] * 3 and page.all("table") == [{"class": "stack"}]


def test_commands_can_be_copied_and_code_is_coloured() -> None:
    assert body("```sh parsed: takes long\nls  # files\n```") == (
        '<pre class=commands tabindex="0"><code>ls  <span class="hc"># files\n</span></code></pre>'
    )
    assert '<span class="hk">&#34;a&#34;</span>' in body('```json\n{"a": 1}\n```')
    assert body("```\n1 < 2\n```") == '<pre tabindex="0"><code>1 &lt; 2\n</code></pre>'


def test_headings_have_the_names_that_links_use_and_sections_their_words() -> None:
    guide = Guide(
        "docs/one.md", "# One\nFirst.\n\n## Use `a_b`, now!\nWords\nhere.\n\n```sh\nrun  it\n```\n## Same\n## Same\n"
    )
    assert [(s.level, s.id, s.title) for s in guide.sections] == [
        (1, "one", "One"), (2, "use-a_b-now", "Use a_b, now!"), (2, "same", "Same"), (2, "same-1", "Same"),
    ]  # fmt: skip
    assert [s.words for s in guide.sections[:2]] == [["First."], ["Words here.", "run it"]]
    assert Page(f"<div>{guide.html(())}</div>").ids() == ["use-a_b-now", "same", "same-1"]


def test_what_is_not_installed_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(guides, "find_spec", lambda name: None if name == "markdown_it" else object())
    assert guides.lacking() == "python3-markdown-it not installed" and guides.sources() == []
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(guides, "project_root", lambda: tmp_path)
    assert guides.lacking() == "no docs/README.md beside the command"
    (tmp_path / "docs/README.md").write_text("# All\n[a](a.md), [b](b.md), [c](../x.py)\n", encoding="utf-8")
    (tmp_path / "docs/b.md").write_text("# B\n", encoding="utf-8")
    assert [guide.path for guide in guides.load()] == ["docs/README.md", "docs/b.md"]


SEARCHED = """(() => {
  const form = document.querySelector("form.filter");
  form.elements.text.value = "condition NUMBER random poses";
  form.dispatchEvent(new Event("input", { bubbles: true }));
  const shown = [...document.querySelectorAll("li.section")].filter((row) => !row.hidden);
  return { open: document.querySelector("details").open, said: form.querySelector("output").textContent,
    found: shown.map((row) => [row.querySelector("a").getAttribute("href"), row.querySelector(".found").textContent]) };
})()"""


@needs_browser
def test_a_search_finds_sections_with_the_words_around(tmp_path: Path) -> None:
    read = guides.load()
    (tmp_path / "guides").mkdir()
    (tmp_path / "guides/index.html").write_text(guides.pages(read)["guides/index.html"], encoding="utf-8")
    (said,) = in_browser(tmp_path, {tmp_path / "guides/index.html": SEARCHED}, 1280).values()
    assert said["open"] and said["said"] == f"{len(said['found'])} of {sum(len(g.sections) for g in read[1:])} sections"
    texts = dict(said["found"])
    assert "experiments_mueller_gross_2004.html#content" in texts
    assert "condition" in texts["experiments_mueller_gross_2004.html#content"].lower()

# SPDX-License-Identifier: BSD-3-Clause
"""The guides as pages: docs/README.md, which is their table of contents, and what it links, in its order. Markdown is
read by markdown-it; of HTML in it only `<br>` counts, everything else is text or left out."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from markupsafe import Markup, escape

from deformbench_analysis.paths import project_root
from paper_figures.report.templating import render

FOLDER, CONTENTS = "guides", "docs/README.md"
PICTURES = (".png", ".svg")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//")
_COLOURS = {"Comment": "hc", "String": "hs", "Keyword": "hk", "Name.Tag": "hk", "Name.Builtin": "hk"}


def lacking() -> str:
    """Why there are no guides; empty where there are."""
    if not (project_root() / CONTENTS).is_file():
        return f"no {CONTENTS} beside the command"
    absent = [name for name in ("markdown_it", "pygments") if find_spec(name) is None]
    return ", ".join(f"python3-{name.replace('_', '-')}" for name in absent) + " not installed" if absent else ""


@dataclass
class Section:
    """What stands below a heading: its level, its place on the page, and its words for the search."""

    level: int
    id: str
    title: str
    words: list[str] = field(default_factory=list)


def page_of(path: str) -> str:
    """The page of a guide: docs/scenes.md is scenes.html, methods/fem/README.md is methods_fem.html."""
    if path == CONTENTS:
        return "index.html"
    return path.removeprefix("docs/").removesuffix(".md").removesuffix("/README").replace("/", "_").lower() + ".html"


def _words(token: Any) -> str:
    """The text of a heading, a paragraph or a cell, without its marks."""
    kinds = {"softbreak": " ", "hardbreak": " "}
    return "".join(kinds.get(t.type, t.content if t.type in ("text", "code_inline") else "") for t in token.children)


class Guide:
    """A guide, read; `path` is from the root of the tree."""

    def __init__(self, path: str, text: str) -> None:
        from markdown_it import MarkdownIt

        self.path, self.page = path, page_of(path)
        self._parser = MarkdownIt("commonmark", {"highlight": _coloured, "xhtmlOut": False}).enable("table")
        self._tokens = self._parser.parse(text)

    def _inline(self) -> Iterator[Any]:
        return (t for t in self._tokens if t.type == "inline")

    def targets(self) -> list[str]:
        """What it links or shows, as it says it."""
        shown = (str(t.attrs.get("href", t.attrs.get("src", ""))) for i in self._inline() for t in i.children)
        return [t for t in shown if t]

    def file(self, target: str) -> str:
        """The file that a link means, from the root of the tree; empty: this page, or another site."""
        name = unquote(target.partition("#")[0])
        is_ours = name and not _ELSEWHERE.match(target)
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.path), name)) if is_ours else ""

    @cached_property
    def sections(self) -> list[Section]:
        """By their headings, the first of which is the guide's title."""
        found: list[Section] = []
        taken: dict[str, int] = {}
        for before, token in zip([None, *self._tokens], self._tokens):
            if before and before.type == "heading_open":
                title = _words(token)
                slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")  # as GitHub makes it
                taken[slug] = taken.get(slug, -1) + 1
                found.append(Section(int(before.tag[1]), slug + (f"-{taken[slug]}" if taken[slug] else ""), title))
            elif found and token.type in ("inline", "fence", "code_block"):
                found[-1].words.append(" ".join((_words(token) if token.children else token.content).split()))
        return found

    @property
    def title(self) -> str:
        """Its first heading."""
        return self.sections[0].title

    def html(self, pages: Sequence[str]) -> Markup:
        """All below the title. Links lead to the guides among `pages`; of any other file the path is told."""
        heads = iter(self.sections)
        header: list[str] = []
        labels: Iterator[str] = iter(())
        for before, token in zip([None, *self._tokens], self._tokens):
            if token.type == "heading_open":
                token.attrSet("id", next(heads).id)
            elif token.type == "table_open":
                token.attrSet("class", "stack")
                header = []
            elif token.type == "th_open":
                token.attrSet("scope", "col")
            elif token.type == "tr_open":
                labels = iter(header)
            elif token.type == "td_open" and (label := next(labels)):
                token.attrSet("data-label", label)
            elif token.type == "inline":
                if before and before.type == "th_open":
                    header.append(_words(token) if header else "")  # the first cell is the row's name
                token.children = list(self._rewritten(token.children or (), pages))
        shown = [t for t in self._tokens if t.type != "html_block"][3:]  # no comments, and no title
        return Markup(self._parser.renderer.render(shown, self._parser.options, {}))

    def _rewritten(self, tokens: Sequence[Any], pages: Sequence[str]) -> Iterator[Any]:
        from markdown_it.token import Token

        told = words = ""
        for token in tokens:
            if token.type == "link_open":
                target = str(token.attrs["href"])
                path, anchor = self.file(target), target.partition("#")[2]
                if path in pages:
                    token.attrSet("href", page_of(path) + (f"#{anchor}" if anchor else ""))
                elif path:
                    told, words = path, ""
                    continue
            elif token.type == "link_close" and told:
                if not told.endswith(words):
                    yield Token("text", "", 0, content=" (")
                    yield Token("code_inline", "code", 0, content=told)
                    yield Token("text", "", 0, content=")")
                told = ""
                continue
            elif token.type == "image":
                token.attrs |= {"src": posixpath.basename(str(token.attrs["src"])), "loading": "lazy"}
            elif token.type == "html_inline" and token.content != "<br>":
                token.type = "text"
            words += token.content
            if told and token.type == "text":  # a path may be broken behind its folders
                for part in re.split(r"(?<=[/_])", token.content):
                    yield from (Token("text", "", 0, content=part), Token("html_inline", "", 0, content="<wbr>"))
            else:
                yield token


def _coloured(code: str, language: str, _: str) -> str:
    """A block of code; commands can be copied."""
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Token, string_to_tokentype

    kinds = [(string_to_tokentype(name), css) for name, css in _COLOURS.items()]
    kinds += [(string_to_tokentype("Literal.String"), "hs")]
    pieces = get_lexer_by_name(language, stripnl=False).get_tokens(code) if language else [(Token.Text, code)]
    html = ""
    for kind, text in pieces:
        css = next((css for known, css in kinds if kind in known), "")
        html += f'<span class="{css}">{escape(text)}</span>' if css else str(escape(text))
    return f'<pre{" class=commands" if language == "sh" else ""} tabindex="0"><code>{html}</code></pre>\n'


def load() -> list[Guide]:
    """The table of contents, and the guides that it links, each once; what is not installed is left out."""
    root = project_root()

    def read(path: str) -> Guide:
        return Guide(path, (root / path).read_text(encoding="utf-8"))

    contents = read(CONTENTS)
    linked = dict.fromkeys(contents.file(t) for t in contents.targets())
    return [contents, *(read(p) for p in linked if p.endswith(".md") and p != CONTENTS and (root / p).is_file())]


def pictures(guides: Sequence[Guide]) -> list[Path]:
    """The pictures that they show."""
    found = dict.fromkeys(g.file(t) for g in guides for t in g.targets())
    return [project_root() / p for p in found if p.endswith(PICTURES)]


def sources() -> list[Path]:
    """All files that the pages depend on."""
    if lacking():
        return []
    guides = load()
    return [*(project_root() / g.path for g in guides), *pictures(guides)]


def pages(guides: Sequence[Guide]) -> dict[str, str]:
    """Path of a page from the folder of the report → its text."""
    known = [g.path for g in guides]
    around = [None, *guides, None]
    made: dict[str, str] = {}
    for before, guide, after in zip(around, guides, around[2:]):
        every = guides[1:] if guide.path == CONTENTS else ()
        page = render(
            "guide.html", root="../", guide=guide, body=guide.html(known), before=before, after=after, every=every
        )
        made[f"{FOLDER}/{guide.page}"] = page
    return made

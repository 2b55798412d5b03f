# SPDX-License-Identifier: BSD-3-Clause
"""What guides say of the tree: numbers of claims, titles of papers; and lines of prose that an editor shows whole."""

import ast
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = 130


def test_the_readme_counts_the_claims() -> None:
    """Every `N claims` of the table leads to the claims and stands beside its record of verdicts,
    and every paper has one."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = r"\[(\d+) claims\]\(experiments/(\w+)/claims\.json\), \[verdicts\]\(experiments/\2/verdicts\.json\)"
    told = {paper: int(n) for n, paper in re.findall(rows, text)}
    files = (ROOT / "experiments").glob("*/claims.json")
    assert told == {p.parent.name: len(json.loads(p.read_text(encoding="utf-8"))["claims"]) for p in files}
    assert len(re.findall(r"\d+ claims\b", text)) == len(told)


def test_the_readme_cites_as_the_citation_file() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    cited = dict(re.findall(r'^(title|version): "?(.*?)"?$', (ROOT / "CITATION.cff").read_text(), flags=re.M))
    assert f"title = {{{cited['title']}}}" in text and f"version = {{{cited['version']}}}" in text


def test_no_two_papers_say_the_same_of_their_figures() -> None:
    files = sorted((ROOT / "paper_figures").glob("*/__init__.py"))
    said = {str(p.relative_to(ROOT)): ast.get_docstring(ast.parse(p.read_text(encoding="utf-8"))) for p in files}
    assert [p for p, text in said.items() if list(said.values()).count(text) > 1] == []


def long_lines(text: str) -> list[int]:
    """Numbers of the lines of prose over the limit; tables, fenced blocks and comments may be longer."""
    fenced = re.sub(r"^( *)```.*?^\1```$", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)
    lines = enumerate(fenced.splitlines(), 1)
    return [k for k, line in lines if len(line) > COLUMNS and not line.startswith(("|", "<!--"))]


def test_prose_is_wrapped() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md"), *ROOT.glob("*/*/README.md")]
    pages.remove(ROOT / "docs/equations.md")  # generated: a citation is one line
    assert len(pages) > 15
    wrong = [f"{p.relative_to(ROOT)}:{k}" for p in sorted(pages) for k in long_lines(p.read_text(encoding="utf-8"))]
    assert not wrong, "\n".join(wrong)


def test_a_long_line_of_prose_is_found() -> None:
    long = "word " * 30
    assert long_lines(f"short\n{long}\n| {long} |\n```sh\n{long}\n```\n- {long}\n") == [2, 7]

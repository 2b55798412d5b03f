# SPDX-License-Identifier: BSD-3-Clause
"""What guides say of the tree: numbers of claims, its own citation, titles of papers."""

import ast
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_readme_counts_the_claims() -> None:
    """Every `N claims` of the table stands beside its record of verdicts, and every paper has one."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    told = {paper: int(n) for n, paper in re.findall(r"(\d+) claims: \[`paper_figures/verdicts/(\w+)\.json`\]", text)}
    files = [p for p in (ROOT / "reference_data/claims").glob("*.json") if not p.stem.endswith(".schema")]
    assert told == {p.stem: len(json.loads(p.read_text(encoding="utf-8"))["claims"]) for p in files}
    assert len(re.findall(r"\d+ claims\b", text)) == len(told)


def test_the_readme_cites_as_the_citation_file() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    cited = dict(re.findall(r'^(title|version): "?(.*?)"?$', (ROOT / "CITATION.cff").read_text(), flags=re.M))
    assert f"title = {{{cited['title']}}}" in text and f"version = {{{cited['version']}}}" in text


def test_no_two_papers_say_the_same_of_their_figures() -> None:
    files = sorted((ROOT / "paper_figures").glob("*/__init__.py"))
    said = {str(p.relative_to(ROOT)): ast.get_docstring(ast.parse(p.read_text(encoding="utf-8"))) for p in files}
    assert [p for p, text in said.items() if list(said.values()).count(text) > 1] == []

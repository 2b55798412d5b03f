# SPDX-License-Identifier: BSD-3-Clause
"""HTML from the templates in `templates/`, autoescaped: whatever a value holds is text. Only a `Markup` is HTML."""

import functools
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from deformbench_analysis.claims import VERDICTS
from deformbench_analysis.tables import Table

_HERE = Path(__file__).parent
WORDS = {
    "holds": "holds",
    "holds_in_regime": "holds in a regime",
    "does_not_hold": "does not hold",
    "inconclusive": "inconclusive",
    "not_testable": "not testable",
    "not_measured": "not measured",
}


def as_html(table: Table, css_class: str = "sortable") -> Markup:
    """A table, whose cells are escaped already."""
    return Markup(table.html(css_class))


def size(value: float | None, unit: str = "", digits: int = 4) -> str:
    """A number with its unit. One that differs from 1 by less than is shown is 1 ± the difference."""
    if value is None:
        return "not measured"
    text = f"{value:,.0f}" if 10_000 <= abs(value) < 1e7 else f"{value:.{digits}g}"
    if text == "1" and value != 1:
        text = f"1 {'+' if value > 1 else '−'} {abs(value - 1):.1e}"
    return text if unit in ("", "1") else f"{text} {unit}"


@functools.cache
def environment() -> Environment:
    """Templates, with what all of them use."""
    loader = FileSystemLoader(_HERE / "templates")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    made.trim_blocks = made.lstrip_blocks = True
    made.globals.update(
        words=WORDS,
        verdicts=VERDICTS,
        css=Markup((_HERE / "page.css").read_text(encoding="utf-8")),
        script=Markup((_HERE / "page.js").read_text(encoding="utf-8")),
    )
    made.filters.update(as_html=as_html, size=size)
    return made


def render(template: str, **values: Any) -> Markup:
    """A template filled in. `root` leads from the page to the folder of the report."""
    return Markup(environment().get_template(template).render(**{"root": "", **values}))


def part(macro: str, *values: Any, root: str = "") -> Markup:
    """One macro of parts.html."""
    module = environment().get_template("parts.html").make_module({"root": root})
    return Markup(getattr(module, macro)(*values))

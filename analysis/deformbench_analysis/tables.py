# SPDX-License-Identifier: BSD-3-Clause
"""Tables written once and read as CSV, HTML, LaTeX and plain text."""

import csv
import html
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .output import write_text


@dataclass(frozen=True)
class Column:
    """`format` is a format specification for numbers (".3g"); units are in the heading."""

    name: str
    unit: str = ""
    format: str = ".4g"

    @staticmethod
    def of(text: str) -> "Column":
        """The column of a text "name [unit] format", of which unit and format may lack."""
        found = re.fullmatch(r"(.*?)(?: \[([^\[\]]+)\])?(?: (,?\.\d[a-z%]?))?", text)
        assert found is not None  # a name alone fits
        return Column(found[1], found[2] or "", found[3] or ".4g")

    @property
    def heading(self) -> str:
        """Name and unit."""
        return f"{self.name} [{self.unit}]" if self.unit and self.unit != "1" else self.name

    def text(self, value: Any) -> str:
        """A value as the table shows it."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return "–"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int) or (
            isinstance(value, float) and value.is_integer() and abs(value) < 1e9 and self.format == ".4g"
        ):
            return f"{int(value):,}"
        return format(value, self.format) if isinstance(value, float) else str(value)


@dataclass
class Table:
    """Rows below named columns, written as text, CSV, HTML or LaTeX."""

    columns: list[Column]
    rows: list[Sequence[Any]] = field(default_factory=list)
    caption: str = ""

    @staticmethod
    def of(*columns: str) -> "Table":
        """An empty table with columns as `Column.of` reads them, between semicolons: "row; time [s] .3g"."""
        return Table([Column.of(column) for several in columns for column in several.split("; ")])

    def add(self, *cells: Any) -> None:
        """Appends a row; numbers of numpy as those of Python."""
        if len(cells) != len(self.columns):
            raise ValueError(f"{len(cells)} cells in a table of {len(self.columns)} columns")
        self.rows.append(tuple(c.item() if isinstance(c, np.generic) else c for c in cells))

    def _is_number(self, index: int) -> bool:
        found = [row[index] for row in self.rows if row[index] is not None]
        return bool(found) and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in found)

    def csv(self) -> str:
        """Full precision, one heading line with units."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([c.heading for c in self.columns])
        writer.writerows([["" if v is None else v for v in row] for row in self.rows])
        return out.getvalue()

    def html(self, css_class: str = "") -> str:
        """As an HTML table."""
        numeric = [self._is_number(i) for i in range(len(self.columns))]
        attribute = f' class="{css_class}"' if css_class else ""
        parts = [f"<table{attribute}>"]
        if self.caption:
            parts.append(f"<caption>{html.escape(self.caption)}</caption>")
        parts.append(
            "<thead><tr>"
            + "".join(
                f'<th scope="col"{" class=n" if n else ""}>{html.escape(c.heading)}</th>'
                for c, n in zip(self.columns, numeric)
            )
            + "</tr></thead><tbody>"
        )
        for row in self.rows:
            parts.append(
                "<tr>"
                + "".join(
                    f'<td{" class=n" if n else ""}>{html.escape(c.text(v))}</td>'
                    for c, v, n in zip(self.columns, row, numeric)
                )
                + "</tr>"
            )
        return "\n".join(parts) + "</tbody></table>"

    def latex(self) -> str:
        """A booktabs tabular."""
        alignment = "".join("r" if self._is_number(i) else "l" for i in range(len(self.columns)))
        lines = [
            f"\\begin{{tabular}}{{{alignment}}}",
            "\\toprule",
            " & ".join(_latex(c.heading) for c in self.columns) + " \\\\",
            "\\midrule",
        ]
        lines += [" & ".join(_latex(c.text(v)) for c, v in zip(self.columns, row)) + " \\\\" for row in self.rows]
        return "\n".join(lines + ["\\bottomrule", "\\end{tabular}"]) + "\n"

    def text(self) -> str:
        """Aligned columns for a terminal."""
        cells = [[c.heading for c in self.columns]] + [
            [c.text(v) for c, v in zip(self.columns, row)] for row in self.rows
        ]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        numeric = [self._is_number(i) for i in range(len(self.columns))]
        return "\n".join(
            "  ".join(v.rjust(w) if n else v.ljust(w) for v, w, n in zip(row, widths, numeric)).rstrip()
            for row in cells
        )

    def render(self, form: str) -> str:
        """As csv, html, latex, or (anything else) plain text under the caption."""
        if form == "csv":
            return self.csv()
        if form == "html":
            return self.html()
        return self.latex() if form == "latex" else f"{self.caption}\n{self.text()}\n"

    def write(self, stem: Path) -> list[Path]:
        """`stem`.csv, .html and .tex."""
        written = []
        for suffix, content in ((".csv", self.csv()), (".html", self.html()), (".tex", self.latex())):
            path = stem.with_name(stem.name + suffix)
            write_text(path, content)
            written.append(path)
        return written


_SPECIAL = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "–": "--",
    "²": "$^2$",
    "³": "$^3$",
    "Δ": r"$\Delta$",
    "†": r"\dag{}",
    "‡": r"\ddag{}",
}


def _latex(text: str) -> str:
    return "".join(_SPECIAL.get(c, c) for c in text)

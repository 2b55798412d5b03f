# SPDX-License-Identifier: BSD-3-Clause
"""Figures on a page: the picture as small as the page needs it, the caption, and the numbers behind it."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from PIL import Image

from paper_figures.entry import Drawn

_ROWS_SHOWN = 60
# Pixels; the narrower ones only where the wider ones together are too many.
COMPACT_WIDTHS = (1300, 1000, 760, 600, 480)
FRONT_CSV = 6_000  # bytes of a figure's numbers on the front page; longer ones stand on the paper's page


def compact_picture(png: Path, width: int = COMPACT_WIDTHS[0]) -> tuple[bytes, str]:
    """A picture at most `width` wide, and its type: 128 colours, or JPEG where that is smaller (renderings)."""
    with Image.open(png) as image:
        small = image.convert("RGB")
        if small.width > width:
            small = small.resize((width, round(small.height * width / small.width)), Image.LANCZOS)
        few_colours, photograph = io.BytesIO(), io.BytesIO()
        small.quantize(128).save(few_colours, "PNG", optimize=True)
        small.save(photograph, "JPEG", quality=88, optimize=True)
    if len(photograph.getvalue()) < len(few_colours.getvalue()):
        return photograph.getvalue(), "image/jpeg"
    return few_colours.getvalue(), "image/png"


def pictures(drawn: Iterable[Drawn], budget: int) -> dict[str, str]:
    """Figure id → data URL. Vector graphics, and the largest of them as compact pictures, ever narrower, until all
    together fit the budget (bytes)."""
    chosen: dict[str, tuple[bytes, str]] = {}
    ready = {d.index.id: d.entry.files for d in drawn if d.entry is not None}
    for name, files in ready.items():
        picture = files["svg"] if "svg" in files else files["png"]
        chosen[name] = (picture.read_bytes(), "image/svg+xml" if "svg" in files else "image/png")
    for width in COMPACT_WIDTHS:
        for name in sorted(chosen, key=lambda n: -len(chosen[n][0])):
            if sum(len(data) for data, _ in chosen.values()) * 4 / 3 <= budget:
                break
            compact = compact_picture(ready[name]["png"], width)
            if len(compact[0]) < len(chosen[name][0]):
                chosen[name] = compact
    return {
        name: f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}" for name, (data, kind) in chosen.items()
    }


def figure_block(d: Drawn, urls: Mapping[str, str], elsewhere: str = "") -> str:
    """`elsewhere` is the page that has the numbers when they are too many for this one; "" keeps them all here."""
    anchor = escape(d.index.id)
    head = f"<h3>{escape(d.index.number)} — {escape(d.index.title)}</h3>"
    if d.entry is None:
        return f'<section id="{anchor}">{head}<p class=failed>Not drawn: {escape(d.reason)}</p></section>'
    image = f'<img alt="{escape(d.entry.title)}" src="{urls.get(d.index.id, "data:,")}">'
    failed = "".join(f"<div class=failed>✕ {escape(line)}</div>" for line in d.entry.failed)
    claims = ", ".join(escape(c) for c in d.index.claims)
    numbers = f"{elsewhere}#{d.index.id}" if elsewhere else ""
    tables = "".join(f"<div class=scroll>{table}</div>" for table in d.entry.tables)
    return (
        f'<section id="{anchor}">{head}<figure>{image}<figcaption>{escape(d.entry.caption)}{failed}'
        f"{csv_block(d.entry.csv, numbers)}<div class=lede>Claims: {claims or '–'}. Experiments: {escape(', '.join(d.index.experiments))}.</div>"
        f"</figcaption>{tables}</figure></section>"
    )


def csv_block(path: Path, elsewhere: str = "") -> str:
    """The figure's numbers as a table that opens on demand, with the CSV itself as a link;
    or a link to where they stand."""
    if elsewhere and path.stat().st_size > FRONT_CSV:
        return f'<p class=lede>Numbers of this figure: <a href="{escape(elsewhere)}">{escape(path.name)}</a>, on the page of its paper.</p>'
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    shown = rows[:_ROWS_SHOWN]
    body = "".join("<tr>" + "".join(f"<td>{escape(_rounded(v))}</td>" for v in row) + "</tr>" for row in shown)
    more = f"<p>{len(rows) - len(shown)} more rows are in the file.</p>" if len(rows) > len(shown) else ""
    return (
        f'<details><summary>Numbers of this figure</summary><p><a download="{escape(path.name)}" href="{data_url(path, "text/csv")}">'
        f"{escape(path.name)}</a> ({len(rows)} rows)</p><div class=scroll><table class=numbers><thead><tr>"
        + "".join(f"<th>{escape(h)}</th>" for h in head)
        + f"</tr></thead><tbody>{body}</tbody></table></div>{more}</details>"
    )


def _rounded(text: str) -> str:
    """A number of the CSV with five digits; any other text as it is."""
    try:
        return text if text.lstrip("-").isdigit() else f"{float(text):.5g}"
    except ValueError:
        return text


def data_url(path: Path, kind: str) -> str:
    """A file as a URL that holds its content."""
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"

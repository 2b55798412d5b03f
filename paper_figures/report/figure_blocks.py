# SPDX-License-Identifier: BSD-3-Clause
"""Figures on a page: the picture as small as the page needs it, the caption, and the numbers behind it."""

import base64
import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from PIL import Image

from paper_figures import curves
from paper_figures.entry import Drawn, FigureEntry
from paper_figures.report.templating import part

_ROWS_SHOWN = 60
# Pixels; the narrower ones only where the wider ones together are too many.
COMPACT_WIDTHS = (1300, 1000, 760, 600, 480)
EMBEDDED_CSV = 60_000  # bytes; a larger file is linked where it lies
SVG_LIMIT = 500_000  # bytes of a vector graphic that browsers draw at once
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


def figure_block(
    d: Drawn, urls: Mapping[str, str], elsewhere: str = "", pages: Mapping[str, str] | None = None
) -> Markup:
    """`elsewhere` is the page that has the numbers when they are too many for this one; "" keeps them all here.
    `pages` are those of claims."""
    table = numbers(d.entry.csv, elsewhere and f"{elsewhere}#{d.index.id}") if d.entry else {}
    panels = curves.read(curves.path_of(d.entry.csv)) if d.entry else []
    return part("figure", d, urls.get(d.index.id, "data:,"), elsewhere, table, pages or {}, panels)


def numbers(path: Path, elsewhere: str = "") -> dict[str, Any]:
    """A figure's numbers for a page: the first rows, and a link to the file: embedded, or beside the page where it
    is large; only where they stand, if that is elsewhere."""
    length = path.stat().st_size
    if elsewhere and length > FRONT_CSV:
        return {"name": path.name, "elsewhere": elsewhere}
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    url = data_url(path, "text/csv") if length <= EMBEDDED_CSV else quote(f"{path.parent.name}/{path.name}")
    shown = [[_rounded(v) for v in row] for row in rows[:_ROWS_SHOWN]]
    return {"name": path.name, "elsewhere": "", "url": url, "head": head, "rows": shown, "count": len(rows)}


def csv_block(path: Path, elsewhere: str = "") -> Markup:
    """The figure's numbers as a table that opens on demand, with the CSV itself as a link;
    or a link to where they stand."""
    return part("numbers_block", numbers(path, elsewhere))


def _rounded(text: str) -> str:
    """A number of the CSV with five digits; any other text as it is."""
    try:
        return text if text.lstrip("-").isdigit() else f"{float(text):.5g}"
    except ValueError:
        return text


def data_url(path: Path, kind: str) -> str:
    """A file as a URL that holds its content."""
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"


def picture_beside(entry: FigureEntry) -> str:
    """Path of the figure's file from the folder of the report: the vector graphic, or pixels where it is large."""
    svg = entry.files.get("svg")
    chosen = svg if svg and (svg.stat().st_size <= SVG_LIMIT or "png" not in entry.files) else entry.files["png"]
    return quote(f"{chosen.parent.name}/{chosen.name}")

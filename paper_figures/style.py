# SPDX-License-Identifier: BSD-3-Clause
"""The look that all figures share: fonts, colours (Okabe–Ito, readable with any colour vision),
crosses for failed cells."""

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from deformbench_analysis import papers
from deformbench_analysis.json_files import read_object
from deformbench_analysis.output import aside
from deformbench_analysis.profiles import Profile
from deformbench_analysis.trace import Trace, attributed
from paper_figures import curves

INK = "#1c1c1c"
GREY = "#6e6e6e"
REFERENCE = "#000000"  # closed forms and independent programs: black, dashed
FAILED = "#b00020"

PARAMETERS: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "figure.dpi": 110,
    "savefig.dpi": 160,
    "savefig.bbox": "tight",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "svg.hashsalt": "deformbench",
    "figure.constrained_layout.use": True,
}


@dataclass(frozen=True)
class MethodStyle:
    """How a method is drawn in every figure."""

    label: str
    colour: str
    marker: str
    line: str = "-"

    def line_kwargs(self) -> dict[str, Any]:
        """Arguments for matplotlib's `plot`."""
        return {"color": self.colour, "marker": self.marker, "linestyle": self.line, "label": self.label}


METHODS: dict[str, MethodStyle] = {
    "linear": MethodStyle("linear FEM", "#D55E00", "s"),
    "linear_direct": MethodStyle("linear FEM, factorised", "#E69F00", "D", "--"),
    "warped": MethodStyle("warped FEM (element)", "#0072B2", "o"),
    "warped_global": MethodStyle("warped FEM, one global R", "#56B4E9", "v", "-."),
    "warped_qr": MethodStyle("warped FEM, QR rotation", "#009E73", "^", ":"),
    "warped_identity": MethodStyle("warped FEM, R = I", "#56B4E9", "+", ":"),
    "vertex_warped": MethodStyle("warped FEM (vertex)", "#CC79A7", "P"),
    "nonlinear": MethodStyle("nonlinear FEM", "#332288", "D"),
    "corotational": MethodStyle("corotational law", "#56B4E9", "s"),
    "st_venant_kirchhoff": MethodStyle("St. Venant–Kirchhoff", "#332288", "D"),
    "neo_hookean": MethodStyle("neo-Hookean", "#AA4499", "v", "--"),
    "quadratic": MethodStyle("stable neo-Hookean, 10-node tetrahedra", "#000000", "*", "-"),
    "stable_neo_hookean": MethodStyle("stable neo-Hookean", "#999933", "X", "-."),
    "implicit_midpoint": MethodStyle("nonlinear FEM, midpoint", "#AA4499", "v"),
    "bdf2": MethodStyle("nonlinear FEM, BDF2", "#CC6677", "<", "--"),
    "explicit": MethodStyle("nonlinear FEM, explicit", "#882255", ">"),
    "invertible": MethodStyle("invertible FEM, explicit", "#999933", "P", "-."),
    "invertible_implicit": MethodStyle("invertible FEM, implicit", "#661100", "P", ":"),
    "naive": MethodStyle("naive Eigen version", "#6e6e6e", "x", "--"),
    "reuse": MethodStyle("Eigen, pattern reused", "#9a6b3f", "+", "-."),
    "bullet": MethodStyle("Bullet, neo-Hookean", "#c51b7d", "*", "-."),
    "bullet_linear": MethodStyle("Bullet, corotated linear", "#de77ae", "*", ":"),
    "pbd": MethodStyle("PBD", "#7f3c8d", "o"),
    "pbd_as_printed": MethodStyle("PBD as printed", "#c2410c", "s", "--"),
    "xpbd": MethodStyle("XPBD", "#11846a", "^"),
    "naive_pbd": MethodStyle("PBD, plain loop", "#6e6e6e", "x", "--"),
    "bullet_cloth": MethodStyle("Bullet, soft body", "#c51b7d", "*", "-."),
    "descent": MethodStyle("vertex block descent", "#7f3c8d", "h", "--"),
    "descent_100": MethodStyle("vertex block descent", "#7f3c8d", "h"),
    "projective": MethodStyle("projective dynamics", "#3969ac", "X"),
    "force_cloth": MethodStyle("cloth by forces", "#DDAA33", "D"),
    "meshless": MethodStyle("meshless nodes", "#DDAA33", "p"),
    "naive_meshless": MethodStyle("meshless nodes, plain loop", "#6e6e6e", "x", "--"),
}
PHASES: dict[str, tuple[str, str]] = {  # label, colour: light enough to print text on
    "rotation": ("rotations", "#88CCEE"),
    "assembly": ("assembly", "#44AA99"),
    "solve": ("solve (CG)", "#DDCC77"),
    "other": ("other", "#d0d0d0"),
    "predict": ("prediction", "#d0d0d0"),
    "detect": ("detection of contacts", "#88CCEE"),
    "sweep": ("constraints of the mesh", "#DDCC77"),
    "contacts": ("constraints of contacts", "#44AA99"),
    "update": ("velocities", "#c9b3dd"),
    "program": ("the program's step", "#DDCC77"),
    "protocol": ("protocol", "#88CCEE"),
}
# Recommended settings.
_CLAIMED = "#0072B2 #D55E00 #117733 #AA4499 #999933 #332288 #9a6b3f".split()
_MARKERS = "osDv^P"
# Rows unknown to METHODS; neither black, as references are, nor too pale for white paper.
_ROW_COLOURS = "#4477AA #EE6677 #228833 #AA3377 #CC9900 #7f3c8d".split()
_ROW_COLOURS += "#EE7733 #009988 #855C75 #33BBEE #80ba5a #994F00".split()
_ROW_MARKERS = "hsD^v<>pPX*d"


def style_key(trace: Trace) -> str:
    """The key into METHODS for a cell, from what it ran (not from its label)."""
    return _key(trace.method_id, trace.value("method.parameters", {}))


def _key(method: str, parameters: Mapping[str, Any]) -> str:
    if method == "linear_fem":
        return "linear_direct" if parameters.get("solver") == "direct" else "linear"
    if method == "warped_fem":
        rotation = parameters.get("rotation", "polar")
        return "warped" if rotation == "polar" else f"warped_{rotation}"
    if method == "bullet_fem":
        return "bullet_linear" if parameters.get("law") == "linear_elasticity" else "bullet"
    keys = {
        "vertex_warped_fem": "vertex_warped",
        "naive_eigen": "naive",
        "reuse_eigen": "reuse",
        "vertex_block_descent": "descent",
        "projective_dynamics": "projective",
    }
    return keys.get(method, method)


def row_looks(labels: Iterable[str]) -> dict[str, MethodStyle]:
    """A look for each label, distinct for up to 144 labels. The colour is a hash of the label, or the next free one
    if another of them has it."""
    looks: dict[str, MethodStyle] = {}
    uses: Counter[int] = Counter()
    for label in sorted(set(labels)):
        first = zlib.crc32(label.encode("utf-8", "replace")) % len(_ROW_COLOURS)
        places = [(first + i) % len(_ROW_COLOURS) for i in range(len(_ROW_COLOURS))]
        place = min(places, key=lambda p: uses[p])
        marker = _ROW_MARKERS[(place + uses[place]) % len(_ROW_MARKERS)]
        looks[label] = MethodStyle(label, _ROW_COLOURS[place], marker)
        uses[place] += 1
    return looks


def _declared_rows(trace: Trace) -> Sequence[tuple[str, str]]:
    """Label and key of every row in the declarations of the trace's paper."""
    paper = papers.find(trace.experiment.split("/")[0])
    if paper is None:
        return ()
    return _rows_in(tuple((path, path.stat().st_mtime_ns) for path in sorted(paper.declarations.glob("*.json"))))


@lru_cache
def _rows_in(files: tuple[tuple[Path, int], ...]) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    for path, _ in files:
        declared = read_object(path)
        for part in (declared, *declared.get("tiers", {}).values()):
            for row in part.get("methods", []):
                method = str(row.get("method", ""))
                found[str(row.get("name", method)), _key(method, row.get("parameters", {}))] = None
    return tuple(found)


def method_style(trace_or_key: Trace | str, label: str | None = None) -> MethodStyle:
    """Colour and marker of a method, the same in every figure. Rows unknown to METHODS, and further rows of a known
    method, have one look per row label, the same in all figures of the paper. Recommended settings have looks by
    who recommends them, so that two rows of one method differ."""
    if isinstance(trace_or_key, str):
        found, who = METHODS.get(trace_or_key) or row_looks([trace_or_key])[trace_or_key], ""
    else:
        found, who = _row_style(trace_or_key), trace_or_key.claimed_by
    if who:
        place = sum(who.encode())
        found = MethodStyle(found.label, _CLAIMED[place % len(_CLAIMED)], _MARKERS[place % len(_MARKERS)], found.line)
    shown = attributed(found.label if label is None else label, who)
    return MethodStyle(shown, found.colour, found.marker, found.line)


def _row_style(trace: Trace) -> MethodStyle:
    name, key = trace.method_name, style_key(trace)
    rows = _declared_rows(trace)
    known = METHODS.get(key)
    if known is not None:
        first = next((row for row, other in rows if other == key), "")
        if trace.claimed_by or name in (key, trace.method_id, first):
            return known
    elif name in METHODS:
        return METHODS[name]
    return row_looks([name, *(row for row, _ in rows)])[name]


def new_figure(
    rows: int = 1, columns: int = 1, width: float | None = None, height: float | None = None
) -> tuple[Figure, Any]:
    """A figure in the common style, width and height in inches. Rows come first, as in matplotlib's `subplots`, whose
    axes it returns: one, or a numpy array."""
    plt.rcParams.update(PARAMETERS)
    size = (width or (5.2 if columns == 1 else 4.9 * columns), height or 3.7 * rows)
    figure, axes = plt.subplots(rows, columns, figsize=size)
    return figure, axes


def labels(axes: Axes, x: str, y: str, log: str = "", **more: Any) -> None:
    """Labels, and for the letters in `log` logarithmic scales of axes; `more` as matplotlib's `set`."""
    axes.set(**{f"{letter}scale": "log" for letter in log}, xlabel=x, ylabel=y, **more)


def panel(axes: Axes, title: str, x: str, y: str, log: str = "", **more: Any) -> None:
    """As `labels`, with a title."""
    labels(axes, x, y, log, **more)
    axes.set_title(title)


def ticks(axis: Axis, values: Iterable[float], form: str = "g") -> None:
    """Ticks of an axis (`axes.xaxis`) at these values alone, written out."""
    values = list(values)
    axis.set_ticks(values, [format(value, form) for value in values])
    axis.set_ticks([], minor=True)


def reference(axes: Axes, x: Any, y: Any, line: Any = "--", width: float = 1.0, **more: Any) -> None:
    """A closed form, or what an independent program gives."""
    axes.plot(x, y, color=REFERENCE, linestyle=line, linewidth=width, **more)


def profile(axes: Axes, found: Profile, look: MethodStyle) -> None:
    """A share of cells and its band, as steps, between 0 and 1."""
    axes.step(found.at, found.share, where="post", color=look.colour, linestyle=look.line, label=look.label)
    axes.fill_between(found.at, found.low, found.high, step="post", color=look.colour, alpha=0.15, linewidth=0)
    axes.set_ylim(0, 1.02)


def marks(axes: Axes, x: Any, y: Any, marker: str, colour: Any, **more: Any) -> None:
    """Markers without lines."""
    axes.plot(x, y, color=colour, marker=marker, linestyle="none", **more)


def key(label: str, colour: str, **more: Any) -> Line2D:
    """A legend entry for no drawn artist."""
    return Line2D([], [], color=colour, label=label, **more)


ALIGNED = {"l": "left", "c": "center", "r": "right", "t": "top", "b": "bottom"}


def note(axes: Axes, text: str, at: Any, offset: tuple[float, float], align: str = "", **more: Any) -> None:
    """Text `offset` points from a place; `align` says by letters which point of the text is there: horizontally
    (l, c, r), vertically (t, c, b; else its baseline); `more` as matplotlib's `annotate`."""
    sides = {key: ALIGNED[letter] for key, letter in zip(("ha", "va"), align)}
    axes.annotate(text, at, xytext=offset, textcoords="offset points", **sides, **more)


def arrow(axes: Axes, start: Any, end: Any, colour: str, width: float = 1.2, head: str = "-|>") -> None:
    """An arrow between two places of the data."""
    about = {"arrowstyle": head, "color": colour, "linewidth": width, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", end, start, arrowprops=about)


def say(axes: Axes, text: str, colour: str = GREY, **more: Any) -> None:
    """Text in the middle of empty axes."""
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", color=colour, **more)


def draw_failed(
    axes: Axes, cells: Iterable[Trace], x: Iterable[float], y: float | Iterable[float] | None = None
) -> list[str]:
    """Crosses where cells ended badly (at the top of the axes unless y is given), and the lines for the caption."""
    notes: list[str] = []
    cells, xs = list(cells), list(x)
    heights: list[float | None] = [None] * len(cells)
    if y is not None:
        heights = [float(y)] * len(cells) if isinstance(y, (int, float)) else list(y)
    for cell, position, height in zip(cells, xs, heights):
        transform = axes.get_xaxis_transform() if height is None else axes.transData
        place = 0.96 if height is None else height
        axes.plot([position], [place], marker="X", color=FAILED, ms=7, transform=transform, clip_on=False, ls="none")
        said = f"{method_style(cell).label}: {cell.status}"
        note(axes, said, (position, place), (-7, 0), "rc", xycoords=transform, fontsize=7, color=FAILED)
        notes.append(f"{cell.label}: {cell.status}" + (f" ({cell.status_reason})" if cell.status_reason else ""))
    return notes


def raised(exponent: int) -> str:
    """An exponent in raised digits."""
    return str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def power(value: float) -> str:
    """A power of ten as 10⁵, another number as it is."""
    exponent = np.log10(value) if value > 0 else np.nan
    if not np.isclose(exponent, np.round(exponent)):
        return f"{value:g}"
    return "10" + raised(int(np.round(exponent)))


FORMATS = ("svg", "pdf", "png")


def save(figure: Figure, stem: Path) -> dict[str, Path]:
    """One file per format, and the values of the curves; without dates, so that equal numbers give equal bytes."""
    files = {suffix: stem.with_name(f"{stem.name}.{suffix}") for suffix in FORMATS}
    about = {
        "svg": {"Date": None, "Creator": "deformbench"},
        "pdf": {"CreationDate": None, "Creator": "deformbench"},
        "png": None,
    }
    # Laid out once, for all formats: `savefig` with bbox "tight" would do it twice for each.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    tight = figure.get_tightbbox().padded(plt.rcParams["savefig.pad_inches"])
    for suffix, path in files.items():
        with aside(path) as fresh:
            figure.savefig(fresh, metadata=about[suffix], bbox_inches=tight)
    curves.save(figure, curves.path_of(stem))
    plt.close(figure)
    return files

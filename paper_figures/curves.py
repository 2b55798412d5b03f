# SPDX-License-Identifier: BSD-3-Clause
"""The curves of a figure with their values, stored beside its pictures; the pages draw them as interactive SVG."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from deformbench_analysis.arrays import Array
from deformbench_analysis.output import write_text

MOST_POINTS, MOST_CURVES, MOST_PANELS = 120, 24, 6
LEFT, RIGHT, TOP, BOTTOM = 62.0, 470.0, 10.0, 250.0  # of the axes in the view box 480 × 300 of parts.html
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_DASHES = {"--": "6 4", "-.": "8 3 2 3", ":": "2 3"}


def path_of(csv: Path) -> Path:
    """File of a figure's curves, from its CSV file or its stem."""
    return csv.with_name(f"{csv.stem}.curves.json")


def save(figure: Figure, path: Path) -> None:
    """Writes the curves of a drawn figure; removes the file if there are none."""
    panels = [p for axes in figure.axes if (p := _panel(axes, _labels(figure)))]
    if panels:
        write_text(path, json.dumps(panels[:MOST_PANELS], ensure_ascii=False))
    else:
        path.unlink(missing_ok=True)


def read(path: Path) -> list[dict[str, Any]]:
    """The panels of a figure; empty if it has no curves."""
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return found


def _look(line: Line2D) -> tuple[str, str, str]:
    return to_hex(line.get_color()), str(line.get_marker()), str(line.get_linestyle())


def _labels(figure: Figure) -> dict[Any, str]:
    """Line → its label, and look → label, for lines that another panel names."""
    found: dict[Any, str] = {}
    for axes in figure.axes:
        named = [(c.lines[0], c.get_label()) for c in axes.containers if isinstance(c, ErrorbarContainer)]
        for line, label in [*named, *((line, line.get_label()) for line in axes.lines)]:
            if line is not None and label and not str(label).startswith("_"):
                found[line] = str(label)
                found.setdefault(_look(line), str(label))
    return found


def _panel(axes: Axes, labels: dict[Any, str]) -> dict[str, Any] | None:
    if axes.name != "rectilinear" or not axes.axison or axes.get_aspect() != "auto":
        return None  # a drawing of bodies
    lines = [line for line in axes.lines if line.get_transform() is axes.transData and line.get_visible()]
    curves = [c for line in lines if (c := _curve(axes, line, labels.get(line) or labels.get(_look(line)) or ""))]
    if not 0 < len(curves) <= MOST_CURVES or sum(len(c["values"]) for c in curves) < 3:
        return None
    ticks = []
    for k, axis in enumerate((axes.xaxis, axes.yaxis)):
        locations = [*axis.get_majorticklocs(), *axis.get_minorticklocs()]
        at = np.full((len(locations), 2), (axes.get_ylim(), axes.get_xlim())[k][0])
        at[:, k] = locations
        texts = [plain(text.get_text()) for text in axis.get_ticklabels(which="both")]
        ticks.append(
            [(round(float(p[k]), 1), t) for p, t in zip(_placed(axes, at), texts) if _is_inside(p[None])[0] and t]
        )
    title = " ".join(filter(None, (axes.get_title(loc=loc) for loc in ("left", "center"))))
    names = {"title": plain(title), "x": plain(axes.get_xlabel()), "y": plain(axes.get_ylabel())}
    return {**names, "ticks": ticks, "curves": curves}


def _curve(axes: Axes, line: Line2D, label: str) -> dict[str, Any] | None:
    values = np.column_stack([line.get_xdata(orig=False), line.get_ydata(orig=False)]).astype(float)
    placed = _placed(axes, values)
    inside = _is_inside(placed)
    if not label or not inside.any():
        return None
    values, placed = values[inside], placed[inside]
    kept = np.unique(np.linspace(0, len(values) - 1, min(len(values), MOST_POINTS)).round().astype(int))
    style = str(line.get_linestyle())
    return {
        "label": plain(label),
        "colour": to_hex(line.get_color()),
        "is_line": style not in ("None", "none", "", " "),
        "has_marks": line.get_marker() not in ("None", "none", "", " ", None),
        "dashes": _DASHES.get(style, ""),
        "points": [(round(float(x), 1), round(float(y), 1)) for x, y in placed[kept]],
        "values": [(f"{x:.4g}", f"{y:.4g}") for x, y in values[kept]],
    }


def _placed(axes: Axes, values: Array) -> Array:
    """Values in the coordinates of the view box."""
    with np.errstate(all="ignore"):
        within = (axes.transData + axes.transAxes.inverted()).transform(values)
    return np.asarray(np.array([LEFT, BOTTOM]) + within * [RIGHT - LEFT, TOP - BOTTOM])


def _is_inside(points: Array) -> Array:
    low, high = np.array([LEFT, TOP]) - 0.5, np.array([RIGHT, BOTTOM]) + 0.5
    return np.asarray((np.isfinite(points) & (points >= low) & (points <= high)).all(axis=1))


def plain(text: str) -> str:
    """A label without matplotlib's markup: powers are raised digits."""
    bare = re.sub(r"\^\{?(-?\d+)\}?", lambda found: found[1].translate(_RAISED), text.replace("−", "-"))
    bare = re.sub(r"\\(mathdefault|mathrm|times)", lambda found: "·" if found[1] == "times" else "", bare)
    return " ".join(re.sub(r"[${}\\]", "", bare).split())

# SPDX-License-Identifier: BSD-3-Clause
"""Curves on pages: what stands there is what was drawn, and what a pointer, a key and the legend do."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_pages import SCRIPT, TOO_WIDE, Page, in_browser, needs_browser

from paper_figures import curves, style
from paper_figures.report.templating import part, render


def drawn(folder: Path) -> list[dict[str, Any]]:
    """Two panels of curves, one of which names none; and a drawing, which is none."""
    figure, (left, right, body) = style.new_figure(1, 3)
    left.loglog([1, 10, 100], [1e-3, 1e-2, 1e-1], "--", color="#0072B2", label="warped")
    left.errorbar([1, 100], [1e-1, 1e-3], yerr=[0.01, 1e-4], fmt="s", color="k", label="linear $10^{-2}$")
    left.axhline(0.02, label="a bound")
    left.set(xlabel="tetrahedra", ylabel="time [ms]", title="(a)", xlim=(1, 200))
    right.plot(np.arange(1000), np.arange(1000) ** 2, "--", color="#0072B2")
    right.plot([0, 500, 2000], [5, np.nan, 5], color="#123456")
    right.set_xlim(0, 999)
    body.plot([0, 1, 1, 0], [0, 0, 1, 0], label="a triangle")
    body.set_aspect("equal")
    style.save(figure, folder / "fig_1")
    return curves.read(curves.path_of(folder / "fig_1.csv"))


@pytest.fixture(autouse=True)
def _one_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "FORMATS", ("svg",))


def test_curves_have_the_values_that_were_drawn_at_their_places(tmp_path: Path) -> None:
    left, right = drawn(tmp_path)
    assert (left["title"], left["x"], left["y"]) == ("(a)", "tetrahedra", "time [ms]")
    one, two = left["curves"]
    assert (one["label"], one["colour"], one["is_line"], one["has_marks"]) == ("warped", "#0072b2", True, False)
    assert one["values"] == [["1", "0.001"], ["10", "0.01"], ["100", "0.1"]]
    (x0, y0), (x1, y1), (x2, y2) = one["points"]
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2) and y0 - y1 == pytest.approx(y1 - y2, abs=0.2)  # logarithmic
    assert x0 == curves.LEFT and y0 > y2
    assert (two["label"], two["is_line"], two["has_marks"]) == ("linear 10⁻²", False, True)
    ticks = dict(map(reversed, left["ticks"][0]))  # type: ignore[arg-type]
    assert ticks["10⁰"] == x0 and ticks["10¹"] == pytest.approx(x1, abs=0.1) and "10³" not in ticks
    (third,) = right["curves"]
    assert third["label"] == "warped" and len(third["points"]) == curves.MOST_POINTS
    assert third["values"][-1] == ["999", "9.98e+05"]


def test_a_figure_that_has_no_curves_any_more_has_no_file(tmp_path: Path) -> None:
    assert drawn(tmp_path)
    figure, axes = style.new_figure()
    axes.set_axis_off()
    style.save(figure, tmp_path / "fig_1")
    assert curves.read(curves.path_of(tmp_path / "fig_1.csv")) == []


def page_of(folder: Path) -> Path:
    class Index:
        id, number, title, claims, experiments, paper = "f", "Figure 1", "F", (), (), "p"

    class Entry:
        title, caption, failed, tables = "F", "A caption.", (), ()

    class Shown:
        index, entry = Index, Entry

    numbers = {"name": "f.csv", "elsewhere": "", "url": "f.csv", "head": ["a"], "rows": [], "count": 0}
    block = part("figure", Shown, "data:,", "", numbers, {}, drawn(folder))
    path = folder / "page.html"
    about = {"card": None}
    text = str(render("base.html")).replace("</main>", f"{block}</main>")
    path.write_text(text, encoding="utf-8")
    return path


def test_without_scripts_the_curves_and_their_legend_are_there(tmp_path: Path) -> None:
    page = Page(page_of(tmp_path).read_text(encoding="utf-8"))
    assert len(page.all("svg")) == 2 and all(about["aria-label"] for about in page.all("svg"))
    assert len(page.all("polyline")) == 3 and len(page.all("li")) == 3
    assert len(SCRIPT.splitlines()) <= 300 and "http" not in SCRIPT


POINTED = """(() => {
  document.querySelectorAll("details").forEach((d) => { d.open = true; });
  const chart = document.querySelector(".chart"), svg = chart.querySelector("svg"), said = () => chart.querySelector("output").textContent;
  const at = (x, y) => { const p = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); svg.dispatchEvent(new PointerEvent("pointermove", { clientX: p.x, clientY: p.y })); return said(); };
  const key = (name) => { svg.dispatchEvent(new KeyboardEvent("keydown", { key: name })); return said(); };
  const first = chart.querySelector("polyline").points[1], found = { near: at(first.x + 3, first.y - 2) };
  found.right = key("ArrowRight"); found.end = key("ArrowRight"); found.down = key("ArrowDown");
  const button = chart.querySelector("li button");
  button.click();
  found.hidden = [getComputedStyle(chart.querySelector("g")).display, button.ariaPressed, at(first.x, first.y)];
  button.click();
  return { ...found, again: at(first.x, first.y), pressed: button.ariaPressed };
})()"""


@needs_browser
def test_a_pointer_gets_values_and_the_legend_hides_a_curve(tmp_path: Path) -> None:
    (found,) = in_browser(tmp_path, {page_of(tmp_path): POINTED}, 1280).values()
    assert found["near"] == found["again"] == "warped: 0.01 at 10"
    assert found["right"] == found["end"] == "warped: 0.1 at 100" and found["down"] == "linear 10⁻²: 0.001 at 100"
    display, pressed, said = found["hidden"]
    assert (display, pressed, found["pressed"]) == ("none", "false", "true") and said.startswith("linear 10⁻²")


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_curves_are_no_wider_than_the_window(tmp_path: Path, width: int) -> None:
    ((shown, whole, wide),) = in_browser(tmp_path, {page_of(tmp_path): TOO_WIDE}, width).values()
    assert (shown, wide) == (width, []) and whole <= width

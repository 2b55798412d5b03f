# SPDX-License-Identifier: BSD-3-Clause
"""The gallery: which picture stands for an experiment, where it leads, and what has none."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up_paper import declaration
from made_up_traces import list_cells, write_trace
from PIL import Image
from test_pages import Page

from deformbench_analysis import view
from deformbench_analysis.measurement import Measurer
from deformbench_analysis.results import Results
from deformbench_analysis.verdicts import Judgement
from paper_figures.entry import Drawn, FigureEntry, IndexEntry
from paper_figures.report import gallery, scenes
from paper_figures.report.content import Content
from paper_figures.report.templating import part

TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
FIRST, SECOND, MOVED, PLAIN = (f"made_up/{name}" for name in ("first", "second", "moved", "plain"))


def figure(folder: Path, name: str, experiments: list[str], size: tuple[int, int] = (800, 600)) -> Drawn:
    Image.new("RGB", size, "red").save(folder / f"{name}.png")
    entry = FigureEntry(name, "", {"png": folder / f"{name}.png"}, folder / f"{name}.csv")
    return Drawn(IndexEntry(name, "made_up", name.title(), "", experiments, []), entry)


def moving(points: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
    return {"arrays": {"rest_positions": points, "tetrahedra": np.array([[0, 1, 2, 3]])},
            "series": {"frame": {"positions": np.stack([points, points + 1.0])}}}  # fmt: skip


@pytest.fixture(name="content")
def made_up(tmp_path: Path) -> Content:
    """Four experiments: with figures of their own, with a figure that another opens, with frames, with neither."""
    for name in (FIRST, SECOND, MOVED, PLAIN):
        about = moving(TETRAHEDRON) if name == MOVED else {"series": {"step": {"volume": np.ones(2)}}}
        write_trace(tmp_path / "results", f"{name} linear_fem linear", **about)
        list_cells(tmp_path / "results", name, declaration(*name.split("/")))
    results = Results(tmp_path / "results", "paper")
    drawn = [
        figure(tmp_path, "beside", [PLAIN, FIRST], (100, 100)),
        figure(tmp_path, "own", [FIRST, SECOND], (2500, 900)),
    ]
    drawn[0] = Drawn(drawn[0].index, None, "not drawn")
    return Content(results, "paper", Judgement("paper", [], []), drawn, Measurer(results, "paper"))


def test_every_experiment_has_its_picture_or_is_a_line(content: Content, tmp_path: Path) -> None:
    text = gallery.page(content, tmp_path / "out")
    page = Page(text)
    cards = {about["id"]: about for about in page.all("figure")}
    assert set(cards) == {FIRST, SECOND, MOVED} and [a["id"] for a in page.all("li")] == [PLAIN]
    assert "1 without a picture" in text and "The 4 experiments" in text
    pictures = {about["alt"]: about for about in page.all("img")}
    for name, width in ((FIRST, 960), (SECOND, 960), (MOVED, 480)):
        about = pictures[name]
        assert about["loading"] == "lazy" and about["src"] == f"gallery/{name}.webp" and about["width"] == str(width)
        assert (tmp_path / "out" / about["src"]).stat().st_size < 40_000
    targets = [about["href"] for about in page.all("a") if about["href"].startswith("made_up")]
    assert targets == ["made_up.html#own"] * 2 + ["made_up.html#status"] * 2 + ["made_up.html#own"] * 2 + [
        "made_up.html#status"
    ]


# === Scenes that play


def test_what_moves_has_a_page_that_plays_it_made_once(content: Content, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert scenes.write(content, out) == {MOVED: f"scenes/{MOVED}.html"}
    page = out / "scenes" / f"{MOVED}.html"
    text, made = page.read_text(encoding="utf-8"), page.stat().st_mtime_ns
    assert view.write([content.results.experiment(MOVED).cells[0].path], tmp_path / "as_view.html")
    assert text == (tmp_path / "as_view.html").read_text(encoding="utf-8")
    assert text.count("data:image/png") == 2  # for browsers that draw none
    content.scenes = scenes.write(content, out)
    assert page.stat().st_mtime_ns == made
    assert Page(gallery.page(content, out)).all("a").count({"href": f"scenes/{MOVED}.html"}) == 1
    other = dataclasses.replace(content, only=frozenset([PLAIN]))
    assert scenes.write(other, out) == {} and not page.exists()


def test_two_rows_on_one_scene_are_side_by_side_within_the_bytes_of_one(tmp_path: Path) -> None:
    rows: list[tuple[str, dict[str, Any]]] = [
        ("elsewhere", {"scene": {"a": 2}}), ("one", {}), ("two", {}), ("ended", {"status": "diverged"}),
    ]  # fmt: skip
    for name, more in rows:
        write_trace(tmp_path, f"{MOVED} linear_fem {name}", **moving(TETRAHEDRON), **more)
    data = Results(tmp_path, "paper").with_joined(MOVED)
    data.cells.sort(key=lambda cell: [name for name, _ in rows].index(cell.method_name))
    assert [cell.method_name for cell in scenes.cells_to_play(data)] == ["one", "two"]


def test_a_body_that_stays_has_no_page(tmp_path: Path, content: Content) -> None:
    still = {"arrays": {"rest_positions": TETRAHEDRON, "tetrahedra": np.array([[0, 1, 2, 3]])}}
    trace = content.results.experiment(MOVED).cells[0].path
    trace.unlink()
    series = {"frame": {"positions": TETRAHEDRON[None]}}
    write_trace(tmp_path / "results", f"{MOVED} linear_fem linear", **still, series=series)
    content.results = Results(tmp_path / "results", "paper")
    assert scenes.write(content, tmp_path / "out") == {} and not list((tmp_path / "out").rglob("*.html"))


def test_a_claim_has_its_experiments_in_motion_loaded_as_they_are_opened() -> None:
    page = Page(part("scene", MOVED, f"scenes/{MOVED}.html", root="../../"))
    (frame,) = page.all("iframe")
    assert frame["loading"] == "lazy" and frame["src"] == f"../../scenes/{MOVED}.html" and frame["title"]
    assert page.inside[page.elements.index(("iframe", frame))] == ["details"]


def test_a_figure_that_an_experiment_opens_goes_before_one_that_shows_it_too(tmp_path: Path) -> None:
    drawn = [
        figure(tmp_path, "a", [SECOND, FIRST]),
        figure(tmp_path, "b", [FIRST, SECOND]),
        figure(tmp_path, "c", [FIRST]),
    ]
    for name, expected in ((FIRST, (0, "c")), (SECOND, (0, "a"))):
        found = gallery.figure_of(name, drawn)
        assert found and (found[0], found[1].index.id) == expected
    assert gallery.figure_of(MOVED, drawn) is None


def test_a_picture_is_made_again_where_what_it_shows_is_another(tmp_path: Path) -> None:
    source, target = tmp_path / "a.png", tmp_path / "a.webp"
    Image.new("RGB", (900, 600), "red").save(source)
    assert gallery._small(source, target) == 480
    made = target.stat().st_ino
    assert gallery._small(source, target) == 480 and target.stat().st_ino == made
    Image.new("RGB", (2000, 600), "blue").save(source)
    assert gallery._small(source, target) == 960
    with Image.open(target) as image:
        assert image.size == (960, 288) and image.convert("RGB").getpixel((5, 5))[2] > 200


@pytest.mark.parametrize(
    ("points", "is_seen"),
    [(TETRAHEDRON, True), (TETRAHEDRON * [1, 1e-4, 1e-4], False), (TETRAHEDRON * np.nan, False)],
    ids=["a body", "a needle", "not a number"],
)
def test_only_what_can_be_seen_is_rendered(tmp_path: Path, points: np.ndarray, is_seen: bool) -> None:
    write_trace(tmp_path, f"{MOVED} linear_fem linear", **moving(points))
    frame = gallery.frame_of(Results(tmp_path, "paper").with_joined(MOVED).cells)
    assert (frame is not None) == is_seen
    if frame is not None:
        assert frame.positions == pytest.approx(points + 1.0)  # the last frame

# SPDX-License-Identifier: BSD-3-Clause
"""The look that figures share: a colour and a marker per row, the same in every figure, and the grid of axes."""

import json
from pathlib import Path

import numpy as np
import pytest
from made_up_traces import write_trace

from deformbench_analysis import papers
from deformbench_analysis.results import Results
from deformbench_analysis.trace import Trace
from paper_figures import style
from paper_figures.figure import Drawing, titled

LAWS = ("st_venant", "neo", "corotated")


def row(folder: Path, name: str, method: str = "my_fem", experiment: str = "mine/bars") -> Trace:
    return Trace(write_trace(folder, f"{experiment} {method} {name}"))


@pytest.fixture(name="mine")
def declared_paper(tmp_path: Path) -> Path:
    """A paper outside the tree, of two experiments whose rows are of one method, and of two rows of a method that we
    know."""
    folder = tmp_path / "mine"
    (folder / "declarations").mkdir(parents=True)
    (folder / "paper.json").write_text('{"paper": "mine"}')
    for name, methods in {
        "bars": [{"name": law, "method": "my_fem"} for law in LAWS],
        "balls": [{"name": law, "method": "my_fem"} for law in ("another", *LAWS[:2])]
        + [{"name": f"sweeps_{n}", "method": "xpbd"} for n in (5, 20)],
    }.items():
        (folder / "declarations" / f"{name}.json").write_text(
            json.dumps({"id": f"mine/{name}", "methods": methods, "tiers": {}})
        )
    return folder


def test_rows_of_one_method_are_drawn_apart_and_alike_in_all_figures(tmp_path: Path, mine: Path) -> None:
    with papers.also([mine]):
        looks = [style.method_style(row(tmp_path, law)) for law in LAWS]
        assert [look.label for look in looks] == list(LAWS)
        assert len({look.colour for look in looks}) == len({look.marker for look in looks}) == 3
        elsewhere = [style.method_style(row(tmp_path, law, experiment="mine/balls")) for law in LAWS]
        assert elsewhere == looks
        sweeps = [style.method_style(row(tmp_path, f"sweeps_{n}", "xpbd", "mine/balls")) for n in (5, 20)]
        assert sweeps[0] == style.METHODS["xpbd"] and sweeps[1].colour != sweeps[0].colour


def test_a_row_that_nobody_declares_is_drawn_too_and_one_with_the_name_of_its_method_as_always(tmp_path: Path) -> None:
    assert style.method_style(row(tmp_path, "warped", "warped_fem", "x/y")) == style.METHODS["warped"]
    assert style.method_style(row(tmp_path, "my_fem", experiment="x/y")).label == "my_fem"


def test_looks_stay_apart_and_none_is_that_of_a_reference_or_of_a_failure() -> None:
    names = [f"row {i}" for i in range(144)]
    looks = style.row_looks(names)
    assert len({(look.colour, look.marker) for look in looks.values()}) == 144
    assert len({look.colour for look in style.row_looks(names[:12]).values()}) == 12
    assert not {look.colour for look in looks.values()} & {style.REFERENCE, style.FAILED, style.INK}
    assert all(look == style.row_looks(reversed(names))[name] for name, look in looks.items())


def test_a_new_figure_has_rows_first_as_matplotlib_has() -> None:
    assert style.new_figure(2, 3)[1].shape == style.new_figure(rows=2, columns=3)[1].shape == (2, 3)
    assert np.shape(style.new_figure(1, 2)[1]) == (2,) and np.shape(style.new_figure()[1]) == ()


def test_notes_stand_as_their_letters_say_and_panels_have_their_scales() -> None:
    figure, axes = style.new_figure()
    style.panel(axes, "(a) error", "Δt [s]", "error [1]", log="xy", xlim=(1, 10))
    style.ticks(axes.xaxis, (1, 2.5, 10))
    style.note(axes, "here", (2, 3), (4, 5), "rt")
    style.note(axes, "there", (2, 3), (4, 5), "c")
    places = [(t.get_horizontalalignment(), t.get_verticalalignment()) for t in axes.texts]
    assert places == [("right", "top"), ("center", "baseline")] and axes.texts[0].xyann == (4, 5)
    assert (axes.get_xscale(), axes.get_yscale(), axes.get_xlabel()) == ("log", "log", "Δt [s]")
    assert [t.get_text() for t in axes.get_xticklabels()] == ["1", "2.5", "10"]
    assert len(axes.get_xticks(minor=True)) == 0 and axes.get_title(loc="left") == "(a) error"


def test_a_figure_names_what_ended_badly_and_the_machine_of_what_it_shows(tmp_path: Path) -> None:
    write_trace(tmp_path, "mine/bars my_fem good")
    write_trace(tmp_path, "mine/bars my_fem bad", status="diverged", reason="too far", cpu="Other CPU")

    @titled("Bars")
    def make(figure: Drawing) -> str:
        cells = figure.experiment("mine/bars").cells
        figure.axes().plot([0, 1])
        figure.table("row; status").add(cells[0].method_name, cells[0].status)
        return "Two bars. "

    entry = make(Results(tmp_path, "paper", {}), tmp_path)
    assert entry.title == "Bars" and entry.caption.startswith("Two bars. Machine: ")
    assert "Test CPU" in entry.caption and "Other CPU" in entry.caption
    assert len(entry.failed) == 1 and "diverged (too far)" in entry.failed[0]
    assert entry.csv == tmp_path / "test_style.csv" and entry.csv.read_text() == "row,status\nbad,diverged\n"
    assert all(path.exists() for path in entry.files.values())

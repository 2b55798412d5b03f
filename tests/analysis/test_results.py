# SPDX-License-Identifier: BSD-3-Clause
"""Which traces of a folder count as an experiment's cells at a tier."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from made_up_traces import list_cells, write_timing, write_trace

from deformbench_analysis.compare import comparison
from deformbench_analysis.declarations import Declaration
from deformbench_analysis.errors import InputError, MissingData
from deformbench_analysis.results import ExperimentData, Results, same, spec_key
from deformbench_analysis.trace import Trace
from paper_figures.style import METHODS, method_style

DECLARED: dict[str, Any] = {
    "id": "a/b",
    "scene": {"name": "bar", "parameters": {"length_m": 2}},
    "methods": [{"name": "linear", "method": "linear_fem", "parameters": {}}],
    "sweep": {"scene.parameters.angle_deg": [0, 90]},
    "schedule": {"steps": 2},
    "tiers": {"smoke": {"sweep": {"scene.parameters.angle_deg": [90]}}, "paper": {}},
}


def declared() -> dict[str, Declaration]:
    return {"a/b": Declaration(Path("a/b.json"), DECLARED)}


def linear(folder: Path, angle: float, **more: Any) -> Path:
    scene = {"length_m": 2.0, "width_m": 1}
    return write_trace(folder, "a/b linear_fem linear", scene=scene, swept={"angle_deg": angle}, **more)


def angles(data: ExperimentData) -> list[float]:
    return [c.value("scene.parameters.angle_deg") for c in data.cells]


def test_the_cells_are_those_of_the_list_whichever_tier_ran_them(tmp_path: Path) -> None:
    linear(tmp_path, 0)
    linear(tmp_path, 90, tier="smoke")
    list_cells(tmp_path, "a/b", DECLARED)
    linear(tmp_path, 90, fingerprint="of older sources")
    linear(tmp_path, 45)
    assert angles(Results(tmp_path, "paper", declared()).experiment("a/b")) == [0, 90]


def test_a_listed_cell_without_a_trace_is_missing(tmp_path: Path) -> None:
    linear(tmp_path, 0)
    gone = linear(tmp_path, 90)
    list_cells(tmp_path, "a/b", DECLARED)
    gone.unlink()
    data = Results(tmp_path, "paper", declared()).experiment("a/b")
    assert angles(data) == [0]
    assert data.missing == [("linear", {"scene.parameters.angle_deg": 90})]


def test_traces_that_no_list_names_are_left_out_with_the_reason(tmp_path: Path) -> None:
    linear(tmp_path, 0)
    list_cells(tmp_path, "a/b", DECLARED, "smoke")
    data = Results(tmp_path, "paper", declared()).experiment("a/b")
    assert data.cells == [] and data.why_empty == "no declared cell of a/b at tier paper: run at tier smoke only"
    (tmp_path / "a/b/smoke.cells.json").unlink()
    assert "no list names its 1 traces" in Results(tmp_path, "paper", declared()).experiment("a/b").reason
    assert Results(tmp_path, "paper", declared()).experiment("x/y").reason == ""


@pytest.mark.parametrize("key,counts", [("schedule", True), ("doc", False), ("paper", False)])
def test_a_list_of_an_earlier_wording_of_the_declaration_counts_for_nothing(
    tmp_path: Path, key: str, counts: bool
) -> None:
    linear(tmp_path, 0)
    list_cells(tmp_path, "a/b", {**DECLARED, key: "earlier"})
    data = Results(tmp_path, "paper", declared()).experiment("a/b")
    assert (data.cells == []) == counts
    assert ("the declaration has changed since it was run at tier paper" in data.why_empty) == counts


def test_the_newest_trace_of_a_spec_wins_where_no_declaration_is(tmp_path: Path) -> None:
    linear(tmp_path, 0, fingerprint="old", finished="2026-01-01T00:00:00Z")
    new = linear(tmp_path, 0, fingerprint="new", finished="2026-02-01T00:00:00Z", status="failed")
    assert [c.path for c in Results(tmp_path, "paper", {}).experiment("a/b").cells] == [new]


def test_an_empty_selection_is_missing_data_and_never_an_empty_answer(tmp_path: Path) -> None:
    linear(tmp_path, 0)
    list_cells(tmp_path, "a/b", DECLARED)
    with pytest.raises(MissingData, match="no cell with name=warped among 1"):
        Results(tmp_path, "paper", declared()).experiment("a/b").some(name="warped")


def test_the_list_decides_which_end_was_expected(tmp_path: Path) -> None:
    linear(tmp_path, 0)
    linear(tmp_path, 90)
    path = list_cells(tmp_path, "a/b", DECLARED)
    told = json.loads(path.read_text(encoding="utf-8"))
    for cell in told["cells"]:
        if cell["coordinates"]["scene.parameters.angle_deg"] == 90:
            cell["expect"] = {"status": "diverged", "because": "b"}
    path.write_text(json.dumps(told), encoding="utf-8")
    data = Results(tmp_path, "paper", declared()).experiment("a/b")
    assert [data.expected_status(c) for c in data.cells] == ["completed", "diverged"]
    assert [c.value("scene.parameters.angle_deg") for c in data.unexpected()] == [90]  # an unexpected success


@pytest.mark.parametrize(
    "what,change",
    [
        ("cell_id", lambda file, other: None),
        ("experiment", lambda file, other: file.attrs.update({"cell_id": other.stem, "experiment": "a/c"})),
        ("coordinates", lambda file, other: file.attrs.update({"cell_id": other.stem})),
    ],
)
@pytest.mark.parametrize("is_declared", [True, False])
def test_a_trace_counts_by_what_it_holds_and_not_by_its_name(
    tmp_path: Path, what: str, change: Callable[[h5py.File, Path], None], is_declared: bool
) -> None:
    one, other = linear(tmp_path, 0), linear(tmp_path, 90)
    list_cells(tmp_path, "a/b", DECLARED)
    other.write_bytes(one.read_bytes())
    with h5py.File(other, "r+") as file:
        change(file, other)
    if what == "coordinates" and not is_declared:
        return  # without a list nothing says what the cell should be
    with pytest.raises(InputError, match=f"{other.name}: is the trace of another cell: {what} .*, expected") as refused:
        Results(tmp_path, "paper", declared() if is_declared else {}).experiment("a/b")
    assert "\n" not in str(refused.value)


def test_a_timing_of_another_cell_is_refused(tmp_path: Path) -> None:
    timing = write_timing(linear(tmp_path, 0), np.ones((1, 2)))
    with h5py.File(timing, "r+") as file:
        file.attrs["cell_id"] = "0" * 32
    with pytest.raises(InputError, match="timing.h5: is the timing of cell 0000"):
        Trace(timing.with_name(timing.name.replace(".timing", ""))).timing


@pytest.mark.parametrize(
    "listed,build,is_stale",
    [
        ({}, {}, False),
        ({"method_fingerprint": "f0"}, {}, False),
        ({"method_fingerprint": "f1"}, {}, True),
        ({"harness_fingerprint": "h1"}, {}, True),
        ({"method_fingerprint": "f0"}, {"methods": [["linear_fem", "f1"]]}, True),
        ({"method_fingerprint": "f1"}, {"methods": [["linear_fem", "f0"]]}, False),
        ({}, {"harness": "h1"}, True),
    ],
)
def test_traces_of_other_sources_count_only_when_asked_for(
    tmp_path: Path, listed: dict[str, str], build: dict[str, Any], is_stale: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    linear(tmp_path, 0)
    write_timing(linear(tmp_path, 90), np.ones((1, 2)))
    path = list_cells(tmp_path, "a/b", DECLARED)
    told = json.loads(path.read_text(encoding="utf-8"))
    told["harness_fingerprint"] = listed.get("harness_fingerprint", "")
    for cell in told["cells"]:
        cell["method_fingerprint"] = listed.get("method_fingerprint", "")
    path.write_text(json.dumps(told), encoding="utf-8")
    monkeypatch.setenv("DEFORMBENCH_BUILD", json.dumps(build))
    data = Results(tmp_path, "paper", declared()).experiment("a/b")
    assert angles(data) == ([] if is_stale else [0, 90])
    assert ("2 of 2 traces are stale" in data.reason) == is_stale and len(data.missing) == 2 * is_stale
    taken = Results(tmp_path, "paper", declared(), stale=True).experiment("a/b")
    assert angles(taken) == [0, 90] and taken.stale == 2 * is_stale


def test_a_timing_of_other_sources_is_none(tmp_path: Path) -> None:
    trace = Trace(linear(tmp_path, 0))
    with h5py.File(write_timing(trace.path, np.ones((1, 2))), "r+") as file:
        file["provenance"].attrs["method_fingerprint"] = "f1"
    trace.wanted = {"method_fingerprint": "f0"}
    assert trace.timing is None
    again = Trace(trace.path)
    again.wanted = {"method_fingerprint": "f1"}
    assert again.timing is not None


def test_two_machines_in_one_folder_are_refused(tmp_path: Path) -> None:
    linear(tmp_path / "one", 0), linear(tmp_path / "two", 0)
    with pytest.raises(InputError, match="several machines"):
        Results(tmp_path, "paper", declared())


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: no such folder"):
        Results(tmp_path / "nowhere", "paper", declared())


def test_a_foreign_trace_without_declaration_is_judged_by_what_it_was_told(tmp_path: Path) -> None:
    write_trace(tmp_path, "x/y m", status="diverged", expect={"status": "diverged"})
    data = Results(tmp_path, "paper", {}).experiment("x/y")
    assert data.unexpected() == [] and len(data.failed()) == 1


def test_every_cell_is_asked_for_but_those_declared_to_end_early(tmp_path: Path) -> None:
    def cell(seed: int, status: str, declared: str = "completed") -> None:
        write_trace(tmp_path, "cross/any warped_fem", {"seed": seed}, status=status, expect={"status": declared})

    for seed, status, declared in (
        (1, "completed", "completed"),
        (2, "diverged", "diverged"),
        (3, "completed", "completed"),
    ):
        cell(seed, status, declared)
    assert {
        c.value("scene.parameters.seed") for c in Results(tmp_path, "paper", {}).experiment("cross/any").every()
    } == {1, 3}
    cell(4, "diverged")
    data = Results(tmp_path, "paper", {}).experiment("cross/any")
    with pytest.raises(MissingData, match="1 cells did not complete, such as warped_fem .seed=4.: diverged"):
        data.every()
    assert len(data.every(keep=lambda c: c.value("scene.parameters.seed") < 4)) == 2


def test_either_end_is_as_declared_of_a_cell_near_a_limit(tmp_path: Path) -> None:
    either = {"status": "completed_or_diverged", "because": "rounding decides"}
    traces = [
        Trace(linear(tmp_path, angle, status=status, expect=either))
        for angle, status in ((0, "completed"), (45, "diverged"), (90, "timeout"))
    ]
    data = ExperimentData("a/b", "paper", traces)
    assert [c.status for c in data.unexpected()] == ["timeout"]


def test_a_selection_of_completed_cells_notes_those_it_passes_over(tmp_path: Path) -> None:
    traces = [Trace(linear(tmp_path, angle, status=status)) for angle, status in ((0, "completed"), (90, "diverged"))]
    data = ExperimentData("a/b", "paper", traces)

    def passed_over(**criteria: Any) -> list[str]:
        data.left_out.clear()
        data.select(**criteria)
        return list(data.left_out.values())

    needs_more = passed_over(name="linear", keep=lambda c: c.status == "completed" or bool(c.series("step", "lost")))
    assert passed_over() == ["diverged"] == needs_more
    assert passed_over(status=None) == passed_over(status="diverged") == passed_over(name="warped") == []
    assert passed_over(keep=lambda c: bool(c.value("scene.parameters.angle_deg") == 0)) == []


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [(1, 1.0, True), (0.1, 0.1 * (1 + 1e-13), True), (0.1, 0.1001, False), (True, 1, False), ([1, 2], [1, 2.1], False)],
)
def test_two_values_of_a_sweep_that_are_close_are_two(left: Any, right: Any, alike: bool) -> None:
    assert same(left, right) == alike


def test_a_cell_with_another_number_of_steps_is_another_run() -> None:
    assert spec_key({"schedule": {"steps": 2}}) != spec_key({"schedule": {"steps": 3}})


def test_who_recommends_settings_is_what_the_list_says_and_changes_no_identity(tmp_path: Path) -> None:
    before = linear(tmp_path, 0)  # finished before anybody was named
    linear(tmp_path, 90)
    path = list_cells(tmp_path, "a/b", DECLARED)
    told = json.loads(path.read_text(encoding="utf-8"))
    assert linear(tmp_path, 0, claimed_by="Earlier et al.") == before  # the same cell, run by another declaration
    next(c for c in told["cells"] if c["cell_id"] == before.stem)["claimed_by"] = "Later et al."
    path.write_text(json.dumps(told), encoding="utf-8")
    assert Trace(before).label == "linear (angle_deg=0) (Earlier et al.)"
    data = Results(tmp_path, "paper", declared()).experiment("a/b")
    assert [c.label for c in data.cells] == ["linear (angle_deg=0) (Later et al.)", "linear (angle_deg=90)"]
    rows = comparison(data).rows
    assert [row[0] for row in rows] == ["linear (Later et al.)", "linear"]
    assert list(data.table()["claimed_by"].fillna("")) == ["Later et al.", ""]
    assert spec_key(Trace(before).spec) == spec_key({**Trace(before).spec, "method": plain(Trace(before))})
    before.unlink()
    assert Results(tmp_path, "paper", declared()).experiment("a/b").missing[0][0] == "linear (Later et al.)"


def plain(trace: Trace) -> dict[str, Any]:
    return {key: trace.spec["method"][key] for key in ("name", "id", "parameters")}


def test_two_rows_of_one_method_that_different_people_recommend_are_drawn_apart(tmp_path: Path) -> None:
    many = Trace(write_trace(tmp_path, "a/b xpbd many", claimed_by="Macklin et al. 2016"))
    small = Trace(write_trace(tmp_path, "a/b xpbd small", claimed_by="Macklin et al. 2019"))
    looks = [method_style(many), method_style(small, "xpbd, 20 substeps")]
    assert [look.label for look in looks] == ["XPBD (Macklin et al. 2016)", "xpbd, 20 substeps (Macklin et al. 2019)"]
    assert looks[0].colour != looks[1].colour and looks[0].marker != looks[1].marker
    assert method_style(Trace(write_trace(tmp_path, "a/b xpbd"))) == METHODS["xpbd"]


def test_an_experiment_is_named_by_its_id_or_by_a_short_name_that_is_its_own(tmp_path: Path) -> None:
    for experiment in ("a/b", "c/b", "c/d"):
        write_trace(tmp_path, f"{experiment} m")
    results = Results(tmp_path, "paper", {})
    assert [results.named(name) for name in ("a/b", "d")] == ["a/b", "c/d"]
    for name, why in (("b", "ambiguous: a/b, c/b"), ("e", "no such one (known: a/b, c/b, c/d)")):
        with pytest.raises(InputError, match=f"^experiment {name}: {re.escape(why)}$"):
            results.named(name)


def test_files_of_an_experiment_are_traces_timings_and_lists_as_they_are_now(tmp_path: Path) -> None:
    trace, other = write_trace(tmp_path, "a/b m"), write_trace(tmp_path, "c/b m")
    results = Results(tmp_path, "paper", {})
    later = [write_timing(trace, np.ones((1, 2))), trace.with_name("paper.cells.json")]
    later[1].touch()
    assert sorted(results.files_of("a/b")) == sorted([trace, *later])
    assert results.files_of("c/b") == [other] and results.files_of("a/none") == []

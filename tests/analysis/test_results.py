# SPDX-License-Identifier: BSD-3-Clause
"""Which traces of a folder count as an experiment's cells at a tier."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import write_trace

from deformbench_analysis.declarations import Declaration, merge_patch
from deformbench_analysis.errors import InputError, MissingData
from deformbench_analysis.results import Results

DECLARED: dict[str, Any] = {
    "id": "a/b",
    "scene": {"name": "bar", "parameters": {"length_m": 2}},
    "methods": [
        {"name": "linear", "method": "linear_fem", "parameters": {}},
        {"name": "warped", "method": "warped_fem", "parameters": {"rotation": "qr"}},
    ],
    "sweep": {"scene.parameters.angle_deg": [0, 90], "method.parameters.rotation_seed": [1, 2]},
    "schedule": {"steps": 2},
    "tiers": {"smoke": {"sweep": {"scene.parameters.angle_deg": [90]}}, "paper": {}},
}


def declared() -> dict[str, Declaration]:
    return {"a/b": Declaration(Path("a/b.json"), DECLARED)}


def linear(folder: Path, angle: float, **more: Any) -> Path:
    return write_trace(
        folder,
        "a/b",
        "linear_fem",
        name="linear",
        scene={"length_m": 2.0, "angle_deg": angle, "width_m": 1},
        coordinates={"scene.parameters.angle_deg": angle},
        **more,
    )


def test_merge_patch_replaces_lists_and_removes_with_null() -> None:
    assert merge_patch({"a": [1, 2], "b": {"c": 1, "d": 2}}, {"a": [3], "b": {"c": None}}) == {"a": [3], "b": {"d": 2}}


def test_a_cell_shared_by_two_tiers_belongs_to_both_whichever_ran_it(tmp_path: Path) -> None:
    linear(tmp_path, 0), linear(tmp_path, 90, tier="smoke")
    results = Results(tmp_path, "paper", declared())
    assert [c.value("scene.parameters.angle_deg") for c in results.experiment("a/b").cells] == [0, 90]
    assert [c.value("scene.parameters.angle_deg") for c in results.experiment("a/b", "smoke").cells] == [90]


def test_traces_of_an_earlier_wording_of_the_declaration_are_left_out(tmp_path: Path) -> None:
    linear(tmp_path, 0, schedule={"steps": 3})
    write_trace(
        tmp_path,
        "a/b",
        "linear_fem",
        name="linear",
        scene={"length_m": 1, "angle_deg": 0},
        coordinates={"scene.parameters.angle_deg": 0},
    )
    assert Results(tmp_path, "paper", declared()).experiment("a/b").cells == []


def test_the_newest_trace_of_a_spec_wins_and_the_older_is_counted(tmp_path: Path) -> None:
    linear(tmp_path, 0, fingerprint="old", finished="2026-01-01T00:00:00Z")
    new = linear(
        tmp_path, 0, fingerprint="new", finished="2026-02-01T00:00:00Z", status="failed", reason="worse than before"
    )
    data = Results(tmp_path, "paper", declared()).experiment("a/b")
    assert [c.path for c in data.cells] == [new] and data.superseded == 1


def test_a_trace_of_before_a_parameter_was_added_gives_way_to_one_that_has_it(tmp_path: Path) -> None:
    coordinates = {"scene.parameters.angle_deg": 0}
    for extra, width in (({}, 1), ({"plasticity": "none"}, 1), ({}, 3)):
        write_trace(
            tmp_path,
            "a/b",
            "linear_fem",
            name="linear",
            parameters={"solver": "cg", **extra},
            coordinates=coordinates,
            scene={"length_m": 2, "angle_deg": 0, "width_m": width},
        )
    data = Results(tmp_path, "paper", declared()).experiment("a/b")
    # The third differs in a value, not only in what it leaves out: it stays, and `one` will complain.
    assert sorted(
        (c.value("scene.parameters.width_m"), "plasticity" in c.value("method.parameters")) for c in data.cells
    ) == [(1, True), (3, False)]
    assert data.superseded == 1


def test_an_axis_of_a_parameter_that_the_method_lacks_does_not_apply_to_it(tmp_path: Path) -> None:
    linear(tmp_path, 0), linear(tmp_path, 90)
    write_trace(
        tmp_path,
        "a/b",
        "warped_fem",
        name="warped",
        parameters={"rotation": "qr", "rotation_seed": 1},
        scene={"length_m": 2, "angle_deg": 0},
        coordinates={"scene.parameters.angle_deg": 0, "method.parameters.rotation_seed": 1},
    )
    data = Results(tmp_path, "paper", declared()).experiment("a/b")
    assert len(data.select(name="linear")) == 2 and len(data.select(name="warped")) == 1
    assert [name for name, _ in data.missing] == ["warped"] * 3


def test_a_value_outside_the_sweep_is_no_cell(tmp_path: Path) -> None:
    linear(tmp_path, 45)
    assert Results(tmp_path, "paper", declared()).experiment("a/b").cells == []


def test_zipped_coordinates_move_together(tmp_path: Path) -> None:
    zipped = {
        **DECLARED,
        "sweep": {"pair": {"zip": {"scene.parameters.angle_deg": [0, 90], "scene.parameters.width_m": [1, 2]}}},
    }
    declaration = {"a/b": Declaration(Path("x"), zipped)}
    for angle, width in ((0, 1), (90, 2), (0, 2)):
        write_trace(
            tmp_path,
            "a/b",
            "linear_fem",
            name="linear",
            scene={"length_m": 2, "angle_deg": angle, "width_m": width},
            coordinates={"scene.parameters.angle_deg": angle, "scene.parameters.width_m": width},
        )
    found = Results(tmp_path, "paper", declaration).experiment("a/b").cells
    assert [(c.value("scene.parameters.angle_deg"), c.value("scene.parameters.width_m")) for c in found] == [
        (0, 1),
        (90, 2),
    ]


def test_an_empty_selection_is_missing_data_and_never_an_empty_answer(tmp_path: Path) -> None:
    linear(tmp_path, 0)
    with pytest.raises(MissingData, match="no cell with name=warped among 1"):
        Results(tmp_path, "paper", declared()).experiment("a/b").some(name="warped")


def test_two_machines_in_one_folder_are_refused(tmp_path: Path) -> None:
    linear(tmp_path / "one", 0), linear(tmp_path / "two", 0)
    with pytest.raises(InputError, match="several machines"):
        Results(tmp_path, "paper", declared())


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: no such folder"):
        Results(tmp_path / "nowhere", "paper", declared())


def test_the_declaration_decides_which_end_was_expected(tmp_path: Path) -> None:
    told = {
        **DECLARED,
        "expect": [
            {
                "where": {"scene.parameters.angle_deg": {"min": 80}, "method.name": ["linear"]},
                "status": "diverged",
                "because": "b",
            }
        ],
    }
    linear(tmp_path, 0), linear(tmp_path, 90)
    data = Results(tmp_path, "paper", {"a/b": Declaration(Path("x"), told)}).experiment("a/b")
    assert [data.expected_status(c) for c in data.cells] == ["completed", "diverged"]
    assert [c.value("scene.parameters.angle_deg") for c in data.unexpected()] == [90]  # an unexpected success


def test_a_foreign_trace_without_declaration_is_judged_by_what_it_was_told(tmp_path: Path) -> None:
    write_trace(tmp_path, "x/y", "m", status="diverged", expect={"status": "diverged"})
    data = Results(tmp_path, "paper", {}).experiment("x/y")
    assert data.unexpected() == [] and len(data.failed()) == 1


def test_traces_with_other_channels_or_seeds_are_other_cells(tmp_path: Path) -> None:
    told = {**DECLARED, "channels": {"step": {"every": 1, "names": ["volume"]}}}
    linear(tmp_path, 0), linear(tmp_path, 90, channels={"step": {"every": 1, "names": ["volume"]}})
    data = Results(tmp_path, "paper", {"a/b": Declaration(Path("x"), told)}).experiment("a/b")
    assert [c.value("scene.parameters.angle_deg") for c in data.cells] == [90]


def test_a_trace_of_another_tier_that_says_the_same_and_more_is_not_a_cell_of_this_one(tmp_path: Path) -> None:
    """A tier that shrinks the scene by a parameter that the others leave at its default: both traces fit the others' words."""
    paths = [
        write_trace(
            tmp_path,
            "a/b",
            "linear_fem",
            name="linear",
            coordinates={"scene.parameters.angle_deg": 0},
            scene={"length_m": 2.0, "angle_deg": 0, "width_m": width},
        )
        for width in (1, 3)
    ]
    assert len(Results(tmp_path, "paper", declared()).experiment("a/b").cells) == 2
    listed = {
        "cells": [{"cell_id": paths[0].stem, "method": "linear", "coordinates": {}, "expect": {"status": "completed"}}]
    }
    (paths[0].parent / "paper.cells.json").write_text(json.dumps(listed), encoding="utf-8")
    data = Results(tmp_path, "paper", declared()).experiment("a/b")
    assert [c.path for c in data.cells] == [paths[0]] and data.superseded == 1


def test_every_cell_is_asked_for_but_those_declared_to_end_early(tmp_path: Path) -> None:
    def cell(seed: int, status: str, declared: str = "completed") -> None:
        write_trace(
            tmp_path,
            "cross/any",
            "warped_fem",
            scene={"seed": seed},
            coordinates={"scene.parameters.seed": seed},
            status=status,
            expect={"status": declared},
        )

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

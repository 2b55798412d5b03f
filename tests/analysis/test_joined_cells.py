# SPDX-License-Identifier: BSD-3-Clause
"""Cells of methods that joined an experiment: comparisons know them, verdicts do not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import deformbench
import numpy as np
import pytest
from conftest import list_cells, ms_per_step_folder, write_trace

from deformbench_analysis.claims import all_claims
from deformbench_analysis.declarations import all_declarations
from deformbench_analysis.results import Results
from deformbench_analysis.verdicts import judge_all
from paper_figures import verbs

EXPERIMENT = "cross/ms_per_step"


def join(
    folder: Path,
    method: str,
    settings: Mapping[str, Any] | None = None,
    declared: Mapping[str, Any] | None = None,
    **more: Any,
) -> Path:
    """A trace of a method that the declaration does not know, and its list as `run` writes it."""
    series = {"step": {"solves": np.full(41, 7.0), "solver_residual": np.full(41, 0.5)}}
    scene = {"cells_across": 4, "young_modulus_pa": 1e5}
    coordinates = {"scene.parameters.cells_across": 4}
    path = write_trace(
        folder,
        EXPERIMENT,
        method,
        **{"scene": scene, "coordinates": coordinates, "schedule": {"steps": 40}, "series": series, **more},
    )
    declaration = all_declarations()[EXPERIMENT].cells_depend_on() if declared is None else declared
    entry = {"cell_id": path.stem, "method": method, "coordinates": coordinates, "expect": {"status": "completed"}}
    listed = {"declaration": declaration, "set": dict(settings or {}), "cells": [entry]}
    name = f"paper.joined-{method}{len(settings or {})}.cells.json"
    (path.parent / name).write_text(json.dumps(listed), encoding="utf-8")
    return path


def test_comparisons_show_a_method_that_joined(tmp_path: Path) -> None:
    ms_per_step_folder(tmp_path)
    assert "mine" not in set(deformbench.compare(deformbench.load(tmp_path), "ms_per_step")["method"])
    join(tmp_path, "mine")
    table = deformbench.compare(deformbench.load(tmp_path), "ms_per_step", ["solver_residual"])
    row = table[table["method"] == "mine"]
    assert len(row) == 1 and row["solver_residual"].item() == 0.5
    assert "set" not in table.columns


def test_what_was_set_tells_two_joined_cells_of_a_method_apart(tmp_path: Path) -> None:
    ms_per_step_folder(tmp_path)
    join(tmp_path, "mine")
    join(tmp_path, "mine", {"method.parameters.law": "theirs"}, parameters={"law": "theirs"})
    table = deformbench.compare(deformbench.load(tmp_path), "ms_per_step", ["solver_residual"])
    assert sorted(table[table["method"] == "mine"]["set"]) == ["", "law=theirs"]


def test_verdicts_do_not_see_joined_cells(tmp_path: Path) -> None:
    """A joined method whose numbers would turn claims: the made-up one solves seven times per step and leaves half the residual."""
    ms_per_step_folder(tmp_path)

    def judged() -> dict[str, Any]:
        results = Results(tmp_path)
        results.with_joined(EXPERIMENT)  # looking at a comparison first must not leak into the verdicts
        claims = [c for of in all_claims().values() for c in of if EXPERIMENT in c.experiments]
        judgement = judge_all(results, claims, "paper", True)
        return {v.claim.id: v.full() for v in judgement.verdicts}

    before = judged()
    assert before
    join(tmp_path, "linear_fem")  # by the name of a method that claims are about
    join(tmp_path, "warped", status="failed", reason="made up")
    assert (
        len(Results(tmp_path).with_joined(EXPERIMENT).cells) == len(Results(tmp_path).experiment(EXPERIMENT).cells) + 2
    )
    assert judged() == before
    list_cells(tmp_path, EXPERIMENT)  # the same cells, declared: this would have been noticed
    assert judged() != before


def test_joined_cells_of_an_earlier_declaration_are_left_out(tmp_path: Path) -> None:
    ms_per_step_folder(tmp_path)
    join(tmp_path, "mine", declared={"id": EXPERIMENT, "tiers": {}})
    assert "mine" not in set(deformbench.compare(deformbench.load(tmp_path), "ms_per_step")["method"])


def test_a_joined_cell_that_has_no_trace_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ms_per_step_folder(tmp_path)
    join(tmp_path, "mine").unlink()
    assert verbs.main(["compare", str(tmp_path), "--experiment", "ms_per_step", "--format", "csv"]) == 0
    assert any(line.startswith("mine,4,no trace") for line in capsys.readouterr().out.splitlines())


def test_without_a_declared_list_the_joined_cells_are_compared_all_the_same(tmp_path: Path) -> None:
    join(tmp_path, "mine")
    results = deformbench.load(tmp_path)
    assert list(deformbench.compare(results, "ms_per_step")["method"]) == ["mine"]
    assert not results.experiment(EXPERIMENT).cells

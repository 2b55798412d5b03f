# SPDX-License-Identifier: BSD-3-Clause
"""Tables keep full precision in CSV, escape what HTML and LaTeX would misread,
and never hide a missing value as zero."""

from pathlib import Path

import numpy as np
import pytest
from made_up_traces import write_timing, write_trace

from experiments.mueller_gross_2004.measurements import table_1
from deformbench_analysis.results import Results
from deformbench_analysis.tables import Column, Table
from paper_figures.mueller_gross_2004.table_1_parameters import parameter_table


def table() -> Table:
    out = Table([Column("method_a & b"), Column("time", "ms/step")])
    out.add("<x>", 0.1 + 0.2)
    out.add("y", None)
    return out


def test_columns_are_read_from_a_text_and_numbers_of_numpy_are_kept_as_those_of_python() -> None:
    out = Table.of("row; V / V0 − 1 .3g", "time [s]; mean [m^2] .5g")
    columns = [Column("row"), Column("V / V0 − 1", "", ".3g"), Column("time", "s"), Column("mean", "m^2", ".5g")]
    assert out.columns == columns
    out.add("a", np.float32(0.5), np.int64(3), None)
    assert out.rows == [("a", 0.5, 3, None)] and [type(v) for v in out.rows[0][1:3]] == [float, int]


def test_csv_keeps_every_digit_and_names_the_unit() -> None:
    assert table().csv() == "method_a & b,time [ms/step]\n<x>,0.30000000000000004\ny,\n"


def test_html_and_latex_escape() -> None:
    assert "&lt;x&gt;" in table().html() and "method_a &amp; b" in table().html()
    assert r"method\_a \& b" in table().latex()


def test_a_missing_value_is_a_dash() -> None:
    assert table().text().splitlines()[2].split() == ["y", "–"]


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells in a table of 2"):
        table().add("only")


def table_1_trace(
    folder: Path, model: str, tetrahedra: int, triangles: int, *, fracture: str = "none", timed: bool = True
) -> None:
    path = write_trace(
        folder,
        f"{table_1.M.experiment} warped_fem printed",
        tetrahedra=tetrahedra,
        scene={
            "model": model,
            "young_modulus_pa": 1e5,
            "poisson_ratio": 0.33,
            "density_kg_m3": 1000.0,
            "time_step_s": 0.01,
        },
        parameters={
            "fracture": fracture,
            "fracture_threshold_pa": 6e4,
            "plastic_yield": 0.1,
            "plastic_creep_per_s": 1.0,
            "plastic_max": 1.0,
        },
        arrays={"skin_triangles": np.zeros((triangles, 3), dtype=int)},
        operator={"condition_number": np.array([80.0, 90.0])},
        step={"plastic_strain_max": np.array([0.0, 0.25]), "split_count": np.array([0.0, 7.0])},
    )
    if timed:
        write_timing(path, np.array([[0.002, 0.004, 0.003]]))


def test_table_1_puts_what_was_run_beside_what_is_printed(tmp_path: Path) -> None:
    table_1_trace(tmp_path, "dragon", 835, 10_000, fracture="vertex_split")
    table_1_trace(tmp_path, "/models/cow.obj", 970, 5804, timed=False)
    runs = table_1.models(Results(tmp_path, "paper", {}).experiment(table_1.M.experiment))
    rows = {
        r[0]: dict(zip(("snake", "snake run", "cow", "cow run", "dragon", "dragon run"), r[2:]))
        for r in parameter_table(runs, {"snake": "diverged: too far"}).rows
    }
    assert rows["tetrahedra"]["dragon"] == "834"
    assert rows["tetrahedra"]["dragon run"] == "835"
    assert rows["triangles"]["cow run"] == "5,804"
    assert rows["model"]["dragon run"] == "dragon, generated stand-in"
    assert rows["model"]["cow run"] == "cow.obj, file"
    assert rows["model"]["snake run"] == "diverged: too far"
    threshold = rows["yield stress (fracture threshold)"]
    assert threshold["dragon"] == threshold["dragon run"] == "60" and threshold["cow"] == threshold["cow run"] == "–"
    assert rows["time per step, median"]["dragon run"] == "3"
    assert rows["time per step, median"]["cow run"] == "not timed"
    assert rows["condition number, at start and largest"]["dragon run"] == "80, 90"
    assert rows["vertices split"]["dragon run"] == "7"
    assert {r["snake run"] for n, r in rows.items() if n != "model"} == {"–"}

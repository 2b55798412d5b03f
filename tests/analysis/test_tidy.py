# SPDX-License-Identifier: BSD-3-Clause
"""Series, traces and experiments as tables of pandas and data sets of xarray."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from made_up_traces import list_cells, write_trace

from deformbench_analysis.errors import InputError, MissingData
from deformbench_analysis.results import Results
from deformbench_analysis.trace import Trace

EXPERIMENT = "tests/bars"
MOMENTUM = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])


def bars(folder: Path) -> list[Path]:
    """Two cells of a sweep, each with a number, a vector and a field per step."""
    paths = [
        write_trace(
            folder,
            f"{EXPERIMENT} m",
            swept={"side_m": side},
            step={"volume": side * np.ones(2), "momentum": MOMENTUM, "field": np.zeros((2, 4, 3))},
            units={"volume": "m3"},
        )
        for side in (1.0, 2.0)
    ]
    list_cells(folder, EXPERIMENT, {"id": EXPERIMENT, "methods": [], "tiers": {}})
    return paths


def test_a_series_has_a_row_per_step_and_a_column_per_component(tmp_path: Path) -> None:
    trace = Trace(bars(tmp_path)[1])
    volume = trace.series("step", "volume").to_frame()
    assert list(volume.columns) == ["step", "time", "volume"] and volume.attrs["unit"] == "m3"
    assert volume["volume"].tolist() == [2.0, 2.0] and volume["time"].tolist() == [0.0, 0.01]
    momentum = trace.series("step", "momentum").to_frame()
    assert list(momentum.columns) == ["step", "time", "momentum_x", "momentum_y", "momentum_z"]
    assert momentum[["momentum_x", "momentum_y", "momentum_z"]].to_numpy().tolist() == MOMENTUM.tolist()


def test_rows_that_a_member_did_not_reach_are_no_rows(tmp_path: Path) -> None:
    path = write_trace(
        tmp_path, f"{EXPERIMENT} m", seeds=2, step={"volume": np.array([[1.0, 2.0, 3.0], [4.0, 5.0, np.nan]])}
    )
    series = Trace(path).series("step", "volume")
    series.step[1, 2] = -1
    frame = series.to_frame()
    assert frame["member"].tolist() == [0, 0, 0, 1, 1] and frame["volume"].tolist() == [1, 2, 3, 4, 5]


def test_an_experiment_is_one_tidy_table(tmp_path: Path) -> None:
    bars(tmp_path)
    frame = Results(tmp_path).frame("bars")
    assert list(frame.columns) == [
        *("cell_id", "method", "claimed_by", "scene.parameters.side_m", "status", "step", "time"),
        *("momentum_x", "momentum_y", "momentum_z", "volume"),
    ]
    assert len(frame) == 4
    assert frame.groupby("scene.parameters.side_m")["volume"].mean().to_dict() == {1.0: 1.0, 2.0: 2.0}
    assert "momentum_x" not in Results(tmp_path).frame(EXPERIMENT, channels=["volume"])
    with pytest.raises(MissingData, match="no cell has pressure on the clock step"):
        Results(tmp_path).frame("bars", channels=["pressure"])
    with pytest.raises(MissingData, match="no cell has a channel that a column can hold on the clock frame"):
        Results(tmp_path).frame("bars", "frame")


def test_a_missing_package_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = Trace(bars(tmp_path)[0])
    for package in ("pandas", "xarray"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=r"^Trace.to_xarray: needs the Python package xarray, which is not installed"):
        trace.to_xarray()
    with pytest.raises(InputError, match=r"^Series.to_frame: needs the Python package pandas"):
        trace.series("step", "volume").to_frame()


def given_to_xarray(trace: Trace, clock: str, monkeypatch: pytest.MonkeyPatch) -> tuple[dict, dict, dict]:  # type: ignore[type-arg]
    """What is handed to xarray.Dataset, also where xarray is not installed."""
    stand_in = ModuleType("xarray")
    stand_in.Dataset = lambda *parts: SimpleNamespace(parts=parts)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "xarray", stand_in)
    return trace.to_xarray(clock).parts  # type: ignore[no-any-return,attr-defined]


def test_dimensions_units_and_facts_of_a_data_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = Trace(bars(tmp_path)[1])
    variables, coordinates, facts = given_to_xarray(trace, "step", monkeypatch)
    assert coordinates["time"][0] == ("time",) and coordinates["time"][1].tolist() == [0.0, 0.01]
    assert {name: v[0] for name, v in variables.items()} == {
        "volume": ("time",),
        "momentum": ("time", "momentum_1"),
        "field": ("time", "field_1", "field_2"),
    }
    assert all(len(dims) == values.ndim for dims, values, _ in variables.values())
    assert variables["volume"][2]["units"] == "m3" and facts["method"] == "m" and facts["git_commit"] == "abc"
    with pytest.raises(MissingData, match="no channel on the clock pose"):
        trace.to_xarray("pose")


def test_members_are_a_dimension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.arange(12.0).reshape(2, 2, 3)
    path = write_trace(tmp_path, f"{EXPERIMENT} m", seeds=2, step={"momentum": values})
    variables, coordinates, _ = given_to_xarray(Trace(path), "step", monkeypatch)
    assert variables["momentum"][0] == ("member", "row", "momentum_1") and coordinates["step"][0] == ("member", "row")


def test_xarray_takes_it(tmp_path: Path) -> None:
    pytest.importorskip("xarray")
    data = Trace(bars(tmp_path)[1]).to_xarray()
    assert float(data["volume"].sel(time=0.01)) == 2.0 and data["volume"].attrs["units"] == "m3"

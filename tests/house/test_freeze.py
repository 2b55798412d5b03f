# SPDX-License-Identifier: BSD-3-Clause
"""What tests/freeze calls a difference."""

import importlib.util
import json
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

import h5py
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def loaded() -> ModuleType:
    loader = SourceFileLoader("freeze", str(ROOT / "tests/freeze"))
    spec = importlib.util.spec_from_loader("freeze", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


FREEZE = loaded()


def digest(path: Path, **changes: Any) -> str:
    """Digest of a trace with these datasets changed."""
    datasets = {
        "series/step/time": np.linspace(0.0, 1.0, 3000),
        "series/iteration/elapsed_seconds": np.zeros(3),
        "events/detail": np.array([f"event {n}" for n in range(3000)], dtype=h5py.string_dtype()),
    }
    with h5py.File(path, "w") as trace:
        for name, value in {**datasets, **changes}.items():
            trace[name] = value
        trace.create_group("provenance").attrs["host"] = str(path)
    with h5py.File(path) as trace:
        return str(FREEZE.digest(trace))


def test_every_number_and_text_of_a_trace_counts_but_clocks_and_provenance(tmp_path: Path) -> None:
    plain = digest(tmp_path / "a.h5")
    time = np.linspace(0.0, 1.0, 3000)
    time[1500] = np.nextafter(time[1500], 2.0)
    text = np.array([f"event {n if n != 1500 else 'x'}" for n in range(3000)], dtype=h5py.string_dtype())
    assert digest(tmp_path / "b.h5") == plain
    assert digest(tmp_path / "c.h5", **{"series/iteration/elapsed_seconds": np.ones(3)}) == plain
    assert digest(tmp_path / "d.h5", **{"series/step/time": time}) != plain
    assert digest(tmp_path / "e.h5", **{"events/detail": text}) != plain


def test_differences_are_named() -> None:
    spec = json.dumps({"experiment": "p/e", "method": {"name": "m"}, "coordinates": {"n": 2}})
    before = {"traces": {spec: "1"}, "values": {"e.x": "1.0 m", "e.y": "2.0 m"}, "records": {"p": {"A": 1}}}
    after = {"traces": {spec: "2"}, "values": {"e.x": "1.5 m", "e.y": "2.0 m"}, "records": {"p": {"A": 2}}}
    assert FREEZE.differences(before, before) == []
    assert FREEZE.differences(before, after) == ["traces: p/e m {'n': 2}", "values: e.x: 1.0 m → 1.5 m", "records: p"]


def test_a_file_that_is_none_is_refused_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                  capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    monkeypatch.setattr("sys.argv", ["freeze", "compare", str(tmp_path / "none")])
    with pytest.raises(SystemExit) as end:
        FREEZE.main()
    assert end.value.code == 2 and capsys.readouterr().err.count("\n") == 1


def test_every_record_is_frozen() -> None:
    claims = {p.parent.name for p in ROOT.glob("experiments/*/claims.json")}
    assert set(FREEZE.records()) == claims and all(record["claims"] for record in FREEZE.records().values())

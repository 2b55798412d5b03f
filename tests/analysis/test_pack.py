# SPDX-License-Identifier: BSD-3-Clause
"""Archives for a supplement: they unpack, their checksums hold, and the same results give the same bytes."""

import csv
import hashlib
import json
import os
import subprocess
import tarfile
from pathlib import Path

import h5py
import numpy as np
import pytest
from made_up_traces import write_trace

from deformbench_analysis import cli
from deformbench_analysis.errors import InputError
from deformbench_analysis.pack import pack
from deformbench_analysis.trace import Trace

FOREIGN_FILES = True  # keeps the reading by a process of its own (conftest.py)


def results(folder: Path) -> tuple[Path, Path]:
    """A single run and an ensemble of two members."""
    step = {
        "volume": np.array([1.0, 1.001, 1.002]),
        "linear_momentum": np.array([[0, 0, 1 / 3], [0.1, -0.2, 1 / 3], [0.2, -0.4, 1 / 3]]),
        "iterations": np.array([20, 21, 22], dtype=np.int64),
        "rotations": np.zeros((3, 5, 3, 3)),
    }
    units = {"volume": "m3", "linear_momentum": "kg m/s"}
    frame = {"positions": np.zeros((1, 40, 3))}
    one = write_trace(folder, "tests/one m", step=step, frame=frame, units=units, dt=0.01)
    two = write_trace(folder, "tests/two m", seeds=2, step={"volume": np.array([[1.0, np.nan], [0.9, 1e-9]])})
    return one, two


def unpacked(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as tar:
        tar.extractall(folder)  # of our own making
    return folder


def test_the_archive_unpacks_and_its_checksums_hold(tmp_path: Path) -> None:
    one, _ = results(tmp_path / "results")
    packed = pack(tmp_path / "results", tmp_path / "a.tar.gz", with_traces=True)
    assert (packed.traces, packed.csv_files) == (2, 3)
    out = tmp_path / "out"
    out.mkdir()
    subprocess.run(["tar", "-xzf", tmp_path / "a.tar.gz", "-C", out], check=True)
    subprocess.run(["sha256sum", "--quiet", "--check", "SHA256SUMS"], cwd=out, check=True)
    listed = {line.split("  ")[1] for line in (out / "SHA256SUMS").read_text().splitlines()}
    assert listed == {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()} - {"SHA256SUMS"}
    name = one.relative_to(tmp_path / "results").with_suffix("").as_posix()
    assert json.loads((out / f"specs/{name}.json").read_text()) == Trace(one).spec
    assert (out / f"traces/{name}.h5").read_bytes() == one.read_bytes()
    about = json.loads((out / "manifest.json").read_text())
    assert about["format"] == "deformbench-archive" and about["format_version"] == 1
    entry = next(t for t in about["traces"] if t["file"] == f"{name}.h5")
    assert entry["sha256"] == hashlib.sha256(one.read_bytes()).hexdigest()
    assert (entry["experiment"], entry["method"]) == ("tests/one", "m")
    assert (entry["status"], entry["git_commit"]) == ("completed", "abc")


def test_csv_has_units_components_and_full_precision(tmp_path: Path) -> None:
    one, two = results(tmp_path / "results")
    pack(tmp_path / "results", tmp_path / "a.tar.gz")
    out = unpacked(tmp_path / "a.tar.gz", tmp_path / "out")
    lines = (out / f"csv/tests/one/{one.stem}/step.csv").read_text().splitlines()
    assert lines[0] == (
        "step,time_s,iterations [1],linear_momentum_x [kg m/s],linear_momentum_y [kg m/s],"
        "linear_momentum_z [kg m/s],volume [m3]"
    )
    assert lines[1] == "0,0,20,0,0,0.3333333333333333,1"
    assert lines[3] == "2,0.02,22,0.2,-0.4,0.3333333333333333,1.002"
    assert (out / f"csv/tests/one/{one.stem}/frame.csv").read_text().splitlines() == ["step,time_s", "0,0"]
    with (out / f"csv/tests/two/{two.stem}/step.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [r["member"] for r in rows] == ["0", "0", "1", "1"]
    assert [r["volume [1]"] for r in rows] == ["1", "nan", "0.9", "1e-09"]


def test_the_same_results_give_the_same_bytes_and_nothing_else_is_left(tmp_path: Path) -> None:
    one, _ = results(tmp_path / "results")
    pack(tmp_path / "results", tmp_path / "a.tar.gz")
    os.utime(one, (1, 1))
    one.chmod(0o600)
    pack(tmp_path / "results", tmp_path / "b.tar.gz")
    assert (tmp_path / "a.tar.gz").read_bytes() == (tmp_path / "b.tar.gz").read_bytes()
    assert {p.name for p in tmp_path.iterdir()} == {"results", "a.tar.gz", "b.tar.gz"}


def test_a_folder_without_traces_and_a_damaged_trace_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: holds no trace \(\*\.h5\)"):
        pack(tmp_path / "empty", tmp_path / "a.tar.gz")
    with pytest.raises(InputError, match="no such folder"):
        pack(tmp_path / "absent", tmp_path / "a.tar.gz")
    (tmp_path / "empty" / "text.h5").write_text("no")
    with pytest.raises(InputError, match="not a readable HDF5"):
        pack(tmp_path / "empty", tmp_path / "a.tar.gz")
    assert {p.name for p in tmp_path.iterdir()} == {"empty"}


def test_the_command_writes_beside_the_folder_unless_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    results(tmp_path / "results")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["pack", "results/"]) == 0
    assert capsys.readouterr().out.strip().endswith("results.tar.gz: 2 cells, 3 CSV files")
    assert (tmp_path / "results.tar.gz").exists()
    assert cli.main(["pack", "results", "--to", "deep/b.tar.gz", "--traces"]) == 0
    with tarfile.open(tmp_path / "deep" / "b.tar.gz") as tar:
        assert any(name.startswith("traces/") for name in tar.getnames())


@pytest.mark.parametrize("scene", [{"file": "-h"}, {"file": 7}, {"file": "a\0b"}, {"file": "\ud800"}, 7, ["file"]])
def test_the_spec_of_a_foreign_trace_may_hold_anything(tmp_path: Path, scene: object) -> None:
    path = write_trace(tmp_path / "results", "tests/one m", step={'a"b': np.ones(2)})
    with h5py.File(path, "a") as file:
        spec = json.loads(file["provenance"].attrs["spec"]) | {"scene": scene}
        file["provenance"].attrs["spec"] = json.dumps(spec)
    assert cli.main(["pack", str(tmp_path / "results"), "--to", str(tmp_path / "a.tar.gz")]) == 0
    out = unpacked(tmp_path / "a.tar.gz", tmp_path / "out")
    assert json.loads(next(out.rglob("specs/**/*.json")).read_text()) == spec
    assert next(out.rglob("*.csv")).read_text().splitlines()[0] == 'step,time_s,"a""b [1]"'


@pytest.mark.parametrize("place", ["trace", "folder", "clock"])
@pytest.mark.parametrize("name", ["new\nline", os.fsdecode(b"bytes\xff")])
def test_a_name_that_checksums_cannot_hold_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str, name: str
) -> None:
    if place == "clock" and not name.isascii():
        pytest.skip("a name within a file is text")
    experiment = f"tests/{name}" if place == "folder" else "tests/one"
    clock = name if place == "clock" else "step"
    path = write_trace(tmp_path / "results", "tests/one m", series={clock: {"volume": np.ones(2)}})
    if place != "clock":
        (tmp_path / "results" / experiment).mkdir(exist_ok=True)
        path.rename(tmp_path / "results" / experiment / (f"{name}.h5" if place == "trace" else path.name))
    assert cli.main(["pack", str(tmp_path / "results"), "--to", str(tmp_path / "a.tar.gz")]) == 2
    said = capsys.readouterr().err
    assert "expected names" in said and said.count("\n") == 1 and not (tmp_path / "a.tar.gz").exists()

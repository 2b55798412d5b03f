# SPDX-License-Identifier: BSD-3-Clause
"""A flipped bit anywhere in a trace is refused with one line that names the file, before anything is judged by it.
DEFORMBENCH names the command."""

import hashlib
import os
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest
from made_up_traces import list_cells, write_timing, write_trace

from deformbench_analysis.errors import InputError
from deformbench_analysis.trace import Trace
from paper_figures import verbs

FOREIGN_FILES = True  # keeps the reading by a process of its own (conftest.py)
COMMAND = os.environ.get("DEFORMBENCH", "")


def seal(path: Path) -> Path:
    """Puts a user block with the digest before a file of h5py's, as docs/trace_format.md says."""
    with h5py.File(path, "r+") as file:
        file["provenance"].attrs["digest"] = "sha256 at byte 440"
    sealed = path.with_suffix(".sealed")
    with h5py.File(sealed, "w", userblock_size=512) as new, h5py.File(path, "r") as old:
        new.attrs.update(old.attrs)
        for name in old:
            old.copy(name, new)
    body = sealed.read_bytes()[512:]
    text = b"deformbench-trace 1 (an HDF5 file; its superblock is at byte 512)\n".ljust(440, b"\0")
    path.write_bytes(text + b"sha256 " + hashlib.sha256(text + body).hexdigest().encode() + b"\n" + body)
    sealed.unlink()
    return path


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def sealed_trace(folder: Path) -> Path:
    return seal(write_trace(folder, "a/b warped_fem", step={"volume": np.array([1.0, 1.125, 3.0])}))


def test_a_sealed_trace_is_read(tmp_path: Path) -> None:
    path = sealed_trace(tmp_path)
    write_timing(path, np.ones((5, 20)))
    seal(Trace(path).timing_path)
    assert Trace(path).values("step", "volume").tolist() == [1.0, 1.125, 3.0]
    assert Trace(path).require_timing().median_ms == 1000.0


@pytest.mark.parametrize("region", ["user block", "digest", "superblock", "attribute", "dataset", "end"])
def test_a_flipped_bit_is_refused_with_the_name_of_the_file(tmp_path: Path, region: str) -> None:
    path = sealed_trace(tmp_path)
    data = path.read_bytes()
    flip(
        path,
        {
            "user block": 200,
            "digest": 470,
            "superblock": 520,
            "attribute": data.index(b"completed"),
            "dataset": data.index(np.float64(1.125).tobytes()),
            "end": len(data) - 1,
        }[region],
    )
    with pytest.raises(InputError, match=f"{path.name}: damaged or changed after it was written") as refused:
        Trace(path)
    assert "\n" not in str(refused.value)


def test_a_digest_that_is_gone_is_missed(tmp_path: Path) -> None:
    path = sealed_trace(tmp_path)
    flip(path, 442)  # its name
    with pytest.raises(InputError, match="found no digest"):
        Trace(path)


def test_a_damaged_timing_is_refused(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b warped_fem")
    timing = seal(write_timing(path, np.ones((5, 20))))
    flip(timing, timing.stat().st_size // 2)
    with pytest.raises(InputError, match="timing.h5: damaged or changed"):
        Trace(path).require_timing()


@pytest.mark.parametrize("verb", ["verify", "measure", "report"])
def test_nothing_is_judged_by_a_damaged_trace(tmp_path: Path, verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    step = {"volume": np.array([1.0, 1.125])}
    path = seal(write_trace(tmp_path / "results", "cross/ms_per_step warped_fem warped", step=step))
    list_cells(tmp_path / "results", "cross/ms_per_step")
    flip(path, path.stat().st_size - 9)
    assert verbs.main([verb, str(tmp_path / "results"), "--report-out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1 and path.name in said[0] and "damaged or changed" in said[0]


@pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
def test_the_digest_of_the_command_is_the_one_read_here(tmp_path: Path) -> None:
    done = subprocess.run(
        [COMMAND, "simulate", "single_tetrahedron", "--method", "warped_fem", "--steps", "5", "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.rglob("*.h5")
    assert Trace(path).status == "completed"
    whole = path.read_bytes()
    for at in [
        3,
        100,
        445,
        500,
        511,
        512 + 12,
        whole.index(b"completed"),
        *range(600, len(whole), 1 + len(whole) // 60),
    ]:
        flip(path, at)
        with pytest.raises(InputError, match="damaged or changed"):
            Trace(path)
        path.write_bytes(whole)

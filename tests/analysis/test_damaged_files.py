# SPDX-License-Identifier: BSD-3-Clause
"""Files without a digest, damaged or foreign: HDF5 may crash or hang on them,
and each is one line that names the file."""

import ctypes
import os
import random
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from made_up_traces import write_trace

from deformbench_analysis import cli
from deformbench_analysis.contained import read_through, require_harmless
from deformbench_analysis.errors import InputError
from deformbench_analysis.trace import Trace

FOREIGN_FILES = True  # keeps the reading by a process of its own (conftest.py)


def crash(_: Path) -> None:
    ctypes.string_at(0)


def wait(_: Path) -> None:
    time.sleep(60)


def ask_for_memory(_: Path) -> None:
    np.ones(1 << 44)


@pytest.mark.parametrize(
    "read,message", [(crash, "SIGSEGV"), (wait, "takes longer than 0.2 s"), (ask_for_memory, "more than memory can")]
)
def test_a_crash_a_hang_and_made_up_sizes_are_one_line_each(tmp_path: Path, read: object, message: str) -> None:
    path = tmp_path / "some.h5"
    path.write_bytes(b"something")
    with pytest.raises(InputError, match=message) as refused:
        require_harmless(path, 0.2 if read is wait else 20.0, read)  # type: ignore[arg-type]
    assert str(refused.value).startswith(f"{path}: ") and "\n" not in str(refused.value)


def abort(_: Path) -> None:
    os.write(2, b"malloc: top")
    os.abort()


def test_what_the_crash_itself_prints_is_not_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="SIGABRT"):
        require_harmless(tmp_path, 20.0, abort)
    assert capfd.readouterr().err == ""


def test_attributes_are_read_where_hdf5_cannot_say_what_holds_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_trace(tmp_path, "a/b warped_fem", step={"volume": np.arange(3.0)})
    read = []

    def refuse(_: object) -> None:
        raise RuntimeError("bad heap free list")

    def note(self: h5py.AttributeManager, name: str) -> None:
        read.append(name)

    monkeypatch.setattr(h5py.AttributeManager, "__getitem__", note)
    read_through(path)
    of_the_whole_file = read.copy()
    read.clear()
    monkeypatch.setattr(h5py.h5o, "get_info", refuse)
    read_through(path)
    assert "format_version" in read and read == of_the_whole_file


def compressed_trace(folder: Path) -> Path:
    """A trace without a digest whose channel `volume` is compressed, and the compressed bytes overwritten."""
    path = write_trace(folder, "a/b warped_fem", step={"volume": np.arange(3000.0)})
    with h5py.File(path, "r+") as file:
        group = file["series/step"]
        about = dict(group["volume"].attrs)
        del group["volume"]
        data = group.create_dataset("volume", data=np.arange(3000.0) % 17, chunks=(3000,), compression="gzip")
        data.attrs.update(about)
    with h5py.File(path, "r") as file:
        chunk = file["series/step/volume"].id.get_chunk_info(0)
    content = bytearray(path.read_bytes())
    content[chunk.byte_offset + 8 : chunk.byte_offset + 40] = b"\xa5" * 32
    path.write_bytes(content)
    return path


def test_compressed_data_that_cannot_be_expanded_are_bad_input(tmp_path: Path) -> None:
    trace = Trace(compressed_trace(tmp_path))
    with pytest.raises(InputError, match="not a readable HDF5 file") as refused:
        trace.series("step", "volume")
    assert str(refused.value).startswith(f"{trace.path}: ")


def test_a_verb_ends_with_exit_code_2_on_them(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = compressed_trace(tmp_path)
    code = cli.main(["compare", str(tmp_path), "--experiment", "a/b", "--channel", "volume"])
    err = capfd.readouterr().err
    assert code == 2 and path.name in err and err.count("\n") == 1


def test_text_that_is_no_utf8_can_be_printed(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b warped_fem", step={"volume": np.ones(3)})
    with h5py.File(path, "r+") as file:
        file.attrs["status_reason"] = np.bytes_(b"\xff\xfe ok")
        text = h5py.string_dtype("utf-8")
        file.attrs.create("method", b"\xc3\x28", dtype=text)
    trace = Trace(path)
    assert trace.status_reason == "\ufffd\ufffd ok"
    assert trace.method_id.encode("utf-8") == "\ufffd(".encode()


def test_overwritten_bytes_never_end_the_interpreter(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b warped_fem", step={"volume": np.arange(300.0)})
    whole = path.read_bytes()
    rng = random.Random(20240611)
    refused = 0
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 4, 30])):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data)
        try:
            trace = Trace(path)
            for clock, channels in trace.clocks().items():
                for channel in channels:
                    trace.series(clock, channel)
            trace.events()
        except InputError as error:
            refused += 1
            assert "\n" not in str(error)
        except Exception as error:
            from deformbench_analysis.errors import MissingData

            assert isinstance(error, MissingData), error
    assert refused > 5


def test_nothing_of_the_child_is_left(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b warped_fem", series={"step": {"volume": np.ones(3)}})
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        require_harmless(path)
    assert len(os.listdir("/proc/self/fd")) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)

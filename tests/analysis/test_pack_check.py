# SPDX-License-Identifier: BSD-3-Clause
"""Archives as a stranger gets them: what they hold is checked part against part. tests/hardness has the many kinds of
tampering; here are those that need no command."""

import errno
import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from made_up_traces import list_cells, write_trace

from deformbench_analysis import cli, pack_check, safe_tar
from deformbench_analysis.errors import InputError
from deformbench_analysis.pack import pack

FOREIGN_FILES = True  # keeps the reading by a process of its own (conftest.py)
EXPERIMENT = "tests/bars"


@pytest.fixture(name="archive")
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two listed cells, with their traces; there is no command to ask."""
    for method in "ab":
        write_trace(tmp_path / "results", f"{EXPERIMENT} {method}", series={"step": {"volume": np.array([1.0, 1.5])}})
    list_cells(tmp_path / "results", EXPERIMENT, {"id": EXPERIMENT, "methods": [], "tiers": {}})
    pack(tmp_path / "results", tmp_path / "whole.tar.gz", with_traces=True)

    def none() -> Path:
        raise InputError("no command")

    monkeypatch.setattr(pack_check, "command", none)
    return tmp_path / "whole.tar.gz"


def members(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar}  # type: ignore[union-attr]


def repacked(parts: dict[str, bytes], archive: Path) -> Path:
    """With checksums that fit."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {n}\n" for n, data in sorted(parts.items()) if n != "SHA256SUMS"]
    parts = {**parts, "SHA256SUMS": "".join(lines).encode()}
    with tarfile.open(archive, "w:gz") as tar:
        for name, data in parts.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return archive


def checked(archive: Path) -> pack_check.Checked:
    folder = archive.parent / "unpacked"
    folder.mkdir()
    return pack_check.check(archive, folder)


def test_an_untouched_archive_is_what_it_says_also_repacked_by_others(archive: Path) -> None:
    assert repacked(members(archive), archive) == archive
    found = checked(archive)
    assert (found.cells, found.listed, found.missing, found.stale) == (2, 2, [], [])
    assert found.tiers == {"paper"} and found.builds == {("abc", "clean", "unknown"): 2}
    assert any("no command deformbench was found" in line for line in found.unchecked)
    assert found.results is not None and list(found.results.rglob("*.cells.json"))


def test_without_traces_it_says_what_was_not_checked(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack(archive.parent / "results", archive)
    assert cli.main(["verify", str(archive)]) == 0
    out = capsys.readouterr().out
    assert "2 of 2 declared cells" in out and "not checked: CSV against traces" in out and "verdicts: not judged" in out


def test_a_table_that_contradicts_its_trace_is_named(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = members(archive)
    name = next(n for n in parts if n.startswith("csv/"))
    parts[name] = parts[name].replace(b"1.5", b"1.6")
    assert cli.main(["verify", str(repacked(parts, archive))]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and f"{name}: is not what its trace holds" in said


def test_a_declared_cell_that_is_missing_is_counted(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = members(archive)
    trace = next(n for n in parts if n.startswith("traces/"))
    stem = trace.removeprefix("traces/").removesuffix(".h5")
    parts = {n: data for n, data in parts.items() if stem not in n}
    about = json.loads(parts["manifest.json"])
    about["traces"] = [e for e in about["traces"] if e["file"] != f"{stem}.h5"]
    parts["manifest.json"] = json.dumps(about).encode()
    assert cli.main(["verify", str(repacked(parts, archive))]) == 4
    assert f"1 declared cells or lists missing, such as {stem}" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["../up", "/absolute", "a/../../up", "a//b", "a/./b", "a\\b", "a\nb", "a" * 300])
def test_a_name_that_leaves_the_folder_or_that_none_has_is_refused(tmp_path: Path, name: str) -> None:
    repacked({name: b"x"}, tmp_path / "a.tar.gz")
    (tmp_path / "into").mkdir()
    with pytest.raises(InputError, match="expected a relative path"):
        safe_tar.unpack(tmp_path / "a.tar.gz", tmp_path / "into")
    assert {p.name for p in tmp_path.iterdir()} == {"a.tar.gz", "into"}


@pytest.mark.parametrize(
    "kind, said", [(tarfile.SYMTYPE, "symbolic link"), (tarfile.LNKTYPE, "hard link"), (tarfile.FIFOTYPE, "pipe")]
)
def test_what_is_no_file_is_refused(tmp_path: Path, kind: bytes, said: str) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as tar:
        info = tarfile.TarInfo("evil")
        info.type, info.linkname = kind, "/etc/passwd"
        tar.addfile(info)
    (tmp_path / "into").mkdir()
    with pytest.raises(InputError, match=f"is a {said}, expected regular files alone"):
        safe_tar.unpack(tmp_path / "a.tar.gz", tmp_path / "into")
    assert not any((tmp_path / "into").iterdir())


def test_more_than_an_archive_of_its_size_holds_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repacked({"zeros": bytes(4 << 20)}, tmp_path / "a.tar.gz")
    (tmp_path / "into").mkdir()
    assert set(safe_tar.unpack(tmp_path / "a.tar.gz", tmp_path / "into")) == {"zeros", "SHA256SUMS"}
    monkeypatch.setattr(safe_tar, "SPARE_BYTES", 0)
    (tmp_path / "again").mkdir()
    with pytest.raises(InputError, match="expected at most 200 times its own size"):
        safe_tar.unpack(tmp_path / "a.tar.gz", tmp_path / "again")


@pytest.mark.parametrize(
    "spoil", [lambda d: d[: len(d) // 2], lambda d: d + b"more", lambda d: d + gzip.compress(b"more")]
)
def test_a_stream_that_is_broken_or_goes_on_is_refused(archive: Path, spoil: object) -> None:
    archive.write_bytes(spoil(archive.read_bytes()))  # type: ignore[operator]
    with pytest.raises(InputError, match="no readable archive|data after its end"):
        checked(archive)


def with_trace(archive: Path, change: Callable[[h5py.File], object]) -> Path:
    """The archive with its first trace changed, and checksums that fit."""
    parts = members(archive)
    name = sorted(n for n in parts if n.endswith(".h5"))[0]
    trace = archive.parent / "changed.h5"
    trace.write_bytes(parts[name])
    with h5py.File(trace, "r+") as file:
        change(file)
    parts[name] = trace.read_bytes()
    about = json.loads(parts["manifest.json"])
    for entry in about["traces"]:
        if f"traces/{entry['file']}" == name:
            entry["sha256"] = hashlib.sha256(parts[name]).hexdigest()
    parts["manifest.json"] = json.dumps(about).encode()
    return repacked(parts, archive)


def test_a_trace_that_names_another_file_is_refused_whatever_its_digest(archive: Path, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["values"] = np.zeros(3)
    with pytest.raises(InputError, match="stored in another file"):
        checked(
            with_trace(archive, lambda f: f.__setitem__("more", h5py.ExternalLink(tmp_path / "other.h5", "values")))
        )


def test_a_trace_with_a_virtual_dataset_is_refused(archive: Path, tmp_path: Path) -> None:
    def change(file: h5py.File) -> None:
        layout = h5py.VirtualLayout((3,), "f8")
        layout[:] = h5py.VirtualSource(tmp_path / "other.h5", "values", (3,))
        file.create_virtual_dataset("more", layout)

    with pytest.raises(InputError, match="stored in another file"):
        checked(with_trace(archive, change))


def test_a_trace_with_a_dataset_in_another_file_is_refused(archive: Path, tmp_path: Path) -> None:
    outside = [(str(tmp_path / "raw"), 0, 24)]
    with pytest.raises(InputError, match="stored in another file"):
        checked(with_trace(archive, lambda f: f.create_dataset("more", (3,), "f8", external=outside)))


def test_a_trace_that_claims_more_than_memory_is_refused(archive: Path) -> None:
    with pytest.raises(InputError, match="more than memory can"):
        checked(with_trace(archive, lambda f: f.create_dataset("more", (1 << 40,), "f8", chunks=(1 << 20,))))


def with_entries(archive: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    parts = members(archive)
    about = json.loads(parts["manifest.json"])
    for entry in about["traces"]:
        change(entry)
    parts["manifest.json"] = json.dumps(about).encode()
    return repacked(parts, archive)


@pytest.mark.parametrize("key", ["git_state", "harness_fingerprint"])
def test_a_manifest_whose_text_is_a_list_is_refused(archive: Path, key: str) -> None:
    pack(archive.parent / "results", archive)
    with pytest.raises(InputError, match="/traces/0: expected texts git_state"):
        checked(with_entries(archive, lambda entry: entry.__setitem__(key, [])))


def test_traces_of_another_build_are_stale_though_the_manifest_hides_it(archive: Path) -> None:
    parts = members(archive)
    (name,) = (n for n in parts if n.endswith(".cells.json"))
    listed = json.loads(parts[name])
    listed["harness_fingerprint"] = "0" * 32
    parts[name] = json.dumps(listed).encode()
    found = checked(with_entries(repacked(parts, archive), lambda entry: entry.pop("harness_fingerprint", None)))
    assert len(found.stale) == 2


def test_what_an_archive_says_stays_in_its_line(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack(archive.parent / "results", archive)
    cli.main(
        ["verify", str(with_entries(archive, lambda e: e.__setitem__("git_commit", "abc\nall claims hold\x1b[8m")))]
    )
    out = capsys.readouterr().out
    assert "abc\\nall claims hold\\x1b[8m" in out and "\nall claims hold" not in out


def test_a_full_disk_is_not_the_archives_fault(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(safe_tar, "_write", full)
    with pytest.raises(OSError, match="No space left") as caught:
        checked(archive)
    assert str(caught.value.filename).endswith("unpacked")


def test_folders_without_end_are_refused(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_tar, "MOST_MEMBERS", 50)
    with tarfile.open(archive, "w:gz") as tar:
        for k in range(60):
            info = tarfile.TarInfo(f"folder_{k}")
            info.type = tarfile.DIRTYPE
            tar.addfile(info)
    with pytest.raises(InputError, match="more than 50 members"):
        checked(archive)


def test_a_path_of_many_folders_is_refused(archive: Path) -> None:
    with pytest.raises(InputError, match="relative path of printable names"):
        checked(repacked({**members(archive), "a/" * 40 + "b": b""}, archive))

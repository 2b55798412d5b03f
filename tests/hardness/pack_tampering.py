# SPDX-License-Identifier: BSD-3-Clause
"""Kinds of tampering with an archive of results: each makes one of an archive's members."""

import gzip
import hashlib
import io
import json
import random
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from trials import h5py

Members = dict[str, bytes]


@dataclass(frozen=True)
class Kind:
    name: str
    work: Callable[[random.Random, Members], bytes]
    codes: frozenset[int]


KINDS: list[Kind] = []


def kind(
    *codes: int,
) -> Callable[[Callable[[random.Random, Members], bytes]], Callable[[random.Random, Members], bytes]]:
    def note(work: Callable[[random.Random, Members], bytes]) -> Callable[[random.Random, Members], bytes]:
        KINDS.append(Kind(work.__name__, work, frozenset(codes or (2,))))
        return work

    return note


# === Archives as members, and back


def members_of(archive: bytes) -> Members:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar}  # type: ignore[union-attr]


def tar_of(members: Members, *more: tuple[tarfile.TarInfo, bytes]) -> bytes:
    """Uncompressed, with further members at the end."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, data in sorted(members.items()):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        for info, data in more:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def packed(members: Members, *more: tuple[tarfile.TarInfo, bytes]) -> bytes:
    return gzip.compress(tar_of(members, *more), compresslevel=1, mtime=0)


def renewed(members: Members, manifest: bool = True) -> bytes:
    """Archived with digests of the traces in the manifest, and checksums, that fit."""
    if manifest and "manifest.json" in members:
        about = json.loads(members["manifest.json"])
        for entry in about["traces"]:
            if (data := members.get(f"traces/{entry['file']}")) is not None:
                entry["sha256"] = hashlib.sha256(data).hexdigest()
        members["manifest.json"] = json.dumps(about).encode()
    sums = [f"{hashlib.sha256(d).hexdigest()}  {n}\n" for n, d in sorted(members.items()) if n != "SHA256SUMS"]
    return packed({**members, "SHA256SUMS": "".join(sums).encode()})


def some(rng: random.Random, members: Members, beginning: str, ending: str = "") -> str:
    return rng.choice(sorted(n for n in members if n.startswith(beginning) and n.endswith(ending)))


def special(name: str, type_of: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = type_of, target
    return info


def with_manifest(members: Members, change: Callable[[dict[str, Any]], object]) -> bytes:
    about = json.loads(members["manifest.json"])
    change(about)
    members["manifest.json"] = json.dumps(about).encode()
    return renewed(members, manifest=False)


def with_json(members: Members, name: str, change: Callable[[Any], object]) -> bytes:
    value = json.loads(members[name])
    change(value)
    members[name] = json.dumps(value).encode()
    return renewed(members)


def with_trace(members: Members, name: str, change: Callable[[h5py.File], object]) -> None:
    """A change by h5py, with a digest that fits again."""
    stream = io.BytesIO(members[name])
    with h5py.File(stream, "r+") as file:
        change(file)
    data = bytearray(stream.getvalue())
    digest = hashlib.sha256(data[:440] + data[512:]).hexdigest()
    data[440:512] = f"sha256 {digest}\n".encode()
    members[name] = bytes(data)


# === The compressed stream and the tar


@kind()
def cut_off(rng: random.Random, members: Members) -> bytes:
    data = packed(members)
    return data[: rng.randrange(len(data))]


@kind()
def a_byte_flipped(rng: random.Random, members: Members) -> bytes:
    data = bytearray(packed(members))
    data[rng.randrange(64, len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


@kind()
def bytes_after_the_end(rng: random.Random, members: Members) -> bytes:
    return packed(members) + rng.randbytes(rng.choice([1, 100, 5000]))


@kind()
def a_second_archive_behind(rng: random.Random, members: Members) -> bytes:
    return packed(members) + packed({"specs/evil": b"{}"})


@kind()
def nothing_in_it(rng: random.Random, members: Members) -> bytes:
    return rng.choice([b"", gzip.compress(b""), packed({}), b"\0" * 1024])


@kind()
def not_compressed(rng: random.Random, members: Members) -> bytes:
    return tar_of(members)


@kind()
def a_bomb(rng: random.Random, members: Members) -> bytes:
    return gzip.compress(tar_of(members, (tarfile.TarInfo("traces/zeros.h5"), bytes(120 << 20))), compresslevel=9)


@kind()
def a_header_of_many_megabytes(rng: random.Random, members: Members) -> bytes:
    return packed(members, (special("././@LongLink", tarfile.GNUTYPE_LONGNAME), b"a" * (3 << 20)))


@kind()
def long_names_without_end(rng: random.Random, members: Members) -> bytes:
    return packed(members, *[(special("././@LongLink", tarfile.GNUTYPE_LONGNAME), b"a")] * 3000)


@kind()
def a_size_without_content(rng: random.Random, members: Members) -> bytes:
    info = tarfile.TarInfo("traces/evil.h5")
    info.size = rng.choice([1 << 20, 1 << 40, (1 << 62) - 1])
    return gzip.compress(tar_of(members)[: -tarfile.RECORDSIZE] + info.tobuf(tarfile.GNU_FORMAT))


@kind()
def a_negative_size(rng: random.Random, members: Members) -> bytes:
    info = tarfile.TarInfo("traces/evil.h5")
    info.size = -rng.choice([1, 512, 1 << 40])
    return gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + tar_of(members))


@kind()
def a_damaged_header(rng: random.Random, members: Members) -> bytes:
    data = bytearray(tar_of(members))
    at = rng.choice([k for k in range(512, len(data), 512) if data[k + 257 : k + 262] == b"ustar"])
    data[at + rng.randrange(155)] ^= 0x41
    return gzip.compress(bytes(data))


@kind()
def a_tar_cut_off(rng: random.Random, members: Members) -> bytes:
    data = tar_of(members)
    return gzip.compress(data[: rng.randrange(512, len(data) - tarfile.RECORDSIZE)])


# === Names and kinds of members


def of_name(name: str) -> Callable[[random.Random, Members], bytes]:
    return lambda rng, members: packed(members, (tarfile.TarInfo(name), b"evil"))


for label, name_of_member in {
    "a_name_that_climbs": "../evil",
    "a_name_that_climbs_within": "specs/../../evil",
    "an_absolute_name": "/tmp/evil-of-deformbench",
    "a_name_with_a_dot": "specs/./evil.json",
    "an_empty_folder_in_a_name": "specs//evil.json",
    "a_backslash": "specs\\..\\..\\evil",
    "two_lines_in_a_name": "specs/a\nb.json",
    "a_name_longer_than_files_have": "specs/" + "a" * 300,
    "a_path_longer_than_systems_have": "specs/" + "a/" * 3000 + "b",
    "a_file_below_a_file": "manifest.json/evil",
    "an_extra_file": "specs/evil.json",
}.items():
    KINDS.append(Kind(label, of_name(name_of_member), frozenset({2})))


def of_type(name: str, type_of: bytes, target: str) -> Callable[[random.Random, Members], bytes]:
    return lambda rng, members: packed(members, (special(name, type_of, target), b""))


for label, (name_of_member, type_of_member, target_of_member) in {
    "a_symbolic_link": ("traces/evil.h5", tarfile.SYMTYPE, "/etc/passwd"),
    "a_link_to_a_folder_above": ("specs/above", tarfile.SYMTYPE, "../.."),
    "a_hard_link": ("traces/evil.h5", tarfile.LNKTYPE, "manifest.json"),
    "a_pipe": ("traces/evil.h5", tarfile.FIFOTYPE, ""),
    "a_device": ("traces/evil.h5", tarfile.CHRTYPE, ""),
    "an_unknown_type": ("traces/evil.h5", b"Z", ""),
}.items():
    KINDS.append(Kind(label, of_type(name_of_member, type_of_member, target_of_member), frozenset({2})))


@kind()
def a_file_through_a_link(rng: random.Random, members: Members) -> bytes:
    link = special("specs/out", tarfile.SYMTYPE, "/tmp")
    return packed(members, (link, b""), (tarfile.TarInfo("specs/out/evil"), b"evil"))


@kind()
def a_member_twice(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "")
    return packed(members, (tarfile.TarInfo(name), members[name]))


# === Checksums


@kind()
def a_changed_table(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "csv/")
    members[name] = members[name].replace(b"0.", b"1.", 1) + b"0"
    return packed(members)


@kind()
def no_checksums(rng: random.Random, members: Members) -> bytes:
    del members["SHA256SUMS"]
    return packed(members)


def with_lines(
    change: Callable[[random.Random, list[bytes]], list[bytes]]
) -> Callable[[random.Random, Members], bytes]:
    def work(rng: random.Random, members: Members) -> bytes:
        lines = change(rng, members["SHA256SUMS"].splitlines(keepends=True))
        return packed({**members, "SHA256SUMS": b"".join(lines)})

    return work


for label, change_of_lines in {
    "a_checksum_less": lambda rng, lines: lines[:-1],
    "a_checksum_twice": lambda rng, lines: lines + lines[:1],
    "a_checksum_of_nothing": lambda rng, lines: lines + [b"0" * 64 + b"  specs/absent.json\n"],
    "another_checksum": lambda rng, lines: [b"0" * 64 + lines[0][64:], *lines[1:]],
    "checksums_of_one_blank": lambda rng, lines: [line.replace(b"  ", b" ") for line in lines],
    "checksums_in_no_utf8": lambda rng, lines: lines + [b"\xff\xfe\n"],
}.items():
    KINDS.append(Kind(label, with_lines(change_of_lines), frozenset({2})))


# === Manifest


def of_entries(change: Callable[[list[dict[str, Any]]], object]) -> Callable[[random.Random, Members], bytes]:
    return lambda rng, members: with_manifest(members, lambda about: change(about["traces"]))


for label, change_of_entries in {
    "another_status": lambda of: of[0].__setitem__("status", "diverged"),
    "another_reason": lambda of: of[0].__setitem__("status_reason", "none"),
    "another_commit": lambda of: of[0].__setitem__("git_commit", "0" * 40),
    "another_state": lambda of: of[0].__setitem__("git_state", "pristine"),
    "another_method": lambda of: of[0].__setitem__("method", "xpbd_of_ours"),
    "another_experiment": lambda of: of[0].__setitem__("experiment", "cross/twist"),
    "another_digest": lambda of: of[0].__setitem__("sha256", "0" * 64),
    "another_method_fingerprint": lambda of: of[0].__setitem__("method_fingerprint", "0" * 32),
    "another_harness_fingerprint": lambda of: of[0].__setitem__("harness_fingerprint", "0" * 32),
    "a_scene_of_nowhere": lambda of: of[0].__setitem__("scene_file", "scenes/0/evil.json"),
    "a_scene_above": lambda of: of[0].__setitem__("scene_file", "../../evil.json"),
    "an_entry_twice": lambda of: of.append(of[0]),
    "an_entry_less": lambda of: of.pop(),
    "no_entries": lambda of: of.clear(),
    "a_file_that_is_a_number": lambda of: of[0].__setitem__("file", 7),
    "a_file_above": lambda of: of[0].__setitem__("file", "../" + of[0]["file"]),
}.items():
    KINDS.append(Kind(label, of_entries(change_of_entries), frozenset({2})))


@kind()
def no_manifest(rng: random.Random, members: Members) -> bytes:
    del members["manifest.json"]
    return renewed(members)


@kind()
def a_manifest_of_anything(rng: random.Random, members: Members) -> bytes:
    members["manifest.json"] = rng.choice([b"", b"[]", b"{", b"[" * 100_000, b"\xff", b"null", b'{"traces": 1}'])
    return renewed(members, manifest=False)


@kind()
def a_manifest_of_a_later_version(rng: random.Random, members: Members) -> bytes:
    return with_manifest(members, lambda about: about.__setitem__("format_version", 2))


# === Specs, tables, traces and lists that contradict each other, with fitting checksums


@kind()
def a_changed_spec(rng: random.Random, members: Members) -> bytes:
    return with_json(members, some(rng, members, "specs/"), lambda spec: spec["schedule"].__setitem__("steps", 3))


@kind()
def a_spec_of_another_cell(rng: random.Random, members: Members) -> bytes:
    one, two = sorted(n for n in members if n.startswith("specs/"))[:2]
    members[one] = members[two]
    return renewed(members)


@kind()
def no_spec(rng: random.Random, members: Members) -> bytes:
    del members[some(rng, members, "specs/")]
    return renewed(members)


@kind()
def a_spec_of_anything(rng: random.Random, members: Members) -> bytes:
    members[some(rng, members, "specs/")] = rng.choice([b"{}", b"7", b"{", b'{"method": []}', b'{"scene": 7}'])
    return renewed(members)


@kind()
def a_changed_number_in_a_table(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "csv/")
    rows = members[name].splitlines(keepends=True)
    rows[-1] = b"9" + rows[-1]
    members[name] = b"".join(rows)
    return renewed(members)


@kind()
def a_row_less(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "csv/")
    members[name] = b"".join(members[name].splitlines(keepends=True)[:-1])
    return renewed(members)


@kind()
def another_unit(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "csv/")
    members[name] = members[name].replace(b"[", b"[k", 1)
    return renewed(members)


@kind()
def a_table_less(rng: random.Random, members: Members) -> bytes:
    del members[some(rng, members, "csv/")]
    return renewed(members)


@kind()
def a_table_more(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "csv/")
    members[name.rsplit("/", 1)[0] + "/evil.csv"] = members[name]
    return renewed(members)


@kind()
def a_table_of_words_without_traces(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "csv/")
    members[name] += b"x" * members[name].splitlines()[-1].count(b",") + b"\n"
    return renewed(members)


@kind()
def a_damaged_trace(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "traces/")
    data = bytearray(members[name])
    data[rng.randrange(512, len(data))] ^= 1 << rng.randrange(8)
    members[name] = bytes(data)
    return renewed(members)


@kind()
def a_trace_of_another_cell(rng: random.Random, members: Members) -> bytes:
    one, two = sorted(n for n in members if n.startswith("traces/"))[:2]
    members[one] = members[two]
    return renewed(members)


@kind()
def a_trace_that_is_text(rng: random.Random, members: Members) -> bytes:
    members[some(rng, members, "traces/")] = b"no trace\n" * 100
    return renewed(members)


@kind()
def a_trace_less(rng: random.Random, members: Members) -> bytes:
    del members[some(rng, members, "traces/")]
    return renewed(members)


def _cell_less(rng: random.Random, members: Members) -> str:
    """Removes all of a cell but its line in the list; its file."""
    trace = some(rng, members, "traces/")
    stem = trace.removeprefix("traces/").removesuffix(".h5")
    for name in [n for n in members if n in (trace, f"specs/{stem}.json") or n.startswith(f"csv/{stem}/")]:
        del members[name]
    about = json.loads(members["manifest.json"])
    about["traces"] = [e for e in about["traces"] if e["file"] != f"{stem}.h5"]
    members["manifest.json"] = json.dumps(about).encode()
    return stem


@kind(4, 6)
def a_cell_less(rng: random.Random, members: Members) -> bytes:
    _cell_less(rng, members)
    return renewed(members)


@kind()
def a_cell_less_in_the_list_too(rng: random.Random, members: Members) -> bytes:
    stem = _cell_less(rng, members)
    name = some(rng, members, "lists/")
    return with_json(
        members, name, lambda of: of.update(cells=[c for c in of["cells"] if c["cell_id"] != stem.rsplit("/", 1)[-1]])
    )


@kind()
def a_changed_spec_in_the_trace_too(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "traces/")
    spec_name = name.replace("traces/", "specs/").replace(".h5", ".json")
    spec = json.loads(members[spec_name])
    spec["seed"] = spec["seed"] + 1
    members[spec_name] = json.dumps(spec).encode()
    with_trace(members, name, lambda file: file["provenance"].attrs.__setitem__("spec", json.dumps(spec)))
    return renewed(members)


@kind()
def a_changed_value_in_the_trace(rng: random.Random, members: Members) -> bytes:
    def change(file: h5py.File) -> None:
        names = [n for n in file["series/step"] if n not in ("step", "time")]
        data = file["series/step"][rng.choice(names)]
        data[...] = data[...] * 3 + 1

    with_trace(members, some(rng, members, "traces/"), change)
    return renewed(members)


def of_dataset(add: Callable[[h5py.File], object]) -> Callable[[random.Random, Members], bytes]:
    """One more object in a trace, with a digest that fits."""

    def work(rng: random.Random, members: Members) -> bytes:
        with_trace(members, some(rng, members, "traces/"), add)
        return renewed(members)

    return work


def _virtual(file: h5py.File) -> None:
    layout = h5py.VirtualLayout((3,), "f8")
    layout[:] = h5py.VirtualSource("/etc/passwd", "values", (3,))
    file.create_virtual_dataset("series/step/more", layout)


for label, addition in {
    "a_huge_dataset": lambda f: f.create_dataset("series/step/more", (1 << 40,), "f8", chunks=(1 << 20,)),
    "an_external_link": lambda f: f.__setitem__("series/step/more", h5py.ExternalLink("/etc/passwd", "values")),
    "a_soft_link": lambda f: f.__setitem__("series/step/more", h5py.SoftLink("/series/step")),
    "a_virtual_dataset": _virtual,
    "a_dataset_in_another_file": lambda f: f.create_dataset(
        "series/step/more", (3,), "f8", external=[("/etc/passwd", 0, 24)]
    ),
}.items():
    KINDS.append(Kind(label, of_dataset(addition), frozenset({2})))


@kind()
def a_digest_promised_and_not_there(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "traces/")
    members[name] = members[name][:440] + bytes(72) + members[name][512:]
    return renewed(members)


def of_list(change: Callable[[Any], object]) -> Callable[[random.Random, Members], bytes]:
    return lambda rng, members: with_json(members, some(rng, members, "lists/"), change)


for label, (change_of_list, codes_of_list) in {
    "a_cell_that_nobody_declared": (lambda of: of["cells"].append({**of["cells"][0], "cell_id": "0" * 32}), {2}),
    "other_coordinates_in_the_list": (lambda of: of["cells"][0].__setitem__("coordinates", {"seed": 9}), {2}),
    "another_row_in_the_list": (lambda of: of["cells"][0].__setitem__("method", "ours"), {2}),
    "another_build_in_the_list": (lambda of: of.__setitem__("harness_fingerprint", "0" * 32), {4, 6}),
    "another_code_in_the_list": (lambda of: of["cells"][0].__setitem__("method_fingerprint", "0" * 32), {4, 6}),
    "another_declaration_in_the_list": (lambda of: of["declaration"].__setitem__("seed", 99), {2, 4, 6}),
    "cells_that_are_a_text": (lambda of: of.__setitem__("cells", "all"), {2}),
}.items():
    KINDS.append(Kind(label, of_list(change_of_list), frozenset(codes_of_list)))


@kind(4, 6)
def no_list(rng: random.Random, members: Members) -> bytes:
    del members[some(rng, members, "lists/")]
    return renewed(members)


@kind()
def a_list_of_an_unknown_tier(rng: random.Random, members: Members) -> bytes:
    name = some(rng, members, "lists/")
    members[name.replace("smoke", "evil")] = members[name]
    return renewed(members)


@kind()
def a_list_of_nothing_that_is_there(rng: random.Random, members: Members) -> bytes:
    members["lists/cross/twist/smoke.cells.json"] = members[some(rng, members, "lists/")]
    return renewed(members)

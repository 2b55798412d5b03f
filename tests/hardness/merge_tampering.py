# SPDX-License-Identifier: BSD-3-Clause
"""Tampering with two folders of results of the same cells, which `merge` is to refuse or to leave behind."""

import hashlib
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from trials import End, faults_of, h5py

OUT = "merged"
Work = Callable[[random.Random, Path], object]


def traces(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.h5"))


def one_list(folder: Path) -> Path:
    return sorted(folder.rglob("*.cells.json"))[0]


def in_list(change: Callable[[dict], object]) -> Work:  # type: ignore[type-arg]
    def work(rng: random.Random, folder: Path) -> None:
        path = one_list(folder / "two")
        of = json.loads(path.read_text(encoding="utf-8"))
        change(of)
        path.write_text(json.dumps(of), encoding="utf-8")

    return work


def in_trace(change: Callable[[h5py.File], object]) -> Work:
    """With a digest that fits again."""

    def work(rng: random.Random, folder: Path) -> None:
        path = rng.choice(traces(folder / "two"))
        with h5py.File(path, "r+") as file:
            change(file)
        data = bytearray(path.read_bytes())
        data[440:512] = f"sha256 {hashlib.sha256(data[:440] + data[512:]).hexdigest()}\n".encode()
        path.write_bytes(data)

    return work


def in_bytes(change: Callable[[random.Random, bytearray], object]) -> Work:
    def work(rng: random.Random, folder: Path) -> None:
        path = rng.choice(traces(folder / "two"))
        data = bytearray(path.read_bytes())
        change(rng, data)
        path.write_bytes(data)

    return work


def replaced(make: Callable[[Path], object]) -> Work:
    def work(rng: random.Random, folder: Path) -> None:
        path = rng.choice(traces(folder / "two"))
        path.unlink()
        make(path)

    return work


def of_another_cell(rng: random.Random, folder: Path) -> None:
    one, two = traces(folder / "two")[:2]
    one.write_bytes(two.read_bytes())


def an_ulp(file: h5py.File) -> None:
    data = file["series/step"][sorted(n for n in file["series/step"] if n not in ("step", "time"))[0]]
    values = data[...]
    values.view("u1").reshape(-1)[:1] ^= 1
    data[...] = values


def cut(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data)) :]


def flip(rng: random.Random, data: bytearray) -> None:
    data[rng.randrange(512, len(data))] ^= 1 << rng.randrange(8)


def provenance(key: str, value: str) -> Work:
    return in_trace(lambda file: file["provenance"].attrs.__setitem__(key, value))


# Name → what is done to the folder `two` of `one` and `two`, and how merge may end.
KINDS: dict[str, tuple[Work, set[int]]] = {
    "a flipped bit": (in_bytes(flip), {2}),
    "cut off": (in_bytes(cut), {2}),
    "no digest where one is promised": (in_bytes(lambda rng, d: d.__setitem__(slice(440, 512), bytes(72))), {2}),
    "a trace of another cell": (of_another_cell, {2}),
    "another last bit": (in_trace(an_ulp), {2}),
    "another status": (in_trace(lambda f: f.attrs.__setitem__("status", "diverged")), {2}),
    "another cell's name within": (in_trace(lambda f: f.attrs.__setitem__("cell_id", "0" * 32)), {2}),
    "another experiment within": (in_trace(lambda f: f.attrs.__setitem__("experiment", "cross/twist")), {2}),
    "a channel less": (in_trace(lambda f: f["series/step"].__delitem__(sorted(f["series/step"])[0])), {2}),
    "a channel more": (in_trace(lambda f: f["series/step"].__setitem__("evil", f["series/step/time"][...])), {2}),
    "a spec that is no JSON": (provenance("spec", "{"), {2}),
    "a spec that is no cell": (provenance("spec", "[]"), {2}),
    "a trace of another build": (provenance("harness_fingerprint", "0" * 32), {0}),  # left behind; `one` has the cell
    "a trace of other code": (provenance("method_fingerprint", "0" * 32), {0}),
    "a text for a trace": (replaced(lambda p: p.write_text("no trace")), {2}),
    "nothing for a trace": (replaced(lambda p: p.touch()), {2}),
    "a pipe for a trace": (replaced(os.mkfifo), {2}),
    "a folder for a trace": (replaced(lambda p: p.mkdir()), {2}),
    "a link to itself": (replaced(lambda p: p.symlink_to(p)), {2}),
    "a list of another build": (in_list(lambda of: of.__setitem__("harness_fingerprint", "0" * 32)), {2}),
    "a list of another declaration": (in_list(lambda of: of["declaration"].__setitem__("seed", 9)), {2}),
    "a list of another experiment": (in_list(lambda of: of.__setitem__("experiment", "cross/twist")), {2}),
    "a list with a cell less": (in_list(lambda of: of["cells"].pop()), {2}),
    "a list with a cell more": (in_list(lambda of: of["cells"].append({**of["cells"][0], "cell_id": "0" * 32})), {2}),
    "a list with other coordinates": (in_list(lambda of: of["cells"][0].__setitem__("coordinates", {"a": 1})), {2}),
    "a list that is a text": (lambda rng, f: one_list(f / "two").write_text("all"), {2}),
    "a list that is deep": (lambda rng, f: one_list(f / "two").write_text("[" * 100_000), {2}),
    "a list that is a number": (lambda rng, f: one_list(f / "two").write_text("7"), {2}),
    "a folder too deep": (lambda rng, f: shutil.copytree(f / "one", f / "two" / "a" / "b"), {2}),
    "a folder that is full": (lambda rng, f: (f / OUT / "mine").mkdir(parents=True), {2}),
    "no folder": (lambda rng, f: shutil.rmtree(f / "two"), {2}),
}


def trial(results: Path, rng: random.Random, folder: Path, run_verb: Callable[[list[str], Path], End]) -> list[str]:
    """Applies every kind once to copies of the results; what is at fault."""
    faults = []
    for name, (work, codes) in {"untouched": (lambda rng, f: None, {0}), **KINDS}.items():
        place = folder / "merge"
        for copy in ("one", "two"):
            shutil.copytree(results, place / copy)
        work(rng, place)
        end = run_verb(["merge", *(str(place / p) for p in ("one", "two")), "--out", str(place / OUT)], place)
        faults += [f"merge, {name}: {fault}" for fault in faults_of(end, codes, one_line=True)]
        left = {p.name for p in place.iterdir()} - {"one", "two", "tmp", "fork.out", "fork.err"}
        if end.code == 0:
            same = {p.name: p.read_bytes() for p in traces(place / OUT)} == {
                p.name: p.read_bytes() for p in traces(results)
            }
            faults += [] if same else [f"merge, {name}: other traces than those of the first folder"]
        elif left - ({OUT} if name == "a folder that is full" else set()):
            faults.append(f"merge, {name}: left over: {sorted(left)}")
        shutil.rmtree(place)
    return faults

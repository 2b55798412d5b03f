# SPDX-License-Identifier: BSD-3-Clause
"""Flipped bytes, truncations and overwritten blocks of finished traces and of parts: validate, diff,
recover, measure.

A finished trace carries a digest, and whatever is changed in it is to be noticed. The same trace without a digest, as
other programs write it, shows what HDF5 makes of the damage: no command may end otherwise than with an answer or one
line."""

import os
import random
import sys
from dataclasses import dataclass
from pathlib import Path

from kills_trials import write_declaration
from trials import LONGEST_READ, ROOT, Tools, faults_of, h5py, in_process, run

EXPERIMENT = "mueller_et_al_2007/order_oscillation"
DIGEST_AT, BLOCK = 440, 512


@dataclass
class Setup:
    tools: Tools
    samples: dict[str, bytes]  # by kind
    measured: Path  # folder of results that is measured
    whole: Path


def without_digest(path: Path) -> bytes:
    """The bytes of a copy that carries no digest and promises none."""
    copy = path.with_suffix(".foreign")
    copy.write_bytes(path.read_bytes())
    with h5py.File(copy, "r+") as file:
        del file["provenance"].attrs["digest"]
    data = bytearray(copy.read_bytes())
    copy.unlink()
    data[DIGEST_AT:BLOCK] = bytes(BLOCK - DIGEST_AT)
    return bytes(data)


def prepare(tools: Tools, scratch: Path) -> Setup:
    sys.path.insert(0, str(ROOT / "analysis"))
    os.environ["DEFORMBENCH_DATA"] = str(ROOT)
    import deformbench_analysis.cli  # noqa: F401  (loaded once, before the forks)

    end = run([tools.deformbench, "run", EXPERIMENT, "--tier", "smoke", "--out", "out"], scratch)
    assert end.code == 0, end.err
    declaration = write_declaration(scratch)
    count = scratch / "writes"
    words = [tools.faulty, "run", declaration, "--out", "cloth"]
    end = run(words, scratch, environment={"FAULTY_WRITES": str(count)})
    assert end.code == 0, end.err
    environment = {"FAULTY_KILL_AT_WRITE": count.read_text(encoding="ascii"), "FAULTY_KILL_PARENT": "1"}
    run([*words[:-1], "parts"], scratch, environment=environment)
    (cloth,), (part,) = (scratch / "cloth").rglob("*.h5"), (scratch / "parts").rglob("*.h5.part")
    ensemble = sorted((scratch / "out").rglob("*.h5"))[0]
    return Setup(
        tools,
        {
            "trace": cloth.read_bytes(),
            "foreign": without_digest(cloth),
            "measured": ensemble.read_bytes(),
            "measured foreign": without_digest(ensemble),
            "part": part.read_bytes(),
        },
        scratch / "out",
        cloth,
    )


def damaged(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    first = 0 if rng.random() < 0.2 else BLOCK
    for _ in range(rng.choice([1, 1, 1, 2, 8, 64])):
        at = rng.randrange(first, len(changed))
        way = rng.randrange(6)
        if way == 0:
            changed[at] ^= 1 << rng.randrange(8)
        elif way == 1:
            changed[at] = rng.randrange(256)
        elif way == 2:
            length = rng.choice([4, 8, 64, 512, 4096])
            changed[at : at + length] = bytes([rng.choice([0, 0xFF, rng.randrange(256)])]) * len(
                changed[at : at + length]
            )
        elif way == 3:
            length = rng.choice([8, 512, 4096])
            other = rng.randrange(first, len(changed))
            changed[at : at + length] = changed[other : other + length][: len(changed[at : at + length])]
        elif way == 4:
            changed[at : at + 8] = rng.randbytes(len(changed[at : at + 8]))
        else:
            # Small offsets decide most: the superblock, the root group, its first children.
            near = rng.randrange(first, min(len(changed), BLOCK + 4096))
            changed[near] ^= 1 << rng.randrange(8)
    if rng.random() < 0.2:
        del changed[rng.randrange(len(changed)) :]
    elif rng.random() < 0.05:
        changed += rng.randbytes(rng.choice([1, 512, 100_000]))
    return bytes(changed)


def trial(setup: Setup, rng: random.Random, folder: Path) -> list[str]:
    kind = rng.choice(list(setup.samples))
    whole = setup.samples[kind]
    data = damaged(whole, rng)
    if data == whole:
        return []
    if kind == "part":
        return recovered(setup, data, folder)
    if kind.startswith("measured"):
        return measured(setup, data, "foreign" not in kind, folder)
    path = folder / "damaged.h5"
    path.write_bytes(data)
    # A changed file that carried a digest never conforms; without one the change may be in a value.
    end = run([setup.tools.deformbench, "validate", path], folder, LONGEST_READ)
    faults = faults_of(end, {2} if kind == "trace" else {0, 2})
    ends = {2} if kind == "trace" else {0, 2, 4}
    end = run([setup.tools.deformbench, "diff", path, setup.whole], folder, LONGEST_READ)
    return faults + faults_of(end, ends, one_line=True)


def recovered(setup: Setup, data: bytes, folder: Path) -> list[str]:
    part = folder / "cell.h5.part"
    part.write_bytes(data)
    end = run([setup.tools.deformbench, "recover", part], folder, LONGEST_READ)
    faults = faults_of(end, {0, 2})
    result = folder / "cell.recovered.h5"
    if end.code == 0:
        faults += faults_of(run([setup.tools.deformbench, "validate", result], folder, LONGEST_READ), {0, 2})
    left = [p.name for p in folder.iterdir() if p not in (part, result)]
    return faults + [f"left over: {name}" for name in left]


def measured(setup: Setup, data: bytes, has_digest: bool, folder: Path) -> list[str]:
    """A folder of results in which one trace is damaged, judged by Python."""
    from deformbench_analysis import cli

    results = folder / "results"
    target = sorted(setup.measured.rglob("*.h5"))[0]
    for source in setup.measured.rglob("*"):
        place = results / source.relative_to(setup.measured)
        if source.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data if source == target else source.read_bytes())
    words = ["measure", str(results), "--tier", "smoke", "--experiment", EXPERIMENT]
    end = in_process(" ".join(words), lambda: int(cli.main(words)), folder, LONGEST_READ)
    # Without a digest a damaged value may be measured, a damaged declaration leave nothing to measure.
    faults = faults_of(end, {2} if has_digest else {0, 2, 5}, one_line=True)
    words = ["surfaces", str(results / target.relative_to(setup.measured)), "--to", str(folder / "surfaces")]
    end = in_process(" ".join(words), lambda: int(cli.main(words)), folder, LONGEST_READ)
    return faults + faults_of(end, {2} if has_digest else {0, 2, 5}, one_line=True)

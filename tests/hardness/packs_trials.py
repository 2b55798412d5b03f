# SPDX-License-Identifier: BSD-3-Clause
"""Tampering with archives of results and with folders that are merged: `verify PACK` and `merge` refuse each kind.

A trial applies every kind once, at a place that its seed draws. Where a kind says so, digests, manifest and checksums
are renewed after the change: what is then found is the contradiction between the parts. Refused is exit code 2 with
one line, or 4 (cells missing) or 6 (another verdict) where a kind allows it; nothing may be left or written elsewhere.
"""

import os
import random
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import merge_tampering
from pack_tampering import KINDS, members_of
from trials import LONGEST_READ, ROOT, End, Tools, faults_of, in_process, run

EXPERIMENT = "mueller_et_al_2007/order_oscillation"


@dataclass
class Setup:
    whole: bytes  # the archive with traces
    bare: bytes  # without
    results: Path


def verified(words: list[str], folder: Path) -> End:
    from deformbench_analysis import cli

    (folder / "tmp").mkdir(exist_ok=True)

    def work() -> int:
        import tempfile

        tempfile.tempdir = str(folder / "tmp")
        return int(cli.main(words))

    return in_process(" ".join(words[:2]), work, folder, LONGEST_READ)


def prepare(tools: Tools, scratch: Path) -> Setup:
    sys.path.insert(0, str(ROOT / "analysis"))
    os.environ["DEFORMBENCH_DATA"], os.environ["DEFORMBENCH"] = str(ROOT), tools.deformbench
    from deformbench_analysis import cli

    end = run([tools.deformbench, "run", EXPERIMENT, "--tier", "smoke", "--out", "out"], scratch)
    assert end.code == 0, end.err
    for name, more in (("whole", ["--traces"]), ("bare", [])):
        assert cli.main(["pack", str(scratch / "out"), "--to", str(scratch / f"{name}.tar.gz"), *more]) == 0
        end = verified(["verify", str(scratch / f"{name}.tar.gz"), "--tier", "smoke"], scratch)
        assert end.code == 0, end.brief()
    return Setup((scratch / "whole.tar.gz").read_bytes(), (scratch / "bare.tar.gz").read_bytes(), scratch / "out")


def trial(setup: Setup, rng: random.Random, folder: Path) -> list[str]:
    faults = []
    whole, bare = members_of(setup.whole), members_of(setup.bare)
    for one in KINDS:
        place = folder / one.name
        place.mkdir()
        archive = place / "pack.tar.gz"
        archive.write_bytes(one.work(rng, dict(bare if one.name.endswith("without_traces") else whole)))
        end = verified(["verify", str(archive), "--tier", "smoke"], place)
        faults += [f"{one.name}: {fault}" for fault in faults_of(end, one.codes, one_line=True)]
        expected = {archive, place / "tmp", place / "fork.out", place / "fork.err"}
        faults += [f"{one.name}: left over: {p}" for p in {*place.rglob("*"), *place.parent.glob("evil*")} - expected]
        shutil.rmtree(place)
    return faults + merge_tampering.trial(setup.results, rng, folder, verified)

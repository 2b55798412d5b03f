# SPDX-License-Identifier: BSD-3-Clause
"""Full disks: a small file system in memory where mounts are allowed, a limit on the size of files elsewhere.

A cell that cannot be written is a failed cell, a file that cannot be written is bad input; what was there stays as it
was, and with room again the next run completes."""

import ctypes
import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trials import Tools, faults_of, limits, litter_in, run

EXPERIMENT = "mueller_et_al_2007/order_oscillation"
AMPLE = "64m"
CLONE_NEWNS = 0x00020000  # unshare(2)


@dataclass
class Setup:
    tools: Tools
    reference: Path
    bytes: int  # of all that a run writes
    can_mount: bool


def prepare(tools: Tools, scratch: Path) -> Setup:
    end = run([tools.deformbench, "run", EXPERIMENT, "--tier", "smoke", "--out", "out"], scratch)
    assert end.code == 0, end.err
    probe = scratch / "probe"
    probe.mkdir()
    can_mount = own_mounts() and mount(probe, "1m")
    if can_mount:
        subprocess.run(["umount", probe], check=True)
    else:
        print("disk: no mount is allowed here; files are limited in size instead", flush=True)
    size = sum(p.stat().st_size for p in (scratch / "out").rglob("*") if p.is_file())
    return Setup(tools, scratch / "out", size, can_mount)


def own_mounts() -> bool:
    """Gives this process mounts of its own, which end with it; false where that is not allowed."""
    if os.geteuid() != 0 or ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
        return False
    return subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True, check=False).returncode == 0


def mount(folder: Path, size: str, option: str = "") -> bool:
    words = ["mount", "-t", "tmpfs", "-o", f"{option}size={size}", "tmpfs", str(folder)]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


@contextmanager
def small_disk(setup: Setup, folder: Path, size: int) -> Iterator[bool]:
    """Whether `folder` is a disk of its own."""
    mounted = setup.can_mount and mount(folder, str(size))
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", folder], check=True)


def trial(setup: Setup, rng: random.Random, folder: Path) -> list[str]:
    disk = folder / "disk"
    disk.mkdir()
    size = rng.randint(4096, int(setup.bytes * 1.2)) // 4096 * 4096
    with small_disk(setup, disk, size) as mounted:
        before = limits() if mounted else limits(file_size=size // 3)
        return attempts(setup, rng, disk, mounted, before)


def attempts(setup: Setup, rng: random.Random, disk: Path, mounted: bool, before: object) -> list[str]:
    command = setup.tools.deformbench
    words = [command, "run", EXPERIMENT, "--tier", "smoke", "--out", disk / "out"]
    kind = rng.choice(["run", "run", "run", "simulate", "pack", "surfaces"])
    if kind == "pack":
        end = run(
            [command, "pack", setup.reference, "--to", disk / "all.tar.gz", "--traces"], disk.parent, before=before
        )
        return faults_of(end, {0, 2}) + cut_short(disk, {"all.tar.gz"}, end.code)
    if kind == "surfaces":
        trace = sorted(setup.reference.rglob("*.h5"))[0]
        end = run([command, "paraview", trace, "--to", disk / "paraview"], disk.parent, before=before)
        return faults_of(end, {0, 2, 5})
    if kind == "simulate":
        words = [
            command,
            "simulate",
            "single_tetrahedron",
            "--method",
            "linear_fem",
            "--steps",
            "4000",
            "--out",
            disk / "out",
        ]
    end = run(words, disk.parent, before=before)
    faults = faults_of(end, {0, 2, 4})
    for trace in disk.rglob("*.h5"):
        faults += faults_of(run([command, "validate", trace], disk.parent), {0})
    if mounted:
        assert mount(disk, AMPLE, "remount,")
    if kind == "run":
        words.append("--retry-failed")
    else:
        words.append("--force")
    faults += faults_of(run(words, disk.parent), {0})
    return faults + [f"left over: {name}" for name in litter_in(disk / "out")]


def cut_short(disk: Path, names: set[str], code: int | None) -> list[str]:
    """A file that could not be written does not stand there under its name."""
    if code == 0:
        return []
    return [f"left over after exit code {code}: {p.name}" for p in disk.iterdir() if p.name in names or p.is_file()]

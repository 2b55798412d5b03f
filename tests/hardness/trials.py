# SPDX-License-Identifier: BSD-3-Clause
"""What the kinds of trials have in common: a command run within limits, its end judged, traces compared."""

import os
import random
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")  # of this process: reading needs no lock

import h5py
import numpy as np

EXIT_OK, EXIT_FAULT = 0, 6
INTERNAL_ERROR = 1
ROOT = Path(__file__).resolve().parents[2]
MEMORY = 6 << 30  # of a command: one that wants more is at fault, and must not take the machine with it
LONGEST_READ = 180.0  # seconds: reading a file of a trial is given up after 15 of processor time or ten times that
LONGEST_LINE = 2000  # of a message; more is no clear line


class Unavailable(Exception):
    """An executable is missing."""


@dataclass(frozen=True)
class Tools:
    """The command, the command with a method that can be told to fail, and the reader of meshes."""

    deformbench: str
    faulty: str
    mesh_reader: str

    @staticmethod
    def of_environment() -> "Tools":
        build = ROOT / "build" / "release"
        tools = Tools(
            os.environ.get("DEFORMBENCH", str(build / "bin/deformbench")),
            os.environ.get("FAULTY_DEFORMBENCH", str(build / "tests/harness/commands/faulty_deformbench")),
            os.environ.get("MESH_READER", str(build / "tests/hardness/mesh_reader")),
        )
        for path in (tools.deformbench, tools.faulty, tools.mesh_reader):
            if not os.access(path, os.X_OK):
                raise Unavailable(f"{path}: no such executable; build it, or name another one in the environment")
        return tools


def generator(kind: str, number: int) -> random.Random:
    return random.Random(f"{kind} {number}")


# === Commands


@dataclass(frozen=True)
class End:
    words: tuple[str, ...]
    code: int | None  # None: it hung and was killed; negative: the signal
    out: str
    err: str
    seconds: float

    def brief(self) -> str:
        line = " ".join(w if len(w) < 80 else w[:77] + "…" for w in self.words)
        last = self.err.strip().splitlines()[-1:] or self.out.strip().splitlines()[-1:] or [""]
        return f"`{line}` ended with {self.code}: {last[0][:300]}"


def limits(memory: int = MEMORY, file_size: int | None = None) -> Callable[[], None]:
    """For the child, before it becomes the command."""

    def apply() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not os.environ.get("HARDNESS_NO_MEMORY_LIMIT"):  # sanitizers reserve more than any limit
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if file_size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

    return apply


def start(
    words: Sequence[str | Path],
    cwd: Path,
    *,
    environment: dict[str, str] | None = None,
    before: Callable[[], None] | None = None,
) -> "Running":
    return Running(tuple(map(str, words)), cwd, environment or {}, before or limits())


class Running:
    """A command with its output in files; end() waits for it."""

    def __init__(self, words: tuple[str, ...], cwd: Path, environment: dict[str, str], before: Callable[[], None]):
        self.words = words
        self.output = [tempfile.TemporaryFile() for _ in range(2)]
        self.begun = time.monotonic()
        self.process = subprocess.Popen(
            words,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=self.output[0],
            stderr=self.output[1],
            env={**os.environ, "DEFORMBENCH_DATA": str(ROOT), **environment},
            preexec_fn=before,
            start_new_session=True,
        )

    def end(self, limit: float = 60.0) -> End:
        code: int | None
        try:
            code = self.process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            code = None
        texts = []
        for file in self.output:
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
            file.close()
        return End(self.words, code, texts[0], texts[1], time.monotonic() - self.begun)


def run(words: Sequence[str | Path], cwd: Path, limit: float = 60.0, **more: object) -> End:
    return start(words, cwd, **more).end(limit)  # type: ignore[arg-type]


def in_process(name: str, work: Callable[[], int], folder: Path, limit: float = 60.0) -> End:
    """As run(), of a Python function in a fork of this process: the interpreter and its modules are loaded once."""
    begun = time.monotonic()
    out, err = folder / "fork.out", folder / "fork.err"
    child = os.fork()
    if child == 0:
        code = INTERNAL_ERROR
        try:
            limits()()
            for path, descriptor in ((out, 1), (err, 2)):
                os.dup2(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY), descriptor)
            import sys

            sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)
            try:
                code = work()
            except SystemExit as end:
                code = int(end.code or 0)
            except BaseException:
                import traceback

                traceback.print_exc()
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    code_seen: int | None = None
    while time.monotonic() < begun + limit:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code_seen = os.waitstatus_to_exitcode(status)
            break
        time.sleep(0.002)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    texts = [p.read_text(encoding="utf-8", errors="replace") if p.exists() else "" for p in (out, err)]
    return End((name,), code_seen, texts[0], texts[1], time.monotonic() - begun)


def faults_of(end: End, promised: Iterable[int], one_line: bool = False) -> list[str]:
    """What of an end was not promised. `one_line`: bad input is said in exactly one line."""
    allowed = set(promised)
    if end.code is None:
        return [f"hang: {end.brief()} after {end.seconds:.0f} s"]
    if end.code < 0 or end.code >= 128:
        return [f"signal: {end.brief()}"]
    if end.code == INTERNAL_ERROR or "Traceback (most recent call last)" in end.err or "internal error" in end.err:
        return [f"internal error: {end.brief()}"]
    if end.code not in allowed:
        return [f"exit code, promised {sorted(allowed)}: {end.brief()}"]
    lines = [line for line in end.err.splitlines() if line.strip()]
    if end.code == 2 and (not lines or (one_line and len(lines) != 1)):
        return [f"{len(lines)} lines instead of one: {end.brief()}"]
    if any(len(line) > LONGEST_LINE for line in lines):
        return [f"a message of {max(map(len, lines))} characters: {end.brief()}"]
    return []


# === Traces


def arrays_of(file: h5py.File) -> dict[str, np.ndarray]:
    """Every dataset below /series, /events and /frames by its path."""
    found: dict[str, np.ndarray] = {}

    def visit(name: str, node: object) -> None:
        if isinstance(node, h5py.Dataset) and name.split("/")[0] in ("series", "events", "frames"):
            found[name] = node[...]

    file.visititems(visit)
    for name, node in file.get("frames", {}).items():  # visititems meets a hard link once
        for array, data in node.items():
            found[f"frames/{name}/{array}"] = data[...]
    return found


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return bool((a == b).all()) if a.dtype == object else a.tobytes() == b.tobytes()


def prefix_faults(part: Path, whole: dict[str, np.ndarray]) -> tuple[int, list[str]]:
    """Rows of all clocks and whole frames of a trace, and where it is no bitwise prefix of the reference."""
    faults = []
    rows = 0
    with h5py.File(part, "r") as file:
        for name, found in arrays_of(file).items():
            expected = whole.get(name)
            if expected is None:
                faults.append(f"{part.name}: {name} is not in the reference")
            elif name.startswith("frames/"):
                rows += name.endswith("/positions")
                if not same_bits(found, expected):
                    faults.append(f"{part.name}: {name} differs from the reference")
            else:
                rows += len(found) if name.endswith("/time") else 0
                if len(found) > len(expected) or not same_bits(found, expected[: len(found)]):
                    faults.append(f"{part.name}: {name} is no prefix of the reference")
    return rows, faults


def litter_in(folder: Path) -> list[str]:
    """Names of files that a finished run does not leave."""
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith((".h5", ".cells.json"))
    )

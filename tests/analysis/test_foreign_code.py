# SPDX-License-Identifier: BSD-3-Clause
"""Verbs of the analysis as the command starts them: which code they run, and how they end. DEFORMBENCH names the
command."""

import os
import pty
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest
from made_up_traces import write_trace
from made_up_paper import write, write_paper, write_results

COMMAND = os.environ.get("DEFORMBENCH", "")
pytestmark = pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
FOREIGN_FILES = True  # conftest.py


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """What a job in the background starts ignores SIGINT, and so do its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def command(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {**os.environ, "DEFORMBENCH_PYTHON": "/usr/bin/python3", **environment}
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False, cwd=folder, env=given)


@pytest.mark.parametrize("verb", ["measure", "report"])
def test_modules_of_the_current_folder_are_not_imported(tmp_path: Path, verb: str) -> None:
    for name in ("random", "numpy", "deformbench_analysis"):
        (tmp_path / f"{name}.py").write_text("open('executed', 'w')")
    (tmp_path / "results").mkdir()
    done = command(tmp_path, verb, "results", "--tier", "smoke", PYTHONPATH="")
    assert done.returncode in (5, 6) and not (tmp_path / "executed").exists(), done.stderr


def test_docstrings_are_there_whatever_the_environment_says(tmp_path: Path) -> None:
    write_results(tmp_path / "results")
    words = [
        "measure",
        "results",
        "--stale",
        "--papers",
        str(write_paper(tmp_path / "made_up")),
        "--experiment",
        "swelling",
    ]
    plain, optimised = command(tmp_path, *words), command(tmp_path, *words, PYTHONOPTIMIZE="2")
    assert plain.returncode == optimised.returncode == 0, optimised.stderr
    assert plain.stdout == optimised.stdout and "swelling.largest" in plain.stdout


@pytest.mark.parametrize(
    ("code", "exit_code", "said"),
    [
        ("import os; os._exit(0)", 1, "deformbench: verify: its process left before it was done (exit code 0)\n"),
        ("import os; os._exit(3)", 3, ""),
        (
            "import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(9)",
            130,
            "deformbench: interrupted\n",
        ),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL, ""),
    ],
)
def test_a_module_of_measurements_that_ends_the_verb_is_no_success(
    tmp_path: Path, code: str, exit_code: int, said: str
) -> None:
    paper = write_paper(tmp_path / "made_up")
    write(paper / "measurements" / "swelling.py", code + "\n")
    write_results(tmp_path / "results")
    done = command(tmp_path, "verify", "results", "--papers", str(paper), "--paper", "made_up", "--tier", "smoke")
    assert (done.returncode, done.stderr) == (exit_code, said)


SLOW = '''"""Measurements that take their time, in processes of their own."""
import time
from pathlib import Path
from deformbench_analysis.measurement import measurement

for k in range(2):
    @measurement(f"swelling.slow_{k}", unit="1", experiment="made_up/swelling")
    def slow(data, k=k):
        """Nothing."""
        Path(f"begun_{k}").touch()
        time.sleep(60)
'''


@pytest.mark.parametrize("verb", ["measure", "report"])
def test_an_interruption_is_one_line_and_ends_what_is_in_work(tmp_path: Path, verb: str) -> None:
    paper = write_paper(tmp_path / "made_up")
    write(paper / "measurements" / "slow.py", SLOW)
    write_results(tmp_path / "results")
    words = [verb, "results", "--stale", "--papers", str(paper), "--paper", "made_up"]
    process = subprocess.Popen(
        [COMMAND, *words], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=tmp_path
    )
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("begun_*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=600)
    assert (process.returncode, said) == (130, "deformbench: interrupted\n")


COUNTING = """
import signal, time
from pathlib import Path
def count(*_):
    with open("interrupts", "a") as file:
        file.write("1")
signal.signal(signal.SIGINT, count)
Path("begun").touch()
while not Path("interrupts").exists():
    time.sleep(0.01)
time.sleep(1)
Path("ended").touch()
"""


def test_a_key_of_the_terminal_arrives_once(tmp_path: Path) -> None:
    paper = write_paper(tmp_path / "made_up")
    write(paper / "measurements" / "counting.py", COUNTING)
    write_results(tmp_path / "results")
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tmp_path)
        os.execv(COMMAND, [COMMAND, "measure", "results", "--stale", "--papers", str(paper), "--paper", "made_up"])
    deadline = time.monotonic() + 600
    while not (tmp_path / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.write(terminal, b"\x03")
    while not (tmp_path / "ended").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)
    assert (tmp_path / "interrupts").read_text() == "1"


LOCK = "deformbench-part 1\nhost h\nboot b\npid 1\nstart_ticks 1\npid_namespace 1\nstatus abandoned\nreason its end\n"


def linked_trace(folder: Path, suffix: str) -> Path:
    """A trace with links into a pipe, in a loop, and so many ways to one group that nobody could go them all."""
    whole = write_trace(folder, "a/b m", step={"volume": np.ones(3)})
    path = folder / f"linked{suffix}"
    os.mkfifo(folder / f"pipe{suffix}")
    with h5py.File(path, "w", userblock_size=512) as file, h5py.File(whole, "r") as source:
        file.attrs.update(source.attrs)
        for name in source:
            source.copy(name, file)
        file["series/step"].attrs["rows_written"] = np.int64(3)
        file["elsewhere"] = h5py.ExternalLink(f"pipe{suffix}", "/")
        file["scene/elsewhere"] = h5py.ExternalLink(f"pipe{suffix}", "/")
        for group in (file["provenance"], file.require_group("loop"), file["series/step"]):
            group["root"], group["again"] = file["/"], file["/"]
        stored = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        stored.set_external(str(folder / f"pipe{suffix}").encode(), 0, 24)
        space = h5py.h5s.create_simple((3,))
        h5py.h5d.create(file["scene"].id, b"masses", h5py.h5t.IEEE_F64LE, space, stored)
    if suffix.endswith(".part"):
        with path.open("r+b") as file:
            file.write(LOCK.encode())
    return path


@pytest.mark.parametrize("verb", ["validate", "diff", "recover"])
def test_links_out_of_a_trace_and_in_loops_are_not_followed_for_long(tmp_path: Path, verb: str) -> None:
    path = linked_trace(tmp_path, ".h5.part" if verb == "recover" else ".h5")
    began = time.monotonic()
    done = command(tmp_path, verb, *[str(path)] * (2 if verb == "diff" else 1))
    assert time.monotonic() - began < 8
    assert done.returncode == {"validate": 2, "diff": 2, "recover": 0}[verb], done.stderr
    assert "other file" in done.stderr

# SPDX-License-Identifier: BSD-3-Clause
"""What cannot be written is said in one line with exit code 2,
and nothing is left half-written under its final name."""

import importlib
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from made_up_traces import ms_per_step_folder
from test_frames import broken_trace

from deformbench_analysis.output import aside, write_text
from deformbench_analysis.paths import project_root
from paper_figures import verbs


def small_results(folder: Path, verb: str = "") -> Path:
    """A trace with frames; for the figures what figure 7 shows."""
    if verb == "figures":
        importlib.import_module("matplotlib.font_manager")  # writes its cache, for which there will be no room
        return ms_per_step_folder(folder)
    broken_trace(folder)
    return folder


def run(
    *arguments: str, cwd: Path, largest_file: int | None = None, stdout: int | None = None
) -> subprocess.CompletedProcess[str]:
    """The verb in a process of its own; writing more than `largest_file` bytes into one file fails,
    as on a full disk."""

    def limit() -> None:
        if largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

    return subprocess.run(
        [sys.executable, "-m", "paper_figures", *arguments],
        cwd=cwd,
        stdout=subprocess.PIPE if stdout is None else stdout,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{project_root() / 'analysis'}:{project_root()}"},
    )


def assert_refused(done: subprocess.CompletedProcess[str], words: str) -> None:
    assert done.returncode == 2, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("deformbench: ") and words in lines[0], done.stderr


VERBS = {
    "paraview": ["paraview", "results", "--to", "OUT"],
    "surfaces": ["surfaces", "results", "--to", "OUT"],
    "pack": ["pack", "results", "--to", "OUT/a.tar.gz"],
    "figures": ["figures", "results", "--only", "fig_07_ms_per_step", "--report-out", "OUT"],
    "report": ["report", "results", "--report-out", "OUT"],
}


CASES = [(verb, out) for verb in ("surfaces", "pack") for out in ("file", "file/below", "/proc/no/such", "x" * 300)]


@pytest.mark.parametrize(("verb", "out"), [*CASES, ("paraview", "file"), ("figures", "file"), ("report", "file")])
def test_a_folder_that_cannot_be_is_refused(
    verb: str, out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small_results(tmp_path / "results", verb)
    (tmp_path / "file").write_text("text")
    named = out if out.startswith("/") else str(tmp_path / out)
    arguments = [a.replace("OUT", named).replace("results", str(tmp_path / "results")) for a in VERBS[verb]]
    assert verbs.main(arguments) == 2
    err = capsys.readouterr().err
    assert err.startswith("deformbench: ") and err.count("\n") == 1, err
    assert (tmp_path / "file").read_text() == "text"


@pytest.mark.parametrize("verb", [v for v in VERBS if v != "report"])
def test_a_full_disk_leaves_no_file_cut_short(verb: str, tmp_path: Path) -> None:
    small_results(tmp_path / "results", verb)
    arguments = [a.replace("OUT", "out") for a in VERBS[verb]]
    assert_refused(run(*arguments, cwd=tmp_path, largest_file=150), "File too large")
    left = [p for p in (tmp_path / "out").rglob("*") if p.is_file()]
    assert all(p.stat().st_size < 150 for p in left), left  # what fitted is whole
    assert not [p for p in left if p.suffix in (".svg", ".pdf", ".png", ".obj", ".vtu", ".pvd", ".gz", ".html")], left
    # With room again everything is there.
    assert run(*arguments, cwd=tmp_path).returncode in (0, 4, 6)
    assert [p for p in (tmp_path / "out").rglob("*") if p.is_file() and p.name.startswith(".")] == []


@pytest.mark.parametrize(
    "arguments", [["measure", "results"], ["compare", "results"], ["paraview", "results"], ["--help"]]
)
def test_what_cannot_be_printed_is_an_error(arguments: list[str], tmp_path: Path) -> None:
    small_results(tmp_path / "results")
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        assert_refused(run(*arguments, cwd=tmp_path, stdout=full), "standard output: No space left on device")
    finally:
        os.close(full)


def test_what_stood_there_stays_when_the_new_file_fails(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.txt"
    write_text(path, "old")
    with pytest.raises(ZeroDivisionError):
        with aside(path) as fresh:
            assert fresh.parent == path.parent and fresh.suffix == path.suffix
            fresh.write_text("half")
            raise ZeroDivisionError
    assert path.read_text() == "old" and list(path.parent.iterdir()) == [path]
    write_text(path, "new")
    assert path.read_text() == "new" and list(path.parent.iterdir()) == [path]


def test_the_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(OSError) as caught:
        with aside(tmp_path / "a.txt") as fresh:
            (fresh / "below").write_text("")
    assert caught.value.filename != str(tmp_path / "a.txt")  # another file's error keeps its name
    with pytest.raises(OSError) as caught:
        with aside(tmp_path / "a.txt"):
            raise OSError(28, "No space left on device")
    assert caught.value.filename == str(tmp_path / "a.txt")

# SPDX-License-Identifier: BSD-3-Clause
"""./install from a checkout at a path with a space, with another python3 and other libraries first on the path."""

import re
import subprocess
from pathlib import Path

import pytest
from conftest import BUILD, assert_works

Environment = dict[str, str]


def run(folder: Path, environment: Environment, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        list(map(str, words)), cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=3600
    )


@pytest.fixture
def built(checkout: Path) -> Path:
    """The checkout with the finished build in the place of its own, and a builder that says what it was asked for."""
    (checkout / "build").mkdir(exist_ok=True)
    (checkout / "build/release").unlink(missing_ok=True)
    (checkout / "build/release").symlink_to(BUILD)
    (checkout / "cmake/build_release").write_text('#!/bin/sh\necho "built: $*"\n')
    return checkout


def test_it_installs_and_says_how_to_call_the_command(built: Path, environment: Environment, tmp_path: Path) -> None:
    prefix = tmp_path / "my prefix"
    stale = prefix / "share/deformbench/experiments/cross/declarations/of_an_older_version.json"
    kept = prefix / "share/deformbench/paper_figures/out/report.html"
    old_page = prefix / "share/man/man1/deformbench-of_an_older_version.1"
    for path in (stale, kept, old_page):
        path.parent.mkdir(parents=True)
        path.touch()
    first = run(tmp_path, environment, built / "install", "my prefix")
    assert first.returncode == 0, first.stderr
    assert "built: deformbench_package\n" in first.stdout
    assert kept.exists() and not stale.exists() and not old_page.exists()
    line = first.stdout.splitlines()[-1]
    assert line == f"export PATH={str(prefix / 'bin').replace(' ', chr(92) + ' ')}:$PATH"
    listed = run(tmp_path, environment, "bash", "-c", f"{line}; deformbench list methods; deformbench measure --help")
    assert listed.returncode == 0 and "warped_fem" in listed.stdout and "usage" in listed.stdout, listed.stderr
    again = run(tmp_path, environment, "bash", "-c", f"{line}; '{built}/install' '{prefix}'")
    assert again.stdout.splitlines()[1:] == [f"install: {prefix}/bin/deformbench, which is on the path"]
    moved = prefix.rename(tmp_path / "moved to another place")
    assert_works(moved, tmp_path, environment)


@pytest.mark.parametrize("words", [["--help"], ["a", "b"], ["file"], ["file/below"]])
def test_bad_arguments_end_in_a_line(built: Path, environment: Environment, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "file").touch()
    ended = run(tmp_path, environment, built / "install", *words)
    assert ended.returncode == 2 and ended.stdout == ""
    assert re.fullmatch(r"install: .*expected .*\n", ended.stderr)


def test_root_and_others_have_their_own_default(built: Path, environment: Environment, tmp_path: Path) -> None:
    fakes = tmp_path / "bin"
    fakes.mkdir()
    for name, text in {"id": "echo 1000", "cmake": 'echo "cmake $*" >&2; exit 1'}.items():
        (fakes / name).write_text(f"#!/bin/sh\n{text}\n")
        (fakes / name).chmod(0o755)
    home = {**environment, "HOME": str(tmp_path), "PATH": f"{fakes}:{environment['PATH']}"}
    ended = run(tmp_path, home, built / "install")
    assert f"--prefix {tmp_path}/.local\n" in ended.stderr


def test_the_systems_own_is_built_with(checkout: Path, environment: Environment, tmp_path: Path) -> None:
    configured = run(tmp_path, environment, "cmake", "-S", checkout, "-B", "b u i l d", "-G", "Ninja")
    assert configured.returncode == 0, configured.stderr
    cache = (tmp_path / "b u i l d/CMakeCache.txt").read_text()
    assert re.search(r"^Python3_EXECUTABLE:\w+=/usr/bin/python3$", cache, flags=re.M)
    assert "other environment" not in cache
    needed = run(tmp_path, environment, "ninja", "-C", "b u i l d", "-t", "query", "deformbench_package").stdout
    steps = run(tmp_path, environment, "ninja", "-C", "b u i l d", "-n", "-v", "deformbench_package").stdout
    assert "bin/deformbench" in needed and "gtest" not in steps and "benchmark" not in steps
    # The sources that are generated, whose commands name paths.
    generated = run(tmp_path, environment, "ninja", "-C", "b u i l d", "experiments/harness/fingerprints.cpp")
    assert generated.returncode == 0, generated.stdout + generated.stderr


def test_a_python_without_the_modules_is_refused_in_one_line(
    checkout: Path, environment: Environment, tmp_path: Path
) -> None:
    bare = tmp_path / "python3"
    bare.write_text('#!/bin/sh\nexec /usr/bin/python3 -S -I "$@"\n')
    bare.chmod(0o755)
    words = ("cmake", "-S", checkout, "-B", "build", "-G", "Ninja", f"-DPython3_EXECUTABLE={bare}")
    refused = run(tmp_path, environment, *words)
    assert refused.returncode != 0
    told = " ".join(refused.stderr.split())
    packages = re.search(
        f"deformbench needs modules of {re.escape(str(bare))}: apt-get install((?: python3-[a-z0-9]+)+)", told
    )
    assert packages and {"python3-h5py", "python3-jinja2", "python3-numpy"} <= set(packages.group(1).split()), told

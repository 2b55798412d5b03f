# SPDX-License-Identifier: BSD-3-Clause
"""docs/clusters.md: shards and Snakemake's profile on a Slurm of one node, killed and sent again, with the results of a
local run; matrices of continuous integration; file systems without locks and parts of other nodes."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import h5py
import loopback_slurm
import pytest
from conftest import BUILD
from guides import ROOT, blocks, files_of
from loopback_slurm import wait_for

from deformbench_analysis.merge import first_difference

FILES = dict(files_of("docs/clusters.md"))
PROFILE = ROOT / "paper_figures/slurm"
SNAKEMAKE = shutil.which("snakemake", path="/usr/bin:" + os.environ.get("PATH", ""))
needs_snakemake = pytest.mark.skipif(not SNAKEMAKE, reason="snakemake is not installed")
EXPERIMENT = "clusters/swinging"
# Six cells of more than a second each, long enough to be killed.
DECLARATION = {
    "id": EXPERIMENT,
    "doc": "Three distances that cannot be met together, with many iterations.",
    "scene": {"name": "incompatible_triangle", "parameters": {}},
    "methods": [
        {"name": order, "method": "pbd", "parameters": {"iterations": 30000, "order": order}}
        for order in ("forward", "random")
    ],
    "sweep": {"method.parameters.damping": [1.0, 0.9, 0.8]},
    "schedule": {"steps": 400},
    "channels": {"step": {"every": 1, "names": ["constraint_values"]}},
    "timing": {"repeats": 5, "warmup_steps": 1, "min_steps": 5, "min_seconds": 0.01},
    "tiers": {"smoke": {}, "paper": {}},
}
CELLS = 6
OWN = {**os.environ, "PATH": f"{BUILD}/bin:{loopback_slurm.SEARCHED}", "OPENBLAS_NUM_THREADS": "1"}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment: the built command on the path, and a paper of its own that has the experiment."""
    paper = tmp_path_factory.mktemp("papers") / "clusters"
    (paper / "declarations").mkdir(parents=True)
    (paper / "paper.json").write_text(json.dumps({"paper": "clusters", "short": "Clusters"}))
    (paper / "declarations/swinging.json").write_text(json.dumps(DECLARATION))
    return {**OWN, "DEFORMBENCH_PAPERS": str(paper)}


@pytest.fixture(scope="module")
def slurm(own: dict[str, str]) -> Iterator[dict[str, str]]:
    if missing := loopback_slurm.missing():
        pytest.skip(f"not installed: {', '.join(missing)} (Debian's slurm-wlm and munge)")
    with loopback_slurm.cluster() as variables:
        yield {**own, **variables}


@pytest.fixture(scope="module")
def local(own: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain run."""
    folder = tmp_path_factory.mktemp("local")
    success(folder, f"deformbench run {EXPERIMENT} --tier smoke --out whole --jobs 2", own)
    return folder / "whole"


def ended(folder: Path, command: str, environment: Mapping[str, str] = OWN) -> tuple[int, str]:
    """Exit code and output of a line of the shell."""
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=3600,
    )
    return done.returncode, done.stdout


def success(folder: Path, command: str, environment: Mapping[str, str] = OWN) -> str:
    code, text = ended(folder, command, environment)
    assert code == 0, text
    return text


def traces(folder: Path) -> dict[str, Path]:
    return {p.stem: p for p in folder.rglob("*.h5") if not p.name.endswith(".timing.h5")}


def parts(folder: Path) -> list[Path]:
    return list(folder.rglob("*.h5.part"))


def status(trace: Path) -> str:
    with h5py.File(trace, "r") as file:
        return str(file.attrs["status"])


def assert_same_results(one: Path, other: Path) -> None:
    """Bit for bit, but for who ran them, when and where."""
    ours, theirs = traces(one), traces(other)
    assert ours.keys() == theirs.keys() and len(ours) == CELLS
    for name, path in ours.items():
        assert first_difference(path, theirs[name]) == ""
        success(one, f"deformbench diff '{path}' '{theirs[name]}'")


def queue_is_empty(slurm: dict[str, str]) -> bool:
    done = subprocess.run(["squeue", "--noheader"], env=slurm, capture_output=True, text=True, check=True)
    return not done.stdout.strip()


# ---- Slurm


def test_an_array_of_shards_that_was_killed_and_sent_again_has_the_results_of_a_local_run(
    slurm: dict[str, str], tmp_path: Path, local: Path
) -> None:
    script = FILES["shards.sbatch"].replace("order_oscillation", EXPERIMENT).replace("per-task=2", "per-task=1")
    (tmp_path / "shards.sbatch").write_text(script)
    success(tmp_path, "sbatch shards.sbatch", slurm)

    # A cell by the out-of-memory killer's signal, then the whole array, as soon as something is finished.
    wait_for(lambda: parts(tmp_path))
    pid = re.search(rb"^pid (\d+)$", parts(tmp_path)[0].read_bytes()[:512], flags=re.M)
    assert pid is not None
    os.kill(int(pid[1]), signal.SIGKILL)
    wait_for(lambda: {"failed", "completed"} <= {status(t) for t in traces(tmp_path).values()} and parts(tmp_path))
    success(tmp_path, f"scancel --user {slurm['USER']}", slurm)
    wait_for(lambda: queue_is_empty(slurm))
    finished = {p: p.read_bytes() for p in traces(tmp_path).values() if status(p) == "completed"}
    assert 1 <= len(finished) < CELLS - 1
    code, text = ended(tmp_path, "deformbench merge shards/* --out incomplete")
    assert code == 4 and "listed cells without a trace" in text

    success(tmp_path, "sbatch shards.sbatch --retry-failed", slurm)
    wait_for(lambda: queue_is_empty(slurm))
    success(tmp_path, "deformbench merge shards/* --out whole")
    assert all(p.read_bytes() == content for p, content in finished.items())
    assert_same_results(tmp_path / "whole", local)


def snakemake(*more: str) -> str:
    words = [str(SNAKEMAKE), "-s", f"{ROOT}/paper_figures/Snakefile", "--profile", str(PROFILE), *more, "--config"]
    words += ["out=traces", "report=pages", "tier=smoke", f"experiments={EXPERIMENT}"]
    return shlex.join([*words, f"deformbench={BUILD}/bin/deformbench"])


@needs_snakemake
def test_snakemake_with_the_profile_goes_on_after_a_kill_and_has_the_results_of_a_local_run(
    slurm: dict[str, str], tmp_path: Path, local: Path
) -> None:
    environment = {**slurm, "XDG_CACHE_HOME": str(tmp_path / "cache"), "SBATCH_PARTITION": "all"}
    log = tmp_path / "first.log"
    words = ["sh", "-c", f"exec {snakemake()} > {log} 2>&1"]
    first = subprocess.Popen(words, cwd=tmp_path, env=environment, start_new_session=True)
    try:
        wait_for(lambda: log.exists() and re.search(r"^[2-9] of .* steps", log.read_text(), re.M) and parts(tmp_path))
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
    success(tmp_path, f"scancel --user {slurm['USER']}", slurm)
    wait_for(lambda: queue_is_empty(slurm))
    assert len(traces(tmp_path)) < CELLS

    success(tmp_path, snakemake("--unlock"), environment)
    text = success(tmp_path, snakemake(), environment)
    cells = re.search(r"^cell +(\d+)", text, flags=re.M)
    assert cells is not None and 1 <= int(cells[1]) < CELLS
    assert_same_results(tmp_path / "traces", local)
    assert (tmp_path / "pages/report.html").exists()
    assert len(list(tmp_path.rglob("*.timing.h5"))) == CELLS


# ---- The profile


@needs_snakemake
def test_timings_have_a_node_for_themselves_and_cells_the_memory_that_is_set(
    tmp_path: Path, own: dict[str, str]
) -> None:
    environment = {**own, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    text = success(tmp_path, snakemake("-n", "--set-resources", "cell:mem_mb=8000"), environment)
    rules = {m[1]: m[2] for m in re.finditer(r"^rule (\w+):\n((?: .*\n)+)", text, flags=re.M)}
    assert "slurm_extra=--exclusive" in rules["timing"] and "--exclusive" not in rules["cell"]
    assert "mem_mb=8000" in rules["cell"] and "mem_mb=2000" in rules["report"]
    assert "threads:" not in rules["timing"]  # 1, not all of some number of cores


@pytest.mark.parametrize(
    "controller, accounting, answer",
    [
        ("echo JobId=7 JobState=COMPLETED Reason=None", "exit 1", "success"),
        ("echo JobId=7 JobState=PENDING Reason=Resources", "exit 1", "running"),
        ("echo JobId=7 JobState=RUNNING Reason=None", "exit 1", "running"),
        ("echo JobId=7 JobState=COMPLETING Reason=None", "exit 1", "running"),
        ("echo JobId=7 JobState=TIMEOUT Reason=TimeLimit", "exit 1", "failed"),
        ("echo JobId=7 JobState=CANCELLED Reason=None", "exit 1", "failed"),
        ("echo JobId=7 JobState=OUT_OF_MEMORY Reason=None", "exit 1", "failed"),
        ("echo slurm_load_jobs error: Invalid job id specified >&2; exit 1", "echo COMPLETED", "success"),
        ("echo slurm_load_jobs error: Invalid job id specified >&2; exit 1", "echo CANCELLED by 0", "failed"),
        ("echo slurm_load_jobs error: Invalid job id specified >&2; exit 1", "exit 1", "failed"),
        ("echo slurm_load_jobs error: Unable to contact slurm controller >&2; exit 1", "exit 1", "running"),
    ],
)
def test_what_snakemake_is_told_of_a_job(tmp_path: Path, controller: str, accounting: str, answer: str) -> None:
    for name, text in (("scontrol", controller), ("sacct", accounting)):  # stand-ins for Slurm's own
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run([PROFILE / "slurm_status", "7"], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"{answer}\n"


# ---- Continuous integration


Document = dict[str, Any]


def lines_of_github(document: Document) -> Iterator[str]:
    jobs = document["jobs"]
    for shard in jobs["cells"]["strategy"]["matrix"]["shard"]:
        for step in jobs["cells"]["steps"]:
            yield step.get("run", ":").replace("${{ matrix.shard }}", str(shard))
    yield from (step["run"] for step in jobs["merged"]["steps"] if "run" in step)


def lines_of_gitlab(document: Document) -> Iterator[str]:
    count = document["cells"]["parallel"]
    for index in range(1, count + 1):
        yield f"CI_NODE_INDEX={index} CI_NODE_TOTAL={count}; {document['cells']['script']}"
    yield document["merged"]["script"]


@pytest.mark.parametrize("number, lines_of", enumerate([lines_of_github, lines_of_gitlab]))
def test_the_jobs_of_a_matrix_are_a_whole_run(
    tmp_path: Path, number: int, lines_of: Callable[[Document], Iterator[str]]
) -> None:
    yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed")
    shown = [block.text for block in blocks("docs/clusters.md") if block.language == "yaml"]
    for line in lines_of(yaml.safe_load(shown[number])):
        success(tmp_path, line)
    success(tmp_path, "deformbench run order_oscillation --tier smoke --out local")
    ours, theirs = traces(tmp_path / "whole"), traces(tmp_path / "local")
    assert ours.keys() == theirs.keys() and len(ours) == 3
    assert all(first_difference(ours[k], theirs[k]) == "" for k in ours)


# ---- Shared file systems


@pytest.fixture
def preloaded(tmp_path: Path) -> dict[str, str]:
    """The environment of a file system without locks that says it is NFS."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler, to stand in for a file system without locks")
    (tmp_path / "shared.c").write_text(
        """\
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/file.h>
#include <sys/vfs.h>
int flock(int fd, int operation) { errno = ENOLCK; return -1; }
int fstatfs(int fd, struct statfs* about) {
  int (*own)(int, struct statfs*) = dlsym(RTLD_NEXT, "fstatfs");
  int code = own(fd, about);
  about->f_type = 0x6969;
  return code;
}
"""
    )
    library = tmp_path / "shared.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, tmp_path / "shared.c", "-ldl"], check=True)
    return {**OWN, "LD_PRELOAD": str(library)}


RUN = "deformbench run order_oscillation --tier smoke --out traces"


def test_without_locks_of_files_cells_run_where_hdf5_asks_for_none(tmp_path: Path, preloaded: dict[str, str]) -> None:
    success(tmp_path, RUN, {**preloaded, "HDF5_USE_FILE_LOCKING": "FALSE"})
    assert len(traces(tmp_path)) == 3 and {status(t) for t in traces(tmp_path).values()} == {"completed"}


def test_a_part_of_another_node_is_left_to_it_until_it_is_deleted(tmp_path: Path, preloaded: dict[str, str]) -> None:
    environment = {**preloaded, "HDF5_USE_FILE_LOCKING": "FALSE"}
    success(tmp_path, RUN)
    trace = next(iter(traces(tmp_path).values()))
    trace.unlink()
    block = (
        "deformbench-part 1\nhost node7\nboot 1-2\npid 4711\nstart_ticks 5\npid_namespace 1\nstatus running\nreason \n"
    )
    trace.with_name(trace.name + ".part").write_bytes(block.encode().ljust(512, b"\0"))

    code, text = ended(tmp_path, RUN, environment)
    assert code == 4 and "in progress, process 4711 on node7 has it" in text and not trace.exists()
    (command,) = re.findall(r"`(find traces [^`]*)`", (ROOT / "docs/clusters.md").read_text())
    success(tmp_path, command)
    assert ended(tmp_path, RUN, environment)[0] == 0 and status(trace) == "completed"

# SPDX-License-Identifier: BSD-3-Clause
"""A Slurm cluster of one node on this machine, with its own munge, in a folder of its own; of any user."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
SEARCHED = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin"

# Without control groups and accounting, which need root and a database; two processors, however many there are.
CONFIGURATION = """\
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=8000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> list[str]:
    return [name for name in PROGRAMS if shutil.which(name, path=SEARCHED) is None]


def wait_for(what: Callable[[], object], seconds: float = 1800, why: str = "waited in vain") -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, why
        time.sleep(0.05)


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


@contextmanager
def cluster() -> Iterator[dict[str, str]]:
    """The variables by which Slurm's commands reach it."""
    folder = Path(tempfile.mkdtemp(prefix="slurm."))  # a socket's path has at most 107 bytes
    controller_port, node_port = free_ports(2)
    text = CONFIGURATION.format(
        host=socket.gethostname().split(".")[0],
        user=getpass.getuser(),
        folder=folder,
        controller_port=controller_port,
        node_port=node_port,
    )
    (folder / "slurm.conf").write_text(text)
    (folder / "key").write_bytes(os.urandom(128))
    (folder / "key").chmod(0o400)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    variables = {"SLURM_CONF": str(folder / "slurm.conf"), "USER": getpass.getuser()}
    environment = {**os.environ, "PATH": SEARCHED, **variables}
    munge = ["munged", "--foreground", "--force"]
    for option, name in (("key-file", "key"), ("socket", "munge.socket"), ("seed-file", "seed"), ("pid-file", "pid")):
        munge.append(f"--{option}={folder / name}")
    started: list[subprocess.Popen[bytes]] = []

    def start(words: list[str], log: str) -> None:
        with (folder / log).open("wb") as out:
            started.append(subprocess.Popen(words, env=environment, stdout=out, stderr=out))

    def said() -> str:
        return "\n".join(p.read_text(errors="replace")[-2000:] for p in sorted(folder.glob("*.log")))

    def is_idle() -> bool:
        words = ["sinfo", "--noheader", "--format=%T"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=60)
        return done.stdout.strip() == "idle"

    try:
        start(munge, "munged.log")
        wait_for((folder / "munge.socket").exists, 30, "munged has no socket")
        start(["slurmctld", "-D"], "slurmctld.out.log")
        start(["slurmd", "-D"], "slurmd.out.log")
        try:
            wait_for(is_idle, 60)
        except AssertionError:
            raise AssertionError(f"Slurm does not start:\n{said()}") from None
        yield variables
        subprocess.run(["scancel", "--user", getpass.getuser()], env=environment, check=False)
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(folder, ignore_errors=True)

# SPDX-License-Identifier: BSD-3-Clause
"""Reads a file once in a process of its own: HDF5 1.10 crashes or hangs on some damaged files.

That is to be one line about the file, and not the end of the verb. A file of one's own with a digest needs none of
this: it is checked before HDF5 looks at it (intact.py). A stranger can give any file a digest."""

import faulthandler
import math
import os
import resource
import select
import signal
from collections.abc import Callable
from pathlib import Path

import h5py

from .errors import InputError

BYTES_PER_SECOND = 2e5  # of a file: what is stored small may be large
LEAST_SECONDS = 3.0  # of processor time, and ten times that on the clock
MORE_MEMORY = 4 << 30  # beyond what this process has
MEMORY_PER_BYTE = 256  # of the file: compressed arrays
_NO_MEMORY, _ELSEWHERE = 3, 4


def read_through(path: Path) -> None:
    """Reads every attribute and dataset; what is merely unreadable is said by whoever needs it."""
    seen: set[int] = set()  # a damaged group may hold itself

    def read(node: h5py.HLObject) -> None:
        address = _attempt(lambda: h5py.h5o.get_info(node.id).addr)  # may fail where attributes can still be read
        if isinstance(address, int):
            if address in seen:
                return
            seen.add(address)
        for name in _attempt(lambda: list(node.attrs)) or ():  # type: ignore[attr-defined]
            _attempt(lambda: node.attrs[name])
        if isinstance(node, h5py.Dataset):
            _attempt(lambda: node[...])
        elif isinstance(node, h5py.Group):
            for name in node:
                child = _attempt(lambda: node[name])
                if child is not None:
                    _attempt(lambda: read(child))

    def whole() -> None:
        with h5py.File(path, "r") as file:
            read(file)

    _attempt(whole)


class _Elsewhere(Exception):
    """What a file holds is in another one."""


def read_foreign(path: Path) -> None:
    """As read_through, of a file that names no other file: neither by links nor as the storage of a dataset."""
    seen: set[int] = set()

    def look(node: h5py.HLObject) -> None:
        address = h5py.h5o.get_info(node.id).addr
        if address in seen:
            return
        seen.add(address)
        if isinstance(node, h5py.Dataset) and (node.is_virtual or node.external):
            raise _Elsewhere
        for name in node if isinstance(node, h5py.Group) else ():
            link = node.get(name, getlink=True)
            if isinstance(link, (h5py.ExternalLink, h5py.SoftLink)):
                raise _Elsewhere
            look(node[name])

    with h5py.File(path, "r") as file:
        look(file)
    read_through(path)


def _attempt(work: Callable[[], object]) -> object:
    try:
        return work()
    except MemoryError:
        raise
    except Exception:
        return None


def require_harmless(path: Path, seconds: float = 0.0, read: Callable[[Path], None] = read_through) -> None:
    """InputError when reading the file crashes, needs more memory than there is, or does not end in time."""
    size = path.stat().st_size if path.exists() else 0
    work = math.ceil(seconds or LEAST_SECONDS + size / BYTES_PER_SECOND)
    limit = seconds or 10.0 * work
    child = os.fork()
    if child == 0:
        _be_child(path, size, work, read)
    handle = os.pidfd_open(child)
    try:
        if not select.select([handle], [], [], limit)[0]:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise InputError(
                f"{path}: damaged: reading it takes longer than {limit:g} s; expected an undamaged HDF5 file"
            )
    finally:
        os.close(handle)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        return
    if status == _NO_MEMORY:
        why = "claims to hold more than memory can"
    elif status == _ELSEWHERE:
        raise InputError(f"{path}: holds a link, or a dataset that is stored in another file; expected its own data")
    elif status == -signal.SIGXCPU:
        why = f"damaged: reading it takes longer than {work} s"
    else:
        why = f"damaged: HDF5 crashes on it (signal {signal.Signals(-status).name})" if status < 0 else "damaged"
    raise InputError(f"{path}: {why}; expected an undamaged HDF5 file")


def _be_child(path: Path, size: int, seconds: int, read: Callable[[Path], None]) -> None:
    status = 1
    try:
        faulthandler.disable()  # a crash here is expected, and said by the parent
        # What malloc says of a damaged heap would be a second line.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))  # counted from the fork on
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        memory = pages * resource.getpagesize() + MORE_MEMORY + MEMORY_PER_BYTE * size
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        read(path)
        status = 0
    except MemoryError:
        status = _NO_MEMORY
    except _Elsewhere:
        status = _ELSEWHERE
    finally:
        os._exit(status)  # nothing of the parent's is to be written out or tidied up here

# SPDX-License-Identifier: BSD-3-Clause
"""Unpacks an archive (.tar.gz) that a stranger made: regular files below one folder, within limits of size, and
nothing else."""

import errno
import gzip
import hashlib
import tarfile
import zlib
from pathlib import Path
from typing import IO, cast

from .errors import InputError

MOST_MEMBERS = 1_000_000
MOST_COMPRESSION = 200  # times the archive; tables of numbers compress five times, frames of zeros a hundred times
SPARE_BYTES = 64 << 20  # beyond that: small archives may compress well
LONGEST_NAME, LONGEST_PART = 1000, 255  # characters of a path and of a name in it
DEEPEST = 32  # folders of a path
_PIECE = 1 << 20
# What tarfile and gzip raise on damaged or hostile archives; it reads chains of long names by recursion.
_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
_BROKEN = (tarfile.TarError, EOFError, zlib.error, OSError, ValueError, ArithmeticError, LookupError, RecursionError)


class _Unpacked:
    """The uncompressed stream as tarfile reads it: forward alone, and no more than allowed."""

    def __init__(self, compressed: IO[bytes], limit: int):
        self._stream = gzip.GzipFile(fileobj=compressed, mode="rb")
        self._at, self._limit = 0, limit

    def read(self, size: int) -> bytes:
        """At most `size` bytes. InputError for more than a header or a piece of a file."""
        if not 0 <= size <= _PIECE:
            raise InputError(f"a header of {size} bytes, expected at most {_PIECE}")
        data = self._stream.read(size)
        self._at += len(data)
        if self._at > self._limit:
            raise InputError(f"more than {self._limit} bytes, expected at most {MOST_COMPRESSION} times its own size")
        return data

    def tell(self) -> int:
        """Bytes read so far."""
        return self._at

    def seek(self, position: int) -> None:
        """Reads on to a position."""
        if position < self._at:
            raise InputError("members that overlap, expected one after the other")
        while self._at < position:
            if not self.read(min(_PIECE, position - self._at)):
                raise tarfile.ReadError("unexpected end of data")


def unpack(archive: Path, folder: Path) -> dict[str, str]:
    """Writes the files of the archive below `folder`, which is empty; name → SHA-256. InputError names what is no
    regular file, leaves the folder, comes twice, or is larger than an archive of this size holds."""
    try:
        with archive.open("rb") as compressed:
            limit = MOST_COMPRESSION * archive.stat().st_size + SPARE_BYTES
            stream = _Unpacked(compressed, limit)
            with tarfile.open(fileobj=cast(IO[bytes], stream), mode="r:", errorlevel=2) as tar:
                found = _members(tar, folder)
            while piece := stream.read(_PIECE):
                if piece.strip(b"\0"):
                    raise InputError("data after its end")
    except InputError as error:
        raise InputError(f"{archive}: {error}") from error
    except _BROKEN as error:
        named = error.filename if isinstance(error, OSError) else None
        if isinstance(error, OSError) and (error.errno in _OF_THE_DISK or named not in (None, str(archive))):
            error.filename = named or str(folder)
            raise  # the disk, not the archive
        raise InputError(f"{archive}: no readable archive (.tar.gz): {error}") from error
    return found


def _members(tar: tarfile.TarFile, folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    parents: set[str] = set()
    for count, member in enumerate(tar):
        tar.members = []  # type: ignore[attr-defined]  # tarfile keeps every header otherwise
        if count >= MOST_MEMBERS:
            raise InputError(f"more than {MOST_MEMBERS} members")
        name = member.name
        if member.isdir():
            require_name(name.rstrip("/"))
            continue  # made where a file needs it
        if not member.isreg() or member.issparse():
            raise InputError(f"member {name!r} is a {_kind(member)}, expected regular files alone")
        require_name(name)
        above = ["/".join(name.split("/")[:k]) for k in range(1, name.count("/") + 1)]
        if name in found or name in parents or any(part in found for part in above):
            raise InputError(f"member {name!r} comes twice, or is a file and a folder")
        parents.update(above)
        found[name] = _write(tar, member, folder / name)
    return found


def _kind(member: tarfile.TarInfo) -> str:
    kinds = {tarfile.SYMTYPE: "symbolic link", tarfile.LNKTYPE: "hard link", tarfile.FIFOTYPE: "pipe"}
    kinds |= {tarfile.CHRTYPE: "device", tarfile.BLKTYPE: "device"}
    return "sparse file" if member.issparse() else kinds.get(member.type, f"member of type {member.type!r}")


def require_name(name: str, what: str = "member") -> None:
    """InputError unless `name` is a plain relative path, of parts that can be printed and do not lead upwards."""
    parts = name.split("/")
    if (
        not name.isprintable()
        or "\\" in name
        or len(name) > LONGEST_NAME
        or len(parts) > DEEPEST
        or any(part in ("", ".", "..") or len(part.encode("utf-8", "replace")) > LONGEST_PART for part in parts)
    ):
        raise InputError(f"{what} {name[:80]!r}: expected a relative path of printable names, none of them ..")


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    state = hashlib.sha256()
    left = member.size
    content = tar.extractfile(member)
    if content is None or left < 0:
        raise InputError(f"member {member.name!r} has no content")
    with path.open("xb") as file:
        while left:
            piece = content.read(min(left, 1 << 16))
            if not piece:
                raise tarfile.ReadError(f"member {member.name!r} ends {left} bytes early")
            state.update(piece)
            file.write(piece)
            left -= len(piece)
    return state.hexdigest()

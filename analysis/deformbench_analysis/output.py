# SPDX-License-Identifier: BSD-3-Clause
"""Files that are whole under their final names: each is written aside and renamed. What cannot be written is an
OSError that names the file; `cli.main` makes one line and exit code 2 of it."""

import errno
import itertools
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_numbers = itertools.count()


@contextmanager
def aside(path: Path) -> Iterator[Path]:
    """A fresh path in the folder of `path` (made where it is missing), with its suffix, for whoever writes the file.
    It gets the name `path` when the block ends, and is gone when the block fails: what was there before then
    stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{os.getpid()}.{next(_numbers)}.new{path.suffix}")
    try:
        yield fresh
        os.replace(fresh, path)
    except OSError as error:
        if error.filename is None or Path(os.fsdecode(error.filename)) == fresh:
            error.filename = str(path)  # the name that the reader knows; a failed write has none at all
        raise
    finally:
        fresh.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Whole or not at all: beside the file first, then renamed."""
    with aside(path) as fresh:
        fresh.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    """As UTF-8."""
    write_bytes(path, text.encode("utf-8"))


def one_line(text: str) -> str:
    """With escapes for whatever would begin a new line or cannot be printed: names of files may hold anything."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def tell(lines: Sequence[str], facts: Any, as_json: bool) -> None:
    """What a verb has done, in lines; with `as_json` the facts on standard output, and the lines on stderr. JSON has
    no infinity, which is a text then."""
    if as_json:
        portable = json.loads(json.dumps(facts, default=str), parse_constant=str)
        print(json.dumps(portable, indent=1, ensure_ascii=False))
    print("\n".join(lines), file=sys.stderr if as_json else sys.stdout)


def line_of(error: OSError) -> str:
    """What went wrong, and with which file. Files are written by `aside`, which names them: a full disk without a
    name is that of standard output."""
    reason = error.strerror or str(error) or type(error).__name__
    name = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
    if not name and error.errno in (errno.ENOSPC, errno.EFBIG, errno.EPIPE):
        name = "standard output"
    return one_line(f"{name}: {reason}" if name else reason)

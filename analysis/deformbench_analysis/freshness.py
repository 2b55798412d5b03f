# SPDX-License-Identifier: BSD-3-Clause
"""Digests that tell whether what was made from sources and traces is up to date."""

import hashlib
import json
from functools import lru_cache
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .paths import experiments_dir


class Digest:
    """Collects what a product depends on, by content: a trace may change and keep its size and time."""

    def __init__(self, *texts: str) -> None:
        self._state = hashlib.sha256("\0".join(texts).encode())

    def sources(self, paths: Iterable[Path]) -> "Digest":
        """Adds files by name and content."""
        for path in sorted(paths):
            self._state.update(path.name.encode() + b"\0" + path.read_bytes())
        return self

    def traces(self, paths: Iterable[Path]) -> "Digest":
        """Adds large files by name and content, each read once by a process that asks several times."""
        for path in sorted(paths):
            about = path.stat()
            content = _content(path, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
            self._state.update(path.name.encode() + b"\0" + content)
        return self

    def data(self, value: Any) -> "Digest":
        """Adds a value that JSON can hold."""
        self._state.update(json.dumps(value, sort_keys=True).encode())
        return self

    def hex(self) -> str:
        """The digest of all that was added."""
        return self._state.hexdigest()


@lru_cache(maxsize=None)
def _content(path: Path, *_of_this_state: int) -> bytes:
    state = hashlib.blake2b(digest_size=32)
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            state.update(piece)
    return state.digest()


def package_sources() -> list[Path]:
    """The sources of this package, and the measurements of our papers."""
    return sorted([*Path(__file__).parent.rglob("*.py"), *experiments_dir().glob("*/measurements/**/*.py")])

# SPDX-License-Identifier: BSD-3-Clause
"""The digest of a trace (docs/trace_format.md), checked before HDF5 looks at the file."""

import hashlib
from pathlib import Path

from .errors import InputError

USER_BLOCK = 512
RECORD = 72  # the last bytes of the user block: "sha256 ", 64 digits, a newline
_NAME = b"sha256 "
_PIECE = 1 << 20


def require_intact(path: Path) -> bool:
    """InputError when the file's content is not what its digest says; whether it carries one."""
    try:
        with path.open("rb") as file:
            block = file.read(USER_BLOCK)
            text, record = block[:-RECORD], block[-RECORD:]
            if len(block) < USER_BLOCK or not record.startswith(_NAME) or not record.endswith(b"\n"):
                return False
            state = hashlib.sha256(text)
            while piece := file.read(_PIECE):
                state.update(piece)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    stored = record[len(_NAME) : -1].decode("ascii", "replace")
    if state.hexdigest() != stored:
        raise InputError(
            f"{path}: damaged or changed after it was written: found content of SHA-256 {state.hexdigest()[:16]}…, "
            f"expected {stored[:16]!a}… as its first 512 bytes say; `deformbench run` makes it again"
        )
    return True


def require_promised(path: Path, carries_digest: bool, provenance: object) -> None:
    """InputError when /provenance names a digest that the user block does not have."""
    if not carries_digest and isinstance(provenance, dict) and "digest" in provenance:
        raise InputError(
            f"{path}: damaged or changed after it was written: found no digest in its first 512 bytes, expected one at "
            "byte 440, as /provenance says"
        )

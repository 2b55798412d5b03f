# SPDX-License-Identifier: BSD-3-Clause
"""Files of JSON that people write: what cannot be read is bad input, in one line with the file."""

import json
from pathlib import Path
from typing import Any

from .errors import InputError


def _without_repetition(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        names = [name for name, _ in members]
        raise ValueError(f"{next(n for n in names if names.count(n) > 1)!r} stands twice in an object")
    return found


def read_object(path: Path) -> dict[str, Any]:
    """The file's object. InputError where there is no file, no JSON, no object,
    or one in which a key stands twice."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_without_repetition)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a readable JSON file ({error})") from error
    if not isinstance(data, dict):
        raise InputError(f"{path}: got {str(data)[:60]!r}, expected an object {{…}}")
    return data

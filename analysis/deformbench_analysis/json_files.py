# SPDX-License-Identifier: BSD-3-Clause
"""Files of JSON that people write: what cannot be read is bad input, in one line with the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .errors import InputError


def read_object(path: Path) -> dict[str, Any]:
    """The file's object. InputError where there is no file, no JSON, or no object."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a readable JSON file ({error})") from error
    if not isinstance(data, dict):
        raise InputError(f"{path}: got {str(data)[:60]!r}, expected an object {{…}}")
    return data

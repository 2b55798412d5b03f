# SPDX-License-Identifier: BSD-3-Clause
"""JSON as the tree stores it: a value stands on one line where it fits. Where it does not, members without objects in
them fill lines, and others stand one per line.

    /usr/bin/python3 -m deformbench_analysis.json_format FILE …       lays the files out
"""

import json
import sys
from pathlib import Path
from typing import Any

WIDTH = 118  # columns


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _has_object(value: Any) -> bool:
    return isinstance(value, dict) or isinstance(value, list) and any(map(_has_object, value))


def _fill(members: list[str], indent: str) -> list[str]:
    """The members, as many per line as fit."""
    lines: list[str] = []
    for member in members:
        if lines and len(lines[-1]) + len(member) + 2 < WIDTH:
            lines[-1] += f" {member}"
        else:
            lines.append(indent + member)
    return lines


def _layout(value: Any, depth: int, before: int) -> str:
    """The value's text, where `before` columns of its line are taken and its members stand `depth` + 1 columns in."""
    flat = _flat(value)
    if not isinstance(value, (dict, list)) or not value or before + len(flat) < WIDTH:  # a comma may follow
        return flat
    keys = [f"{_flat(k)}: " for k in value] if isinstance(value, dict) else [""] * len(value)
    values = list(value.values()) if isinstance(value, dict) else value
    indent = " " * (depth + 1)
    texts = [k + _layout(v, depth + 1, depth + 1 + len(k)) for k, v in zip(keys, values)]
    texts = [text + "," for text in texts[:-1]] + texts[-1:]
    fills = not any("\n" in text or _has_object(v) for text, v in zip(texts, values))
    lines = _fill(texts, indent) if fills else [indent + text for text in texts]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return "\n".join([opening, *lines, " " * depth + closing])


def layout(value: Any) -> str:
    """A whole file's text; it depends on the value alone."""
    return _layout(value, 0, 0) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(layout(json.loads(Path(name).read_text(encoding="utf-8"))), encoding="utf-8")

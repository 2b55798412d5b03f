# SPDX-License-Identifier: BSD-3-Clause
"""What a message about an unknown name ends with; `experiments/harness/files/nearest_name.cpp` is the same for the
command."""

import difflib
from collections.abc import Iterable

MOST_NAMES = 5
_MOST_CHARACTERS = 200  # of names in one message


def suggestion(name: str, known: Iterable[str], listing: str = "") -> str:
    """The nearest names, at most five; all where they are few; and the command `listing` that shows all."""
    names = list(dict.fromkeys(known))
    near = difflib.get_close_matches(name, names, MOST_NAMES, 0.6)
    near += [n for n in names if len(name) > 2 and name in n and n not in near][: MOST_NAMES - len(near)]
    if near:
        text = f"; did you mean {_quoted(near)}?"
        return text + (f" ({listing} shows all)" if listing else "")
    if len(", ".join(names)) <= _MOST_CHARACTERS:
        return f" (known: {', '.join(names) or 'none'})"
    nearest = _quoted(difflib.get_close_matches(name, names, MOST_NAMES, 0.0))
    return f"; the nearest of {len(names)} are {nearest}" + (f" ({listing} shows all)" if listing else "")


def _quoted(names: list[str]) -> str:
    kept: list[str] = []
    for name in names:
        if kept and len(", ".join(kept)) + len(name) > _MOST_CHARACTERS:
            break
        kept.append(name)
    return ", ".join(f'"{name}"' for name in kept)

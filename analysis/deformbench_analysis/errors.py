# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong, and the exit code it becomes (docs: exit codes of `deformbench`)."""

import traceback
from pathlib import Path

from .output import one_line

EXIT_OK = 0
EXIT_INTERNAL = 1
EXIT_INPUT = 2
EXIT_UNEXPECTED_END = 4
EXIT_NOTHING = 5
EXIT_VERDICT_CHANGED = 6


class InputError(Exception):
    """Bad input from outside: one line saying what, where, and what was expected."""


class NothingSelected(Exception):
    """A selection that matches nothing is an error, not a success."""


class MissingData(Exception):
    """A measurement or a figure lacks a trace, a channel or a timing; the message says which."""


_MOST_CHARACTERS = 400


def message_line(error: BaseException) -> str:
    """What the command says: one line of at most 400 characters, shortened in the middle."""
    text = f"deformbench: {one_line(str(error).rstrip())}"
    if len(text) <= _MOST_CHARACTERS:
        return text
    return f"{text[:250]} … {text[253 - _MOST_CHARACTERS:]}"


def line_of_exception(error: BaseException, within: str = "") -> str:
    """One line: what was thrown and where: the last line on the way in a file whose path begins with `within`,
    or else the very last."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg} ({Path(error.filename).name}:{error.lineno})"
    frames = list(traceback.extract_tb(error.__traceback__))
    # The machinery of imports is between the module that failed and whoever asked for it.
    frames = [f for f in frames if not f.filename.startswith("<frozen importlib")] or frames
    inside = [f for f in frames if f.filename.startswith(within)]
    where = (inside or frames)[-1:]
    return text + "".join(f" ({Path(f.filename).name}:{f.lineno})" for f in where)

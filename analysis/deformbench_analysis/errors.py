# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong, and the exit code it becomes (docs: exit codes of `deformbench`)."""

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

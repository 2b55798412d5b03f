# SPDX-License-Identifier: BSD-3-Clause
"""Options that several verbs have. `--out` is the folder of results in all of them."""

import argparse
from collections.abc import Sequence
from typing import Any

from .errors import InputError


class _Moved(argparse.Action):
    """An option that has another name now."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        verb = parser.prog.split()[-1]
        raise InputError(
            f"{verb}: got {option_string} {values}, expected {self.const} {values}; --out is the folder of results"
        )


def add_moved(parser: argparse.ArgumentParser, old: str, new: str) -> None:
    """Refuses the old name of an option in a line that says the new one."""
    parser.add_argument(old, dest="moved", action=_Moved, const=new, help=argparse.SUPPRESS)


def add_json(parser: argparse.ArgumentParser, **more: Any) -> None:
    """`--json`, as every verb that prints facts has it."""
    settings: dict[str, Any] = {"action": "store_true", **more}
    parser.add_argument("--json", help="print JSON, and all else on stderr", **settings)

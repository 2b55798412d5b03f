# SPDX-License-Identifier: BSD-3-Clause
"""Declarations (docs/declarations.md) as far as Python reads them. Which cells one has at a tier is said by the list
that `deformbench run` writes beside the traces (results.py); nothing is expanded here a second time."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import papers
from .errors import InputError
from .json_files import read_object

TIERS = ("smoke", "paper", "large")
_DESCRIBING = ("doc", "paper", "exploratory")  # keys that no cell depends on


@dataclass(frozen=True)
class Declaration:
    """One experiment's JSON file."""

    path: Path
    data: dict[str, Any]

    @property
    def id(self) -> str:
        """`<folder>/<name>`."""
        return str(self.data["id"])

    @property
    def paper(self) -> str:
        """The paper that it says it is of, or else that of its folder."""
        return str(self.data.get("paper", self.id.split("/")[0]))

    @property
    def exploratory(self) -> bool:
        """Whether it says that no claim names it."""
        return bool(self.data.get("exploratory", False))

    def cells_depend_on(self) -> dict[str, Any]:
        """All of it but the keys that only describe."""
        return {k: v for k, v in self.data.items() if k not in _DESCRIBING}


def all_declarations() -> dict[str, Declaration]:
    """Every declaration of the known papers by id: JSON files with `id` and `tiers` among their experiments."""
    found: dict[str, Declaration] = {}
    for paper in papers.known():
        for path in sorted(paper.declarations.glob("*.json")):
            data = read_object(path)
            if "id" not in data or "tiers" not in data:
                continue
            if data["id"] != f"{paper.name}/{path.stem}":
                raise InputError(
                    f'{path}: /id: got "{data["id"]}", expected "{paper.name}/{path.stem}", as paper and file are called'
                )
            found[data["id"]] = Declaration(path, data)
    return found

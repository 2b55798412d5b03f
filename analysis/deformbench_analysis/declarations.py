# SPDX-License-Identifier: BSD-3-Clause
"""Declarations (docs/declarations.md) as far as Python reads them. Which cells one has at a tier is said by the list that
`deformbench run` writes beside the traces (results.py); nothing is expanded here a second time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .paths import experiments_dir

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
    def exploratory(self) -> bool:
        """Whether it says that no claim names it."""
        return bool(self.data.get("exploratory", False))

    def cells_depend_on(self) -> dict[str, Any]:
        """All of it but the keys that only describe."""
        return {k: v for k, v in self.data.items() if k not in _DESCRIBING}


def all_declarations(folder: Path | None = None) -> dict[str, Declaration]:
    """Every declaration of the tree by id: JSON files with `id` and `tiers` below experiments/."""
    root = folder or experiments_dir()
    found: dict[str, Declaration] = {}
    for path in sorted(root.glob("*/*.json")):
        if path.parent.name in ("harness", "benchmarks"):
            continue
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict) and "id" in data and "tiers" in data:
            found[data["id"]] = Declaration(path, data)
    return found

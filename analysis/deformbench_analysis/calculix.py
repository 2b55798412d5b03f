# SPDX-License-Identifier: BSD-3-Clause
"""Decks of reference_data/calculix: the meshes that other programs have solved on."""

import json
import runpy
from pathlib import Path
from typing import Any

import numpy as np

from .arrays import Array
from .paths import project_root


def _folder() -> Path:
    return project_root() / "reference_data/calculix"


def cases() -> dict[str, dict[str, Any]]:
    """The entries of cases.json by id."""
    document = json.loads((_folder() / "cases.json").read_text(encoding="utf-8"))
    return {case["id"]: case for case in document["cases"]}


def displacements(identifier: str) -> Array:
    """What CalculiX found for a case, [n,3], m."""
    result = json.loads((_folder() / f"results/{identifier}.json").read_text(encoding="utf-8"))
    return np.array(result["displacements_m"], dtype=float)


def corners(identifier: str) -> Array:
    """Vertices of the deck's elements, from 0, [m,4]."""
    generator = runpy.run_path(str(_folder() / "generate_decks.py"))
    return np.array(generator["mesh"](cases()[identifier])[1])

# SPDX-License-Identifier: BSD-3-Clause
"""Decks of reference_data/calculix: the meshes that other programs have solved on."""

from __future__ import annotations

import numpy as np

from .arrays import Array
from .paths import project_root


def corners(identifier: str) -> Array:
    """Vertices of the deck's elements, from 0, [m,4]."""
    rows, block = [], ""
    for line in (
        (project_root() / f"reference_data/calculix/decks/{identifier}.inp").read_text(encoding="utf-8").splitlines()
    ):
        if line.startswith("*"):
            block = line
        elif block.startswith("*ELEMENT"):
            rows.append([int(n) - 1 for n in line.split(",")[1:5]])
    return np.array(rows)

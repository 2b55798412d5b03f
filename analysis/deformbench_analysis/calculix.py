# SPDX-License-Identifier: BSD-3-Clause
"""Decks of reference_data/calculix: the meshes that other programs have solved on."""

from __future__ import annotations

import runpy

import numpy as np

from .arrays import Array
from .paths import project_root


def corners(identifier: str) -> Array:
    """Vertices of the deck's elements, from 0, [m,4]."""
    generator = runpy.run_path(str(project_root() / "reference_data/calculix/generate_decks.py"))
    (case,) = [case for case in generator["cases"]() if case["id"] == identifier]
    return np.array(generator["mesh"](case)[1])

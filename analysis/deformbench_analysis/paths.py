# SPDX-License-Identifier: BSD-3-Clause
"""Where the tree's folders are: beside this package, or where DEFORMBENCH_ROOT says."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import InputError


def project_root() -> Path:
    """The folder with experiments/, reference_data/ and paper_figures/."""
    override = os.environ.get("DEFORMBENCH_ROOT")
    root = Path(override) if override else Path(__file__).resolve().parents[2]
    if not (root / "reference_data").is_dir():
        raise InputError(f"{root}: no folder reference_data; set DEFORMBENCH_ROOT to the checkout or the installed data")
    return root


def claims_dir() -> Path:
    return project_root() / "reference_data" / "claims"


def experiments_dir() -> Path:
    return project_root() / "experiments"


def figures_dir() -> Path:
    return project_root() / "paper_figures"


def default_out() -> Path:
    return figures_dir() / "out"

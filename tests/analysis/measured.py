# SPDX-License-Identifier: BSD-3-Clause
"""What tests of single measurements share: a measurement's value on a folder of synthetic traces."""

from __future__ import annotations

from pathlib import Path

from deformbench_analysis.measurement import Measurer, Value
from deformbench_analysis.results import Results


def value_of(folder: Path, name: str) -> Value:
    """As the judge gets it, at tier paper, with no declaration to filter the traces by."""
    return Measurer(Results(folder, "paper", {}), "paper")(name)


def number(folder: Path, name: str) -> float:
    """The value itself; a missing or broken one fails the test with its note."""
    found = value_of(folder, name)
    assert found.value is not None, found.note
    return found.value

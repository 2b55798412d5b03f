# SPDX-License-Identifier: BSD-3-Clause
"""The worst of several values. max() and min() pass over one that is not a number, or not, by its place:
here it is MissingData."""

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from .arrays import Array
from .errors import MissingData
from .measurement import Measured

K = TypeVar("K")


def _name(key: object) -> str:
    """A trace's label; anything else by itself. Traces are keys themselves, as two may have one label."""
    return str(getattr(key, "label", key))


def _numbers(found: Mapping[K, float]) -> Mapping[K, float]:
    if not found:
        raise MissingData("nothing to compare")
    for key, value in found.items():
        if math.isnan(value):
            raise MissingData(f"{_name(key)}: not a number")
    return found


def at_largest(found: Mapping[K, float]) -> K:
    """Whose value is largest; an infinite one may be."""
    return max(_numbers(found), key=found.__getitem__)


def at_least(found: Mapping[K, float]) -> K:
    """Whose value is least."""
    return min(_numbers(found), key=found.__getitem__)


def largest(found: Mapping[K, float]) -> Measured:
    """The largest value, with whose it is for a note."""
    worst = at_largest(found)
    return Measured(found[worst], _name(worst))


def least(found: Mapping[K, float]) -> Measured:
    """The least value, with whose it is for a note."""
    worst = at_least(found)
    return Measured(found[worst], _name(worst))


def finite(values: Array | Sequence[float], what: str) -> Array:
    """The values to be reduced; MissingData when there is none, or one that is infinite or not a number."""
    found = np.asarray(values, dtype=float)
    if not found.size:
        raise MissingData(f"{what}: nothing to compare")
    if not np.isfinite(found).all():
        raise MissingData(f"{what}: a value that is not finite")
    return found

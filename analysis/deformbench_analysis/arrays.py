# SPDX-License-Identifier: BSD-3-Clause
"""The type of arrays: numbers of any kind and shape. What a shape means is in the functions' docstrings."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

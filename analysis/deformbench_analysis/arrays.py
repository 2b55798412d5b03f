# SPDX-License-Identifier: BSD-3-Clause
"""The type of arrays: numbers of any kind and shape. What a shape means is in the functions' docstrings;
and a product."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def cross(a: Array, b: Array) -> Array:
    """a × b of vectors [..., 3]; a third of the time of `numpy.cross`."""
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for k, e, f in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.subtract(a[..., e] * b[..., f], a[..., f] * b[..., e], out=product[..., k])
    return product

# SPDX-License-Identifier: BSD-3-Clause
"""Made-up rows of the clock `iteration`: objectives that are given, and everything else that goes with them."""

from collections.abc import Sequence

import numpy as np


def rows(objective: Sequence[float] | np.ndarray, **more: np.ndarray) -> dict[str, np.ndarray]:
    """The channels of one substep whose objectives (J) these are; one millisecond per iteration."""
    values = np.asarray(objective, float)
    count = np.arange(len(values))
    return {
        "iteration": count,
        "substep": np.zeros(len(values), int),
        "objective": values,
        "gradient_norm": np.sqrt(np.abs(values - values[-1]) + 1e-9),
        "linear_iterations": count.astype(float),
        "elapsed_seconds": 1e-3 * count,
        **more,
    }

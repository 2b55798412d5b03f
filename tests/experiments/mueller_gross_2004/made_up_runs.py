# SPDX-License-Identifier: BSD-3-Clause
"""Helpers of these tests: one tetrahedron, and ensembles."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import write_trace

CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
BODY = {"rest_positions": CORNERS, "tetrahedra": np.array([[0, 1, 2, 3]]), "masses": np.full(4, 2.0)}  # V = 1/6
SPIN_INERTIA = 4.5  # Σ m r² about the centre: 2 · 3 · (0.75² + 3 · 0.25²)


def ensemble(
    folder: Path, experiment: str, name: str, members: Mapping[str, np.ndarray], steps: list[int], **more: Any
) -> None:
    """A run of `members`[channel][member, row] with rows at `steps`; more as in write_trace."""
    count = len(next(iter(members.values())))
    write_trace(folder, f"{experiment} warped_fem {name}", seeds=count, steps=steps, step=members, **more)

# SPDX-License-Identifier: BSD-3-Clause
"""Made-up traces of springs along x that share these tests: strains and stresses are put in, positions and forces come out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import write_trace

PAPER = "cs533d_cloth_lecture"


def driven(
    folder: Path,
    experiment: str,
    name: str,
    strains: np.ndarray,
    stresses: np.ndarray,
    lengths: np.ndarray,
    *,
    parameters: Mapping[str, Any],
    scene: Mapping[str, Any],
    coordinates: Mapping[str, Any] | None = None,
    status: str = "completed",
    dt: float = 0.01,
    unit_force: float = 10.0,
) -> None:
    """Separate springs, near end at 0, far end at l (1 + strain) [row, spring]; the force on the far end is −stress × unit force."""
    rows, count = strains.shape
    positions, forces = np.zeros((rows, 2 * count, 3)), np.zeros((rows, 2 * count, 3))
    positions[:, :, 1] = np.repeat(np.arange(count), 2)
    positions[:, 1::2, 0] = lengths * (1 + strains)
    forces[:, 1::2, 0] = -unit_force * stresses
    forces[:, 0::2, 0] = unit_force * stresses
    ends = np.full((count, 4), -1)
    ends[:, 0], ends[:, 1] = 2 * np.arange(count), 2 * np.arange(count) + 1
    write_trace(
        folder,
        f"{PAPER}/{experiment}",
        "force_cloth",
        name=name,
        parameters=parameters,
        scene=scene,
        coordinates=coordinates,
        status=status,
        dt=dt,
        arrays={
            "constraint_vertices": ends,
            "constraint_rest_values": lengths,
            "constraint_compliance": lengths / unit_force,
        },
        series={"step": {"positions": positions, "elastic_forces": forces}},
    )


def chain(
    folder: Path,
    experiment: str,
    name: str,
    strains: np.ndarray,
    tension: float,
    sections: np.ndarray,
    *,
    parameters: Mapping[str, Any],
    scene: Mapping[str, Any] | None = None,
    coordinates: Mapping[str, Any] | None = None,
    status: str = "completed",
) -> None:
    """A chain along x with these strains and this tension on its first vertex at its last row; at rest before."""
    count, length = len(strains), 0.5
    positions, forces = np.zeros((2, count + 1, 3)), np.zeros((2, count + 1, 3))
    positions[0, 1:, 0] = length * np.arange(1, count + 1)
    positions[1, 1:, 0] = np.cumsum(length * (1 + strains))
    forces[1, 0, 0], forces[1, -1, 0] = tension, -tension
    ends = np.full((count, 4), -1)
    ends[:, 0], ends[:, 1] = np.arange(count), np.arange(1, count + 1)
    write_trace(
        folder,
        f"{PAPER}/{experiment}",
        "force_cloth",
        name=name,
        parameters=parameters,
        scene=scene,
        coordinates=coordinates,
        status=status,
        arrays={
            "constraint_vertices": ends,
            "constraint_rest_values": np.full(count, length),
            "constraint_compliance": length / sections,
        },
        series={"step": {"positions": positions, "elastic_forces": forces}},
    )

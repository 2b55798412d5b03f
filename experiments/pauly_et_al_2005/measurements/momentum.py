# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/momentum: drift of free clouds in ten thousand steps."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace, quantity
from .clouds import seeds

M = Measures("pauly_et_al_2005/momentum")


def _states(cell: Trace) -> list[tuple[Array, Array, Array]]:
    """Masses, and positions and velocities of every stored row, by member."""
    found = []
    for member in seeds(cell):
        rows = [arrays for _, _, arrays in cell.frames(member)]
        found.append(
            (
                rows[0]["node_masses"],
                np.array([r["positions"] for r in rows]),
                np.array([r["velocities"] for r in rows]),
            )
        )
    return found


def drift(cell: Trace, *, angular: bool) -> float:
    """Largest change of a member's momentum relative to Σ m|v| at the start
    (angular: Σ m|x||v|, x from the centre of mass)."""
    worst = 0.0
    for masses, positions, velocities in _states(cell):
        centre = masses @ positions[0] / masses.sum()
        arms = positions - centre
        momenta = masses[None, :, None] * velocities
        if angular:
            found = np.cross(arms, momenta).sum(axis=1)
            scale = (np.linalg.norm(arms[0], axis=1) * np.linalg.norm(momenta[0], axis=1)).sum()
        else:
            found, scale = momenta.sum(axis=1), np.linalg.norm(momenta[0], axis=1).sum()
        worst = max(worst, float(np.linalg.norm(found - found[0], axis=1).max() / scale))
    return worst


M.largest(
    "linear_drift",
    quantity("|P(t) − P(0)| relative to Σ m|v| at the start")(lambda c: drift(c, angular=False)),
    EVERY_RUN,
)
M.largest(
    "angular_drift",
    quantity("|L(t) − L(0)| relative to Σ m|x||v| at the start, x from the centre of mass")(
        lambda c: drift(c, angular=True)
    ),
    EVERY_RUN,
)

# SPDX-License-Identifier: BSD-3-Clause
"""The limit of a quantity for cells of size zero, from meshes of several sizes."""

from collections.abc import Mapping

import numpy as np

from deformbench_analysis.errors import MissingData


def limit(by_cells: Mapping[int, float], meshes: int = 3) -> float:
    """c of c + a/n² + b/n⁴ + …, through the `meshes` finest meshes (n cells across);
    MissingData with fewer."""
    if len(by_cells) < meshes:
        raise MissingData(f"{len(by_cells)} meshes; the limit of fine meshes is taken from {meshes}")
    finest = sorted(by_cells)[-meshes:]
    powers = np.array([[float(n) ** (-2 * k) for k in range(meshes)] for n in finest])
    return float(np.linalg.solve(powers, [by_cells[n] for n in finest])[0])

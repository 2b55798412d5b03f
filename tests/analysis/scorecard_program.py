# SPDX-License-Identifier: BSD-3-Clause
"""St. Venant–Kirchhoff elements by explicit substeps, whose stress is that of half a substep later, which damps: a small
program that keeps what it owes, and as `scorecard_program.py momentum` or `energy` a wrong one."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

import deformbench

WRONG = {"momentum": 0.999, "energy": 1.001}  # by what a step multiplies the velocities


class Elements(deformbench.Method):
    """Explicit elements."""

    velocities: npt.NDArray[np.float64]
    id = "_".join(["elements", *sys.argv[1:]])
    factor = WRONG.get(sys.argv[-1], 1.0)

    def __init__(self, scene: deformbench.Scene, parameters: Mapping[str, Any]) -> None:
        self.scene = scene
        self.positions, self.velocities = scene.start_positions.copy(), scene.start_velocities.copy()
        self.corners = scene.tetrahedra
        young, ratio = scene.per_tetrahedron("young_modulus_pa"), scene.per_tetrahedron("poisson_ratio")
        self.mu, self.lame = young / (2 * (1 + ratio)), young * ratio / ((1 + ratio) * (1 - 2 * ratio))
        edges = self.edges(scene.rest_positions)
        self.inverse, self.volumes = np.linalg.inv(edges), np.abs(np.linalg.det(edges)) / 6
        height = 1 / np.linalg.norm(self.inverse, axis=(1, 2)).max()
        speed = np.sqrt(((self.lame + 2 * self.mu) / scene.per_tetrahedron("density_kg_m3")).max())
        self.substeps = int(np.ceil(scene.time_step * speed / (0.5 * height)))

    def edges(self, x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Three edges of each tetrahedron, as columns."""
        at = x[self.corners]
        return np.asarray((at[:, 1:] - at[:, :1]).transpose(0, 2, 1))

    def forces(self, later: float) -> npt.NDArray[np.float64]:
        """Elastic forces, by the strain of so many seconds later."""
        f, rate = (self.edges(x) @ self.inverse for x in (self.positions, self.velocities))
        strain = 0.5 * (f.transpose(0, 2, 1) @ f - np.eye(3))
        turned = f.transpose(0, 2, 1) @ rate
        strain += 0.5 * later * (turned + turned.transpose(0, 2, 1))
        trace = np.trace(strain, axis1=1, axis2=2)[:, None, None]
        stress = self.lame[:, None, None] * trace * np.eye(3) + 2 * self.mu[:, None, None] * strain
        own = -self.volumes[:, None, None] * (self.inverse @ (f @ stress).transpose(0, 2, 1))
        at_corners = np.concatenate([-own.sum(axis=1, keepdims=True), own], axis=1)
        columns = [np.bincount(self.corners.ravel(), at_corners[..., c].ravel(), len(self.positions)) for c in range(3)]
        return np.stack(columns, axis=1)

    def step(self) -> None:
        h, scene = self.scene.time_step / self.substeps, self.scene
        for _ in range(self.substeps):
            self.velocities += h * (self.forces(h / 2) + scene.external_forces) / scene.masses[:, None]
            self.velocities[scene.is_held] = 0.0
            self.positions = self.positions + h * self.velocities
        if not np.isfinite(self.positions).all():
            raise deformbench.Diverged("not finite")
        self.velocities *= self.factor


if __name__ == "__main__":
    deformbench.serve(Elements)

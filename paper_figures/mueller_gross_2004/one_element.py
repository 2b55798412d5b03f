# SPDX-License-Identifier: BSD-3-Clause
"""One element of a stored frame with its forces, computed here from positions and plastic strain, and compared with
the method's. Drawn in Figures 2 and 3 of [MG04]."""

from dataclasses import dataclass

import numpy as np

from deformbench_analysis.arrays import Array
from experiments.mueller_gross_2004.measurements.load_hold_release import corotational_forces
from deformbench_analysis.mesh import linear_forces
from deformbench_analysis.trace import Trace

EXPERIMENT = "mueller_gross_2004/constructions"
_ALONE = np.array([[0, 1, 2, 3]])


def tensors(six: Array) -> Array:
    """[m,3,3] from xx yy zz xy yz zx."""
    xx, yy, zz, xy, yz, zx = np.moveaxis(six, -1, 0)
    return np.asarray(
        np.stack([np.stack([xx, xy, zx], -1), np.stack([xy, yy, yz], -1), np.stack([zx, yz, zz], -1)], -2)
    )


@dataclass(frozen=True)
class Element:
    """Corners [4,3] in m about their common centre, forces [4,3] in N as the paper has them: K_e times a
    displacement, in the unrotated frame."""

    index: int
    rest: Array  # x0
    now: Array  # x
    rotation: Array  # R
    plastic_strain: Array  # [3,3]
    young: float
    poisson: float

    @property
    def unrotated(self) -> Array:
        """R⁻¹x."""
        return self.now @ self.rotation

    @property
    def plastic_rest(self) -> Array:
        """x0 with the plastic strain: where the element is free of force."""
        return np.asarray(self.rest @ (np.eye(3) + self.plastic_strain))

    def stiffness_times(self, displaced: Array) -> Array:
        """K_e (displaced − x0)."""
        return -linear_forces(self.rest, _ALONE, displaced, self.young, self.poisson)

    @property
    def total(self) -> Array:
        """f_total = K_e (R⁻¹x − x0)."""
        return self.stiffness_times(self.unrotated)

    @property
    def plastic(self) -> Array:
        """f_plastic = P_e ε_plastic, which is K_e times any displacement of that strain."""
        return self.stiffness_times(self.plastic_rest)


def element_at(trace: Trace, row: int, index: int) -> Element:
    """An element in a row of the clock frame."""
    corners = trace.scene("tetrahedra")[index]
    rest, now = trace.scene("rest_positions")[corners], trace.values("frame", "positions")[row][corners]
    stored = tensors(trace.values("frame", "element_plastic_strains")[row])[index]
    return Element(
        index,
        rest - rest.mean(axis=0),
        now - now.mean(axis=0),
        trace.values("frame", "rotations")[row].reshape(-1, 3, 3)[index],
        stored,
        trace.number("young_modulus_pa"),
        trace.number("poisson_ratio"),
    )


def force_difference(trace: Trace, row: int) -> float:
    """Largest |f − Σ_e f_e| / largest |f|: the method's forces on the vertices against the sum of those
    computed here."""
    here = corotational_forces(
        trace, trace.values("frame", "positions")[row], trace.values("frame", "element_plastic_strains")[row]
    )
    method = trace.values("frame", "elastic_forces")[row]
    return float(np.linalg.norm(method - here, axis=1).max() / np.linalg.norm(method, axis=1).max())


def angles(rotations: Array) -> Array:
    """Angle of each rotation, rad."""
    return np.asarray(np.arccos(np.clip((np.trace(rotations, axis1=-2, axis2=-1) - 1) / 2, -1, 1)))

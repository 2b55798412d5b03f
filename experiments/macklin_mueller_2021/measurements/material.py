# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of macklin_mueller_2021/pair_energy, small_strains, labelled_bar and collapsed_starts: the material
that the two constraints of a tetrahedron make, by formulas that share no line with the methods. [MM21]"""

import numpy as np

from deformbench_analysis.mesh import deformation_gradients, edge_matrices, lame, volumes
from deformbench_analysis.vocabulary import Array, Measures, Trace, parameter, rows

ENERGY, STRAINS = Measures("macklin_mueller_2021/pair_energy"), Measures("macklin_mueller_2021/small_strains")
BAR, STARTS = Measures("macklin_mueller_2021/labelled_bar"), Measures("macklin_mueller_2021/collapsed_starts")
CLOSE = 0.01  # largest principal strain of a body that is back in shape


def label(trace: Trace) -> tuple[float, float]:
    """λ, μ of the scene's label, Pa."""
    return lame(trace.number("young_modulus_pa"), trace.number("poisson_ratio"))


class Pair:
    """C_D = √(F:F) with compliance 1/(μV), C_H = det F − γ with 1/(lV), γ = 1 + μ/l and l = λ + μ, at all poses."""

    def __init__(self, trace: Trace, shift: float = 0.0) -> None:
        rest, elements = trace.scene("rest_positions"), trace.scene("tetrahedra")
        positions = trace.values("pose", "positions")
        first, second = label(trace)
        self.elements, self.shape = elements, positions.shape
        self.f, volume = deformation_gradients(rest, elements, positions), volumes(rest, elements)
        self.bulk, self.shear = (first + second) * volume, second * volume  # 1/α of both
        gamma = 1 + second / (first + second)
        self.norm, self.j = np.linalg.norm(self.f, axis=(2, 3)), np.linalg.det(self.f)
        self.deviatoric, self.hydrostatic = self.norm - shift, self.j - gamma
        self.at_rest = 0.5 * ((np.sqrt(3) - shift) ** 2 * self.shear + (1 - gamma) ** 2 * self.bulk)
        self.slopes = np.linalg.inv(edge_matrices(rest, elements))  # rows: gradients of N1, N2, N3

    def energies(self) -> Array:
        """Σ ½C²/α of every pose, relative to rest, J."""
        stored = 0.5 * (self.deviatoric**2 * self.shear + self.hydrostatic**2 * self.bulk)
        return np.asarray((stored - self.at_rest).sum(axis=1))

    def forces(self) -> Array:
        """−Σ C/α ∇C on every vertex, N."""
        cofactor = np.stack([np.cross(self.f[:, :, (i + 1) % 3], self.f[:, :, (i + 2) % 3]) for i in range(3)], axis=2)
        along = (self.deviatoric * self.shear / self.norm)[..., None, None] * self.f
        along = along + (self.hydrostatic * self.bulk)[..., None, None] * cofactor
        corners = -np.einsum("pmij,mkj->pmki", along, self.slopes)
        corners = np.concatenate([-corners.sum(axis=2, keepdims=True), corners], axis=2)
        found = np.zeros(self.shape)
        for pose, forces in zip(found, corners):
            np.add.at(pose, self.elements.ravel(), forces.reshape(-1, 3))
        return found


def _energy_difference(trace: Trace, shift: float) -> float:
    stored = trace.values("pose", "elastic_energy")
    return float((np.abs(Pair(trace, shift).energies() - stored) / np.abs(stored)).max())


def energy_difference(trace: Trace) -> float:
    """Relative difference of the energy from ½C²/α of both constraints."""
    return _energy_difference(trace, 0.0)


def other_energy_difference(trace: Trace) -> float:
    """Relative difference of the energy from that of the pair with √(F:F) − √3 in place of √(F:F)."""
    return _energy_difference(trace, float(np.sqrt(3)))


def force_difference(trace: Trace) -> float:
    """Largest difference of a force from C/α ∇C of both constraints, relative to the largest force."""
    forces = trace.values("pose", "elastic_forces")
    return float(np.abs(Pair(trace).forces() - forces).max() / np.abs(forces).max())


def inverted_share(trace: Trace) -> float:
    """Share of tetrahedra with det F below 0."""
    return float((Pair(trace).j < 0).mean())


ENERGY.largest("energy_difference", energy_difference)
ENERGY.largest("force_difference", force_difference)
ENERGY.least("other_energy_difference", other_energy_difference)
ENERGY.least("inverted_share", inverted_share)


# ---- small strains


def linear_ratio_error(trace: Trace) -> float:
    """Largest relative difference of the energy of a strain from that of linear elasticity, λ/2 tr(E)² + μ E:E."""
    rest, elements = trace.scene("rest_positions"), trace.scene("tetrahedra")
    f = deformation_gradients(rest, elements, trace.values("pose", "positions"))
    strain = 0.5 * (np.swapaxes(f, 2, 3) @ f - np.eye(3))
    first, second = label(trace)
    density = 0.5 * first * np.trace(strain, axis1=2, axis2=3) ** 2 + second * np.square(strain).sum(axis=(2, 3))
    return float(np.abs(trace.values("pose", "elastic_energy") / (density @ volumes(rest, elements)) - 1).max())


STRAINS.largest("energy_error", linear_ratio_error)


def strain_of(trace: Trace) -> tuple[float, float]:
    """Strain along the bar, and mean of both across, by regression over vertices."""
    rest, end = trace.scene("rest_positions"), trace.values("frame", "positions")[-1]
    slopes = [np.polyfit(rest[:, k], end[:, k] - rest[:, k], 1)[0] for k in range(3)]
    return float(slopes[0]), float((slopes[1] + slopes[2]) / 2)


def modulus_error(trace: Trace) -> float:
    """Relative error of the force per area and strain against Young's modulus of the label."""
    force = abs(float(trace.values("step", "tip_elastic_force")[-1, 0]))
    found = force / trace.number("side_m") ** 2 / strain_of(trace)[0]
    return abs(found / trace.number("young_modulus_pa") - 1)


def poisson_error(trace: Trace) -> float:
    """Distance of the contraction across per strain along from Poisson's ratio of the label."""
    along, across = strain_of(trace)
    return abs(-across / along - trace.number("poisson_ratio"))


BAR.largest("corrected_modulus_error", modulus_error)
BAR.largest("corrected_poisson_error", poisson_error)


# ---- collapsed starts

start = parameter("start", str, "The start.")


def recovers(trace: Trace) -> bool:
    """Ends with every tetrahedron upright and strained by at most a hundredth."""
    if trace.status != "completed":
        return False
    positions = trace.values("frame", "positions")[-1]
    if not np.isfinite(positions).all():
        return False
    f = deformation_gradients(trace.scene("rest_positions"), trace.scene("tetrahedra"), positions)
    stretches = np.linalg.svd(f, compute_uv=False)
    return bool((np.linalg.det(f) > 0).all() and np.abs(stretches - 1).max() < CLOSE)


def share(*cells: Trace) -> float:
    """Share of bodies that are back in shape."""
    return float(np.mean([recovers(c) for c in cells]))


def is_spatial(trace: Trace) -> bool:
    """Flat, on a sphere or mirrored."""
    return start(trace) in ("flat", "sphere", "mirrored")


def has_small_steps(trace: Trace) -> bool:
    """10 or 50 small steps."""
    return trace.setting("substeps") >= 10


ALL = rows(says="starts").however_ended("a run that is not finite does not recover")
SPATIAL = rows("coupled", says="solved together").however_ended("a run that is not finite does not recover")
STARTS.least("share", share, ALL.grouped(start, says="by start"))
STARTS.least("spatial_share", share, SPATIAL.where(is_spatial, has_small_steps).grouped(start, says="by start"))
STARTS.largest(
    "share_of_lines_and_points",
    share,
    ALL.where(lambda c: start(c) in ("line", "point"), says="line and point").grouped(start, says="by start"),
)

# SPDX-License-Identifier: BSD-3-Clause
"""What the analysis computes itself to judge explicit steps, in numpy from the traces' arrays alone: frequencies of a
mesh at rest, the energy of Green's strain, the speed of pressure waves."""

import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import eigsh

from . import extremes
from .arrays import Array
from .corotational import Body
from .mesh import deformation_gradients, lame, volumes
from .trace import Trace

DENSE = 600  # rows up to which all eigenvalues are as cheap as one
GROWN = 2.0  # between two halves of a run: what stays fills the same band in both, what grows does so in every step


def material(trace: Trace) -> tuple[float, float, float]:
    """Young's modulus Pa, Poisson's ratio, density kg/m³."""
    young, poisson, density = (trace.number(n) for n in ("young_modulus_pa", "poisson_ratio", "density_kg_m3"))
    return young, poisson, density


def pressure_wave_speed(trace: Trace) -> float:
    """c_p = √((λ + 2μ)/ρ), m/s."""
    young, poisson, density = material(trace)
    first, second = lame(young, poisson)
    return float(np.sqrt((first + 2 * second) / density))


def _over_masses(trace: Trace) -> csr_matrix:
    """M^-1/2 K M^-1/2 of the mesh at rest, 1/s²."""
    body = Body.of(trace)
    n = len(body.rest)
    root = diags(np.repeat(body.masses(material(trace)[2], n), 3) ** -0.5)
    stiffness = body.stiffness_matrix(np.tile(np.eye(3), (len(body.tetrahedra), 1, 1)), n)
    return csr_matrix(root @ stiffness @ root)


def highest_frequency(trace: Trace, free: Array | None = None) -> float:
    """Highest ω of the mesh at rest, rad/s; `free`: of these vertices, the others held."""
    matrix = _over_masses(trace)
    if free is not None:
        kept = np.repeat(free, 3)
        matrix = matrix[kept][:, kept]
    if matrix.shape[0] <= DENSE:
        return float(np.sqrt(np.linalg.eigvalsh(matrix.toarray())[-1]))
    return float(np.sqrt(eigsh(matrix, k=1, which="LA", return_eigenvectors=False)[0]))


def lowest_frequency(trace: Trace, free: Array | None = None) -> float:
    """Lowest elastic ω of the mesh at rest, rad/s: above the six rigid motions of a free mesh,
    or with all but `free` vertices held."""
    matrix, rigid = _over_masses(trace), 6
    if free is not None:
        kept = np.repeat(free, 3)
        matrix, rigid = matrix[kept][:, kept], 0
    if matrix.shape[0] <= DENSE:
        return float(np.sqrt(np.linalg.eigvalsh(matrix.toarray())[rigid]))
    shift = -1e-6 * highest_frequency(trace) ** 2
    return float(np.sqrt(np.sort(eigsh(matrix, k=rigid + 1, sigma=shift, return_eigenvectors=False))[rigid]))


def energies_of_green_strain(trace: Trace, positions: Array, velocities: Array) -> Array:
    """Σ m v²/2 + Σ V (μ E:E + λ/2 tr²E), E = (FᵀF − I)/2, of every row of [row, vertex, 3], J."""
    rest, tets = trace.scene("rest_positions"), trace.scene("tetrahedra")
    young, poisson, density = material(trace)
    first, second = lame(young, poisson)
    size, masses = volumes(rest, tets), Body.of(trace).masses(density, len(rest))
    found = []
    for x, v in zip(positions, velocities, strict=True):
        gradient = deformation_gradients(rest, tets, x)
        green = 0.5 * (np.swapaxes(gradient, 1, 2) @ gradient - np.eye(3))
        stored = second * (green**2).sum(axis=(1, 2)) + first / 2 * np.trace(green, axis1=1, axis2=2) ** 2
        found.append(float(size @ stored + masses @ (v**2).sum(axis=1) / 2))
    return np.asarray(found)


def grows(trace: Trace) -> bool:
    """Whether the largest displacement of the second half is over twice that of the first;
    a run cut off has grown."""
    if trace.status != "completed":
        return True
    rest = trace.scene("rest_positions")
    sizes = extremes.finite(np.abs(trace.values("step", "positions") - rest).max(axis=(1, 2)), trace.label)
    half = len(sizes) // 2
    return float(sizes[half:].max()) > GROWN * float(sizes[:half].max())


def step(trace: Trace) -> float:
    """Δt, s."""
    return trace.number("time_step_s")

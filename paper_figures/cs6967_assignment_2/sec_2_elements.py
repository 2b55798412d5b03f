# SPDX-License-Identifier: BSD-3-Clause
"""Sections 1 and 2: statements on single elements and meshes,
each as a measured deviation beside its bound."""

from paper_figures.bounds import Chart, draw_bounds
from paper_figures.figure import Drawing, titled

LABELS = {
    "nodal_masses.vertex_error": "vertex mass against exact rationals",
    "nodal_masses.mass_error": "mass against surface integrals",
    "nodal_masses.centre_error": "centre of mass against surface integrals",
    "nodal_masses.second_moment_excess": "second moment against 1 + 2/n²",
    "deformation_gradients.error": "F = Xβ, relative to ε × condition",
    "bent_gradients.error": "F against surface integrals, same unit",
    "nodal_forces.energy_difference": "forces against −∂W/∂x",
    "nodal_forces.surface_difference": "forces against −P ⅓ΣA n",
    "nodal_forces.net_force": "net force of an element",
    "nodal_forces.torque": "torque of an element",
    "warped_forces.energy_difference": "warped forces against −∂W/∂x",
    "warped_forces.stress_difference": "warped forces against −P ⅓ΣA n",
    "warped_forces.stiffness_difference": "warped forces against −R K (Rᵀx − x₀)",
    "warped_forces.torque": "torque of a warped element",
    "warped_forces.qr_torque": "the same, QR rotation",
    "warped_forces.best_fit_difference": "forces, best-fit R instead of F's",
    "warped_forces.best_fit_torque": "its torque",
}
SAYS = (
    "The text says: each element adds a quarter of its mass to its nodes; β times the current edges is F; the force "
    "on a node is P times a third of the area normals at it (with the sign that outward normals need); warped "
    "forces are R K (R⁻¹x − x₀), for which F need not be computed."
)


@titled("Sections 1 and 2 — elements")
def make(figure: Drawing) -> str:
    chart = Chart(
        SAYS,
        "largest deviations over irregular meshes, slivers, and elements that are turned and distorted at random",
        LABELS,
        {},
        "warped",
        labelled_alone=True,
    )
    return draw_bounds(figure, chart)

# SPDX-License-Identifier: BSD-3-Clause
"""Section 2: the algebraic statements, each as a measured deviation beside the bound by which it is judged."""

from paper_figures.bounds import Chart, draw_bounds
from paper_figures.figure import Drawing, titled

LABELS = {
    "patch_test.linear_position_error": "patch test: positions, linear",
    "patch_test.linear_stress_error": "patch test: stress, linear",
    "patch_test.linear_force_residual": "patch test: interior forces, linear",
    "patch_test.warped_position_error": "patch test: positions, warped",
    "element_forces.linear_difference": "linear forces against an independent B",
    "calculix_cantilever.displacement_difference": "displacements against CalculiX",
    "calculix_cantilever.meshes": "meshes compared with CalculiX",
    "stiffness_spectrum.zero_modes_at_rest_min": "zero modes of K at rest, fewest",
    "stiffness_spectrum.zero_modes_at_rest_max": "zero modes of K at rest, most",
    "stiffness_spectrum.asymmetry_max": "asymmetry of K",
    "ghost_forces.element_force_sum": "net force, polar rotations",
    "ghost_forces.element_qr_force_sum": "net force, Gram–Schmidt rotations",
    "ghost_forces.element_torque_sum": "net torque, polar rotations",
    "ghost_forces.element_qr_torque_sum": "net torque, Gram–Schmidt rotations",
    "identity_rotation.warped_difference": "R = I against linear FEM",
    "identity_rotation.naive_difference": "the same, naive implementation",
    "identity_rotation.strain": "strain of these poses",
    "identity_rotation.least_order": "order in the angle towards rest, least",
    "identity_rotation.largest_order": "order in the angle towards rest, largest",
    "element_forces.rotation_error": "Rₑ against singular values",
    "element_forces.largest_rotation": "largest rotation of these poses [rad]",
    "element_forces.rest_translation_difference": "Rₑ with translated rest shape",
    "element_forces.rest_distance": "that translation / edge",
    "step_equation.linear_residual": "equation of a step with such Rₑ",
    "element_forces.rigid_force": "force in rigid motion",
    "element_forces.global_difference": "one R against rotated linear FEM",
    "element_forces.rigid_rotation_spread": "spread of Rₑ in rigid motion",
    "element_forces.rotation_orthogonality": "|RᵀR − I|",
    "element_forces.rotation_determinant_error": "|det R − 1|",
    "element_forces.energy_gradient_error": "force against −∇Ψ",
}
# The same measure where the statement does not apply, as evidence that the measurement can fail.
CONTRASTS = {
    "IVM-10": ("ghost_forces.vertex_force_sum", "rotation per vertex", "vertex_warped"),
    "IVM-14": ("element_forces.linear_rigid_force", "linear FEM", "linear"),
}
SAYS = (
    "The paper says: constant-strain elements with a symmetric stiffness of rank 3n − 6; rotations for each element "
    "leave no net force and no force in rigid motion, and give linear FEM's forces where all rotations are the "
    "identity or equal. The paper does not mention net torque or an energy; with polar rotations both are exact, "
    "too, and with Gram–Schmidt rotations the torque is not zero, the one row with a lower bound."
)


@titled("Section 2 — algebraic identities")
def make(figure: Drawing) -> str:
    chart = Chart(
        SAYS,
        "largest deviations over imposed random, bent, twisted and rigid poses and over a patch test",
        LABELS,
        CONTRASTS,
        "warped",
    )
    return draw_bounds(figure, chart)

# SPDX-License-Identifier: BSD-3-Clause
"""Sections 3 and 4, appendices: the statements that hold to rounding or not at all,
each as a deviation beside its bound."""

from paper_figures.bounds import Chart, draw_bounds
from paper_figures.figure import Drawing, titled

LABELS = {
    "solver_stages.replay_error": "lines 1–17 against a second program",
    "solver_stages.contacts": "contacts in that run",
    "verlet_correspondence.plain_difference": "Verlet: free of contacts",
    "verlet_correspondence.damped_least_difference": "Verlet: with damping",
    "verlet_correspondence.floor_least_difference": "Verlet: on a floor",
    "mass_weighting.corrected_linear_momentum": "linear momentum of a projection",
    "mass_weighting.corrected_angular_momentum": "angular momentum of a projection",
    "mass_weighting.printed_linear_momentum": "linear momentum, as printed",
    "mass_weighting.printed_angular_momentum": "angular momentum, as printed",
    "mass_weighting.distance_residual": "a distance after one projection",
    "mass_weighting.distance_correction_error": "corrections against eqs. 9, 10",
    "mass_weighting.triangle_point_linear_momentum": "vertex–triangle: linear momentum",
    "mass_weighting.triangle_point_angular_momentum": "vertex–triangle: angular momentum",
    "damping_rigid.linear_momentum_change": "damping: linear momentum",
    "damping_rigid.angular_momentum_change": "damping: angular momentum",
    "damping_rigid.deviation_error": "damping: deviations fall by 1 − k",
    "damping_rigid.energy_factor_error": "damping: their energy by (1 − k)²",
    "damping_rigid.not_finite": "damping: values that are not finite",
    "mass_weighting.held_movement": "held particles, one projection",
    "catenary.held_movement": "held ends of a chain",
    "strip_bending.vertex_mass_error": "mass of a vertex: thirds of triangles",
    "strip_bending.unequal_triangles": "areas of its triangles, largest ratio",
    "two_way_reaction.corrected_linear_change": "cloth and body: linear momentum",
    "two_way_reaction.impulse_linear_change": "the same, the vertex alone projected",
    "two_way_reaction.corrected_angular_change": "cloth and body: angular momentum",
    "two_way_reaction.impulse_angular_change": "the same, the vertex alone projected",
    "two_way_reaction.corrected_angular_change_per_way": "angular momentum over a step's way",
    "two_way_reaction.impulse_angular_change_per_way": "the same, the vertex alone projected",
    "two_way_reaction.corrected_moment_error": "moment on the body",
    "two_way_reaction.impulse_moment_error": "the same, the vertex alone projected",
    "two_way_reaction.corrected_body_momentum": "momentum of the body, in particles",
    "two_way_reaction.impulse_body_momentum": "the same, the vertex alone projected",
    "two_way_reaction.corrected_body_pushed": "the body is pushed away",
    "two_way_reaction.impulse_body_pushed": "the same, the vertex alone projected",
    "two_way_reaction.contacts": "contacts in that run",
    "mass_weighting.bend_correction_error": "bending corrections against differences",
    "mass_weighting.normal_correction_error": "normal's derivative against differences",
}
SAYS = (
    "The paper says: the order of the algorithm; its correspondence to Verlet's scheme; projections that keep "
    "linear and angular momentum; damping that leaves rigid motion alone; attached vertices that stay; masses by "
    "thirds of triangles; the derivatives in its appendices."
)


@titled("Sections 3 and 4 — identities")
def make(figure: Drawing) -> str:
    chart = Chart(
        SAYS, "largest deviations over random constraints, clouds of particles, nets and cloths", LABELS, {}, "pbd"
    )
    return draw_bounds(figure, chart)

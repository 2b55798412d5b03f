# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the scenes of figures 6 to 12 of mueller_et_al_2007: folded cloth, barrel, balloon,
stripes, tearing, gears, level."""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, Quantity, Trace
from deformbench_analysis.vocabulary import parameter, quantity, rows

PAPER = "mueller_et_al_2007/"
thickness = parameter("method.parameters.thickness_m", float, "Thickness of the cloth, m.")
stretch_stiffness = parameter("method.parameters.stretch_stiffness", float, "Stretching stiffness.")


def series(trace: Trace, channel: str, clock: str = "step") -> Array:
    """Values of a channel, steps along the last axis, members before it."""
    return np.asarray(np.atleast_2d(np.asarray(trace.values(clock, channel), dtype=float)))


def measures(names: str) -> list[Measures]:
    """The measures of these experiments of the paper."""
    return [Measures(PAPER + name) for name in names.split()]


def channel(phrase: str, name: str, unit: str = "1", clock: str = "step") -> Quantity:
    """A channel's values at all times."""
    return quantity(phrase, unit=unit)(lambda trace: series(trace, name, clock))


def pieces_of(triangles: Array) -> Array:
    """The connected piece of a surface that each vertex belongs to, from 0."""
    n = int(triangles.max()) + 1
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]]])
    graph = coo_matrix((np.ones(len(sides)), (sides[:, 0], sides[:, 1])), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1])


@quantity("largest kinetic energy in the last tenth of the run / in the whole run")
def rest_energy(trace: Trace) -> Array:
    """One per member."""
    e = series(trace, "kinetic_energy")
    return np.asarray(e[:, 9 * e.shape[1] // 10 :].max(axis=1) / e.max(axis=1))


def creep(trace: Trace) -> float:
    """Displacement of a vertex since the start of the run's last quarter / thickness."""
    x = trace.values("frame", "positions")  # [(member,) row, vertex, 3]
    x = x[..., 3 * (x.shape[-3] - 1) // 4 :, :, :]
    return float(np.linalg.norm(x - x[..., :1, :, :], axis=-1).max()) / thickness(trace)


def volume_error(trace: Trace) -> float:
    """|V/(k_pressure V0) − 1| at the end, infinite for a run that did not complete."""
    if trace.status != "completed":
        return float("inf")
    volume = trace.values("step", "closed_volume")
    return abs(float(volume[-1] / volume[0]) / trace.setting("pressure") - 1)


@quantity("largest mass of a hanging body / mass of one stripe of cloth")
def mass_ratio(trace: Trace) -> float:
    """Computed from the parameters of the scene."""
    names = ("area_density_kg_m2", "width_m", "length_m")
    stripe = float(np.prod([trace.number(n) for n in names]))
    return float(max(trace.value("scene.parameters.masses_kg")) / stripe)


def mass_change(trace: Trace) -> Array:
    """Relative change of the mass of cloth and bodies."""
    m = series(trace, "mass")
    return np.asarray(np.abs(m / m[:, :1] - 1))


def boundary_shrinkage(trace: Trace) -> float:
    """Relative decrease of the boundary's rest length from one row to the next, 0 where it only grows."""
    x = series(trace, "boundary_length")
    return float((1 - x[:, 1:] / x[:, :-1]).max(initial=0.0))


def boundary_growth(trace: Trace) -> Array:
    """Final / initial rest length of the cloth's boundary."""
    x = series(trace, "boundary_length")
    return np.asarray(x[:, -1] / x[:, 0])


def volume_course(trace: Trace) -> Array:
    """V/(k_pressure V0), every row."""
    volume = series(trace, "closed_volume")
    return np.asarray(volume / volume[:, :1] / trace.setting("pressure"))


@quantity("V/(k_pressure V0) after the first tenth of the run")
def squeezed_volume(trace: Trace) -> Array:
    """While the gears squeeze the character."""
    v = volume_course(trace)
    return v[:, v.shape[1] // 10 :]


penetration = channel("depth of a vertex inside a rigid body or behind a plane", "penetration_depth", "m")
strain = channel("strain of an edge", "edge_strain_max")
intersections = channel("pairs of triangles that intersect", "self_intersections", clock="operator")
self_distance = quantity("distance of a vertex from a triangle without it / cloth thickness")(
    lambda c: series(c, "self_distance", "operator") / thickness(c)
)
final_volume_error = quantity("|V/(k_pressure V0) − 1| at the end")(lambda c: np.abs(volume_course(c)[:, -1] - 1))
contacts = quantity("contacts with bodies plus self-contacts in one step")(
    lambda c: series(c, "body_contacts") + series(c, "self_contacts")
)
torn_vertices = quantity("vertices that tearing has added at the end")(lambda c: series(c, "torn_vertices")[:, -1])
UNNAMED = EVERY_RUN.noted(lambda c: "")
ANYHOW = EVERY_RUN.however_ended("a run that did not complete is infinitely wrong")

for M in measures("folded_cloth tearing"):
    M.only("vertices", quantity("vertices of the cloth at the start")(lambda c: len(c.scene("rest_positions"))))
    M.only("triangles", quantity("triangles of the cloth")(lambda c: len(c.scene("triangles"))))

BOUNDED = "folded_cloth cloth_over_bar barrel stripes stripes_heavy tearing gears characters level"
for M in measures(BOUNDED + " frame_cost"):

    @M("runs_not_finite" if M.short == "frame_cost" else "diverged")
    def diverged(data: ExperimentData) -> Measured:
        """Number of runs that did not complete: the state left the physical bounds of the scene, or a number was not
        finite."""
        bad = [
            c.label
            for c in ANYHOW.runs(data)
            if c.status != "completed" or not np.isfinite(series(c, "kinetic_energy")).all()
        ]
        return Measured(float(len(bad)), "; ".join(bad[:2]))


for M in measures(BOUNDED):
    M.largest("penetration", penetration, EVERY_RUN)
    M.largest("strain_max", strain, EVERY_RUN)
for M in measures("folded_cloth cloth_over_bar barrel gears characters level"):
    M.largest("intersections", intersections, EVERY_RUN)
for M in measures("folded_cloth cloth_over_bar barrel"):
    M.least("least_distance", self_distance, UNNAMED)
for M in measures("folded_cloth cloth_over_bar"):
    M.largest("rest_energy", rest_energy, UNNAMED)
    M.largest("creep", creep, EVERY_RUN)
for M in measures("stripes level"):
    M.only("cloths", quantity("pieces of cloth")(lambda c: pieces_of(c.scene("triangles").astype(int)).max() + 1))
    M.only("rigid_bodies", quantity("rigid bodies, static ones included")(lambda c: len(c.scene("rigid_masses"))))
for M in measures("stripes stripes_heavy"):
    M.largest("mass_ratio", mass_ratio, EVERY_RUN)

BALLOON, CHARACTER, TEARING, GEARS = measures("balloon inflated_character tearing gears")
BALLOON.largest("soft_volume_error", volume_error, ANYHOW.at_largest(lambda c: -stretch_stiffness(c), "softest cloth"))
BALLOON.largest("stiff_volume_error", volume_error, ANYHOW.at_largest(stretch_stiffness, "stiffest cloth"))
CHARACTER.largest("volume_error", volume_error, ANYHOW)
TEARING.least("torn_vertices", torn_vertices, UNNAMED)
TEARING.largest("mass_change", mass_change, UNNAMED)
TEARING.largest("non_manifold_edges", channel("edges with more than two triangles", "non_manifold_edges"), EVERY_RUN)
TEARING.largest("boundary_shrinkage", boundary_shrinkage, UNNAMED)
TEARING.least("boundary_growth", boundary_growth, UNNAMED)
GEARS.largest("volume_recovery", final_volume_error, UNNAMED)
GEARS.least("squeezed_volume", squeezed_volume, UNNAMED)
GEARS.largest("contacts", contacts, UNNAMED)

BOX, BOXES, LARGE_BOX = measures("box_on_net box_on_net_sizes large_box_on_net")
SHORT_WAY = 0.5  # box edges per step: a corner contact is dropped half an edge behind the cloth
SMALL_BLOW = 0.25  # that × box mass / cloth mass


def box_depth(trace: Trace) -> float:
    """Final depth of the box below the cloth's border / cloth side."""
    height = trace.values("step", "rigid_positions")[-1, :, 1].item()
    return -float(height) / trace.number("side_m")


def way_per_step(trace: Trace) -> float:
    """Path per step / box edge.

    At the speed √(2gh) with which the box hits the cloth."""
    height, step, edge, gravity = (
        np.linalg.norm(trace.value(f"scene.parameters.{n}"))
        for n in ("height_m", "time_step_s", "box_size_m", "gravity_m_s2")
    )
    return float(np.sqrt(2 * gravity * height) * step / edge)


def mass_over_cloth(trace: Trace) -> float:
    """Mass of the box / mass of the cloth."""
    mass, density, side = (trace.number(n) for n in ("mass_kg", "area_density_kg_m2", "side_m"))
    return mass / (density * side**2)


def in_regime(trace: Trace) -> bool:
    """Path per step ≤ 0.5 edges, times mass ≤ 0.25 edges × cloth mass.

    Slow and light enough to keep corners."""
    way = way_per_step(trace)
    return way <= SHORT_WAY * (1 + 1e-9) and way * mass_over_cloth(trace) <= SMALL_BLOW * (1 + 1e-9)


CORNERS = rows("corners", says="corner contacts")
IN_REGIME = CORNERS.where(in_regime)
for M in (BOX, BOXES):
    M.largest("corners_depth", box_depth, CORNERS)
    M.least("vertices_alone_depth", box_depth, rows("vertices_alone", says="contacts of the cloth's vertices alone"))
LARGE_BOX.largest("vertices_alone_depth", box_depth, EVERY_RUN)
BOXES.largest("regime_depth", box_depth, IN_REGIME)
BOXES.least("least_way_of_fallen", way_per_step, CORNERS.having(lambda c: box_depth(c) > 1, "boxes that fall through"))


@BOXES("regime_boxes")
def regime_boxes(data: ExperimentData) -> Measured:
    """Number of boxes with corner contacts whose path per step, in box edges, is at most 0.5 and at most 0.25 × cloth
    mass / box mass."""
    cells = IN_REGIME.runs(data)
    masses = [mass_over_cloth(c) for c in cells]
    return Measured(
        float(len(cells)),
        f"ways up to {max(map(way_per_step, cells)):.2g} of an edge, {min(masses):.2g} to {max(masses):.2g} of the cloth's mass",
    )

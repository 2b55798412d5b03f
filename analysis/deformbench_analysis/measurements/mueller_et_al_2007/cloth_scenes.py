# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the scenes of figures 6 to 12 of mueller_et_al_2007: folded cloth, barrel, balloon, stripes, tearing, gears, level."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

PAPER = "mueller_et_al_2007/"


def series(trace: Trace, channel: str, clock: str = "step") -> Array:
    """Values of a channel with the steps along the last axis, ensembles before it."""
    return np.asarray(np.atleast_2d(np.asarray(trace.values(clock, channel), dtype=float)))


def worst(data: ExperimentData, channel: str, clock: str = "step") -> Measured:
    """Largest value of a channel over all runs and rows, with the run it is of."""
    found = {c: float(series(c, channel, clock).max()) for c in data.some()}
    return extremes.largest(found)


def pieces_of(triangles: Array) -> Array:
    """The connected piece of a surface that each vertex belongs to, from 0."""
    n = int(triangles.max()) + 1
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]]])
    graph = coo_matrix((np.ones(len(sides)), (sides[:, 0], sides[:, 1])), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1])


for name in ("folded_cloth", "tearing"):

    @measurement(f"{name}.vertices", unit="1", experiment=PAPER + name)
    def vertices(data: ExperimentData) -> float:
        """Vertices of the cloth at the start."""
        return float(len(data.one().scene("rest_positions")))

    @measurement(f"{name}.triangles", unit="1", experiment=PAPER + name)
    def triangle_count(data: ExperimentData) -> float:
        """Triangles of the cloth."""
        return float(len(data.one().scene("triangles")))


BOUNDED = "folded_cloth cloth_over_bar barrel stripes stripes_heavy tearing gears characters level"
for name in BOUNDED.split():

    @measurement(f"{name}.diverged", unit="1", experiment=PAPER + name)
    def diverged(data: ExperimentData) -> Measured:
        """Number of runs that did not complete: the state left the physical bounds of the scene, or a number was not
        finite."""
        bad = [
            c.label
            for c in data.some(status=None)
            if c.status != "completed" or not np.isfinite(series(c, "kinetic_energy")).all()
        ]
        return Measured(float(len(bad)), "; ".join(bad[:2]))

    @measurement(f"{name}.penetration", unit="m", experiment=PAPER + name)
    def penetration(data: ExperimentData) -> Measured:
        """Largest depth of a vertex inside a rigid body or behind a plane, at any time."""
        return worst(data, "penetration_depth")

    @measurement(f"{name}.strain_max", unit="1", experiment=PAPER + name)
    def strain_max(data: ExperimentData) -> Measured:
        """Largest strain of an edge at any time."""
        return worst(data, "edge_strain_max")


for name in ("folded_cloth", "cloth_over_bar", "barrel", "gears", "characters", "level"):

    @measurement(f"{name}.intersections", unit="1", experiment=PAPER + name)
    def intersections(data: ExperimentData) -> Measured:
        """Largest number of pairs of triangles that intersect, at any time."""
        return worst(data, "self_intersections", "operator")


for name in ("folded_cloth", "cloth_over_bar", "barrel"):

    @measurement(f"{name}.least_distance", unit="1", experiment=PAPER + name)
    def least_distance(data: ExperimentData) -> float:
        """Smallest distance of a vertex from a triangle of which it is not a corner, at any time, over the cloth's
        thickness."""
        return float(
            np.min(
                [
                    float(series(c, "self_distance", "operator").min())
                    / float(c.value("method.parameters.thickness_m"))
                    for c in data.some()
                ]
            )
        )


for name in ("folded_cloth", "cloth_over_bar"):

    @measurement(f"{name}.rest_energy", unit="1", experiment=PAPER + name)
    def rest_energy(data: ExperimentData) -> float:
        """Largest kinetic energy in the last tenth of the run over the largest of the whole run."""
        energies = [series(c, "kinetic_energy") for c in data.some()]
        return float(
            np.max([float((e[:, 9 * e.shape[1] // 10 :].max(axis=1) / e.max(axis=1)).max()) for e in energies])
        )

    @measurement(f"{name}.creep", unit="1", experiment=PAPER + name)
    def creep(data: ExperimentData) -> Measured:
        """Largest distance of a vertex in the last quarter of the run from its position at the start of that quarter,
        over the cloth's thickness."""
        found = {}
        for cell in data.some():
            x = cell.values("frame", "positions")  # [(member,) row, vertex, 3]
            x = x[..., 3 * (x.shape[-3] - 1) // 4 :, :, :]
            found[cell.label] = float(np.linalg.norm(x - x[..., :1, :, :], axis=-1).max()) / float(
                cell.value("method.parameters.thickness_m")
            )
        return extremes.largest(found)


COST = PAPER + "frame_cost"


@measurement("frame_cost.runs_not_finite", unit="1", experiment=COST)
def cost_not_finite(data: ExperimentData) -> Measured:
    """Number of runs that diverge or whose kinetic energy is not finite: their times would mean nothing."""
    bad = [
        c.label
        for c in data.some(status=None)
        if c.status != "completed" or not np.isfinite(series(c, "kinetic_energy")).all()
    ]
    return Measured(float(len(bad)), "; ".join(bad[:2]))


BALLOON = PAPER + "balloon"
STRETCH = "method.parameters.stretch_stiffness"


def volume_error(trace: Trace) -> float:
    """|V/(k_pressure V0) − 1| at the end; infinite of a run that did not complete."""
    if trace.status != "completed":
        return float("inf")
    volume = trace.values("step", "closed_volume")
    return abs(float(volume[-1] / volume[0]) / float(trace.value("method.parameters.pressure")) - 1)


def largest_volume_error(cells: list[Trace]) -> Measured:
    """Largest relative error of a closed cloth's volume, with the run it is of."""
    found = {c: volume_error(c) for c in cells}
    return extremes.largest(found)


@measurement("balloon.soft_volume_error", unit="1", experiment=BALLOON)
def soft_volume_error(data: ExperimentData) -> Measured:
    """Largest |V/(k_pressure V0) − 1| at the end of a run, cloth of the lowest stretching stiffness; infinite for a
    run that did not complete."""
    softest = min(float(c.value(STRETCH)) for c in data.some(status=None))
    return largest_volume_error(data.some(status=None, where={STRETCH: softest}))


@measurement("balloon.stiff_volume_error", unit="1", experiment=BALLOON)
def stiff_volume_error(data: ExperimentData) -> Measured:
    """Largest |V/(k_pressure V0) − 1| at the end of a run, cloth of the highest stretching stiffness, whose edges
    resist the pressure."""
    stiffest = max(float(c.value(STRETCH)) for c in data.some(status=None))
    return largest_volume_error(data.some(status=None, where={STRETCH: stiffest}))


@measurement("inflated_character.volume_error", unit="1", experiment=PAPER + "inflated_character")
def character_volume_error(data: ExperimentData) -> Measured:
    """Largest |V/(k_pressure V0) − 1| at the end, a character whose cloth resists the pressure; infinite for a run
    that did not complete."""
    return largest_volume_error(data.some(status=None))


for name in ("stripes", "level"):

    @measurement(f"{name}.cloths", unit="1", experiment=PAPER + name)
    def cloths(data: ExperimentData) -> float:
        """Pieces of cloth in the scene."""
        return float(pieces_of(data.one().scene("triangles").astype(int)).max() + 1)

    @measurement(f"{name}.rigid_bodies", unit="1", experiment=PAPER + name)
    def rigid_bodies(data: ExperimentData) -> float:
        """Rigid bodies in the scene, static ones included."""
        return float(len(data.one().scene("rigid_masses")))


for name in ("stripes", "stripes_heavy"):

    @measurement(f"{name}.mass_ratio", unit="1", experiment=PAPER + name)
    def mass_ratio(data: ExperimentData) -> Measured:
        """Largest mass of a hanging body over the mass of one stripe of cloth."""
        names = ("area_density_kg_m2", "width_m", "length_m")
        stripes = {c: float(np.prod([float(c.value(f"scene.parameters.{n}")) for n in names])) for c in data.some()}
        return extremes.largest({c: max(c.value("scene.parameters.masses_kg")) / m for c, m in stripes.items()})


TEARING = PAPER + "tearing"


@measurement("tearing.torn_vertices", unit="1", experiment=TEARING)
def torn_vertices(data: ExperimentData) -> float:
    """Number of vertices that tearing has added, at the end."""
    return float(np.min([series(c, "torn_vertices")[:, -1].min() for c in data.some()]))


@measurement("tearing.mass_change", unit="1", experiment=TEARING)
def mass_change(data: ExperimentData) -> float:
    """Largest relative change of the mass of cloth and bodies, at any time."""
    masses = [series(c, "mass") for c in data.some()]
    return float(np.max([float(np.abs(m / m[:, :1] - 1).max()) for m in masses]))


@measurement("tearing.non_manifold_edges", unit="1", experiment=TEARING)
def non_manifold_edges(data: ExperimentData) -> Measured:
    """Largest number of edges with more than two triangles, at any time."""
    return worst(data, "non_manifold_edges")


@measurement("tearing.boundary_shrinkage", unit="1", experiment=TEARING)
def boundary_shrinkage(data: ExperimentData) -> float:
    """Largest relative decrease of the length of the cloth's boundary, in rest lengths, from one row to the next; 0
    where it only grows."""
    lengths = [series(c, "boundary_length") for c in data.some()]
    return float(np.max([float((1 - x[:, 1:] / x[:, :-1]).max(initial=0.0)) for x in lengths]))


@measurement("tearing.boundary_growth", unit="1", experiment=TEARING)
def boundary_growth(data: ExperimentData) -> float:
    """Length of the cloth's boundary, in rest lengths, at the end over that at the start."""
    lengths = [series(c, "boundary_length") for c in data.some()]
    return float(np.min([float((x[:, -1] / x[:, 0]).min()) for x in lengths]))


GEARS = PAPER + "gears"


def volume_course(trace: Trace) -> Array:
    """Volume over k_pressure times that at rest, every row."""
    volume = series(trace, "closed_volume")
    return np.asarray(volume / volume[:, :1] / float(trace.value("method.parameters.pressure")))


@measurement("gears.volume_recovery", unit="1", experiment=GEARS)
def volume_recovery(data: ExperimentData) -> float:
    """Largest |V/(k_pressure V0) − 1| at the end, after the character has passed the gears."""
    return float(np.max([float(np.abs(volume_course(c)[:, -1] - 1).max()) for c in data.some()]))


@measurement("gears.squeezed_volume", unit="1", experiment=GEARS)
def squeezed_volume(data: ExperimentData) -> float:
    """Smallest V/(k_pressure V0) after the first tenth of the run, while the gears squeeze the character."""
    courses = [volume_course(c) for c in data.some()]
    return float(np.min([float(v[:, v.shape[1] // 10 :].min()) for v in courses]))


@measurement("gears.contacts", unit="1", experiment=GEARS)
def gear_contacts(data: ExperimentData) -> float:
    """Largest number of contacts with bodies and of the cloth with itself together, in one step."""
    return float(np.max([float((series(c, "body_contacts") + series(c, "self_contacts")).max()) for c in data.some()]))


BOX, BOXES = PAPER + "box_on_net", PAPER + "box_on_net_sizes"
SHORT_WAY = 0.5  # of the box's edge per step: a corner is given up when half an edge behind the cloth
SMALL_BLOW = 0.25  # that way times the box's mass over the cloth's


def box_depth(trace: Trace) -> float:
    """How far the one body is below the cloth at the end, over the side of the cloth."""
    height = trace.values("step", "rigid_positions")[-1, :, 1].item()
    return -float(height) / float(trace.value("scene.parameters.side_m"))


def way_per_step(trace: Trace) -> float:
    """Way of a step at the speed √(2gh) with which the box meets the cloth, over its edge."""
    height, step, edge, gravity = (
        np.linalg.norm(trace.value(f"scene.parameters.{n}"))
        for n in ("height_m", "time_step_s", "box_size_m", "gravity_m_s2")
    )
    return float(np.sqrt(2 * gravity * height) * step / edge)


def mass_over_cloth(trace: Trace) -> float:
    """Mass of the box over that of the cloth."""
    mass, density, side = (
        float(trace.value(f"scene.parameters.{n}")) for n in ("mass_kg", "area_density_kg_m2", "side_m")
    )
    return mass / (density * side**2)


def in_regime(trace: Trace) -> bool:
    """Whether a box is slow and light enough for its corners to be kept."""
    way = way_per_step(trace)
    return way <= SHORT_WAY * (1 + 1e-9) and way * mass_over_cloth(trace) <= SMALL_BLOW * (1 + 1e-9)


for name in ("box_on_net", "box_on_net_sizes"):
    for row, described in (
        ("corners", "contacts of the box's corners with triangles too; largest over the boxes"),
        ("vertices_alone", "contacts of the cloth's vertices alone; smallest over the boxes"),
    ):

        @measurement(f"{name}.{row}_depth", unit="1", experiment=PAPER + name, of=described)
        def depth(data: ExperimentData, row: str = row) -> Measured:
            """Depth of the box's centre below the held border of the cloth at the end, over the side of the cloth."""
            found = {c: box_depth(c) for c in data.every(name=row)}
            return extremes.largest(found) if row == "corners" else extremes.least(found)


@measurement("box_on_net_sizes.regime_depth", unit="1", experiment=BOXES)
def regime_depth(data: ExperimentData) -> Measured:
    """Largest depth of the box's centre below the held border of the cloth at the end, over the side of the cloth, with
    contacts of corners; boxes whose way per step over their edge is at most 0.5, and 0.25 times the mass of the cloth
    over theirs."""
    return extremes.largest({c: box_depth(c) for c in data.every(name="corners", keep=in_regime)})


@measurement("box_on_net_sizes.regime_boxes", unit="1", experiment=BOXES)
def regime_boxes(data: ExperimentData) -> Measured:
    """Number of boxes with contacts of corners whose way per step over their edge is at most 0.5, and 0.25 times the mass
    of the cloth over theirs."""
    cells = data.every(name="corners", keep=in_regime)
    masses = [mass_over_cloth(c) for c in cells]
    return Measured(
        float(len(cells)),
        f"ways up to {max(map(way_per_step, cells)):.2g} of an edge, {min(masses):.2g} to {max(masses):.2g} of the cloth's mass",
    )


@measurement("box_on_net_sizes.least_way_of_fallen", unit="1", experiment=BOXES)
def least_way_of_fallen(data: ExperimentData) -> Measured:
    """Smallest way per step over the box's edge at which a box falls through all the same, contacts of corners
    included, whatever its mass."""
    return extremes.least({c: way_per_step(c) for c in data.every(name="corners") if box_depth(c) > 1})

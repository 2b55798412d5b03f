# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/pulled_sheet: how far a sheet slips along another one that lies on a cylinder, over how far it would
without anything that holds it, by positions alone."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .crossings import crossing_count

EXPERIMENT = "cs533d_cloth_lecture/pulled_sheet"
ERRORS = "method.parameters.repulsion_thickness_errors"
RATIO = "scene.parameters.edge_ratio"
SEEDS = "ensemble.seeds"
ALL_THREE = 2.0  # thickness over the error of geometry: the sum of those of two layers


def along_belt(positions: Array, radius: float) -> Array:
    """Length along a belt that hangs over a cylinder about z and straight down on both sides of it, from the top to every point, m."""
    x, y = positions[..., 0], positions[..., 1]
    return np.asarray(np.where(y < 0.0, np.sign(x) * (0.5 * np.pi * radius - y), radius * np.arctan2(x, y)))


def _scene(trace: Trace, name: str) -> float:
    return float(trace.value(f"scene.parameters.{name}"))


def edge(trace: Trace) -> float:
    """Side of the sheet's squares, m."""
    return _scene(trace, "edge_ratio") * _scene(trace, "radius_m") / _scene(trace, "edges_in_radius")


def slips(trace: Trace) -> tuple[Array, Array]:
    """Times (s) from when the ends' forces differ, and of every member the mean way of the pulled sheet along the belt since then, m."""
    series = trace.series("frame", "positions")
    time = series.time[0] if series.is_ensemble else series.time
    positions = series.values if series.is_ensemble else series.values[None]
    count = round((_scene(trace, "edges_along") + 1) * (_scene(trace, "edges_across") + 1))
    means = along_belt(positions[:, :, -count:], _scene(trace, "radius_m")).mean(axis=2)
    first = int(np.argmin(np.abs(time - _scene(trace, "settle_s"))))
    return time[first:] - time[first], means[:, first:] - means[:, [first]]


def free_slip(trace: Trace, time: Array) -> Array:
    """Way (m) of a sheet that nothing holds: mass × acceleration = pull − damping × velocity, where the pull is a share of the normal
    force π × tension of a belt round half of a cylinder."""
    mass = _scene(trace, "area_density_kg_m2") * _scene(trace, "edges_along") * edge(trace)  # per width
    acceleration = _scene(trace, "pull_over_normal") * np.pi * _scene(trace, "tension_n_per_m") / mass
    rate = float(trace.value("method.parameters.mass_damping_1_s"))
    if rate == 0.0:
        return np.asarray(0.5 * acceleration * time**2)
    return np.asarray(acceleration / rate * (time + np.expm1(-rate * time) / rate))


def shares(trace: Trace) -> Array:
    """Of every member, the slip at the end over the free one."""
    time, found = slips(trace)
    return np.asarray(found[:, -1] / free_slip(trace, time)[-1])


def ends_cross(trace: Trace) -> float:
    """Most pairs of triangles that intersect at the end of a member, by exact signs."""
    x = trace.values("frame", "positions")
    ends = x[:, -1] if trace.series("frame", "positions").is_ensemble else x[None, -1]
    return float(max(crossing_count(end, trace.scene("triangles")) for end in ends))


def counted(trace: Trace, column: int) -> float:
    """Mean of a count of the method over members and recorded steps."""
    members = trace.values("frame", "positions").shape[0] if trace.series("frame", "positions").is_ensemble else 1
    found = [
        frame["collision_counts"][column]
        for member in range(members)
        for step, _, frame in trace.frames(member, names=["collision_counts"])
        if step > 0
    ]
    return float(np.mean(found))


def thick(data: ExperimentData, thickness: float) -> list[Trace]:
    """Cells with repulsions of this thickness over the error of geometry."""
    return data.every(name="cloth", where={ERRORS: thickness})


@measurement("pulled_sheet.slip_with_all", unit="1", experiment=EXPERIMENT)
def slip_with_all(data: ExperimentData) -> Measured:
    """Least slip of the pulled sheet over its free slip with repulsions twice as thick as the error of geometry, impulses and impact zones, over
    all turns of the cylinder's mesh and ratios of edges."""
    return extremes.least({c: float(shares(c).min()) for c in thick(data, ALL_THREE)})


@measurement("pulled_sheet.slip_without_repulsions", unit="1", experiment=EXPERIMENT)
def slip_without_repulsions(data: ExperimentData) -> Measured:
    """Largest slip over the free slip with impulses and impact zones alone."""
    return extremes.largest({c: float(shares(c).max()) for c in thick(data, 0.0)})


@measurement("pulled_sheet.paired_gain", unit="1", experiment=EXPERIMENT)
def paired_gain(data: ExperimentData) -> Measured:
    """Least difference of the two, of the same turn and ratio of edges."""
    found = {}
    for cell in thick(data, ALL_THREE):
        beside = data.one(name="cloth", where={ERRORS: 0.0, RATIO: cell.value(RATIO), SEEDS: cell.value(SEEDS)})
        found[cell] = float((shares(cell) - shares(beside)).min())
    return extremes.least(found)


@measurement("pulled_sheet.smooth_error", unit="1", experiment=EXPERIMENT)
def smooth_error(data: ExperimentData) -> Measured:
    """Largest difference from 1 of the slip over the free slip on a smooth cylinder."""
    return extremes.largest({c: float(np.abs(shares(c) - 1.0).max()) for c in data.every(name="smooth")})


@measurement("pulled_sheet.free_slip", unit="1", experiment=EXPERIMENT)
def free_slip_in_edges(data: ExperimentData) -> Measured:
    """Least free slip over the edge of the sheet: a slip of less than a tooth says little about teeth."""
    return extremes.least({c: float(free_slip(c, slips(c)[0])[-1] / edge(c)) for c in data.every(name="cloth")})


@measurement("pulled_sheet.turns", unit="1", experiment=EXPERIMENT)
def turns(data: ExperimentData) -> Measured:
    """Least number of turns of the cylinder's mesh in a cell with repulsions twice as thick as the error of geometry."""
    return extremes.least({c: float(len(shares(c))) for c in thick(data, ALL_THREE)})


@measurement("pulled_sheet.crossings", unit="1", experiment=EXPERIMENT)
def crossings(data: ExperimentData) -> Measured:
    """Most pairs of triangles that intersect at the end, by exact signs, with whatever thickness."""
    return extremes.largest({c: ends_cross(c) for c in data.every(name="cloth")})


@measurement("pulled_sheet.zone_vertices_without_repulsions", unit="1", experiment=EXPERIMENT)
def zone_vertices_without(data: ExperimentData) -> Measured:
    """Least mean number of vertices in impact zones a step with impulses and impact zones alone."""
    return extremes.least({c: counted(c, 6) for c in thick(data, 0.0)})


@measurement("pulled_sheet.zone_vertices_with_all", unit="1", experiment=EXPERIMENT)
def zone_vertices_with_all(data: ExperimentData) -> Measured:
    """Largest mean number of vertices in impact zones a step with repulsions twice as thick as the error of geometry."""
    return extremes.largest({c: counted(c, 6) for c in thick(data, ALL_THREE)})


@measurement("pulled_sheet.slip_from_one_error_on", unit="1", experiment=EXPERIMENT)
def slip_from_one_error_on(data: ExperimentData) -> Measured:
    """Least slip over the free slip with repulsions once to eight times as thick as the error of geometry."""
    cells = [c for c in data.every(name="cloth") if float(c.value(ERRORS)) >= 1.0]
    return extremes.least({c: float(shares(c).min()) for c in cells})


@measurement("pulled_sheet.slip_in_longer_steps", unit="1", experiment=EXPERIMENT)
def slip_in_longer_steps(data: ExperimentData) -> Measured:
    """Least slip over the free slip with impulses and impact zones alone in steps twice as long."""
    return extremes.least({c: float(shares(c).min()) for c in data.every(name="longer_steps")})

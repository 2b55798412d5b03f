# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/crack_opening: how far the faces of a round crack part in tension."""

import math
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.mesh_frames import members_of
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Trace

M = Measures("pauly_et_al_2005/crack_opening")
# |n_y| of the faces' surfels: the crack lies across y, and so do the ends of the block, half its side away.
FACE = 0.999
INNER = 0.7  # of the radius: surfels that the ellipsoid is fitted to
Frame = dict[str, Array]


@dataclass(frozen=True)
class Crack:
    """The crack of a cell and what it is pulled by."""

    centre: Array  # [3], m
    radius: float  # m
    support: float  # m
    side: float  # m, of the block
    strain: float  # of the ends
    poisson: float

    @property
    def steepness(self) -> float:
        """2 δ / √(a² − r²) of linear fracture mechanics, δ half the opening: 8 (1 − ν²) σ / (π E),
        with σ/E the strain of the ends."""
        return 8.0 * (1.0 - self.poisson**2) * self.strain / math.pi


def crack_of(trace: Trace) -> Crack:
    """The crack by the scene's parameters."""
    names = "length_m side_m nodes_across support_ratio disc_radius initial_stretch poisson_ratio"
    p = {name: trace.number(name) for name in names.split()}
    support = p["support_ratio"] * p["side_m"] / p["nodes_across"]
    centre = np.array([0.5 * p["length_m"], 0.0, 0.0])
    return Crack(
        centre, p["disc_radius"] * support, support, p["side_m"], p["initial_stretch"] - 1.0, p["poisson_ratio"]
    )


def profile(trace: Trace, frame: Frame) -> tuple[Array, Array]:
    """Distance from the crack's centre at rest and half the opening, per surfel of the faces, m."""
    crack = crack_of(trace)
    rest, normals = frame["surfel_rest_positions"], frame["surfel_rest_normals"]
    on_face = (np.abs(normals[:, 1]) > FACE) & (np.abs(rest[:, 1] - crack.centre[1]) < 0.25 * crack.side)
    if not on_face.any():
        raise MissingData(f"{trace.label}: no surfel on a face of the crack")
    # The normal of a face points out of the solid, into the crack: its face moves against it where the crack opens.
    # What both faces move together is no opening.
    side, up = -np.sign(normals[on_face, 1]), (frame["surfel_positions"] - rest)[on_face, 1]
    if (side > 0).all() or (side < 0).all():
        raise MissingData(f"{trace.label}: surfels on one face of the crack alone")
    together = 0.5 * (up[side > 0].mean() + up[side < 0].mean())
    return np.linalg.norm(rest[on_face] - crack.centre, axis=1), np.asarray(side * (up - together))


@dataclass(frozen=True)
class Ellipsoid:
    """(2 δ)² = steepness² (radius² − r²), fitted by least squares of squares."""

    steepness: float
    radius: float  # m


def fitted(trace: Trace, frame: Frame) -> Ellipsoid:
    """To the inner part of both faces, where it does not matter what becomes of the rim."""
    crack = crack_of(trace)
    distance, half = profile(trace, frame)
    inner = distance < INNER * crack.radius
    if inner.sum() < 10:
        raise MissingData(f"{trace.label}: {inner.sum()} surfels within {INNER:g} radii, expected at least 10")
    opening = 2.0 * half[inner]
    slope, start = np.polyfit(distance[inner] ** 2, np.sign(opening) * opening**2, 1)
    if not slope < 0 < start:
        raise MissingData(f"{trace.label}: the crack does not open most in its middle")
    return Ellipsoid(math.sqrt(-slope), math.sqrt(-start / slope))


def last_frames(trace: Trace) -> list[Frame]:
    """Last frame per member, at rest."""
    return [list(trace.frames(member=m, last=True))[-1][2] for m in members_of(trace)]


def finest(data: ExperimentData, weights: str) -> Trace:
    """The cell of most nodes."""
    return max(data.every(name=weights), key=lambda c: c.number("nodes_across"))


def excess_supports(trace: Trace) -> list[float]:
    """Radius of the fitted ellipsoid minus that of the crack, per member, in supports."""
    crack = crack_of(trace)
    return [(fitted(trace, f).radius - crack.radius) / crack.support for f in last_frames(trace)]


def relative_steepness(trace: Trace) -> list[float]:
    """Steepness of the fitted ellipsoid relative to linear fracture mechanics, per member."""
    return [fitted(trace, f).steepness / crack_of(trace).steepness for f in last_frames(trace)]


def _kinetic_share(trace: Trace) -> Array:
    """Kinetic over elastic energy at the end: how far from rest the openings were read."""
    kinetic, elastic = trace.values("step", "kinetic_energy"), trace.values("step", "elastic_energy")
    return np.asarray(kinetic[..., -1] / elastic[..., -1])


rest = M.largest("rest", _kinetic_share)

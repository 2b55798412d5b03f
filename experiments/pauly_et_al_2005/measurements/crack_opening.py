# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/crack_opening: opening of a penny-shaped crack in tension."""

import math
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.mesh_frames import members_of
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Trace

M = Measures("pauly_et_al_2005/crack_opening")
# Least |n_y| of the crack's surfels; those of the block's faces y = ±side/2 have it too.
FACE = 0.999
INNER = 0.7  # of the radius: the ellipsoid is fitted within it
Frame = dict[str, Array]


@dataclass(frozen=True)
class Crack:
    """A run's crack, and the block and its load."""

    centre: Array  # [3], m
    radius: float  # m
    support: float  # m
    side: float  # m, of the block
    strain: float  # applied
    poisson: float

    @property
    def steepness(self) -> float:
        """2 δ / √(a² − r²) of linear fracture mechanics, δ half the opening: 8 (1 − ν²) σ / (π E),
        with σ/E the applied strain."""
        return 8.0 * (1.0 - self.poisson**2) * self.strain / math.pi


def crack_of(trace: Trace) -> Crack:
    """Crack from scene parameters."""
    names = "length_m side_m nodes_across support_ratio disc_radius initial_stretch poisson_ratio"
    p = {name: trace.number(name) for name in names.split()}
    support = p["support_ratio"] * p["side_m"] / p["nodes_across"]
    centre = np.array([0.5 * p["length_m"], 0.0, 0.0])
    return Crack(
        centre, p["disc_radius"] * support, support, p["side_m"], p["initial_stretch"] - 1.0, p["poisson_ratio"]
    )


def profile(trace: Trace, frame: Frame) -> tuple[Array, Array]:
    """Rest distance from the crack's centre and half the opening, per surfel of the faces, m."""
    crack = crack_of(trace)
    rest, normals = frame["surfel_rest_positions"], frame["surfel_rest_normals"]
    on_face = (np.abs(normals[:, 1]) > FACE) & (np.abs(rest[:, 1] - crack.centre[1]) < 0.25 * crack.side)
    if not on_face.any():
        raise MissingData(f"{trace.label}: no surfel on a face of the crack")
    # Normals point out of the solid into the crack, so an opening face moves against its normal. Motion common to
    # both faces is no opening.
    side, up = -np.sign(normals[on_face, 1]), (frame["surfel_positions"] - rest)[on_face, 1]
    if (side > 0).all() or (side < 0).all():
        raise MissingData(f"{trace.label}: surfels on one face of the crack alone")
    together = 0.5 * (up[side > 0].mean() + up[side < 0].mean())
    return np.linalg.norm(rest[on_face] - crack.centre, axis=1), np.asarray(side * (up - together))


@dataclass(frozen=True)
class Ellipsoid:
    """(2 δ)² = steepness² (radius² − r²), least-squares fit of squares."""

    steepness: float
    radius: float  # m


def fitted(trace: Trace, frame: Frame) -> Ellipsoid:
    """Fit to the inner part of both faces, away from the crack's rim."""
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
    """Kinetic relative to elastic energy at the end, where the openings are read."""
    kinetic, elastic = trace.values("step", "kinetic_energy"), trace.values("step", "elastic_energy")
    return np.asarray(kinetic[..., -1] / elastic[..., -1])


rest = M.largest("rest", _kinetic_share)

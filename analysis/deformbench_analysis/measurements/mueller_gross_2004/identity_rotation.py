# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/identity_rotation: where R = I warped forces are linear ones, and near it they tend to them."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...corotational import Body, rotation_angles
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/identity_rotation"


def has_symmetric_gradient(trace: Trace) -> bool:
    """A stretch or a dilation about the centre: F is symmetric and positive, its rotation the identity."""
    return str(trace.value("schedule.poses.field")) in ("stretch", "dilate")


def differences(trace: Trace) -> tuple[Array, Array]:
    """Of every pose: largest |f − f_linear| over the largest |f_linear|, f_linear by an independent K_e; and the largest rotation (rad)."""
    body = Body.of(trace)
    identity = np.broadcast_to(np.eye(3), (len(body.tetrahedra), 3, 3))
    relative, angles = [], []
    for x, f in zip(trace.values("pose", "positions"), trace.values("pose", "elastic_forces")):
        linear = body.forces(x, identity)
        relative.append(np.linalg.norm(f - linear, axis=1).max() / np.linalg.norm(linear, axis=1).max())
        angles.append(rotation_angles(body.rotations(x)).max())
    return np.array(relative), np.array(angles)


def _identity(data: ExperimentData, name: str) -> Measured:
    found = {c: float(differences(c)[0].max()) for c in data.some(name=name, keep=has_symmetric_gradient)}
    return extremes.largest(found)


@measurement("identity_rotation.warped_difference", unit="1", experiment=EXPERIMENT)
def warped_difference(data: ExperimentData) -> Measured:
    """Largest |f_warped − f_linear| over the largest |f_linear|, poses that are stretched without rotation, f_linear
    from stiffness matrices K_e computed by the analysis."""
    return _identity(data, "warped")


@measurement("identity_rotation.naive_difference", unit="1", experiment=EXPERIMENT)
def naive_difference(data: ExperimentData) -> Measured:
    """Largest |f_warped − f_linear| over the largest |f_linear|, poses that are stretched without rotation, f_warped
    of the method `naive_eigen`, f_linear from stiffness matrices K_e computed by the analysis."""
    return _identity(data, "naive")


@measurement("identity_rotation.strain", unit="1", experiment=EXPERIMENT)
def strain(data: ExperimentData) -> float:
    """Largest principal strain of the poses that are stretched without rotation: with none there would be no force to
    compare."""
    found: list[float] = []
    for cell in data.some(keep=has_symmetric_gradient):
        body = Body.of(cell)
        for x in cell.values("pose", "positions"):
            local = np.einsum("mai,mi->ma", body.strain, (x - body.rest)[body.tetrahedra].reshape(-1, 12))
            found.append(float(np.abs(local[:, :3]).max()))
    return float(extremes.finite(found, EXPERIMENT).max())


def _near_rest(data: ExperimentData, name: str) -> list[tuple[Array, Array]]:
    cells = data.some(name=name, keep=lambda c: not has_symmetric_gradient(c))
    found = sorted((differences(c) for c in cells), key=lambda d: float(d[1].max()))
    if len(found) < 2:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: one size of displacement only where two are needed")
    return found


def _orders(data: ExperimentData, name: str) -> Array:
    """Order of every pose between neighbouring sizes: the same random directions, ten times larger."""
    found = _near_rest(data, name)
    return np.concatenate([np.log(b[0] / a[0]) / np.log(b[1] / a[1]) for a, b in zip(found, found[1:])])


@measurement("identity_rotation.least_order", unit="1", experiment=EXPERIMENT)
def least_order(data: ExperimentData) -> float:
    """Smallest order in the largest rotation angle at which |f_warped − f_linear|/|f_linear| falls as a pose tends to
    rest, any pose, two implementations of warped stiffness."""
    return float(np.min([_orders(data, name).min() for name in ("warped", "naive")]))


@measurement("identity_rotation.largest_order", unit="1", experiment=EXPERIMENT)
def largest_order(data: ExperimentData) -> float:
    """Largest order in the largest rotation angle at which |f_warped − f_linear|/|f_linear| falls as a pose tends to
    rest, any pose, two implementations of warped stiffness; above 1 the forces would agree even where the rotations
    are not the identity."""
    return float(np.max([_orders(data, name).max() for name in ("warped", "naive")]))


@measurement("identity_rotation.difference_over_angle", unit="1/rad", experiment=EXPERIMENT)
def difference_over_angle(data: ExperimentData) -> float:
    """Largest |f_warped − f_linear|/|f_linear| over the largest rotation angle of the pose, poses near rest, two
    implementations of warped stiffness."""
    found = [relative / angle for name in ("warped", "naive") for relative, angle in _near_rest(data, name)]
    return float(extremes.finite(np.concatenate(found), EXPERIMENT).max())

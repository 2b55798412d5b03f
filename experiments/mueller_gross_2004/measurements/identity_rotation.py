# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/identity_rotation: where R = I warped forces equal linear ones,
and converge to them nearby."""

import numpy as np

from deformbench_analysis.corotational import Body, rotation_angles
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Trace, extremes, rows

M = Measures("mueller_gross_2004/identity_rotation")


def has_symmetric_gradient(trace: Trace) -> bool:
    """A stretch or a dilation about the centre: F is symmetric and positive, its rotation the identity."""
    return str(trace.value("schedule.poses.field")) in ("stretch", "dilate")


def differences(trace: Trace) -> tuple[Array, Array]:
    """Per pose: max |f − f_linear| / max |f_linear| with an independent K_e, and the largest rotation, rad."""
    body = Body.of(trace)
    identity = np.broadcast_to(np.eye(3), (len(body.tetrahedra), 3, 3))
    relative, angles = [], []
    for x, f in zip(trace.values("pose", "positions"), trace.values("pose", "elastic_forces")):
        linear = body.forces(x, identity)
        relative.append(np.linalg.norm(f - linear, axis=1).max() / np.linalg.norm(linear, axis=1).max())
        angles.append(rotation_angles(body.rotations(x)).max())
    return np.array(relative), np.array(angles)


def force_difference(trace: Trace) -> Array:
    """Largest |f_warped − f_linear| / largest |f_linear|, f_linear from K_e by the analysis."""
    return differences(trace)[0]


def principal_strain(trace: Trace) -> Array:
    """Absolute principal strain.

    Zero would give no force."""
    body = Body.of(trace)
    found = [
        np.einsum("mai,mi->ma", body.strain, (x - body.rest)[body.tetrahedra].reshape(-1, 12))[:, :3]
        for x in trace.values("pose", "positions")
    ]
    return extremes.finite(np.abs(found), trace.label)


for _name in ("warped", "naive"):
    M.largest(
        f"{_name}_difference",
        force_difference,
        rows(_name, says=f"{_name} FEM, poses stretched without rotation").where(has_symmetric_gradient, says=""),
    )
M.largest(
    "strain",
    principal_strain,
    rows(says="poses stretched without rotation").where(has_symmetric_gradient, says="").noted(lambda _: ""),
)


def _near_rest(data: ExperimentData, name: str) -> list[tuple[Array, Array]]:
    cells = rows(name).where(lambda c: not has_symmetric_gradient(c), says="").runs(data)
    found = sorted((differences(c) for c in cells), key=lambda d: float(d[1].max()))
    if len(found) < 2:
        raise MissingData(f"{M.experiment} at tier {data.tier}: one size of displacement only where two are needed")
    return found


def _orders(data: ExperimentData, name: str) -> Array:
    """Order of every pose between neighbouring sizes: the same random directions, ten times larger."""
    found = _near_rest(data, name)
    return np.concatenate([np.log(b[0] / a[0]) / np.log(b[1] / a[1]) for a, b in zip(found, found[1:])])


@M("least_order")
def least_order(data: ExperimentData) -> float:
    """Smallest convergence order of |f_warped − f_linear|/|f_linear| in the largest rotation angle towards rest, any
    pose, two implementations of warped stiffness."""
    return float(np.min([_orders(data, name).min() for name in ("warped", "naive")]))


@M("largest_order")
def largest_order(data: ExperimentData) -> float:
    """Largest convergence order of |f_warped − f_linear|/|f_linear| in the largest rotation angle towards rest, any
    pose, two implementations of warped stiffness.

    Above 1 the forces would agree even where the rotations are not the identity."""
    return float(np.max([_orders(data, name).max() for name in ("warped", "naive")]))


@M("difference_over_angle", unit="1/rad")
def difference_over_angle(data: ExperimentData) -> float:
    """Largest |f_warped − f_linear|/|f_linear| / largest rotation angle of the pose, poses near rest, two
    implementations of warped stiffness."""
    found = [relative / angle for name in ("warped", "naive") for relative, angle in _near_rest(data, name)]
    return float(extremes.finite(np.concatenate(found), M.experiment).max())

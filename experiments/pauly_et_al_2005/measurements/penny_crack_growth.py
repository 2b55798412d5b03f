# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/penny_crack_growth: a crack of three nodes in a uniform tension,
against a circle that grows at αλ."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Trace
from .crack_fronts import Front, frames, fronts, seeds, surfel_radius

M = Measures("pauly_et_al_2005/penny_crack_growth")
LARGE = 10.0  # surfel radii: smallest crack that is judged


def largest_principal(trace: Trace) -> float:
    """λ of the given stress, Pa."""
    xx, yy, zz, xy, yz, zx = trace.value("method.parameters.crack_stress_pa")
    return float(np.linalg.eigvalsh([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])[-1])


def speed(trace: Trace) -> float:
    """αλ, m/s."""
    return trace.setting("crack_speed_m_s_pa") * largest_principal(trace)


def only_front(front_list: list[Front], label: str) -> Front:
    """The only front; it must be closed."""
    if len(front_list) != 1 or not front_list[0].closed:
        raise MissingData(f"{label}: {len(front_list)} fronts, expected one that is closed")
    return front_list[0]


def radii(trace: Trace) -> list[tuple[float, Array, float]]:
    """Time, distances of all nodes from the centroid of the first three, and exact radius,
    from `LARGE` on, of all members."""
    found = []
    for member in seeds(trace):
        centre, start = np.zeros(3), 0.0
        for index, (_, time, arrays) in enumerate(frames(trace, member)):
            front = only_front(fronts(arrays), trace.label)
            if index == 0:
                centre = front.nodes.mean(axis=0)
                start = float(np.linalg.norm(front.nodes - centre, axis=1).mean())
            exact = start + speed(trace) * time
            if exact >= LARGE * surfel_radius(trace):
                found.append((time, np.linalg.norm(front.nodes - centre, axis=1), exact))
    if not found:
        raise MissingData(f"{trace.label}: no front is {LARGE:g} surfels large")
    return found


def radius_error(trace: Trace) -> Array:
    """Relative error of the mean radius of the front against r0 + αλt, from ten surfel radii on."""
    return np.array([abs(r.mean() / exact - 1) for _, r, exact in radii(trace)])


def variation(trace: Trace) -> Array:
    """Coefficient of variation of the nodes' radii, from ten surfel radii on."""
    return np.array([r.std() / r.mean() for _, r, _ in radii(trace)])


def out_of_plane(trace: Trace) -> float:
    """Node distance from the plane normal to the tension, in surfel radii."""
    normal = np.array([0.0, 0.0, 1.0])
    worst_of = 0.0
    for member in seeds(trace):
        centre = None
        for _, _, arrays in frames(trace, member):
            nodes = only_front(fronts(arrays), trace.label).nodes
            centre = nodes.mean(axis=0) if centre is None else centre
            worst_of = max(worst_of, float(np.abs((nodes - centre) @ normal).max()))
    return worst_of / surfel_radius(trace)


M.largest("radius_error", radius_error, EVERY_RUN)
M.largest("variation", variation, EVERY_RUN)
M.largest("out_of_plane", out_of_plane, EVERY_RUN)

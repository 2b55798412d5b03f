# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/penny_crack_growth: a crack of three nodes in a uniform tension, against a circle that grows at αλ."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .crack_fronts import Front, frames, fronts, seeds

EXPERIMENT = "pauly_et_al_2005/penny_crack_growth"
LARGE = 10.0  # radii of a surfel from which on the shape is judged


def largest_principal(trace: Trace) -> float:
    """λ of the given stress, Pa."""
    xx, yy, zz, xy, yz, zx = trace.value("method.parameters.crack_stress_pa")
    return float(np.linalg.eigvalsh([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])[-1])


def speed(trace: Trace) -> float:
    """αλ, m/s."""
    return float(trace.value("method.parameters.crack_speed_m_s_pa")) * largest_principal(trace)


def surfel_radius(trace: Trace) -> float:
    """r, m."""
    return float(trace.value("method.parameters.crack_surfel_radius_m"))


def only_front(front_list: list[Front], label: str) -> Front:
    """The one closed front that there is."""
    if len(front_list) != 1 or not front_list[0].closed:
        raise MissingData(f"{label}: {len(front_list)} fronts, expected one that is closed")
    return front_list[0]


def radii(trace: Trace) -> list[tuple[float, Array, float]]:
    """Time, distances of all nodes from the middle of the first three, and the radius of the exact circle, from `LARGE` on, of all members."""
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


def worst(data: ExperimentData, of: Callable[[Array, float], float]) -> Measured:
    """Largest over all cells, members and times."""
    return extremes.largest({c: max(of(r, exact) for _, r, exact in radii(c)) for c in data.every()})


@measurement("penny_crack_growth.radius_error", unit="1", experiment=EXPERIMENT)
def radius_error(data: ExperimentData) -> Measured:
    """Largest relative error of the mean radius of the front against r0 + αλt, from ten surfel radii on, all step lengths and clouds."""
    return worst(data, lambda r, exact: float(abs(r.mean() / exact - 1)))


@measurement("penny_crack_growth.variation", unit="1", experiment=EXPERIMENT)
def variation(data: ExperimentData) -> Measured:
    """Largest coefficient of variation of the nodes' radii, from ten surfel radii on, all step lengths and clouds."""
    return worst(data, lambda r, _: float(r.std() / r.mean()))


@measurement("penny_crack_growth.out_of_plane", unit="1", experiment=EXPERIMENT)
def out_of_plane(data: ExperimentData) -> Measured:
    """Largest distance of a node from the plane across the tension, in surfel radii, all times, step lengths and clouds."""

    def of(trace: Trace) -> float:
        normal = np.array([0.0, 0.0, 1.0])
        worst_of = 0.0
        for member in seeds(trace):
            centre = None
            for _, _, arrays in frames(trace, member):
                nodes = only_front(fronts(arrays), trace.label).nodes
                centre = nodes.mean(axis=0) if centre is None else centre
                worst_of = max(worst_of, float(np.abs((nodes - centre) @ normal).max()))
        return worst_of / surfel_radius(trace)

    return extremes.largest({c: of(c) for c in data.every()})

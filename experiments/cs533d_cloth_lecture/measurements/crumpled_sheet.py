# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/crumpled_sheet: momenta of a free sheet after many steps."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs533d_cloth_lecture/crumpled_sheet"


def momenta(trace: Trace) -> tuple[Array, Array, float, float]:
    """P and L about the centre of mass of every frame, extended; at the start Σm|v| and Σm|x − x_c||v|."""
    mass = trace.scene("masses").astype(np.longdouble)[:, None]
    x = trace.values("frame", "positions").astype(np.longdouble)
    v = trace.values("frame", "velocities").astype(np.longdouble)
    centre = (mass * x).sum(axis=1, keepdims=True) / mass.sum()
    arm, p = x - centre, mass * v
    (ax, ay, az), (px, py, pz) = np.moveaxis(arm, -1, 0), np.moveaxis(p, -1, 0)
    spin = np.stack([ay * pz - az * py, az * px - ax * pz, ax * py - ay * px], axis=-1).sum(axis=1)
    size, arms = np.linalg.norm(p[0].astype(float), axis=1), np.linalg.norm(arm[0].astype(float), axis=1)
    return p.sum(axis=1), spin, float(size.sum()), float((arms * size).sum())


def _drift(values: Array, size: float) -> float:
    return float(np.max(np.sqrt(((values - values[0]) ** 2).sum(axis=-1)))) / size


@measurement("crumpled_sheet.momentum_change", unit="1", experiment=EXPERIMENT)
def momentum_change(data: ExperimentData) -> Measured:
    """Largest |P − P₀| of a frame over Σm|v| at the start; undamped and damped."""

    def of(trace: Trace) -> float:
        p, _, size, _ = momenta(trace)
        return _drift(p, size)

    return extremes.largest({c: of(c) for c in data.every()})


@measurement("crumpled_sheet.angular_momentum_change", unit="1", experiment=EXPERIMENT)
def angular_momentum_change(data: ExperimentData) -> Measured:
    """Largest |L − L₀| of a frame, about the centre of mass, over Σm|x − x_c||v| at the start; undamped and damped."""

    def of(trace: Trace) -> float:
        _, spin, _, size = momenta(trace)
        return _drift(spin, size)

    return extremes.largest({c: of(c) for c in data.every()})


@measurement("crumpled_sheet.steps", unit="1", experiment=EXPERIMENT)
def steps(data: ExperimentData) -> Measured:
    """Least number of steps of a run."""
    return extremes.least({c: float(c.series("frame", "positions").step[-1]) for c in data.every()})


@measurement("crumpled_sheet.triangles", unit="1", experiment=EXPERIMENT)
def triangles(data: ExperimentData) -> Measured:
    """Least number of triangles of a sheet."""
    return extremes.least({c: float(len(c.scene("triangles"))) for c in data.every()})


@measurement("crumpled_sheet.fold", unit="rad", experiment=EXPERIMENT)
def fold(data: ExperimentData) -> Measured:
    """Root mean square of the tilt of the triangles at the start against the plane of the rest shape, least of all runs."""

    def of(trace: Trace) -> float:
        x, t = trace.values("frame", "positions")[0], trace.scene("triangles")
        normal = np.cross(x[t[:, 1]] - x[t[:, 0]], x[t[:, 2]] - x[t[:, 0]])
        tilt = np.arccos(np.clip(np.abs(normal[:, 2]) / np.linalg.norm(normal, axis=1), 0, 1))
        return float(np.sqrt(np.mean(tilt**2)))

    return extremes.least({c: of(c) for c in data.every()})

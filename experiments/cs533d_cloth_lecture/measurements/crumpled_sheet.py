# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/crumpled_sheet: momenta of a free sheet after many steps."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows

M = Measures("cs533d_cloth_lecture/crumpled_sheet")


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


@quantity("|P − P₀| of a frame / initial Σm|v|")
def _momentum_change(trace: Trace) -> float:
    p, _, size, _ = momenta(trace)
    return _drift(p, size)


@quantity("|L − L₀| of a frame / initial Σm|x − x_c||v|, L about the centre of mass")
def _angular_momentum_change(trace: Trace) -> float:
    _, spin, _, size = momenta(trace)
    return _drift(spin, size)


@quantity("steps")
def _steps(trace: Trace) -> float:
    return float(trace.series("frame", "positions").step[-1])


@quantity("triangles of a sheet")
def _triangles(trace: Trace) -> float:
    return float(len(trace.scene("triangles")))


@quantity("root mean square tilt of the triangles at the start against the plane of the rest shape", unit="rad")
def _fold(trace: Trace) -> float:
    x, t = trace.values("frame", "positions")[0], trace.scene("triangles")
    normal = np.cross(x[t[:, 1]] - x[t[:, 0]], x[t[:, 2]] - x[t[:, 0]])
    tilt = np.arccos(np.clip(np.abs(normal[:, 2]) / np.linalg.norm(normal, axis=1), 0, 1))
    return float(np.sqrt(np.mean(tilt**2)))


SHEETS = rows(says="undamped and damped")

M.largest("momentum_change", _momentum_change, SHEETS)
M.largest("angular_momentum_change", _angular_momentum_change, SHEETS)
M.least("steps", _steps, SHEETS)
M.least("triangles", _triangles, SHEETS)
M.least("fold", _fold, SHEETS)

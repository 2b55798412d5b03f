# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/strain_objectivity: the strain of nodes in homogeneous states, turned and not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...moving_least_squares import Nodes
from ...results import ExperimentData
from ...trace import Trace
from .clouds import Frame, starts

EXPERIMENT = "pauly_et_al_2005/strain_objectivity"
FIELD = "scene.parameters.field"


def projections(arrays: Frame) -> Array:
    """The directions in which each node has neighbours."""
    return Nodes(arrays["node_rest_positions"], arrays["node_supports"]).projections


def gradient(arrays: Frame) -> Array:
    """F of the one affine map that takes all nodes to where they are; MissingData where there is none."""
    rest, now = arrays["node_rest_positions"], arrays["positions"]
    from_rest, from_now = rest - rest.mean(axis=0), now - now.mean(axis=0)
    found = np.linalg.lstsq(from_rest, from_now, rcond=1e-10)[0].T
    if np.abs(from_now - from_rest @ found.T).max() > 1e-9 * np.abs(from_now).max():
        raise MissingData("the start is no affine map of the rest shape")
    return np.asarray(found)


def _largest(data: ExperimentData, of: Callable[[Frame], float], **criteria: object) -> Measured:
    cells = data.every(keep=lambda c: c.value(FIELD) != "stretch", **criteria)
    return extremes.largest({c: max(of(f) for f in starts(c)) for c in cells})


def _error(arrays: Frame) -> float:
    p, f = projections(arrays), gradient(arrays)
    return float(np.abs(arrays["node_strains"] - p @ (f.T @ f - np.eye(3)) @ p / 2).max())


@measurement("strain_objectivity.error", unit="1", experiment=EXPERIMENT)
def error(data: ExperimentData) -> Measured:
    """Largest entry of ε − ½P(FᵀF − I)P of a node, F the affine map of the node positions, P the directions in which the node has
    neighbours; all clouds, maps and seeds, turned and shifted or not."""
    return _largest(data, _error)


def _pairs(data: ExperimentData) -> list[tuple[Trace, Frame, Frame]]:
    """Starts that differ in rotation and shift alone."""
    found = []
    for turned in data.every(where={FIELD: "turned_affine"}):
        same = {f"scene.parameters.{n}": turned.value(f"scene.parameters.{n}") for n in ("sampling", "nodes_across")}
        plain = data.one(where={FIELD: "affine", **same})
        found += [(turned, a, b) for a, b in zip(starts(turned), starts(plain), strict=True)]
    if not found:
        raise MissingData(f"{EXPERIMENT}: no cell that is turned")
    return found


def _turned(
    data: ExperimentData, change: Callable[[Frame, Frame], float], pick: Callable[[list[float]], float]
) -> dict[Trace, float]:
    values: dict[Trace, list[float]] = {}
    for cell, turned, plain in _pairs(data):
        values.setdefault(cell, []).append(change(turned, plain))
    return {cell: pick(of) for cell, of in values.items()}


@measurement("strain_objectivity.turned_difference", unit="1", experiment=EXPERIMENT)
def turned_difference(data: ExperimentData) -> Measured:
    """Largest entry of ε(QF) − ε(F) of a node, Q a random rotation with a shift of a hundred supports."""
    return extremes.largest(_turned(data, lambda a, b: float(np.abs(a["node_strains"] - b["node_strains"]).max()), max))


@measurement("strain_objectivity.turned_linear_strain", unit="1", experiment=EXPERIMENT)
def turned_linear_strain(data: ExperimentData) -> Measured:
    """Least change of the linear strain ½(F + Fᵀ) by the same rotations, F fitted to the positions: what an objective strain has not."""

    def change(turned: Frame, plain: Frame) -> float:
        a, b = gradient(turned), gradient(plain)
        return float(np.abs(a + a.T - b - b.T).max() / 2)

    return extremes.least(_turned(data, change, min))


@measurement("strain_objectivity.shift", unit="1", experiment=EXPERIMENT)
def shift(data: ExperimentData) -> Measured:
    """Least distance of a turned body's centre from where the same map without the shift has it, over the largest support."""

    def moved(turned: Frame, plain: Frame) -> float:
        away = np.linalg.norm(turned["positions"].mean(axis=0)) - np.linalg.norm(plain["positions"].mean(axis=0))
        return float(abs(away) / turned["node_supports"].max())

    return extremes.least(_turned(data, moved, min))


@measurement("strain_objectivity.stretch_strain_error", unit="1", experiment=EXPERIMENT)
def stretch_strain_error(data: ExperimentData) -> Measured:
    """Largest |ε_xx − 0.22| of a node of a block 1.2 times as long."""
    cells = data.every(where={FIELD: "stretch", "scene.parameters.stretch": 1.2})
    return extremes.largest(
        {c: max(float(np.abs(f["node_strains"][:, 0, 0] - 0.22).max()) for f in starts(c)) for c in cells}
    )


@measurement("strain_objectivity.stretch_stress_error", unit="1", experiment=EXPERIMENT)
def stretch_stress_error(data: ExperimentData) -> Measured:
    """Largest |σ_xx/E − 0.6| of a node of a block stretched by 1.48324 = √2.2 without stress across."""
    cells = data.every(
        where={FIELD: "stretch"}, keep=lambda c: abs(float(c.value("scene.parameters.stretch")) ** 2 - 2.2) < 1e-9
    )
    return extremes.largest(
        {
            c: max(
                float(
                    np.abs(
                        f["node_stresses"][:, 0, 0] / float(c.value("scene.parameters.young_modulus_pa")) - 0.6
                    ).max()
                )
                for f in starts(c)
            )
            for c in cells
        }
    )


@measurement("strain_objectivity.maps", unit="1", experiment=EXPERIMENT)
def maps(data: ExperimentData) -> Measured:
    """Least number of random maps of a cloud."""
    return extremes.least({c: float(len(list(starts(c)))) for c in data.every(where={FIELD: "turned_affine"})})


@measurement("strain_objectivity.clouds", unit="1", experiment=EXPERIMENT)
def clouds(data: ExperimentData) -> float:
    """Number of kinds of clouds that are turned: cells of one size, of two, a plane."""
    return float(len({c.value("scene.parameters.sampling") for c in data.every(where={FIELD: "turned_affine"})}))


@measurement("strain_objectivity.stretch_range", unit="1", experiment=EXPERIMENT)
def stretch_range(data: ExperimentData) -> float:
    """Largest over least principal stretch of all maps of solid clouds."""
    values = [
        np.linalg.svd(gradient(f), compute_uv=False)
        for c in data.every(where={FIELD: "affine"}, keep=lambda c: c.value("scene.parameters.sampling") != "plane")
        for f in starts(c)
    ]
    return float(np.max(values) / np.min(values))


@measurement("strain_objectivity.plane_ranks", unit="1", experiment=EXPERIMENT)
def plane_ranks(data: ExperimentData) -> Measured:
    """Largest rank of A of a node of a cloud in a plane: 2 where the direction across has no gradient."""
    cells = data.every(where={"scene.parameters.sampling": "plane"})
    return extremes.largest({c: float(max(f["node_ranks"].max() for f in starts(c))) for c in cells})

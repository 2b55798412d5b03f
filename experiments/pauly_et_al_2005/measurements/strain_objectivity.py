# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/strain_objectivity: nodal strain in homogeneous states, rotated and not."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.moving_least_squares import Nodes
from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measures, MissingData, Quantity, Trace
from deformbench_analysis.vocabulary import quantity
from .clouds import Frame, starts

M = Measures("pauly_et_al_2005/strain_objectivity")
FIELD = "scene.parameters.field"


def projections(arrays: Frame) -> Array:
    """Projection on each node's neighbour directions."""
    return Nodes(arrays["node_rest_positions"], arrays["node_supports"]).projections


def gradient(arrays: Frame) -> Array:
    """F of the affine map from rest to current positions; MissingData where there is none."""
    rest, now = arrays["node_rest_positions"], arrays["positions"]
    from_rest, from_now = rest - rest.mean(axis=0), now - now.mean(axis=0)
    found = np.linalg.lstsq(from_rest, from_now, rcond=1e-10)[0].T
    if np.abs(from_now - from_rest @ found.T).max() > 1e-9 * np.abs(from_now).max():
        raise MissingData("the start is no affine map of the rest shape")
    return np.asarray(found)


def is_mapped(trace: Trace) -> bool:
    """Random maps."""
    return str(trace.value(FIELD)) != "stretch"


def is_of_stress(trace: Trace) -> bool:
    """Blocks stretched by √2.2."""
    return abs(trace.number("stretch") ** 2 - 2.2) < 1e-9


def is_solid(trace: Trace) -> bool:
    """Solid clouds."""
    return str(trace.value("scene.parameters.sampling")) != "plane"


def error(trace: Trace) -> Array:
    """Entry of ε − ½P(FᵀF − I)P of a node."""
    found = []
    for arrays in starts(trace):
        p, f = projections(arrays), gradient(arrays)
        found.append(np.abs(arrays["node_strains"] - p @ (f.T @ f - np.eye(3)) @ p / 2).max())
    return np.array(found)


def _of_pair(phrase: str) -> Callable[[Callable[[Frame, Frame], float]], Quantity]:
    """A quantity of two starts that differ in rotation and shift alone."""
    return lambda of: quantity(phrase)(
        lambda turned, plain: np.array([of(a, b) for a, b in zip(starts(turned), starts(plain), strict=True)])
    )


@_of_pair("entry of ε(QF) − ε(F) of a node, Q a random rotation with a shift of a hundred supports")
def turned_difference(turned: Frame, plain: Frame) -> float:
    return float(np.abs(turned["node_strains"] - plain["node_strains"]).max())


@_of_pair("change of the linear strain ½(F + Fᵀ) by a rotation, F fitted to the positions")
def turned_linear_strain(turned: Frame, plain: Frame) -> float:
    a, b = gradient(turned), gradient(plain)
    return float(np.abs(a + a.T - b - b.T).max() / 2)


@_of_pair("change of the centre's distance from the origin by the shift, relative to the largest support")
def shift(turned: Frame, plain: Frame) -> float:
    away = np.linalg.norm(turned["positions"].mean(axis=0)) - np.linalg.norm(plain["positions"].mean(axis=0))
    return float(abs(away) / turned["node_supports"].max())


def stretch_strain_error(trace: Trace) -> Array:
    """|ε_xx − 0.22| of a node."""
    return np.array([np.abs(f["node_strains"][:, 0, 0] - 0.22).max() for f in starts(trace)])


def stretch_stress_error(trace: Trace) -> Array:
    """|σ_xx/E − 0.6| of a node in uniaxial stress."""
    young = trace.number("young_modulus_pa")
    return np.array([np.abs(f["node_stresses"][:, 0, 0] / young - 0.6).max() for f in starts(trace)])


AFFINE = EVERY_RUN.where({FIELD: "affine"})
TURNED = EVERY_RUN.where({FIELD: "turned_affine"}, says="rotated bodies")
PAIRS = TURNED.beside(AFFINE, "sampling", "nodes_across", says="")
STRETCHED = EVERY_RUN.where({FIELD: "stretch"}, says="")

M.largest("error", error, EVERY_RUN.where(is_mapped))
M.largest("turned_difference", turned_difference, PAIRS)
M.least("turned_linear_strain", turned_linear_strain, PAIRS)
M.least("shift", shift, PAIRS)
M.largest("stretch_strain_error", stretch_strain_error, STRETCHED.where(stretch=1.2, says="blocks 1.2 times as long"))
M.largest("stretch_stress_error", stretch_stress_error, STRETCHED.where(is_of_stress))
M.least("maps", quantity("random maps of a cloud")(lambda c: len(list(starts(c)))), TURNED)
M.largest(
    "plane_ranks",
    quantity("rank of A of a node")(lambda c: np.array([f["node_ranks"].max() for f in starts(c)])),
    EVERY_RUN.where(sampling="plane", says="clouds in a plane"),
)


@M("clouds")
def clouds(data: ExperimentData) -> float:
    """Number of kinds of clouds that are turned: cells of one size, of two, a plane."""
    return float(len({c.value("scene.parameters.sampling") for c in TURNED.runs(data)}))


@M("stretch_range")
def stretch_range(data: ExperimentData) -> float:
    """Largest / least principal stretch of all maps of solid clouds."""
    cells = AFFINE.where(is_solid).runs(data)
    values = [np.linalg.svd(gradient(f), compute_uv=False) for c in cells for f in starts(c)]
    return float(np.max(values) / np.min(values))

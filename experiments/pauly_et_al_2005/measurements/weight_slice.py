# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/weight_slice: a node's weight and shape function over a plane through a crack's
front."""

from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace
from . import cracked_weights as cw

M = Measures("pauly_et_al_2005/weight_slice")
SIDE = 81


@dataclass(frozen=True)
class Slice:
    """In supports of the node: u ahead of the front, v above the crack; values by rows of v."""

    node: int
    u: Array
    v: Array
    weight: Array
    shape: Array
    nodes: Array  # [n, 2]
    crack: Array  # [2, 2]: the far end and the front

    def row_at(self, height: float) -> int:
        """The row whose v is nearest."""
        return int(np.argmin(np.abs(self.v - height)))


def slice_of(trace: Trace) -> Slice:
    """The slice of weights in the first frame."""
    arrays = next(iter(trace.frames()))[2]
    rows = arrays["weight_slice"]
    node, points = int(rows[0, 0]), rows[:, 1:4].reshape(SIDE, SIDE, 3)
    h = float(arrays["node_supports"][node])
    centre = 0.5 * (points[0, 0] + points[-1, -1])
    ahead, normal = points[0, -1] - points[0, 0], points[-1, 0] - points[0, 0]
    axes = np.stack([ahead / np.linalg.norm(ahead), normal / np.linalg.norm(normal)], axis=1) / h
    return Slice(
        node,
        (points[0] - centre) @ axes[:, 0],
        (points[:, 0] - centre) @ axes[:, 1],
        rows[:, 4].reshape(SIDE, SIDE),
        rows[:, 5].reshape(SIDE, SIDE),
        (arrays["node_rest_positions"] - centre) @ axes,
        np.array([[-10.0, 0.0], [0.0, 0.0]]),
    )


def replay_difference(trace: Trace) -> float:
    """Difference of a weight or shape function of the figure from the analysis' own, off the crack."""
    arrays = next(iter(trace.frames()))[2]
    rows, nodes = arrays["weight_slice"], arrays["node_rest_positions"]
    rule, opacity = trace.value("method.parameters.weights"), trace.setting("opacity")
    # On the crack itself a point belongs to either side.
    kept = np.abs(np.repeat(slice_of(trace).v, SIDE)) > 1e-9
    weights = cw.weights_at(rows[kept, 1:4], nodes, arrays["node_supports"], cw.Cracks.of(arrays), rule, opacity)
    node = int(rows[0, 0])
    shapes = np.array([cw.shape_functions(p, nodes, w)[node] for p, w in zip(rows[kept, 1:4], weights)])
    return float(max(np.max(np.abs(weights[:, node] - rows[kept, 4])), np.max(np.abs(shapes - rows[kept, 5]))))


M.largest("replay_difference", replay_difference, EVERY_RUN)

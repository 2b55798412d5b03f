# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/rebound_block: a cube on a floor whose vertices are stopped or thrown back."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, MissingData, Trace, difference, extremes, parameter, quantity
from deformbench_analysis.vocabulary import rows

M = Measures("cs533d_cloth_lecture/rebound_block")
cells_across = parameter("cells_across", int, "Cells across the block.")
tilt = parameter("tilt_deg", float, "Tilt.")


def rebound(trace: Trace) -> float:
    """Final speed of the centre of mass away from the floor / initial speed towards it."""
    momentum = extremes.finite(trace.values("step", "linear_momentum"), trace.label)
    return float(-momentum[-1, 1] / momentum[0, 1])


@quantity("energy lost relative to that of the approach, last third of the run")
def loss(trace: Trace) -> float:
    """Mean of kinetic plus elastic energy; the slide along the floor keeps its energy."""
    series = trace.series("step", "kinetic_energy")
    energy = extremes.finite(series.values + trace.values("step", "elastic_energy"), trace.label)
    momentum = trace.values("step", "linear_momentum")[0]
    approach = energy[0] * momentum[1] ** 2 / (momentum @ momentum)  # all vertices have one velocity
    return float((energy[0] - energy[series.time > series.time[-1] / 1.5].mean()) / approach)


def slide_change(trace: Trace) -> float:
    """Change of the momentum along the floor / its initial value."""
    along = extremes.finite(trace.values("step", "linear_momentum"), trace.label)[:, [0, 2]]
    return float(np.linalg.norm(along - along[0], axis=1).max() / np.linalg.norm(along[0]))


@quantity("change of the rebound from the finest mesh to the next coarser one")
def _change_with_mesh(*meshes: Trace) -> float:
    if len(meshes) < 2:
        raise MissingData("two meshes at least were expected")
    *_, coarse, fine = sorted(meshes, key=cells_across)
    return abs(rebound(fine) - rebound(coarse))


@quantity("loss of energy on the finest mesh relative to the next coarser one")
def _loss_with_mesh(*meshes: Trace) -> float:
    if len(meshes) < 2:
        raise MissingData("two meshes at least were expected")
    *_, coarse, fine = sorted(meshes, key=cells_across)
    return float(loss(fine) / loss(coarse))


BLOCKS = rows(says="flat and tilted")
STOPPED, THROWN = (BLOCKS.where(restitution=e, says=how) for e, how in ((0.0, "stopped"), (1.0, "thrown back")))
FINEST = STOPPED.at_largest(cells_across, says="finest mesh")

M.largest("change_with_mesh", _change_with_mesh, STOPPED.grouped(tilt, says=""))
M.largest(
    "finest_difference",
    difference(rebound, "|e(0) − e(1)| of vertices stopped and thrown back"),
    FINEST.beside(THROWN, "tilt_deg", "cells_across", says=""),
)
M.largest("finest_loss", loss, FINEST)
M.largest("loss_with_mesh", _loss_with_mesh, STOPPED.grouped(tilt, says=""))
M.largest(
    "thrown_back_gain",
    quantity("energy gained relative to that of the approach, last third of the run")(lambda c: -loss(c)),
    THROWN,
)
M.largest("slide_change", slide_change, BLOCKS)
M.least("least", quantity("rebound")(rebound), BLOCKS)
M.distinct("poses", tilt)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/bursting_shell: strain at the first crack, and the pieces that fly apart."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .broken_solids import before_first_crack, pieces, states, strains
from .clouds import seeds

EXPERIMENT = "pauly_et_al_2005/bursting_shell"
# DEVIATION [PKAGDG05] eq. 2: in the bursting ball eigenvalues of A below a hundredth of the largest count as zero, so
# that a node to which cracks have left next to no neighbours in a direction has no strain along it.


def bursts(trace: Trace) -> bool:
    """Whether it is thrown apart."""
    return float(trace.value("scene.parameters.expansion_1_s")) > 0


def _thrown(data: ExperimentData) -> dict[str, tuple[Trace, int | None]]:
    found = {f"{c.label}, member {m}": (c, m) for c in data.every() if bursts(c) for m in seeds(c)}
    if not found:
        raise MissingData(f"{EXPERIMENT}: no run that bursts")
    return found


def outward_share(trace: Trace, member: int | None) -> float:
    """Share of the pieces at the end whose mean velocity between the last two frames has a part away from the body's
    centre."""
    (_, _, before), (_, _, after) = states(trace, member)[-2:]
    found = pieces(after)
    if not found:
        return 0.0
    speeds = []
    for piece in found:
        both = piece[piece < len(before["positions"])]  # without those that have just been inserted
        if not len(both):
            continue
        place, earlier = after["positions"][both].mean(axis=0), before["positions"][both].mean(axis=0)
        speeds.append(float((place - earlier) @ place))
    return float(np.mean(np.array(speeds) > 0))


@measurement("bursting_shell.nodes", unit="1", experiment=EXPERIMENT)
def nodes(data: ExperimentData) -> Measured:
    """Number of nodes."""
    return extremes.least({k: float(len(states(c, m)[0][2]["positions"])) for k, (c, m) in _thrown(data).items()})


@measurement("bursting_shell.node_growth", unit="1", experiment=EXPERIMENT)
def node_growth(data: ExperimentData) -> Measured:
    """Nodes at the end relative to the start; least of all runs."""
    found = {}
    for key, (trace, member) in _thrown(data).items():
        stored = states(trace, member)
        found[key] = len(stored[-1][2]["positions"]) / len(stored[0][2]["positions"])
    return extremes.least(found)


@measurement("bursting_shell.strain_at_first_crack", unit="1", experiment=EXPERIMENT)
def strain_at_first_crack(data: ExperimentData) -> Measured:
    """Largest principal strain of any node in the last frame before the first crack, from positions."""
    found = {}
    for key, (trace, member) in _thrown(data).items():
        arrays = before_first_crack(states(trace, member))
        if arrays is None:
            raise MissingData(f"{key}: no crack, or one at the start")
        found[key] = float(np.linalg.eigvalsh(strains(trace, arrays)).max())
    return extremes.largest(found)


@measurement("bursting_shell.pieces", unit="1", experiment=EXPERIMENT)
def piece_count(data: ExperimentData) -> Measured:
    """Sets of at least four nodes that no pair of positive weight holds together with others, at the end; least of all runs."""
    return extremes.least({k: float(len(pieces(states(c, m)[-1][2]))) for k, (c, m) in _thrown(data).items()})


@measurement("bursting_shell.outward_share", unit="1", experiment=EXPERIMENT)
def outward(data: ExperimentData) -> Measured:
    """Share of the pieces that move away from the centre at the end; least of all runs."""
    return extremes.least({k: outward_share(c, m) for k, (c, m) in _thrown(data).items()})


@measurement("bursting_shell.largest_piece", unit="1", experiment=EXPERIMENT)
def largest_piece(data: ExperimentData) -> Measured:
    """Nodes of the largest piece at the end over all nodes; largest of all runs."""
    found = {}
    for key, (trace, member) in _thrown(data).items():
        arrays = states(trace, member)[-1][2]
        parts = pieces(arrays)
        found[key] = len(parts[0]) / len(arrays["positions"]) if parts else 0.0
    return extremes.largest(found)


@measurement("bursting_shell.energy_growth", unit="1", experiment=EXPERIMENT)
def energy_growth(data: ExperimentData) -> Measured:
    """Largest kinetic and elastic energy together over that at the start, after any step of any run."""
    found = {}
    for cell in {c.label: c for c, _ in _thrown(data).values()}.values():
        energy = cell.values("step", "kinetic_energy") + cell.values("step", "elastic_energy")
        found[cell] = float((energy / energy[..., :1]).max())
    return extremes.largest(found)


@measurement("bursting_shell.cracks_at_rest", unit="1", experiment=EXPERIMENT)
def cracks_at_rest(data: ExperimentData) -> Measured:
    """Cracks that started in the shell that nothing throws apart."""
    found = {
        f"{c.label}, member {m}": float(len(states(c, m)[-1][2]["crack_starts"]))
        for c in data.every()
        if not bursts(c)
        for m in seeds(c)
    }
    return extremes.largest(found)

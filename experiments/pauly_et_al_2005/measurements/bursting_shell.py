# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/bursting_shell: strain at the first crack, and the pieces that fly apart."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Measures, MissingData, Trace, quantity
from .broken_solids import before_first_crack, pieces, states, strains
from .clouds import by_member

M = Measures("pauly_et_al_2005/bursting_shell")
# DEVIATION [PKAGDG05] eq. 2: in the bursting ball eigenvalues of A below a hundredth of the largest count as zero, so
# that a node to which cracks have left next to no neighbours in a direction has no strain along it.


def bursts(trace: Trace) -> bool:
    """Initially expanding shells."""
    return trace.number("expansion_1_s") > 0


def rests(trace: Trace) -> bool:
    """Shells initially at rest."""
    return not bursts(trace)


@by_member("share of the pieces that move away from the centre at the end")
def outward_share(trace: Trace, member: int | None) -> float:
    # By the mean velocity between the last two frames.
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


@by_member("number of nodes")
def node_count(trace: Trace, member: int | None) -> float:
    return len(states(trace, member)[0][2]["positions"])


@by_member("nodes at the end relative to the start")
def node_growth(trace: Trace, member: int | None) -> float:
    stored = states(trace, member)
    return len(stored[-1][2]["positions"]) / len(stored[0][2]["positions"])


@by_member("largest principal strain of a node in the last frame before the first crack, from positions")
def first_strain(trace: Trace, member: int | None) -> float:
    arrays = before_first_crack(states(trace, member))
    if arrays is None:
        raise MissingData(f"{trace.label}, member {member}: no crack, or one at the start")
    return float(np.linalg.eigvalsh(strains(trace, arrays)).max())


@by_member("pieces of at least four nodes at the end, held together by pairs of positive weight")
def piece_count(trace: Trace, member: int | None) -> float:
    return len(pieces(states(trace, member)[-1][2]))


@by_member("nodes of the largest piece at the end relative to all nodes")
def largest_part(trace: Trace, member: int | None) -> float:
    arrays = states(trace, member)[-1][2]
    parts = pieces(arrays)
    return len(parts[0]) / len(arrays["positions"]) if parts else 0.0


@by_member("cracks that start")
def crack_count(trace: Trace, member: int | None) -> float:
    return len(states(trace, member)[-1][2]["crack_starts"])


@quantity("kinetic and elastic energy together relative to the start")
def energy_growth(trace: Trace) -> float:
    energy = trace.values("step", "kinetic_energy") + trace.values("step", "elastic_energy")
    return float((energy / energy[..., :1]).max())


THROWN = EVERY_RUN.where(bursts)

nodes = M.least("nodes", node_count, THROWN)
M.least("node_growth", node_growth, THROWN)
strain_at_first_crack = M.largest("strain_at_first_crack", first_strain, THROWN)
M.least("pieces", piece_count, THROWN)
outward = M.least("outward_share", outward_share, THROWN)
M.largest("largest_piece", largest_part, THROWN)
M.largest("energy_growth", energy_growth, THROWN)
M.largest("cracks_at_rest", crack_count, EVERY_RUN.where(rests))

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/fragment_masses: masses of the two pieces of a cut block against their volumes."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, Trace, extremes, parameter
from deformbench_analysis.vocabulary import quantity, rows
from . import sampled_nodes as nodes
from .resampling import sides

M = Measures("pauly_et_al_2005/fragment_masses")
_across = parameter("nodes_across", int, "Nodes across the block.")
POINTS_ACROSS = 120  # of the lattice that counts volumes, to 0.01 % of the block


@lru_cache(maxsize=1)
def lattice(length: float, side: float) -> Array:
    """Points that stand for equal volumes of the block."""
    ticks = (np.arange(POINTS_ACROSS) + 0.5) / POINTS_ACROSS
    grid = np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.asarray((grid - [0, 0.5, 0.5]) * [length, side, side])


def volume_share(cell: Trace, arrays: dict[str, Array]) -> float:
    """Share of the block on the positive side of the plane."""
    return float(sides(lattice(cell.number("length_m"), cell.number("side_m")), arrays).mean())


@lru_cache(maxsize=None)
def pieces(cell: Trace) -> tuple[tuple[float, float, float, int], ...]:
    """Per member: volume share and mass share of the positive side, ratio of speeds, number of inserted nodes."""
    found = []
    for member in nodes.frames(cell):
        first, last = member[0], member[-1]
        side = sides(last["node_rest_positions"], last)
        masses, velocities = last["node_masses"], last["velocities"]
        share = float(masses[side].sum() / masses.sum())
        speed = [float(np.linalg.norm(masses[s] @ velocities[s] / masses[s].sum())) for s in (side, ~side)]
        found.append((volume_share(cell, last), share, speed[0] / speed[1], len(masses) - len(first["node_masses"])))
    return tuple(found)


@quantity("relative error of the mass of a piece against density times volume")
def mass_errors(cell: Trace) -> Array:
    # The lighter and the heavier piece.
    return np.array([e for v, mass, *_ in pieces(cell) for e in (abs(mass / v - 1), abs((1 - mass) / (1 - v) - 1))])


@quantity("relative error of the ratio of the pieces' speeds against the inverse ratio of their volumes")
def speed_errors(cell: Trace) -> Array:
    return np.array([abs(speeds * v / (1 - v) - 1) for v, _, speeds, _ in pieces(cell)])


@quantity("root mean square over pieces of the relative error of their mass")
def mass_error_rms(cell: Trace) -> float:
    return float(np.sqrt((mass_errors(cell) ** 2).mean()))


def is_fine(cell: Trace) -> bool:
    """At least 1,728 nodes."""
    # About the paper's models or more; its coarsest has two thousand nodes.
    return _across(cell) >= 12


def is_coarse(cell: Trace) -> bool:
    """512 nodes."""
    return not is_fine(cell)


CLOUDS = rows("clouds", says="blocks after resampling")

M.least(
    "cuts",
    quantity("random planes that leave at least a tenth of a block's volume on either side")(
        lambda c: sum(0.1 <= v <= 0.9 for v, *_ in pieces(c))
    ),
    CLOUDS,
)
M.least("inserted", quantity("nodes inserted in all members")(lambda c: sum(n for *_, n in pieces(c))), CLOUDS)
M.largest("mass_error", mass_errors, CLOUDS.where(is_fine))
M.largest("mass_error_rms", mass_error_rms, CLOUDS.where(is_fine))
M.largest("speed_error", speed_errors, CLOUDS.where(is_fine))
M.largest("coarse_speed_error", speed_errors, CLOUDS.where(is_coarse))


@M("resampling_adds")
def resampling_adds(data: ExperimentData) -> Measured:
    """Largest change of a piece's mass share by resampling relative to its volume share, 1,728 nodes and
    more."""
    plain = rows("as_sampled").where(is_fine).runs(data)
    found = {}
    for cell, without in zip(CLOUDS.where(is_fine).runs(data), plain):
        found[cell] = max(
            abs(mass - plain_mass) / min(v, 1 - v)
            for (v, mass, *_), plain_mass in zip(pieces(cell), mass_shares(without))
        )
    return extremes.largest(found)


def mass_shares(cell: Trace) -> list[float]:
    """Share of the mass on the positive side at the start, per member."""
    found = []
    for member in nodes.frames(cell):
        side = sides(member[0]["node_rest_positions"], member[0])
        masses = member[0]["node_masses"]
        found.append(float(masses[side].sum() / masses.sum()))
    return found

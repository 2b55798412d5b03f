# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/fragment_masses: masses of the two pieces of a cut block against their volumes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from . import sampled_nodes as nodes
from .resampling import sides

EXPERIMENT = "pauly_et_al_2005/fragment_masses"
POINTS_ACROSS = 120  # of the lattice that volumes are counted with: to a hundredth of a per cent of the block


def volume_share(cell: Trace, arrays: dict[str, Array]) -> float:
    """Share of the block on the positive side of the plane."""
    length, side = (float(cell.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m"))
    ticks = (np.arange(POINTS_ACROSS) + 0.5) / POINTS_ACROSS
    grid = np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 3)
    return float(sides((grid - [0, 0.5, 0.5]) * [length, side, side], arrays).mean())


@lru_cache(maxsize=None)
def pieces(cell: Trace) -> tuple[tuple[float, float, float, int], ...]:
    """Of every member: share of volume and of mass on the positive side, speed there over that on the other, nodes inserted."""
    found = []
    for member in nodes.frames(cell):
        first, last = member[0], member[-1]
        side = sides(last["node_rest_positions"], last)
        masses, velocities = last["node_masses"], last["velocities"]
        share = float(masses[side].sum() / masses.sum())
        speed = [float(np.linalg.norm(masses[s] @ velocities[s] / masses[s].sum())) for s in (side, ~side)]
        found.append((volume_share(cell, last), share, speed[0] / speed[1], len(masses) - len(first["node_masses"])))
    return tuple(found)


def _errors(cell: Trace, of_speed: bool) -> Array:
    """Of the lighter and the heavier piece, the relative error of its mass against its volume; or of the ratio of speeds."""
    found = []
    for volume, mass, speeds, _ in pieces(cell):
        if of_speed:
            found.append(abs(speeds * volume / (1 - volume) - 1))
        else:
            found += [abs(mass / volume - 1), abs((1 - mass) / (1 - volume) - 1)]
    return np.array(found)


def _across(cell: Trace) -> int:
    return int(cell.value("scene.parameters.nodes_across"))


def _cells(data: ExperimentData, name: str) -> list[Trace]:
    """Blocks of about as many nodes as the text's models and more, its coarsest having two thousand."""
    return [c for c in data.every(name=name) if _across(c) >= 12]


@measurement("fragment_masses.cuts", unit="1", experiment=EXPERIMENT)
def cuts(data: ExperimentData) -> Measured:
    """Least number of random planes that cut a block in two, and leave a tenth of its volume or more on either side."""
    return extremes.least({c: float(sum(0.1 <= v <= 0.9 for v, *_ in pieces(c))) for c in data.every(name="clouds")})


@measurement("fragment_masses.inserted", unit="1", experiment=EXPERIMENT)
def inserted(data: ExperimentData) -> Measured:
    """Least over the runs of the nodes inserted in all members together."""
    return extremes.least({c: float(sum(n for *_, n in pieces(c))) for c in data.every(name="clouds")})


@measurement("fragment_masses.mass_error", unit="1", experiment=EXPERIMENT)
def mass_error(data: ExperimentData) -> Measured:
    """Largest relative error of the mass of a piece against density times volume, after resampling; 1,728 nodes and
    more."""
    return extremes.largest({c: float(_errors(c, False).max()) for c in _cells(data, "clouds")})


@measurement("fragment_masses.mass_error_rms", unit="1", experiment=EXPERIMENT)
def mass_error_rms(data: ExperimentData) -> Measured:
    """Root mean square over pieces of the relative error of their mass, after resampling; 1,728 nodes and more."""
    return extremes.largest({c: float(np.sqrt((_errors(c, False) ** 2).mean())) for c in _cells(data, "clouds")})


@measurement("fragment_masses.speed_error", unit="1", experiment=EXPERIMENT)
def speed_error(data: ExperimentData) -> Measured:
    """Largest relative error of the ratio of the speeds at which equal and opposite forces drive the pieces apart, against the inverse
    ratio of their volumes; 1,728 nodes and more."""
    return extremes.largest({c: float(_errors(c, True).max()) for c in _cells(data, "clouds")})


@measurement("fragment_masses.coarse_speed_error", unit="1", experiment=EXPERIMENT)
def coarse_speed_error(data: ExperimentData) -> Measured:
    """Largest relative error of the ratio of speeds of pieces against the inverse ratio of their volumes; 512 nodes."""
    return extremes.largest({c: float(_errors(c, True).max()) for c in data.every(name="clouds") if _across(c) < 12})


@measurement("fragment_masses.resampling_adds", unit="1", experiment=EXPERIMENT)
def resampling_adds(data: ExperimentData) -> Measured:
    """Largest change of a piece's share of the mass by resampling, over its share of the volume; 1,728 nodes and
    more."""
    plain = _cells(data, "as_sampled")
    found = {}
    for cell, without in zip(_cells(data, "clouds"), plain):
        found[cell] = max(
            abs(a[1] - b[1]) / min(a[0], 1 - a[0]) for a, b in zip(pieces(cell), pieces_of_plain(without))
        )
    return extremes.largest(found)


def pieces_of_plain(cell: Trace) -> list[tuple[float, float]]:
    """Share of volume and of mass on the positive side at the start."""
    found = []
    for member in nodes.frames(cell):
        side = sides(member[0]["node_rest_positions"], member[0])
        masses = member[0]["node_masses"]
        found.append((volume_share(cell, member[0]), float(masses[side].sum() / masses.sum())))
    return found

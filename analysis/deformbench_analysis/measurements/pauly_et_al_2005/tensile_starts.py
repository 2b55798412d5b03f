# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/tensile_starts and tensile_onset: where and when stress starts cracks, against the analysis' own
stress of nodes and samples, from positions, supports and weights of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.spatial import cKDTree

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...moving_least_squares import Nodes, weight
from ...results import ExperimentData
from ...trace import Trace
from .crack_fronts import Frame, frames, seeds

EXPERIMENT = "pauly_et_al_2005/tensile_starts"
ONSET = "pauly_et_al_2005/tensile_onset"
MARGIN = 1e-9  # relative: a stress this near to its threshold is on neither side of it


@dataclass(frozen=True)
class Start:
    """A crack that stress started, and what the analysis finds there."""

    at_node: bool
    stress: float  # λ by the analysis, Pa
    recorded: float  # λ that the run decided on, Pa
    threshold: float  # that it had to exceed, Pa
    base: float  # the threshold before any crack raised it, Pa
    clearance: float  # distance from the nearest node over its support


@dataclass(frozen=True)
class History:
    """All that a run decided."""

    starts: list[Start]
    left_out: int  # samples above their thresholds that have not cracked
    largest: float  # |stress|/threshold of the most compressed node, at any time
    bodies: int  # members in which a crack started


def node_stresses(trace: Trace, arrays: Frame) -> Array:
    """σ of every node, [n, 3, 3], Pa."""
    young, poisson = (float(trace.value(f"scene.parameters.{name}")) for name in ("young_modulus_pa", "poisson_ratio"))
    plain = Nodes.of_material(arrays["node_rest_positions"], arrays["node_supports"], young, poisson)
    nodes = plain.with_weights(arrays["pairs"], arrays["pair_weights"])
    return nodes.stresses(nodes.strains(arrays["positions"]))


def sample_stresses(arrays: Frame, stresses: Array, places: Array) -> Array:
    """Averages with the weights of the nodes in whose supports a place lies, without any crack, [s, 3, 3]."""
    rest, supports = arrays["node_rest_positions"], arrays["node_supports"]
    away = np.linalg.norm(places[:, None] - rest[None], axis=2) / supports[None]
    shares = weight(away)
    return np.asarray(np.einsum("sn,nij->sij", shares, stresses) / shares.sum(axis=1)[:, None, None])


def _judged(trace: Trace, member: int | None) -> Iterator[tuple[Array, Array, Frame, bool]]:
    """Of every frame: λ of all samples whose stress the analysis can tell, NaN of the others; indices of the starts of the step."""
    known = 0
    for _, _, arrays in frames(trace, member):
        begun = np.arange(known, len(arrays["crack_start_ids"]))
        is_first = known == 0
        known = len(arrays["crack_start_ids"])
        samples = arrays["crack_samples"]
        stresses = node_stresses(trace, arrays)
        nodes = samples[:, 4].astype(int)
        own = np.full(len(samples), np.nan)
        at_nodes = nodes >= 0
        own[at_nodes] = np.linalg.eigvalsh(stresses[nodes[at_nodes]])[:, 2]
        # Beside cracks the weights of samples depend on them: without a crack they are those of distance alone.
        if is_first and not at_nodes.all():
            between = sample_stresses(arrays, stresses, samples[~at_nodes, :3])
            own[~at_nodes] = np.linalg.eigvalsh(between)[:, 2]
        yield own, begun, arrays, is_first


@lru_cache(maxsize=64)
def history(trace: Trace) -> History:
    """Read and computed once, as several measurements ask for it."""
    base = float(trace.value("method.parameters.crack_threshold_pa"))
    starts: list[Start] = []
    left_out, largest, bodies = 0, 0.0, 0
    for member in seeds(trace):
        before = len(starts)
        for own, begun, arrays, _ in _judged(trace, member):
            tree = cKDTree(arrays["node_rest_positions"])
            for k in begun:
                sample = int(arrays["crack_start_ids"][k, 1])
                place, recorded, threshold = arrays["crack_starts"][k, :3], *arrays["crack_starts"][k, 6:8]
                if np.isnan(own[sample]):
                    continue
                distance, nearest = tree.query(place)
                starts.append(
                    Start(
                        bool(arrays["crack_samples"][sample, 4] >= 0),
                        float(own[sample]),
                        float(recorded),
                        float(threshold),
                        base,
                        float(distance / arrays["node_supports"][nearest]),
                    )
                )
            thresholds = arrays["crack_samples"][:, 3]
            with np.errstate(invalid="ignore"):
                left_out += int(np.sum(own > thresholds * (1 + MARGIN)))
            least = np.linalg.eigvalsh(node_stresses(trace, arrays))[:, 0].min()
            largest = max(largest, float(-least / base))
        bodies += len(starts) > before
    return History(starts, left_out, largest, bodies)


def _pulled(data: ExperimentData) -> list[Trace]:
    return [t for t in data.every() if float(t.value("scene.parameters.pull_m")) >= 0]


def _pressed(data: ExperimentData) -> list[Trace]:
    return [t for t in data.every() if float(t.value("scene.parameters.pull_m")) < 0]


def _starts(traces: list[Trace], at_node: bool | None = None) -> list[Start]:
    found = [s for t in traces for s in history(t).starts if at_node is None or s.at_node == at_node]
    if not found:
        raise MissingData(f"{EXPERIMENT}: no crack has started")
    return found


@measurement("tensile_starts.at_nodes", unit="1", experiment=EXPERIMENT)
def at_nodes(data: ExperimentData) -> float:
    """Cracks that started at nodes and that the analysis has replayed, all pulled and twisted blocks."""
    return float(len(_starts(_pulled(data), True)))


@measurement("tensile_starts.between_nodes", unit="1", experiment=EXPERIMENT)
def between_nodes(data: ExperimentData) -> float:
    """Cracks that started at samples between nodes, in the step of a block's first crack, and that the analysis has replayed, all pulled and
    twisted blocks."""
    return float(len(_starts(_pulled(data), False)))


@measurement("tensile_starts.bodies", unit="1", experiment=EXPERIMENT)
def bodies(data: ExperimentData) -> float:
    """Blocks in which a crack started."""
    return float(sum(history(t).bodies for t in _pulled(data)))


@measurement("tensile_starts.least_excess", unit="1", experiment=EXPERIMENT)
def least_excess(data: ExperimentData) -> float:
    """Least ratio of the largest principal stress at a start, by the analysis, to the threshold, before any was raised and after; all starts."""
    return min(s.stress / max(s.threshold, s.base) for s in _starts(_pulled(data)))


@measurement("tensile_starts.stress_difference", unit="1", experiment=EXPERIMENT)
def stress_difference(data: ExperimentData) -> float:
    """Largest relative difference between the stress that a start was decided on and the analysis' own; all starts."""
    return max(abs(s.recorded / s.stress - 1) for s in _starts(_pulled(data)))


@measurement("tensile_starts.left_out", unit="1", experiment=EXPERIMENT)
def left_out(data: ExperimentData) -> float:
    """Samples and nodes whose largest principal stress, by the analysis, is above their threshold at the end of a step and which have not
    cracked; all blocks, steps."""
    return float(sum(history(t).left_out for t in data.every()))


@measurement("tensile_starts.least_clearance", unit="1", experiment=EXPERIMENT)
def least_clearance(data: ExperimentData) -> float:
    """Least distance of a start from the nearest node, in supports, where nodes start none."""
    return min(s.clearance for s in _starts(_pulled(data), False))


@measurement("tensile_starts.starts_compressed", unit="1", experiment=EXPERIMENT)
def starts_compressed(data: ExperimentData) -> float:
    """Cracks in compressed blocks."""
    pressed = _pressed(data)
    if not pressed:
        raise MissingData(f"{EXPERIMENT}: no compressed block")
    return float(sum(len(history(t).starts) for t in pressed))


@measurement("tensile_starts.compression", unit="1", experiment=EXPERIMENT)
def compression(data: ExperimentData) -> Measured:
    """Largest compressive principal stress of a node over the threshold, least of all compressed blocks."""
    return extremes.least({t: history(t).largest for t in _pressed(data)})


def onset(trace: Trace) -> float:
    """Where √(1 + 2σ/E) lies between the stretches of the two frames about the first start: 0 at the one before, 1 at the one after."""
    exact = np.sqrt(
        1
        + 2
        * float(trace.value("method.parameters.crack_threshold_pa"))
        / float(trace.value("scene.parameters.young_modulus_pa"))
    )
    rest: Array | None = None
    before = np.nan
    for _, _, arrays in frames(trace, None):
        x = arrays["positions"][:, 0]
        rest = x if rest is None else rest
        stretch = float(np.ptp(x) / np.ptp(rest))
        if len(arrays["crack_start_ids"]):
            return float((exact - before) / (stretch - before))
        before = stretch
    raise MissingData(f"{trace.label}: no crack has started")


@measurement("tensile_onset.earliest", unit="1", experiment=ONSET)
def earliest(data: ExperimentData) -> Measured:
    """Where the stretch √(1 + 2σ/E), at which an even pull reaches the threshold σ, lies between the last increment without a crack (0) and the
    first one with a crack (1); largest of all thresholds. Above 1: the crack came early."""
    return extremes.largest({t: onset(t) for t in data.every()})


@measurement("tensile_onset.latest", unit="1", experiment=ONSET)
def latest(data: ExperimentData) -> Measured:
    """Where the stretch √(1 + 2σ/E), at which an even pull reaches the threshold σ, lies between the last increment without a crack (0) and the
    first one with a crack (1); least of all thresholds. Below 0: the crack came late."""
    return extremes.least({t: onset(t) for t in data.every()})

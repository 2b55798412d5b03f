# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/tensile_starts and tensile_onset: where and when stress starts cracks, against the
analysis' own stress of nodes and samples, from positions, supports and weights of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.moving_least_squares import Nodes, weight
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from deformbench_analysis.vocabulary import EVERY_RUN, Measures, quantity
from .crack_fronts import Frame, frames, seeds

M = Measures("pauly_et_al_2005/tensile_starts")
ONSET = Measures("pauly_et_al_2005/tensile_onset")
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
    """Per frame: λ per sample, NaN where the analysis knows no stress, and indices of the step's crack starts."""
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


def is_pressed(trace: Trace) -> bool:
    """Compressed blocks."""
    return float(trace.value("scene.parameters.pull_m")) < 0


def is_pulled(trace: Trace) -> bool:
    """Pulled and twisted blocks."""
    return not is_pressed(trace)


PULLED, PRESSED = EVERY_RUN.where(is_pulled), EVERY_RUN.where(is_pressed)


def _starts(data: ExperimentData, at_node: bool | None = None) -> list[Start]:
    """Starts in pulled and twisted blocks."""
    found = [s for t in PULLED.runs(data) for s in history(t).starts if at_node is None or s.at_node == at_node]
    if not found:
        raise MissingData(f"{M.experiment}: no crack has started")
    return found


M.total("bodies", quantity("blocks in which a crack starts")(lambda c: history(c).bodies), PULLED)
M.total(
    "left_out",
    quantity("samples and nodes with a tension above their threshold after a step that have not cracked")(
        lambda c: history(c).left_out
    ),
    EVERY_RUN,
)
M.total("starts_compressed", quantity("cracks that start")(lambda c: len(history(c).starts)), PRESSED)
M.least(
    "compression",
    quantity("largest compressive principal stress of a node relative to the threshold")(lambda c: history(c).largest),
    PRESSED,
)


@M("at_nodes")
def at_nodes(data: ExperimentData) -> float:
    """Cracks that started at nodes and that the analysis has replayed, all pulled and twisted blocks."""
    return float(len(_starts(data, True)))


@M("between_nodes")
def between_nodes(data: ExperimentData) -> float:
    """Cracks that started at samples between nodes, in the step of a block's first crack, and that the analysis has replayed, all pulled and
    twisted blocks."""
    return float(len(_starts(data, False)))


@M("least_excess")
def least_excess(data: ExperimentData) -> float:
    """Least ratio of the largest principal stress at a start, by the analysis, to the threshold, before any was raised and after; all starts."""
    return min(s.stress / max(s.threshold, s.base) for s in _starts(data))


@M("stress_difference")
def stress_difference(data: ExperimentData) -> float:
    """Largest relative difference between the stress that a start was decided on and the analysis' own; all starts."""
    return max(abs(s.recorded / s.stress - 1) for s in _starts(data))


@M("least_clearance")
def least_clearance(data: ExperimentData) -> float:
    """Least distance of a start from the nearest node, in supports, where nodes start none."""
    return min(s.clearance for s in _starts(data, False))


def onset(trace: Trace) -> float:
    """Place of √(1 + 2σ/E) between the stretches before the first crack (0) and after it (1).

    At this stretch an even pull reaches the threshold σ: above 1 the crack came early, below 0 late."""
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


ONSET.largest("earliest", onset, EVERY_RUN)
ONSET.least("latest", onset, EVERY_RUN)

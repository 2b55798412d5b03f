# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/tensile_starts and tensile_onset: where and when stress starts cracks, against the
analysis' own stress of nodes and samples, from positions, supports and weights of pairs."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.moving_least_squares import Nodes, weight
from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Trace, quantity, rows
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
    """Summary of a run."""

    starts: list[Start]
    left_out: int  # samples above their thresholds that have not cracked
    largest: float  # |stress|/threshold of the most compressed node, at any time
    bodies: int  # members in which a crack started


def node_stresses(trace: Trace, arrays: Frame) -> Array:
    """σ of every node, [n, 3, 3], Pa."""
    young, poisson = (trace.number(name) for name in ("young_modulus_pa", "poisson_ratio"))
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
    """Cached, as several measurements use it."""
    base = trace.setting("crack_threshold_pa")
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
    return trace.number("pull_m") < 0


def is_pulled(trace: Trace) -> bool:
    """Pulled and twisted blocks."""
    return not is_pressed(trace)


def _starts(trace: Trace, at_node: bool | None = None) -> list[Start]:
    return [s for s in history(trace).starts if at_node in (None, s.at_node)]


@quantity("cracks that started at nodes and that the analysis has replayed")
def _at_nodes(trace: Trace) -> float:
    return float(len(_starts(trace, True)))


@quantity("cracks that started between nodes in the step of the first crack, replayed by the analysis")
def _between_nodes(trace: Trace) -> float:
    return float(len(_starts(trace, False)))


@quantity("analysis' largest principal stress at a start relative to the larger of initial and present threshold")
def _excess(trace: Trace) -> Array:
    return np.array([s.stress / max(s.threshold, s.base) for s in _starts(trace)])


@quantity("relative difference between the stress that a start was decided on and the analysis' own")
def _stress_difference(trace: Trace) -> Array:
    return np.array([abs(s.recorded / s.stress - 1) for s in _starts(trace)])


@quantity("distance of a start between nodes from the nearest node, in supports")
def _clearance(trace: Trace) -> Array:
    return np.array([s.clearance for s in _starts(trace, False)])


def onset(trace: Trace) -> float:
    """Position of √(1 + 2σ/E) between the stretches before (0) and after (1) the first crack.

    There uniform tension reaches the threshold σ: above 1 the crack came early, below 0 late."""
    exact = np.sqrt(1 + 2 * trace.setting("crack_threshold_pa") / trace.number("young_modulus_pa"))
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


PULLED, PRESSED = rows(says="pulled and twisted blocks").where(is_pulled, says=""), EVERY_RUN.where(is_pressed)

M.total("bodies", quantity("blocks in which a crack starts")(lambda c: history(c).bodies), PULLED)
M.total(
    "left_out",
    quantity("samples and nodes with a tension above their threshold after a step that have not cracked")(
        lambda c: history(c).left_out
    ),
)
M.total("starts_compressed", quantity("cracks that start")(lambda c: len(history(c).starts)), PRESSED)
M.least(
    "compression",
    quantity("largest compressive principal stress of a node relative to the threshold")(lambda c: history(c).largest),
    PRESSED,
)
M.total("at_nodes", _at_nodes, PULLED)
M.total("between_nodes", _between_nodes, PULLED)
M.least("least_excess", _excess, PULLED)
M.largest("stress_difference", _stress_difference, PULLED)
M.least("least_clearance", _clearance, PULLED)

ONSET.largest("earliest", onset)
ONSET.least("latest", onset)

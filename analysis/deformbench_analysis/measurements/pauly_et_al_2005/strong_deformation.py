# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/strong_deformation: stretched bars without cracks, and what resampling makes of them."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...moving_least_squares import Nodes
from ...results import ExperimentData
from ...trace import Trace
from . import sampled_nodes as nodes

EXPERIMENT = "pauly_et_al_2005/strong_deformation"
LEAST_SUM = 10
WAVES = np.array([[4.0, 2, 1], [-2, 4, 2], [1, -2, 4]]) / 4  # rad/m, three directions that no axis of the bar has
PERCENTILE = 95
JITTER = 0.3  # of a fresh sampling, as of the scene


def stretch(trace: Trace) -> float:
    """Along x, at the start."""
    return float(trace.value("scene.parameters.stretch"))


def across(trace: Trace) -> int:
    """Nodes across the bar."""
    return int(trace.value("scene.parameters.nodes_across"))


def runs(data: ExperimentData, name: str, stretched: bool, thin: bool | None = None) -> list[Trace]:
    """Of one row: those that start stretched most, or not at all; of the thin bar, the thick one, or both (None)."""
    cells = list(data.every(name=name))
    most, least = max(map(stretch, cells), default=1.0), min(map(across, cells), default=0)
    found = [
        c
        for c in cells
        if stretch(c) == (most if stretched else 1.0) and (thin is None or (across(c) == least) == thin)
    ]
    if not found or (stretched and most == 1.0):
        raise MissingData(f"{EXPERIMENT}: no such run of '{name}'")
    return found


def growth(trace: Trace) -> list[int]:
    """Nodes at the end less those at the start, member by member."""
    return [len(m[-1]["node_supports"]) - len(m[0]["node_supports"]) for m in nodes.frames(trace)]


def sums(arrays: dict[str, Array]) -> Array:
    """Ω without cracks: nodes within the support of each where it is now, itself among them."""
    x, h = arrays["positions"], arrays["node_supports"]
    return np.asarray(cKDTree(x).query_ball_point(x, h, return_length=True))


def gradient_error(points: Array, supports: Array) -> float:
    """95th percentile over nodes of the error of the gradients of three sines by moving least squares at these points, over the largest."""
    phases = points @ WAVES.T
    exact = np.cos(phases)[:, :, None] * WAVES
    found = Nodes(points, supports).slopes(np.sin(phases))
    errors = np.linalg.norm(found - exact, axis=(1, 2))
    return float(np.percentile(errors, PERCENTILE) / np.linalg.norm(exact, axis=(1, 2)).max())


def fresh_error(trace: Trace, seed: int) -> float:
    """The same of a sampling of the stretched bar as the scene samples the bar at rest: cubic cells of about the same volume."""
    value = {n: float(trace.value(f"scene.parameters.{n}")) for n in ("length_m", "side_m", "support_ratio", "stretch")}
    length, side = value["length_m"] * value["stretch"], value["side_m"] / np.sqrt(value["stretch"])
    count = max(1, round(side / (value["side_m"] / across(trace))))
    cell = side / count
    lattice = np.indices((max(1, round(length / cell)), count, count)).reshape(3, -1).T + 0.5
    points = cell * (lattice + JITTER * np.random.default_rng(seed).uniform(-1, 1, lattice.shape))
    return gradient_error(points, np.full(len(points), value["support_ratio"] * cell))


@measurement("strong_deformation.inserted", unit="1", experiment=EXPERIMENT)
def inserted(data: ExperimentData) -> Measured:
    """Nodes inserted over those at the start, thin bar that flows and starts stretched most; the member with least."""
    found = {}
    for cell in runs(data, "plastic", True, True):
        starts = [len(m[0]["node_supports"]) for m in nodes.frames(cell)]
        found[cell] = min(more / start for more, start in zip(growth(cell), starts))
    return extremes.least(found)


def is_thin(trace: Trace) -> bool:
    """h t²/a³ < Ω_min of a bar that is stretched: half a support at its end has fewer nodes."""
    return stretch(trace) > 1 and float(trace.value("scene.parameters.support_ratio")) * across(trace) ** 2 < (
        LEAST_SUM * stretch(trace)
    )


@measurement("strong_deformation.predicted_share", unit="1", experiment=EXPERIMENT)
def predicted_share(data: ExperimentData) -> float:
    """Share of bars of all thicknesses, stretches, supports and clouds that are resampled where h t²/a³ < Ω_min, and
    not elsewhere."""
    return float(np.mean([(more > 0) == is_thin(c) for c in data.every(name="predicted") for more in growth(c)]))


@measurement("strong_deformation.inserted_elastic", unit="1", experiment=EXPERIMENT)
def inserted_elastic(data: ExperimentData) -> Measured:
    """Most nodes inserted in an elastic bar, stretched or not, thin or not: its neighbours are those of the first reference."""
    return extremes.largest({c: float(max(abs(more) for more in growth(c))) for c in data.every(name="elastic")})


@measurement("strong_deformation.sum_change_elastic", unit="1", experiment=EXPERIMENT)
def sum_change_elastic(data: ExperimentData) -> Measured:
    """Largest change of a node's Ω in an elastic bar, as the method has it, all frames and stretches."""
    found = {}
    for cell in data.every(name="elastic"):
        at_rest = data.one(name="elastic", keep=lambda c: stretch(c) == 1 and across(c) == across(cell))
        pairs = zip(nodes.frames(cell), nodes.frames(at_rest), strict=True)
        found[cell] = max(
            float(np.abs(f["node_omega"] - rest[0]["node_omega"]).max()) if len(f["node_omega"]) else np.inf
            for own, rest in pairs
            for f in own
        )
    return extremes.largest(found)


@measurement("strong_deformation.inserted_at_rest", unit="1", experiment=EXPERIMENT)
def inserted_at_rest(data: ExperimentData) -> Measured:
    """Most nodes inserted in a bar that could flow and is not stretched."""
    return extremes.largest({c: float(max(growth(c))) for c in runs(data, "plastic", False)})


@measurement("strong_deformation.inserted_thick", unit="1", experiment=EXPERIMENT)
def inserted_thick(data: ExperimentData) -> Measured:
    """Nodes inserted over those at the start, thick bar that flows and starts stretched most; the member with most."""
    found = {}
    for cell in runs(data, "plastic", True, False):
        starts = [len(m[0]["node_supports"]) for m in nodes.frames(cell)]
        found[cell] = max(more / start for more, start in zip(growth(cell), starts))
    return extremes.largest(found)


def _few(data: ExperimentData, name: str, stretched: bool, thin: bool) -> Measured:
    found = {
        c: max(float(np.mean(sums(f) < LEAST_SUM)) for f in nodes.last_frames(c))
        for c in runs(data, name, stretched, thin)
    }
    return extremes.largest(found)


@measurement("strong_deformation.few", unit="1", experiment=EXPERIMENT)
def few(data: ExperimentData) -> Measured:
    """Share of nodes with Ω < 10 about the nodes as they are, at the end of the run of the thin bar that is not resampled, stretched
    most; largest."""
    return _few(data, "not_resampled", True, True)


@measurement("strong_deformation.few_resampled", unit="1", experiment=EXPERIMENT)
def few_resampled(data: ExperimentData) -> Measured:
    """Share of nodes with Ω < 10 about the nodes as they are, at the end of the run of the thin bar that is resampled, stretched most;
    largest."""
    return _few(data, "plastic", True, True)


@measurement("strong_deformation.few_thick", unit="1", experiment=EXPERIMENT)
def few_thick(data: ExperimentData) -> Measured:
    """Share of nodes with Ω < 10 about the nodes as they are, at the end of the run of the thick bar that is not resampled, stretched
    most; largest."""
    return _few(data, "not_resampled", True, False)


@measurement("strong_deformation.sum_gain", unit="1", experiment=EXPERIMENT)
def sum_gain(data: ExperimentData) -> Measured:
    """Mean Ω, resampled over not resampled, of those first nodes that have Ω < 10 where nothing is inserted; thin bar, stretched most,
    least member."""
    found = {}
    for cell in runs(data, "plastic", True, True):
        other = data.one(name="not_resampled", keep=lambda c: stretch(c) == stretch(cell) and across(c) == across(cell))
        ratios = []
        for with_more, without in zip(nodes.last_frames(cell), nodes.last_frames(other), strict=True):
            before, after = sums(without), sums(with_more)
            poor = np.flatnonzero(before < LEAST_SUM)
            ratios.append(float(after[poor].mean() / before[poor].mean()) if len(poor) else 0.0)
        found[cell] = min(ratios)
    return extremes.least(found)


def errors(data: ExperimentData, name: str) -> dict[Trace, list[float]]:
    """Gradient errors at the ends of stretched runs of the thin bar, member by member."""
    return {
        c: [gradient_error(f["positions"], f["node_supports"]) for f in nodes.last_frames(c)]
        for c in runs(data, name, True, True)
    }


@measurement("strong_deformation.error_ratio", unit="1", experiment=EXPERIMENT)
def error_ratio(data: ExperimentData) -> Measured:
    """Gradient error (95th percentile over nodes) in the shape of the end, resampled over not resampled; thin bar, stretched most,
    largest member."""
    without = {across(c): v for c, v in errors(data, "not_resampled").items()}
    found = {
        c: max(own / other for own, other in zip(values, without[across(c)], strict=True))
        for c, values in errors(data, "plastic").items()
    }
    return extremes.largest(found)


@measurement("strong_deformation.error_over_fresh", unit="1", experiment=EXPERIMENT)
def error_over_fresh(data: ExperimentData) -> Measured:
    """Gradient error of the resampled bar over that of a fresh sampling of the stretched one, largest member."""
    found = {
        c: max(own / fresh_error(c, k) for k, own in enumerate(values)) for c, values in errors(data, "plastic").items()
    }
    return extremes.largest(found)


@measurement("strong_deformation.error_over_fresh_not_resampled", unit="1", experiment=EXPERIMENT)
def error_over_fresh_not_resampled(data: ExperimentData) -> Measured:
    """Gradient error of the bar that is not resampled over that of a fresh sampling of the stretched one, least member."""
    found = {
        c: min(own / fresh_error(c, k) for k, own in enumerate(values))
        for c, values in errors(data, "not_resampled").items()
    }
    return extremes.least(found)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/order_dependence and order_oscillation: what the order of a sweep does."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_et_al_2007/order_dependence"
OSCILLATION = "mueller_et_al_2007/order_oscillation"
FREE = {"scene.parameters.first_mass_factor": 1.0, "scene.parameters.listed": "in_turn"}


def displaced(trace: Trace) -> Array:
    """Displacement along the chain of every particle, [step, particle]."""
    return np.asarray(trace.values("frame", "positions")[:, :, 1] - trace.scene("rest_positions")[None, :, 1])


def links(trace: Trace) -> int:
    """Links of the chain."""
    return int(trace.value("scene.parameters.links"))


def rate(trace: Trace) -> float:
    """Factor on the norm of all link errors in a sweep, late in the run but well above rounding: over twenty sweeps, or
    where each is another, over half of those before."""
    error = np.linalg.norm(np.diff(displaced(trace), axis=1), axis=1)
    last = int(np.flatnonzero(error > 1e-9 * error[0])[-1])
    window = last // 2 if trace.value("method.parameters.order") == "random" else 20
    return float((error[last] / error[last - window]) ** (1 / window))


def jacobi_radius(trace: Trace) -> float:
    """cos(π/(M+1)) of a free chain, cos(π/2M) where the first particle is as good as held; closed form `chain_sweep_radius`."""
    free = float(trace.value("scene.parameters.first_mass_factor")) == 1.0
    return float(np.cos(np.pi / (links(trace) + 1 if free else 2 * links(trace))))


def _moved(data: ExperimentData, name: str) -> Measured:
    """Particles other than the displaced one that the first sweep moves, over all others; the shortest chain."""
    cell = min(data.some(name=name, where=FREE), key=links)
    moved = np.abs(displaced(cell)[1, 1:]) > 1e-14
    return Measured(float(moved.mean()), f"{int(moved.sum())} of {moved.size}")


for row in ("forward", "reverse", "jacobi"):

    @measurement(f"order_dependence.{row}_moved", unit="1", experiment=EXPERIMENT, of=f"order {row}")
    def moved(data: ExperimentData, row: str = row) -> Measured:
        """Share of the other particles of a chain that the first sweep moves after the first particle was
        displaced."""
        return _moved(data, row)


@measurement("order_dependence.wave_error", unit="1", experiment=EXPERIMENT)
def wave_error(data: ExperimentData) -> float:
    """Largest deviation of the displacements after one forward sweep from 1/2, 1/4, 1/8, … of the first particle's
    displacement, over that displacement."""
    found: list[float] = []
    for cell in data.some(name="forward", where=FREE):
        d, count = displaced(cell), links(cell) + 1
        expected = 0.5 ** np.minimum(np.arange(1, count + 1), count - 1)
        found.append(float(np.abs(d[1] / d[0, 0] - expected).max()))
    return float(extremes.finite(found, EXPERIMENT).max())


@measurement("order_dependence.gauss_seidel_rate_error", unit="1", experiment=EXPERIMENT)
def gauss_seidel_rate_error(data: ExperimentData) -> Measured:
    """Largest |factor by which a sweep reduces the error / ρ² − 1|, ρ the spectral radius of a Jacobi sweep in closed
    form; sweeps forward and in reverse, links listed in turn and in two colours."""
    errors = {
        c: abs(rate(c) / jacobi_radius(c) ** 2 - 1) for name in ("forward", "reverse") for c in data.some(name=name)
    }
    return extremes.largest(errors)


@measurement("order_dependence.jacobi_rate_error", unit="1", experiment=EXPERIMENT)
def jacobi_rate_error(data: ExperimentData) -> Measured:
    """Largest |factor by which a Jacobi sweep reduces the error / ρ − 1|, ρ its spectral radius in closed form."""
    errors = {c: abs(rate(c) / jacobi_radius(c) - 1) for c in data.some(name="jacobi")}
    return extremes.largest(errors)


def _speed(data: ExperimentData, name: str) -> Measured:
    """Smallest ratio of digits gained per sweep against Jacobi, same chain."""
    ratios = {}
    for cell in data.some(name=name):
        other = data.one(
            name="jacobi",
            where={
                f"scene.parameters.{p}": cell.value(f"scene.parameters.{p}")
                for p in ("links", "first_mass_factor", "listed")
            },
        )
        ratios[cell.label] = float(np.log(rate(cell)) / np.log(rate(other)))
    return extremes.least(ratios)


for row in ("forward", "reverse", "random"):

    @measurement(f"order_dependence.{row}_speed", unit="1", experiment=EXPERIMENT, of=f"order {row}")
    def speed(data: ExperimentData, row: str = row) -> Measured:
        """ln of the factor by which a sweep reduces the error over that of a Jacobi sweep, late in the run; smallest
        over the chains."""
        return _speed(data, row)


def lengths(trace: Trace) -> list[Array]:
    """The three distances in every step, one array per seed."""
    rest = trace.scene("constraint_rest_values")
    return [np.asarray(m.values + rest) for m in trace.series("step", "constraint_values").members()]


def _swing(trace: Trace) -> list[float]:
    """Standard deviation of each distance over the last 200 steps, the largest of the three, one per seed."""
    return [float(values[-200:].std(axis=0).max()) for values in lengths(trace)]


@measurement("order_oscillation.fixed_swing", unit="m", experiment=OSCILLATION)
def fixed_swing(data: ExperimentData) -> float:
    """Largest standard deviation of a distance over the last 200 sweeps, fixed orders, all seeds."""
    return float(np.max([s for name in ("forward", "reverse") for s in _swing(data.one(name=name))]))


@measurement("order_oscillation.random_swing", unit="m", experiment=OSCILLATION)
def random_swing(data: ExperimentData) -> float:
    """Largest of the three distances' standard deviations over the last 200 sweeps, random order; smallest over the
    seeds."""
    return float(np.min(_swing(data.one(name="random"))))


@measurement("order_oscillation.forward_length_error", unit="m", experiment=OSCILLATION)
def forward_length_error(data: ExperimentData) -> float:
    """Largest deviation of the distances at the end from 5/3, 4/3 and 3 m, forward order, all seeds."""
    return float(
        np.max([float(np.abs(values[-1] - [5 / 3, 4 / 3, 3.0]).max()) for values in lengths(data.one(name="forward"))])
    )

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/order_dependence and order_oscillation: effects of the sweep order."""

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, Trace, extremes, quantity, rows
from .pendulum_and_chain import links

EXPERIMENT = "mueller_et_al_2007/order_dependence"
M = Measures(EXPERIMENT)
OSCILLATION = Measures("mueller_et_al_2007/order_oscillation")
FREE = {"scene.parameters.first_mass_factor": 1.0, "scene.parameters.listed": "in_turn"}


def displaced(trace: Trace) -> Array:
    """Displacement along the chain of every particle, [step, particle]."""
    return np.asarray(trace.values("frame", "positions")[:, :, 1] - trace.scene("rest_positions")[None, :, 1])


def rate(trace: Trace) -> float:
    """Factor per sweep on the norm of all link errors, late in the run but well above rounding: mean of 20 sweeps or,
    for random orders, of half of those before."""
    error = np.linalg.norm(np.diff(displaced(trace), axis=1), axis=1)
    last = int(np.flatnonzero(error > 1e-9 * error[0])[-1])
    window = last // 2 if trace.value("method.parameters.order") == "random" else 20
    return float((error[last] / error[last - window]) ** (1 / window))


def jacobi_radius(trace: Trace) -> float:
    """cos(π/(M+1)) of a free chain, cos(π/2M) where the first particle is nearly held;
    closed form `chain_sweep_radius`."""
    free = trace.number("first_mass_factor") == 1.0
    return float(np.cos(np.pi / (links(trace) + 1 if free else 2 * links(trace))))


def wave_error(trace: Trace) -> Array:
    """Deviation of the displacements after a sweep from 1/2, 1/4, 1/8, … of the first particle's."""
    d, count = displaced(trace), links(trace) + 1
    expected = 0.5 ** np.minimum(np.arange(1, count + 1), count - 1)
    return extremes.finite(np.abs(d[1] / d[0, 0] - expected), trace.label)


gauss_seidel_error = quantity("|factor on the error per sweep / ρ² − 1|, ρ the Jacobi spectral radius")(
    lambda c: abs(rate(c) / jacobi_radius(c) ** 2 - 1)
)
jacobi_error = quantity("|factor on the error per sweep / ρ − 1|, ρ the spectral radius")(
    lambda c: abs(rate(c) / jacobi_radius(c) - 1)
)


@quantity("log of the error factor per sweep / that of Jacobi")
def speed(trace: Trace, jacobi: Trace) -> float:
    """Digits gained per sweep, late in the run."""
    return float(np.log(rate(trace)) / np.log(rate(jacobi)))


JACOBI = rows("jacobi", says="Jacobi sweeps")
for row in ("forward", "reverse", "jacobi"):

    @M(f"{row}_moved", of=f"order {row}")
    def moved(data: ExperimentData, row: str = row) -> Measured:
        """Share of the other particles of the shortest chain that the first sweep moves after the first particle was
        displaced."""
        cell = min(rows(row).where(FREE).runs(data), key=links)
        found = np.abs(displaced(cell)[1, 1:]) > 1e-14
        return Measured(float(found.mean()), f"{int(found.sum())} of {found.size}")


for row in ("forward", "reverse", "random"):
    PAIRS = rows(row, says=f"chains in order {row}").beside(
        JACOBI, "links", "first_mass_factor", "listed", says="against Jacobi"
    )
    M.least(f"{row}_speed", speed, PAIRS)
    if row == "forward":
        M.largest("forward_speed_max", speed, PAIRS)
M.largest(
    "wave_error",
    wave_error,
    rows("forward", says="forward sweeps").where(FREE, says="free chains listed in turn").noted(lambda c: ""),
)
M.largest(
    "gauss_seidel_rate_error", gauss_seidel_error, rows("forward", "reverse", says="sweeps forward and in reverse")
)
M.largest("jacobi_rate_error", jacobi_error, JACOBI)


def lengths(trace: Trace) -> list[Array]:
    """The three distances in every step, one array per seed."""
    rest = trace.scene("constraint_rest_values")
    return [np.asarray(m.values + rest) for m in trace.series("step", "constraint_values").members()]


@quantity("largest standard deviation of a distance over the last 200 sweeps", unit="m")
def swing(trace: Trace) -> Array:
    """One per seed."""
    return np.array([float(values[-200:].std(axis=0).max()) for values in lengths(trace)])


@quantity("deviation of the distances at the end from 5/3, 4/3 and 3 m", unit="m")
def length_error(trace: Trace) -> Array:
    """One per seed."""
    return np.array([float(np.abs(values[-1] - [5 / 3, 4 / 3, 3.0]).max()) for values in lengths(trace)])


OSCILLATION.largest(
    "fixed_swing", swing, rows("forward", "reverse", says="fixed orders, all seeds").noted(lambda c: "")
)
OSCILLATION.least("random_swing", swing, rows("random", says="random orders, all seeds").noted(lambda c: ""))
OSCILLATION.only("forward_length_error", length_error, rows("forward", says="forward order, worst seed"))

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/pendulum, chain_energy and catenary: distance constraints against mechanics."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipk

from deformbench_analysis.position_constraints import held_vertices
from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measures, Trace, extremes, parameter
from deformbench_analysis.vocabulary import quantity, rows

PENDULUM = Measures("mueller_et_al_2007/pendulum")
CHAIN = Measures("mueller_et_al_2007/chain_energy")
CATENARY = Measures("mueller_et_al_2007/catenary")
G = 9.81
amplitude = parameter("amplitude_deg", float, "Amplitude, degrees.")
links = parameter("links", int, "Number of links.")


def period_error(trace: Trace) -> float:
    """Four times the time of the first descent / period by the elliptic integral, minus 1."""
    series = trace.series("frame", "positions")
    x, time = series.values[:, 1, 0], series.time
    below = int(np.flatnonzero(x <= 0)[0])
    share = x[below - 1] / (x[below - 1] - x[below])
    quarter = time[below - 1] + share * (time[below] - time[below - 1])
    exact = (
        4 * np.sqrt(trace.number("length_m") / G) * ellipk(np.sin(np.radians(trace.number("amplitude_deg")) / 2) ** 2)
    )
    return float(4 * quarter / exact - 1)


def by_amplitude(data: ExperimentData) -> dict[float, list[Trace]]:
    """Runs by amplitude in degrees, from large to small time steps."""
    groups: dict[float, list[Trace]] = {}
    for cell in SWINGS.runs(data):
        groups.setdefault(amplitude(cell), []).append(cell)
    return {a: sorted(cells, key=lambda c: -c.number("time_step_s")) for a, cells in groups.items()}


@quantity("|T/T_exact − 1| at the smallest time step, from the time of the first descent")
def finest_period_error(*cells: Trace) -> float:
    """Runs of one amplitude."""
    return abs(period_error(min(cells, key=lambda c: c.number("time_step_s"))))


def energy_steps(trace: Trace) -> Array:
    """Gain of total energy in one step / (m g l)."""
    energy = trace.values("step", "kinetic_energy") + trace.values("step", "gravitational_energy")
    return np.asarray(np.diff(energy) / (trace.number("mass_kg") * G * trace.number("length_m")))


energy_loss = quantity("loss of total energy during a run / (m g l)")(lambda c: -energy_steps(c).sum())
SWINGS = rows("pbd", says="pendulums")
AMPLITUDES = SWINGS.grouped(amplitude, says="all amplitudes").noted(lambda *c: f"{amplitude(c[0]):g} degrees")
largest_period_error = PENDULUM.largest("period_error", finest_period_error, AMPLITUDES)
PENDULUM.largest("energy_gain", energy_steps, SWINGS.where(lambda c: amplitude(c) <= 90, says="at most 90 degrees"))
PENDULUM.largest(
    "pushing_energy_gain", energy_steps, SWINGS.where(lambda c: amplitude(c) > 90, says="above 90 degrees")
)
PENDULUM.largest("energy_loss", energy_loss, SWINGS)


def chain_gain(trace: Trace) -> float:
    """Rise of kinetic plus gravitational energy / work of gravity so far,
    infinite for a run that did not complete.

    At most 0 where the constraints only store and lose energy."""
    kinetic, potential = trace.values("step", "kinetic_energy"), trace.values("step", "gravitational_energy")
    if trace.status != "completed" or not np.isfinite(kinetic + potential).all():
        return float("inf")
    work = np.maximum.accumulate(potential[0] - potential)
    return float((((kinetic + potential) - (kinetic + potential)[0])[1:] / work[1:]).max())


CHAIN.largest("gain", chain_gain, EVERY_RUN.however_ended("a run that did not complete is infinitely wrong"))


def linked_sag(length: float, span: float, links: int) -> float:
    """Sag (m) of equal links with equal masses at the joints: each link's slope is its vertical / horizontal
    force."""
    number = (links - 1 - 2 * np.arange(links)) / 2

    def width(log_r: float) -> float:
        return float((length / links / np.hypot(1, np.exp(log_r) * number)).sum())

    slope = np.exp(brentq(lambda r: width(r) - span, -30, 25, xtol=1e-14)) * number
    return float((length / links * slope / np.hypot(1, slope))[number > 0].sum())


def sag(trace: Trace) -> float:
    """How far the lowest particle hangs below the ends at the end of the run, m."""
    positions = trace.values("frame", "positions")[-1]
    return float(-positions[:, 1].min())


def sag_error(trace: Trace) -> float:
    """Sag minus that of hinged links of equal length and span, m."""
    links = int(trace.number("links"))
    return sag(trace) - linked_sag(trace.number("length_m"), trace.number("span_m"), links)


def by_iterations(cells: tuple[Trace, ...]) -> list[Trace]:
    """From few to many."""
    return sorted(cells, key=lambda c: int(c.setting("iterations")))


@quantity("movement of a held end", unit="m")
def held_movement(trace: Trace) -> Array:
    """Every row."""
    ends = trace.values("frame", "positions")[:, held_vertices(trace)]
    return extremes.finite(np.abs(ends - ends[0]), trace.label)


CHAINS = rows(says="chains").grouped(links, says="all numbers of links")
converged_sag_error, few_iterations_sag_error = (
    CATENARY.largest(
        name,
        quantity(f"|sag at rest with the {which} iterations − that of rigid links in closed form|", unit="m")(
            lambda *cells, place=place: abs(sag_error(by_iterations(cells)[place]))
        ),
        CHAINS.noted(lambda *cells, place=place: by_iterations(cells)[place].label),
    )
    for name, which, place in (("sag_error", "most", -1), ("few_iterations_sag_error", "fewest", 0))
)
CATENARY.largest("held_movement", held_movement, EVERY_RUN.noted(lambda c: ""))

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/pendulum, chain_energy and catenary: distance constraints against mechanics."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipk

from ... import extremes
from ...arrays import Array
from ...measurement import Measured, measurement
from ...position_constraints import held_vertices
from ...results import ExperimentData
from ...trace import Trace

PENDULUM = "mueller_et_al_2007/pendulum"
CHAIN = "mueller_et_al_2007/chain_energy"
CATENARY = "mueller_et_al_2007/catenary"
G = 9.81


def scene(trace: Trace, name: str) -> float:
    """A parameter of the scene."""
    return float(trace.value("scene.parameters." + name))


def period_error(trace: Trace) -> float:
    """Four times the time of the first descent over the period of the elliptic integral, less 1."""
    series = trace.series("frame", "positions")
    x, time = series.values[:, 1, 0], series.time
    below = int(np.flatnonzero(x <= 0)[0])
    share = x[below - 1] / (x[below - 1] - x[below])
    quarter = time[below - 1] + share * (time[below] - time[below - 1])
    exact = (
        4 * np.sqrt(scene(trace, "length_m") / G) * ellipk(np.sin(np.radians(scene(trace, "amplitude_deg")) / 2) ** 2)
    )
    return float(4 * quarter / exact - 1)


def by_amplitude(data: ExperimentData) -> dict[float, list[Trace]]:
    """Runs by amplitude in degrees, from large to small time steps."""
    groups: dict[float, list[Trace]] = {}
    for cell in data.some(name="pbd"):
        groups.setdefault(scene(cell, "amplitude_deg"), []).append(cell)
    return {a: sorted(cells, key=lambda c: -scene(c, "time_step_s")) for a, cells in groups.items()}


@measurement("pendulum.period_error", unit="1", experiment=PENDULUM)
def finest_period_error(data: ExperimentData) -> Measured:
    """Largest |T/T_exact − 1| over the amplitudes at the smallest time step, from the time of the first descent."""
    errors = {f"{a:g} degrees": abs(period_error(cells[-1])) for a, cells in by_amplitude(data).items()}
    return extremes.largest(errors)


def energy_steps(trace: Trace) -> Array:
    """Change of kinetic and gravitational energy in every step, over m g l."""
    energy = trace.values("step", "kinetic_energy") + trace.values("step", "gravitational_energy")
    return np.asarray(np.diff(energy) / (scene(trace, "mass_kg") * G * scene(trace, "length_m")))


@measurement("pendulum.energy_gain", unit="1", experiment=PENDULUM)
def energy_gain(data: ExperimentData) -> Measured:
    """Largest gain of total energy in one step over m g l, amplitudes up to 90 degrees, where the constraint only pulls."""
    gains = {
        c: float(energy_steps(c).max()) for c in data.some(name="pbd", keep=lambda c: scene(c, "amplitude_deg") <= 90)
    }
    return extremes.largest(gains)


@measurement("pendulum.pushing_energy_gain", unit="1", experiment=PENDULUM)
def pushing_energy_gain(data: ExperimentData) -> Measured:
    """Largest gain of total energy in one step over m g l, amplitudes above 90 degrees, where the constraint pushes at first."""
    gains = {
        c: float(energy_steps(c).max()) for c in data.some(name="pbd", keep=lambda c: scene(c, "amplitude_deg") > 90)
    }
    return extremes.largest(gains)


@measurement("pendulum.energy_loss", unit="1", experiment=PENDULUM)
def energy_loss(data: ExperimentData) -> Measured:
    """Largest loss of total energy during a run over m g l."""
    losses = {c: float(-energy_steps(c).sum()) for c in data.some(name="pbd")}
    return extremes.largest(losses)


def chain_gain(trace: Trace) -> float:
    """Largest excess of kinetic and gravitational energy over that of the start, over the work of gravity so far: at most 0
    where the constraints only store and lose energy; infinite of a run that did not complete."""
    kinetic, potential = trace.values("step", "kinetic_energy"), trace.values("step", "gravitational_energy")
    if trace.status != "completed" or not np.isfinite(kinetic + potential).all():
        return float("inf")
    work = np.maximum.accumulate(potential[0] - potential)
    return float((((kinetic + potential) - (kinetic + potential)[0])[1:] / work[1:]).max())


@measurement("chain_energy.gain", unit="1", experiment=CHAIN)
def largest_chain_gain(data: ExperimentData) -> Measured:
    """Largest excess of a swinging chain's kinetic plus gravitational energy over that at the start, over the work
    that gravity has done so far, all runs; infinite for a run that did not complete."""
    found = {c: chain_gain(c) for c in data.some(status=None)}
    return extremes.largest(found)


def linked_sag(length: float, span: float, links: int) -> float:
    """Sag of equal links with equal masses at the joints: each link's slope is the weight below it over the pull H."""
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
    """Sag less that of hinged links of the same length and span, m."""
    links = int(trace.value("scene.parameters.links"))
    return sag(trace) - linked_sag(scene(trace, "length_m"), scene(trace, "span_m"), links)


def _errors(data: ExperimentData, pick: int) -> Measured:
    """Largest |sag − that of straight links| over the chains, m; `pick` chooses among the numbers of iterations."""
    groups: dict[int, list[Trace]] = {}
    for cell in data.some():
        groups.setdefault(int(cell.value("scene.parameters.links")), []).append(cell)
    errors = {}
    for cells in groups.values():
        cell = sorted(cells, key=lambda c: int(c.value("method.parameters.iterations")))[pick]
        errors[cell.label] = abs(sag_error(cell))
    return extremes.largest(errors)


@measurement("catenary.sag_error", unit="m", experiment=CATENARY)
def converged_sag_error(data: ExperimentData) -> Measured:
    """Largest |sag at rest − sag of a chain of rigid links in closed form| over all chains, with the most
    iterations."""
    return _errors(data, -1)


@measurement("catenary.few_iterations_sag_error", unit="m", experiment=CATENARY)
def few_iterations_sag_error(data: ExperimentData) -> Measured:
    """Largest |sag at rest − sag of a chain of rigid links in closed form| over all chains, with the fewest
    iterations."""
    return _errors(data, 0)


@measurement("catenary.held_movement", unit="m", experiment=CATENARY)
def held_movement(data: ExperimentData) -> float:
    """Largest movement of a held end, all chains and numbers of iterations."""
    found: list[float] = []
    for cell in data.some():
        ends = cell.values("frame", "positions")[:, held_vertices(cell)]
        found.append(float(np.abs(ends - ends[0]).max()))
    return float(extremes.finite(found, CATENARY).max())

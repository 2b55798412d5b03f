# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of macklin_et_al_2019/hanging_chain, falling_chain, falling_chains, oscillator and hanging_cloth: N
small steps of one iteration against one step of N iterations. Every ratio is that of two runs that differ in
nothing else and sweep over the constraints equally often. [MSL19], [MMC16]"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

HANGING = "macklin_et_al_2019/hanging_chain"
FALLING = "macklin_et_al_2019/falling_chain"
LENGTHS = "macklin_et_al_2019/falling_chains"
OSCILLATOR = "macklin_et_al_2019/oscillator"
CLOTH = "macklin_et_al_2019/hanging_cloth"
MANY, SMALL, CONVERGED, SINGLE = "many_iterations", "small_steps", "converged", "single"
SECOND_ORDER = 2.0  # power of 1/N with which the error of small steps falls (MSL-02)
G = 9.81
MODE_LIMIT = 2.0 * np.sqrt(2.0)  # ωΔt below which N small steps damp a mode less, for every N from 2 on (mode_rate)
SETTLED_ROWS = 6  # rows of the clock at the end in which a chain at rest must not move
STILL = 1e-3  # of the error: what it may still change by in these rows, as ratios of errors are told to three digits
LENGTH_ROUNDING = 1e-15  # m, of a length of a metre


def scene(trace: Trace, name: str) -> float:
    """A parameter of the scene."""
    return float(trace.value("scene.parameters." + name))


def substeps(trace: Trace) -> int:
    """Small steps in a time step."""
    return int(trace.value("method.parameters.substeps"))


def sweeps(trace: Trace) -> int:
    """N: sweeps over all constraints in a time step."""
    return substeps(trace) * int(trace.value("method.parameters.iterations"))


def links(trace: Trace) -> int:
    """Of the chain."""
    return int(trace.value("scene.parameters.links"))


def chain(trace: Trace) -> str:
    """The scene's parameters."""
    return str(sorted((k, str(v)) for k, v in trace.value("scene.parameters").items()))


def setting(trace: Trace) -> str:
    """The scene's parameters and the sweeps: what both runs of a pair share."""
    return f"{chain(trace)} {sweeps(trace)}"


def pairs(data: ExperimentData) -> list[tuple[Trace, Trace]]:
    """(many iterations, small steps) of the same scene with as many sweeps. MissingData where one of a pair is not
    there."""
    many = {setting(c): c for c in data.every(name=MANY)}
    small = {setting(c): c for c in data.every(name=SMALL)}
    if many.keys() != small.keys():
        raise MissingData(
            f"{data.id} at tier {data.tier}: {len(many.keys() ^ small.keys())} runs have no partner with as many sweeps"
        )
    return [(many[k], small[k]) for k in many]


def ratios(chosen: list[tuple[Trace, Trace]], size: Callable[[Trace], float]) -> Mapping[Trace, float]:
    """What small steps have over what many iterations have, by the run of small steps."""
    return {small: size(small) / size(many) for many, small in chosen}


def before_convergence(
    chosen: list[tuple[Trace, Trace]], size: Callable[[Trace], float], single: list[Trace] | None = None
) -> list[tuple[Trace, Trace]]:
    """Pairs in which iterations have not begun to converge faster than small steps: between no two neighbouring numbers
    of sweeps up to theirs has the error fallen by the second power of 1/N. `single` are runs of one sweep."""
    errors: dict[str, dict[int, float]] = {}
    for cell in [many for many, _ in chosen] + (single or []):
        errors.setdefault(chain(cell), {})[sweeps(cell)] = size(cell)
    begun: dict[str, float] = {}  # the number of sweeps from which on iterations converge faster
    for key, known in errors.items():
        counts = sorted(known)
        faster = [b for a, b in zip(counts, counts[1:]) if known[a] / known[b] >= (b / a) ** SECOND_ORDER]
        begun[key] = min(faster, default=np.inf)
    return [(many, small) for many, small in chosen if sweeps(many) < begun[chain(many)]]


# ---- a chain at rest


def rest_error(trace: Trace) -> float:
    """How much longer the chain is at the end than by statics, over its length; links of compliance α carry what hangs
    below them. MissingData while it still moves."""
    n, link, mass = links(trace), scene(trace, "link_m"), scene(trace, "mass_kg")
    exact = n * link + scene(trace, "compliance_m_per_n") * mass * G * n * (n + 1) / 2
    errors = (-trace.values("step", "tip_position")[-SETTLED_ROWS:, 1] - exact) / (n * link)
    if len(errors) < SETTLED_ROWS or not np.ptp(errors) < STILL * abs(errors[-1]):
        raise MissingData(f"{trace.experiment}: {trace.label}: not at rest at the end")
    return float(abs(errors[-1]))


def rest_error_of_small_steps(trace: Trace) -> float:
    """The same by hand, for links listed from the held end on: a sweep leaves every link but the last longer by gh²
    for every particle below it but its own, as the correction of the next link moves its lower particle by w T
    h². h is the small step."""
    n, h = links(trace), scene(trace, "time_step_s") / substeps(trace)
    return G * h**2 * n * (n - 1) / 2 / (n * scene(trace, "link_m"))


@measurement("hanging_chain.ratio", unit="1", experiment=HANGING)
def hanging_ratio(data: ExperimentData) -> Measured:
    """Largest error of a resting chain's length with small steps over that with as many iterations, all chains and
    numbers of sweeps."""
    return extremes.largest(ratios(pairs(data), rest_error))


@measurement("hanging_chain.ratio_before_convergence", unit="1", experiment=HANGING)
def hanging_ratio_before_convergence(data: ExperimentData) -> Measured:
    """Largest error of a resting chain's length with small steps over that with as many iterations, pairs whose
    iterations have not begun to converge faster than with the second power of their number."""
    return extremes.largest(ratios(before_convergence(pairs(data), rest_error), rest_error))


def rest_orders(data: ExperimentData, name: str) -> Mapping[str, float]:
    """By chain: the power of 1/N with which the error at rest falls, between the fewest and the most sweeps."""
    chains: dict[str, list[Trace]] = {}
    for cell in data.every(name=name):
        key = f"{links(cell)} links, {scene(cell, 'compliance_m_per_n'):g} m/N, {cell.value('scene.parameters.listed')}"
        chains.setdefault(key, []).append(cell)
    found = {}
    for key, cells in chains.items():
        if len({sweeps(c) for c in cells}) < 3:
            raise MissingData(f"{data.id} at tier {data.tier}: {key}: expected three numbers of sweeps or more")
        counts, sizes = np.log([sweeps(c) for c in cells]), np.log([rest_error(c) for c in cells])
        found[key] = -float(np.polyfit(counts, sizes, 1)[0])
    return found


@measurement("hanging_chain.small_steps_order_min", unit="1", experiment=HANGING)
def small_steps_order_min(data: ExperimentData) -> Measured:
    """Smallest power of the small step with which the error at rest falls, over the chains."""
    return extremes.least(rest_orders(data, SMALL))


@measurement("hanging_chain.small_steps_order_max", unit="1", experiment=HANGING)
def small_steps_order_max(data: ExperimentData) -> Measured:
    """Largest power of the small step with which the error at rest falls, over the chains."""
    return extremes.largest(rest_orders(data, SMALL))


@measurement("hanging_chain.iterations_order_min", unit="1", experiment=HANGING)
def iterations_order_min(data: ExperimentData) -> Measured:
    """Smallest power of 1/N with which N iterations of one step reduce the error at rest, over the chains."""
    return extremes.least(rest_orders(data, MANY))


@measurement("hanging_chain.error_by_hand", unit="1", experiment=HANGING)
def error_by_hand(data: ExperimentData) -> Measured:
    """Largest |error at rest / gh²n(n−1)/2 over the length − 1| with small steps h, chains whose links are listed from
    the held end on."""
    cells = data.every(name=SMALL, where={"scene.parameters.listed": "in_turn"})
    return extremes.largest({c: abs(rest_error(c) / rest_error_of_small_steps(c) - 1) for c in cells})


# ---- a chain that falls


def mechanical_energy(trace: Trace) -> Array:
    """Kinetic and gravitational energy less that at the start, over the weight times the length of the chain."""
    energy = trace.values("step", "kinetic_energy") + trace.values("step", "gravitational_energy")
    whole = links(trace) ** 2 * scene(trace, "mass_kg") * G * scene(trace, "link_m")
    return np.asarray((energy - energy[0]) / whole)


def energy_error(trace: Trace) -> float:
    """Largest change of the total energy, that of the links included, over the weight times the length of the chain."""
    energy, compliance = mechanical_energy(trace), scene(trace, "compliance_m_per_n")
    if compliance > 0:
        whole = links(trace) ** 2 * scene(trace, "mass_kg") * G * scene(trace, "link_m")
        energy = energy + (trace.values("step", "constraint_values") ** 2).sum(axis=1) / (2 * compliance * whole)
    return float(np.abs(energy).max())


class Falling:
    """The runs of a falling chain against the converged one of the same chain."""

    def __init__(self, data: ExperimentData) -> None:
        self.exact = {chain(c): c for c in data.every(name=CONVERGED)}
        self.pairs = pairs(data)

    def rms(self, trace: Trace, of: Callable[[Trace], Array]) -> float:
        """Root mean square of the difference from the converged run, over all rows but the first."""
        exact = self.exact.get(chain(trace))
        if exact is None:
            raise MissingData(f"{trace.experiment}: {trace.label}: no converged run of this chain")
        return float(np.sqrt(np.mean((of(trace)[1:] - of(exact)[1:]) ** 2)))

    def stretch_error(self, trace: Trace) -> float:
        """Of the lengths of the links, over that of a link."""
        return self.rms(trace, lambda t: t.values("step", "constraint_values")) / scene(trace, "link_m")

    def way_error(self, trace: Trace) -> float:
        """Of the positions of the particles, over the length of the chain."""
        return self.rms(trace, lambda t: t.values("frame", "positions")) / (links(trace) * scene(trace, "link_m"))


@measurement("falling_chain.stretch_ratio", unit="1", experiment=FALLING)
def stretch_ratio(data: ExperimentData) -> Measured:
    """Largest error of the links' lengths against the converged run (rms over links and time) with small steps over
    that with as many iterations."""
    runs = Falling(data)
    return extremes.largest(ratios(runs.pairs, runs.stretch_error))


@measurement("falling_chain.stretch_ratio_before_convergence", unit="1", experiment=FALLING)
def stretch_ratio_before_convergence(data: ExperimentData) -> Measured:
    """Largest error of the links' lengths with small steps over that with as many iterations, pairs whose iterations
    have not begun to converge faster than with the second power of their number."""
    runs = Falling(data)
    return extremes.largest(ratios(before_convergence(runs.pairs, runs.stretch_error), runs.stretch_error))


@measurement("falling_chains.stretch_ratio", unit="1", experiment=LENGTHS)
def stretch_ratio_of_lengths(data: ExperimentData) -> Measured:
    """Largest error of the links' lengths against the converged run (rms over links and time) with small steps over
    that with as many iterations, chains of 2 to 64 links."""
    runs = Falling(data)
    return extremes.largest(ratios(runs.pairs, runs.stretch_error))


def unconverged_lengths(data: ExperimentData) -> tuple[Falling, list[tuple[Trace, Trace]]]:
    """Pairs of falling_chains before convergence."""
    runs = Falling(data)
    return runs, before_convergence(runs.pairs, runs.stretch_error, data.every(name=SINGLE))


@measurement("falling_chains.stretch_ratio_before_convergence", unit="1", experiment=LENGTHS)
def stretch_ratio_of_lengths_before_convergence(data: ExperimentData) -> Measured:
    """Largest error of the links' lengths with small steps over that with as many iterations, chains of 2 to 64 links,
    pairs whose iterations have not begun to converge faster than with the second power of their number."""
    runs, chosen = unconverged_lengths(data)
    return extremes.largest(ratios(chosen, runs.stretch_error))


@measurement("falling_chains.lengths_before_convergence", unit="1", experiment=LENGTHS)
def lengths_before_convergence(data: ExperimentData) -> float:
    """Number of lengths of chains among these pairs."""
    return float(len({links(many) for many, _ in unconverged_lengths(data)[1]}))


@measurement("falling_chain.way_ratio", unit="1", experiment=FALLING)
def way_ratio(data: ExperimentData) -> Measured:
    """Largest error of the particles' positions against the converged run (rms over particles and time) with small
    steps over that with as many iterations."""
    runs = Falling(data)
    return extremes.largest(ratios(runs.pairs, runs.way_error))


@measurement("falling_chain.energy_ratio", unit="1", experiment=FALLING)
def energy_ratio(data: ExperimentData) -> Measured:
    """Largest change of the total energy during the fall with small steps over that with as many iterations, worst
    pair."""
    return extremes.largest(ratios(pairs(data), energy_error))


@measurement("falling_chain.mechanical_energy_ratio", unit="1", experiment=FALLING)
def mechanical_energy_ratio(data: ExperimentData) -> Measured:
    """Largest change of kinetic and gravitational energy alone during the fall with small steps over that with as many
    iterations, worst pair."""
    return extremes.largest(ratios(pairs(data), lambda c: float(np.abs(mechanical_energy(c)).max())))


@measurement("falling_chain.converged_energy_error", unit="1", experiment=FALLING)
def converged_energy_error(data: ExperimentData) -> Measured:
    """Largest change of the total energy of a converged run over the weight times the length of the chain."""
    return extremes.largest({c: energy_error(c) for c in data.every(name=CONVERGED)})


@measurement("falling_chain.energy_made", unit="1", experiment=FALLING)
def energy_made(data: ExperimentData) -> Measured:
    """Largest excess of kinetic and gravitational energy over that at the start, over the weight times the length of
    the chain, with small steps: above 0 only where energy was made."""
    return extremes.largest({c: float(mechanical_energy(c)[1:].max()) for c in data.every(name=SMALL)})


# ---- one mode


def stiffness_number(trace: Trace) -> float:
    """ωΔt of the mass on its constraint, ω² = 1/(αm)."""
    return float(scene(trace, "time_step_s") / np.sqrt(scene(trace, "compliance_m_per_n") * scene(trace, "mass_kg")))


def mode_energy(trace: Trace) -> Array:
    """Kinetic and stored energy over that at the start."""
    stored = trace.values("step", "constraint_values")[:, 0] ** 2 / (2 * scene(trace, "compliance_m_per_n"))
    energy = trace.values("step", "kinetic_energy") + stored
    return np.asarray(energy / energy[0])


def damping_rate(trace: Trace) -> float:
    """−ln of the share of the energy that the first time step leaves. What is left counts as that of a constraint's
    rounding at least, so that a rate above some 60 is a lower bound."""
    start = float(trace.values("step", "constraint_values")[0, 0])
    return -float(np.log(max(mode_energy(trace)[1], (LENGTH_ROUNDING / start) ** 2)))


def mode_rate(number: float, steps: int) -> float:
    """damping_rate of implicit Euler with so many steps, in closed form: a step leaves 1/(1 + ω²h²). Two steps damp
    less than one where (1 + s²/4)² < 1 + s², s = ωΔt, so for s² < 8; then so do more."""
    return float(steps * np.log1p((number / steps) ** 2))


@measurement("oscillator.damping_ratio", unit="1", experiment=OSCILLATOR)
def damping_ratio(data: ExperimentData) -> Measured:
    """Largest rate at which small steps take a mode's energy away over that of as many iterations, all stiffnesses and
    numbers of sweeps."""
    return extremes.largest(ratios(pairs(data), damping_rate))


@measurement("oscillator.damping_ratio_of_soft_modes", unit="1", experiment=OSCILLATOR)
def damping_ratio_of_soft_modes(data: ExperimentData) -> Measured:
    """Largest rate at which small steps take a mode's energy away over that of as many iterations, modes with ωΔt <
    2√2, all numbers of sweeps."""
    soft = [p for p in pairs(data) if stiffness_number(p[0]) < MODE_LIMIT]
    return extremes.largest(ratios(soft, damping_rate))


@measurement("oscillator.closed_form_error", unit="1", experiment=OSCILLATOR)
def closed_form_error(data: ExperimentData) -> Measured:
    """Largest |rate / that of implicit Euler with as many small steps in closed form − 1|, where a millionth of the
    amplitude is left."""
    found = {}
    for cell in [c for pair in pairs(data) for c in pair]:
        expected = mode_rate(stiffness_number(cell), substeps(cell))
        if expected < 2 * np.log(1e6):
            found[cell] = abs(damping_rate(cell) / expected - 1)
    return extremes.largest(found)


@measurement("oscillator.energy_made", unit="1", experiment=OSCILLATOR)
def mode_energy_made(data: ExperimentData) -> Measured:
    """Largest gain of a mode's energy in a time step over the energy at the start, small steps."""
    return extremes.largest({c: float(np.diff(mode_energy(c)).max()) for c in data.every(name=SMALL)})


# ---- a cloth


def cloth_strain(trace: Trace) -> float:
    """Root mean square of length/rest length − 1 over the edges, the mean over the second half of the run."""
    strain = trace.values("step", "edge_strain_rms")
    return float(strain[len(strain) // 2 :].mean())


def step_ms(trace: Trace) -> float:
    """Lower quartile of a step's time, ms: what else runs on the machine can only add time."""
    return trace.require_timing().quartiles_ms[0]


@measurement("hanging_cloth.strain_ratio", unit="1", experiment=CLOTH)
def strain_ratio(data: ExperimentData) -> Measured:
    """Largest stretch of a hanging cloth whose edges should keep their lengths (rms over edges, second half of the
    run) with small steps over that with as many iterations."""
    return extremes.largest(ratios(pairs(data), cloth_strain))


@measurement("hanging_cloth.cost_ratio", unit="1", experiment=CLOTH, timing=True)
def cost_ratio(data: ExperimentData) -> Measured:
    """Largest time per step (lower quartile) with small steps over that with as many iterations."""
    return extremes.largest(ratios(pairs(data), step_ms))

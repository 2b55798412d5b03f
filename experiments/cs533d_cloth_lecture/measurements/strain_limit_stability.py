# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/strain_limit_stability: the energy of a jerked cloth with limited strain, and
the plain springs that would strain as little."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, MissingData, Trace, extremes, measurement
from .spring_nets import edges_of, lengths, stable_step
from .strain_limit import ratio

EXPERIMENT = "cs533d_cloth_lecture/strain_limit_stability"
FORMS = ("positions", "velocities")


def corner_way(trace: Trace, time: Array) -> Array:
    """How far the corners have been lifted, m."""
    begin, last = trace.number("jerk_start_s"), trace.number("jerk_duration_s")
    return np.asarray(trace.number("jerk_m") * np.clip((time - begin) / last, 0, 1))


@lru_cache(maxsize=128)
def energy_excess(trace: Trace) -> float:
    """Largest (energy − initial energy − work of the corners) / (M g L + largest work) over members and times;
    infinite where the run diverged. The corners' force is the rate of change of momentum minus gravity."""
    if trace.status != "completed":
        return float("inf")
    mass = float(trace.scene("masses").sum())
    gravity = float(-np.asarray(trace.value("scene.parameters.gravity_m_s2"))[1])
    names = ("kinetic_energy", "gravitational_energy", "elastic_energy", "linear_momentum")
    series = [trace.series("step", n).members() for n in names]
    worst = -np.inf
    for kinetic, height, elastic, momentum in zip(*series):
        total = kinetic.values + height.values + elastic.values
        if not (np.isfinite(total).all() and np.isfinite(momentum.values).all()):
            return float("inf")
        dt = np.diff(kinetic.time)
        force = np.diff(momentum.values[:, 1]) / dt + mass * gravity
        work = np.concatenate([[0.0], np.cumsum(force * np.diff(corner_way(trace, kinetic.time)))])
        scale = mass * gravity * trace.number("side_m") + max(0.0, float(work.max()))
        worst = max(worst, float((total - total[0] - work).max()) / scale)
    return worst


@lru_cache(maxsize=128)
def worst_strain(trace: Trace) -> float:
    """Largest strain of an edge of all members and times; infinite where the run diverged."""
    if trace.status != "completed":
        return float("inf")
    values = np.concatenate([m.values for m in trace.series("step", "edge_strain_max").members()])
    return float(values.max()) if np.isfinite(values).all() else float("inf")


def limited(data: ExperimentData, keep: Callable[[Trace], bool] = lambda c: True) -> list[Trace]:
    """Runs with limits that ended as declared, completed or not."""
    found = data.select(status=None, keep=lambda c: c.method_name in FORMS and keep(c))
    for cell in found:
        if not data.ended_as_declared(cell):
            raise MissingData(f"{cell.label}: {cell.status}")
    if not found:
        raise MissingData("no run with limits")
    return found


def plain_steps(data: ExperimentData) -> tuple[Array, Array]:
    """Worst strain of plain springs, descending, and 0.9 of their longest stable step at rest, s. They were run at
    half of it: 0.9 is too long for a swinging cloth, so the comparison favours them."""
    return steps_of_plain(data.every(name="plain"))


def steps_of_plain(plain: list[Trace]) -> tuple[Array, Array]:
    """The same for these."""
    cells = sorted(plain, key=lambda c: c.setting("stretch_stiffness_n_per_m"))
    strains = np.array([worst_strain(c) for c in cells])
    if not (np.diff(strains) < 0).all():
        raise MissingData("the strain of plain springs does not fall with their stiffness")
    return strains, np.array([0.9 * stable_step(c) for c in cells])


def gain(data: ExperimentData, cell: Trace) -> float:
    """The gain of a run over the experiment's plain springs."""
    return gain_over(plain_steps(data), cell)


def gain_over(plain: tuple[Array, Array], cell: Trace) -> float:
    """Δt / (0.9 Δt_c) of plain springs with the same worst strain, log–log interpolated between stiffnesses; 0 where
    the run strains more than the softest, with the stiffest's Δt_c where it strains less."""
    strains, steps = plain
    strain = worst_strain(cell)
    if strain > strains[0]:
        return 0.0
    equal = np.exp(np.interp(-np.log(strain), -np.log(strains), np.log(steps)))
    return float(cell.number("time_step_s") / equal)


def is_in_regime(trace: Trace) -> bool:
    """Δt < Δt_c and at least 30 sweeps."""
    return ratio(trace) < 1 and trace.setting("strain_limit_sweeps") >= 30


def is_tight(trace: Trace) -> bool:
    """Steps of 0.9 Δt_c and enough sweeps: 30 for limits on velocities too, 100 for positions alone."""
    least = 30 if trace.method_name == "velocities" else 100
    return 0.8 < ratio(trace) < 1 and trace.setting("strain_limit_sweeps") >= least


@measurement("strain_limit_stability.energy_excess", unit="1", experiment=EXPERIMENT)
def all_energy_excess(data: ExperimentData) -> Measured:
    """Largest energy beyond initial energy and corner work, relative to M g L + largest work, all forms, sweeps and
    steps from 0.1 to 10 Δt_c; infinite if diverged."""
    return extremes.largest({c: energy_excess(c) for c in limited(data)})


@measurement("strain_limit_stability.energy_excess_in_regime", unit="1", experiment=EXPERIMENT)
def energy_excess_in_regime(data: ExperimentData) -> Measured:
    """Largest energy beyond initial energy and corner work, relative to M g L + largest work, steps below Δt_c, 30
    sweeps or more, both forms."""
    return extremes.largest({c: energy_excess(c) for c in limited(data, is_in_regime)})


@measurement("strain_limit_stability.energy_excess_below", unit="1", experiment=EXPERIMENT)
def energy_excess_below(data: ExperimentData) -> Measured:
    """Largest energy beyond initial energy and corner work, relative to M g L + largest work, steps below Δt_c, all
    sweep counts, both forms."""
    return extremes.largest({c: energy_excess(c) for c in limited(data, lambda c: ratio(c) < 1)})


@measurement("strain_limit_stability.energy_excess_of_long_steps", unit="1", experiment=EXPERIMENT)
def energy_excess_of_long_steps(data: ExperimentData) -> Measured:
    """Least relative energy excess of steps beyond Δt_c, both forms."""
    return extremes.least({c: energy_excess(c) for c in limited(data, lambda c: ratio(c) > 1)})


@measurement("strain_limit_stability.gain", unit="1", experiment=EXPERIMENT)
def all_gain(data: ExperimentData) -> Measured:
    """Least Δt / (0.9 Δt_c of plain springs with the same worst strain), all forms and sweep counts, steps of
    0.9 Δt_c."""
    return extremes.least({c: gain(data, c) for c in limited(data, lambda c: 0.8 < ratio(c) < 1)})


@measurement("strain_limit_stability.gain_in_regime", unit="1", experiment=EXPERIMENT)
def gain_in_regime(data: ExperimentData) -> Measured:
    """Least Δt / (0.9 Δt_c of plain springs of equal strain), ≥ 30 sweeps for limits on velocities too, else
    ≥ 100."""
    return extremes.least({c: gain(data, c) for c in limited(data, is_tight)})


@measurement("strain_limit_stability.gain_of_positions", unit="1", experiment=EXPERIMENT)
def gain_of_positions(data: ExperimentData) -> Measured:
    """Least step gain over plain springs: limits on positions, 30 sweeps."""
    return extremes.least(
        {
            c: gain(data, c)
            for c in limited(data, lambda c: 0.8 < ratio(c) < 1 and c.setting("strain_limit_sweeps") == 30)
            if c.method_name == "positions"
        }
    )


@measurement("strain_limit_stability.worst_strain_in_regime", unit="1", experiment=EXPERIMENT)
def worst_strain_in_regime(data: ExperimentData) -> Measured:
    """Largest strain of an edge, steps below Δt_c and 30 sweeps or more, both forms."""
    return extremes.largest({c: worst_strain(c) for c in limited(data, is_in_regime)})


@measurement("strain_limit_stability.stiff_plain_diverge", unit="1", experiment=EXPERIMENT)
def stiff_plain_diverge(data: ExperimentData) -> float:
    """Number of diverged runs of plain springs 64 times as stiff, at 0.9 Δt_c of the soft ones."""
    cells = data.select(name="plain_too_stiff", status=None)
    if not cells:
        raise MissingData("no plain springs at too long a step")
    return float(sum(c.status == "diverged" for c in cells))


@measurement("strain_limit_stability.members", unit="1", experiment=EXPERIMENT)
def members(data: ExperimentData) -> Measured:
    """Least number of perturbed starts."""
    return extremes.least(
        {c: float(len(c.series("step", "kinetic_energy").members())) for c in limited(data, is_in_regime)}
    )


@measurement("strain_limit_stability.elastic_energy_error", unit="1", experiment=EXPERIMENT)
def elastic_energy_error(data: ExperimentData) -> Measured:
    """Largest difference of stored elastic energy from that of springs along all edges, relative to the run's
    maximum, steps below Δt_c, both forms."""
    found = {}
    for cell in limited(data, lambda c: ratio(c) < 1):
        edges = edges_of(cell.scene("triangles"))
        rest, stiffness = lengths(cell.scene("rest_positions"), edges), cell.setting("stretch_stiffness_n_per_m")
        places, stored = cell.series("frame", "positions").members(), cell.series("step", "elastic_energy").members()
        worst = 0.0
        for where, energy in zip(places, stored):
            own = stiffness / 2 * ((lengths(where.values, edges) - rest) ** 2).sum(axis=1)
            rows = np.searchsorted(energy.step, where.step)
            worst = max(worst, float(np.abs(energy.values[rows] - own).max() / own.max()))
        found[cell] = worst
    return extremes.largest(found)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/single_constraint_stiffness, isolated_spring, stiffness_time_step_iterations and
chain_iterations."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...position_constraints import Samples
from ...results import ExperimentData
from ...trace import Trace

SINGLE = "mueller_et_al_2007/single_constraint_stiffness"
SPRING = "mueller_et_al_2007/isolated_spring"
HANGING = "mueller_et_al_2007/stiffness_time_step_iterations"
CHAIN = "mueller_et_al_2007/chain_iterations"
PER_STEP = "k′ = 1 − (1 − k)^(1/n) in each of n iterations, k = 0.5"
PER_ITERATION = "k = 0.5 in every iteration"
KIND = "scene.parameters.kind"


def iterations(trace: Trace) -> int:
    """Solver iterations per step."""
    return int(trace.value("method.parameters.iterations"))


def scene(trace: Trace, name: str) -> float:
    """A parameter of the scene."""
    return float(trace.value("scene.parameters." + name))


def left(k: Array, n: int, per_step: bool) -> Array:
    """What a step leaves of the error: 1 − k, or (1 − k)^n."""
    return 1 - k if per_step else (1 - k) ** n


def _law_error(data: ExperimentData, name: str, is_distance: bool) -> Measured:
    errors = {}
    for cell in data.some(name=name, keep=lambda c: (c.value(KIND) == "distance") == is_distance):
        s = Samples(cell)
        errors[cell.label] = float(np.abs(s.c1 / s.c0 - left(s.stiffness, iterations(cell), name == "per_step")).max())
    return extremes.largest(errors)


@measurement("single_constraint_stiffness.distance_error", unit="1", experiment=SINGLE)
def distance_error(data: ExperimentData) -> Measured:
    """Largest |C after/C before − (1 − k)| of a step, distance constraints, k′ = 1 − (1 − k)^(1/n), all numbers n of
    iterations."""
    return _law_error(data, "per_step", True)


@measurement("single_constraint_stiffness.plain_distance_error", unit="1", experiment=SINGLE)
def plain_distance_error(data: ExperimentData) -> Measured:
    """Largest |C after/C before − (1 − k)^n| of a step, distance constraints, k in each of n iterations."""
    return _law_error(data, "per_iteration", True)


@measurement("single_constraint_stiffness.other_kinds_error", unit="1", experiment=SINGLE)
def other_kinds_error(data: ExperimentData) -> Measured:
    """Largest |C after/C before − (1 − k)| of a step, other kinds of constraints violated by 0.05, k′ = 1 − (1 −
    k)^(1/n), all numbers n of iterations."""
    return _law_error(data, "per_step", False)


@measurement("single_constraint_stiffness.iteration_spread", unit="1", experiment=SINGLE)
def iteration_spread(data: ExperimentData) -> float:
    """Largest difference of C after/C before of one distance constraint between numbers n of iterations, k′ = 1 − (1 −
    k)^(1/n)."""
    shares = np.array([s.c1 / s.c0 for s in map(Samples, data.some(name="per_step", where={KIND: "distance"}))])
    if len(shares) < 2:
        raise MissingData(f"{SINGLE} at tier {data.tier}: one number of iterations where two are needed")
    return float((shares.max(axis=0) - shares.min(axis=0)).max())


@measurement("single_constraint_stiffness.plain_iteration_spread", unit="1", experiment=SINGLE)
def plain_iteration_spread(data: ExperimentData) -> float:
    """Largest difference of C after/C before of one distance constraint between numbers of iterations, k in each
    iteration."""
    shares = np.array([s.c1 / s.c0 for s in map(Samples, data.some(name="per_iteration", where={KIND: "distance"}))])
    return float((shares.max(axis=0) - shares.min(axis=0)).max())


def extensions(trace: Trace) -> Array:
    """Extension of the spring over that at the start, every step."""
    c = trace.values("step", "constraint_values")[:, 0]
    return np.asarray(c / c[0])


@measurement("isolated_spring.recursion_error", unit="1", experiment=SPRING)
def recursion_error(data: ExperimentData) -> Measured:
    """Largest |e_n − that of the recursion e_{n+1} = (1 − k)(2e_n − e_{n−1})|, e the extension over that at the start,
    all steps and time steps."""
    errors = {}
    for cell in data.some():
        e, k = extensions(cell), scene(cell, "stiffness")
        expected = [1.0, 1 - k]
        while len(expected) < len(e):
            expected.append((1 - k) * (2 * expected[-1] - expected[-2]))
        errors[cell.label] = float(np.abs(e - expected).max())
    return extremes.largest(errors)


@measurement("isolated_spring.modulus_max", unit="1", experiment=SPRING)
def modulus_max(data: ExperimentData) -> Measured:
    """Largest factor by which a step multiplies the amplitude of the extension e, from e_{n+1}e_{n−1} − e_n², all
    stiffnesses and time steps."""
    found = {}
    for cell in data.some():
        e = extensions(cell)
        square = np.abs(e[2:] * e[:-2] - e[1:-1] ** 2)
        usable = square[:-1] > 1e-20  # beyond that rounding is all there is
        if usable.any():
            found[cell.label] = float(np.sqrt(square[1:][usable] / square[:-1][usable]).max())
    return extremes.largest(found)


@measurement("isolated_spring.overshoot", unit="1", experiment=SPRING)
def spring_overshoot(data: ExperimentData) -> float:
    """Largest |extension| after the start over that at the start, all stiffnesses and time steps."""
    return float(np.max([float(np.abs(extensions(c)[1:]).max()) for c in data.some()]))


def hangs(trace: Trace) -> float:
    """How far the lowest particle hangs below its rest position at the end, m; MissingData when it still moves."""
    positions, velocities = trace.values("frame", "positions"), trace.values("frame", "velocities")
    drop = float(trace.scene("rest_positions")[-1, 1] - positions[-1, -1, 1])
    if not np.abs(velocities[-1]).max() * scene(trace, "time_step_s") <= 1e-7 * abs(drop):
        raise MissingData(f"{trace.experiment}: {trace.label}: not at rest at the end")
    return drop


def one_link(trace: Trace) -> bool:
    """Whether the chain is one link: a hanging mass."""
    return int(trace.value("scene.parameters.links")) == 1


def gravity(trace: Trace) -> float:
    """Acceleration of gravity downwards, m/s²."""
    return -float(trace.value("scene.parameters.gravity_m_s2")[1])


@measurement("stiffness_time_step_iterations.hanging_error", unit="1", experiment=HANGING)
def hanging_error(data: ExperimentData) -> Measured:
    """Largest relative error of (1 − k_t)/k_t gΔt² as the extension of one link, k_t the share of a step, k per step
    and k per iteration, all time steps and numbers of iterations."""
    errors = {}
    for name in ("per_step", "per_iteration"):
        for cell in data.some(name=name, keep=one_link):
            k = left(np.array(scene(cell, "stiffness")), iterations(cell), name == "per_step")
            expected = float(k / (1 - k)) * gravity(cell) * scene(cell, "time_step_s") ** 2
            errors[cell.label] = abs(hangs(cell) / expected - 1)
    return extremes.largest(errors)


@measurement("stiffness_time_step_iterations.compliant_hanging_error", unit="1", experiment=HANGING)
def compliant_hanging_error(data: ExperimentData) -> float:
    """Largest relative error of compliance times weight as the extension of one compliant link, all time steps and
    numbers of iterations."""
    return float(
        np.max(
            [
                abs(hangs(c) / (scene(c, "compliance_m_per_n") * scene(c, "mass_kg") * gravity(c)) - 1)
                for c in data.some(name="compliant", keep=one_link)
            ]
        )
    )


@measurement("stiffness_time_step_iterations.time_step_exponent", unit="1", experiment=HANGING)
def time_step_exponent(data: ExperimentData) -> float:
    """Exponent with which one link's extension grows with the time step, k′ = 1 − (1 − k)^(1/n), between the smallest
    and the largest time step."""
    cells = sorted(data.some(name="per_step", keep=one_link), key=lambda c: scene(c, "time_step_s"))
    if scene(cells[0], "time_step_s") == scene(cells[-1], "time_step_s"):
        raise MissingData(f"{HANGING} at tier {data.tier}: one time step where two are needed")
    return float(
        np.log(hangs(cells[-1]) / hangs(cells[0]))
        / np.log(scene(cells[-1], "time_step_s") / scene(cells[0], "time_step_s"))
    )


def _iteration_ratio(data: ExperimentData, name: str) -> Measured:
    """Extension of the chain with the fewest over that with the most iterations, time step 0.01 s."""
    cells = sorted(
        data.some(name=name, where={"scene.parameters.time_step_s": 0.01}, keep=lambda c: not one_link(c)),
        key=iterations,
    )
    if iterations(cells[0]) == iterations(cells[-1]):
        raise MissingData(f"{HANGING} at tier {data.tier}: one number of iterations where two are needed")
    return Measured(
        hangs(cells[0]) / hangs(cells[-1]), f"{iterations(cells[0])} against {iterations(cells[-1])} iterations"
    )


for row, described in (
    ("per_step", PER_STEP),
    ("per_iteration", PER_ITERATION),
    ("compliant", "links of a compliance, with multipliers (XPBD)"),
):

    @measurement(f"stiffness_time_step_iterations.chain_{row}_ratio", unit="1", experiment=HANGING, of=described)
    def chain_ratio(data: ExperimentData, row: str = row) -> Measured:
        """Extension of a hanging chain of ten links with the fewest iterations over that with the most, time step 0.01
        s."""
        return _iteration_ratio(data, row)


def resting_extension(trace: Trace) -> float:
    """Extension of a hanging chain at rest, m, in closed form: the fixed point of a step, δ = Sⁿ(δ + gΔt²), of the sweep S down
    the chain, in which every link takes its share k of the extension off its two ends, the first end held."""
    count, links, k = iterations(trace), int(trace.value("scene.parameters.links")), scene(trace, "stiffness")
    share = 1 - (1 - k) ** (1 / count) if trace.value("method.parameters.stiffness_law") == "per_step" else k
    sweep = np.eye(links)
    for link in range(links):
        gradient = np.zeros(links)
        gradient[link] = 1
        if link > 0:
            gradient[link - 1] = -1
        sweep -= np.outer(share / (gradient @ gradient) * gradient, gradient @ sweep)
    step = np.linalg.matrix_power(sweep, count)
    return float(
        np.linalg.solve(np.eye(links) - step, step @ np.full(links, gravity(trace) * scene(trace, "time_step_s") ** 2))[
            -1
        ]
    )


def extension(trace: Trace) -> float:
    """Of a chain at the end of a run, m; MissingData when it still moves by more than 1e-4 of that a step."""
    positions, velocities = trace.values("frame", "positions"), trace.values("frame", "velocities")
    drop = float(trace.scene("rest_positions")[-1, 1] - positions[-1, -1, 1])
    if not np.abs(velocities[-1]).max() * scene(trace, "time_step_s") <= 1e-4 * max(abs(drop), SMALLEST):
        raise MissingData(f"{trace.experiment}: {trace.label}: not at rest at the end")
    return drop


SMALLEST = 1e-9  # m, under which rounding of positions of 1 m is more than 1e-7 of an extension


@measurement("chain_iterations.law_error", unit="1", experiment=CHAIN)
def chain_law_error(data: ExperimentData) -> Measured:
    """Largest relative error of a hanging chain's extension against the fixed point of its sweeps in closed form, all
    stiffnesses and numbers of iterations; extensions below 1e-9 m are compared with 1e-9 m."""
    errors = {c: abs(extension(c) - resting_extension(c)) / max(resting_extension(c), SMALLEST) for c in data.some()}
    return extremes.largest(errors)


for row, described in (("per_step", PER_STEP), ("per_iteration", PER_ITERATION), ("rigid", "k = 1")):

    @measurement(f"chain_iterations.{row}_limit", unit="1", experiment=CHAIN, of=described)
    def chain_limit(data: ExperimentData, row: str = row) -> Measured:
        """Extension of a hanging chain with the most iterations over that with one; 0 for a chain that becomes
        rigid."""
        cells = sorted(data.some(name=row), key=iterations)
        if iterations(cells[0]) != 1 or len(cells) < 2:
            raise MissingData(f"{CHAIN} at tier {data.tier}: one iteration and more expected in row {row}")
        return Measured(
            abs(extension(cells[-1])) / extension(cells[0]), f"{iterations(cells[-1])} iterations against 1"
        )

    @measurement(f"chain_iterations.{row}_rate", unit="1", experiment=CHAIN, of=described)
    def chain_rate(data: ExperimentData, row: str = row) -> Measured:
        """Share of a hanging chain's extension that each further iteration removes, between the two largest numbers of
        iterations."""
        few, many = sorted(data.some(name=row), key=iterations)[-2:]
        return Measured(
            1 - (abs(extension(many)) / extension(few)) ** (1 / (iterations(many) - iterations(few))),
            f"{iterations(few)} to {iterations(many)} iterations",
        )

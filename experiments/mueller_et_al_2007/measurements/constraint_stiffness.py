# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/single_constraint_stiffness, isolated_spring, stiffness_time_step_iterations and
chain_iterations."""

import numpy as np

from deformbench_analysis.position_constraints import Samples
from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, MissingData, Trace
from deformbench_analysis.vocabulary import parameter, quantity, rows

SINGLE = Measures("mueller_et_al_2007/single_constraint_stiffness")
SPRING = Measures("mueller_et_al_2007/isolated_spring")
HANGING = Measures("mueller_et_al_2007/stiffness_time_step_iterations")
CHAIN = Measures("mueller_et_al_2007/chain_iterations")
PER_STEP = "k′ = 1 − (1 − k)^(1/n) in each of n iterations, k = 0.5"
PER_ITERATION = "k = 0.5 in every iteration"
iterations = parameter("method.parameters.iterations", int, "Solver iterations per step.")


def left(k: Array, n: int, per_step: bool) -> Array:
    """Error fraction left by a step: 1 − k, or (1 − k)^n."""
    return 1 - k if per_step else (1 - k) ** n


@quantity("|C after/C before − value by law| of a step")
def law_error(trace: Trace) -> Array:
    """1 − k where k′ depends on the number of iterations, (1 − k)^n otherwise."""
    s = Samples(trace)
    return np.asarray(np.abs(s.c1 / s.c0 - left(s.stiffness, iterations(trace), trace.method_name == "per_step")))


@quantity("largest minus smallest C after/C before of one constraint")
def iteration_spread(*cells: Trace) -> float:
    """Over numbers of iterations."""
    if len(cells) < 2:
        raise MissingData(f"{SINGLE.experiment}: one number of iterations where two are needed")
    shares = np.array([s.c1 / s.c0 for s in map(Samples, cells)])
    return float((shares.max(axis=0) - shares.min(axis=0)).max())


def is_distance(trace: Trace) -> bool:
    """Distance constraints."""
    return bool(trace.value("scene.parameters.kind") == "distance")


LAW, PLAIN = rows("per_step", says="k′ = 1 − (1 − k)^(1/n)"), rows("per_iteration", says="k in each of n iterations")
for prefix, runs in (("", LAW), ("plain_", PLAIN)):
    DISTANCES = runs.where(is_distance)
    SINGLE.largest(f"{prefix}distance_error", law_error, DISTANCES)
    SINGLE.only(
        f"{prefix}iteration_spread", iteration_spread, DISTANCES.grouped(lambda c: "", says="all numbers of iterations")
    )
SINGLE.largest("other_kinds_error", law_error, LAW.where(lambda c: not is_distance(c), says="other kinds"))


def extensions(trace: Trace) -> Array:
    """Extension / initial extension of the spring, every step."""
    c = trace.values("step", "constraint_values")[:, 0]
    return np.asarray(c / c[0])


@quantity("error of e_n against e_{n+1} = (1 − k)(2e_n − e_{n−1}), e the relative extension")
def recursion_error(trace: Trace) -> Array:
    """Every step."""
    e, k = extensions(trace), trace.number("stiffness")
    expected = [1.0, 1 - k]
    while len(expected) < len(e):
        expected.append((1 - k) * (2 * expected[-1] - expected[-2]))
    return np.asarray(np.abs(e - expected))


@quantity("amplitude factor per step of the extension e, from e_{n+1}e_{n−1} − e_n²")
def modulus(trace: Trace) -> Array:
    """Per step, until the extension is lost in rounding."""
    e = extensions(trace)
    square = np.abs(e[2:] * e[:-2] - e[1:-1] ** 2)
    usable = square[:-1] > 1e-20
    return np.asarray(np.sqrt(square[1:][usable] / square[:-1][usable]))


overshoot = quantity("|extension| after the start / at the start")(lambda c: np.abs(extensions(c)[1:]))
SPRING.largest("recursion_error", recursion_error)
SPRING.largest("modulus_max", modulus)
SPRING.largest("overshoot", overshoot, EVERY_RUN.noted(lambda c: ""))


def hangs(trace: Trace) -> float:
    """How far the lowest particle hangs below its rest position at the end, m; MissingData when it still moves."""
    positions, velocities = trace.values("frame", "positions"), trace.values("frame", "velocities")
    drop = float(trace.scene("rest_positions")[-1, 1] - positions[-1, -1, 1])
    if not np.abs(velocities[-1]).max() * trace.number("time_step_s") <= 1e-7 * abs(drop):
        raise trace.missing("not at rest at the end")
    return drop


def one_link(trace: Trace) -> bool:
    """Single links."""
    return int(trace.number("links")) == 1


def gravity(trace: Trace) -> float:
    """Acceleration of gravity downwards, m/s²."""
    return -float(trace.value("scene.parameters.gravity_m_s2")[1])


@quantity("relative error of extension against (1 − k_t)/k_t gΔt², k_t the k of a step")
def hanging_error(trace: Trace) -> float:
    """By per-step and per-iteration stiffness."""
    k = left(np.array(trace.number("stiffness")), iterations(trace), trace.method_name == "per_step")
    expected = float(k / (1 - k)) * gravity(trace) * trace.number("time_step_s") ** 2
    return abs(hangs(trace) / expected - 1)


@quantity("relative error of extension against compliance × weight")
def compliant_error(trace: Trace) -> float:
    """Error of a link that hangs with a compliance."""
    return abs(hangs(trace) / (trace.number("compliance_m_per_n") * trace.number("mass_kg") * gravity(trace)) - 1)


LINKS = rows("per_step", "per_iteration", says="k per step and per iteration")
HANGING.largest("hanging_error", hanging_error, LINKS.where(one_link))
HANGING.largest(
    "compliant_hanging_error",
    compliant_error,
    rows("compliant", says="compliances").where(one_link).noted(lambda c: ""),
)


@HANGING("time_step_exponent")
def time_step_exponent(data: ExperimentData) -> float:
    """Exponent with which one link's extension grows with the time step, k′ = 1 − (1 − k)^(1/n), between the smallest
    and the largest time step."""
    cells = sorted(LAW.where(one_link).runs(data), key=lambda c: c.number("time_step_s"))
    first, last = cells[0], cells[-1]
    steps = last.number("time_step_s") / first.number("time_step_s")
    if steps == 1:
        raise MissingData(f"{HANGING.experiment} at tier {data.tier}: one time step where two are needed")
    return float(np.log(hangs(last) / hangs(first)) / np.log(steps))


def _iteration_ratio(data: ExperimentData, name: str) -> Measured:
    """Extension of the chain with the fewest / with the most iterations, time step 0.01 s."""
    chains = rows(name).where(lambda c: not one_link(c), {"scene.parameters.time_step_s": 0.01}, says="")
    cells = sorted(chains.runs(data), key=iterations)
    if iterations(cells[0]) == iterations(cells[-1]):
        raise MissingData(f"{HANGING.experiment} at tier {data.tier}: one number of iterations where two are needed")
    return Measured(
        hangs(cells[0]) / hangs(cells[-1]), f"{iterations(cells[0])} against {iterations(cells[-1])} iterations"
    )


for row, described in (
    ("per_step", PER_STEP),
    ("per_iteration", PER_ITERATION),
    ("compliant", "compliant links with multipliers (XPBD)"),
):

    @HANGING(f"chain_{row}_ratio", of=described)
    def chain_ratio(data: ExperimentData, row: str = row) -> Measured:
        """Extension ratio of a hanging chain of ten links, fewest to most iterations,
        time step 0.01 s."""
        return _iteration_ratio(data, row)


def resting_extension(trace: Trace) -> float:
    """Extension of a hanging chain at rest, m, in closed form: the fixed point δ = Sⁿ(δ + gΔt²) of a step, S the
    sweep down the chain, in which every link corrects the share k of its extension at both ends; the first end
    is held."""
    count, links, k = iterations(trace), int(trace.number("links")), trace.number("stiffness")
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
        np.linalg.solve(np.eye(links) - step, step @ np.full(links, gravity(trace) * trace.number("time_step_s") ** 2))[
            -1
        ]
    )


def extension(trace: Trace) -> float:
    """Extension of a chain at the end of a run, m.

    MissingData if it still moves by more than 1e-4 of the extension per step."""
    positions, velocities = trace.values("frame", "positions"), trace.values("frame", "velocities")
    drop = float(trace.scene("rest_positions")[-1, 1] - positions[-1, -1, 1])
    if not np.abs(velocities[-1]).max() * trace.number("time_step_s") <= 1e-4 * max(abs(drop), SMALLEST):
        raise trace.missing("not at rest at the end")
    return drop


SMALLEST = 1e-9  # m, below which rounding of 1 m positions exceeds 1e-7 of an extension


@quantity("relative error of the extension against the fixed point of the sweeps, at least 1e-9 m")
def chain_law_error(trace: Trace) -> float:
    """In closed form."""
    expected = resting_extension(trace)
    return abs(extension(trace) - expected) / max(expected, SMALLEST)


CHAIN.largest("law_error", chain_law_error)


for row, described in (("per_step", PER_STEP), ("per_iteration", PER_ITERATION), ("rigid", "k = 1")):

    @CHAIN(f"{row}_limit", of=described)
    def chain_limit(data: ExperimentData, row: str = row) -> Measured:
        """Hanging chain's extension with the most iterations / with one; 0 for a chain that becomes
        rigid."""
        cells = sorted(rows(row).runs(data), key=iterations)
        if iterations(cells[0]) != 1 or len(cells) < 2:
            raise MissingData(f"{CHAIN.experiment} at tier {data.tier}: one iteration and more expected in row {row}")
        return Measured(
            abs(extension(cells[-1])) / extension(cells[0]), f"{iterations(cells[-1])} iterations against 1"
        )

    @CHAIN(f"{row}_rate", of=described)
    def chain_rate(data: ExperimentData, row: str = row) -> Measured:
        """Share of a hanging chain's extension that each further iteration removes,
        between the two largest numbers of iterations."""
        few, many = sorted(rows(row).runs(data), key=iterations)[-2:]
        return Measured(
            1 - (abs(extension(many)) / extension(few)) ** (1 / (iterations(many) - iterations(few))),
            f"{iterations(few)} to {iterations(many)} iterations",
        )

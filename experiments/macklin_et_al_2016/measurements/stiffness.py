# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of macklin_et_al_2016/spring_oscillator, hanging_chains, reset_multipliers and loaded_bars: effective
stiffness of compliant constraints by time step and iterations. [MMC16]"""

import numpy as np

from deformbench_analysis.mesh import median_edge
from deformbench_analysis.vocabulary import Array, Measures, Trace, parameter, rows

OSCILLATOR = Measures("macklin_et_al_2016/spring_oscillator")
CHAINS = Measures("macklin_et_al_2016/hanging_chains")
BARS = Measures("macklin_et_al_2016/loaded_bars")
RESET = Measures("macklin_et_al_2016/reset_multipliers")
G = 9.81
STILL = 1e-3  # of the deflection: largest motion of a bar at rest in the last tenth of a run
FIT = 100  # steps to which a frequency is fitted
links = parameter("links", int, "Number of links.")
iterations = parameter("method.parameters.iterations", int, "Iterations of a step.")
time_step = parameter("time_step_s", float, "Time step.")


def angle(trace: Trace) -> float:
    """s = ωΔt of a mass on a spring, ω² = 1/(αm)."""
    return float(time_step(trace) / np.sqrt(trace.number("compliance_m_per_n") * trace.number("mass_kg")))


def stiffness(trace: Trace) -> float:
    """Ω = Δt²/(αm); for a body Δt²E/(ρh²), h the median edge."""
    if trace.value("scene.parameters.links") is not None:
        return angle(trace) ** 2
    h = median_edge(trace.scene("rest_positions"), trace.scene("tetrahedra"))
    return time_step(trace) ** 2 * trace.number("young_modulus_pa") / (trace.number("density_kg_m3") * h**2)


# ---- a mass on a spring


def oscillation(trace: Trace) -> Array:
    """x_n − i (x_n − x_{n−1})/s of every step in initial extensions; zⁿ for implicit Euler."""
    x = trace.values("step", "constraint_values")[:, 0]
    x = x / x[0]
    return np.asarray(x - 1j * np.diff(x, prepend=x[0]) / angle(trace))


def closed_form_error(trace: Trace) -> float:
    """Error against implicit Euler's zⁿ, z = 1/(1 − iωΔt), relative to the initial extension."""
    z = oscillation(trace)
    return float(np.abs(z - (1 - 1j * angle(trace)) ** -np.arange(len(z), dtype=float)).max())


def amplitude_error(trace: Trace) -> float:
    """Share of the amplitude that is lost after ten periods."""
    return float(abs(1 - abs(oscillation(trace)[-1])))


def phase_error(trace: Trace) -> float:
    """Relative error of the phase after ten periods."""
    z = oscillation(trace)
    return float(abs(np.unwrap(np.angle(z))[-1] / (angle(trace) * (len(z) - 1)) - 1))


def frequency(trace: Trace) -> float:
    """Phase per step of the two-term recurrence fitted to the first steps."""
    x = trace.values("step", "constraint_values")[:FIT, 0]
    first, second = np.linalg.lstsq(np.stack([x[1:-1], x[:-2]], axis=1), x[2:], rcond=None)[0]
    return float(np.arccos(first / (2 * np.sqrt(-second))))


def frequency_ratio(few: Trace, many: Trace) -> float:
    """Frequency with 100 iterations relative to that with one."""
    return frequency(many) / frequency(few)


def is_analytic(trace: Trace) -> bool:
    """ωΔt at most 0.0016."""
    return angle(trace) <= 1.6e-3


SPRINGS = rows("compliant", says="springs of all stiffnesses")
SPRING_K = rows("stiffness", says="a constraint with a stiffness k")
OSCILLATOR.largest("closed_form_error", closed_form_error, SPRINGS)
OSCILLATOR.largest("amplitude_error", amplitude_error, SPRINGS)
OSCILLATOR.largest("phase_error", phase_error, SPRINGS)
OSCILLATOR.largest("fine_amplitude_error", amplitude_error, SPRINGS.where(is_analytic))
OSCILLATOR.largest("fine_phase_error", phase_error, SPRINGS.where(is_analytic))
OSCILLATOR.only(
    "stiffness_frequency_ratio",
    frequency_ratio,
    SPRING_K.where(iterations=1, says="").beside(SPRING_K.where(iterations=100), says=""),
)


# ---- chains at rest


def elongation(trace: Trace) -> float:
    """Chain length minus the rest lengths of its links, m."""
    return float(-trace.values("step", "tip_position")[-1, 1] - links(trace) * trace.number("link_m"))


def hooke_elongation(trace: Trace) -> float:
    """αmg n(n + 1)/2 of n links at rest, m."""
    n = links(trace)
    return float(trace.number("compliance_m_per_n") * trace.number("mass_kg") * G * n * (n + 1) / 2)


def error(trace: Trace) -> float:
    """Relative error of the elongation against statics."""
    return abs(elongation(trace) / hooke_elongation(trace) - 1)


def spread(*cells: Trace) -> float:
    """Largest deflection relative to the least, minus 1."""
    found = [elongation(c) if c.value("scene.parameters.links") is not None else deflection(c) for c in cells]
    return max(found) / min(found) - 1


def stiffening(few: Trace, more: Trace) -> float:
    """Elongation with 5 iterations relative to that with 50."""
    return elongation(few) / elongation(more)


def has_few(trace: Trace) -> bool:
    """5 iterations or more."""
    return iterations(trace) >= 5


def is_soft(trace: Trace) -> bool:
    """Ω at most 1."""
    return stiffness(trace) <= 1 + 1e-9


HUNG = rows("compliant", says="all chains")
FEW = HUNG.where(has_few)
CHAINS.largest("error", error, FEW)
CHAINS.largest("error_of_soft", error, FEW.where(is_soft))
CHAINS.largest("error_of_one_link", error, HUNG.where(links=1))
CONSTANT_K = rows("stiffness", says="chains with a stiffness k")
CHAINS.least(
    "stiffening",
    stiffening,
    CONSTANT_K.where(iterations=5, says="").beside(CONSTANT_K.where(iterations=50), "links", says=""),
)
for _name, _rows in (
    ("step_spread", HUNG.where(iterations=10)),
    ("step_spread_of_soft", HUNG.where(is_soft, iterations=10)),
    ("step_spread_converged", HUNG.where(iterations=1000)),
):
    CHAINS.largest(_name, spread, _rows.grouped(links, says="by links, over time steps"))


# ---- chains whose multipliers are set to zero in every iteration


def reset_elongation(trace: Trace, count: int | None = None) -> float:
    """gΔt² sⁿ/(1 − sⁿ) of one link, s = α̃/(1/m + α̃): every iteration leaves the share s of the step's motion.
    After `count` iterations, or as many as the trace has."""
    scaled = trace.number("compliance_m_per_n") / time_step(trace) ** 2
    left = (scaled / (1 / trace.number("mass_kg") + scaled)) ** (count or iterations(trace))
    return G * time_step(trace) ** 2 * left / (1 - left)


def reset_error(trace: Trace) -> float:
    """Relative error of one link's elongation against gΔt² sⁿ/(1 − sⁿ)."""
    return abs(elongation(trace) / reset_elongation(trace) - 1)


def hardening(one: Trace, hundred: Trace) -> float:
    """Elongation with one iteration relative to that with a hundred."""
    return elongation(one) / elongation(hundred)


def difference(reset: Trace, kept: Trace) -> float:
    """Difference of the elongations after one iteration, m."""
    return abs(elongation(reset) - elongation(kept))


def is_far_from_rounding(trace: Trace) -> bool:
    """One link, beyond a nanometre."""
    return links(trace) == 1 and reset_elongation(trace) > 1e-9


ZEROED, CARRIED = rows("reset", says="chains of all lengths and time steps"), rows("kept", says="the same chains")
_SAME = ("links", "time_step_s")
RESET.least("hardening", hardening, ZEROED.where(iterations=1).beside(ZEROED.where(iterations=100), *_SAME, says=""))
RESET.largest(
    "kept_hardening",
    hardening,
    CARRIED.where(iterations=1, links=1).beside(CARRIED.where(iterations=100, links=1), *_SAME, says=""),
)
RESET.largest("closed_form_error", reset_error, ZEROED.where(is_far_from_rounding))
RESET.largest(
    "difference_of_one", difference, ZEROED.where(iterations=1).beside(CARRIED.where(iterations=1), *_SAME, says="")
)


# ---- bars at rest


def deflection(trace: Trace) -> float:
    """Displacement of the tip along gravity at the end, m. MissingData while the bar still moves."""
    gravity = np.array(trace.value("scene.parameters.gravity_m_s2"), dtype=float)
    along = trace.values("step", "tip_displacement") @ (gravity / np.linalg.norm(gravity))
    if not np.ptp(along[-max(2, len(along) // 10) :]) < STILL * along[-1]:
        raise trace.missing("not at rest at the end")
    return float(along[-1])


def loading(trace: Trace) -> str:
    """Direction of gravity and time step."""
    return f"{trace.value('scene.parameters.gravity_m_s2')}, {time_step(trace)} s"


def load(trace: Trace) -> str:
    """Direction of gravity."""
    return str(trace.value("scene.parameters.gravity_m_s2"))


LOADED = rows("pair", says="bars")
BARS.largest(
    "iteration_spread", spread, LOADED.grouped(loading, says="by load and time step, over 5 to 100 iterations")
)
BARS.largest(
    "step_spread",
    spread,
    LOADED.at_largest(iterations, says="most iterations").grouped(load, says="by load, over time steps"),
)
BARS.largest("largest_stiffness", stiffness, LOADED)

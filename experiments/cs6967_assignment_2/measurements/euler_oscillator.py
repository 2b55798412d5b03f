# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/euler_oscillator: the energy of one linear oscillator with both update orders
of Euler.

The scale s of a corotational tetrahedron moves as s'' = −ω² (s − 1) exactly, ω² = 9 V K / Σ m r²."""

import numpy as np

from deformbench_analysis.explicit_steps import material
from deformbench_analysis.mesh import lame, volumes
from deformbench_analysis.vocabulary import Array, Measures, Trace, extremes, rows

M = Measures("cs6967_assignment_2/euler_oscillator")
SLOW = 0.25  # ωΔt up to which ln(1 + (ωΔt)²) is (ωΔt)² within 1/30


def frequency(trace: Trace) -> float:
    """ω of the dilation, rad/s."""
    rest = trace.scene("rest_positions")
    volume = float(volumes(rest, trace.scene("tetrahedra"))[0])
    young, poisson, density = material(trace)
    first, second = lame(young, poisson)
    bulk = first + 2 * second / 3
    return float(np.sqrt(9 * volume * bulk / (density * volume / 4 * (rest**2).sum())))


def turn(trace: Trace) -> float:
    """Product ωΔt."""
    return frequency(trace) * trace.number("time_step_s")


def energies(trace: Trace) -> Array:
    """q'² + ω² q² of every row / that of the first; q = s − 1 from projecting positions onto the rest shape."""
    rest = trace.scene("rest_positions")
    size = (rest**2).sum()
    q = ((trace.values("step", "positions") - rest) * rest).sum(axis=(1, 2)) / size
    rate = (trace.values("step", "velocities") * rest).sum(axis=(1, 2)) / size
    energy = rate**2 + (frequency(trace) * q) ** 2
    return np.asarray(energy / energy[0])


def forward_error(trace: Trace) -> float:
    """|E_n / (E_0 (1 + (ωΔt)²)ⁿ) − 1| of a step."""
    energy = extremes.finite(energies(trace), trace.label)
    return float(np.abs(energy / (1 + turn(trace) ** 2) ** np.arange(len(energy)) - 1).max())


def symplectic_excess(trace: Trace) -> float:
    """Distance of E_n/E_0 from the interval [1/(1 + ωΔt/2), 1/(1 − ωΔt/2)]; 0 inside."""
    energy, w = extremes.finite(energies(trace), trace.label), turn(trace)
    return float(max(0.0, 1 / (1 + w / 2) - energy.min(), energy.max() - 1 / (1 - w / 2)))


def growth(trace: Trace) -> float:
    """Ratio of ln(E_end/E_0) to ω²ΔtT."""
    energy, w = extremes.finite(energies(trace), trace.label), turn(trace)
    return float(np.log(energy[-1]) / (w**2 * (len(energy) - 1)))


def symplectic_width(trace: Trace) -> float:
    """Share of the interval [1/(1 + ωΔt/2), 1/(1 − ωΔt/2)] that E_n/E_0 spans."""
    energy, w = extremes.finite(energies(trace), trace.label), turn(trace)
    return float(np.ptp(energy)) / (1 / (1 - w / 2) - 1 / (1 + w / 2))


def is_slow(trace: Trace) -> bool:
    """ωΔt ≤ 0.25."""
    return turn(trace) <= SLOW


FORWARD = rows("forward", says="forward Euler steps")
SYMPLECTIC = rows("symplectic", says="symplectic Euler steps")

M.largest("forward_error", forward_error, FORWARD)
M.largest("symplectic_excess", symplectic_excess, SYMPLECTIC)
M.least("symplectic_width", symplectic_width, SYMPLECTIC)
M.least("forward_growth_low", growth, FORWARD.having(is_slow))
M.largest("forward_growth_high", growth, FORWARD.having(is_slow))
M.least("smallest_forward_turn", turn, FORWARD)
M.largest("largest_symplectic_turn", turn, SYMPLECTIC)

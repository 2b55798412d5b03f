# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of chen_et_al_2024/damping_forms: effect of stiffness-proportional damping on a fall, a spin
and a vibration."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Rows, Trace, rows
from .one_step import FAILED

M = Measures("chen_et_al_2024/damping_forms")
MOTION = ("start", "theta", "gravity_m_s2", "seed")


def fall_loss(trace: Trace) -> float:
    """Relative loss of the speed g t of a free fall."""
    velocity, step = trace.values("step", "centre_of_mass_velocity"), trace.number("time_step_s")
    gravity = np.asarray(trace.value("scene.parameters.gravity_m_s2"), dtype=float)
    expected = gravity * step * (len(velocity) - 1)
    return float(np.linalg.norm(velocity[-1] - expected) / np.linalg.norm(expected))


def spin_change(trace: Trace, undamped: Trace) -> float:
    """Change of the final angular momentum due to damping, relative to the start."""
    ends = [run.values("step", "angular_momentum")[-1] for run in (trace, undamped)]
    return float(np.linalg.norm(ends[0] - ends[1]) / np.linalg.norm(trace.values("step", "angular_momentum")[0]))


def _swings(trace: Trace) -> tuple[Array, Array]:
    """Times and sizes of the tip's axial swings from one extreme to the next, without the first two, in
    which higher modes persist. Slow drifts cancel."""
    along = trace.values("step", "tip_displacement")[:, 0]
    extremes = np.flatnonzero(np.diff(np.sign(np.diff(along))) != 0) + 1
    sizes = np.abs(np.diff(along[extremes]))
    counted = np.flatnonzero(sizes > 1e-5 * abs(along[0]))[2:]
    return extremes[counted] * trace.number("time_step_s"), sizes[counted]


def decay_error(trace: Trace, undamped: Trace) -> float:
    """Relative error of the axial mode's added decay rate against k_d ω²/2."""
    rates = []
    for run in (trace, undamped):
        times, sizes = _swings(run)
        if len(times) < 4:  # it does not vibrate
            return FAILED
        rates.append(-np.polyfit(times, np.log(sizes), 1)[0])
    frequency = np.pi / np.diff(_swings(undamped)[0]).mean()
    return float(abs((rates[0] - rates[1]) / (0.5 * trace.setting("stiffness_damping_s") * frequency**2) - 1))


def falls(trace: Trace) -> bool:
    """Falls."""
    return any(trace.value("scene.parameters.gravity_m_s2"))


def spins(trace: Trace) -> bool:
    """Spins."""
    return trace.number("spin_rad_s") != 0


def vibrates(trace: Trace) -> bool:
    """Vibrates."""
    return bool(trace.value("scene.parameters.start") == "stretched")


def _beside_undamped(runs: Rows) -> Rows:
    return runs.beside(rows("undamped"), *MOTION, says="against undamped runs")


for _name, _words in (("as_printed", "damping as printed"), ("corrected", "damping of strains")):
    _runs = rows(_name, says=_words)
    M.largest(f"{_name}_fall_loss", fall_loss, _runs.where(falls))
    M.largest(f"{_name}_spin_change", spin_change, _beside_undamped(_runs.where(spins)))
    M.largest(f"{_name}_decay_error", decay_error, _beside_undamped(_runs.where(vibrates)))

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/bar_vibration: first axial frequency of a free meshless bar."""

import numpy as np
from scipy.optimize import minimize_scalar

from deformbench_analysis.vocabulary import Measures, Trace, quantity, ratio, rows

M = Measures("pauly_et_al_2005/bar_vibration")
FEWEST_SWINGS = 4.0  # per run, for a narrow spectral peak


def frequency(trace: Trace) -> float:
    """Dominant frequency of the tip's axial displacement, Hz, with a Hann window."""
    series = trace.series("step", "tip_displacement")
    time, u = series.time, series.values[:, 0]
    window = np.hanning(len(u))
    u = (u - np.average(u, weights=window)) * window
    step, length = float(time[1] - time[0]), float(time[-1] - time[0])

    def size(f: float) -> float:
        return float(abs(np.sum(u * np.exp(-2j * np.pi * f * time))))

    spectrum = np.abs(np.fft.rfft(u, 8 * len(u)))
    coarse = float(np.argmax(spectrum)) / (8 * len(u) * step)
    bounds = (coarse - 0.25 / length, coarse + 0.25 / length)
    fine = minimize_scalar(lambda f: -size(f), bounds=bounds, method="bounded", options={"xatol": 1e-9})
    if fine.x * length < FEWEST_SWINGS:
        raise trace.missing(f"{fine.x * length:.1f} swings, expected at least {FEWEST_SWINGS}")
    return float(fine.x)


@quantity("first axial frequency of a free bar relative to c/2L")
def frequency_ratio(trace: Trace) -> float:
    return frequency(trace) / (2 * float(trace.reference("wave_speeds", "first_axial_frequency_hz").values))


CONSISTENT = rows("consistent", says="masses ∝ h³ that sum to ρV")

M.least("printed_least", frequency_ratio, rows("as_printed", says="masses 4/3 π h³ ρ as printed"))
M.least("consistent_least", frequency_ratio, CONSISTENT)
M.largest("consistent_largest", frequency_ratio, CONSISTENT)
M.largest("kernel_sum_error", frequency_ratio.off(1), rows("kernel_sum", says="masses ρv of the energy's volumes v"))
M.largest(
    "half_ratio_error",
    ratio(frequency, says="ratio of first frequencies").off(2),
    rows("twice_green", says="strains FᵀF − I")
    .beside(CONSISTENT, "jitter", says="against ½(FᵀF − I)")
    .noted(lambda twice, _: str(twice.number("jitter"))),
)

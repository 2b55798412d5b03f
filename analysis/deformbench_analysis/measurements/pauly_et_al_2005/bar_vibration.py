# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/bar_vibration: how fast a free bar of nodes swings along itself."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from ... import extremes
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "pauly_et_al_2005/bar_vibration"
FEWEST_SWINGS = 4.0  # in a run, so that the window's line is narrow


def frequency(trace: Trace) -> float:
    """Hz of the largest line of the tip's displacement along the bar, Hann's window."""
    series = trace.series("step", "tip_displacement")
    time, u = series.time, series.values[:, 0]
    window = np.hanning(len(u))
    u = (u - np.average(u, weights=window)) * window
    step, length = float(time[1] - time[0]), float(time[-1] - time[0])

    def size(f: float) -> float:
        return float(abs(np.sum(u * np.exp(-2j * np.pi * f * time))))

    spectrum = np.abs(np.fft.rfft(u, 8 * len(u)))
    coarse = float(np.argmax(spectrum)) / (8 * len(u) * step)
    fine = minimize_scalar(
        lambda f: -size(f),
        bounds=(coarse - 0.25 / length, coarse + 0.25 / length),
        method="bounded",
        options={"xatol": 1e-9},
    )
    if fine.x * length < FEWEST_SWINGS:
        raise MissingData(
            f"{trace.experiment}: {trace.label}: {fine.x * length:.1f} swings, expected at least {FEWEST_SWINGS}"
        )
    return float(fine.x)


def _ratios(data: ExperimentData, name: str) -> dict[Trace, float]:
    """Frequency over c/2L, the first of a bar that is free at both ends."""
    return {
        c: frequency(c) / (2 * float(c.reference("wave_speeds", "first_axial_frequency_hz").values))
        for c in data.every(name=name)
    }


@measurement("bar_vibration.printed_least", unit="1", experiment=EXPERIMENT)
def printed_least(data: ExperimentData) -> Measured:
    """Least first frequency of a free bar along itself over c/2L, masses 4/3 π h³ ρ as printed."""
    return extremes.least(_ratios(data, "as_printed"))


@measurement("bar_vibration.consistent_least", unit="1", experiment=EXPERIMENT)
def consistent_least(data: ExperimentData) -> Measured:
    """Least such frequency with masses that share out the body's by h³, over c/2L."""
    return extremes.least(_ratios(data, "consistent"))


@measurement("bar_vibration.consistent_largest", unit="1", experiment=EXPERIMENT)
def consistent_largest(data: ExperimentData) -> Measured:
    """Largest such frequency with masses that share out the body's by h³, over c/2L."""
    return extremes.largest(_ratios(data, "consistent"))


@measurement("bar_vibration.kernel_sum_error", unit="1", experiment=EXPERIMENT)
def kernel_sum_error(data: ExperimentData) -> Measured:
    """Largest |frequency/(c/2L) − 1| with masses ρ v, v the volumes that the energy uses."""
    return extremes.largest({c: abs(r - 1) for c, r in _ratios(data, "kernel_sum").items()})


@measurement("bar_vibration.half_ratio_error", unit="1", experiment=EXPERIMENT)
def half_ratio_error(data: ExperimentData) -> Measured:
    """Largest |r − 2| of the ratio r of the frequency with the strain FᵀF − I to that with ½(FᵀF − I), forces the slope of the energy of either."""
    of = _by_jitter(data, "twice_green")
    return extremes.largest({k: abs(f / _by_jitter(data, "consistent")[k] - 2) for k, f in of.items()})


def _by_jitter(data: ExperimentData, name: str) -> dict[float, float]:
    return {float(c.value("scene.parameters.jitter")): frequency(c) for c in data.every(name=name)}

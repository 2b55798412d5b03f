# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/uniaxial_bar: the modulus of a bar with Green's strain, and with the printed strain."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/uniaxial_bar"


def stretch(trace: Trace) -> float:
    """ℓ, from where the end faces are."""
    rest, now = (p[:, 0] for p in (trace.scene("rest_positions"), trace.values("frame", "positions")[-1]))
    low, high = rest == rest.min(), rest == rest.max()
    return float((now[high].mean() - now[low].mean()) / (rest.max() - rest.min()))


def modulus(trace: Trace) -> float:
    """Force on the end face over A ℓ(ℓ² − 1)/2, the curve of St. Venant–Kirchhoff with sides free of stress, over E."""
    rest, length = trace.scene("rest_positions"), stretch(trace)
    area = float(np.prod(np.ptp(rest[:, 1:], axis=0)))
    pull = -float(trace.values("step", "tip_elastic_force")[-1, 0])
    other = float(trace.values("step", "root_elastic_force")[-1, 0])
    if abs(pull - other) > 1e-6 * abs(pull):
        raise MissingData(f"{EXPERIMENT}: {trace.label}: ends pulled with {pull} N and {other} N are not at rest")
    return pull / (area * length * (length**2 - 1) / 2) / float(trace.value("scene.parameters.young_modulus_pa"))


def side_error(trace: Trace) -> float:
    """Relative error of the mean side of the bar against ℓ_side² = 1 − ν (ℓ² − 1), over its change."""
    rest, now = trace.scene("rest_positions"), trace.values("frame", "positions")[-1]
    sides = np.linalg.lstsq(np.column_stack([rest[:, 1], np.ones(len(rest))]), now[:, 1], rcond=None)[0][0]
    exact = np.sqrt(1 - float(trace.value("scene.parameters.poisson_ratio")) * (stretch(trace) ** 2 - 1))
    return abs(float(sides) - float(exact)) / abs(float(exact) - 1)


@measurement("uniaxial_bar.corrected_modulus_error", unit="1", experiment=EXPERIMENT)
def corrected_modulus_error(data: ExperimentData) -> Measured:
    """Largest |E_measured/E − 1| over all stretches, E_measured = F/(A ℓ(ℓ² − 1)/2), strain ½(FᵀF − I)."""
    return extremes.largest({c: abs(modulus(c) - 1) for c in data.every(name="corrected")})


@measurement("uniaxial_bar.printed_modulus_error", unit="1", experiment=EXPERIMENT)
def printed_modulus_error(data: ExperimentData) -> Measured:
    """Largest |E_measured/2E − 1| over all stretches, E_measured = F/(A ℓ(ℓ² − 1)/2), strain FᵀF − I as printed."""
    return extremes.largest({c: abs(modulus(c) / 2 - 1) for c in data.every(name="as_printed")})


@measurement("uniaxial_bar.printed_modulus", unit="1", experiment=EXPERIMENT)
def printed_modulus(data: ExperimentData) -> Measured:
    """E_measured/E where it is least over all stretches, E_measured = F/(A ℓ(ℓ² − 1)/2), strain FᵀF − I as printed."""
    return extremes.least({c: modulus(c) for c in data.every(name="as_printed")})


@measurement("uniaxial_bar.side_error", unit="1", experiment=EXPERIMENT)
def worst_side(data: ExperimentData) -> Measured:
    """Largest error of the bar's side against √(1 − ν(ℓ² − 1)), over the side's change; both strains, all stretches."""
    return extremes.largest({c: side_error(c) for c in data.every()})


@measurement("uniaxial_bar.largest_strain", unit="1", experiment=EXPERIMENT)
def largest_strain(data: ExperimentData) -> float:
    """Least of the largest stretch and of the largest shortening, |ℓ − 1|, over both strains."""
    found = []
    for name in ("corrected", "as_printed"):
        lengths = [stretch(c) - 1 for c in data.every(name=name)]
        found += [max(lengths), -min(lengths)]
    return float(np.min(found))

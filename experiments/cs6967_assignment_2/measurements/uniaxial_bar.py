# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/uniaxial_bar: the modulus of a bar with Green's strain,
and with the printed strain."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, MissingData, Trace, quantity, rows

M = Measures("cs6967_assignment_2/uniaxial_bar")


def stretch(trace: Trace) -> float:
    """ℓ, from the end faces."""
    rest, now = (p[:, 0] for p in (trace.scene("rest_positions"), trace.values("frame", "positions")[-1]))
    low, high = rest == rest.min(), rest == rest.max()
    return float((now[high].mean() - now[low].mean()) / (rest.max() - rest.min()))


def modulus(trace: Trace) -> float:
    """F / (E A ℓ(ℓ² − 1)/2), F the end force; 1 for St. Venant–Kirchhoff with sides free of stress."""
    rest, length = trace.scene("rest_positions"), stretch(trace)
    area = float(np.prod(np.ptp(rest[:, 1:], axis=0)))
    pull = -float(trace.values("step", "tip_elastic_force")[-1, 0])
    other = float(trace.values("step", "root_elastic_force")[-1, 0])
    if abs(pull - other) > 1e-6 * abs(pull):
        raise MissingData(f"{trace.label}: ends pulled with {pull} N and {other} N are not at rest")
    return pull / (area * length * (length**2 - 1) / 2) / trace.number("young_modulus_pa")


def side_error(trace: Trace) -> float:
    """|mean lateral stretch − √(1 − ν(ℓ² − 1))| / change of lateral stretch."""
    rest, now = trace.scene("rest_positions"), trace.values("frame", "positions")[-1]
    sides = np.linalg.lstsq(np.column_stack([rest[:, 1], np.ones(len(rest))]), now[:, 1], rcond=None)[0][0]
    exact = np.sqrt(1 - trace.number("poisson_ratio") * (stretch(trace) ** 2 - 1))
    return abs(float(sides) - float(exact)) / abs(float(exact) - 1)


@quantity("smaller of largest elongation and largest shortening, |ℓ − 1|")
def _strain(*bars: Trace) -> float:
    lengths = [stretch(c) - 1 for c in bars]
    return min(max(lengths), -min(lengths))


MODULUS = quantity("E_measured/E, E_measured = F/(A ℓ(ℓ² − 1)/2)")(modulus)
PRINTED = rows("as_printed", says="strain FᵀF − I as printed, all stretches")

M.largest(
    "corrected_modulus_error",
    MODULUS.off(1.0, "|E_measured/E − 1|, E_measured = F/(A ℓ(ℓ² − 1)/2)"),
    rows("corrected", says="strain ½(FᵀF − I), all stretches"),
)
M.largest(
    "printed_modulus_error",
    quantity("|E_measured/2E − 1|, E_measured = F/(A ℓ(ℓ² − 1)/2)")(lambda c: abs(modulus(c) / 2 - 1)),
    PRINTED,
)
M.least("printed_modulus", MODULUS, PRINTED)
M.largest("side_error", side_error, rows(says="both strains, all stretches"))
M.least("largest_strain", _strain, rows(says="both strains").by_row())

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/inversion_recovery and slightly_tangled:
recovery from starts with inverted elements."""

import numpy as np
from scipy.special import bdtrc

from deformbench_analysis.recovery import End, FreeBody, ends
from deformbench_analysis.vocabulary import Measures, MissingData, Rows, Trace, quantity, rows

M = Measures("cs6967_assignment_2/inversion_recovery")
SLIGHTLY = Measures("cs6967_assignment_2/slightly_tangled")
STANDARD = "standard"
PERIODS = 10  # of the lowest mode, within which a body must be back
STRAIN = 0.01  # largest |l/l0 − 1| of a body that is back
SPEED = 0.01  # cells per 1/ω: RMS speed below which a body is at rest
COROTATIONAL = ("standard_corotational", "invertible_corotational")
LAW_OF_REGIME = "invertible"  # the law of the standard elements, continued
PARTNERS = {LAW_OF_REGIME: STANDARD, COROTATIONAL[1]: COROTATIONAL[0]}  # invertible row → its standard row
NEO_HOOKEAN = "invertible_neo_hookean"  # continued as well
LEAST_NOISE = 0.3  # in cells: from here on every start has inverted elements


def is_back(body: FreeBody, end: End) -> bool:
    """No element inverted, every edge within STRAIN of its length, and at rest."""
    still = 0.5 * body.masses.sum() * (SPEED * body.cell * body.lowest_frequency) ** 2
    return end.determinant > 0 and end.largest_strain < STRAIN and end.kinetic_energy < still


def recovered(trace: Trace) -> list[bool]:
    """Whether the body is back after ten periods, per member."""
    body = FreeBody.of(trace)
    return [is_back(body, end) for end in ends(trace, body, PERIODS * body.period)]


def noise(trace: Trace) -> float:
    """Standard deviation of a coordinate at the start, in cells."""
    return trace.number("noise_m") / FreeBody.of(trace).cell


def is_unscaled(trace: Trace) -> bool:
    """Whether the start is the rest shape with noise, and not doubled, collapsed or mirrored."""
    return bool(np.array_equal(np.asarray(trace.value("scene.parameters.initial_scale"), dtype=float), np.ones(3)))


def is_tangled(trace: Trace) -> bool:
    """Enough noise to invert elements."""
    return noise(trace) > LEAST_NOISE * (1 - 1e-9)


def start_of(trace: Trace) -> dict[str, object]:
    """Parameters shared by traces that start from the same positions, seed by seed."""
    names = ("noise_m", "initial_scale", "cells_across", "side_m", "length_m", "seed")
    return {path: trace.value(path) for path in (f"scene.parameters.{n}" for n in names)}


def law_of(trace: Trace) -> dict[str, object]:
    """The standard row of the same law."""
    return {"method.name": PARTNERS[trace.method_name]}


def pair(continued: Trace, standard: Trace) -> tuple[list[bool], list[bool]]:
    """Whether each seed is back with the continued law, and with the standard one."""
    for path in ("ensemble.seeds", "scene.parameters.time_step_s", "method.parameters.substeps"):
        if continued.value(path) != standard.value(path):
            raise MissingData(f"{continued.label} and its partner differ in {path}")
    return recovered(continued), recovered(standard)


def gain(continued: Trace, standard: Trace) -> float:
    """Share of seeds that come back, continued minus standard law."""
    first, second = pair(continued, standard)
    return float(np.mean(np.asarray(first, dtype=float) - np.asarray(second, dtype=float)))


@quantity("one-sided sign-test p value over seeds back with one law alone")
def chance(continued: Trace, standard: Trace) -> float:
    """P(as many or more of the differing seeds favour the continued law), were both laws equally good."""
    first, second = (np.asarray(side, dtype=bool) for side in pair(continued, standard))
    better, worse = int((first & ~second).sum()), int((second & ~first).sum())
    return float(bdtrc(better - 1, better + worse, 0.5))


def share(trace: Trace) -> float:
    """Share of seeds that come back to rest within ten periods."""
    return float(np.mean(recovered(trace)))


def _in_words(continued: Trace, standard: Trace) -> str:
    first, second = pair(continued, standard)
    return f"{continued.label}: {sum(first)} against {sum(second)} of {len(first)}"


def _of(*names: str, says: str) -> Rows:
    return rows(*names, says=says).however_ended("a seed that is broken off is not back")


def _tangled(name: str, says: str) -> Rows:
    """Starts that differ from the rest shape by random displacements of at least 0.3 cells."""
    return _of(name, says=f"{says}, noise ≥ 0.3 cells").where(is_unscaled, says="").having(is_tangled, says="")


STANDARDS = _of(STANDARD, says="standard ones")
LAWS = _of(*PARTNERS, says="St. Venant–Kirchhoff and co-rotational elements").beside(
    _of(*PARTNERS.values(), says=""), start_of, law_of, says="all starts"
)
REGIME = _tangled(LAW_OF_REGIME, "St. Venant–Kirchhoff elements")
REGIME_PAIRS = REGIME.beside(STANDARDS, start_of, says="")
COROTATIONAL_PAIRS = _tangled(COROTATIONAL[1], "co-rotational elements").beside(
    _of(COROTATIONAL[0], says=""), start_of, says=""
)
SCALED = _of(says="doubled, mirrored, flat, collinear or point starts").where(
    lambda c: not c.method_name.startswith(STANDARD) and not is_unscaled(c), says=""
)
TENTHS = _of(LAW_OF_REGIME, says="St. Venant–Kirchhoff elements, noise of a tenth of a cell")
TENTH_PAIRS = TENTHS.beside(STANDARDS, start_of, says="")

M.least("gain_at_equal_law", gain, LAWS)
M.least("gain_least_in_regime", gain, REGIME_PAIRS)
M.largest("sign_test_in_regime", chance, REGIME_PAIRS)
M.least("share_invertible", share, _tangled(LAW_OF_REGIME, "continued St. Venant–Kirchhoff"))
M.largest("gain_of_corotational", gain, COROTATIONAL_PAIRS)
M.least("share_of_standard_corotational", share, _tangled(COROTATIONAL[0], "standard co-rotational"))
M.least("share_neo_hookean", share, _tangled(NEO_HOOKEAN, "continued neo-Hookean"))
M.largest("share_standard", share, _tangled(STANDARD, "standard St. Venant–Kirchhoff"))
M.least("gain_least_collapsed", gain, SCALED.beside(STANDARDS, start_of, says="").noted(_in_words))

SLIGHTLY.least("gain", gain, TENTH_PAIRS)
SLIGHTLY.largest("sign_test", chance, TENTH_PAIRS)
SLIGHTLY.least("seeds", quantity("seeds")(lambda c: float(len(recovered(c)))), TENTHS)

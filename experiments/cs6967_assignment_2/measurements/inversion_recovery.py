# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/inversion_recovery and slightly_tangled: who comes back from starts with inverted elements."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import bdtrc

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.recovery import End, FreeBody, ends
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/inversion_recovery"
SLIGHTLY = "cs6967_assignment_2/slightly_tangled"
STANDARD = "standard"
PERIODS = 10  # of the lowest frequency, in which a body has to be back
STRAIN = 0.01  # largest |l/l0 − 1| of a body that is back
SPEED = 0.01  # of the cell per 1/ω: the root mean square speed of a body at rest
COROTATIONAL = ("standard_corotational", "invertible_corotational")
LAW_OF_REGIME = "invertible"  # the law of the standard elements, continued
PARTNERS = {LAW_OF_REGIME: STANDARD, COROTATIONAL[1]: COROTATIONAL[0]}  # continued law → the same law as it is
NEO_HOOKEAN = "invertible_neo_hookean"  # two dozen times that
LEAST_NOISE = 0.3  # of the cell: where elements begin to be inverted in every start


def is_back(body: FreeBody, end: End) -> bool:
    """No element inverted, every edge within STRAIN of its length, and at rest."""
    still = 0.5 * body.masses.sum() * (SPEED * body.cell * body.lowest_frequency) ** 2
    return end.determinant > 0 and end.largest_strain < STRAIN and end.kinetic_energy < still


def recovered(trace: Trace) -> list[bool]:
    """Of every member, whether it is back after ten periods."""
    body = FreeBody.of(trace)
    return [is_back(body, end) for end in ends(trace, body, PERIODS * body.period)]


def noise(trace: Trace) -> float:
    """Standard deviation of a coordinate at the start, in cells."""
    return float(trace.value("scene.parameters.noise_m")) / FreeBody.of(trace).cell


def is_unscaled(trace: Trace) -> bool:
    """Whether the start is the rest shape with noise, and not doubled, collapsed or mirrored."""
    return bool(np.array_equal(np.asarray(trace.value("scene.parameters.initial_scale"), dtype=float), np.ones(3)))


def is_tangled(trace: Trace) -> bool:
    """Noise alone, and enough of it to invert elements."""
    return is_unscaled(trace) and noise(trace) > LEAST_NOISE * (1 - 1e-9)


def is_in_regime(trace: Trace) -> bool:
    """Such a start, and the law of the standard elements."""
    return is_tangled(trace) and trace.method_name == LAW_OF_REGIME


def start_of(trace: Trace) -> dict[str, object]:
    """What two traces have in common that start from the same positions, seed by seed."""
    names = ("noise_m", "initial_scale", "cells_across", "side_m", "length_m", "seed")
    return {path: trace.value(path) for path in (f"scene.parameters.{n}" for n in names)}


def pairs(
    data: ExperimentData, keep: Callable[[Trace], bool], partner: str = STANDARD
) -> dict[Trace, tuple[list[bool], list[bool]]]:
    """Every run with a continued law → (its members that are back, the standard law's), member by member of one seed."""
    found = {}
    for cell in data.some(status=None, keep=lambda c: not c.method_name.startswith(STANDARD) and keep(c)):
        standard = data.one(name=partner, status=None, where=start_of(cell))
        for path in ("ensemble.seeds", "scene.parameters.time_step_s", "method.parameters.substeps"):
            if cell.value(path) != standard.value(path):
                raise MissingData(f"{cell.label} and its partner differ in {path}")
        found[cell] = (recovered(cell), recovered(standard))
    return found


def gain(pair: tuple[list[bool], list[bool]]) -> float:
    """Share of seeds from which the continued law alone comes back, less that of the standard law alone."""
    return float(np.mean(np.asarray(pair[0], dtype=float) - np.asarray(pair[1], dtype=float)))


def chance(pair: tuple[list[bool], list[bool]]) -> float:
    """Sign test: how likely as many or more of the seeds that differ favour the continued law, were it as good as the other."""
    first, second = (np.asarray(side, dtype=bool) for side in pair)
    better, worse = int((first & ~second).sum()), int((second & ~first).sum())
    return float(bdtrc(better - 1, better + worse, 0.5))


def is_of(name: str, trace: Trace) -> bool:
    """Whether the run has this name."""
    return trace.method_name == name


def anything(_: Trace) -> bool:
    """Every start."""
    return True


def _least_gain(data: ExperimentData, keep: Callable[[Trace], bool]) -> Measured:
    return extremes.least({c: gain(p) for c, p in pairs(data, keep).items()})


def _largest_chance(data: ExperimentData, keep: Callable[[Trace], bool]) -> Measured:
    return extremes.largest({c: chance(p) for c, p in pairs(data, keep).items()})


@measurement("inversion_recovery.gain_at_equal_law", unit="1", experiment=EXPERIMENT)
def gain_at_equal_law(data: ExperimentData) -> Measured:
    """Share of seeds from which a law continued through inversion comes back to rest within ten periods and the same law as it is does not,
    less the share where it is the other way round: worst start, St. Venant–Kirchhoff and co-rotational."""
    found: dict[Trace, float] = {}
    for continued, standard in PARTNERS.items():
        rows = pairs(data, partial(is_of, continued), standard)
        found |= {c: gain(p) for c, p in rows.items()}
    return extremes.least(found)


@measurement("slightly_tangled.gain", unit="1", experiment=SLIGHTLY)
def gain_of_slightly_tangled(data: ExperimentData) -> Measured:
    """Gain in the share of seeds that come back, continued St. Venant–Kirchhoff elements against standard ones: random displacements of a
    tenth of a cell."""
    return _least_gain(data, anything)


@measurement("slightly_tangled.sign_test", unit="1", experiment=SLIGHTLY)
def sign_test_of_slightly_tangled(data: ExperimentData) -> Measured:
    """One-sided sign test over the seeds that come back with continued St. Venant–Kirchhoff elements alone or with standard ones alone: random
    displacements of a tenth of a cell."""
    return _largest_chance(data, anything)


@measurement("slightly_tangled.seeds", unit="1", experiment=SLIGHTLY)
def seeds_of_slightly_tangled(data: ExperimentData) -> Measured:
    """Number of starts."""
    return extremes.least({c: float(len(p[0])) for c, p in pairs(data, anything).items()})


@measurement("inversion_recovery.gain_least_in_regime", unit="1", experiment=EXPERIMENT)
def gain_least_in_regime(data: ExperimentData) -> Measured:
    """Gain in the share of seeds that come back, continued St. Venant–Kirchhoff elements against standard ones, worst amplitude: starts
    that differ from the rest shape by random displacements of at least 0.3 cells."""
    return _least_gain(data, is_in_regime)


@measurement("inversion_recovery.sign_test_in_regime", unit="1", experiment=EXPERIMENT)
def sign_test_in_regime(data: ExperimentData) -> Measured:
    """One-sided sign test over the seeds that come back with continued St. Venant–Kirchhoff elements alone or with standard ones alone, worst
    amplitude: starts that differ from the rest shape by random displacements of at least 0.3 cells."""
    return _largest_chance(data, is_in_regime)


@measurement("inversion_recovery.share_invertible", unit="1", experiment=EXPERIMENT)
def share_invertible(data: ExperimentData) -> Measured:
    """Share of seeds that come back from random displacements of at least 0.3 cells, least of the amplitudes: continued
    St. Venant–Kirchhoff elements."""
    return extremes.least({c: float(np.mean(p[0])) for c, p in pairs(data, is_in_regime).items()})


@measurement("inversion_recovery.gain_of_corotational", unit="1", experiment=EXPERIMENT)
def gain_of_corotational(data: ExperimentData) -> Measured:
    """Share of seeds that come back with continued co-rotational elements less that with standard co-rotational ones, largest of the
    amplitudes: starts that differ from the rest shape by random displacements of at least 0.3 cells."""
    standard, continued = COROTATIONAL
    rows = pairs(data, lambda c: is_tangled(c) and c.method_name == continued, standard)
    return extremes.largest({c: gain(p) for c, p in rows.items()})


@measurement("inversion_recovery.share_of_standard_corotational", unit="1", experiment=EXPERIMENT)
def share_of_standard_corotational(data: ExperimentData) -> Measured:
    """Share of seeds that come back with standard co-rotational elements from random displacements of at least 0.3 cells, least of the
    amplitudes."""
    cells = data.some(name=COROTATIONAL[0], status=None, keep=is_tangled)
    return extremes.least({c: float(np.mean(recovered(c))) for c in cells})


@measurement("inversion_recovery.share_neo_hookean", unit="1", experiment=EXPERIMENT)
def share_neo_hookean(data: ExperimentData) -> Measured:
    """Share of seeds that come back from random displacements of at least 0.3 cells, least of the amplitudes: neo-Hookean law, continued."""
    rows = pairs(data, lambda c: is_tangled(c) and c.method_name == NEO_HOOKEAN)
    return extremes.least({c: float(np.mean(p[0])) for c, p in rows.items()})


@measurement("inversion_recovery.share_standard", unit="1", experiment=EXPERIMENT)
def share_standard(data: ExperimentData) -> Measured:
    """Share of seeds that come back from random displacements of at least 0.3 cells, largest of the amplitudes: standard law."""
    return extremes.largest({c: float(np.mean(p[1])) for c, p in pairs(data, is_tangled).items()})


def _other_starts(data: ExperimentData) -> Measured:
    rows = pairs(data, lambda c: not is_unscaled(c))
    gains = {c: gain(p) for c, p in rows.items()}
    worst = extremes.at_least(gains)
    text = "; ".join(f"{c.label}: {sum(x)} against {sum(y)} of {len(x)}" for c, (x, y) in rows.items())
    return Measured(gains[worst], text)


@measurement("inversion_recovery.gain_least_collapsed", unit="1", experiment=EXPERIMENT)
def gain_least_collapsed(data: ExperimentData) -> Measured:
    """Gain in the share of seeds that come back, worst law: starts that are doubled, flat, on a line, on a point or mirrored
    (tier paper)."""
    return _other_starts(data)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/volume_at_high_poisson: the volume that laws keep in a block pulled or pressed along one axis."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .laws import Uniaxial, uniaxial

EXPERIMENT = "cross/volume_at_high_poisson"


def law_of(trace: Trace) -> str:
    """The law of a cell's energy; warped elements have the corotational one."""
    return str(trace.value("method.parameters.law", "corotational"))


def poisson(trace: Trace) -> float:
    """ν of the cell."""
    return float(trace.value("scene.parameters.poisson_ratio"))


def stretch(trace: Trace) -> float:
    """Length over rest length that the rollers impose."""
    return float(trace.value("scene.parameters.stretch"))


def volume_ratio(trace: Trace) -> float:
    """V/V0 at the end."""
    rest = trace.scene("rest_positions")
    return float(trace.values("step", "volume")[-1]) / float(np.prod(np.ptp(rest, axis=0)))


def exact(trace: Trace) -> Uniaxial:
    """The homogeneous state of the cell's law."""
    return uniaxial(law_of(trace), stretch(trace), poisson(trace))


def traction(trace: Trace) -> float:
    """Pull on the end at the largest x over its rest area and Young's modulus; MissingData where the other end is pulled with
    another force."""
    pull = -float(trace.values("step", "tip_elastic_force")[-1, 0])
    other = float(trace.values("step", "root_elastic_force")[-1, 0])
    if not abs(pull - other) <= 1e-6 * abs(pull):
        raise MissingData(f"{EXPERIMENT}: {trace.label}: ends pulled with {pull} N and {other} N are not at rest")
    area = float(np.prod(np.ptp(trace.scene("rest_positions")[:, 1:], axis=0)))
    return pull / (area * float(trace.value("scene.parameters.young_modulus_pa")))


@measurement("volume_at_high_poisson.volume_error", unit="1", experiment=EXPERIMENT)
def volume_error(data: ExperimentData) -> Measured:
    """Largest |V/V0 − exact| of a block stretched or pressed along one axis between frictionless rollers, over all laws, stretches
    and Poisson's ratios; exact: ℓ t², with the side t at which the law's own energy has no lateral stress at the stretch ℓ.
    """
    return extremes.largest({c: abs(volume_ratio(c) - exact(c).volume) for c in data.every()})


@measurement("volume_at_high_poisson.traction_error", unit="1", experiment=EXPERIMENT)
def traction_error(data: ExperimentData) -> Measured:
    """Largest relative error of the force on an end of a block stretched or pressed along one axis between frictionless rollers,
    against the stress of the law's own homogeneous state, over all laws, stretches and Poisson's ratios."""
    return extremes.largest({c: abs(traction(c) / exact(c).traction - 1) for c in data.every()})


def change(data: ExperimentData, law: str) -> Measured:
    """Largest |V/V0 − 1| of a law at the largest ν, with the cell and the sign."""
    cells = data.every(keep=lambda c: law_of(c) == law)
    most = max(poisson(c) for c in cells)
    changes = {c: volume_ratio(c) - 1 for c in cells if poisson(c) == most}
    worst = extremes.at_largest({c: abs(v) for c, v in changes.items()})
    return Measured(abs(changes[worst]), f"V/V0 = {1 + changes[worst]:.4g}, {worst.label}")


@measurement("volume_at_high_poisson.corotational_change", unit="1", experiment=EXPERIMENT)
def corotational_change(data: ExperimentData) -> Measured:
    """Largest change of volume over the volume at rest of a block stretched or pressed along one axis, its sides free, at the
    Poisson's ratio nearest to ½, over all stretches; corotational law, by Newton's method and warped elements."""
    return change(data, "corotational")


@measurement("volume_at_high_poisson.st_venant_kirchhoff_change", unit="1", experiment=EXPERIMENT)
def st_venant_kirchhoff_change(data: ExperimentData) -> Measured:
    """Largest change of volume over the volume at rest of a block stretched or pressed along one axis, its sides free, at the
    Poisson's ratio nearest to ½, over all stretches; St. Venant–Kirchhoff. 1: its sides have vanished."""
    return change(data, "st_venant_kirchhoff")


@measurement("volume_at_high_poisson.neo_hookean_change", unit="1", experiment=EXPERIMENT)
def neo_hookean_change(data: ExperimentData) -> Measured:
    """Largest change of volume over the volume at rest of a block stretched or pressed along one axis, its sides free, at the
    Poisson's ratio nearest to ½, over all stretches; neo-Hookean law."""
    return change(data, "neo_hookean")


@measurement("volume_at_high_poisson.stable_neo_hookean_change", unit="1", experiment=EXPERIMENT)
def stable_neo_hookean_change(data: ExperimentData) -> Measured:
    """Largest change of volume over the volume at rest of a block stretched or pressed along one axis, its sides free, at the
    Poisson's ratio nearest to ½, over all stretches; stable neo-Hookean law."""
    return change(data, "stable_neo_hookean")


@measurement("volume_at_high_poisson.warped_difference", unit="1", experiment=EXPERIMENT)
def warped_difference(data: ExperimentData) -> Measured:
    """Largest difference of V/V0 between a warped block at rest and one of corotational elements by Newton's method, stretched or
    pressed alike: they have one energy."""
    newton = {(poisson(c), stretch(c)): volume_ratio(c) for c in data.every(name="corotational")}
    warped = {c: (poisson(c), stretch(c)) for c in data.every(name="warped")}
    return extremes.largest({c: abs(volume_ratio(c) - newton[at]) for c, at in warped.items() if at in newton})

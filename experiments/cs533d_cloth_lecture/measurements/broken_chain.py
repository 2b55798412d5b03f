# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/broken_chain: which link breaks, and what stays of the others' strain."""

from __future__ import annotations

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .springs import parameter, springs_of

EXPERIMENT = "cs533d_cloth_lecture/broken_chain"
APART = 2.0  # strain at the end of a link that has broken: ten times what stays of one that has flowed
AT_REST = 1e-9  # largest stress over modulus of pieces that have come to rest


def final_strains(trace: Trace) -> Array:
    """Of every link when the pieces have come to rest."""
    springs = springs_of(trace)
    positions, forces = (
        extremes.finite(trace.values("step", n), trace.label)[-1] for n in ("positions", "elastic_forces")
    )
    if np.abs(forces).max() / springs.forces_at_unit_strain.min() > AT_REST:
        raise MissingData(f"{trace.label}: the pieces are not at rest")
    return springs.strains(positions)


def damped(data: ExperimentData) -> list[Trace]:
    """The chains in which waves die out."""
    return [c for name in ("brittle", "ductile") for c in data.every(name=name)]


def broken(trace: Trace) -> list[int]:
    """Links that are open at the end."""
    return [int(i) for i in np.flatnonzero(final_strains(trace) > APART)]


def is_alike(trace: Trace) -> bool:
    """Links alike but for one."""
    return bool(trace.value("scene.parameters.thin") == "one")


def residuals(data: ExperimentData, name: str) -> Array:
    """Strains that stay of the links of the chain that are alike."""
    cell = data.one(name=name, keep=is_alike)
    return np.asarray(np.delete(final_strains(cell), broken(cell)))


@measurement("broken_chain.brittle_residual", unit="1", experiment=EXPERIMENT)
def brittle_residual(data: ExperimentData) -> float:
    """Largest |strain| that stays of a link of the pieces, without flow, over the strain σ_f/E at fracture."""
    cell = data.one(name="brittle", keep=is_alike)
    return float(np.abs(residuals(data, "brittle")).max()) / parameter(cell, "fracture_tension")


@measurement("broken_chain.ductile_residual_error", unit="1", experiment=EXPERIMENT)
def ductile_residual_error(data: ExperimentData) -> float:
    """Largest relative difference between the strain that stays of a link of the pieces and (σ_f − σ_y)/H."""
    cell = data.one(name="ductile", keep=is_alike)
    first, last, hardening = (parameter(cell, n) for n in ("yield_tension", "fracture_tension", "hardening"))
    return float(np.abs(residuals(data, "ductile") / ((last - first) / hardening) - 1).max())


@measurement("broken_chain.breaks_elsewhere", unit="1", experiment=EXPERIMENT)
def breaks_elsewhere(data: ExperimentData) -> Measured:
    """Chains of which not the thinnest link alone breaks, brittle and ductile."""
    cells = damped(data)
    wrong = [c for c in cells if broken(c) != [int(np.argmin(springs_of(c).forces_at_unit_strain))]]
    return Measured(float(len(wrong)), wrong[0].label if wrong else f"{len(cells)} chains")


@measurement("broken_chain.chains", unit="1", experiment=EXPERIMENT)
def chains(data: ExperimentData) -> float:
    """Chains of links of random order of strength, of the kind of which there are fewer."""
    return float(min(len(data.every(name=n, keep=lambda c: not is_alike(c))) for n in ("brittle", "ductile")))


@measurement("broken_chain.places_of_the_thinnest", unit="1", experiment=EXPERIMENT)
def places_of_the_thinnest(data: ExperimentData) -> float:
    """Different places in the chain at which the thinnest link is."""
    return float(len({int(np.argmin(springs_of(c).forces_at_unit_strain)) for c in data.every(name="brittle")}))


@measurement("broken_chain.second_breaks_with_little_damping", unit="1", experiment=EXPERIMENT)
def second_breaks_with_little_damping(data: ExperimentData) -> Measured:
    """Brittle chains with a twentieth of the damping of which more than one link breaks."""
    cells = data.every(name="brittle_lightly_damped")
    return Measured(float(sum(len(broken(c)) > 1 for c in cells)), f"of {len(cells)}")

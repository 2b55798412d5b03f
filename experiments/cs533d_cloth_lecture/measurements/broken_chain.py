# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/broken_chain: which link breaks, and the others' residual strain."""

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Trace, extremes, quantity
from deformbench_analysis.vocabulary import rows
from .springs import springs_of
from .weak_link import thinnest

M = Measures("cs533d_cloth_lecture/broken_chain")
APART = 2.0  # final strain that marks a broken link: ten times the residual strain of a yielded one
AT_REST = 1e-9  # largest stress / modulus of pieces at rest


def final_strains(trace: Trace) -> Array:
    """Strain per link when the pieces have come to rest."""
    springs = springs_of(trace)
    positions, forces = (
        extremes.finite(trace.values("step", n), trace.label)[-1] for n in ("positions", "elastic_forces")
    )
    if np.abs(forces).max() / springs.forces_at_unit_strain.min() > AT_REST:
        raise MissingData(f"{trace.label}: the pieces are not at rest")
    return springs.strains(positions)


def broken(trace: Trace) -> list[int]:
    """Links broken at the end."""
    return [int(i) for i in np.flatnonzero(final_strains(trace) > APART)]


def residuals(trace: Trace) -> Array:
    """Residual strains of the links that have not broken."""
    return np.asarray(np.delete(final_strains(trace), broken(trace)))


@quantity("largest |residual strain| of a link relative to fracture strain σ_f/E")
def _brittle_residual(trace: Trace) -> Array:
    return np.asarray(np.abs(residuals(trace)) / trace.setting("fracture_tension"))


@quantity("largest relative difference of a link's residual strain from (σ_f − σ_y)/H")
def _ductile_residual_error(trace: Trace) -> Array:
    first, last, hardening = (trace.setting(n) for n in ("yield_tension", "fracture_tension", "hardening"))
    return np.asarray(np.abs(residuals(trace) / ((last - first) / hardening) - 1))


@quantity("chains that do not break at the thinnest link only")
def _breaks_elsewhere(trace: Trace) -> float:
    return float(broken(trace) != [thinnest(trace)])


@quantity("chains in which more than one link breaks")
def _breaks_twice(trace: Trace) -> float:
    return float(len(broken(trace)) > 1)


def is_alike(trace: Trace) -> bool:
    """Links alike but for one."""
    return bool(trace.value("scene.parameters.thin") == "one")


def is_random(trace: Trace) -> bool:
    """Links in random order of strength."""
    return not is_alike(trace)


BRITTLE, DUCTILE = rows("brittle", says="brittle chains"), rows("ductile", says="ductile chains")
DAMPED = rows("brittle", "ductile", says="brittle and ductile chains")

M.only("brittle_residual", _brittle_residual, BRITTLE.where(is_alike))
M.only("ductile_residual_error", _ductile_residual_error, DUCTILE.where(is_alike))
breaks_elsewhere = M.total("breaks_elsewhere", _breaks_elsewhere, DAMPED)


@M("chains")
def chains(data: ExperimentData) -> float:
    """Chains with links in random order of strength: minimum over brittle and ductile ones."""
    return float(min(len(kind.where(is_random).runs(data)) for kind in (BRITTLE, DUCTILE)))


M.distinct("places_of_the_thinnest", quantity("index of the thinnest link")(thinnest), BRITTLE)
M.total(
    "second_breaks_with_little_damping",
    _breaks_twice,
    rows("brittle_lightly_damped", says="brittle chains with a twentieth of the damping"),
)

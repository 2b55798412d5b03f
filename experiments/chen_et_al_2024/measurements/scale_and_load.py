# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of chen_et_al_2024/scaled_scenes and hanging_bar: whether the bound on a block's determinant depends on
the scene's units, and the sag under a static load with a fixed number of sweeps."""

import numpy as np

from deformbench_analysis.mesh import median_edge
from deformbench_analysis.reference_minimum import young_moduli
from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, Trace, quantity, rows
from .one_step import FAILED, MAY_DIVERGE, finished, problem

SCALED, HANGING = Measures("chen_et_al_2024/scaled_scenes"), Measures("chen_et_al_2024/hanging_bar")
NEAR = 0.05  # of the sag


# ---- units


def difference(trace: Trace, base: Trace) -> float:
    """Largest vertex distance from the unscaled, unguarded end, relative to the largest motion.

    In units of the side."""
    (_, here), (start, there) = (t.values("frame", "positions") / t.number("side_m") for t in (trace, base))
    off, way = (np.linalg.norm(x - there, axis=1).max() for x in (here, start))
    return float(off / way)


def is_heavy(trace: Trace) -> bool:
    """Blocks far above the bound.

    (ρa³/Δt²)³ at least 10⁶ ε, a the edge of a cell."""
    cell = trace.number("side_m") / trace.number("cells_across")
    block = trace.number("density_kg_m3") * cell**3 / trace.number("time_step_s") ** 2
    return block**3 >= 1e6 * trace.setting("singular_threshold")


BASE = rows("unguarded").where(side_m=0.1, density_kg_m3=1000.0)
SAME = ("omega", "family", "seed")
for _name, _runs in (
    ("printed", rows("printed", says="all scales, bound as printed")),
    ("heavy", rows("printed", says="printed rule").where(is_heavy)),
    ("relative", rows("relative", says="all scales, relative bound")),
    ("unguarded", rows("unguarded", says="all scales, no bound")),
):
    SCALED.largest(f"{_name}_difference", difference, _runs.beside(BASE, *SAME, says=""))


@quantity("length of a bar that the bound alters by over a hundredth of the motion", unit="m")
def altered_length(trace: Trace, base: Trace) -> float:
    """0 for a bar altered by less."""
    return 4 * trace.number("side_m") if difference(trace, base) > 0.01 else 0.0


PRINTED = rows("printed", says="all scales, bound as printed")
SCALED.largest("altered_length", altered_length, PRINTED.beside(BASE, *SAME, says=""))


# ---- a static load


def last_sags(trace: Trace) -> Array:
    """Displacement of the tip along the bar in the last fifth of the steps, m."""
    sag = trace.values("step", "tip_displacement")[:, 0]
    return sag[-(len(sag) // 5) :]


def sag_error(trace: Trace, newton: Trace) -> float:
    """Largest relative error of the sag in the last fifth of the run, against Newton's mean."""
    return float(np.abs(last_sags(trace) / last_sags(newton).mean() - 1).max()) if finished(trace) else FAILED


@quantity("runs whose sag changes by more than a twentieth of Newton's in the last fifth")
def moves(trace: Trace, newton: Trace) -> float:
    """A run that diverges counts, too."""
    return float(not finished(trace) or np.ptp(last_sags(trace)) > NEAR * last_sags(newton).mean())


@quantity("largest unbalanced force component at the end, by the independent program, relative to the weight")
def unbalanced(trace: Trace) -> float:
    """Without inertia."""
    step, x = problem(trace), trace.values("frame", "positions")[-1]
    force = (step.gradient(x) - step.inertia[:, None] * (x - step.ballistic))[step.is_free]
    return float(np.abs(force).max() / np.linalg.norm(step.load.sum(axis=0)))


@quantity("relative error of the sag against ρgL²/2E")
def off_closed_form(trace: Trace) -> float:
    """L: length of the bar without jitter."""
    modulus = young_moduli(trace, trace.scene("rest_positions"), trace.scene("tetrahedra").astype(int))[0]
    gravity = np.linalg.norm(trace.value("scene.parameters.gravity_m_s2"))
    pull = trace.number("density_kg_m3") * gravity * (4 * trace.number("side_m")) ** 2
    return float(abs(last_sags(trace).mean() / (pull / modulus / 2) - 1))


def sweeps_per_step(trace: Trace) -> int:
    """Sweeps of all substeps."""
    return int(trace.setting("iterations") * trace.setting("substeps"))


NEWTON = rows("newton", says="Newton's method")
DESCENT = rows("descent", "soft", says="runs").however_ended(MAY_DIVERGE)
HUNDRED = DESCENT.where(lambda trace: sweeps_per_step(trace) == 100, says="100 sweeps per step")
BODY = ("theta", "family", "seed")
for _name, _runs in (
    ("error_of_100", HUNDRED),
    ("adaptive_error_of_100", HUNDRED.where(initial_guess="adaptive")),
    (
        "adaptive_error_of_20",
        DESCENT.where(lambda trace: sweeps_per_step(trace) == 20, says="20 sweeps per step, adaptive start").where(
            initial_guess="adaptive", says=""
        ),
    ),
    ("error_of_1000", DESCENT.where(lambda trace: sweeps_per_step(trace) == 1000, says="1000 sweeps per step")),
):
    HANGING.largest(_name, sag_error, _runs.beside(NEWTON, *BODY, says=""))
HANGING.total("moving", moves, DESCENT.beside(NEWTON, *BODY, says=""))
HANGING.largest("unbalanced", unbalanced, NEWTON)
HANGING.largest("off_closed_form", off_closed_form, NEWTON)


@HANGING("sweeps_needed", of="100 steps of one substep, guess by inertia and loads")
def sweeps_needed(data: ExperimentData) -> Measured:
    """Fewest sweeps per step, of 20, 100 and 1000, that bring the sag within a twentieth of Newton's: maximum over
    bars; the note lists them by Θ (L/h)²."""
    runs = DESCENT.where(initial_guess="inertia_and_loads", substeps=1).beside(NEWTON, *BODY, says="")
    found: dict[float, float] = {}
    for (trace, newton), _ in runs.units(data):
        rest, tetrahedra = trace.scene("rest_positions"), trace.scene("tetrahedra").astype(int)
        stiffness = trace.number("theta") * (np.ptp(rest, axis=0).max() / median_edge(rest, tetrahedra)) ** 2
        enough = sweeps_per_step(trace) if sag_error(trace, newton) < NEAR else FAILED
        found[stiffness] = min(found.get(stiffness, FAILED), enough)
    note = ", ".join(f"{k:.3g}: {'more' if n == FAILED else int(n)}" for k, n in sorted(found.items()))
    return Measured(max(found.values()), note)

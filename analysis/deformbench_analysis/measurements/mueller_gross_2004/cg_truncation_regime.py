# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/cg_truncation_stiffness and …_swing: for which matrices 20 plain iterations suffice.

Conjugate gradients leave at most 2 ((√κ − 1)/(√κ + 1))ⁿ of the first error in the norm of A. In free fall from rest that
norm bounds the error of the centre's velocity, so that κ ≤ 57 is enough for one per cent after 20 iterations; κ grows with
Δt²E/(ρh²).
"""

from __future__ import annotations

import math

import numpy as np

from ... import extremes
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .cg_truncation import free_fall_error
from .condition_number import stiffness_number

STIFFNESS = "mueller_gross_2004/cg_truncation_stiffness"
SWING = "mueller_gross_2004/cg_truncation_swing"
LEFT = 0.01  # share of the first error that the bound allows: what is judged in free fall
PAPER_COUNT = 20
SEEN_FALLING, SEEN_SWINGING = 4.5, 6.5  # Δt²E/(ρh²) up to which runs are judged beyond what the bound proves


def condition(trace: Trace) -> float:
    """Largest condition number of the run."""
    if not np.all(trace.values("operator", "operator_converged") == 1):
        raise MissingData(f"{trace.experiment}: {trace.label}: an eigenvalue did not converge")
    return float(trace.values("operator", "condition_number").max())


def bound(trace: Trace) -> float:
    """2 ((√κ − 1)/(√κ + 1))²⁰."""
    root = math.sqrt(condition(trace))
    return 2 * ((root - 1) / (root + 1)) ** PAPER_COUNT


def in_regime(cells: list[Trace]) -> list[Trace]:
    """Runs whose condition number lets 20 iterations reach one per cent; MissingData when there are none."""
    found = [c for c in cells if bound(c) <= LEFT]
    if not found:
        raise MissingData("no run whose condition number lets 20 iterations reach one per cent")
    return found


def largest_number(cells: list[Trace]) -> str:
    """How many runs, and how far they reach, for a note."""
    return f"{len(cells)} runs, Δt²E/(ρh²) up to {np.max([stiffness_number(c) for c in cells]):.3g}, condition number up to {np.max([condition(c) for c in cells]):.3g}"


def plain(data: ExperimentData) -> list[Trace]:
    """Runs with 20 iterations and no preconditioner."""
    return data.some(name="plain")


def count_farthest_from_paper(cells: list[Trace]) -> float:
    """Recorded iterations of the step that differs most from 20, first row (no step yet) left out."""
    counts = np.concatenate([np.ravel(c.values("step", "solver_iterations")[1:]) for c in cells])
    return float(counts[np.abs(counts - PAPER_COUNT).argmax()])


def tip_error(data: ExperimentData, trace: Trace) -> float:
    """Largest distance from the tip of exact solves over that one's largest deflection."""
    place = [f"scene.parameters.{n}" for n in ("length_m", "young_modulus_pa")]
    exact = data.one(name="exact", where={p: trace.value(p) for p in place}).values("step", "tip_displacement")
    truncated = trace.values("step", "tip_displacement")
    if truncated.shape != exact.shape:
        raise MissingData(
            f"{trace.experiment}: {trace.label}: {len(truncated)} rows against {len(exact)} of the exact run"
        )
    return float(np.linalg.norm(truncated - exact, axis=1).max() / np.linalg.norm(exact, axis=1).max())


@measurement("cg_truncation_stiffness.iterations", unit="1", experiment=STIFFNESS)
def stiffness_iterations(data: ExperimentData) -> float:
    """Number of CG iterations that the solver reports, the step farthest from 20."""
    return count_farthest_from_paper(plain(data))


@measurement("cg_truncation_stiffness.free_fall_error", unit="1", experiment=STIFFNESS)
def free_fall_error_max(data: ExperimentData) -> Measured:
    """Largest |v − gt| / gt of the centre of mass after 10 steps of free fall, all sizes, meshes and stiffnesses, 20
    CG iterations without preconditioner, started from v_n."""
    found = {c: free_fall_error(c) for c in plain(data)}
    worst = extremes.at_largest(found)
    return Measured(found[worst], f"{worst.label}, Δt²E/(ρh²) {stiffness_number(worst):.3g}")


@measurement("cg_truncation_stiffness.free_fall_error_in_regime", unit="1", experiment=STIFFNESS)
def free_fall_error_in_regime(data: ExperimentData) -> Measured:
    """Largest |v − gt| / gt of the centre of mass after 10 steps of free fall, 20 CG iterations without
    preconditioner, started from v_n, where 2 ((√κ − 1)/(√κ + 1))²⁰ ≤ 0.01, κ ≤ 57 the condition number of the step's
    matrix."""
    cells = in_regime(plain(data))
    return Measured(np.max([free_fall_error(c) for c in cells]), largest_number(cells))


@measurement("cg_truncation_stiffness.free_fall_error_seen", unit="1", experiment=STIFFNESS)
def free_fall_error_seen(data: ExperimentData) -> Measured:
    """Largest |v − gt| / gt of the centre of mass after 10 steps of free fall, 20 CG iterations without
    preconditioner, started from v_n, where Δt²E/(ρh²) ≤ 4.5, h the edge of a cell."""
    cells = [c for c in plain(data) if stiffness_number(c) <= SEEN_FALLING]
    if not cells:
        raise MissingData(f"{STIFFNESS} at tier {data.tier}: no run with Δt²E/(ρh²) ≤ {SEEN_FALLING:g}")
    return Measured(np.max([free_fall_error(c) for c in cells]), largest_number(cells))


@measurement("cg_truncation_swing.iterations", unit="1", experiment=SWING)
def swing_iterations(data: ExperimentData) -> float:
    """Number of CG iterations that the solver reports, the step farthest from 20."""
    return count_farthest_from_paper(plain(data))


@measurement("cg_truncation_swing.tip_error", unit="1", experiment=SWING)
def tip_error_max(data: ExperimentData) -> Measured:
    """Largest difference of the tip's displacement from that with exact solves, over the largest deflection, all sizes
    and stiffnesses, 20 CG iterations without preconditioner, started from v_n."""
    found = {c: tip_error(data, c) for c in plain(data)}
    worst = extremes.at_largest(found)
    return Measured(found[worst], f"{worst.label}, Δt²E/(ρh²) {stiffness_number(worst):.3g}")


@measurement("cg_truncation_swing.tip_error_in_regime", unit="1", experiment=SWING)
def tip_error_in_regime(data: ExperimentData) -> Measured:
    """Largest difference of the tip's displacement from that with exact solves, over the largest deflection, 20 CG
    iterations without preconditioner, started from v_n, where 2 ((√κ − 1)/(√κ + 1))²⁰ ≤ 0.01, κ ≤ 57 the condition
    number of the step's matrix."""
    cells = in_regime(plain(data))
    return Measured(np.max([tip_error(data, c) for c in cells]), largest_number(cells))


@measurement("cg_truncation_swing.tip_error_seen", unit="1", experiment=SWING)
def tip_error_seen(data: ExperimentData) -> Measured:
    """Largest difference of the tip's displacement from that with exact solves, over the largest deflection, 20 CG
    iterations without preconditioner, started from v_n, where Δt²E/(ρh²) ≤ 6.5, h the edge of a cell."""
    cells = [c for c in plain(data) if stiffness_number(c) <= SEEN_SWINGING]
    if not cells:
        raise MissingData(f"{SWING} at tier {data.tier}: no run with Δt²E/(ρh²) ≤ {SEEN_SWINGING:g}")
    return Measured(np.max([tip_error(data, c) for c in cells]), largest_number(cells))

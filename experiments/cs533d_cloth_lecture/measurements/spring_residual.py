# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/spring_residual: total strain under load,
and the residual strain after unloading."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, extremes, quantity, rows
from .springs import springs_of

M = Measures("cs533d_cloth_lecture/spring_residual")


@dataclass(frozen=True)
class Loaded:
    """Load and strains per spring of a run."""

    loads: Array  # peak load / (modulus × cross-section), as the scene applies it
    totals: Array  # strain at the end of the hold
    residuals: Array  # strain at the end, without load


@lru_cache(maxsize=16)
def loaded(trace: Trace) -> Loaded:
    """By positions alone."""
    springs, found = springs_of(trace), trace.series("step", "positions")
    shares = np.linspace(trace.number("least_share"), trace.number("largest_share"), len(springs.lengths))
    times, values = (trace.value(f"scene.parameters.programme_{n}") for n in ("times_s", "values"))
    held = int(np.searchsorted(found.time, times[2] - 1e-9))
    strains = springs.strains(extremes.finite(found.values, trace.label))
    return Loaded(shares * values[1], strains[held], strains[-1])


def expected(trace: Trace) -> Array:
    """Plastic strain by the closed form of a single load: (σ − σ_y)/H beyond the yield stress, else 0."""
    loads, hardening = loaded(trace).loads, trace.setting("hardening")
    tension = np.maximum(0, loads - trace.setting("yield_tension")) / hardening
    return np.asarray(tension - np.maximum(0, -loads - trace.setting("yield_compression")) / hardening)


def below_yield(trace: Trace) -> Array:
    """Which springs never yield."""
    loads = loaded(trace).loads
    return np.asarray((loads < trace.setting("yield_tension")) & (-loads < trace.setting("yield_compression")))


@quantity("|residual strain − (σ − σ_y)/H|, σ the peak stress")
def _residual_error(trace: Trace) -> Array:
    return np.asarray(np.abs(loaded(trace).residuals - expected(trace)))


@quantity("|strain under load − σ/E − residual strain|")
def _sum_error(trace: Trace) -> Array:
    v = loaded(trace)
    return np.asarray(np.abs(v.totals - v.loads - v.residuals))


def own_strains(trace: Trace) -> Array:
    """Elastic strain relative to the unloaded length."""
    v = loaded(trace)
    return np.asarray((1 + v.totals) / (1 + v.residuals) - 1)


@quantity("|strain under load − residual strain − elastic strain relative to the unloaded length|")
def _defect(trace: Trace) -> Array:
    v = loaded(trace)
    return np.asarray(np.abs(v.totals - v.residuals - own_strains(trace)))


@quantity("|ε − ε_p − ε_e − ε_e ε_p|, elastic ε_e relative to the unloaded length")
def _product_error(trace: Trace) -> Array:
    v, own = loaded(trace), own_strains(trace)
    return np.asarray(np.abs(v.totals - v.residuals - own - own * expected(trace)))


@quantity("position difference of a spring that never yields from the elastic run", unit="m")
def _moves(trace: Trace, elastic: Trace) -> Array:
    far = springs_of(trace).ends[below_yield(trace), 1]
    a, b = (extremes.finite(c.values("step", "positions"), c.label)[:, far] for c in (trace, elastic))
    return np.asarray(np.abs(a - b))


PLASTIC = rows("plastic", says="plastic springs")

M.largest("residual_error", _residual_error, PLASTIC)
M.largest("sum_error", _sum_error, PLASTIC)
M.largest("sum_defect_over_own_length", _defect, PLASTIC)
M.largest("own_length_product_error", _product_error, PLASTIC)
M.largest("moves_below_yield", _moves, PLASTIC.beside(rows("elastic"), "seed", says=""))
M.least("springs_below_yield", quantity("springs that never yield")(lambda c: below_yield(c).sum()), PLASTIC)
M.least("springs_pulled_beyond", quantity("springs that yield in tension")(lambda c: (expected(c) > 0).sum()), PLASTIC)
M.least(
    "springs_pressed_beyond", quantity("springs that yield in compression")(lambda c: (expected(c) < 0).sum()), PLASTIC
)

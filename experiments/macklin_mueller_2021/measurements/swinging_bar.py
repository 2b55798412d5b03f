# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of macklin_mueller_2021/swinging_bar: ten swings by k small steps of one iteration, or by one step of k
iterations, beside explicit steps that resolve every wave. [MM21], [MSL19]"""

import math

import numpy as np

from deformbench_analysis.mesh import NO_END
from deformbench_analysis.paired_ratios import MARGIN, Ratio, judge, paired_ratio, show
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Trace, rows

M = Measures("macklin_mueller_2021/swinging_bar")
LENGTH, EDGE, GRAVITY = 1.0, 0.125, 9.81  # m, m, m/s²: of the scene
HALF = 0.5  # of the width of the swing
ENDS = "a run that is not finite is far off"


def tip(trace: Trace) -> Array:
    """Displacement of the tip, m, at the end of every step."""
    return trace.values("step", "tip_displacement")


def error(trace: Trace, reference: Trace) -> float:
    """Largest distance of the tip from the reference relative to its swing."""
    if trace.status != "completed":
        return NO_END
    way = np.linalg.norm(tip(reference) - tip(reference)[0], axis=1).max()
    return float(min(NO_END, np.linalg.norm(tip(trace) - tip(reference), axis=1).max() / way))


def swing_left(trace: Trace, reference: Trace) -> float:
    """Width of the last swing relative to the reference's."""
    if trace.status != "completed":
        return 0.0
    last = len(tip(reference)) // 10
    return float(np.ptp(tip(trace)[-last:, 2]) / np.ptp(tip(reference)[-last:, 2]))


def is_fine(trace: Trace) -> bool:
    """Resolving waves and swing.

    Ω of a small step at most 1, the swing's ωh at most 0.001."""
    step = trace.number("time_step_s") / trace.setting("substeps")
    waves = trace.number("young_modulus_pa") / trace.number("density_kg_m3") * (step / EDGE) ** 2
    return waves <= 1 and math.sqrt(1.5 * GRAVITY / LENGTH) * step <= 1e-3


def same_work(small: Trace) -> dict[str, object]:
    """As many iterations in one step."""
    return {"iterations": int(small.setting("substeps"))}


SMALL = rows("small_steps", says="small steps").however_ended(ENDS)
MANY = rows("many_iterations", says="iterations of one step").however_ended(ENDS)
TRUTH = rows("reference")
M.largest("error", error, SMALL.beside(TRUTH, "young_modulus_pa", says=""))
FINE = (
    SMALL.where(is_fine).where(solid_solve="coupled", says="solved together").beside(TRUTH, "young_modulus_pa", says="")
)
M.largest("fine_error", error, FINE)
M.least("fine_swing_left", swing_left, FINE)
M.least("many_error", error, MANY.beside(TRUTH, "young_modulus_pa", says=""))
M.largest("reference_error", error, rows("coarser_reference").beside(TRUTH, "young_modulus_pa", says=""))
PAIRS = SMALL.beside(MANY, same_work, "young_modulus_pa", "solid_solve").beside(TRUTH, "young_modulus_pa")


def by_solve(data: ExperimentData) -> dict[str, Ratio]:
    """By how a tetrahedron is solved. A body that hangs still is off by half a width, one out of phase by up to a
    width: errors are capped at ½."""
    found: dict[str, list[tuple[float, float]]] = {}
    for (small, many, truth), _ in PAIRS.units(data):
        errors = (min(error(small, truth), HALF), min(error(many, truth), HALF))
        found.setdefault(str(small.value("method.parameters.solid_solve")), []).append(errors)
    return {solve: paired_ratio(*zip(*both)) for solve, both in found.items()}


SAYS = "error of small steps relative to that of as many iterations of one step, both capped at ½"
judge(M, ("log_ratio", "log_ratio_spread"), by_solve, SAYS, margin=MARGIN)
show(M, "ratio", by_solve, SAYS)

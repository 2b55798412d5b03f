# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of macklin_mueller_2021/unloaded_body and pair_step: the two constraints of a tetrahedron solved
together, or one after the other. [MM21]"""

import math

import numpy as np

from deformbench_analysis.mesh import drift
from deformbench_analysis.paired_ratios import MARGIN, Ratio, judge, paired_ratio, worst_family
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Trace, parameter, rows

REST, STEP = Measures("macklin_mueller_2021/unloaded_body"), Measures("macklin_mueller_2021/pair_step")
TOGETHER, APART = "coupled", "one_by_one"
KEPT = 1e-6  # median edges: largest drift that counts as at rest
FEWER = math.log(0.9)
family = parameter("family", str, "Family of the mesh.")
omega = parameter("omega", float, "Ω of the body.")


def is_soft(trace: Trace) -> bool:
    """Ω at most 1."""
    return omega(trace) <= 1


def kept_levels(cells: list[Trace]) -> int:
    """Number of lowest values of Ω at which every run stays at rest."""
    found = 0
    for level in sorted({omega(c) for c in cells}):
        if max(drift(c) for c in cells if omega(c) == level) > KEPT:
            break
        found += 1
    return found


def levels_gained(*cells: Trace) -> int:
    """Values of Ω up to which a body stays at rest, solved together minus one by one."""
    together, apart = ([c for c in cells if c.method_name == name] for name in (TOGETHER, APART))
    return kept_levels(together) - kept_levels(apart)


ENDS = "a run that is not finite has left rest"
REST.largest("drift", drift, rows(says="both solves, all Ω").however_ended(ENDS))
COUPLED = rows(TOGETHER, says="solved together").however_ended(ENDS)
REST.largest("soft_drift_together", drift, COUPLED.where(is_soft))
REST.least("drift_one_by_one", drift, rows(APART, says="one by one").however_ended(ENDS))
REST.least(
    "levels_gained",
    levels_gained,
    rows(TOGETHER, APART, says="both").however_ended(ENDS).grouped(family, says="by mesh"),
)


def residuals(trace: Trace) -> Array:
    """Norm of the objective's gradient after every sweep, relative to the start."""
    norms = trace.values("iteration", "gradient_norm")
    return np.asarray(norms[1:] / norms[0])


def floor(trace: Trace) -> float:
    """Least residual; inf where there is none."""
    found = residuals(trace)
    return float(np.nanmin(found)) if np.isfinite(found).any() else math.inf


def sweeps_to(trace: Trace, level: float) -> float:
    """Sweeps until a residual of at most `level`; inf if never."""
    found = np.flatnonzero(residuals(trace) <= level)
    return float(found[0] + 1) if len(found) else math.inf


def pairs(data: ExperimentData) -> dict[str, list[tuple[Trace, Trace]]]:
    """By mesh: runs of one start and stiffness, solved together and one by one."""
    apart = rows(APART).beside(
        rows(TOGETHER), "scene.parameters.family", "scene.parameters.omega", "scene.parameters.seed"
    )
    found: dict[str, list[tuple[Trace, Trace]]] = {}
    for (second, first), _ in apart.units(data):
        found.setdefault(family(first), []).append((first, second))
    return found


def floor_ratios(data: ExperimentData) -> dict[str, Ratio]:
    """Lowest residuals by mesh."""
    return {name: paired_ratio(*zip(*[(floor(a), floor(b)) for a, b in both])) for name, both in pairs(data).items()}


def sweep_ratios(data: ExperimentData) -> dict[str, Ratio]:
    """Sweeps to twice the lower of both residuals by mesh."""
    found = {}
    for name, both in pairs(data).items():
        levels = [2 * min(floor(a), floor(b)) for a, b in both]
        first, second = ([sweeps_to(p[k], level) for p, level in zip(both, levels)] for k in (0, 1))
        found[name] = paired_ratio(first, second)
    return found


judge(
    STEP,
    ("floor_log_ratio", "floor_log_ratio_spread"),
    floor_ratios,
    "lowest residual of 300 sweeps, solved together relative to one by one",
    margin=MARGIN,
)
judge(
    STEP,
    ("sweeps_log_ratio", "sweeps_log_ratio_spread"),
    sweep_ratios,
    "sweeps to twice the lower of both residuals, solved together relative to one by one",
    FEWER,
)


@STEP("failures_one_by_one")
def failures_one_by_one(data: ExperimentData) -> float:
    """Steps in which one by one never reaches twice the lower of both residuals, worst family of meshes."""
    return float(worst_family(sweep_ratios(data)).failures_second)

# SPDX-License-Identifier: BSD-3-Clause
"""How far and how fast vertex block descent converges to a step of implicit Euler, and what slows it down.
Measurements of descent_floor, stiff_beams, mesh_refinement and stiffness_contrast."""

import math
from collections.abc import Mapping

import numpy as np

from deformbench_analysis.paired_ratios import MARGIN, Ratio, judge, worst_family
from deformbench_analysis.step_iterations import Iterations
from deformbench_analysis.vocabulary import ExperimentData, Measures, Trace, parameter, quantity, rows
from .one_step import FAILED, MAY_DIVERGE, disagreement, error, gaps, problem, ratios, residual, sweeps

FLOOR = Measures("chen_et_al_2024/descent_floor")
BEAMS = Measures("chen_et_al_2024/stiff_beams")
MESHES = Measures("chen_et_al_2024/mesh_refinement")
CONTRAST = Measures("chen_et_al_2024/stiffness_contrast")
LEVEL = 1e-4  # of the objective's drop


# ---- how far


def sweep_rise(trace: Trace) -> float:
    """Largest rise of the objective in a sweep relative to its drop."""
    return Iterations.of(trace).largest_rise()


def curvature(trace: Trace) -> float:
    """Least eigenvalue of Δt² M^(−½) ∇²Φ M^(−½) at the solution."""
    return problem(trace).minimise().least_eigenvalue


def is_soft(trace: Trace) -> bool:
    """Ω at most 1."""
    return trace.number("omega") <= 1


DESCENT = rows("descent", says="vertex block descent")
XPBD = rows("xpbd", says="XPBD, both solves").however_ended(MAY_DIVERGE)
FLOOR.largest("descent_residual", residual, DESCENT)
FLOOR.largest("descent_error", error, DESCENT)
FLOOR.largest("sweep_rise", sweep_rise, DESCENT)
FLOOR.least("xpbd_residual", residual, XPBD)
FLOOR.least("xpbd_error", error, XPBD)
FLOOR.mean(
    "xpbd_newton_converged",
    quantity("share of steps ending with a residual below 1e-6")(lambda trace: float(residual(trace) < 1e-6)),
    rows("xpbd_newton", says="XPBD with second derivatives").where(is_soft).however_ended(MAY_DIVERGE),
)
FLOOR.largest("disagreement", disagreement, rows("descent", "implicit"))
FLOOR.largest("reference_residual", residual, rows("implicit", says="Newton's method"))
FLOOR.least("curvature", curvature, rows("implicit", says="solutions"))


# ---- stiff beams


def newton_iterations(trace: Trace) -> float:
    """Iterations until a millionth of the objective's drop is left."""
    return sweeps(trace, 1e-6)


def is_stiff_beam(trace: Trace) -> bool:
    """Θ at least 100."""
    return trace.number("theta") >= 100


MISSED = quantity("share of steps with a relative error above 1e-3")(lambda trace: float(error(trace) > 1e-3))
BEAMS.mean("missed", MISSED, rows("sweeps_500").where(is_stiff_beam))
for _name, _sweeps in (("soft_error", "sweeps_20"), ("soft_error_of_500", "sweeps_500")):
    BEAMS.largest(_name, error, rows(_sweeps).where(theta=0.01))
BEAMS.largest("newton_iterations", newton_iterations, rows("newton"))
BEAMS.largest("disagreement", disagreement, rows("sweeps_500", "newton"))


# ---- refinement


def exponent(*traces: Trace) -> float:
    """Power of cells across in the sweeps to 1e-4 of the drop."""
    needed = [sweeps(trace, LEVEL) for trace in traces]
    if FAILED in needed:
        return FAILED
    return float(np.polyfit(np.log([trace.number("cells_across") for trace in traces]), np.log(needed), 1)[0])


def body(trace: Trace) -> str:
    """body"""
    return f"{trace.value('scene.parameters.family')}, seed {trace.value('scene.parameters.seed')}"


def keeps_the_body(trace: Trace) -> bool:
    """Θ kept."""
    return trace.number("theta") > 0


def keeps_the_element(trace: Trace) -> bool:
    """Ω kept."""
    return not keeps_the_body(trace)


BODIES = rows("descent", says="descent").where(keeps_the_body).grouped(body)
MESHES.largest("exponent_of_body", exponent, BODIES)
MESHES.least("least_exponent_of_body", exponent, BODIES)
MESHES.largest("exponent_of_element", exponent, rows("descent", says="descent").where(keeps_the_element).grouped(body))
MESHES.largest("disagreement", disagreement, DESCENT)


# ---- contrast


def _contrast(name: str, omega: float, bound: float, margin: float, words: str) -> None:
    def by_family(data: ExperimentData) -> Mapping[str, Ratio]:
        uniform, halves = DESCENT.where(contrast=1, omega=omega).runs(data), DESCENT.where(contrast=1000).runs(data)
        return ratios(uniform, halves, lambda trace: sweeps(trace, LEVEL), ("family", "seed", "amount"))

    says = f"sweeps of a body {words} relative to one with a stiffer half"
    judge(CONTRAST, (f"log_{name}_ratio", f"log_{name}_ratio_spread"), by_family, says, bound, margin)

    @CONTRAST(f"{name}_slowdown", of=words)
    def _slowdown(data: ExperimentData) -> float:
        """Median factor by which the stiffer half raises the sweeps, worst family."""
        return math.exp(-worst_family(by_family(data)).median)


_contrast("soft", 1.0, math.log(1 / 3), 0.0, "uniformly as soft as the softer half")
_contrast("stiff", 1000.0, 0.0, MARGIN, "uniformly as stiff as the stiffer half")
CONTRAST.largest("disagreement", disagreement, DESCENT)

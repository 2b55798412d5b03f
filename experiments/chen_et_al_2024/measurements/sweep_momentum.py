# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of chen_et_al_2024/sweep_momentum: what Chebyshev acceleration saves, and how it depends on ρ."""

import math
from collections.abc import Callable

import numpy as np

from deformbench_analysis.paired_ratios import Ratio, judge, show
from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, Trace, extremes, rows
from .one_step import FAILED, MAY_DIVERGE, disagreement, ratios, sweeps

M = Measures("chen_et_al_2024/sweep_momentum")
LEVEL = 1e-2  # of the objective's drop
FACTOR = math.log(0.8)


def is_stiff(trace: Trace) -> bool:
    """Ω at least 100."""
    return trace.number("omega") >= 100


def needed(trace: Trace) -> float:
    """Sweeps until a hundredth of the objective's drop is left."""
    return sweeps(trace, LEVEL)


SIDES = [rows(name).however_ended(MAY_DIVERGE) for name in ("frozen", "plain")]
EVERY = rows("plain", "frozen", "grid").however_ended(MAY_DIVERGE)


def compared(data: ExperimentData, keep: Callable[[Trace], bool]) -> dict[str, Ratio]:
    """By family: sweeps with ρ = 0.95 relative to those without acceleration."""
    frozen, plain = ([trace for trace in side.runs(data) if keep(trace)] for side in SIDES)
    return dict(ratios(frozen, plain, needed, ("family", "omega", "start", "seed")))


def _momentum(suffix: str, keep: Callable[[Trace], bool], words: str) -> None:
    def by_family(data: ExperimentData) -> dict[str, Ratio]:
        return compared(data, keep)

    says = f"sweeps with ρ = 0.95 relative to those without acceleration, {words}"
    judge(M, (f"log_ratio{suffix}", f"log_ratio{suffix}_spread"), by_family, says, FACTOR)
    show(M, f"ratio{suffix}", by_family, says)

    @M(f"more_failures{suffix}", of=words)
    def _failures(data: ExperimentData) -> float:
        """Steps that miss 1e-2 of the drop with ρ = 0.95 minus those without, largest over families."""
        return float(max(r.failures_first - r.failures_second for r in compared(data, keep).values()))


_momentum("", lambda trace: True, "all Ω")
_momentum("_stiff", is_stiff, "Ω at least 100")


def _tuned(data: ExperimentData) -> dict[str, dict[float, Array]]:
    """Sweeps of steps with Ω at least 100 and a seed of the grid, by family and spectral radius (0: none)."""
    grid = [t for t in EVERY.runs(data) if t.method_name == "grid"]
    seeds = {t.number("seed") for t in grid}
    found: dict[str, dict[float, list[float]]] = {}
    for trace in EVERY.runs(data):
        if is_stiff(trace) and trace.number("seed") in seeds:
            family = found.setdefault(str(trace.value("scene.parameters.family")), {})
            family.setdefault(trace.setting("spectral_radius"), []).append(needed(trace))
    return {family: {rho: np.array(counts) for rho, counts in of.items()} for family, of in found.items()}


@M("fragility")
def fragility(data: ExperimentData) -> float:
    """Geometric mean of the sweeps at the worst spectral radius of the grid relative to that at the best, least over
    families; Ω at least 100."""
    found = {}
    for family, of in _tuned(data).items():
        means = [float(np.exp(np.log(counts).mean())) for rho, counts in of.items() if rho > 0]
        found[family] = min(max(means) / min(means), FAILED)
    return extremes.least(found).value


@M("new_failures")
def new_failures(data: ExperimentData) -> float:
    """Accelerated steps of the grid that miss 1e-2 of the drop, minus those without acceleration, at the worst
    spectral radius; Ω at least 100."""
    return float(
        max(
            np.sum(counts == FAILED) - np.sum(of[0.0] == FAILED)
            for of in _tuned(data).values()
            for rho, counts in of.items()
            if rho > 0
        )
    )


M.largest("disagreement", disagreement, rows("plain"))

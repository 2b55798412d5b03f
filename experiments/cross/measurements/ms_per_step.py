# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/ms_per_step ([MG04] Fig. 7): milliseconds per step against the number of tetrahedra.

Slopes and ratios are judged by the lower quartile of the samples, as other processes can only add time;
the figure draws medians with both quartiles.

The rows are found by what they are (method id, solver, iterations), not by their label in the declaration."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Trace

M = Measures("cross/ms_per_step")
PAPER_ITERATIONS = 20  # [MG04] §7
PAPER_TETRAHEDRA = 5000  # right end of the paper's axis
FRAME_MS = 33.0  # 30 frames per second
PEERS = {"naive": "naive_eigen", "reuse": "reuse_eigen"}  # baselines: straightforward, and optimised
ROTATION, ASSEMBLY, SOLVE = "rotation", "assembly", "solve"


def phase_names(trace: Trace, kind: str) -> list[str]:
    """The trace's phases of a kind ("rotation" also finds "rotations")."""
    return [n for n in trace.require_timing().phase_names if n.lower().startswith(kind)]


def is_row(trace: Trace, row: str) -> bool:
    """Whether a cell belongs to a row of the figure: linear, warped (20 plain iterations), direct, naive, reuse, and
    bullet (corotated linear elements, one Newton iteration with 20 of CG)."""
    parameters = trace.value("method.parameters", {})
    if trace.value("threads", 1) != 1 or parameters.get("precision", "double") != "double":
        return False
    if row in PEERS:
        return trace.method_id == PEERS[row] and parameters.get("cg_iterations") == PAPER_ITERATIONS
    if row == "bullet":
        fits = parameters.get("law") == "linear_elasticity" and parameters.get("newton_iterations") == 1
        return trace.method_id == "bullet_fem" and fits and parameters.get("cg_iterations") == PAPER_ITERATIONS
    if row == "direct":
        return trace.method_id == "linear_fem" and parameters.get("solver") == "direct"
    plain = (
        parameters.get("solver") == "cg"
        and parameters.get("cg_iterations") == PAPER_ITERATIONS
        and parameters.get("cg_preconditioner", "none") == "none"
    )
    return trace.method_id == {"linear": "linear_fem", "warped": "warped_fem"}[row] and plain


def row_cells(data: ExperimentData, row: str, status: str | None = "completed") -> list[Trace]:
    """The cells of a row on the figure's material, by size."""
    return by_size(data.select(status=status, keep=lambda c: is_row(c, row)))


def by_size(cells: list[Trace]) -> list[Trace]:
    """Those on the figure's material, by size."""
    moduli = {c.value("scene.parameters.young_modulus_pa") for c in cells}
    if len(moduli) > 1:  # the figure shows the paper's soft material, not that of stiff rows
        softest = min(m for m in moduli if m is not None)
        cells = [c for c in cells if c.value("scene.parameters.young_modulus_pa") == softest]
    return sorted(cells, key=lambda c: c.tetrahedra or 0)


@dataclass(frozen=True)
class Curve:
    """A row of the figure by size: medians in ms."""

    cells: list[Trace]
    tetrahedra: Array
    step_ms: Array

    def phase_ms(self, *kinds: str) -> Array:
        """Summed medians of the phases of these kinds, 0 for a method without such a phase."""
        out = []
        for cell in self.cells:
            names = [n for kind in kinds for n in phase_names(cell, kind)]
            out.append(cell.require_timing().phase_ms(*names) if names else 0.0)
        return np.array(out)

    def undisturbed_ms(self) -> Array:
        """Lower quartile of a step."""
        return np.array([cell.require_timing().quartiles_ms[0] for cell in self.cells])

    def undisturbed_phase_ms(self, kind: str) -> Array:
        """Lower quartile of the phases of a kind."""
        return np.array([cell.require_timing().undisturbed_phase_ms(*phase_names(cell, kind)) for cell in self.cells])

    def phase_share(self, kind: str) -> Array:
        """The phases' part of a step."""
        names = [phase_names(cell, kind) for cell in self.cells]
        return np.array([cell.require_timing().phase_share(*n) if n else 0.0 for cell, n in zip(self.cells, names)])

    def overhead_over_solve(self) -> Array:
        """(rotation + assembly) / solve."""
        return np.array(
            [
                cell.require_timing().phase_ratio(
                    phase_names(cell, ROTATION) + phase_names(cell, ASSEMBLY), phase_names(cell, SOLVE)
                )
                for cell in self.cells
            ]
        )

    def at(self, tetrahedra: float, values: Array) -> Measured:
        """`values` at a size, linear in log–log between the two neighbouring sizes."""
        low, high = self.tetrahedra[0], self.tetrahedra[-1]
        if not low <= tetrahedra <= high:
            raise MissingData(f"{M.experiment}: {tetrahedra:g} tetrahedra lie outside the measured {low:g} … {high:g}")
        right = int(np.searchsorted(self.tetrahedra, tetrahedra))
        if self.tetrahedra[right] == tetrahedra:
            return Measured(float(values[right]))
        value = np.exp(np.interp(np.log(tetrahedra), np.log(self.tetrahedra), np.log(values)))
        return Measured(
            float(value),
            f"interpolated between {self.tetrahedra[right - 1]:,} and {self.tetrahedra[right]:,} tetrahedra",
        )


def curve(data: ExperimentData, row: str) -> Curve:
    """Milliseconds per step against tetrahedra of a row."""
    return curve_of(row_cells(data, row), row)


def curve_of(cells: list[Trace], row: str) -> Curve:
    """The same of the completed cells of a row, by size."""
    cells = [c for c in cells if c.timing is not None and c.tetrahedra]
    if not cells:
        raise MissingData(f"{M.experiment}: no timed cell of row {row}; run `deformbench time {M.experiment}`")
    return Curve(
        cells, np.array([c.tetrahedra for c in cells]), np.array([c.require_timing().median_ms for c in cells])
    )


def exponent(tetrahedra: Array, ms: Array) -> float:
    """Least-squares slope of log(ms) against log(tetrahedra)."""
    if len(tetrahedra) < 3:
        raise MissingData(f"{M.experiment}: {len(tetrahedra)} sizes; a slope needs three")
    if np.any(ms <= 0):
        raise MissingData(f"{M.experiment}: a time of zero has no logarithm")
    return float(np.polyfit(np.log(tetrahedra), np.log(ms), 1)[0])


def _paper_range(c: Curve) -> Array:
    """Sizes up to the first one beyond the paper's axis, as the paper's figure shows."""
    return np.asarray(c.tetrahedra <= 6860)


def _mid_range(c: Curve) -> Array:
    return np.asarray((c.tetrahedra >= 1000) & (c.tetrahedra <= 20000))


def _exponent(row: str, words: str) -> None:
    @M(f"{row}_exponent", timing=True, of=words)
    def _slope(data: ExperimentData) -> float:
        """Log–log slope of the time per step against the number of tetrahedra up to 6,860, 20 plain CG iterations."""
        c = curve(data, row)
        return exponent(c.tetrahedra[_paper_range(c)], c.undisturbed_ms()[_paper_range(c)])


def _ratio_at_5000(slow: str, fast: str, words: str) -> Callable[[ExperimentData], Measured]:
    def ratio(data: ExperimentData) -> Measured:
        """Time per step relative to that of another method with as many CG iterations, at 5,000 tetrahedra."""
        above, below = (c.at(PAPER_TETRAHEDRA, c.undisturbed_ms()) for c in (curve(data, slow), curve(data, fast)))
        return Measured(above.value / below.value, above.note)

    M(f"{slow}_over_{fast}_at_5000", timing=True, of=words)(ratio)
    return ratio


_exponent("linear", "linear FEM")
_exponent("warped", "warped FEM")
warped_over_linear_at_5000 = _ratio_at_5000("warped", "linear", "warped over linear FEM")
naive_over_warped_at_5000 = _ratio_at_5000(
    "naive", "warped", "`naive_eigen`, written with Eigen in the obvious way, over warped FEM"
)
reuse_over_warped_at_5000 = _ratio_at_5000(
    "reuse", "warped", "`reuse_eigen`, written with Eigen, one sparsity pattern, reused, over warped FEM"
)


@M("overhead_over_solve_at_5000", timing=True)
def overhead_over_solve_at_5000(data: ExperimentData) -> Measured:
    """(rotation + assembly) / solve of a warped step at 5,000 tetrahedra, 20 plain CG iterations."""
    c = curve(data, "warped")
    return c.at(PAPER_TETRAHEDRA, c.overhead_over_solve())


@M("iterations_at_equal", timing=True)
def iterations_at_equal(data: ExperimentData) -> Measured:
    """Number of CG iterations at which the solve of a warped step takes as long as rotation and assembly, at 5,000
    tetrahedra."""
    c = curve(data, "warped")
    return c.at(PAPER_TETRAHEDRA, PAPER_ITERATIONS * c.overhead_over_solve())


@M("assembly_exponent", timing=True)
def assembly_exponent(data: ExperimentData) -> float:
    """Log–log slope of the time of assembling the warped matrix against the number of tetrahedra, from 1,000 to
    20,000."""
    c = curve(data, "warped")
    keep = _mid_range(c)
    return exponent(c.tetrahedra[keep], c.undisturbed_phase_ms(ASSEMBLY)[keep])


@M("tets_at_33ms", timing=True)
def tets_at_33ms(data: ExperimentData) -> Measured:
    """Number of tetrahedra whose warped step takes 33 ms (30 frames per second), one thread, double precision."""
    c = curve(data, "warped")
    order = np.argsort(c.step_ms)
    logs, sizes = np.log(c.step_ms[order]), np.log(c.tetrahedra[order])
    target = np.log(FRAME_MS)
    if target <= logs[-1]:
        return Measured(float(np.exp(np.interp(target, logs, sizes))), "interpolated")
    if len(c.cells) < 3:
        raise MissingData(f"{M.experiment}: every size stays below {FRAME_MS:g} ms, and two sizes do not give a slope")
    slope, offset = np.polyfit(logs[-3:], sizes[-3:], 1)
    return Measured(
        float(np.exp(slope * target + offset)),
        f"extrapolated beyond {c.tetrahedra[-1]:,} tetrahedra ({c.step_ms[-1]:.3g} ms)",
    )


def _of_steps(cell: Trace, channel: str) -> Array:
    """The channel's rows except step 0, the start."""
    series = cell.series("step", channel)
    values = np.asarray(series.values[series.step > 0])
    if values.size == 0:
        raise cell.missing(f"no step recorded in step/{channel}")
    return values


def _per_step(data: ExperimentData, row: str, channel: str) -> list[float]:
    """Mean count per step, from counters that report each step's count, without step 0 (the start)."""
    cells = row_cells(data, row)
    if not cells:
        raise MissingData(f"{M.experiment}: no completed cell of row {row}")
    return [float(_of_steps(cell, channel).mean()) for cell in cells]


@M("linear_assemblies_per_step")
def linear_assemblies_per_step(data: ExperimentData) -> float:
    """Largest mean number of matrix assemblies per step over all sizes, linear FEM."""
    return float(np.max(_per_step(data, "linear", "assemblies")))


@M("warped_assemblies_per_step")
def warped_assemblies_per_step(data: ExperimentData) -> float:
    """Mean number of matrix assemblies per step, warped FEM; the size farthest from 1."""
    return max(_per_step(data, "warped", "assemblies"), key=lambda v: abs(v - 1))


@M("solves_per_step")
def solves_per_step(data: ExperimentData) -> float:
    """Mean number of linear solves per step, linear and warped FEM; the size farthest from 1."""
    return max(_per_step(data, "linear", "solves") + _per_step(data, "warped", "solves"), key=lambda v: abs(v - 1))

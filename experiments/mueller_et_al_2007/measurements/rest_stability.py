# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/rest_stability: a cloth that starts a nanometre from rest, in every order of the
sweep, against the eigenvalues of its linearised step."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from deformbench_analysis.linearised_sweep import bend_mode, stretch_radius
from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Rows, Trace
from deformbench_analysis.vocabulary import extremes, quantity, rows
from .cloth_stability import start_energy

EXPERIMENT = "mueller_et_al_2007/rest_stability"
M = Measures(EXPERIMENT)
UNSTABLE = 1.0  # times the start: a disturbance that ends larger than it began
MARGIN = 1e-6  # above 1: rigid motions have a double eigenvalue 1, which 1e-15 rounding shifts by ~1e-7
LINEAR = 1e-4  # m, up to which the growth is compared: slopes of 2e-3 on edges of 5 cm change it by their squares


def deviation(trace: Trace) -> Array:
    """Largest distance of a vertex from rest / that at the start, every step."""
    values = trace.values("step", "max_displacement")
    return np.asarray(values / values[0])


def final_deviation(trace: Trace) -> float:
    """Distance from rest in the last hundred steps / that at the start,
    infinite for a run that did not complete."""
    values = deviation(trace)[-100:]
    return float(values.max()) if trace.status == "completed" and np.isfinite(values).all() else np.inf


@dataclass(frozen=True)
class Growth:
    """Growth factors per step: of the largest eigenvalue, of its mode in the run (NaN if stable), and in the
    plane."""

    factor: float
    in_run: float
    in_plane: float

    @property
    def largest(self) -> float:
        """The larger of the two factors, in the plane and out of it."""
        return float(np.max([self.factor, self.in_plane]))

    @property
    def is_unstable(self) -> bool:
        """Whether a step makes a disturbance grow, in the plane or out of it, by more than the margin."""
        return self.largest > 1 + MARGIN


@lru_cache(maxsize=None)
def _growth(path: Path) -> Growth:
    trace = Trace(path)
    mode, in_plane = bend_mode(trace), stretch_radius(trace)
    if abs(mode.factor) <= 1 + MARGIN:
        return Growth(abs(mode.factor), np.nan, in_plane)
    positions, velocities = trace.series("frame", "positions"), trace.values("frame", "velocities")
    rest, dt = trace.scene("rest_positions"), trace.number("time_step_s")
    moved = positions.values - rest
    within = np.abs(moved).max(axis=(1, 2)) < LINEAR  # false for what is not finite
    last = len(within) - 1 if within.all() else int(np.argmin(within)) - 1
    if last < 1:
        raise MissingData(
            f"{EXPERIMENT}: {trace.label}: two frames within {LINEAR} m of rest expected, found {last + 1}"
        )
    ratio = mode.amplitude(moved[last], dt * velocities[last]) / mode.amplitude(moved[0], dt * velocities[0])
    return Growth(abs(mode.factor), float(ratio ** (1 / (positions.step[last] - positions.step[0]))), in_plane)


def growth(trace: Trace) -> Growth:
    """Growth per step, for sweeps in list order or symmetric ones (forward, then backward).

    MissingData if the run leaves the linear range before its second frame."""
    return _growth(trace.path)


@quantity("largest kinetic energy / that of the disturbance at the start, infinite for a run that did not complete")
def energy_ratio(trace: Trace) -> float:
    """Without gravity."""
    if trace.status != "completed":
        return np.inf
    return float(trace.values("step", "kinetic_energy").max()) / start_energy(trace)


departure = quantity("distance that a vertex at rest moves without any disturbance", unit="m")(
    lambda c: c.values("step", "max_displacement")
)
ORDERS = {
    row: rows(row, says=f"{row} sweeps").however_ended("a run that did not complete is unstable")
    for row in ("forward", "coloured", "random", "symmetric")
}
for row, runs in ORDERS.items():
    M.largest(f"{row}_final_deviation", final_deviation, runs)
largest_departure = M.largest("largest_departure", departure, ORDERS["forward"])


def growth_factor_of(data: ExperimentData, row: str) -> Measured:
    """Largest eigenvalue modulus, with its cell and the number of cells above 1."""
    found = {c.label: growth(c).largest for c in ORDERS[row].runs(data)}
    worst = extremes.at_largest(found)
    return Measured(found[worst], f"{worst}; above 1 in {sum(v > 1 + MARGIN for v in found.values())} of {len(found)}")


for row in ("forward", "symmetric"):
    M.largest(f"{row}_energy_ratio", energy_ratio, ORDERS[row])

    @M(f"{row}_growth_factor", of=f"order {row}")
    def growth_factor(data: ExperimentData, row: str = row) -> Measured:
        """Largest eigenvalue modulus of the linearised step, out of and in the plane of the cloth, all bending
        stiffnesses and numbers of iterations."""
        return growth_factor_of(data, row)

    @M(f"{row}_unstable", of=f"order {row}")
    def unstable_count(data: ExperimentData, runs: Rows = ORDERS[row]) -> Measured:
        """Number of runs whose linearised step has an eigenvalue of modulus above 1 by more than rounding."""
        cells = runs.runs(data)
        found = [c.label for c in cells if growth(c).is_unstable]
        return Measured(float(len(found)), f"of {len(cells)}; " + "; ".join(found[:3]))


@M("growth_error")
def growth_error(data: ExperimentData) -> Measured:
    """Largest |growth per step of the fastest mode in a run − its eigenvalue|, forward sweeps, runs with an
    out-of-plane eigenvalue above 1."""
    found = {
        c.label: abs(growth(c).in_run - growth(c).factor)
        for c in ORDERS["forward"].runs(data)
        if growth(c).factor > 1 + MARGIN
    }
    if not found:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: no cell is unstable by its eigenvalues")
    worst = extremes.at_largest(found)
    return Measured(found[worst], f"{worst}; {len(found)} cells")

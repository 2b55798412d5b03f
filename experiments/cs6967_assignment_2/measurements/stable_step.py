# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/stable_step: the largest stable explicit step of meshes at rest, bracketed by runs."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from deformbench_analysis import extremes
from deformbench_analysis.errors import MissingData
from deformbench_analysis.explicit_steps import grows, highest_frequency, pressure_wave_speed, step
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/stable_step"
FRAMES_PER_SECOND = 30.0


@dataclass(frozen=True)
class Bracket:
    """Of one mesh and stiffness."""

    stable: float  # s, the largest step that does not grow
    unstable: float  # s, the smallest that does
    cell: Trace  # any of its runs

    @property
    def limit(self) -> float:
        """The middle, s."""
        return (self.stable + self.unstable) / 2

    @property
    def cell_size(self) -> float:
        """h, m."""
        return float(self.cell.value("scene.parameters.side_m")) / float(
            self.cell.value("scene.parameters.cells_across")
        )

    @property
    def courant(self) -> float:
        """Δt_c c_p/h."""
        return self.limit * pressure_wave_speed(self.cell) / self.cell_size

    @property
    def steps_per_frame(self) -> float:
        """Of the largest stable step, in a thirtieth of a second; infinite where none is."""
        return 1 / (FRAMES_PER_SECOND * self.stable) if self.stable > 0 else math.inf


def brackets(data: ExperimentData) -> list[Bracket]:
    """Of every mesh and stiffness: from 0 where no run stayed, to infinity where none grew. MissingData where a larger step
    stayed than one that grew."""
    groups: dict[tuple[str, ...], list[Trace]] = defaultdict(list)
    for cell in data.some(status=None):
        if cell.status not in ("completed", "diverged"):
            raise MissingData(f"{cell.label}: {cell.status}")
        names = ("split", "jitter", "young_modulus_pa", "cells_across")
        groups[tuple(str(cell.value(f"scene.parameters.{n}")) for n in names)].append(cell)
    found = []
    for name, cells in groups.items():
        growing = [step(c) for c in cells if grows(c)]
        staying = [step(c) for c in cells if not grows(c)]
        stable, unstable = max(staying, default=0.0), min(growing, default=math.inf)
        if unstable < stable:
            raise MissingData(f"{', '.join(name)}: no limit between {sorted(staying)} and {sorted(growing)} s")
        found.append(Bracket(stable, unstable, cells[0]))
    return found


def of_alternating(bracket: Bracket) -> bool:
    """Regular cells of five tetrahedra."""
    split = bracket.cell.value("scene.parameters.split")
    return split == "alternating_five" and float(bracket.cell.value("scene.parameters.jitter")) == 0.0


@measurement("stable_step.largest_stable", unit="1", experiment=EXPERIMENT)
def largest_stable(data: ExperimentData) -> Measured:
    """Largest stable step over 2/ω_max, ω_max of the mesh at rest by the judge, least of all meshes and stiffnesses."""
    return extremes.least({b.cell: b.stable * highest_frequency(b.cell) / 2 for b in brackets(data)})


@measurement("stable_step.smallest_unstable", unit="1", experiment=EXPERIMENT)
def smallest_unstable(data: ExperimentData) -> Measured:
    """Smallest step that grows over 2/ω_max, ω_max of the mesh at rest by the judge, largest of all meshes and stiffnesses."""
    return extremes.largest({b.cell: b.unstable * highest_frequency(b.cell) / 2 for b in brackets(data)})


@measurement("stable_step.meshes", unit="1", experiment=EXPERIMENT)
def meshes(data: ExperimentData) -> float:
    """Number of meshes and stiffnesses whose limit is bracketed."""
    return float(len(brackets(data)))


@measurement("stable_step.courant_low", unit="1", experiment=EXPERIMENT)
def courant_low(data: ExperimentData) -> Measured:
    """Least Δt_c c_p/h of regular cells of five tetrahedra of side h, Δt_c the middle of the bracket, all stiffnesses."""
    return extremes.least({b.cell: b.courant for b in brackets(data) if of_alternating(b)})


@measurement("stable_step.courant_high", unit="1", experiment=EXPERIMENT)
def courant_high(data: ExperimentData) -> Measured:
    """Largest Δt_c c_p/h of regular cells of five tetrahedra of side h, Δt_c the middle of the bracket, all stiffnesses."""
    return extremes.largest({b.cell: b.courant for b in brackets(data) if of_alternating(b)})


@measurement("stable_step.steps_per_frame", unit="1", experiment=EXPERIMENT)
def steps_per_frame(data: ExperimentData) -> Measured:
    """Least number of stable steps in a thirtieth of a second, all meshes and stiffnesses."""
    return extremes.least({b.cell: b.steps_per_frame for b in brackets(data)})


@measurement("stable_step.stiffest_steps_per_frame", unit="1", experiment=EXPERIMENT)
def stiffest_steps_per_frame(data: ExperimentData) -> Measured:
    """Largest number of stable steps in a thirtieth of a second, all meshes and stiffnesses."""
    return extremes.largest({b.cell: b.steps_per_frame for b in brackets(data)})

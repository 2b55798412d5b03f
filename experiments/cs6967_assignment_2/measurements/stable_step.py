# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/stable_step: the largest stable explicit step of meshes at rest,
bracketed by runs."""

import math
from dataclasses import dataclass

from deformbench_analysis.explicit_steps import grows, highest_frequency, pressure_wave_speed, step
from deformbench_analysis.vocabulary import Measures, MissingData, Quantity, Trace, quantity, rows

M = Measures("cs6967_assignment_2/stable_step")
FRAMES_PER_SECOND = 30.0


@dataclass(frozen=True)
class Bracket:
    """Bracket of the stable step for one mesh and stiffness."""

    stable: float  # s, the largest stable step; 0 if none is
    unstable: float  # s, the smallest unstable one; infinite if none
    cell: Trace  # any of its runs

    @property
    def courant(self) -> float:
        """Δt_c c_p/h, Δt_c the mean."""
        side, cells = (self.cell.number(n) for n in ("side_m", "cells_across"))
        return (self.stable + self.unstable) / 2 * pressure_wave_speed(self.cell) / (side / cells)

    @property
    def steps_per_frame(self) -> float:
        """Number of largest stable steps in 1/30 s; infinite if none is stable."""
        return 1 / (FRAMES_PER_SECOND * self.stable) if self.stable > 0 else math.inf


def bracket(*cells: Trace) -> Bracket:
    """MissingData if a step above an unstable one is stable."""
    return Bracket(*limits(*cells), cells[0])


def limits(*cells: Trace) -> tuple[float, float]:
    """Largest stable step (0 if none) and smallest growing one (infinite if none), s.

    For runs that differ in the step alone."""
    for cell in cells:
        if cell.status not in ("completed", "diverged"):
            raise MissingData(f"{cell.label}: {cell.status}")
    growing, staying = [step(c) for c in cells if grows(c)], [step(c) for c in cells if not grows(c)]
    stable, unstable = max(staying, default=0.0), min(growing, default=math.inf)
    if unstable < stable:
        raise MissingData(f"{cells[0].label}: no limit between {sorted(staying)} and {sorted(growing)} s")
    return stable, unstable


def mesh(trace: Trace) -> str:
    """Mesh and stiffness."""
    names = ("split", "jitter", "young_modulus_pa", "cells_across")
    return ", ".join(str(trace.value(f"scene.parameters.{n}")) for n in names)


def _is_alternating(trace: Trace) -> bool:
    split = trace.value("scene.parameters.split")
    return split == "alternating_five" and trace.number("jitter") == 0.0


def _is_bracketed(*cells: Trace) -> bool:
    """Whose limit is bracketed."""
    found = bracket(*cells)
    return found.stable > 0 and found.unstable < math.inf


def _over_limit(phrase: str, end: str) -> Quantity:
    """In units of 2/ω_max of the rest mesh, by the judge."""
    return Quantity(
        lambda *cells: getattr(bracket(*cells), end) * highest_frequency(cells[0]) / 2,
        f"{phrase} / (2/ω_max), ω_max of the mesh at rest by the judge",
    )


COURANT = quantity("Δt_c c_p/h, Δt_c the mean of the largest stable and smallest unstable step")(
    lambda *cells: bracket(*cells).courant
)
STEPS = quantity("stable steps in a thirtieth of a second")(lambda *cells: bracket(*cells).steps_per_frame)
ENDS = "one that diverges has too large a step"
MESHES = rows(says="meshes and stiffnesses").however_ended(ENDS).grouped(mesh, says="")
ALTERNATING = (
    rows(says="regular cells of side h").however_ended(ENDS).where(_is_alternating, says="").grouped(mesh, says="")
)

M.least("largest_stable", _over_limit("largest stable step", "stable"), MESHES)
M.largest("smallest_unstable", _over_limit("smallest unstable step", "unstable"), MESHES)
M.count("meshes", MESHES.having(_is_bracketed), definition="Number of meshes and stiffnesses with a bracketed limit.")
M.least("courant_low", COURANT, ALTERNATING)
M.largest("courant_high", COURANT, ALTERNATING)
M.least("steps_per_frame", STEPS, MESHES)
M.largest("stiffest_steps_per_frame", STEPS, MESHES)

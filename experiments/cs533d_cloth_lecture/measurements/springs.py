# SPDX-License-Identifier: BSD-3-Clause
"""Shared by measurements of springs: lengths, strains and stresses from stored positions and forces, never from
the method's state. Stresses are relative to the modulus, strains to the original length."""

from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import Array, MissingData, Trace, extremes


@dataclass(frozen=True)
class Springs:
    """The springs of a scene, as they were made."""

    ends: Array  # [spring, 2]
    lengths: Array  # m
    stiffnesses: Array  # N/m

    @property
    def forces_at_unit_strain(self) -> Array:
        """Modulus times cross-section of each, N."""
        return np.asarray(self.lengths * self.stiffnesses)

    def strains(self, positions: Array) -> Array:
        """[…, spring]: length over the original length, minus 1."""
        along = positions[..., self.ends[:, 1], :] - positions[..., self.ends[:, 0], :]
        return np.asarray(np.linalg.norm(along, axis=-1) / self.lengths - 1)


def springs_of(trace: Trace) -> Springs:
    """The springs of a scene."""
    ends = trace.scene("constraint_vertices")[:, :2]
    return Springs(ends, trace.scene("constraint_rest_values"), 1 / trace.scene("constraint_compliance"))


def driven_path(trace: Trace) -> tuple[Array, Array]:
    """Strain and stress / modulus of a single driven spring, a value for each stored step,
    by the force on its far end."""
    springs = springs_of(trace)
    if len(springs.lengths) != 1:
        raise MissingData(f"{trace.label}: one spring was expected, {len(springs.lengths)} are there")
    positions = extremes.finite(trace.values("step", "positions"), trace.label)
    forces = extremes.finite(trace.values("step", "elastic_forces"), trace.label)
    return springs.strains(positions)[:, 0], -forces[:, springs.ends[0, 1], 0] / springs.forces_at_unit_strain[0]

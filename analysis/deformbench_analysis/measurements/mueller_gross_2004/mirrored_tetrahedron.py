# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/mirrored_tetrahedron: a reflection holds it, a rotation pushes it back (erratum B-IVM-8)."""

from __future__ import annotations

from ...measurement import measurement
from ...results import ExperimentData

EXPERIMENT = "mueller_gross_2004/mirrored_tetrahedron"


def start_force(data: ExperimentData, name: str) -> float:
    """Largest elastic force at the start over E times the squared edge."""
    cell = data.one(name=name)
    scale = float(cell.value("scene.parameters.young_modulus_pa")) * float(cell.value("scene.parameters.edge_m")) ** 2
    return float(cell.values("step", "max_elastic_force")[0]) / scale


@measurement("mirrored_tetrahedron.printed_force", unit="1", experiment=EXPERIMENT)
def printed_force(data: ExperimentData) -> float:
    """Largest elastic force on the mirrored tetrahedron over E h², h the edge length, R a reflection, as printed."""
    return start_force(data, "as_printed")


@measurement("mirrored_tetrahedron.corrected_force", unit="1", experiment=EXPERIMENT)
def corrected_force(data: ExperimentData) -> float:
    """Largest elastic force on the mirrored tetrahedron over E h², h the edge length, R a rotation."""
    return start_force(data, "corrected")

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/calculix_cantilever: linear elements against CalculiX's
(reference_data/calculix)."""

from typing import Any

import numpy as np

from deformbench_analysis.calculix import cases, corners, displacements
from deformbench_analysis.vocabulary import EVERY_RUN, ExperimentData, Measures, MissingData, Trace

M = Measures("mueller_gross_2004/calculix_cantilever")


def case_of(trace: Trace) -> dict[str, Any]:
    """The entry of cases.json with the run's mesh, material and forces; MissingData when there is none."""

    def value(name: str) -> Any:
        return trace.value(f"scene.parameters.{name}")

    across, force = int(value("cells_across")), [float(f) for f in value("tip_vertex_force_n")]
    wanted = {
        "cells": [int(value("cells_along")), across, across],
        "size_m": [float(value("length_m")), float(value("side_m")), float(value("side_m"))],
        "material": {
            "young_modulus_pa": float(value("young_modulus_pa")),
            "poisson_ratio": float(value("poisson_ratio")),
        },
        "nlgeom": False,
    }
    for case in cases().values():
        if all(case.get(k) == v for k, v in wanted.items()):
            expected = np.zeros(3)
            expected[int(case["tip_force_axis"])] = float(case["force_per_tip_vertex_n"])
            if np.array_equal(expected, force):
                return case
    raise trace.missing("CalculiX has no case with this mesh, material and force")


def difference(trace: Trace) -> float:
    """Largest component of |u − u_CalculiX| / largest component of |u_CalculiX|."""
    case = case_of(trace)
    theirs = displacements(case["id"])
    if not np.array_equal(corners(str(case["id"])), trace.scene("tetrahedra")):
        raise trace.missing(f"the deck of {case['id']} has other elements")
    ours = trace.values("frame", "positions")[-1] - trace.scene("rest_positions")
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max())


M.largest("displacement_difference", difference)


@M("meshes")
def meshes(data: ExperimentData) -> float:
    """Number of meshes compared with CalculiX."""
    return float(len([difference(c) for c in EVERY_RUN.runs(data)]))

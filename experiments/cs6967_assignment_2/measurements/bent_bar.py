# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/bent_bar: displacements beside those of another program (reference_data/total_lagrangian)."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from deformbench_analysis.arrays import Array
from deformbench_analysis.calculix import corners
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import measurement
from deformbench_analysis.paths import project_root
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

EXPERIMENT = "cs6967_assignment_2/bent_bar"
CASE = "bent_bar_st_venant_kirchhoff"


@cache
def reference() -> dict[str, Any]:
    """The other program's result."""
    path = project_root() / f"reference_data/total_lagrangian/results/{CASE}.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def displacements() -> Array:
    """Of every vertex, as the other program found them, m."""
    return np.array(reference()["displacements_m"], dtype=float)


def require_same_mesh(trace: Trace) -> None:
    """MissingData where the run has another mesh, Poisson's ratio or force than the other program."""
    modulus, poisson = reference()["constants"]
    force = json.loads((project_root() / "reference_data/calculix/cases.json").read_text(encoding="utf-8"))["cases"]
    case = next(c for c in force if c["id"] == CASE)
    expected = [0.0, 0.0, 0.0]
    expected[int(case["tip_force_axis"])] = float(case["force_per_tip_vertex_n"])
    same = (
        np.array_equal(corners(str(reference()["deck"])), trace.scene("tetrahedra"))
        and float(trace.value("scene.parameters.poisson_ratio")) == poisson
        and list(trace.value("scene.parameters.tip_vertex_force_n")) == expected
        and float(trace.value("scene.parameters.young_modulus_pa")) in (modulus, modulus / 2)
    )
    if not same:
        raise MissingData(f"{EXPERIMENT}: {trace.label}: the other program has solved another case")


def difference(trace: Trace) -> float:
    """Largest difference of a displacement from the other program's, over its largest."""
    require_same_mesh(trace)
    theirs = displacements()
    ours = trace.values("frame", "positions")[-1] - trace.scene("rest_positions")
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max())


def run(data: ExperimentData, name: str, share: float) -> Trace:
    """The run of one strain whose modulus is this share of the other program's."""
    modulus = share * reference()["constants"][0]
    return data.one(name=name, where={"scene.parameters.young_modulus_pa": modulus})


@measurement("bent_bar.corrected_difference", unit="1", experiment=EXPERIMENT)
def corrected_difference(data: ExperimentData) -> float:
    """Largest difference of a displacement from those of an independent program on the same mesh, over its largest; strain
    ½(FᵀF − I)."""
    return difference(run(data, "corrected", 1.0))


@measurement("bent_bar.printed_difference", unit="1", experiment=EXPERIMENT)
def printed_difference(data: ExperimentData) -> float:
    """Largest difference of a displacement from those of an independent program on the same mesh, over its largest; strain
    FᵀF − I as printed, the same E."""
    return difference(run(data, "as_printed", 1.0))


@measurement("bent_bar.printed_half_modulus_difference", unit="1", experiment=EXPERIMENT)
def printed_half_modulus_difference(data: ExperimentData) -> float:
    """Largest difference of a displacement from those of an independent program on the same mesh, over its largest; strain
    FᵀF − I as printed, half of its E."""
    return difference(run(data, "as_printed", 0.5))


@measurement("bent_bar.deflection", unit="1", experiment=EXPERIMENT)
def deflection(data: ExperimentData) -> float:
    """Largest displacement over the bar's length, strain ½(FᵀF − I)."""
    trace = run(data, "corrected", 1.0)
    moved = np.abs(trace.values("frame", "positions")[-1] - trace.scene("rest_positions")).max()
    return float(moved) / float(trace.value("scene.parameters.length_m"))

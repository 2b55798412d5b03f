# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/table_1: the three models with the printed numbers."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from deformbench_analysis.vocabulary import ExperimentData, Measured, Measures, MissingData, Trace, extremes
from .condition_number import change_since_start

M = Measures("mueller_gross_2004/table_1")
PRINTED_NAME = {"snake": "snake", "quadruped": "cow", "cow": "cow", "dragon": "dragon", "dragon_10k": "dragon"}


@cache
def table() -> dict[str, Any]:
    """Table 1 as published."""
    path = Path(__file__).parents[1] / "published.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))["table_1"])


def printed(model: str, quantity: str) -> float:
    """A number of the table, by column and row; MissingData where nothing is printed."""
    value = table()["columns"][model][table()["rows"].index(quantity)]
    if value is None:
        raise MissingData(f"Table 1 prints no {quantity} for the {model}")
    return float(value)


def column(trace: Trace) -> str:
    """The table's name of a model; file names may have a path and an ending."""
    name = str(trace.value("scene.parameters.model")).rsplit("/", 1)[-1].removesuffix(".obj")
    if name not in PRINTED_NAME:
        raise MissingData(f"{M.experiment}: model {name} stands in for none of {', '.join(table()['columns'])}")
    return PRINTED_NAME[name]


def models(data: ExperimentData) -> dict[str, Trace]:
    """Completed runs by the table's columns."""
    return {column(c): c for c in data.some()}


def skin_triangles(trace: Trace) -> int:
    """Triangles of the embedded surface; MissingData when there is none."""
    shape = trace.scene_shape("skin_triangles")
    if shape is None:
        raise trace.missing("no surface")
    return int(shape[0])


def _worst_count(data: ExperimentData, quantity: str, count: dict[str, int]) -> Measured:
    errors = [abs(n / printed(m, quantity) - 1) for m, n in count.items()]
    return Measured(np.max(errors), ", ".join(f"{m} {n}" for m, n in count.items()))


@M("tetrahedra_error")
def tetrahedra_error(data: ExperimentData) -> Measured:
    """Largest |tetrahedra / printed − 1| of the three models."""
    return _worst_count(data, "tetrahedra", {m: int(c.tetrahedra or 0) for m, c in models(data).items()})


@M("triangles_error")
def triangles_error(data: ExperimentData) -> Measured:
    """Largest |surface triangles / printed − 1| of the three models."""
    return _worst_count(data, "triangles", {m: skin_triangles(c) for m, c in models(data).items()})


@M("completed")
def completed(data: ExperimentData) -> float:
    """Number of models that ran to their end."""
    return float(len(models(data)))


# Row of the table → where a run has it. The density is measured: mass / volume of the traced mesh.
RUN_AT = {
    "young_modulus_pa": "scene.parameters.young_modulus_pa",
    "poisson_ratio": "scene.parameters.poisson_ratio",
    "yield_stress_pa": "method.parameters.fracture_threshold_pa",
    "plastic_yield": "method.parameters.plastic_yield",
    "plastic_creep_1_s": "method.parameters.plastic_creep_per_s",
    "plastic_max": "method.parameters.plastic_max",
}


def density(trace: Trace) -> float:
    """Mass / volume of the mesh at rest, kg/m³."""
    corners = trace.scene("rest_positions")[trace.scene("tetrahedra")]
    return float(trace.scene("masses").sum() / (np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1])).sum() / 6))


def _relative(run: float, wanted: float) -> float:
    return abs(run - wanted) / (abs(wanted) or 1.0)


@M("parameter_error")
def parameter_error(data: ExperimentData) -> Measured:
    """Largest relative difference of E, ν, ρ, threshold, yield, creep and cap of a run from the numbers that Table 1
    prints, all models."""
    errors = {}
    for model, trace in models(data).items():
        errors[f"{model} density"] = _relative(density(trace), printed(model, "density_kg_m3"))
        for quantity, path in RUN_AT.items():
            if table()["columns"][model][table()["rows"].index(quantity)] is not None:
                errors[f"{model} {quantity}"] = _relative(float(trace.value(path)), printed(model, quantity))
    worst = extremes.at_largest(errors)
    return Measured(errors[worst], f"{len(errors)} numbers, worst {worst}")


@M("volume_ratio_min")
def volume_ratio_min(data: ExperimentData) -> Measured:
    """Smallest V/V0 of any row of the three models; negative if inverted."""
    ratios = {
        m: float((c.values("step", "volume") / c.values("step", "volume")[0]).min()) for m, c in models(data).items()
    }
    worst = extremes.at_least(ratios)
    return Measured(ratios[worst], ", ".join(f"{m} {v:.3g}" for m, v in ratios.items()))


@M("inverted_share_max")
def inverted_share_max(data: ExperimentData) -> Measured:
    """Largest share of inverted elements of any row, three models."""
    shares = {
        m: float(c.values("step", "inverted_elements").max()) / int(c.tetrahedra or 1) for m, c in models(data).items()
    }
    worst = extremes.at_largest(shares)
    return Measured(shares[worst], ", ".join(f"{m} {v:.3g}" for m, v in shares.items()))


@M("condition_number_max")
def condition_number_max(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix, three models."""
    values = {m: float(np.max(c.values("operator", "condition_number"))) for m, c in models(data).items()}
    worst = extremes.at_largest(values)
    return Measured(values[worst], ", ".join(f"{m} {v:.4g}" for m, v in values.items()))


M.largest("condition_change", change_since_start)

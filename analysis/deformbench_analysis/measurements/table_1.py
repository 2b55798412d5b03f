# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/table_1: the three models with the printed numbers."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from ..errors import MissingData
from ..measurement import Measured, measurement
from ..paths import project_root
from ..results import ExperimentData
from ..trace import Trace

EXPERIMENT = "mueller_gross_2004/table_1"
PRINTED_NAME = {"snake": "snake", "quadruped": "cow", "cow": "cow", "dragon": "dragon", "dragon_10k": "dragon"}


@cache
def table() -> dict[str, Any]:
    path = project_root() / "reference_data" / "published" / "mueller_gross_2004.json"
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
        raise MissingData(f"{EXPERIMENT}: model {name} stands in for none of {', '.join(table()['columns'])}")
    return PRINTED_NAME[name]


def models(data: ExperimentData) -> dict[str, Trace]:
    """Completed runs by the table's columns."""
    return {column(c): c for c in data.some()}


def skin_triangles(trace: Trace) -> int:
    shape = trace.scene_shape("skin_triangles")
    if shape is None:
        raise MissingData(f"{EXPERIMENT}: {trace.label}: no surface")
    return int(shape[0])


def _worst_count(data: ExperimentData, quantity: str, count: dict[str, int]) -> Measured:
    errors = {m: n / printed(m, quantity) - 1 for m, n in count.items()}
    worst = max(errors, key=lambda m: abs(errors[m]))
    return Measured(abs(errors[worst]), ", ".join(f"{m} {n}" for m, n in count.items()))


@measurement("table_1.tetrahedra_error", unit="1", experiment=EXPERIMENT)
def tetrahedra_error(data: ExperimentData) -> Measured:
    """Largest |tetrahedra / printed − 1| of the three models."""
    return _worst_count(data, "tetrahedra", {m: int(c.tetrahedra or 0) for m, c in models(data).items()})


@measurement("table_1.triangles_error", unit="1", experiment=EXPERIMENT)
def triangles_error(data: ExperimentData) -> Measured:
    """Largest |surface triangles / printed − 1| of the three models."""
    return _worst_count(data, "triangles", {m: skin_triangles(c) for m, c in models(data).items()})


@measurement("table_1.completed", unit="1", experiment=EXPERIMENT)
def completed(data: ExperimentData) -> float:
    """Models that ran to their end."""
    return float(len(models(data)))


def creep_times_step(trace: Trace) -> float:
    return float(trace.value("method.parameters.plastic_creep_per_s")) * float(trace.value("scene.parameters.time_step_s"))


@measurement("table_1.cow_absorbed_share", unit="1", experiment=EXPERIMENT)
def cow_absorbed_share(data: ExperimentData) -> float:
    """c Δt of the cow: the share of the elastic strain that one step absorbs."""
    if "cow" not in models(data):
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: the cow did not complete")
    return creep_times_step(models(data)["cow"])


@measurement("table_1.condition_number_max", unit="1", experiment=EXPERIMENT)
def condition_number_max(data: ExperimentData) -> Measured:
    """Largest condition number of the step's matrix, three models."""
    values = {m: float(np.max(c.values("operator", "condition_number"))) for m, c in models(data).items()}
    worst = max(values, key=lambda m: values[m])
    return Measured(values[worst], ", ".join(f"{m} {v:.4g}" for m, v in values.items()))


@measurement("table_1.ms_per_step_max", unit="ms", experiment=EXPERIMENT, timing=True)
def ms_per_step_max(data: ExperimentData) -> Measured:
    """Largest median time a step of the three models."""
    values = {m: c.require_timing().median_ms for m, c in models(data).items()}
    worst = max(values, key=lambda m: values[m])
    return Measured(values[worst], ", ".join(f"{m} {v:.3g} ms" for m, v in values.items()))

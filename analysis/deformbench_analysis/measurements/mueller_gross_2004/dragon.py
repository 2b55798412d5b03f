# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/dragon_heat and dragon_pull ([MG04] Fig. 9)."""

from __future__ import annotations

import numpy as np

from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .condition_number import largest_change
from .split_events import split_total
from .surfaces import open_edges

HEAT = "mueller_gross_2004/dragon_heat"
PULL = "mueller_gross_2004/dragon_pull"
PRINTED, CONTROL = "printed", "control"  # cold material of Table 1; material that flows everywhere


def hot_and_strained(data: ExperimentData, name: str) -> tuple[Array, Array]:
    """(ever heated up to the last frame, Frobenius norm of the plastic strain in it), one per element."""
    frames = data.one(name=name).frames()
    rows = [(frame["heated_elements"].astype(float) > 0, frame["element_plastic_strains"]) for _, _, frame in frames]
    if not rows:
        raise MissingData(f"{HEAT}: no frames")
    ever, last = np.any([heated for heated, _ in rows], axis=0), rows[-1][1]
    weights = np.array([1, 1, 1, 2, 2, 2], dtype=float)  # off the diagonal twice
    return ever, np.sqrt((last**2 * weights).sum(axis=1))


def largest_cold(data: ExperimentData, name: str) -> float:
    """Largest plastic strain of an element that was never heated."""
    ever, strain = hot_and_strained(data, name)
    if ever.all():
        raise MissingData(f"{HEAT}: {name}: every element was heated")
    return float(strain[~ever].max())


@measurement("dragon_heat.plastic_strain_cold", unit="1", experiment=HEAT)
def plastic_strain_cold(data: ExperimentData) -> float:
    """Largest plastic strain at the end of elements that no stored frame shows as heated."""
    return largest_cold(data, PRINTED)


@measurement("dragon_heat.control_plastic_strain_cold", unit="1", experiment=HEAT)
def control_plastic_strain_cold(data: ExperimentData) -> float:
    """Largest plastic strain at the end of elements that no stored frame shows as heated, cold material with the hot
    material's yield and creep: what would flow without a difference of material."""
    return largest_cold(data, CONTROL)


@measurement("dragon_heat.cold_yield", unit="1", experiment=HEAT)
def cold_yield(data: ExperimentData) -> float:
    """Plastic yield of the material that the source has not reached."""
    return float(data.one(name=PRINTED).value("method.parameters.plastic_yield"))


@measurement("dragon_heat.plastic_strain_hot", unit="1", experiment=HEAT)
def plastic_strain_hot(data: ExperimentData) -> float:
    """Largest plastic strain at the end of heated elements."""
    ever, strain = hot_and_strained(data, PRINTED)
    if not ever.any():
        raise MissingData(f"{HEAT}: no element was heated")
    return float(strain[ever].max())


@measurement("dragon_heat.heated_share", unit="1", experiment=HEAT)
def heated_share(data: ExperimentData) -> float:
    """Share of the elements that were heated."""
    return float(hot_and_strained(data, PRINTED)[0].mean())


@measurement("dragon_pull.splits", unit="1", experiment=PULL)
def pull_splits(data: ExperimentData) -> float:
    """Number of vertex splits."""
    return float(split_total(data.one()))


@measurement("dragon_pull.components", unit="1", experiment=PULL)
def pull_components(data: ExperimentData) -> float:
    """Parts of the tetrahedral mesh that are connected through faces, at the end."""
    return float(data.one().values("step", "component_count")[-1])


@measurement("dragon_pull.skin_pieces", unit="1", experiment=PULL)
def pull_skin_pieces(data: ExperimentData) -> float:
    """Parts of the surface that are connected through edges, at the end."""
    return float(data.one().values("step", "skin_piece_count")[-1])


@measurement("dragon_pull.open_edges", unit="1", experiment=PULL)
def pull_open_edges(data: ExperimentData) -> float:
    """Largest number of edges of the surface without a matching opposite edge, any stored frame or row."""
    return float(open_edges(data.one()))


def before_first_split(trace: Trace) -> int:
    """Step of the last stored row without a split."""
    splits = trace.series("step", "split_count")
    return int(splits.step[splits.values == 0][-1])


@measurement("dragon_pull.condition_change", unit="1", experiment=PULL)
def pull_condition_change(data: ExperimentData) -> Measured:
    """Largest |condition number of the step's matrix / that at the start − 1| before the first split: the change by
    deformation alone."""
    return largest_change(data.every(), before_first_split)


@measurement("dragon_pull.condition_change_broken", unit="1", experiment=PULL)
def pull_condition_change_broken(data: ExperimentData) -> Measured:
    """Largest |condition number of the step's matrix / that at the start − 1| over the whole run, splits included."""
    return largest_change(data.every())

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
PATH = "mueller_gross_2004/dragon_heat_path"
PRINTED, CONTROL = "printed", "control"  # cold material of Table 1; material that flows everywhere


def hot_and_strained(data: ExperimentData, name: str) -> tuple[Array, Array]:
    """(ever heated up to the last frame, Frobenius norm of the plastic strain in it), one per element."""
    frames = data.one(name=name).frames()
    rows = [frame["heated_elements"].astype(float) > 0 for _, _, frame in frames]
    if not rows:
        raise MissingData(f"{HEAT}: no frames")
    return np.any(rows, axis=0), last_strains(data.one(name=name))


def last_strains(trace: Trace) -> Array:
    """Frobenius norm of the plastic strain in the last frame, one per element."""
    (last,) = [frame["element_plastic_strains"] for _, _, frame in trace.frames(last=True)]
    return np.asarray(np.sqrt((last**2 * np.array([1, 1, 1, 2, 2, 2])).sum(axis=1)))  # off the diagonal twice


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


def ball_centre(trace: Trace, time: float) -> Array | None:
    """Where the hot ball's centre is, m; None where it has not set out."""
    start, travel, a, b = (
        np.asarray(trace.value(f"scene.parameters.heat_{n}"), dtype=float)
        for n in ("start_s", "travel_s", "from_m", "to_m")
    )
    return None if time < start else a + min(float((time - start) / travel), 1.0) * (b - a)


def touched(trace: Trace) -> tuple[Array, Array]:
    """(touched, nearly touched): elements whose centroid the ball contains at the start of a step, and those for which rounding
    decides. MissingData where a step between is not stored."""
    corners, radius = trace.scene("tetrahedra"), float(trace.value("scene.parameters.heat_radius_m"))
    least = np.full(len(corners), np.inf)  # distance of the centroid from the ball's centre
    last = -1
    frames = list(trace.frames(names=["positions"]))
    for step, time, frame in frames[:-1]:  # no step starts from the last
        if step != last + 1:
            raise MissingData(f"{PATH}: {trace.label}: frames of every step are needed, found {last} and then {step}")
        last = step
        centre = ball_centre(trace, time)
        if centre is not None:
            centroids = frame["positions"][corners].mean(axis=1)
            least = np.minimum(least, np.linalg.norm(centroids - centre, axis=1))
    return least <= radius, np.abs(least / radius - 1) < 1e-9


@measurement("dragon_heat_path.plastic_strain_untouched", unit="1", experiment=PATH)
def plastic_strain_untouched(data: ExperimentData) -> Measured:
    """Largest plastic strain at the end of elements whose centroid is in the hot ball at the start of no step, by the ball's
    path and the stored positions."""
    trace = data.one()
    met, nearly = touched(trace)
    beside = ~met & ~nearly
    if not beside.any():
        raise MissingData(f"{PATH}: every element was touched")
    return Measured(float(last_strains(trace)[beside].max()), f"{met.sum()} of {len(met)} elements touched")


@measurement("dragon_heat_path.plastic_strain_touched", unit="1", experiment=PATH)
def plastic_strain_touched(data: ExperimentData) -> float:
    """Largest plastic strain at the end of elements whose centroid is in the hot ball at the start of a step, by the ball's
    path and the stored positions."""
    trace = data.one()
    return float(last_strains(trace)[touched(trace)[0]].max(initial=0.0))


@measurement("dragon_heat_path.flag_mismatches", unit="1", experiment=PATH)
def flag_mismatches(data: ExperimentData) -> float:
    """Number of elements that the method heats though their centroid is in the hot ball at the start of no step, or does not
    though it is in one."""
    trace = data.one()
    met, nearly = touched(trace)
    heated = np.any([frame["heated_elements"].astype(float) > 0 for _, _, frame in trace.frames()], axis=0)
    return float(((heated != met) & ~nearly).sum())


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

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/uniaxial_fracture and step_load_fracture: the bar that is pulled until it breaks
(errata B-IVM-2, B-IVM-18)."""

from __future__ import annotations

import math

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .split_events import first_split, split_total

EXPERIMENT = "mueller_gross_2004/uniaxial_fracture"
STEP = "mueller_gross_2004/step_load_fracture"


def threshold(trace: Trace) -> float:
    """Fracture threshold, Pa."""
    return float(trace.value("method.parameters.fracture_threshold_pa"))


def breaking_load(trace: Trace) -> float:
    """Nominal stress on the ends at the first split, Pa."""
    return float(trace.value("scene.parameters.stress_pa")[0]) * min(
        1.0, first_split(trace).time / float(trace.value("scene.parameters.ramp_s"))
    )


def axis(trace: Trace) -> Array:
    """Direction of the pull."""
    angle = math.radians(float(trace.value("scene.parameters.turn_deg")))
    return np.array([math.cos(angle), math.sin(angle), 0.0])


def breaking_strain(trace: Trace) -> float:
    """Axial strain at the first split, from the mean position of the end face; the bar is symmetric about its middle."""
    half = float(trace.value("scene.parameters.length_m")) / 2
    displacement = trace.series("step", "tip_displacement")
    row = np.flatnonzero(displacement.step == first_split(trace).step).item()
    position = displacement.values[row] + np.array([half, 0, 0])  # tip_displacement counts from the rest shape
    return float(position @ axis(trace)) / half - 1


def normal_angle(trace: Trace) -> float:
    """Angle between the first split's normal and the pull, rad; the sign of a normal means nothing."""
    normal = first_split(trace).normal
    return float(math.atan2(np.linalg.norm(np.cross(normal, axis(trace))), abs(float(normal @ axis(trace)))))


def straight(data: ExperimentData, name: str) -> Trace:
    """The row's bar along x."""
    return data.one(name=name, where={"scene.parameters.turn_deg": 0})


@measurement("uniaxial_fracture.elastic_load_error", unit="1", experiment=EXPERIMENT)
def elastic_load_error(data: ExperimentData) -> float:
    """Largest |nominal stress at the first split / threshold − 1|, no plasticity."""
    return float(np.max([abs(breaking_load(c) / threshold(c) - 1) for c in data.some(name="elastic")]))


@measurement("uniaxial_fracture.elastic_strain", unit="1", experiment=EXPERIMENT)
def elastic_strain(data: ExperimentData) -> float:
    """Axial strain at the first split, no plasticity; bar along x; the reference says 0.6."""
    return breaking_strain(straight(data, "elastic"))


@measurement("uniaxial_fracture.plastic_strain_error", unit="1", experiment=EXPERIMENT)
def plastic_strain_error(data: ExperimentData) -> float:
    """Largest |axial strain at the first split / slow limit of the reference − 1|, stress of the elastic strain."""
    return float(
        np.max(
            [
                abs(breaking_strain(c) / float(c.reference("uniaxial_fracture", "slow_plastic_strain").values) - 1)
                for c in data.some(name="plastic")
            ]
        )
    )


@measurement("uniaxial_fracture.corrected_strain", unit="1", experiment=EXPERIMENT)
def corrected_strain(data: ExperimentData) -> float:
    """Axial strain at the first split with flow, stress of the elastic strain, bar along x; the reference says 1.506."""
    return breaking_strain(straight(data, "plastic"))


@measurement("uniaxial_fracture.printed_strain", unit="1", experiment=EXPERIMENT)
def printed_strain(data: ExperimentData) -> float:
    """Axial strain at the first split with flow, stress of the total strain as printed, bar along x: 0.6 whatever has flowed."""
    return breaking_strain(straight(data, "plastic_total_strain"))


@measurement("uniaxial_fracture.printed_load", unit="1", experiment=EXPERIMENT)
def printed_load(data: ExperimentData) -> float:
    """Nominal stress over the threshold at the first split with flow, stress of the total strain as printed, bar along x."""
    cell = straight(data, "plastic_total_strain")
    return breaking_load(cell) / threshold(cell)


@measurement("uniaxial_fracture.normal_error_rad", unit="rad", experiment=EXPERIMENT)
def normal_error_rad(data: ExperimentData) -> Measured:
    """Largest angle between the first split's normal and the pull, no plasticity, bar turned and not."""
    return extremes.largest({c: normal_angle(c) for c in data.some(name="elastic")})


@measurement("uniaxial_fracture.printed_frame_error_rad", unit="rad", experiment=EXPERIMENT)
def printed_frame_error_rad(data: ExperimentData) -> Measured:
    """Largest angle between the first split's normal and the pull, no plasticity, bar turned and not; the normal left in the element's
    frame, as printed."""
    return extremes.largest({c: normal_angle(c) for c in data.some(name="elastic_printed_frame")})


@measurement("step_load_fracture.load_factor", unit="1", experiment=STEP)
def load_factor(data: ExperimentData) -> Measured:
    """Sudden load at which the bar begins to break over the threshold: mean of the largest load that leaves it whole
    and the smallest that breaks it."""
    factors = {float(c.value("scene.parameters.traction_pa")) / threshold(c): split_total(c) > 0 for c in data.some()}
    broken, whole = [f for f, b in factors.items() if b], [f for f, b in factors.items() if not b]
    if not broken or not whole:
        raise MissingData(f"{STEP}: {'no' if not broken else 'every'} load broke the bar")
    return Measured((min(broken) + max(whole)) / 2, f"broken from {min(broken):.3g}, whole up to {max(whole):.3g}")

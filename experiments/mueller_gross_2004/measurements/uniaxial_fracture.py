# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/uniaxial_fracture and step_load_fracture: the bar that is pulled until it breaks
(errata B-IVM-2, B-IVM-18)."""

import math

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, MissingData, Trace
from deformbench_analysis.vocabulary import parameter, quantity, rows
from .split_events import first_split, split_total

M = Measures("mueller_gross_2004/uniaxial_fracture")
STEP = Measures("mueller_gross_2004/step_load_fracture")
threshold = parameter("method.parameters.fracture_threshold_pa", float, "Fracture threshold, Pa.")


def breaking_load(trace: Trace) -> float:
    """Nominal stress on the ends at the first split, Pa."""
    return float(trace.value("scene.parameters.stress_pa")[0]) * min(
        1.0, first_split(trace).time / trace.number("ramp_s")
    )


def axis(trace: Trace) -> Array:
    """Direction of the pull."""
    angle = math.radians(trace.number("turn_deg"))
    return np.array([math.cos(angle), math.sin(angle), 0.0])


def breaking_strain(trace: Trace) -> float:
    """Axial strain at the first split.

    From the mean position of the end face; the bar is symmetric about its middle."""
    half = trace.number("length_m") / 2
    displacement = trace.series("step", "tip_displacement")
    row = np.flatnonzero(displacement.step == first_split(trace).step).item()
    position = displacement.values[row] + np.array([half, 0, 0])  # tip_displacement counts from the rest shape
    return float(position @ axis(trace)) / half - 1


@quantity(unit="rad")
def normal_angle(trace: Trace) -> float:
    """Angle between the first split's normal and the pull.

    The sign of a normal means nothing."""
    normal = first_split(trace).normal
    return float(math.atan2(np.linalg.norm(np.cross(normal, axis(trace))), abs(float(normal @ axis(trace)))))


def relative_load(trace: Trace) -> float:
    """Nominal stress / threshold at the first split."""
    return breaking_load(trace) / threshold(trace)


@quantity("|axial strain at the first split / slow limit of the reference − 1|")
def strain_error(trace: Trace) -> float:
    """Error of a bar that flows."""
    slow = float(trace.reference("uniaxial_fracture", "slow_plastic_strain").values)
    return abs(breaking_strain(trace) / slow - 1)


ELASTIC = rows("elastic", says="bars without plasticity")
PLASTIC = rows("plastic", says="bars that flow, stress of the elastic strain")
PRINTED = rows("plastic_total_strain", says="bars that flow, stress of the total strain as printed")
STRAIGHT = {"scene.parameters.turn_deg": 0}

elastic_load_error = M.largest(
    "elastic_load_error",
    quantity("|nominal stress at the first split / threshold − 1|")(lambda c: abs(relative_load(c) - 1)),
    ELASTIC.noted(lambda _: ""),
)
elastic_strain = M.only("elastic_strain", breaking_strain, ELASTIC.where(STRAIGHT, says="bar along x"))
M.largest("plastic_strain_error", strain_error, PLASTIC.noted(lambda _: ""))
corrected_strain = M.only("corrected_strain", breaking_strain, PLASTIC.where(STRAIGHT, says="bar along x"))
printed_strain = M.only("printed_strain", breaking_strain, PRINTED.where(STRAIGHT, says="bar along x"))
printed_load = M.only("printed_load", relative_load, PRINTED.where(STRAIGHT, says="bar along x"))
normal_error_rad = M.largest("normal_error_rad", normal_angle, ELASTIC)
printed_frame_error_rad = M.largest(
    "printed_frame_error_rad",
    normal_angle,
    rows("elastic_printed_frame", says="bars without plasticity, normal in the element's frame, as printed"),
)


@STEP("load_factor")
def load_factor(data: ExperimentData) -> Measured:
    """Sudden load at which the bar breaks / threshold: mean of the largest load that leaves it whole and the
    smallest that breaks it."""
    factors = {c.number("traction_pa") / threshold(c): split_total(c) > 0 for c in EVERY_RUN.runs(data)}
    broken, whole = [f for f, b in factors.items() if b], [f for f, b in factors.items() if not b]
    if not broken or not whole:
        raise MissingData(f"{STEP.experiment}: {'no' if not broken else 'every'} load broke the bar")
    return Measured((min(broken) + max(whole)) / 2, f"broken from {min(broken):.3g}, whole up to {max(whole):.3g}")

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/restitution and friction_incline: the velocity update at contacts."""

from collections.abc import Callable

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures
from deformbench_analysis.vocabulary import Quantity, Rows, Trace, quantity, rows

BOUNCE = Measures("mueller_et_al_2007/restitution")
LOW = Measures("mueller_et_al_2007/restitution_low_drops")
INCLINE = Measures("mueller_et_al_2007/friction_incline")
G = 9.81
STUCK = 1e-6  # m, movement in a whole run that counts as rest


def first_contacts(trace: Trace) -> tuple[Array, Array]:
    """(rebound speed, approach speed without the contact), m/s, of every particle's first contact."""
    v, dt = trace.values("frame", "velocities")[:, :, 1], trace.number("time_step_s")
    free = v[:-1] - G * dt
    touched = v[1:] > free + 1e-9
    if not touched.any(axis=0).all():
        raise trace.missing("a particle has not met the plane")
    first = touched.argmax(axis=0)
    column = np.arange(v.shape[1])
    return v[1:][first, column], -free[first, column]


def effective_restitution(trace: Trace) -> Array:
    """Rebound / approach speed.

    Of every particle's first contact; the approach speed is that without contact."""
    rebound, approach = first_contacts(trace)
    return np.asarray(rebound / approach)


def ratio(trace: Trace) -> Array:
    """(Rebound / approach speed) / e."""
    return effective_restitution(trace) / trace.number("restitution")


def error(trace: Trace) -> Array:
    """|Rebound / approach speed − e| / e."""
    return np.asarray(np.abs(ratio(trace) - 1))


def uniform_distance(trace: Trace) -> float:
    """Kolmogorov distance of (rebound / approach speed) / e from the uniform distribution on 0 … 1,
    times √(number of drops)."""
    sorted_ratios = np.sort(ratio(trace))
    count = len(sorted_ratios)
    steps = np.arange(count + 1) / count
    distance = np.abs([steps[1:] - sorted_ratios, steps[:-1] - sorted_ratios]).max()
    return float(distance * np.sqrt(count))


def is_fast(trace: Trace) -> Array:
    """Whether the approach is faster than 2 g Δt, per particle."""
    return np.asarray(first_contacts(trace)[1] > 2 * G * trace.number("time_step_s"))


PRINTED = rows("printed", says="restitution as printed")
CORRECTED = rows("corrected", says="restitution of the velocity before the projection")
FULL = PRINTED.where({"scene.parameters.restitution": 1.0}, says="e = 1").noted(lambda c: "")
DROPS = rows(says="drops from 0.5 to 10 mm")
BOUNCE.mean("printed_mean", effective_restitution, FULL)
BOUNCE.least("printed_least", effective_restitution, FULL)
BOUNCE.largest("printed_error", error, PRINTED)
BOUNCE.largest("corrected_error", error, CORRECTED)
BOUNCE.largest("printed_uniform_distance", uniform_distance, PRINTED)
LOW.largest("error", error, DROPS)
LOW.largest(
    "error_of_fast",
    quantity("|rebound / approach speed − e| / e, approach faster than 2 g Δt")(lambda c: error(c)[is_fast(c)]),
    DROPS,
)
LOW.largest(
    "rebound_of_slow",
    quantity("(rebound / approach speed) / e, approach not faster than 2 g Δt")(lambda c: ratio(c)[~is_fast(c)]),
    DROPS,
)


@LOW("slow_share")
def low_slow_share(data: ExperimentData) -> float:
    """Share of the drops from 0.5 to 10 mm whose approach is not faster than 2 g Δt."""
    return float(1 - np.mean([is_fast(c).mean() for c in EVERY_RUN.runs(data)]))


class Slide:
    """A particle's path downhill."""

    def __init__(self, trace: Trace):
        self.slope, self.friction, self.speed = (
            np.radians(trace.number("slope_deg")),
            trace.number("friction"),
            trace.number("speed_m_s"),
        )
        downhill = np.array([np.cos(self.slope), -np.sin(self.slope), 0.0])
        series = trace.series("frame", "positions")
        self.time = series.time
        self.way = series.values[:, 0] @ downhill
        self.velocity = trace.values("frame", "velocities")[:, 0] @ downhill
        self.acceleration = G * (np.sin(self.slope) - self.friction * np.cos(self.slope))
        self.label = trace.label

    def should_stick(self) -> bool:
        """Whether friction holds the particle on the slope, by Coulomb's law."""
        return bool(np.tan(self.slope) <= self.friction)

    def sticks(self) -> bool:
        """Whether it stayed where it was."""
        return bool(np.abs(self.way - self.way[0]).max() < STUCK)

    def acceleration_error(self) -> float:
        """Relative error of a particle sliding throughout from rest."""
        return abs(float(self.velocity[-1] / self.time[-1]) / float(self.acceleration) - 1)

    def stop_error(self) -> float:
        """Relative error of the path until it stops."""
        return abs(float(self.way[-1]) / float(self.speed**2 / (-2 * self.acceleration)) - 1)

    def free_speed(self) -> Array:
        """What the speed of each step would be without friction."""
        return np.asarray(self.velocity[:-1] + G * np.sin(self.slope) * np.diff(self.time))

    def friction_violation(self) -> float:
        """Largest amount in a step by which the downhill speed is reversed or exceeds that without friction
        / largest speed."""
        after, free = self.velocity[1:], self.free_speed()
        speeds = np.concatenate([np.abs(self.velocity), free])
        return float(np.concatenate([[0.0], -after, after - free]).max() / speeds.max())

    def law_error(self) -> float:
        """Largest |downhill speed − (1 − μ) × that without friction| / largest speed."""
        after, free = self.velocity[1:], self.free_speed()
        return float(
            np.abs(after - (1 - self.friction) * free).max() / np.concatenate([np.abs(self.velocity), free]).max()
        )

    def slowest_damping(self) -> float:
        """Largest speed after a step / that without friction, moving steps: below 1 if friction acts in each."""
        after, free = self.velocity[1:], self.free_speed()
        moves = free > 1e-9
        return float((after[moves] / free[moves]).max())


def starts_from_rest(trace: Trace) -> bool:
    """Particles that slide from rest, tan α − μ > 0.05."""
    angle = np.radians(trace.number("slope_deg"))
    return bool(trace.number("speed_m_s") == 0 and np.tan(angle) - trace.number("friction") > 0.05)


def comes_to_rest(trace: Trace) -> bool:
    """Moving particles that friction stops."""
    angle = np.radians(trace.number("slope_deg"))
    acceleration = G * (np.sin(angle) - trace.number("friction") * np.cos(angle))
    return bool(trace.number("speed_m_s") > 0 and acceleration < 0)


def _of_slide(phrase: str, method: Callable[[Slide], float]) -> Quantity:
    return quantity(phrase)(lambda c: method(Slide(c)))


VIOLATION = _of_slide("speed that friction reverses or adds in a step / largest speed", Slide.friction_violation)
DAMPING = _of_slide("speed after a step / that without friction, moving steps", Slide.slowest_damping)
ACCELERATION = _of_slide("relative error of the acceleration", Slide.acceleration_error)
STOP = _of_slide("relative error of the distance until the stop", Slide.stop_error)

for row, described in (
    ("printed", "velocities updated as printed"),
    ("corrected", "Coulomb friction and corrected restitution"),
):
    SLIDES = rows(row, says=described)

    @INCLINE(f"{row}_stick_errors", of=described)
    def stick_errors(data: ExperimentData, runs: Rows = SLIDES) -> Measured:
        """Number of slopes, some within 0.01 of the boundary, on which a particle slides from rest though tan α ≤ μ
        or stays though tan α > μ."""
        slides = [Slide(c) for c in runs.runs(data)]
        wrong = [s.label for s in slides if s.speed == 0 and s.sticks() != s.should_stick()]
        return Measured(float(len(wrong)), "; ".join(wrong[:2]))

    INCLINE.largest(f"{row}_friction_violation", VIOLATION, SLIDES)
    INCLINE.largest(f"{row}_slowest_damping", DAMPING, SLIDES)
    INCLINE.largest(f"{row}_acceleration_error", ACCELERATION, SLIDES.where(starts_from_rest))
    INCLINE.largest(f"{row}_stop_error", STOP, SLIDES.where(comes_to_rest))

INCLINE.largest(
    "printed_law_error",
    _of_slide(
        "|speed after a step − (1 − μ) × that without friction| / largest speed",
        Slide.law_error,
    ),
    rows("printed", says="friction as printed").where(lambda c: c.number("friction") <= 1, says="μ ≤ 1"),
)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/restitution and friction_incline: the velocity update at contacts."""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

BOUNCE = "mueller_et_al_2007/restitution"
LOW = "mueller_et_al_2007/restitution_low_drops"
INCLINE = "mueller_et_al_2007/friction_incline"
G = 9.81
STUCK = 1e-6  # m, movement in a whole run that counts as rest


def scene(trace: Trace, name: str) -> float:
    """A parameter of the scene."""
    return float(trace.value("scene.parameters." + name))


def first_contacts(trace: Trace) -> tuple[Array, Array]:
    """(rebound speed, speed that the particle would have had), m/s, of every particle's first contact."""
    v, dt = trace.values("frame", "velocities")[:, :, 1], scene(trace, "time_step_s")
    free = v[:-1] - G * dt
    touched = v[1:] > free + 1e-9
    if not touched.any(axis=0).all():
        raise MissingData(f"{trace.experiment}: {trace.label}: a particle has not met the plane")
    first = touched.argmax(axis=0)
    column = np.arange(v.shape[1])
    return v[1:][first, column], -free[first, column]


def effective_restitution(trace: Trace) -> Array:
    """Rebound speed over the speed that a particle would have had, of every particle's first contact."""
    rebound, approach = first_contacts(trace)
    return np.asarray(rebound / approach)


def ratio(trace: Trace) -> Array:
    """The same over the coefficient that was asked for."""
    return effective_restitution(trace) / scene(trace, "restitution")


@measurement("restitution.printed_mean", unit="1", experiment=BOUNCE)
def printed_mean(data: ExperimentData) -> float:
    """Mean of rebound over approach speed at e = 1, restitution as printed."""
    return float(
        np.mean(
            [
                effective_restitution(c).mean()
                for c in data.some(name="printed", where={"scene.parameters.restitution": 1.0})
            ]
        )
    )


@measurement("restitution.printed_least", unit="1", experiment=BOUNCE)
def printed_least(data: ExperimentData) -> float:
    """Smallest rebound over approach speed at e = 1, restitution as printed."""
    return float(
        np.min(
            [
                effective_restitution(c).min()
                for c in data.some(name="printed", where={"scene.parameters.restitution": 1.0})
            ]
        )
    )


@measurement("restitution.printed_error", unit="1", experiment=BOUNCE)
def printed_error(data: ExperimentData) -> Measured:
    """Largest |rebound over approach speed − e| over e, restitution as printed."""
    errors = {c: float(np.abs(ratio(c) - 1).max()) for c in data.some(name="printed")}
    return extremes.largest(errors)


@measurement("restitution.corrected_error", unit="1", experiment=BOUNCE)
def corrected_error(data: ExperimentData) -> Measured:
    """Largest |rebound over approach speed − e| over e, restitution of the velocity before the projection
    (corrected)."""
    errors = {c: float(np.abs(ratio(c) - 1).max()) for c in data.some(name="corrected")}
    return extremes.largest(errors)


def rebounds(trace: Trace) -> tuple[Array, Array]:
    """(rebound over approach speed over e, whether the approach is faster than 2 g Δt), of every particle."""
    return ratio(trace), first_contacts(trace)[1] > 2 * G * scene(trace, "time_step_s")


@measurement("restitution_low_drops.error", unit="1", experiment=LOW)
def low_error(data: ExperimentData) -> Measured:
    """Largest |rebound over approach speed − e| over e, drops from 0.5 to 10 mm."""
    return extremes.largest({c: float(np.abs(rebounds(c)[0] - 1).max()) for c in data.every()})


@measurement("restitution_low_drops.error_of_fast", unit="1", experiment=LOW)
def low_error_of_fast(data: ExperimentData) -> Measured:
    """Largest |rebound over approach speed − e| over e, drops from 0.5 to 10 mm whose approach is faster than 2 g Δt."""
    found = {c: np.abs(r - 1)[fast] for c in data.every() for r, fast in [rebounds(c)]}
    return extremes.largest({c: float(errors.max()) for c, errors in found.items() if errors.size})


@measurement("restitution_low_drops.rebound_of_slow", unit="1", experiment=LOW)
def low_rebound_of_slow(data: ExperimentData) -> Measured:
    """Largest rebound over approach speed over e, drops from 0.5 to 10 mm whose approach is not faster than 2 g Δt; not
    above zero where none rebounds."""
    found = {c: r[~fast] for c in data.every() for r, fast in [rebounds(c)]}
    return extremes.largest({c: float(r.max()) for c, r in found.items() if r.size})


@measurement("restitution_low_drops.slow_share", unit="1", experiment=LOW)
def low_slow_share(data: ExperimentData) -> float:
    """Share of the drops from 0.5 to 10 mm whose approach is not faster than 2 g Δt."""
    return float(1 - np.mean([rebounds(c)[1].mean() for c in data.every()]))


@measurement("restitution.printed_uniform_distance", unit="1", experiment=BOUNCE)
def printed_uniform_distance(data: ExperimentData) -> Measured:
    """Largest Kolmogorov distance of r/e from the uniform distribution on 0 … 1, r the rebound over the approach
    speed, times the root of the number of drops, restitution as printed; 1.63 is the 1 % bound."""
    distances = {}
    for cell in data.some(name="printed"):
        sorted_ratios = np.sort(ratio(cell))
        count = len(sorted_ratios)
        steps = np.arange(count + 1) / count
        distance = np.abs([steps[1:] - sorted_ratios, steps[:-1] - sorted_ratios]).max()
        distances[cell.label] = float(distance * np.sqrt(count))
    return extremes.largest(distances)


class Slide:
    """A particle's path downhill."""

    def __init__(self, trace: Trace):
        self.slope, self.friction, self.speed = (
            np.radians(scene(trace, "slope_deg")),
            scene(trace, "friction"),
            scene(trace, "speed_m_s"),
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
        """Relative; of a particle that slides from rest all the time."""
        return abs(float(self.velocity[-1] / self.time[-1]) / float(self.acceleration) - 1)

    def stop_error(self) -> float:
        """Relative error of the path until it stops."""
        return abs(float(self.way[-1]) / float(self.speed**2 / (-2 * self.acceleration)) - 1)

    def free_speed(self) -> Array:
        """What the speed of each step would be without friction."""
        return np.asarray(self.velocity[:-1] + G * np.sin(self.slope) * np.diff(self.time))

    def friction_violation(self) -> float:
        """Worst over the steps: how far the speed downhill is reversed, or is above that without friction, over the largest speed."""
        after, free = self.velocity[1:], self.free_speed()
        speeds = np.concatenate([np.abs(self.velocity), free])
        return float(np.concatenate([[0.0], -after, after - free]).max() / speeds.max())

    def law_error(self) -> float:
        """Largest difference of the speed downhill from 1 − μ times that without friction, over the largest speed."""
        after, free = self.velocity[1:], self.free_speed()
        return float(
            np.abs(after - (1 - self.friction) * free).max() / np.concatenate([np.abs(self.velocity), free]).max()
        )

    def reversal_without_cap(self) -> float:
        """Largest part of a step's speed without friction that a factor 1 − μ would turn round, over the largest speed."""
        free = self.free_speed()
        return float(
            ((self.friction - 1) * free).max(initial=0.0) / np.concatenate([np.abs(self.velocity), free]).max()
        )

    def slowest_damping(self) -> float:
        """Largest speed after a step over that without friction, steps that move: below 1 friction acts in each."""
        after, free = self.velocity[1:], self.free_speed()
        moves = free > 1e-9
        return float((after[moves] / free[moves]).max())


def _slides(data: ExperimentData, name: str) -> list[Slide]:
    return [Slide(c) for c in data.some(name=name)]


for row, described in (
    ("printed", "velocities updated as printed"),
    ("corrected", "Coulomb friction and restitution of the velocity before the projection"),
):

    @measurement(f"friction_incline.{row}_stick_errors", unit="1", experiment=INCLINE, of=described)
    def stick_errors(data: ExperimentData, row: str = row) -> Measured:
        """Number of slopes on which a particle at rest slides although tan α ≤ μ, or stays although tan α > μ; some
        slopes are within 0.01 of the boundary."""
        wrong = [s.label for s in _slides(data, row) if s.speed == 0 and s.sticks() != s.should_stick()]
        return Measured(float(len(wrong)), "; ".join(wrong[:2]))

    @measurement(f"friction_incline.{row}_friction_violation", unit="1", experiment=INCLINE, of=described)
    def friction_violation(data: ExperimentData, row: str = row) -> Measured:
        """Amount by which the speed along the surface is reversed in a step, or exceeds its value without friction,
        over the largest speed; largest over the steps."""
        return extremes.largest({s: s.friction_violation() for s in _slides(data, row)})

    @measurement(f"friction_incline.{row}_slowest_damping", unit="1", experiment=INCLINE, of=described)
    def slowest_damping(data: ExperimentData, row: str = row) -> Measured:
        """Largest ratio of the speed along the surface after a step to its value without friction, steps in which the
        particle moves; below 1 friction acts in every step."""
        return extremes.largest({s: s.slowest_damping() for s in _slides(data, row)})

    @measurement(f"friction_incline.{row}_acceleration_error", unit="1", experiment=INCLINE, of=described)
    def acceleration_error(data: ExperimentData, row: str = row) -> Measured:
        """Largest relative error of the acceleration of particles that slide from rest, tan α − μ at least 0.05."""
        found = {
            s.label: s.acceleration_error()
            for s in _slides(data, row)
            if s.speed == 0 and np.tan(s.slope) - s.friction > 0.05
        }
        if not found:
            raise MissingData(f"{INCLINE} at tier {data.tier}: nothing slides")
        return extremes.largest(found)

    @measurement(f"friction_incline.{row}_stop_error", unit="1", experiment=INCLINE, of=described)
    def stop_error(data: ExperimentData, row: str = row) -> Measured:
        """Largest relative error of the distance that a moving particle slides until it stops."""
        found = {s.label: s.stop_error() for s in _slides(data, row) if s.speed > 0 and s.acceleration < 0}
        if not found:
            raise MissingData(f"{INCLINE} at tier {data.tier}: nothing stops")
        return extremes.largest(found)


@measurement("friction_incline.printed_law_error", unit="1", experiment=INCLINE)
def printed_law_error(data: ExperimentData) -> Measured:
    """Largest difference of the speed along the surface after a step from 1 − μ times that without friction, over the
    largest speed; friction as printed, coefficients up to 1."""
    return extremes.largest({s: s.law_error() for s in _slides(data, "printed") if s.friction <= 1})


@measurement("friction_incline.reversal_without_cap", unit="1", experiment=INCLINE)
def reversal_without_cap(data: ExperimentData) -> Measured:
    """Largest speed that the factor 1 − μ of a step would reverse, over the largest speed: the printed damping without the
    method's cap at μ = 1, from the speeds of the runs; all coefficients."""
    return extremes.largest({s: s.reversal_without_cap() for s in _slides(data, "printed")})

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/snake and cow ([MG04] Fig. 8): large rotations, and wax that melts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .condition_number import largest_change

SNAKE = "mueller_gross_2004/snake"
COW = "mueller_gross_2004/cow"
SIZES = "mueller_gross_2004/cow_sizes"
LEAST_VOLUME = 0.8  # of the first: a fifth of the wax may be lost before it is crushed rather than melted
MOST_INVERTED = 0.01  # of the elements: an inverted one stands for no material


@measurement("snake.rotation_deg", unit="deg", experiment=SNAKE)
def rotation_deg(data: ExperimentData) -> Measured:
    """Largest angle of any element's rotation from the rest shape, stored frames."""
    found = {}
    for _, time, frame in data.one().frames():
        cosine = (np.trace(frame["rotations"].reshape(-1, 3, 3), axis1=1, axis2=2) - 1) / 2
        cosine = extremes.finite(cosine, f"{SNAKE}, rotations at {time:g} s")
        found[time] = float(np.degrees(np.arccos(np.clip(cosine, -1, 1))).max())
    when = extremes.at_largest(found)
    return Measured(found[when], f"at {when:g} s")


@measurement("snake.volume_change", unit="1", experiment=SNAKE)
def volume_change(data: ExperimentData) -> float:
    """Largest |V/V0 − 1| over all rows."""
    volume = data.one().values("step", "volume")
    return float(np.abs(volume / volume[0] - 1).max())


@measurement("snake.least_det_f", unit="1", experiment=SNAKE)
def least_det_f(data: ExperimentData) -> Measured:
    """Smallest volume of any element over its volume at rest, stored frames; below zero it is inside out."""
    trace = data.one()
    rest = signed_volumes(trace.scene("rest_positions"), trace.scene("tetrahedra"))
    found = {
        time: float((signed_volumes(frame["positions"], trace.scene("tetrahedra")) / rest).min())
        for _, time, frame in trace.frames()
    }
    when = extremes.at_least(found)
    return Measured(found[when], f"at {when:g} s")


def signed_volumes(points: Array, tetrahedra: Array) -> Array:
    """Six times the volume of every element; negative when it is inside out."""
    corners = points[tetrahedra]
    return np.asarray(np.linalg.det(corners[:, 1:] - corners[:, :1]))


@dataclass(frozen=True)
class Melt:
    """The frames of a cow: time [s], height, volume and share of inverted elements, over the start."""

    time: Array
    height: Array
    volume: Array
    inverted: Array

    @property
    def sound(self) -> int:
        """Frames from the start on in which the body still has its volume and its elements; one that is not finite has neither."""
        bad = ~((self.volume > LEAST_VOLUME) & (self.inverted <= MOST_INVERTED))
        return int(bad.argmax()) if bad.any() else len(bad)


def melt(data: ExperimentData, name: str) -> Melt:
    """How one body sinks and keeps its volume while it melts."""
    return melt_of(data.one(name=name))


def melt_of(trace: Trace) -> Melt:
    """The same of a trace."""
    tetrahedra = trace.scene("tetrahedra")
    rest = signed_volumes(trace.scene("rest_positions"), tetrahedra)
    rows = [(time, frame["positions"]) for _, time, frame in trace.frames()]
    if not rows:
        raise MissingData(f"{trace.experiment}: {trace.label}: no frames")
    height = np.array([float(np.ptp(x[:, 1])) for _, x in rows])
    now = np.array([signed_volumes(x, tetrahedra) for _, x in rows]) * np.sign(rest)
    return Melt(
        np.array([t for t, _ in rows]),
        height / height[0],
        now.sum(axis=1) / np.abs(rest).sum(),
        (~(now > 0)).mean(axis=1),
    )


def sound_height_loss(data: ExperimentData, name: str) -> Measured:
    """Largest height loss while the body is sound, and until when it is."""
    found = melt(data, name)
    loss = 1 - found.height[: found.sound]
    if not loss.size:
        raise MissingData(f"{COW}: {name}: the body is not sound at the start")
    return Measured(
        float(loss.max()),
        f"sound until {found.time[found.sound - 1]:g} s; at the end ({found.time[-1]:g} s) height loss "
        f"{1 - found.height[-1]:.3g}, V/V0 {found.volume[-1]:.3g}, {100 * found.inverted[-1]:.3g} % inverted",
    )


@measurement("cow.sound_height_loss", unit="1", experiment=COW)
def printed_sound_height_loss(data: ExperimentData) -> Measured:
    """Largest 1 − height / height at the start while V/V0 > 0.8 and at most 1 % of the elements are inverted, flow as
    printed."""
    return sound_height_loss(data, "printed")


@measurement("cow.corrected_sound_height_loss", unit="1", experiment=COW)
def corrected_sound_height_loss(data: ExperimentData) -> Measured:
    """Largest 1 − height / height at the start while V/V0 > 0.8 and at most 1 % of the elements are inverted, flow by
    the deviator."""
    return sound_height_loss(data, "corrected")


for row, described in (("printed", "flow as printed"), ("corrected", "flow by the deviator")):

    @measurement(f"cow_sizes.{row}_melted_loss", unit="1", experiment=SIZES, of=described)
    def melted_loss(data: ExperimentData, row: str = row) -> Measured:
        """Largest 1 − height / height at the start at the end of a run in which V/V0 > 0.8 and at most 1 % of the
        elements are inverted in every frame; sizes whose body is not so have none."""
        found = {c.label: melt_of(c) for c in data.every(name=row)}
        lost = {k: 1 - float(m.height[-1]) if m.sound == len(m.time) else -np.inf for k, m in found.items()}
        worst = extremes.at_largest(lost)
        sound = [k for k, loss in lost.items() if np.isfinite(loss)]
        return Measured(max(lost[worst], 0.0), f"{len(sound)} of {len(found)} sizes stay sound; {worst}")

    @measurement(f"cow_sizes.{row}_passing_loss", unit="1", experiment=SIZES, of=described)
    def passing_loss(data: ExperimentData, row: str = row) -> Measured:
        """Largest 1 − height / height at the start while V/V0 > 0.8 and at most 1 % of the elements are inverted, all
        sizes, those included that are crushed later."""
        found = {c: melt_of(c) for c in data.every(name=row)}
        return extremes.largest({c: float((1 - m.height[: m.sound]).max(initial=0.0)) for c, m in found.items()})

    @measurement(f"cow_sizes.{row}_largest_sound_m", unit="m", experiment=SIZES, of=described)
    def largest_sound(data: ExperimentData, row: str = row) -> float:
        """Largest length of a body for which V/V0 > 0.8 and at most 1 % of the elements are inverted in every frame; 0
        where there is none."""
        found = {float(c.value("scene.parameters.length_m")): melt_of(c) for c in data.every(name=row)}
        return max((length for length, m in found.items() if m.sound == len(m.time)), default=0.0)


@measurement("cow.sound_time_s", unit="s", experiment=COW)
def sound_time(data: ExperimentData) -> float:
    """Longest time for which V/V0 > 0.8 and at most 1 % of the elements are inverted, flow as printed."""
    found = melt(data, "printed")
    return float(found.time[max(found.sound - 1, 0)])


@measurement("cow.corrected_sound_time_s", unit="s", experiment=COW)
def corrected_sound_time(data: ExperimentData) -> float:
    """Longest time for which V/V0 > 0.8 and at most 1 % of the elements are inverted, flow by the deviator."""
    found = melt(data, "corrected")
    return float(found.time[max(found.sound - 1, 0)])


@measurement("cow.inverted_share", unit="1", experiment=COW)
def inverted_share(data: ExperimentData) -> float:
    """Share of inverted elements at the end, flow as printed."""
    return float(melt(data, "printed").inverted[-1])


@measurement("cow.corrected_inverted_share", unit="1", experiment=COW)
def corrected_inverted_share(data: ExperimentData) -> float:
    """Share of inverted elements at the end, flow by the deviator."""
    return float(melt(data, "corrected").inverted[-1])


@measurement("cow.height_rise", unit="1", experiment=COW)
def height_rise(data: ExperimentData) -> float:
    """Largest rise of the height above that of an earlier frame, over the height at the start, flow as printed."""
    height = melt(data, "printed").height
    return float((height - np.minimum.accumulate(height)).max())


@measurement("cow.plastic_strain_max", unit="1", experiment=COW)
def plastic_strain_max(data: ExperimentData) -> float:
    """Largest plastic strain of any element over the run, flow as printed; the cap is 10."""
    return float(data.one(name="printed").values("step", "plastic_strain_max").max())


def last_volume_ratio(data: ExperimentData, name: str) -> float:
    """Volume at the end over that at the start."""
    volume = data.one(name=name).values("step", "volume")
    return float(volume[-1] / volume[0])


@measurement("cow.volume_ratio", unit="1", experiment=COW)
def volume_ratio(data: ExperimentData) -> float:
    """V/V0 at the end, flow as printed, which changes volume as well as shape."""
    return last_volume_ratio(data, "printed")


@measurement("cow.corrected_volume_ratio", unit="1", experiment=COW)
def corrected_volume_ratio(data: ExperimentData) -> float:
    """V/V0 at the end, flow by the deviator, which keeps the trace of the strain: the volume for small strains
    only."""
    return last_volume_ratio(data, "corrected")


@measurement("snake.condition_change", unit="1", experiment=SNAKE)
def snake_condition_change(data: ExperimentData) -> Measured:
    """Largest |condition number of the step's matrix / that at the start − 1| over the run."""
    return largest_change(data.every())


@measurement("cow.condition_change", unit="1", experiment=COW)
def cow_condition_change(data: ExperimentData) -> Measured:
    """Largest |condition number of the step's matrix / that at the start − 1| over the run, flow as printed and flow
    by the deviator."""
    return largest_change(data.every())

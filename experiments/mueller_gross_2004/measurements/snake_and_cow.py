# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/snake and cow ([MG04] Fig. 8): large rotations, and wax that melts."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Rows, Trace
from deformbench_analysis.vocabulary import extremes, quantity, rows
from .condition_number import change_since_start

SNAKE = Measures("mueller_gross_2004/snake")
COW = Measures("mueller_gross_2004/cow")
SIZES = Measures("mueller_gross_2004/cow_sizes")
LEAST_VOLUME = 0.8  # of the first: a fifth of the wax may be lost before it is crushed rather than melted
MOST_INVERTED = 0.01  # of the elements: an inverted one stands for no material
SOUND = "V/V0 > 0.8 and at most 1 % of the elements are inverted"


@quantity(unit="deg")
def rotation(trace: Trace) -> dict[str, float]:
    """Angle of an element's rotation from the rest shape, stored frames."""
    found = {}
    for _, time, frame in trace.frames():
        cosine = (np.trace(frame["rotations"].reshape(-1, 3, 3), axis1=1, axis2=2) - 1) / 2
        cosine = extremes.finite(cosine, f"{SNAKE.experiment}, rotations at {time:g} s")
        found[f"at {time:g} s"] = float(np.degrees(np.arccos(np.clip(cosine, -1, 1))).max())
    return found


def volume_change(trace: Trace) -> Array:
    """|V/V0 − 1| of any row."""
    volume = trace.values("step", "volume")
    return np.asarray(np.abs(volume / volume[0] - 1))


def det_f(trace: Trace) -> dict[str, float]:
    """Volume of an element / its rest volume, stored frames; negative if inverted."""
    tetrahedra = trace.scene("tetrahedra")
    rest = signed_volumes(trace.scene("rest_positions"), tetrahedra)
    return {
        f"at {time:g} s": float((signed_volumes(frame["positions"], tetrahedra) / rest).min())
        for _, time, frame in trace.frames()
    }


def signed_volumes(points: Array, tetrahedra: Array) -> Array:
    """Six times the volume of every element; negative when it is inside out."""
    corners = points[tetrahedra]
    return np.asarray(np.linalg.det(corners[:, 1:] - corners[:, :1]))


@dataclass(frozen=True)
class Melt:
    """Frames of a cow: time [s], height and volume / initial ones, share of inverted elements."""

    time: Array
    height: Array
    volume: Array
    inverted: Array

    @property
    def sound(self) -> int:
        """Number of sound frames before the first unsound one;
        a nonfinite frame is unsound."""
        bad = ~((self.volume > LEAST_VOLUME) & (self.inverted <= MOST_INVERTED))
        return int(bad.argmax()) if bad.any() else len(bad)


@cache
def melt_of(trace: Trace) -> Melt:
    """Height, volume and inversion while a body melts."""
    tetrahedra = trace.scene("tetrahedra")
    rest = signed_volumes(trace.scene("rest_positions"), tetrahedra)
    rows = [(time, frame["positions"]) for _, time, frame in trace.frames()]
    if not rows:
        raise trace.missing("no frames")
    height = np.array([float(np.ptp(x[:, 1])) for _, x in rows])
    now = np.array([signed_volumes(x, tetrahedra) for _, x in rows]) * np.sign(rest)
    return Melt(
        np.array([t for t, _ in rows]),
        height / height[0],
        now.sum(axis=1) / np.abs(rest).sum(),
        (~(now > 0)).mean(axis=1),
    )


@quantity(f"1 − height / height at the start while {SOUND}")
def sound_height_loss(trace: Trace) -> dict[str, float]:
    """The largest, and until when the body is sound."""
    found = melt_of(trace)
    loss = 1 - found.height[: found.sound]
    if not loss.size:
        raise MissingData(f"{COW.experiment}: {trace.method_name}: the body is not sound at the start")
    note = (
        f"sound until {found.time[found.sound - 1]:g} s; at the end ({found.time[-1]:g} s) height loss "
        f"{1 - found.height[-1]:.3g}, V/V0 {found.volume[-1]:.3g}, {100 * found.inverted[-1]:.3g} % inverted"
    )
    return {note: float(loss.max())}


@quantity(f"time for which {SOUND}", unit="s")
def sound_time(trace: Trace) -> float:
    """Counted in frames from the start on."""
    found = melt_of(trace)
    return float(found.time[max(found.sound - 1, 0)])


def height_rise(trace: Trace) -> Array:
    """Rise of the height above its running minimum / height at the start."""
    height = melt_of(trace).height
    return np.asarray(height - np.minimum.accumulate(height))


def is_sound(melt: Melt) -> bool:
    """Whether the body is sound in every frame."""
    return melt.sound == len(melt.time)


inverted_share = quantity("share of inverted elements at the end")(lambda c: melt_of(c).inverted[-1])
plastic_strain = quantity("plastic strain of an element; the cap is 10")(
    lambda c: c.values("step", "plastic_strain_max")
)
volume_ratio = quantity("V/V0 at the end")(lambda c: c.values("step", "volume")[-1] / c.values("step", "volume")[0])
passing_loss = quantity(f"1 − height / height at the start while {SOUND}, crushed later or not")(
    lambda c: (1 - melt_of(c).height[: melt_of(c).sound]).max(initial=0.0)
)
sound_length = quantity(f"length of a body for which {SOUND} in every frame, or 0", unit="m")(
    lambda c: c.value("scene.parameters.length_m") if is_sound(melt_of(c)) else 0.0
)
PRINTED, CORRECTED = (
    rows(n, says=says) for n, says in (("printed", "runs of printed flow"), ("corrected", "runs of deviatoric flow"))
)

rotation_deg = SNAKE.largest("rotation_deg", rotation)
largest_volume_change = SNAKE.only("volume_change", volume_change)
SNAKE.least("least_det_f", det_f)
for _prefix, _rows in (("", PRINTED), ("corrected_", CORRECTED)):
    COW.largest(f"{_prefix}sound_height_loss", sound_height_loss, _rows)
    COW.only(f"{_prefix}sound_time_s", sound_time, _rows)
    COW.only(f"{_prefix}inverted_share", inverted_share, _rows)
    COW.only(f"{_prefix}volume_ratio", volume_ratio, _rows)
COW.only("height_rise", height_rise, PRINTED)
COW.only("plastic_strain_max", plastic_strain, PRINTED)
for _measures in (SNAKE, COW):
    _measures.largest("condition_change", change_since_start)

for _rows, _words in ((PRINTED, "flow as printed"), (CORRECTED, "flow by the deviator")):
    _name = _rows.names[0]
    SIZES.largest(f"{_name}_passing_loss", passing_loss, _rows)
    SIZES.largest(f"{_name}_largest_sound_m", sound_length, _rows.noted(lambda _: ""))

    @SIZES(f"{_name}_melted_loss", of=_words)
    def melted_loss(data: ExperimentData, _rows: Rows = _rows) -> Measured:
        """Largest final 1 − height / height at the start of runs with V/V0 > 0.8 and at most 1 % inverted elements in
        every frame."""
        found = {c.label: melt_of(c) for c in _rows.runs(data)}
        lost = {k: 1 - float(m.height[-1]) if is_sound(m) else -np.inf for k, m in found.items()}
        worst = extremes.at_largest(lost)
        sound = [k for k, loss in lost.items() if np.isfinite(loss)]
        return Measured(max(lost[worst], 0.0), f"{len(sound)} of {len(found)} sizes stay sound; {worst}")

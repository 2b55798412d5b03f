# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/snake and cow ([MG04] Fig. 8): large rotations, and wax that melts."""

from __future__ import annotations

import numpy as np

from ..measurement import Measured, measurement
from ..results import ExperimentData

SNAKE = "mueller_gross_2004/snake"
COW = "mueller_gross_2004/cow"


@measurement("snake.rotation_deg", unit="deg", experiment=SNAKE)
def rotation_deg(data: ExperimentData) -> Measured:
    """Largest angle of any element's rotation from the rest shape, stored frames."""
    worst, when = 0.0, 0.0
    for _, time, frame in data.one().frames():
        cosine = (np.trace(frame["rotations"].reshape(-1, 3, 3), axis1=1, axis2=2) - 1) / 2
        angle = float(np.degrees(np.arccos(np.clip(cosine, -1, 1))).max())
        if angle > worst:
            worst, when = angle, time
    return Measured(worst, f"at {when:g} s")


@measurement("snake.volume_change", unit="1", experiment=SNAKE)
def volume_change(data: ExperimentData) -> float:
    """Largest |V/V0 − 1| over all rows."""
    volume = data.one().values("step", "volume")
    return float(np.abs(volume / volume[0] - 1).max())


def heights(data: ExperimentData) -> np.ndarray:
    """Extent along y of the tetrahedral mesh in the frames of the cow that flows by the printed rule, m."""
    return np.array([float(np.ptp(frame["positions"][:, 1])) for _, _, frame in data.one(name="printed").frames()])


@measurement("cow.height_loss", unit="1", experiment=COW)
def height_loss(data: ExperimentData) -> float:
    """1 − height at the end over height at the start, printed rule."""
    height = heights(data)
    return float(1 - height[-1] / height[0])


@measurement("cow.height_rise", unit="1", experiment=COW)
def height_rise(data: ExperimentData) -> float:
    """Largest rise of the height above an earlier frame over the first height, printed rule."""
    height = heights(data)
    return float((height - np.minimum.accumulate(height)).max() / height[0])


@measurement("cow.plastic_strain_max", unit="1", experiment=COW)
def plastic_strain_max(data: ExperimentData) -> float:
    """Largest plastic strain of any element over the run, printed rule; its cap is 10."""
    return float(data.one(name="printed").values("step", "plastic_strain_max").max())


def last_volume_ratio(data: ExperimentData, name: str) -> float:
    volume = data.one(name=name).values("step", "volume")
    return float(volume[-1] / volume[0])


@measurement("cow.volume_ratio", unit="1", experiment=COW)
def volume_ratio(data: ExperimentData) -> float:
    """V/V0 at the end, printed rule, which flows in volume as well as in shear."""
    return last_volume_ratio(data, "printed")


@measurement("cow.corrected_volume_ratio", unit="1", experiment=COW)
def corrected_volume_ratio(data: ExperimentData) -> float:
    """V/V0 at the end, flow by the deviator: the trace of the strain is kept, which is the volume for small strains only."""
    return last_volume_ratio(data, "corrected")

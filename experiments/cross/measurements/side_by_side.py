# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/side_by_side_swing and side_by_side_twist: how far each family is from small steps on the same mesh."""

from __future__ import annotations

from deformbench_analysis import extremes
from deformbench_analysis.comparison.accuracy import at_common_times, curve_errors
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData

CHANNELS = {"cross/side_by_side_swing": "tip_displacement", "cross/side_by_side_twist": "max_displacement"}
STEP = "scene.parameters.time_step_s"
FAMILIES = {
    "warped": "warped elements",
    "stable_neo_hookean": "stable neo-Hookean elements",
    "xpbd": "XPBD",
    "bullet_fem": "Bullet's deformable body",
    "vertex_block_descent": "vertex block descent",
    "projective_dynamics": "projective dynamics",
}


def least_error(data: ExperimentData, name: str) -> Measured:
    """Root mean square over a run of the distance from the reference over the reference's largest value, least over time steps."""
    references = {c.value(STEP): c for c in data.every(name="reference")}
    channel = CHANNELS[data.id]
    found = {}
    for cell in data.every(name=name):
        pair = at_common_times(cell.series("step", channel), references[cell.value(STEP)].series("step", channel))
        found[cell.label] = curve_errors(*pair)[1]
    return extremes.least(found)


def _register(experiment: str, channel: str, family: str, words: str) -> None:
    @measurement(
        f"{experiment.removeprefix('cross/')}.{family}_error", unit="1", experiment=experiment, of=f"{words}, {channel}"
    )
    def _error(data: ExperimentData) -> Measured:
        """Root mean square over the run of the distance from explicit small steps of stable neo-Hookean elements on the same mesh, over
        their largest value, smallest over the time steps."""
        return least_error(data, family)


for _experiment, _channel in CHANNELS.items():
    for _family, _words in FAMILIES.items():
        _register(_experiment, _channel.replace("_", " "), _family, _words)

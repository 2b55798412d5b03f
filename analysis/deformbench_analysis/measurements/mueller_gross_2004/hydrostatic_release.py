# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/hydrostatic_release: what a hydrostatic stress leaves behind (erratum B-IVM-5)."""

from __future__ import annotations

from ...measurement import measurement
from ...results import ExperimentData

EXPERIMENT = "mueller_gross_2004/hydrostatic_release"


def _change(data: ExperimentData, name: str) -> float:
    volume = data.one(name=name).values("step", "volume")
    return float(volume[-1] / volume[0] - 1)


@measurement("hydrostatic_release.total_volume_change", unit="1", experiment=EXPERIMENT)
def total_volume_change(data: ExperimentData) -> float:
    """V/V0 − 1 long after the load is released, yield by the whole strain, as printed."""
    return _change(data, "total")


@measurement("hydrostatic_release.deviatoric_volume_change", unit="1", experiment=EXPERIMENT)
def deviatoric_volume_change(data: ExperimentData) -> float:
    """V/V0 − 1 long after the load is released, yield by the deviator of the strain."""
    return _change(data, "deviatoric")

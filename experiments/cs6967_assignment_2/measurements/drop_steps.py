# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/drop_steps: those of cs6967_assignment_2/drops on explicit steps of other sizes."""

from __future__ import annotations

from deformbench_analysis.measurement import measurement
from . import drops

EXPERIMENT = "cs6967_assignment_2/drop_steps"

drops.measure_also(EXPERIMENT, "impact_step_error")
measurement("drop_steps.depth", unit="m", experiment=EXPERIMENT)(drops.depth)

# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/printed_drops: those of cs6967_assignment_2/drops on the contact rule of the
text."""

from __future__ import annotations

from deformbench_analysis.measurement import measurement
from . import drops

EXPERIMENT = "cs6967_assignment_2/printed_drops"

drops.measure_also(EXPERIMENT, "count")
for name in ("depth", "differs_when_left_alone"):
    measurement(f"printed_drops.{name}", unit="m", experiment=EXPERIMENT)(getattr(drops, name))

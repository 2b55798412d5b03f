# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/printed_drops: those of cs6967_assignment_2/drops on the contact rule of the
text."""

from __future__ import annotations

from ...measurement import measurement
from . import drops

EXPERIMENT = "cs6967_assignment_2/printed_drops"

for name in (
    "pull",
    "push",
    "stray_impulse",
    "normal_speed",
    "pushed_normal_speed",
    "staying_vertices",
    "impact_normal_speed",
    "arriving_vertices",
    "beyond_friction",
    "energy_excess",
    "count",
):
    function = drops.largest_energy_excess if name == "energy_excess" else getattr(drops, name)
    measurement(f"printed_drops.{name}", unit="1", experiment=EXPERIMENT)(function)
for name in ("depth", "differs_when_left_alone"):
    measurement(f"printed_drops.{name}", unit="m", experiment=EXPERIMENT)(getattr(drops, name))

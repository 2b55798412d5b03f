# SPDX-License-Identifier: BSD-3-Clause
"""Cells whose sweep coordinates stand in their specs too, as those of a run do:
cells that differ in nothing else are one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from made_up_traces import write_trace

PAPER = "mueller_et_al_2007/"


def write_cell(
    folder: Path,
    experiment: str,
    name: str,
    coordinates: Mapping[str, Any],
    *,
    scene: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    **more: Any,
) -> Path:
    """write_trace of method pbd with the values of `coordinates` in the scene and the method;
    `experiment` without its folder."""

    def under(prefix: str) -> dict[str, Any]:
        return {path[len(prefix) :]: value for path, value in coordinates.items() if path.startswith(prefix)}

    return write_trace(
        folder,
        PAPER + experiment,
        "pbd",
        name=name,
        coordinates=coordinates,
        scene={**(scene or {}), **under("scene.parameters.")},
        parameters={**(parameters or {}), **under("method.parameters.")},
        **more,
    )

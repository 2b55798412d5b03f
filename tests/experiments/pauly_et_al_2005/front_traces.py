# SPDX-License-Identifier: BSD-3-Clause
"""Made-up traces of crack fronts."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from made_up_traces import add_frames, write_trace

Arrays = Mapping[str, np.ndarray]


def front_arrays(*fronts: tuple[np.ndarray, Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """front_nodes and front_ids of fronts: nodes [n, 3] and, where they differ from a closed front of crack 0, id,
    ids, crack, closed, sheets (of both ends)."""
    nodes, rows = [], []
    for number, (points, about) in enumerate(fronts):
        closed = bool(about.get("closed", True))
        sheets = about.get("sheets", (-1, -1))
        ids = about.get("ids", 100 * number + np.arange(len(points)))
        for k in range(len(points)):
            is_end = not closed and k in (0, len(points) - 1)
            sheet = sheets[0 if k == 0 else 1] if is_end else -2
            rows.append([about.get("id", number), ids[k], about.get("crack", 0), int(closed), sheet, -1])
        nodes.append(points)
    return {
        "front_nodes": np.vstack(nodes) if nodes else np.zeros((0, 3)),
        "front_ids": np.array(rows, dtype=np.int64).reshape(-1, 6),
    }


def circle(radius: float, count: int, centre: Sequence[float] = (0, 0, 0)) -> np.ndarray:
    """Nodes of a circle across z."""
    angle = 2 * np.pi * np.arange(count) / count
    return np.array(centre) + radius * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)


def write_fronts(
    folder: Path,
    experiment: str,
    members: Sequence[Sequence[tuple[int, float, Arrays]]],
    *,
    rest: np.ndarray | None = None,
    scene_name: str = "node_solid",
    series: dict[str, Any] | None = None,
    **about: Any,
) -> Path:
    """A trace of members: rows of step, time and arrays. One member alone is no ensemble."""
    count = len(members)
    positions = np.zeros((count, len(members[0]), 1, 3))
    if rest is not None:
        positions = np.broadcast_to(rest, (*positions.shape[:2], *rest.shape)).copy()
    path = write_trace(
        folder,
        f"{experiment} meshless {about.pop('name', 'meshless')}",
        series={"frame": {"positions": positions if count > 1 else positions[0]}, **(series or {})},
        seeds=count if count > 1 else 0,
        arrays={"rest_positions": np.zeros((1, 3)) if rest is None else rest},
        **about,
    )
    with h5py.File(path, "a") as file:
        spec = json.loads(file["provenance"].attrs["spec"])
        spec["scene"]["name"] = scene_name
        file["provenance"].attrs["spec"] = json.dumps(spec)
        del file["series/frame/step"], file["series/frame/time"]
        steps = np.array([[step for step, _, _ in rows] for rows in members])
        times = np.array([[time for _, time, _ in rows] for rows in members])
        file["series/frame/step"] = steps if count > 1 else steps[0]
        file["series/frame/time"] = times if count > 1 else times[0]
    add_frames(path, members)
    return path

# SPDX-License-Identifier: BSD-3-Clause
"""Traces of single triangles one above the other, for tests of what is judged by crossings."""

from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import add_frames, write_trace

LAYERS = 4
TRIANGLES = np.arange(3 * LAYERS).reshape(LAYERS, 3)
MASSES = np.linspace(1.0, 2.0, 3 * LAYERS)


def stack(crossed: bool = False) -> np.ndarray:
    """Positions of parallel triangles; one stands upright through another if `crossed`."""
    x = np.concatenate([[[0.0, k, 0.0], [1, k, 0], [0, k, 1]] for k in range(LAYERS)])
    if crossed:
        x[3:6] = [[0.2, -1.0, 0.2], [0.2, 0.9, 0.2], [0.3, 0.9, 0.3]]
    return x


def write(
    folder: Path,
    experiment: str,
    name: str,
    *,
    positions: np.ndarray,
    velocities: np.ndarray | None = None,
    counts: dict[int, int] | None = None,
    counted: int | list[int] = 1,
    parameters: dict[str, Any] | None = None,
    scene: dict[str, Any] | None = None,
    triangles: np.ndarray = TRIANGLES,
    rest: np.ndarray | None = None,
    members: int = 0,
    sweep_contacts: tuple[int, ...] = (),
    more: dict[str, dict[str, np.ndarray]] | None = None,
) -> None:
    """`positions`, `velocities` [frames,n,3] of a run, or [members,frames,n,3]; `counts` of the method in the last
    `counted` frames, by place, of every member or per member; `more` clocks."""
    series = {"positions": positions}
    if velocities is not None:
        series["velocities"] = velocities
    path = write_trace(
        folder,
        f"{experiment} force_cloth {name}",
        scene={"layers": LAYERS},
        coordinates={
            **{f"method.parameters.{k}": v for k, v in (parameters or {}).items()},
            **{f"scene.parameters.{k}": v for k, v in (scene or {}).items()},
        },
        arrays={"triangles": triangles, "masses": MASSES, "rest_positions": stack() if rest is None else rest},
        series={"frame": series, **(more or {})},
        seeds=members,
    )
    frames = positions.shape[1] if members else positions.shape[0]
    contacts = [()] * (frames - 1) + [sweep_contacts]

    def rows(last: int) -> list[tuple[int, float, dict[str, np.ndarray]]]:
        found = np.zeros((frames, 10), int)
        for place, value in (counts or {}).items():
            found[max(frames - last, 0) :, place] = value
        return [
            (k, 0.01 * k, {"collision_counts": found[k], "sweep_contacts": np.array(contacts[k], int)})
            for k in range(frames)
        ]

    add_frames(path, [rows(n) for n in (counted if isinstance(counted, list) else [counted] * max(members, 1))])

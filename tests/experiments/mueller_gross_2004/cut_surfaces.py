# SPDX-License-Identifier: BSD-3-Clause
"""Two tetrahedra that come apart, the surface round them that is cut,
and runs whose frames have a fault of a known size."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from made_up_traces import write_trace

# Volumes 1/6 and 1/3 m³, with the common face (1, 2, 3): whole, and come apart with vertices of their own.
REST = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
WHOLE = np.array([[0, 1, 2, 3], [4, 2, 1, 3]])
APART = np.array([[0, 1, 2, 3], [4, 6, 5, 7]])
PARENTS = np.array([0, 1, 2, 3, 4, 1, 2, 3])
# A triangle through the common face, and one far from it.
CROSSING_SKIN = np.array(
    [[0.3, 0.3, 0.2], [0.6, 0.6, 0.6], [0.35, 0.2, 0.3], [0.1, 0.1, 0.1], [0.2, 0.1, 0.1], [0.1, 0.2, 0.1]]
)
TURNED_CAP = (
    2 * 0.1 / 3
)  # m³: the cap of area √3/2 lies 0.2/√3 m from the middle of the vertices; turned, its cone counts twice the other way


def boundary(tetrahedron: np.ndarray) -> list[list[int]]:
    a, b, c, d = (int(v) for v in tetrahedron)
    return [[a, c, b], [a, b, d], [b, c, d], [a, d, c]]


FIRST = np.array([t for t in boundary(WHOLE[0]) + boundary(WHOLE[1]) if set(t) != {1, 2, 3}])


def surface(kind: str) -> np.ndarray:
    """Triangles of a frame, eight in all: `whole`, `apart`; `swap`: both caps are turned inside out, `swap 0`: that
    of element 0 alone; `stale`, `stale 2`: so many triangles of the surface come apart join the two still."""
    if kind == "whole":  # a series has rows of one length: two spare triangles are closed and enclose nothing
        return np.concatenate([FIRST, [[5, 6, 7], [5, 7, 6]]])
    found = np.array(boundary(APART[0]) + boundary(APART[1]))
    caps = [k for k, t in enumerate(found.tolist()) if {PARENTS[v] for v in t} == {1, 2, 3}]
    turned = {"swap": caps, "swap 0": caps[:1]}.get(kind, [])
    found[turned] = found[turned][:, [0, 2, 1]]
    if kind.startswith("stale"):
        found[0] = [0, 6, 1]
    if kind == "stale 2":
        found[5] = [4, 2, 7]
    return found


def cut_trace(
    folder: Path,
    experiment: str,
    rows: Sequence[str] = ("whole", "apart"),
    *,
    status: str = "completed",
    seed: int = 1,
    step: Mapping[str, Sequence[float]] | None = None,
    moved: Sequence[np.ndarray] | None = None,
    at_rest: np.ndarray | None = None,
    skin: np.ndarray = REST,
    first: np.ndarray = FIRST,
) -> None:
    """A frame of each kind; `step`: channels of the steps that are other than a sound run's; `moved`: positions of
    the frames; `at_rest`: those of the surface at rest."""
    own = REST[PARENTS]
    positions = np.stack(moved if moved is not None else [own * (1 + 0.5 * k) for k in range(len(rows))])
    split = np.array([kind != "whole" for kind in rows])
    follows = np.where(split[:, None], [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 0, 0, 0])
    channels = {
        "skin_boundary_edges": np.zeros(len(rows)),
        "skin_volume_error": np.zeros(len(rows)),
        "skin_area_vector": np.zeros(len(rows)),
        "skin_grid_builds": np.ones(len(rows)),
        "split_count": 3.0 * split,
        **{k: np.array(v) for k, v in (step or {}).items()},
    }
    frames = {
        "positions": positions,
        "tetrahedra": np.where(split[:, None, None], APART, WHOLE),
        "parents": np.stack([PARENTS] * len(rows)),
        "skin_positions": positions,
        "skin_rest_positions": np.stack([own] * len(rows)) if at_rest is None else at_rest,
        "skin_triangles": np.stack([surface(k) for k in rows]),
        "skin_elements": follows,
        "skin_origins": np.array([[0, 1, 2, 3, 4, 5, -1, -1]] * len(rows)),
    }
    arrays = {"rest_positions": REST, "tetrahedra": WHOLE, "skin_rest_positions": skin, "skin_triangles": first}
    series = {"frame": frames, "step": channels}
    write_trace(
        folder, f"{experiment} warped_fem warped", swept={"seed": seed}, status=status, arrays=arrays, series=series
    )

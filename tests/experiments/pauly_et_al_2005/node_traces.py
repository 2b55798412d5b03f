# SPDX-License-Identifier: BSD-3-Clause
"""Made-up traces of clouds of nodes: frames with arrays of the method's own."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import add_frames, write_trace

from deformbench_analysis.moving_least_squares import Nodes

YOUNG, POISSON, DENSITY = 1e5, 0.33, 1000.0
MATERIAL = {"young_modulus_pa": YOUNG, "poisson_ratio": POISSON, "density_kg_m3": DENSITY}


def grid(*ticks: np.ndarray) -> np.ndarray:
    """All points with these coordinates, the last one fastest."""
    return np.stack(np.meshgrid(*ticks, indexing="ij"), axis=-1).reshape(-1, 3)


@cache
def cloud(across: int = 3, ratio: float = 2.2, seed: int = 1, jitter: float = 0.2, side: float = 1.0) -> Nodes:
    """Nodes in jittered cells of a cube [0, side] × [±side/2]²; nobody changes them."""
    spacing = side / across
    cells = grid(*[np.arange(across) + 0.5] * 3)
    jittered = cells + jitter * np.random.default_rng(seed).uniform(-1, 1, cells.shape)
    rest = spacing * jittered - [0, side / 2, side / 2]
    rest.flags.writeable = False
    return Nodes.of_material(rest, np.full(len(rest), ratio * spacing), YOUNG, POISSON)


def arrays_of(nodes: Nodes, positions: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """What the method stores of a cloud, by the analysis."""
    x = nodes.rest if positions is None else positions
    stored = {
        "node_rest_positions": nodes.rest,
        "node_supports": nodes.supports,
        "node_volumes": nodes.volumes,
        "node_ranks": nodes.ranks,
        "node_deformation_gradients": nodes.deformation_gradients(x),
        "node_strains": nodes.strains(x),
        "node_stresses": nodes.stresses(nodes.strains(x)),
        "pairs": nodes.pairs,
        "pair_weights": nodes.weights,
        "pair_gradients": nodes.gradient_weights,
    }
    return {name: array.copy() for name, array in stored.items()}


def write_nodes(
    folder: Path,
    experiment: str,
    frames: Sequence[Sequence[tuple[np.ndarray, Mapping[str, np.ndarray]]]],
    *,
    scene: Mapping[str, Any] | None = None,
    series: Mapping[str, Mapping[str, np.ndarray]] | None = None,
    **about: Any,
) -> Path:
    """A trace of `frames`: member → row → positions and arrays. One member alone is no ensemble."""
    members = len(frames)
    positions = np.array([[x for x, _ in member] for member in frames])
    path = write_trace(
        folder,
        f"{experiment} {about.pop('method_id', 'meshless')} {about.pop('name', 'meshless')}",
        scene={**MATERIAL, **(scene or {})},
        series={"frame": {"positions": positions if members > 1 else positions[0]}, **(series or {})},
        seeds=members if members > 1 else 0,
        **about,
    )
    add_frames(path, [[(k, 0.01 * k, arrays) for k, (_, arrays) in enumerate(rows)] for rows in frames])
    return path

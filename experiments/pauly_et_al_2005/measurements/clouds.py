# SPDX-License-Identifier: BSD-3-Clause
"""Helpers for measurements on the node clouds of Pauly et al. 2005: frames by member,
and the analysis' operators."""

from collections.abc import Callable, Iterator

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import LinearOperator

from deformbench_analysis.moving_least_squares import Nodes, over_masses, stiffness
from deformbench_analysis.vocabulary import Array, Quantity, Trace, quantity

Frame = dict[str, Array]


def seeds(trace: Trace) -> list[int | None]:
    """Indices of the members; [None] if the run is no ensemble."""
    count = len(trace.value("ensemble.seeds", []) or [])
    return list(range(count)) if count else [None]


def by_member(phrase: str) -> Callable[[Callable[[Trace, int | None], float]], Quantity]:
    """A quantity per member; notes name the member."""
    return lambda of: quantity(phrase)(lambda trace: {f"{trace.label}, member {m}": of(trace, m) for m in seeds(trace)})


def frame(trace: Trace, member: int | None, index: int = 0) -> Frame:
    """Arrays of the frame with this index, 0 the start."""
    for k, (_, _, arrays) in enumerate(trace.frames(member)):
        if k > index:
            break
        if k == index and "node_rest_positions" in arrays:
            return arrays
    raise trace.missing(f"no frame {index} with nodes")


def starts(trace: Trace) -> Iterator[Frame]:
    """The first frame of every member."""
    for member in seeds(trace):
        yield frame(trace, member)


def nodes_of(trace: Trace, arrays: Frame) -> Nodes:
    """The analysis' own operators of these nodes, with the scene's material."""
    return Nodes.of_material(
        arrays["node_rest_positions"],
        arrays["node_supports"],
        trace.number("young_modulus_pa"),
        trace.number("poisson_ratio"),
    )


def wave_speeds(trace: Trace) -> tuple[float, float]:
    """Speeds of pressure and shear waves, m/s."""
    of = Nodes.of_material(
        np.zeros((1, 3)), np.ones(1), trace.number("young_modulus_pa"), trace.number("poisson_ratio")
    )
    density = trace.number("density_kg_m3")
    return float(np.sqrt((of.first_lame + 2 * of.shear_modulus) / density)), float(np.sqrt(of.shear_modulus / density))


def spacing(trace: Trace) -> float:
    """Δ, the side of the cells with one node each, m."""
    return trace.number("side_m") / trace.number("nodes_across")


def stored_operator(
    trace: Trace, arrays: Frame, form: Callable[..., csr_matrix | LinearOperator] = stiffness
) -> csr_matrix | LinearOperator:
    """M^-½ K M^-½ about rest, 1/s², of the pairs, gradients, volumes and masses that the method stored."""
    own = nodes_of(trace, arrays)
    matrix = form(
        arrays["pairs"],
        arrays["pair_gradients"],
        arrays["node_volumes"],
        own.projections,
        own.first_lame,
        own.shear_modulus,
    )
    return over_masses(matrix, arrays["node_masses"])

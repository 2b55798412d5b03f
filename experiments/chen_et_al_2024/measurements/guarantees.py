# SPDX-License-Identifier: BSD-3-Clause
"""Guarantees of vertex block descent: each vertex update lowers the objective, few sweeps create no energy, a body
recovers its shape. Measurements of block_updates, few_sweeps and any_start."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.mesh import edge_matrices, edges
from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from .one_step import FAILED, MAY_DIVERGE, finished, problem

UPDATES = Measures("chen_et_al_2024/block_updates")
FEW = Measures("chen_et_al_2024/few_sweeps")
ANY = Measures("chen_et_al_2024/any_start")
ROUNDING = 1e-12  # of the terms of a vertex's objective


# ---- updates of single vertices


@lru_cache(maxsize=256)
def changes(trace: Trace) -> Array:
    """Change of a vertex's objective in its update, relative to the sum of its terms, per update."""
    step, x = problem(trace), trace.values("frame", "positions")
    nodes, slopes, volumes = step.points.nodes, step.points.slopes, step.points.volumes
    is_own = step.is_free[nodes]
    if is_own.sum(axis=1).max() > 1:
        raise trace.missing("free vertices share an element, expected independent ones")
    star = is_own.any(axis=1)
    owner = nodes[star][is_own[star]]
    unit = 3 * step.constants[1][star] * volumes[star]  # the I_C term at rest, which cancels

    def elastic(positions: Array) -> Array:
        own = positions[nodes[star]]
        gradients = np.einsum("pai,paj->pij", own - own[:, :1], slopes[star])
        return np.asarray(step.law(gradients, step.constants[0][star], step.constants[1][star])[0] * volumes[star])

    found = []
    for k in range(len(x) - 1):
        ballistic = 2 * x[k] - x[k - 1] if k else step.ballistic
        before, after = elastic(x[k]), elastic(x[k + 1])
        away = [0.5 * step.inertia * ((at - ballistic) ** 2).sum(axis=1) for at in (x[k], x[k + 1])]
        change, size = away[1] - away[0], away[0] + away[1]
        np.add.at(change, owner, after - before)
        np.add.at(size, owner, np.abs(after) + np.abs(before) + unit)
        found.append(change[step.is_free] / size[step.is_free])
    return np.concatenate(found)


@quantity("vertex updates that raise the vertex's objective by more than 1e-12 of its terms")
def rises(trace: Trace) -> float:
    """A non-finite change is a rise."""
    finished(trace)
    return float(np.sum(~(changes(trace) <= ROUNDING)))


@quantity("largest rise of a vertex's objective relative to its terms")
def rise(trace: Trace) -> float:
    """0 where all updates lower it."""
    return float(np.max(changes(trace), initial=0.0))


@quantity("updates of vertices")
def updates(trace: Trace) -> float:
    """Steps times free vertices."""
    return float(len(changes(trace)))


CORE_ROWS = rows("core", says="the paper's law, all starts")
LOG = rows("log", says="law with a logarithm, all starts")
SVK = rows("st_venant_kirchhoff", says="St. Venant-Kirchhoff, all starts").however_ended(MAY_DIVERGE)
UPDATES.total("core_rises", rises, CORE_ROWS)
UPDATES.total("core_updates", updates, CORE_ROWS)
UPDATES.total("log_rises", rises, LOG)
UPDATES.largest("log_rise", rise, LOG)
UPDATES.total("st_venant_rises", rises, SVK)
UPDATES.total("searched_rises", rises, rows("searched", says="law with a logarithm and line search, all starts"))


# ---- energy


def energy_made(trace: Trace) -> Array:
    """Largest rise of the total energy above its start relative to the available energy."""
    if not finished(trace):
        return np.array([FAILED])
    weight = trace.scene("masses").sum() * np.linalg.norm(trace.value("scene.parameters.gravity_m_s2", [0.0, 0.0, 0.0]))
    lever = 2 * trace.number("side_m")  # gravity's share: weight times half the length, that is four sides
    total, kinetic, elastic = (
        trace.series("step", f"{name}_energy").members() for name in ("total", "kinetic", "elastic")
    )
    return np.array(
        [
            (t.values - t.values[0]).max() / (k.values[0] + e.values[0] + weight * lever)
            for t, k, e in zip(total, kinetic, elastic)
        ]
    )


def is_stiff(trace: Trace) -> bool:
    """Ω at least 100."""
    return trace.number("omega") >= 100


def sweeps_again(trace: Trace) -> bool:
    """At least two sweeps."""
    return trace.setting("iterations") >= 2


FEW.largest("energy_made", energy_made, rows("adaptive", says="adaptive start").however_ended(MAY_DIVERGE))
FEW.largest(
    "energy_made_beyond_one_sweep",
    energy_made,
    rows("adaptive", says="adaptive start").where(sweeps_again).however_ended(MAY_DIVERGE),
)
FEW.largest(
    "energy_made_from_last",
    energy_made,
    rows("previous", says="start from the last positions").however_ended(MAY_DIVERGE),
)
FEW.least("energy_made_explicit", energy_made, rows("explicit").where(is_stiff).however_ended(MAY_DIVERGE))


# ---- starts from which a body is to recover


def recovered(trace: Trace) -> float:
    """1 if no element ends inverted, edges are within 1 % of rest, and less than 1e-4 of the initial elastic
    energy is left."""
    if not finished(trace):
        return 0.0
    rest, tetrahedra = trace.scene("rest_positions"), trace.scene("tetrahedra").astype(int)

    a, b = edges(tetrahedra)

    def lengths(x: Array) -> Array:
        return np.asarray(np.linalg.norm(x[a] - x[b], axis=1))

    upright = np.sign(np.linalg.det(edge_matrices(rest, tetrahedra)))
    x, energy = trace.values("frame", "positions")[-1], trace.values("step", "elastic_energy")
    is_whole = bool((np.linalg.det(edge_matrices(x, tetrahedra)) * upright > 0).all())
    is_shaped = float(np.abs(lengths(x) / lengths(rest) - 1).max()) < 0.01
    return float(is_whole and is_shaped and energy[-1] < 1e-4 * energy[0])


def has_two_dimensions(trace: Trace) -> bool:
    """Flat and spherical starts."""
    return trace.value("scene.parameters.start") in ("flat", "sphere")


SHARE = quantity("share of recovered bodies")(recovered)
ALL = rows("core", says="the paper's law").however_ended(MAY_DIVERGE)
ANY.mean("recovered", SHARE, ALL)
ANY.mean("recovered_from_two_dimensions", SHARE, ALL.where(has_two_dimensions))
for _start in ("noise", "line", "point", "mirrored"):
    ANY.mean(f"recovered_from_{_start}", SHARE, ALL.where(start=_start))
ANY.largest("energy_made", energy_made, ALL)
ANY.largest("energy_made_from_two_dimensions", energy_made, ALL.where(has_two_dimensions))
ANY.mean("recovered_log", SHARE, rows("log", says="law with a logarithm").however_ended(MAY_DIVERGE))
ANY.mean("recovered_st_venant", SHARE, rows("st_venant_kirchhoff").where(start="mirrored").however_ended(MAY_DIVERGE))

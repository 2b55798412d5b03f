# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/refused_surfaces: requirements on a surface to be cut ([MG04] §5.2). Faults are
found here from the scene's arrays; the runs record how each was handled."""

import re

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Trace, extremes
from .surfaces import enclosed_volume, least_barycentric, open_edges

M = Measures("mueller_gross_2004/refused_surfaces")
OUTSIDE = -1e-9  # least barycentric coordinate below which a vertex is outside, far above rounding

_EDGE = re.compile(r"edge (\d+)–(\d+)")
_VERTEX = re.compile(r"vertex (\d+)")


def edge_counts(triangles: Array) -> dict[tuple[int, int], int]:
    """Triangles per edge."""
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    kinds, counts = np.unique(edges, axis=0, return_counts=True)
    return {(int(a), int(b)): int(n) for (a, b), n in zip(kinds, counts)}


def fault(trace: Trace) -> str:
    """open, branching, inside_out, outside; or "" for a closed manifold inside the mesh."""
    counts = edge_counts(trace.scene("skin_triangles")).values()
    if any(n > 2 for n in counts):
        return "branching"
    if 1 in counts:
        return "open"
    if enclosed_volume(trace.scene("skin_rest_positions"), trace.scene("skin_triangles")) <= 0:
        return "inside_out"
    if float(least_barycentric(trace).min()) < OUTSIDE:
        return "outside"
    return ""


def names_its_place(trace: Trace) -> bool:
    """Whether the reason of a refusal names what is wrong with this surface, and where."""
    reason, kind = trace.status_reason, fault(trace)
    if kind == "inside_out":
        return "inside out" in reason
    if kind == "outside":
        vertex = _VERTEX.search(reason)
        return vertex is not None and bool(least_barycentric(trace)[int(vertex.group(1))] < OUTSIDE)
    edge = _EDGE.search(reason)
    if edge is None:
        return False
    lower, higher = sorted(int(v) for v in edge.groups())
    count = edge_counts(trace.scene("skin_triangles")).get((lower, higher), 0)
    return count == 1 if kind == "open" else kind == "branching" and count > 2


def cells(data: ExperimentData) -> list[Trace]:
    """All, whatever their end; MissingData when one left no trace."""
    if data.missing:
        raise MissingData(
            f"{M.experiment} at tier {data.tier}: {len(data.missing)} runs left no trace, such as {data.missing[:2]}"
        )
    return data.some(status=None)


def _named(found: list[Trace]) -> Measured:
    return Measured(float(len(found)), "; ".join(c.label for c in found))


@M("accepted_faults")
def accepted_faults(data: ExperimentData) -> Measured:
    """Number of surfaces with a hole, with three triangles at an edge, inside out or outside the mesh that were not
    refused before the run."""
    return _named([c for c in cells(data) if fault(c) and c.status != "unsupported"])


@M("refused_sound")
def refused_sound(data: ExperimentData) -> Measured:
    """Number of closed manifold surfaces inside the mesh whose run did not complete."""
    return _named([c for c in cells(data) if not fault(c) and c.status != "completed"])


@M("unnamed_faults")
def unnamed_faults(data: ExperimentData) -> Measured:
    """Number of refusals whose reason does not name the fault and a faulty edge or vertex."""
    return _named([c for c in cells(data) if c.status == "unsupported" and not names_its_place(c)])


@M("kinds_refused")
def kinds_refused(data: ExperimentData) -> Measured:
    """Number of kinds of faults among the refused surfaces: hole, three triangles at an edge, inside out, outside the
    mesh."""
    kinds = sorted({fault(c) for c in cells(data) if c.status == "unsupported"} - {""})
    return Measured(float(len(kinds)), ", ".join(kinds))


# Soundness is judged by the arrays, not the declaration: refused surfaces do not count,
# and a sound one must have completed.
@M("sound_open_edges")
def sound_open_edges(data: ExperimentData) -> Measured:
    """Largest number of edges without a matching opposite edge in any step, surfaces without faults that were cut."""
    return extremes.largest({c: float(open_edges(c)) for c in data.every(keep=lambda c: not fault(c))})


@M("sound_crack_triangles")
def sound_crack_triangles(data: ExperimentData) -> Measured:
    """Smallest number of triangles that the cuts added to a surface without faults."""
    return extremes.least(
        {
            c: float(c.values("step", "skin_triangle_count")[-1] - len(c.scene("skin_triangles")))
            for c in data.every(keep=lambda c: not fault(c))
        }
    )

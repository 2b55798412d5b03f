# SPDX-License-Identifier: BSD-3-Clause
"""The rule by which mueller_et_al_2007/tearing tears, [MHHR07] section 5.4, checked from the stored meshes alone.

An edge stretched beyond the threshold splits one of its ends z by the plane through z perpendicular to the edge;
triangles on one side keep z, the others get a duplicate. Frames of consecutive steps show it without events: the
vertices that a step found have their positions after its projections in both meshes, and triangles keep their
indices."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, MissingData, Trace
from deformbench_analysis.vocabulary import quantity

M = Measures("mueller_et_al_2007/tearing")
ROUNDING = 1e-9  # of the threshold and of an edge: closer ones may go either way


class Mesh:
    """Edges and stars of a list of triangles."""

    def __init__(self, triangles: Array, rest: Array, parents: Array):
        self.triangles = triangles
        sides = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
        self.pairs = np.unique(sides, axis=0)
        self.lengths = np.linalg.norm(
            rest[parents[self.pairs[:, 0]]] - rest[parents[self.pairs[:, 1]]], axis=1
        )  # m, at rest
        self._stars: dict[int, list[int]] = {}

    def star(self, vertex: int) -> list[int]:
        """Indices of the triangles around a vertex."""
        if vertex not in self._stars:
            self._stars[vertex] = np.flatnonzero((self.triangles == vertex).any(axis=1)).tolist()
        return self._stars[vertex]

    def at(self, edge: tuple[int, int]) -> list[int]:
        """Triangles of an edge."""
        a, b = edge
        return [t for t in self.star(a) if b in self.triangles[t]]


@dataclass
class TearStep:
    """The mesh as a step found it and as it left it."""

    step: int
    mesh: Mesh
    after: Array  # triangles
    positions: Array  # m, of the vertices of `mesh`, at the end of the step
    stretch: Array  # of the edges of `mesh`: length over rest length
    held: set[int]
    threshold: float
    velocities: Array  # m/s, at the end of the step, duplicates included

    def jump(self) -> float:
        """Largest velocity difference between a duplicate and the vertex that it was torn from, m/s."""
        before = self.mesh.triangles
        at = np.nonzero(before != self.after)
        if not len(at[0]):
            return 0.0
        return float(np.linalg.norm(self.velocities[self.after[at]] - self.velocities[before[at]], axis=1).max())

    def overstretched(self, slack: float) -> list[tuple[int, int]]:
        """Edges that are stretched beyond the threshold by more than `slack`, relative."""
        return [(int(a), int(b)) for a, b in self.mesh.pairs[self.stretch > self.threshold * (1 + slack)]]

    def side(self, vertex: int, other: int, triangle: int) -> int:
        """+1 where the triangle's centre is on the side of `other` of the plane through `vertex`, −1 beyond,
        0 on it."""
        x = self.positions
        along = x[other] - x[vertex]
        height = float((x[self.mesh.triangles[triangle]].mean(axis=0) - x[vertex]) @ along)
        return 0 if abs(height) <= ROUNDING * float(along @ along) else int(np.sign(height))

    def now(self, vertex: int, triangle: int) -> int:
        """The vertex after the step at the corner of the triangle where `vertex` was."""
        return int(self.after[triangle][self.mesh.triangles[triangle] == vertex].item())

    def is_split_up(self, vertex: int, other: int) -> bool:
        """Whether the triangles that keep `vertex` lie on one side of the plane."""
        return not {1, -1} <= {
            self.side(vertex, other, t) for t in self.mesh.star(vertex) if self.now(vertex, t) == vertex
        }


def tear_steps(trace: Trace, member: int | None = None) -> Iterator[TearStep]:
    """Every step of the run; MissingData where a step between is not stored."""
    rest = np.asarray(trace.scene("rest_positions"))
    threshold = trace.setting("tear_stretch")
    fixed: set[int] = set()
    if trace.scene_shape("prescribed_vertices"):
        fixed |= set(trace.scene("prescribed_vertices").astype(int).ravel().tolist())
    if trace.scene_shape("attachments"):
        fixed |= set(trace.scene("attachments").astype(int)[:, 0].tolist())
    last: tuple[int, dict[str, Array]] | None = None
    mesh: Mesh | None = None
    for step, _, fields in trace.frames(member):
        if last is not None:
            previous, found = last
            before, after = found["triangles"].astype(int), fields["triangles"].astype(int)
            if step != previous + 1 or int(trace.value("method.parameters.substeps", 1)) != 1:
                raise MissingData(f"{trace.label}: frames of every step are needed, found {previous} and then {step}")
            parents = found["parents"].astype(int)
            mesh = mesh or Mesh(before, rest, parents)
            x = fields["positions"][: len(parents)]
            stretch = np.linalg.norm(x[mesh.pairs[:, 0]] - x[mesh.pairs[:, 1]], axis=1) / mesh.lengths
            held = {v for v, parent in enumerate(parents.tolist()) if parent in fixed}
            yield TearStep(step, mesh, after, x, stretch, held, threshold, np.asarray(fields["velocities"]))
            if not np.array_equal(before, after):
                mesh = None
        last = (step, fields)


def unexplained_cuts(step: TearStep) -> int:
    """Edges of two triangles that the step has cut open, though no overstretched edge has the two on different sides
    of its plane."""
    before = step.mesh.triangles
    moved = np.flatnonzero((before != step.after).any(axis=1)).tolist()
    if not moved:
        return 0
    long_at: dict[int, list[int]] = defaultdict(list)
    for a, b in step.overstretched(-ROUNDING):
        long_at[a].append(b)
        long_at[b].append(a)
    wrong = 0
    torn = {
        (a, b)
        for t in moved
        for a, b in zip(np.sort(before[t])[[0, 0, 1]].tolist(), np.sort(before[t])[[1, 2, 2]].tolist())
    }
    for edge in sorted(torn):
        triangles = step.mesh.at(edge)
        if len(triangles) != 2:
            continue
        s, t = triangles
        cut = [z for z in edge if step.now(z, s) != step.now(z, t)]
        if cut and not any(step.side(z, o, s) * step.side(z, o, t) <= 0 for z in edge for o in long_at[z]):
            wrong += 1
    return wrong


def can_split(step: TearStep, vertex: int, other: int) -> bool:
    """Whether a vertex is free and has triangles on both sides of the plane across the edge to `other`."""
    return vertex not in step.held and {1, -1} <= {step.side(vertex, other, t) for t in step.mesh.star(vertex)}


def untorn_edges(step: TearStep) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Overstretched edges that no plane of their own has split: those that a plane could have split, and those that
    none could (ends held, or all triangles of both ends on one side). An edge that another tear has taken an end from
    is neither."""
    missed, refused = [], []
    for edge in step.overstretched(ROUNDING):
        a, b = edge
        ends = [(z, o) for z, o in ((a, b), (b, a)) if can_split(step, z, o)]
        if not ends:
            refused.append(edge)
            continue
        # An end that no plane could split has its triangles on one side anyway, which proves nothing.
        kept = [t for t in step.mesh.at(edge) if step.now(a, t) == a and step.now(b, t) == b]
        if kept and not any(step.is_split_up(z, o) for z, o in ends):
            missed.append(edge)
    return missed, refused


def _members(trace: Trace) -> list[int | None]:
    count = (
        trace.series("step", "torn_vertices").values.shape[0]
        if trace.series("step", "torn_vertices").is_ensemble
        else 0
    )
    return list(range(count)) or [None]


@dataclass
class Rule:
    """Results of a run for the rule."""

    tears: int = 0
    unexplained: int = 0
    missed: int = 0
    refused: int = 0
    jump: float = 0.0  # m/s
    longest: int = 0  # consecutive steps at whose ends one edge is overstretched and not torn
    note: str = ""


@lru_cache(maxsize=256)
def rule(trace: Trace) -> Rule:
    """Counts over all members; cached for four measurements."""
    total = Rule()
    for member in _members(trace):
        running: dict[tuple[int, int], int] = {}
        for step in tear_steps(trace, member):
            wrong = unexplained_cuts(step)
            missed, refused = untorn_edges(step)
            total.tears += len(np.unique(step.after)) - len(np.unique(step.mesh.triangles))
            total.unexplained += wrong
            total.missed += len(missed)
            total.refused += len(refused)
            total.jump = max(total.jump, step.jump())
            running = {e: running.get(e, 0) + 1 for e in missed + refused}
            total.longest = max([total.longest, *running.values()])
            if (wrong or missed) and not total.note:
                total.note = f"{trace.label}: step {step.step}"
    return total


def _noted(found: list[Rule]) -> str:
    """The first place where the rule is broken, or how often it was applied."""
    return next((r.note for r in found if r.note), f"{sum(r.tears for r in found)} tears")


@M("cuts_without_reason")
def cuts_without_reason(data: ExperimentData) -> Measured:
    """Number of edges opened although no overstretched edge's splitting plane has their two triangles on different
    sides at the end of the step."""
    found = [rule(c) for c in EVERY_RUN.runs(data)]
    return Measured(float(sum(r.unexplained for r in found)), _noted(found))


@M("edges_left_whole")
def edges_left_whole(data: ExperimentData) -> Measured:
    """Number of edges beyond the threshold at the end of a step that a splitting plane at a free end would open and
    none has."""
    found = [rule(c) for c in EVERY_RUN.runs(data)]
    return Measured(float(sum(r.missed for r in found)), _noted(found))


@M("edges_that_cannot_split")
def edges_that_cannot_split(data: ExperimentData) -> Measured:
    """Number of overstretched edges, summed over steps, whose splitting planes at both ends have all triangles on one
    side or whose ends are held."""
    found = [rule(c) for c in EVERY_RUN.runs(data)]
    longest = max(r.longest for r in found)
    return Measured(float(sum(r.refused for r in found)), f"one edge at most {longest} steps in a row")


M.largest(
    "velocity_jump",
    quantity("velocity jump between a new vertex and the one it was torn from, after the tearing step", unit="m/s")(
        lambda c: rule(c).jump
    ),
)

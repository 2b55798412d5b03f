# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/split_rule: every vertex split is replayed from the stored frames by the paper's
rule ([MG04] §4), independently of the program that made it."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from deformbench_analysis.corotational import polar
from deformbench_analysis.mesh import deformation_gradients, isotropic_stress
from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, MissingData, Trace
from deformbench_analysis.vocabulary import quantity, rows
from .broken_meshes import CORNERS_OF_FACES, Frame, exposed_faces, frames, hinge_vertices, last_frame, require_next
from .split_events import Choice, choices

M = Measures("mueller_gross_2004/split_rule")
ROUNDING = 1e-12  # of a centre's distance from the plane / size of the element


def sides(tetrahedra: Array, positions: Array, vertex: int, normal: Array) -> tuple[list[int], list[int]]:
    """Elements round the vertex by the side of the plane on which their centres lie: (+, −).
    A centre in the plane is +."""
    star = np.flatnonzero((tetrahedra == vertex).any(axis=1))
    offsets = positions[tetrahedra[star]].mean(axis=1) - positions[vertex]
    below = offsets @ normal < -ROUNDING * np.abs(offsets).max()
    return [int(e) for e in star[~below]], [int(e) for e in star[below]]


def opened_faces(tetrahedra: Array, vertex: int, above: list[int], below: list[int]) -> list[tuple[int, int]]:
    """(v1, v2) of every face (v, v1, v2) between the two sides."""
    faces = {frozenset(int(tetrahedra[e, c]) for c in local) for e in above for local in CORNERS_OF_FACES}
    found = []
    for element in below:
        for local in CORNERS_OF_FACES:
            face = frozenset(int(tetrahedra[element, c]) for c in local)
            if vertex in face and face in faces:
                first, second = sorted(face - {vertex})
                found.append((first, second))
    return found


@dataclass
class Replay:
    """What the replay of one run found."""

    splits: int = 0
    refused: int = 0
    wrong_sides: int = 0  # elements
    wrong_faces: int = 0  # splits
    tip_choices: int = 0
    on_tip: int = 0
    tip_ranks: list[tuple[int, int]] = field(default_factory=list)  # crack tips that can be split, and which one was
    stress_errors: list[float] = field(default_factory=list)
    other_order: list[float] = field(default_factory=list)


def principal_stress(trace: Trace, element: int, now: Array, turned_at: Array) -> float:
    """Largest principal stress of an element with its corners at `now` and the rotation that they have at
    `turned_at`, Pa."""
    rest = trace.scene("rest_positions")[trace.scene("tetrahedra")[element]]
    young, poisson = (trace.number(n) for n in ("young_modulus_pa", "poisson_ratio"))

    def local(points: Array) -> Array:
        return np.asarray(deformation_gradients(rest, np.array([[0, 1, 2, 3]]), points))

    rotation = polar(local(turned_at))
    stretch = np.swapaxes(rotation, 1, 2) @ local(now)
    strain = 0.5 * (stretch + np.swapaxes(stretch, 1, 2)) - np.eye(3)
    return float(np.linalg.eigvalsh(isotropic_stress(strain, young, poisson))[0, -1])


@cache
def replay(trace: Trace) -> Replay:
    """Goes through a run with one split and one frame per step."""
    result = Replay()
    asked: dict[int, list[Choice]] = {}
    for choice in choices(trace):
        asked.setdefault(choice.step, []).append(choice)
    tips: set[int] = set()
    before: Frame | None = None
    for frame in frames(trace):
        if before is not None:
            require_next(trace, before, frame)
            _replay_step(trace, before, frame, asked.get(frame.step, []), tips, result)
        before = frame
    return result


def _replay_step(
    trace: Trace, before: Frame, after: Frame, asked: list[Choice], tips: set[int], result: Replay
) -> None:
    old, new, positions = before.tetrahedra, after.tetrahedra, after.field("positions")
    result.refused += sum(not c.split for c in asked)
    done = [c for c in asked if c.split]
    if len(done) > 1:
        raise trace.missing(f"{len(done)} splits in step {after.step}, expected one at most")
    for choice in done:
        result.splits += 1
        above, below = sides(old, positions, choice.vertex, choice.normal)
        _judge_choice(old, positions, choice, tips, result)
        # Elements above keep the vertex, those below have a new one;
        # a hinge may give some of either a vertex of its own.
        kept = {e for e in above if choice.vertex in new[e]}
        moved = {e for e in below if choice.vertex not in new[e]}
        if trace.value("method.parameters.fracture_hinges") == "keep":
            others = [e for e in range(len(old)) if e not in below and not np.array_equal(old[e], new[e])]
            result.wrong_sides += len(above) - len(kept) + len(below) - len(moved) + len(others)
        else:
            corner = {e: int(new[e][list(old[e]).index(choice.vertex)]) for e in above + below}
            shared = {corner[e] for e in above} & {corner[e] for e in below}
            result.wrong_sides += sum(corner[e] in shared for e in above + below)
        faces = opened_faces(old, choice.vertex, above, below)
        expected = {frozenset((choice.vertex, *face)) for face in faces}
        opened = {frozenset(int(v) for v in face) for face in exposed_faces(old, new)}
        result.wrong_faces += opened != expected or len(expected) != choice.faces
        tips.discard(choice.vertex)
        tips.update(v for face in faces for v in face)
        if trace.value("method.parameters.fracture_hinges") != "keep":
            tips.difference_update({int(v) for v in tips if _fell_apart(old, new, v)})
        corners = old[choice.element]
        now, turned_at = positions[corners], before.field("positions")[corners]
        result.stress_errors.append(abs(principal_stress(trace, choice.element, now, turned_at) / choice.stress - 1))
        result.other_order.append(
            abs(principal_stress(trace, choice.element, turned_at, turned_at) / choice.stress - 1)
        )


def _fell_apart(old: Array, new: Array, vertex: int) -> bool:
    """Whether elements at a vertex got another one in this step: a hinge that was separated,
    which is no longer a tip."""
    rows, columns = np.nonzero(old == vertex)
    return bool((new[rows, columns] != vertex).any())


def _judge_choice(tetrahedra: Array, positions: Array, choice: Choice, tips: set[int], result: Replay) -> None:
    """Counts choices in elements with a tip that can be split: whether a tip was taken."""
    here = [int(v) for v in tetrahedra[choice.element] if int(v) in tips]
    can_split = [v for v in here if all(sides(tetrahedra, positions, v, choice.normal))]
    if can_split:
        result.tip_choices += 1
        result.on_tip += choice.vertex in here
        if len(can_split) > 1 and choice.vertex in can_split:
            result.tip_ranks.append((len(can_split), can_split.index(choice.vertex)))


WRONG_SIDES = quantity(
    "elements on another side of a split than their centre, or changed though not at the split vertex"
)(lambda c: replay(c).wrong_sides)
WRONG_FACES = quantity("splits that opened or reported other faces than the analysis computes")(
    lambda c: replay(c).wrong_faces
)
HINGES = quantity("vertices at the end whose elements are connected by an edge or a vertex only")(
    lambda c: hinge_vertices(last_frame(c).tetrahedra)
)

M.total("splits", quantity("vertex splits that the analysis computed again")(lambda c: replay(c).splits))
M.total("assignment_mismatches", WRONG_SIDES)
M.total("face_mismatches", WRONG_FACES)
M.total(
    "tip_choices",
    quantity("splits at elements with a crack tip that could be split")(lambda c: replay(c).tip_choices),
)
M.largest(
    "other_order_stress_difference",
    quantity("|stress of the positions before the solve / reported stress − 1|")(lambda c: replay(c).other_order),
    EVERY_RUN.noted(lambda _: ""),
)
M.total("hinges_kept", HINGES, rows("keep", says="runs that keep hinges, as printed"))
M.total("hinges_separated", HINGES, rows("separate", says="runs that separate hinges"))


def replays(data: ExperimentData) -> list[Replay]:
    """The replay of each run."""
    return [replay(cell) for cell in EVERY_RUN.runs(data)]


@M("tip_share")
def tip_share(data: ExperimentData) -> float:
    """Share of the splits at elements with a crack tip that split the crack tip."""
    total = sum(r.tip_choices for r in replays(data))
    if total == 0:
        raise MissingData(f"{M.experiment} at tier {data.tier}: no element with a crack tip was asked to split")
    return sum(r.on_tip for r in replays(data)) / total


@M("refused_share")
def refused_share(data: ExperimentData) -> float:
    """Share of the chosen and reported vertices that could not be split, because all their elements are on one
    side."""
    refused, done = (sum(getattr(r, n) for r in replays(data)) for n in ("refused", "splits"))
    return float(refused / (refused + done))


@M("stress_error")
def stress_error(data: ExperimentData) -> Measured:
    """Largest |stress of the positions after the solve in the rotation of those before it / reported stress − 1| over
    all splits."""
    errors = [e for r in replays(data) for e in r.stress_errors]
    if not errors:
        raise MissingData(f"{M.experiment} at tier {data.tier}: nothing was split")
    return Measured(np.max(errors), f"{len(errors)} splits")

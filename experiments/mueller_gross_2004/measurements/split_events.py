# SPDX-License-Identifier: BSD-3-Clause
"""Vertex-split events as numbers, shared by the fracture measurements. No measurement of its own."""

import re
from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import Array, MissingData, Trace

_NUMBER = r"([-+0-9.e]+)"
_ELEMENT = re.compile(r"at element (\d+)")
_STRESS = re.compile(rf"stress {_NUMBER} Pa")
_NORMAL = re.compile(rf"normal \({_NUMBER}, {_NUMBER}, {_NUMBER}\)")
_FACES = re.compile(r"(\d+) faces? exposed")
CHOICES = ("vertex_split", "split_refused")


@dataclass(frozen=True)
class Choice:
    """A vertex that was chosen to be split: `split` says whether it was."""

    step: int
    time: float
    vertex: int
    element: int  # −1 if chosen by a vertex's own tensor
    stress: float  # Pa
    normal: Array
    faces: int
    split: bool


def choices(trace: Trace) -> list[Choice]:
    """Every vertex_split and split_refused, in order."""
    found = []
    for event in trace.events().itertuples():
        if event.kind not in CHOICES:
            continue
        normal, stress = _NORMAL.search(event.detail), _STRESS.search(event.detail)
        if normal is None or stress is None:
            raise trace.missing(f"event {event.detail!r} names no normal or stress")
        element, faces = _ELEMENT.search(event.detail), _FACES.search(event.detail)
        found.append(
            Choice(
                int(event.step),
                float(event.time),
                int(event.code),
                int(element.group(1)) if element else -1,
                float(stress.group(1)),
                np.array([float(n) for n in normal.groups()]),
                int(faces.group(1)) if faces else 0,
                event.kind == "vertex_split",
            )
        )
    return found


def first_split(trace: Trace) -> Choice:
    """First split; MissingData without one."""
    for choice in choices(trace):
        if choice.split:
            return choice
    raise trace.missing("nothing was split")


def split_total(trace: Trace) -> int:
    """Vertex splits of the whole run."""
    return int(trace.values("step", "split_count")[-1])

# SPDX-License-Identifier: BSD-3-Clause
"""A method in Python, run by the harness as a program (docs/program_protocol.md):

    import numpy as np
    import deformbench

    class Springs(deformbench.Method):
        \"\"\"Mass-spring network on the edges of the tetrahedra.\"\"\"
        parameters = {"substeps": deformbench.Parameter(100, "1", "Explicit substeps of one time step.")}

        def __init__(self, scene, parameters): ...
        def step(self): ...            # moves self.positions by scene.time_step

    if __name__ == "__main__":
        deformbench.serve(Springs)

    deformbench run cross/twist --program "python3 springs.py"
"""

import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, ClassVar

import numpy as np
import numpy.typing as npt

PROTOCOL = 1
Array = npt.NDArray[np.float64]
Value = bool | int | float | str


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method: default, unit ("1" without one, "" of text and flags), and a sentence."""

    default: Value
    unit: str = "1"
    doc: str = ""


class Scene:
    """The scene as arrays. n vertices; lengths in m, masses in kg, forces in N; `document` is the scene file."""

    document: dict[str, Any]
    time_step: float  #: s
    rest_positions: Array  #: n×3
    start_positions: Array  #: n×3
    start_velocities: Array  #: n×3
    tetrahedra: npt.NDArray[np.int64]  #: m×4, none in a cloth
    triangles: npt.NDArray[np.int64]  #: m×3 of a cloth
    masses: Array  #: n, lumped
    is_held: npt.NDArray[np.bool_]  #: n×3, the coordinates that the scene prescribes
    external_forces: Array  #: n×3, gravity and loads at the end of the step that is asked for
    held_positions: Array  #: n×3, where `is_held`: the prescribed coordinates at the end of that step

    def __init__(self, question: Mapping[str, Any]) -> None:
        document = question["scene"]
        body = document.get("body", {})
        self.document = document
        self.time_step = float(document["time_step_s"])
        self.rest_positions = np.array(body["vertices_m"], dtype=float).reshape(-1, 3)
        count = len(self.rest_positions)
        self.start_positions = np.array(document.get("initial_positions_m", self.rest_positions), dtype=float)
        self.start_velocities = np.array(document.get("initial_velocities_m_s", np.zeros((count, 3))), dtype=float)
        self.tetrahedra = np.array(body.get("tetrahedra", []), dtype=np.int64).reshape(-1, 4)
        self.triangles = np.array(body.get("triangles", []), dtype=np.int64).reshape(-1, 3)
        self.masses = np.array(question["masses_kg"], dtype=float)
        self.is_held = np.zeros((count, 3), dtype=bool)
        for vertex, *components in question["held"]:
            self.is_held[vertex] = components
        self.external_forces = np.zeros((count, 3))
        self.held_positions = np.zeros((count, 3))

    def per_tetrahedron(self, key: str) -> Array:
        """A number of the materials, as "young_modulus_pa", for every tetrahedron."""
        values = np.array([material[key] for material in self.document["materials"]], dtype=float)
        chosen = self.document.get("element_materials")
        of_element = np.array(chosen, dtype=int) if chosen else np.zeros(len(self.tetrahedra), dtype=int)
        return np.asarray(values[of_element], dtype=np.float64)


class Method:
    """What a method has. A subclass sets `positions` (n×3) in its constructor and moves them in `step`."""

    id: ClassVar[str] = ""  #: default: the class's name in snake_case
    paper_key: ClassVar[str] = "none"
    paper: ClassVar[str] = "a program from outside"
    parameters: ClassVar[Mapping[str, Parameter]] = {}
    takes: ClassVar[Sequence[str]] = ("tetrahedra",)  #: parts of a scene that it knows (docs/program_protocol.md)
    watches: ClassVar[Sequence[str]] = ()  #: what `note_iteration` is given, as ("objective",), in this order

    positions: Array
    velocities: Array | None = None  #: n×3; None: differences of the positions over the time step
    iterations: int = 0  #: of the last step, recorded
    work: Mapping[str, int] | None = None  #: of the last step (docs/program_protocol.md); None: not counted
    _log: "IterationLog | None" = None  # in a step whose iterations somebody watches

    def __init__(self, scene: Scene, parameters: Mapping[str, Any]) -> None:
        """Gets the scene at rest and the values of all parameters."""
        raise NotImplementedError

    def step(self) -> None:
        """Advances `positions` by scene.time_step. An exception fails the cell; `Diverged` says that it diverged."""
        raise NotImplementedError

    def note_iteration(self, look: Callable[[], float | Sequence[float]]) -> None:
        """To be called by a step before its first iteration and after each, where the class says what it `watches`.
        `look` returns that, as one number or several; it is called only where somebody watches (the clock
        `iteration`), and its time does not count.
        """
        if self._log is not None:
            self._log.add(look, len(self.watches))


class IterationLog:
    """The iterations of one step, and a clock that stands while they are looked at."""

    def __init__(self) -> None:
        self.rows: list[list[float]] = []
        self._watching = 0.0
        self._start = time.perf_counter()

    def add(self, look: Callable[[], float | Sequence[float]], count: int) -> None:
        """A row: seconds since the step began, then what `look` returns."""
        now = time.perf_counter()
        values = np.atleast_1d(np.asarray(look(), dtype=np.float64))
        if values.shape != (count,):
            raise ValueError(f"note_iteration was given {values.size} numbers, expected {count}, as `watches` says")
        self.rows.append([now - self._start - self._watching, *values.tolist()])
        self._watching += time.perf_counter() - now


class Diverged(Exception):
    """Raised by a step whose state is not to be used."""


def _description(method: type[Method]) -> dict[str, Any]:
    snake_case = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", method.__name__).lower()
    return {
        "protocol": PROTOCOL,
        "id": method.id or snake_case,
        "summary": (method.__doc__ or snake_case).strip().splitlines()[0],
        "paper_key": method.paper_key,
        "paper": method.paper,
        "parameters": [
            {"name": name, "default": p.default, "unit": p.unit, "doc": p.doc} for name, p in method.parameters.items()
        ],
        "takes": list(method.takes),
        "watches": list(method.watches),
    }


def _read_numbers(questions: BinaryIO, count: int) -> Array:
    data = questions.read(8 * count)  # buffered: all of them, or the end
    if len(data) < 8 * count:
        raise EOFError("the question ends early")
    return np.frombuffer(data, dtype="<f8").astype(np.float64)


def _rows(name: str, values: Any, count: int) -> bytes:
    """Checked here: with fewer numbers than announced the harness would wait for the rest until the cell's time is
    over."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (count, 3):
        raise ValueError(f"{name} have the shape {array.shape}, expected ({count}, 3)")
    return array.tobytes()


def _take_step(method: Method, scene: Scene, question: Mapping[str, Any], questions: BinaryIO) -> list[bytes]:
    numbers = _read_numbers(questions, 2 * scene.rest_positions.size).reshape(2, -1, 3)
    scene.external_forces, scene.held_positions = numbers[0], numbers[1]
    log = IterationLog() if question.get("watch") else None
    method._log = log  # pylint: disable=protected-access
    start = time.perf_counter()
    try:
        method.step()
    except Diverged as error:
        return [json.dumps({"diverged": str(error)}).encode() + b"\n"]
    seconds = time.perf_counter() - start
    count = len(scene.rest_positions)
    answer: dict[str, Any] = {"vertices": count, "seconds": seconds, "iterations": int(method.iterations)}
    if method.work is not None:
        answer["work"] = {name: int(count) for name, count in method.work.items()}
    if log is not None:
        answer["watched"] = [[x if np.isfinite(x) else None for x in row] for row in log.rows]
    parts = [_rows("positions", method.positions, count)]
    if method.velocities is not None:
        answer["velocities"] = True
        parts.append(_rows("velocities", method.velocities, count))
    return [json.dumps(answer).encode() + b"\n", *parts]


def serve(method: type[Method]) -> None:
    """Answers the harness until it asks no more. The program's own output goes where print() sends it."""
    try:
        questions: BinaryIO = os.fdopen(3, "rb")
        answers = os.fdopen(4, "wb", buffering=0)
    except OSError:
        raise SystemExit(
            'started by hand; run it as: deformbench run EXPERIMENT --program "python3 <this file>"'
        ) from None
    scene: Scene | None = None
    running: Method | None = None
    for line in iter(questions.readline, b""):
        try:
            question = json.loads(line)
            if not isinstance(question, dict):
                raise ValueError(f"got {line[:60]!r}, expected an object")
            if question.get("do") not in ("describe", "create", "step"):
                raise ValueError(f"got {question.get('do')!r}, expected describe, create or step")
            if question["do"] == "describe":
                parts = [json.dumps(_description(method)).encode() + b"\n"]
            elif question["do"] == "create":
                scene = Scene(question)
                running = method(scene, question["parameters"])
                parts = [b'{"ok": true}\n']
            elif running is None or scene is None:
                parts = [b'{"error": "asked for a step before a scene"}\n']
            else:
                parts = _take_step(running, scene, question, questions)
        except Exception as error:  # whatever the method throws is its cell's reason
            parts = [json.dumps({"error": f"{type(error).__name__}: {error}"}).encode() + b"\n"]
        for part in parts:
            view = memoryview(part)
            while view:
                view = view[os.write(answers.fileno(), view) :]

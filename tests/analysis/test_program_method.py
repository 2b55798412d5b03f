# SPDX-License-Identifier: BSD-3-Clause
"""deformbench.Method and serve: the questions of docs/program_protocol.md,
put to a class over the two descriptors."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ANALYSIS = Path(__file__).resolve().parents[2] / "analysis"
REST = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
SCENE = {
    "time_step_s": 0.5,
    "body": {"vertices_m": REST, "tetrahedra": [[0, 1, 2, 3]]},
    "materials": [{"young_modulus_pa": 5.0}, {"young_modulus_pa": 7.0}],
    "element_materials": [1],
}
CREATE = {
    "do": "create",
    "scene": SCENE,
    "masses_kg": [1.0, 2.0, 3.0, 4.0],
    "held": [[2, True, False, True]],
    "parameters": {"wrong": "no"},
}
STEP = {"do": "step", "time_s": 0.5}
MINE = '''
import numpy as np
import deformbench

class FallingBody(deformbench.Method):
    """Falls.

    More that is no summary."""
    takes = ("tetrahedra", "rollers")
    watches = ("objective",)
    parameters = {"wrong": deformbench.Parameter("no", "", "What is wrong with it.")}

    def __init__(self, scene, parameters):
        if parameters["wrong"] == "scene":
            raise RuntimeError("no such scene")
        self.scene, self.wrong = scene, parameters["wrong"]
        self.positions, self.velocities = scene.start_positions.copy(), scene.start_velocities.copy()
        print("said aloud")

    def step(self):
        scene, wrong = self.scene, self.wrong
        self.note_iteration(lambda: 3.0)
        self.velocities += scene.time_step * scene.external_forces / scene.masses[:, None]
        self.positions += scene.time_step * self.velocities
        self.positions = np.where(scene.is_held, scene.held_positions, self.positions)
        self.note_iteration(lambda: [1.0, 2.0] if wrong == "log" else np.nan if wrong == "nan" else 1.0)
        self.iterations = 1
        if wrong == "diverges":
            raise deformbench.Diverged("too fast")
        if wrong == "throws":
            raise ZeroDivisionError("two\\nlines")
        if wrong == "shape":
            self.positions = self.positions[:, :2]
        if wrong == "rows":
            self.positions = self.positions[:3]
        if wrong == "velocities":
            self.velocities = self.velocities.ravel()
        if wrong == "none":
            self.velocities = None
        if wrong == "nan":
            self.positions[0, 0] = np.nan

deformbench.serve(FallingBody)
'''


class Program:
    """A running program, and what it is asked over its descriptors 3 and 4."""

    def __init__(self, script: Path) -> None:
        ask, self.ask = os.pipe()
        self.answers, answer = os.pipe()
        start = f"import os, runpy; os.dup2({ask}, 63); os.dup2({answer}, 64); os.dup2(63, 3); os.dup2(64, 4); "
        start += "[os.close(d) for d in (63, 64)]; "
        start += f"runpy.run_path({str(script)!r}, run_name='__main__')"
        environment = {**os.environ, "PYTHONPATH": str(ANALYSIS)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", start],
            pass_fds=(ask, answer),
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        os.close(ask)
        os.close(answer)
        self.reader = os.fdopen(self.answers, "rb")

    def say(self, question: dict[str, Any] | bytes, numbers: np.ndarray | None = None) -> dict[str, Any]:
        line = question if isinstance(question, bytes) else json.dumps(question).encode()
        os.write(self.ask, line + b"\n" + (b"" if numbers is None else numbers.astype("<f8").tobytes()))
        answer = self.reader.readline()
        assert answer, self.process.communicate(timeout=600)
        return dict(json.loads(answer))

    def numbers(self, rows: int = 4) -> np.ndarray:
        return np.frombuffer(self.reader.read(24 * rows), dtype="<f8").reshape(rows, 3)

    def end(self) -> tuple[int, str, str]:
        os.close(self.ask)
        out, err = self.process.communicate(timeout=600)
        self.reader.close()
        return self.process.returncode, out.decode(), err.decode()


@pytest.fixture(name="program")
def _program(tmp_path: Path) -> Iterator[Program]:
    script = tmp_path / "mine.py"
    script.write_text(MINE, encoding="utf-8")
    program = Program(script)
    yield program
    if program.process.poll() is None:
        program.process.kill()
        program.process.wait()


def created(program: Program, wrong: str = "no") -> dict[str, Any]:
    return program.say({**CREATE, "parameters": {"wrong": wrong}})


def loads() -> np.ndarray:
    forces = np.zeros((4, 3))
    forces[:, 1] = [-1.0, -2.0, -3.0, -4.0]  # N: every vertex gains 1 m/s in a second
    held = np.zeros((4, 3))
    held[2] = [0.25, 99.0, 0.5]  # y is not held
    return np.stack([forces, held])


def test_a_class_describes_itself(program: Program) -> None:
    said = program.say({"do": "describe", "protocol": 1})
    assert said["id"] == "falling_body" and said["summary"] == "Falls." and said["protocol"] == 1
    assert said["takes"] == ["tetrahedra", "rollers"] and said["watches"] == ["objective"]
    assert said["parameters"] == [{"name": "wrong", "default": "no", "unit": "", "doc": "What is wrong with it."}]
    assert program.end()[0] == 0


def test_a_step_moves_by_the_forces_and_obeys_what_is_held(program: Program) -> None:
    assert created(program) == {"ok": True}
    for step in (1, 2):
        answer = program.say(STEP, loads())
        assert answer["vertices"] == 4 and answer["velocities"] is True and answer["iterations"] == 1
        assert answer["seconds"] > 0 and "watched" not in answer
        positions, velocities = program.numbers(), program.numbers()
        assert np.allclose(velocities[:, 1], -0.5 * step)
        fallen = -0.25 * step * (step + 1) / 2
        assert np.allclose(positions[:, 1], np.array(REST)[:, 1] + fallen)
        assert positions[2, 0] == 0.25 and positions[2, 2] == 0.5
    code, out, err = program.end()
    assert (code, out.strip(), err) == (0, "said aloud", "")


def test_iterations_are_answered_only_to_who_watches(program: Program) -> None:
    created(program)
    answer = program.say({**STEP, "watch": True}, loads())
    rows = answer["watched"]
    assert [row[1] for row in rows] == [3.0, 1.0]
    assert 0 <= rows[0][0] <= rows[1][0] <= answer["seconds"]
    program.numbers(8)
    assert "watched" not in program.say(STEP, loads())


def test_without_velocities_there_are_positions_alone(program: Program) -> None:
    created(program, "none")
    assert "velocities" not in program.say(STEP, loads())
    assert program.numbers().shape == (4, 3)


def test_what_is_not_finite_is_handed_on_for_the_harness_to_judge(program: Program) -> None:
    created(program, "nan")
    answer = program.say({**STEP, "watch": True}, loads())
    assert answer["watched"][1][1] is None  # JSON has no such number
    assert np.isnan(program.numbers()[0, 0])


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("throws", "ZeroDivisionError: two\nlines"),
        ("shape", "positions have the shape (4, 2), expected (4, 3)"),
        ("rows", "positions have the shape (3, 3), expected (4, 3)"),
        ("velocities", "velocities have the shape (12,), expected (4, 3)"),
        ("log", "note_iteration was given 2 numbers, expected 1"),
    ],
)
def test_a_faulty_step_is_an_error_with_its_reason(program: Program, wrong: str, reason: str) -> None:
    created(program, wrong)
    assert reason in program.say({**STEP, "watch": True}, loads())["error"]
    assert program.say({"do": "describe", "protocol": 1})["id"] == "falling_body"  # and it goes on answering


def test_divergence_is_no_error(program: Program) -> None:
    created(program, "diverges")
    assert program.say(STEP, loads()) == {"diverged": "too fast"}


def test_a_constructor_may_refuse(program: Program) -> None:
    assert created(program, "scene") == {"error": "RuntimeError: no such scene"}


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (b"{half an object", "JSONDecodeError"),
        (b"[1, 2]", "expected an object"),
        (b"{}", "expected describe, create or step"),
        (b'{"do": "dance"}', "expected describe, create or step"),
        (b'{"do": "create"}', "KeyError"),
        (json.dumps(STEP).encode(), "asked for a step before a scene"),
    ],
)
def test_a_malformed_question_is_answered_with_an_error(program: Program, question: bytes, reason: str) -> None:
    assert reason in program.say(question)["error"]
    assert program.say({"do": "describe", "protocol": 1})["protocol"] == 1


def test_numbers_that_end_early_end_the_program(program: Program) -> None:
    created(program)
    os.write(program.ask, json.dumps(STEP).encode() + b"\n" + b"\0" * 100)
    code, _, _ = program.end()
    assert code == 0  # the harness is gone, and so is the question


def test_started_by_hand_it_says_how_to_run_it(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(MINE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], env={**os.environ, "PYTHONPATH": str(ANALYSIS)}, capture_output=True, text=True
    )
    assert done.returncode == 1 and "deformbench run EXPERIMENT --program" in done.stderr


def test_per_tetrahedron_follows_the_materials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ANALYSIS))
    from deformbench.method import Scene

    scene = Scene(CREATE)
    assert scene.per_tetrahedron("young_modulus_pa").tolist() == [7.0]
    assert scene.is_held.tolist() == [[False] * 3, [False] * 3, [True, False, True], [False] * 3]
    assert scene.start_positions.tolist() == REST and scene.start_velocities.tolist() == [[0.0] * 3] * 4

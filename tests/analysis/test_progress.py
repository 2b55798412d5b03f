# SPDX-License-Identifier: BSD-3-Clause
"""Progress on standard error, and what a message about an unknown name says."""

import io
import sys

import pytest
from deformbench_analysis import progress
from deformbench_analysis.errors import InputError, message_line
from deformbench_analysis.nearest_names import suggestion
from deformbench_analysis.parallel import map_in_processes


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_file_gets_a_line_per_interval(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress.in_progress("claims judged", [7, 8])) == [7, 8]
    assert capsys.readouterr().err == "", "a short job says nothing"
    clock = iter(range(0, 1000, 4))  # seconds between two looks
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    assert list(progress.in_progress("claims judged", range(6))) == list(range(6))
    assert capsys.readouterr().err == "claims judged: 3 of 6, 12 s left\nclaims judged: 6 of 6\n"


def test_what_is_left_is_reckoned_by_costs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter(range(0, 1000, 12))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    assert list(progress.in_progress("figures drawn", [6.0, 2.0, 1.0], cost=float)) == [6, 2, 1]
    assert capsys.readouterr().err.splitlines()[:2] == [
        "figures drawn: 1 of 3, 6 s left",
        "figures drawn: 2 of 3, 3 s left",
    ]


def test_a_terminal_has_one_line_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert map_in_processes(lambda n: -n, [1, 2, 3], "figures drawn") == [-1, -2, -3]
    shown = terminal.getvalue().split("\r\033[K")
    assert shown == ["", *(f"figures drawn: {n} of 3" for n in (1, 2, 3)), ""]


MANY = [f"some_paper/experiment_of_number_{n}" for n in range(200)]


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("IVM01", ["IVM-01", "PBD-01"], '; did you mean "IVM-01"'),
        ("rotation", ["cantilever", "rotation_artefact"], '; did you mean "rotation_artefact"?'),
        ("zzz", ["a", "b"], " (known: a, b)"),
        ("zzz", [], " (known: none)"),
        ("zzz", MANY, "; the nearest of 200 are "),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(name: str, known: list[str], expected: str) -> None:
    text = suggestion(name, known, "deformbench list experiments")
    assert text.startswith(expected)
    assert len(text) < 300 and text.count('"') <= 10
    assert known is not MANY or "deformbench list experiments shows all" in text


def test_a_message_is_one_line_of_400_characters_at_most() -> None:
    long = message_line(InputError("folder " + 1000 * "x" + "\n: expected a shorter one"))
    assert len(long) == 400 and "\n" not in long and long.endswith(": expected a shorter one")
    assert message_line(InputError("no such folder")) == "deformbench: no such folder"

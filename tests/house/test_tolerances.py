# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons of small numbers name their absolute tolerance.

`pytest.approx` without `abs` accepts whatever is within 1e-12: 0 for an expected 1e-13, and 7e-13 for 1e-15 on one
processor but not on another. `abs=0` asks for the relative tolerance alone. Only literals are found:
expected values that a test computes are not."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALL, DEFAULT_REL, DEFAULT_ABS = 1e-9, 1e-6, 1e-12


def numbers(node: ast.expr) -> list[float]:
    """Magnitudes of literal numbers: alone, in arithmetic, or in a list, tuple or dictionary."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Dict)):
        return [n for part in (node.values if isinstance(node, ast.Dict) else node.elts) for n in numbers(part)]
    arithmetic = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    if not all(isinstance(part, arithmetic) for part in ast.walk(node)):
        return []
    value = eval(
        compile(ast.Expression(node), "literal", "eval"), {"__builtins__": {}}
    )  # constants and operators alone
    return [abs(value)] if isinstance(value, (int, float)) else []


def unnamed(text: str) -> Iterator[int]:
    """Lines of calls of `approx` without `abs` with a small expected value or tolerance, or whose tolerance is the
    default."""
    for call in ast.walk(ast.parse(text)):
        if not isinstance(call, ast.Call) or ast.unparse(call.func).split(".")[-1] != "approx":
            continue
        named = {word.arg: word.value for word in call.keywords} | dict(zip(("expected", "rel", "abs"), call.args))
        if "abs" in named:
            continue
        rel = min(numbers(named["rel"]), default=1.0) if "rel" in named else DEFAULT_REL
        expected = min(numbers(named["expected"]), default=1.0)
        if expected < SMALL or rel < SMALL or rel * expected < DEFAULT_ABS:
            yield call.lineno


def test_small_numbers_are_compared_with_a_named_tolerance() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert len(files) > 100
    wrong = [f"{path.relative_to(ROOT)}:{line}" for path in files for line in unnamed(path.read_text(encoding="utf-8"))]
    assert not wrong, "approx without abs= of a number below 1e-9:\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    "call",
    [
        *(
            "approx(0)",
            "pytest.approx(1e-15)",
            "approx(-3e-10 / 1000)",
            "approx(1e-13, rel=1e-3)",
            "approx(1e-13, 1e-3)",
        ),
        *(
            "approx([0.5, 0.0], nan_ok=True)",
            "approx({'a': 1, 'b': 0})",
            "approx((1, -2e-10))",
            "approx(expected=0.0)",
        ),
        *("approx(0.024, rel=1e-12)", "approx(x, rel=1e-13)", "approx(2e-8, rel=1e-6)", "approx(2.0**-60)"),
    ],
)
def test_a_call_without_a_named_tolerance_is_found(call: str) -> None:
    assert list(unnamed(f"y = 1\nassert x == {call}")) == [2]


@pytest.mark.parametrize(
    "call",
    [
        *("approx(1e-13, rel=1e-3, abs=0)", "approx(0, abs=1e-12)", "approx(1e-15, 1e-3, 0)", "approx(1e-3)"),
        *(
            "approx(x)",
            "approx(x * 1e-15)",
            "approx(2.5, rel=0.2)",
            "approx([1, 2])",
            "close(0)",
            "approx(x, rel=1e-9)",
        ),
    ],
)
def test_other_calls_are_left_alone(call: str) -> None:
    assert list(unnamed(f"assert x == {call}")) == []

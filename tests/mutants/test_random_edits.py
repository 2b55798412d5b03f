# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes drawn at random: each kind changes what it says, in code alone."""

from pathlib import Path

import pytest
from random_edits import edits_of


def changed(name: str, line: str) -> list[tuple[str, str]]:
    """Kind and new line of every edit of a file of one line."""
    return [(e.kind, e.apply(line + "\n").removesuffix("\n")) for e in edits_of(Path(name), line + "\n")]


@pytest.mark.parametrize(
    ("line", "kind", "new"),
    [
        ("  x = a + b * c;", "sign", "  x = a - b * c;"),
        ("  x = a + b * c;", "factor", "  x = a + b / c;"),
        ("  x -= a / b;", "sign", "  x += a / b;"),
        ("  x = a + b;", "term", "  x = a;"),
        ("  x = f(a - b[i], c);", "term", "  x = f(a, c);"),
        ("  x += 0.5 * a;", "constant", "  x += (2 * 0.5) * a;"),
        ("  x = 1e-3 * 2.5e-3;", "constant", "  x = (2 * 1e-3) * 2.5e-3;"),
        ("  if (a < b) return c;", "bound", "  if (a <= b) return c;"),
        ("  if (a < b) return c;", "condition", "  if (!(a < b)) return c;"),
        ("  if (a < b) return c;", "guard", "  ;"),
        ("  if (f(a) && b) {", "condition", "  if (!(f(a) && b)) {"),
        ("  if (f(a) && b) {", "logic", "  if (f(a) || b) {"),
        ("  x = std::abs(a[i]);", "absolute value", "  x = (a[i]);"),
        ("  x = std::abs(a[i]);", "index", "  x = std::abs(a[i + 1]);"),
        ("  x = std::max(a, b);", "extreme", "  x = std::min(a, b);"),
        ("  x[0] = y.cwiseAbs().maxCoeff();", "extreme", "  x[0] = y.cwiseAbs().minCoeff();"),
        ("  x.is_held = true;", "statement", "  ;"),
        ("      continue;", "early end", "      return;"),
    ],
)
def test_a_mistake_in_cpp(line: str, kind: str, new: str) -> None:
    assert (kind, new) in changed("a.cpp", line)


@pytest.mark.parametrize(
    ("line", "kind", "new"),
    [
        ("    return abs(a - b)", "absolute value", "    return (a - b)"),
        ("    return float(np.abs(a).max())", "extreme", "    return float(np.abs(a).min())"),
        ("    return extremes.largest(found)", "extreme", "    return extremes.least(found)"),
        ("    if a <= b:", "condition", "    if not (a <= b):"),
        ("    if a <= b:", "bound", "    if a < b:"),
        ("    x = a[-1] - a[0]", "index", "    x = a[0] - a[0]"),
        ("    return a and b", "logic", "    return a or b"),
        ('    a, b = x["a - b"], y - z', "term", '    a, b = x["a - b"], y'),
    ],
)
def test_a_mistake_in_python(line: str, kind: str, new: str) -> None:
    assert (kind, new) in changed("a.py", line)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.cpp", "  // x = a + b"),
        ("a.cpp", "#include <a>  // a + b"),
        ("a.cpp", '  throw InputError("a + b < 0.5");'),
        ("a.cpp", "  std::vector<int> a;"),
        ("a.py", '"""A sum\nof a + b\n"""'),
        ("a.py", "from a import b  # a + b"),
        ("a.py", '@measurement("a.b", unit="0.5 * m")'),
    ],
)
def test_what_is_no_code_is_left_alone(name: str, text: str) -> None:
    assert changed(name, text) == []

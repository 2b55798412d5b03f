# SPDX-License-Identifier: BSD-3-Clause
"""Small mistakes of any programmer, as edits of one line of C++ or Python: a wrong sign, a bound, a constant,
a missing term …"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Edit:
    """One mistake: a line of a file, and what it becomes."""

    path: Path  # relative to the root
    line: int
    kind: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}"

    def apply(self, text: str) -> str:
        """The file's text with the mistake."""
        lines = text.splitlines(keepends=True)
        assert lines[self.line - 1].rstrip("\r\n") == self.old, f"{self} is of another version of the file"
        lines[self.line - 1] = lines[self.line - 1].replace(self.old, self.new)
        return "".join(lines)


def _exchange(kind: str, *pairs: tuple[str, str]) -> list[tuple[str, str, str]]:
    """Each of a pair becomes the other one; `~`: the edge of a word."""
    both = [pair for a, b in pairs for pair in ((a, b), (b, a))]
    return [(kind, re.escape(a).replace(r"\~", r"\b"), b.replace("~", "")) for a, b in both]


# Kind, pattern, replacement. Binary operators have blanks around them in both languages, and templates have none.
OPERATORS = [
    *_exchange("sign", (" + ", " - "), (" += ", " -= ")),
    *_exchange("factor", (" * ", " / ")),
    *_exchange("bound", (" < ", " <= "), (" > ", " >= ")),
    *_exchange("extreme", ("~max(", "~min("), ("~maxCoeff(", "~minCoeff("), ("~largest(", "~least(")),
    *_exchange("logic", (" && ", " || "), (" and ", " or "), ("~true~", "~false~"), ("~True~", "~False~")),
    ("constant", r"(?<![\w.])(?!0+\.0*(?![\d.e]))(\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+)(?![\w.])", r"(2 * \1)"),
    ("term", r" [+-] [\w.]+(?:\[[^\[\]]*\]|\([^()]*\))?(?=[;,)]|$| [+-] )", ""),
    ("absolute value", r"\b(?:std::|np\.)?abs\(", "("),
    ("absolute value", r"\.cwiseAbs\(\)", ""),
    ("condition", r"\bif \((.+)\)(?= \{$| [\w*]+.*;$|$)", r"if (!(\1))"),
    ("condition", r"\b(if|while) ((?!not ).+):$", r"\1 not (\2):"),
    ("index", r"(?<=\w)\[([ijknst]|\d)\]", r"[\1 + 1]"),
    ("index", r"(?<=\w)\[-1\]", "[0]"),
    ("early end", r"^(\s*)(?:continue|break)(;?)$", r"\1return\2"),
    ("guard", r"^(\s+)if \(.*\) (?:return\b.*|continue|break);$", r"\1;"),
    ("statement", r"^(\s+)(?!return|using|auto|const|if|for|while|else)[\w.>\[\]()-]+ [-+*/]?= .*;$", r"\1;"),
]
TEXT = {
    ".cpp": re.compile(r'//.*|"(?:\\.|[^"\\])*"|^\s*#.*|\bstatic_assert\(.*', re.MULTILINE),
    ".hpp": re.compile(r'//.*|"(?:\\.|[^"\\])*"|^\s*#.*|\bstatic_assert\(.*', re.MULTILINE),
    ".py": re.compile(
        r'"""(?:.|\n)*?"""|#.*|"(?:\\.|[^"\\\n])*"|^@.*|^(?:from|import|def|class) .*$|-> .*:$', re.MULTILINE
    ),
}


def edits_of(path: Path, text: str) -> Iterator[Edit]:
    """Every edit of a file; comments, strings, imports and the preprocessor's lines are left alone."""
    # Blanked out, line by line as long as before, so that places in the code are those in the text.
    code = TEXT[path.suffix].sub(lambda m: re.sub(r"[^\n]", "\0", m[0]), text)
    for number, (old, seen) in enumerate(zip(text.splitlines(), code.splitlines(), strict=True), 1):
        for kind, pattern, replacement in OPERATORS:
            for match in re.finditer(pattern, seen.rstrip("\0 ")):
                new = old[: match.start()] + match.expand(replacement) + old[match.end() :]
                if "\0" not in new and new.strip() != old.strip():
                    yield Edit(path, number, kind, old, new)

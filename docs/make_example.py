#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/compare_methods.md: the cells of analysis/examples/compare_methods.py,
each with what it prints and draws.

    DEFORMBENCH=build/release/bin/deformbench PYTHONPATH=analysis docs/make_example.py

Cells begin with "# %%", cells of text with "# %% [markdown]", as editors and Jupyter know them."""

import contextlib
import io
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "analysis" / "examples" / "compare_methods.py"
PAGE = ROOT / "docs" / "compare_methods.md"


def cells(script: str) -> Iterator[tuple[bool, str]]:
    """Whether a cell is text, and its content; what stands before the first cell is left out."""
    for marker, content in re.findall(r"^# %%(.*)\n((?:(?!# %%).*\n)*)", script, flags=re.M):
        is_text = marker.strip() == "[markdown]"
        yield is_text, re.sub(r"^# ?", "", content, flags=re.M).strip() if is_text else content.strip()


def rendered(script: Path, pictures: Path) -> str:
    """The page. Pictures that cells save are copied into the folder `pictures`, named as the page is."""
    parts = [f"<!-- Written by docs/make_example.py from {script.relative_to(ROOT)}. -->"]
    with tempfile.TemporaryDirectory() as scratch:
        names: dict[str, Any] = {"__file__": str(script), "__name__": "example"}
        sys.argv = [str(script), scratch]
        for is_text, content in cells(script.read_text(encoding="utf-8")):
            if is_text:
                parts.append(content)
                continue
            printed = io.StringIO()
            before = set(Path(scratch).glob("*.png"))
            with contextlib.redirect_stdout(printed):
                exec(compile(content, script.name, "exec"), names)  # pylint: disable=exec-used
            parts.append(f"```python\n{content}\n```")
            if printed.getvalue():
                parts.append(f"```\n{printed.getvalue().rstrip()}\n```")
            for picture in sorted(set(Path(scratch).glob("*.png")) - before):
                name = f"{PAGE.stem}_{picture.name}"
                shutil.copy(picture, pictures / name)
                parts.append(f"![{picture.stem}]({name})")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(rendered(SCRIPT, PAGE.parent), encoding="utf-8")

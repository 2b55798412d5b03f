# SPDX-License-Identifier: BSD-3-Clause
"""Marks beside times: of a method that an interpreter runs, and of what was timed on a busy machine."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from .trace import Trace

INTERPRETED, BUSY = "†", "‡"
_INTERPRETER = re.compile(r"(python|pypy|julia|node|deno|ruby|perl|lua|octave|matlab|Rscript|bash|sh)[\d.]*(-cli)?")
_SCRIPT = re.compile(r".+\.(py|jl|m?js|rb|pl|lua|m|R|sh)")


def interpreter(cell: Trace) -> str:
    """Name of the interpreter, or of the script, that runs the method; empty for one that is compiled."""
    command = str(cell.provenance.get("program") or cell.value("method.program") or "")
    words = re.sub(r"^[\w-]+=", "", command).split()  # without the id of --program
    names = [Path(word).name for word in words if not word.startswith("-")]
    return next((name for name in names if _INTERPRETER.fullmatch(name) or _SCRIPT.fullmatch(name)), "")


def load(cell: Trace) -> str:
    """ "load 5.0 on 2 cores" where the timing began while more was running than the machine has cores for."""
    about = cell.timing.provenance if cell.timing else {}
    running, cores = about.get("load_1min"), about.get("cores")
    is_busy = isinstance(running, (int, float)) and isinstance(cores, (int, float)) and running > cores
    return f"load {running:.1f} on {cores} cores" if is_busy else ""


def marks(cells: Iterable[Trace]) -> str:
    """The marks that one of the cells has, for behind its label."""
    of = list(cells)
    return INTERPRETED * any(map(interpreter, of)) + BUSY * any(map(load, of))


def note(cells: Sequence[Trace]) -> str:
    """What the marks of these cells mean; empty without any."""
    names = sorted({name for cell in cells if (name := interpreter(cell))})
    said = [f"{INTERPRETED} an interpreter runs it ({', '.join(names)}), which costs time of its own."] if names else []
    said += [f"{BUSY} timed while more was running than the machine has cores."] if any(map(load, cells)) else []
    return " ".join(said)

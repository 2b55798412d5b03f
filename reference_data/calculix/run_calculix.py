#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs CalculiX (`ccx`, Debian package calculix-ccx) on the decks and stores displacements with their provenance.

    ./run_calculix.py [CASE …]

Results are the seven digits that CalculiX prints, in results/<case>.json."""

import datetime
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from generate_decks import checksum, decks

FOLDER = Path(__file__).resolve().parent
ROW = re.compile(r"^\s*(\d+)\s+(-?\d\.\d+E[+-]\d+)\s+(-?\d\.\d+E[+-]\d+)\s+(-?\d\.\d+E[+-]\d+)\s*$")


def parse(text: str) -> dict[str, list[list[float]]]:
    """The last table of each printed quantity: name → one row per node."""
    tables: dict[str, list[list[float]]] = {}
    current: list[list[float]] | None = None
    for line in text.splitlines():
        if "(vx,vy,vz)" in line or "(fx,fy,fz)" in line:
            current = tables["displacements_m" if "vx" in line else "forces_n"] = []
        elif (match := ROW.match(line)) and current is not None:
            if int(match[1]) != len(current) + 1:
                raise ValueError(f"node {match[1]} where {len(current) + 1} was expected")
            current.append([float(x) for x in match.groups()[1:]])
    return tables


def run(program: str, version: str, name: str, deck: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"{name}.inp").write_text(deck, encoding="utf-8")
        done = subprocess.run([program, name], cwd=folder, capture_output=True, text=True, check=False)
        data = Path(folder) / f"{name}.dat"
        if done.returncode != 0 or "Job finished" not in done.stdout or not data.exists():
            raise RuntimeError(f"{name}: ccx failed: {done.stdout[-400:]}")
        tables = parse(data.read_text(encoding="utf-8"))
    head = {
        "case": name,
        "program": f"CalculiX CrunchiX {version}",
        "date": f"{datetime.date.today():%Y-%m-%d}",
        "deck_sha256": checksum(deck),
        "digits": 7,
    }
    lines = [f" {json.dumps(k)}: {json.dumps(v)}" for k, v in head.items()]
    lines += [
        f" {json.dumps(name)}: [\n  " + ",\n  ".join(json.dumps(row) for row in rows) + "]"
        for name, rows in tables.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    program = shutil.which("ccx")
    if program is None:
        print("ccx is not installed: apt-get install calculix-ccx", file=sys.stderr)
        return 2
    version = subprocess.run([program, "-v"], capture_output=True, text=True, check=False).stdout.split()[-1]
    known = decks()
    wanted = sys.argv[1:] or list(known)
    for name in wanted:
        if name not in known:
            print(f"no deck {name}; expected one of {', '.join(known)}", file=sys.stderr)
            return 2
        (FOLDER / "results").mkdir(exist_ok=True)
        (FOLDER / "results" / f"{name}.json").write_text(run(program, version, name, known[name]), encoding="utf-8")
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
